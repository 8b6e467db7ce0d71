// How a table is run, in a few words.
import { Talk, type TableOptions } from '@tesela/client/gen/lobby/v1/table_options_pb.js';
import { tableWords } from '../i18n/words.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

function timeText(ms: number): string {
  const { days, minutes, seconds } = tableWords().options;
  if (ms % DAY_MS === 0) return days({ count: ms / DAY_MS });
  return ms % MINUTE_MS === 0 ? minutes({ count: ms / MINUTE_MS }) : seconds({ count: ms / 1000 });
}

/** The clock: "5 min + 10 s", "30 s a move"; empty without one. */
function clockText({ clock }: TableOptions): string {
  if (!clock) return '';
  const { gameMs, incrementMs, moveMs } = clock;
  const game = [gameMs, incrementMs].filter((ms) => ms > 0).map(timeText);
  const move = moveMs > 0 ? [tableWords().options.aMove({ time: timeText(moveMs) })] : [];
  return [...(game.length > 0 ? [game.join(' + ')] : []), ...move].join(', ');
}

/** `alone`: at a table for one, whose result changes no rating. */
export function factsOf(options: TableOptions, alone: boolean): string[] {
  const { facts } = tableWords().room;
  const said: [boolean, string][] = [
    [options.inviteOnly, facts.private],
    [options.spectatorsOff, facts.playersOnly],
    [options.ranked && !alone, facts.ranked],
    [options.practice, facts.practice],
    [options.talk === Talk.PHRASES, facts.phrases],
    [options.talk === Talk.OFF, facts.noTalk],
  ];
  const clock = clockText(options);
  return [...(clock ? [clock] : []), ...said.filter(([holds]) => holds).map(([, fact]) => fact)];
}
