// Azul for the page.
import { isMessage } from '@bufbuild/protobuf';
import {
  AzulConfigSchema,
  AzulEventSchema,
  AzulGainSchema,
  AzulMoveSchema,
  AzulViewSchema,
} from '@tesela/client/gen/game/v1/azul_pb.js';
import { gameOf } from '../../table/drawn_game.js';
import OptionsForm from './OptionsForm.svelte';
import Preview from './Preview.svelte';
import { azulWords as words } from '../../i18n/words.js';

export const azul = gameOf({
  name: 'azul',
  title: 'Azul',
  seatsMin: 2,
  seatsMax: 4,
  config: AzulConfigSchema,
  event: AzulEventSchema,
  move: AzulMoveSchema,
  view: AzulViewSchema,
  gain: AzulGainSchema,
  Preview,
  OptionsForm,
  load: () => import('./Play.svelte'),
  rules: () => import('./Rules.svelte'),
  picture: () => import('./picture.js'),
  proposals: () => import('./proposal.js'),
  tagline: () => words().tagline,
  pointsOf: (view) =>
    isMessage(view, AzulViewSchema) ? (view.table?.boards.map(({ score }) => score) ?? []) : [],
  roundOf: (view) => (isMessage(view, AzulViewSchema) ? view.round : undefined),
  seats: ({ players }) => players ?? 2,
  summary: ({ players }) => words().players({ count: players ?? 2 }),
});
