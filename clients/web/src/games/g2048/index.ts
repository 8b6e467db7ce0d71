// 2048 for the page.
import { isMessage } from '@bufbuild/protobuf';
import {
  Game2048ConfigSchema,
  Game2048EventSchema,
  Game2048GainSchema,
  Game2048MoveSchema,
  Game2048ViewSchema,
} from '@tesela/client/gen/game/v1/g2048_pb.js';
import { gameOf } from '../../table/drawn_game.js';
import { gridWords as grid, words2048 as words } from '../../i18n/words.js';
import OptionsForm from './OptionsForm.svelte';
import Preview from './Preview.svelte';

export const g2048 = gameOf({
  name: '2048',
  title: '2048',
  seatsMin: 1,
  seatsMax: 1,
  config: Game2048ConfigSchema,
  event: Game2048EventSchema,
  move: Game2048MoveSchema,
  view: Game2048ViewSchema,
  gain: Game2048GainSchema,
  Preview,
  OptionsForm,
  load: () => import('./Play.svelte'),
  rules: () => import('./Rules.svelte'),
  picture: () => import('./picture.js'),
  proposals: () => import('./proposal.js'),
  pointsOf: (view) => (isMessage(view, Game2048ViewSchema) ? [Number(view.score)] : []),
  tagline: () => words().tagline,

  summary({ size = 4, objective = 2048, stopAtObjective }) {
    const goal = String(objective);
    const end = stopAtObjective ? words().endsAt({ value: goal }) : grid().goalOf({ goal });
    return `${grid().sizeOf({ rows: size, columns: size })}, ${end}`;
  },
});
