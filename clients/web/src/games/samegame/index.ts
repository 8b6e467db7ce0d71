// SameGame for the page.
import { isMessage } from '@bufbuild/protobuf';
import {
  SameGameConfigSchema,
  SameGameEventSchema,
  SameGameGainSchema,
  SameGameMoveSchema,
  SameGameViewSchema,
} from '@tesela/client/gen/game/v1/samegame_pb.js';
import { gameOf } from '../../table/drawn_game.js';
import { gridWords as grid, sameGameWords as words } from '../../i18n/words.js';
import OptionsForm from './OptionsForm.svelte';
import Preview from './Preview.svelte';

export const samegame = gameOf({
  name: 'samegame',
  title: 'SameGame',
  seatsMin: 1,
  seatsMax: 1,
  config: SameGameConfigSchema,
  event: SameGameEventSchema,
  move: SameGameMoveSchema,
  view: SameGameViewSchema,
  gain: SameGameGainSchema,
  Preview,
  OptionsForm,
  load: () => import('./Play.svelte'),
  rules: () => import('./Rules.svelte'),
  picture: () => import('./picture.js'),
  proposals: () => import('./proposal.js'),
  pointsOf: (view) => (isMessage(view, SameGameViewSchema) ? [Number(view.score)] : []),
  tagline: () => words().tagline,
  summary: ({ rows = 15, columns = 15, colours = 5 }) =>
    `${grid().sizeOf({ rows, columns })}, ${words().coloursOf({ count: colours })}`,
});
