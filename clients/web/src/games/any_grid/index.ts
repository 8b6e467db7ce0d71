// Any game on a grid that this page has no renderer for, as the server says it (GridView): the
// cells, what can be played where, and how it stands. What it says in words is in English.
import { isMessage } from '@bufbuild/protobuf';
import { GridEventSchema, GridViewSchema } from '@tesela/client/gen/game/v1/grid_pb.js';
import type { DrawnGame } from '../../table/drawn_game.js';
import Preview from './Preview.svelte';

/** The most seats that a table of any game has. */
const SEATS_MAX = 4;

/** "connect_four" is "Connect four". */
const titleOf = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

export const anyGrid = (name: string): DrawnGame => ({
  name,
  title: titleOf(name),
  seatsMin: 1,
  seatsMax: SEATS_MAX,
  messages: [GridViewSchema, GridEventSchema],
  Preview,
  load: () => import('./Play.svelte'),
  rules: () => import('./Rules.svelte'),
  picture: () => import('./picture.js'),
  summary: () => '',
  viewAfter: (body) => (isMessage(body, GridEventSchema) ? body.view : undefined),
  pointsOf: () => [],
});
