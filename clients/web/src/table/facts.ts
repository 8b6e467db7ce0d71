// How a table is run, in a few words.
import { Talk, type TableOptions } from '../gen/tesela/lobby/v1/table_options_pb.js';
import { i18n } from '../i18n/i18n.svelte.js';
import { tableWords } from '../i18n/table_words.js';

const MINUTE_MS = 60_000;

function timeText(ms: number): string {
  const { minutes, seconds } = tableWords().options;
  return ms % MINUTE_MS === 0
    ? minutes(i18n.number(ms / MINUTE_MS))
    : seconds(i18n.number(ms / 1000));
}

/** The clock: "5 min + 10 s", "30 s a move"; empty without one. */
function clockText({ clock }: TableOptions): string {
  if (!clock) return '';
  const { gameMs, incrementMs, moveMs } = clock;
  const game = [gameMs, incrementMs].filter((ms) => ms > 0).map(timeText);
  const move = moveMs > 0 ? [tableWords().options.aMove(timeText(moveMs))] : [];
  return [...(game.length > 0 ? [tableWords().options.clockOf(game)] : []), ...move].join(', ');
}

export function factsOf(options: TableOptions): string[] {
  const { facts } = tableWords().room;
  const said: [boolean, string][] = [
    [options.inviteOnly, facts.private],
    [options.spectatorsOff, facts.playersOnly],
    [options.ranked, facts.ranked],
    [options.practice, facts.practice],
    [options.talk === Talk.PHRASES, facts.phrases],
    [options.talk === Talk.OFF, facts.noTalk],
  ];
  const clock = clockText(options);
  return [...(clock ? [clock] : []), ...said.filter(([holds]) => holds).map(([, fact]) => fact)];
}
