// What a challenge is to, in short phrases.
import type { GameChallenge } from '@tesela/client/gen/account/v1/friends_pb.js';
import { gameNamed, unpack } from '../../games/index.js';
import { i18n } from '../../i18n/i18n.svelte.js';
import { gamesWords, tableWords } from '../../i18n/words.js';

export function factsOf({ game, config, options }: GameChallenge): string[] {
  const known = gameNamed(game);
  const message = unpack(config);
  const { moveMs = 0, gameMs = 0 } = options?.clock ?? {};
  const time = moveMs || gameMs;
  return [
    known?.title ?? game,
    (message && known?.summary(message)) ?? '',
    options?.ranked ? gamesWords().ranked : '',
    time ? `${tableWords().options.clock}: ${i18n.span(time)}` : '',
  ].filter(Boolean);
}
