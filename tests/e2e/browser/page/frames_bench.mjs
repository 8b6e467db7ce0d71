// How smooth Azul is: four players, the motions of whole rounds, on a processor that is slowed
// down. Prints, while pieces fly, how many of the screen's frames were shown, by Chromium's own
// account of each; how often the page is laid out meanwhile; how long nothing moves between two
// motions of a move; and what the page's main thread computes for a motion: that is processor time,
// the slowing down included, which other programs on the machine do not lengthen.
//   node frames_bench.mjs [ROUNDS [SLOWER]] [--beside OTHER/bin/tesela-server]
// 2 rounds and 4 times slower where nothing is said; with the page of another server measured in
// turns with this one.
import { parseArgs } from 'node:util';
import { azul } from '../../harness/games.mjs';
import { bearer, lobbyOf, signIn } from '../../harness/lobby.mjs';
import { Server, serverProgram } from '../../harness/server.mjs';
import { AzulVisitor } from './azul_visitor.mjs';
import { Browser, phone } from './chromium.mjs';

const { values, positionals } = parseArgs({
  options: { beside: { type: 'string' } },
  allowPositionals: true,
});
const [rounds = 2, slower = 4] = positionals.map(Number);
const looks = { desktop: {}, phone };
/** What is longer lies between two moves. */
const pauseMsMax = 300;

/** From now on the page writes down when pieces fly, in its milliseconds: [from, to, and when the
 *  compositor had it], for each. It does so without a callback for each
 *  frame, which alone would keep the main thread busy. What
 *  begins or ends out of sight, as on a phone that is scrolled, is no frame for the screen. */
function watchFlights() {
  globalThis.flights = [];
  performance.mark('begin');
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...how) {
    const animation = animate.apply(this, how);
    if (how[0].length === 0) return animation; // A time to look at what stands still.
    const inSight = how[0].every(({ transform }) => {
      const [x, y] = transform.match(/-?[\d.]+/g).map(Number);
      return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
    });
    if (!inSight) return animation;
    animation.ready.then(
      () => {
        const { delay, endTime } = animation.effect.getComputedTiming();
        const { startTime } = animation;
        flights.push([startTime + delay, startTime + endTime, performance.now()]);
      },
      () => {}, // cancelled before it began
    );
    return animation;
  };
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
  const includedCategories = [
    'toplevel',
    'blink.user_timing',
    'cc',
    'benchmark',
    'devtools.timeline',
  ];
  await tools.send('Tracing.start', { traceConfig: { includedCategories } });
  await act();
  const complete = new Promise((resolve) => tools.once('Tracing.tracingComplete', resolve));
  await tools.send('Tracing.end');
  await complete;
  return events;
}

/** Times that overlap or touch, as one: [from, to, and when the last had begun] in their order. */
function joined(times) {
  const whole = [];
  for (const time of times.toSorted((a, b) => a[0] - b[0])) {
    const last = whole.at(-1);
    if (last && time[0] <= last[1]) {
      last[1] = Math.max(last[1], time[1]);
      last[2] = Math.max(last[2], time[2]);
    } else whole.push([...time]);
  }
  return whole;
}

/** Of the screen's frames in these times of the trace, { shown, missed }: a frame may have several
 *  reports, since what the compositor moves does not wait for the page. */
function judge(events, { pid }, times) {
  const within = ({ ts }) => times.some(([from, to]) => ts >= from && ts <= to);
  const states = new Map();
  for (const event of events) {
    if (event.name !== 'PipelineReporter' || event.ph !== 'b' || event.pid !== pid) continue;
    const { frame_sequence: frame, state } = event.args.frame_reporter;
    if (within(event)) states.set(frame, [...(states.get(frame) ?? []), state]);
  }
  const all = [...states.values()];
  const shown = all.filter((each) => each.some((state) => state.startsWith('STATE_PRESENTED')));
  const missed = all.filter((each) => !shown.includes(each) && each.includes('STATE_DROPPED'));
  return { shown: shown.length, missed: missed.length };
}

/** The main thread's milliseconds of processor for each of these motions, and what follows it
 *  until the next. */
function costs(events, { pid, tid }, motions) {
  const tasks = events.filter(
    (event) => event.pid === pid && event.tid === tid && event.name.endsWith('RunTask'),
  );
  return motions.slice(1).map(([until], index) => {
    const within = tasks.filter(({ ts }) => ts > motions[index][0] && ts <= until);
    return within.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000;
  });
}

