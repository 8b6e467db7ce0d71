// How smooth Azul is: four players, the motions of whole rounds, on a processor that is slowed
// down. Prints, while pieces fly, what lies between two frames, and what the page's main thread
// computes for one: that is processor time, the slowing down included, which other programs on the
// machine do not lengthen.
//   node frames_bench.mjs [ROUNDS [SLOWER]]: 2 rounds and 4 times slower where nothing is said
import { Server } from '../harness/server.mjs';
import { AzulVisitor } from './azul_visitor.mjs';
import { Browser, phone } from './chromium.mjs';

const rounds = Number(process.argv[2] ?? 2);
const slower = Number(process.argv[3] ?? 4);
const looks = { desktop: {}, phone };
const frameMs = 1000 / 60;

/** From now on the page writes down the time between frames while pieces fly. */
function watchFrames() {
  globalThis.frames = [];
  let last;
  const air = document.querySelector('.air');
  const next = (now) => {
    const moving = air.firstElementChild !== null;
    if (moving) performance.mark('moving');
    if (moving && last !== undefined) frames.push(now - last);
    last = moving ? now : undefined;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

/** Plays until the round after this many has begun. */
async function playRounds(ada) {
  const over = ada.page.locator('.status', { hasText: `Round ${rounds + 1}` });
  while (!(await over.count()) && !(await ada.isOver())) {
    if (await ada.mayTake()) await ada.place();
    else await ada.page.waitForTimeout(100);
  }
}

/** What Chromium traces while `act` runs. */
async function trace(tools, act) {
  const events = [];
  tools.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const includedCategories = ['toplevel', 'blink.user_timing'];
  await tools.send('Tracing.start', { traceConfig: { includedCategories } });
  await act();
  const complete = new Promise((resolve) => tools.once('Tracing.tracingComplete', resolve));
  await tools.send('Tracing.end');
  await complete;
  return events;
}

/** The main thread's milliseconds of processor for each frame in which pieces fly. */
function costs(events) {
  const marks = events.filter(({ name }) => name === 'moving').sort((a, b) => a.ts - b.ts);
  const { pid, tid } = marks[0];
  const tasks = events.filter(
    (event) => event.pid === pid && event.tid === tid && event.name.endsWith('RunTask'),
  );
  return marks.slice(1).map((mark, index) => {
    const within = tasks.filter(({ ts }) => ts > marks[index].ts && ts <= mark.ts);
    return within.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000;
  });
}

const at = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const part = (values, fits) => ((100 * values.filter(fits).length) / values.length).toFixed(1);

function report(name, frames, computed) {
  const seconds = frames.reduce((sum, ms) => sum + ms, 0) / 1000;
  const figures = (values) =>
    [0.5, 0.95, 0.99].map((share) => `p${100 * share} ${at(values, share).toFixed(1)} ms`);
  console.log(
    [
      `${name.padEnd(8)} ${(frames.length / seconds).toFixed(1)} frames a second`,
      ...figures(frames),
      `late ${part(frames, (ms) => ms > 1.5 * frameMs)} %`,
    ].join('   '),
  );
  console.log(
    [
      `${' '.repeat(8)} computed`,
      ...figures(computed),
      `more than a frame ${part(computed, (ms) => ms > frameMs)} %`,
    ].join('   '),
  );
}

async function measure(name, browser) {
  const ada = await AzulVisitor.arrive(await browser.newPage(looks[name]));
  await ada.createTable(4);
  await ada.addBots(3);
  await ada.atTable();
  const tools = await ada.page.context().newCDPSession(ada.page);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await ada.page.evaluate(watchFrames);
  const events = await trace(tools, () => playRounds(ada));
  report(name, await ada.page.evaluate(() => frames), costs(events));
  await ada.page.context().close();
}

const server = await Server.start('--bot-pace', '100ms');
const browser = await Browser.launch(server);
try {
  for (const name of Object.keys(looks)) await measure(name, browser);
} finally {
  await browser.close();
  await server.dispose();
}
