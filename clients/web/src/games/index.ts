// The games this page can show: one line a game.
import { anyUnpack, type Any } from '@bufbuild/protobuf/wkt';
import { createRegistry, type Message } from '@bufbuild/protobuf';
import { anyGrid } from './any_grid/index.js';
import { azul } from './azul/index.js';
import { g2048 } from './g2048/index.js';
import { g2248 } from './g2248/index.js';
import { samegame } from './samegame/index.js';
import { GridEventSchema, GridViewSchema } from '@tesela/client/gen/game/v1/grid_pb.js';
import { ResignedSchema, UndoneSchema } from '@tesela/client/gen/play/v1/course_pb.js';
import type { DrawnGame, OfferedGame } from '../table/drawn_game.js';
import type { Games } from '../table/game.js';

export const games: readonly OfferedGame[] = [azul, g2048, g2248, samegame];

export const gameNamed = (name: string): OfferedGame | undefined =>
  games.find((game) => game.name === name);

const registry = createRegistry(
  ResignedSchema,
  UndoneSchema,
  GridViewSchema,
  GridEventSchema,
  ...games.flatMap((game) => game.messages),
);

/** The message inside an Any; undefined for one that this page does not know. */
export const unpack = (any: Any | undefined): Message | undefined =>
  any && anyUnpack(any, registry);

/** As a table looks them up: a game that has no line here is shown as the grid that it sends. */
export const knownGames = {
  named: (name: string): DrawnGame => gameNamed(name) ?? anyGrid(name),
  unpack,
} satisfies Games;