/** What the main thread does for the picture. */
const steps = { styled: 'UpdateLayoutTree', 'laid out': 'Layout', painted: 'Paint' };

/** How often the main thread does each of these steps while pieces fly, that is, between the time
 *  when the compositor has all of them and the end: counts, which a busy machine lengthens
 *  by little. */
function work(events, { pid, tid }, motions) {
  const within = ({ ts }) => motions.some(([, to, begun]) => ts >= begun && ts < to);
  const own = events.filter((event) => event.pid === pid && event.tid === tid && within(event));
  const count = (name) => own.filter((event) => event.name === name && event.ph !== 'E').length;
  return Object.entries(steps).map(([word, name]) => `${word} ${count(name)} times`);
}

const at = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
function report(name, { shown, missed }, { done, motions }, pauses, computed) {
  const figures = (values) =>
    values.length === 0
      ? ['never']
      : [0.5, 0.95, 0.99].map((share) => `p${100 * share} ${at(values, share).toFixed(1)} ms`);
  const rate = ((60 * shown) / (shown + missed)).toFixed(1);
  const lines = [
    [name, `${rate} frames a second`, `${missed} of ${shown + missed} missed`],
    ['', `in ${motions} motions`, ...done],
    ['', 'between two motions', ...figures(pauses)],
    ['', 'computed for a motion', ...figures(computed)],
  ];
  for (const [head, ...rest] of lines) console.log([head.padEnd(15), ...rest].join('   '));
}

/** Makes the browser's window higher than the page. Of the height that Playwright gives it a part
 *  is the window's own, and what moves in as much of the page's last rows is never drawn: its
 *  frames count as dropped. */
async function showAllOf(page, tools) {
  const { windowId, bounds } = await tools.send('Browser.getWindowForTarget');
  const height = page.viewportSize().height + 300;
  await tools.send('Browser.setWindowBounds', { windowId, bounds: { ...bounds, height } });
}

/** Ada at a table with three bots; not by way of the lobby, which other pages have otherwise. */
async function sitDown(server, page) {
  const { token, playerId, displayName } = await signIn(server, 'Ada');
  const bots = Array.from({ length: 3 }, () => ({ strategy: 'greedy' }));
  const game = { game: 'azul', config: azul(4).config, bots };
  const { table } = await lobbyOf(server).createTable(game, bearer(token));
  const expiresAtMs = Date.now() + 24 * 3_600_000;
  const player = { token, playerId, displayName, expiresAtMs, deviceSecret: '' };
  await page.addInitScript(
    (player) => localStorage.setItem('tesela.player', player),
    JSON.stringify(player),
  );
  await page.goto(`/t/${table.tableId}`);
  const ada = new AzulVisitor(page);
  await ada.atTable();
  return ada;
}

async function measure(look, title, { server, browser }) {
  const ada = await sitDown(server, await browser.newPage(looks[look]));
  const tools = await ada.page.context().newCDPSession(ada.page);
  await showAllOf(ada.page, tools);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  const events = await trace(tools, async () => {
    await ada.page.evaluate(watchFlights);
    await playRounds(ada);
  });
  const mark = events.find((event) => event.name === 'begin' && event.cat.includes('user_timing'));
  const { flights, begin } = await ada.page.evaluate(() => ({
    flights,
    begin: performance.getEntriesByName('begin')[0].startTime,
  }));
  const motions = joined(flights);
  const pauses = motions.slice(1).map(([from], index) => from - motions[index][1]);
  const traced = motions.map((motion) => motion.map((ms) => mark.ts + 1000 * (ms - begin)));
  report(
    title,
    judge(events, mark, traced),
    { done: work(events, mark, traced), motions: traced.length },
    pauses.filter((ms) => ms < pauseMsMax),
    costs(events, mark, traced),
  );
  await ada.page.context().close();
}

async function open(program) {
  const server = await Server.startProgram(program, '--bot-pace', '100ms');
  return { server, browser: await Browser.launch(server) };
}

const programs = { here: serverProgram, ...(values.beside && { beside: values.beside }) };
const sites = [];
try {
  for (const [name, program] of Object.entries(programs)) {
    sites.push([name, await open(program)]);
  }
  for (const look of Object.keys(looks)) {
    for (const [name, site] of sites) {
      await measure(look, sites.length > 1 ? `${look}, ${name}` : look, site);
    }
  }
} finally {
  for (const [, { server, browser }] of sites) {
    await browser.close();
    await server.dispose();
  }
}
