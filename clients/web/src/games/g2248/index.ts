// 2248 for the page.
import { isMessage } from '@bufbuild/protobuf';
import {
  Game2248ConfigSchema,
  Game2248EventSchema,
  Game2248GainSchema,
  Game2248MoveSchema,
  Game2248ViewSchema,
} from '@tesela/client/gen/game/v1/g2248_pb.js';
import { gameOf } from '../../table/drawn_game.js';
import { gridWords as grid, words2248 as words } from '../../i18n/words.js';
import OptionsForm from './OptionsForm.svelte';
import Preview from './Preview.svelte';

export const g2248 = gameOf({
  name: '2248',
  title: '2248',
  seatsMin: 1,
  seatsMax: 1,
  config: Game2248ConfigSchema,
  event: Game2248EventSchema,
  move: Game2248MoveSchema,
  view: Game2248ViewSchema,
  gain: Game2248GainSchema,
  Preview,
  OptionsForm,
  load: () => import('./Play.svelte'),
  rules: () => import('./Rules.svelte'),
  picture: () => import('./picture.js'),
  proposals: () => import('./proposal.js'),
  pointsOf: (view) => (isMessage(view, Game2248ViewSchema) ? [Number(view.score)] : []),
  tagline: () => words().tagline,
  summary: ({ rows = 8, columns = 5, goal = 2248n }) =>
    `${grid().sizeOf({ rows, columns })}, ${grid().goalOf({ goal })}`,
});
