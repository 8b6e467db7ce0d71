// The games this page can show: one line a game.
import { anyUnpack, type Any } from '@bufbuild/protobuf/wkt';
import { createRegistry, type Message } from '@bufbuild/protobuf';
import { azul } from './azul/index.js';
import { g2048 } from './g2048/index.js';
import { g2248 } from './g2248/index.js';
import { samegame } from './samegame/index.js';
import { ResignedSchema, UndoneSchema } from '../gen/tesela/play/v1/course_pb.js';
import type { Game, Games } from '../table/game.js';

export const games: readonly Game[] = [azul, g2048, g2248, samegame];

export const gameNamed = (name: string): Game | undefined =>
  games.find((game) => game.name === name);

const registry = createRegistry(
  ResignedSchema,
  UndoneSchema,
  ...games.flatMap((game) => game.messages),
);

/** The message inside an Any; undefined for one that this page does not know. */
export const unpack = (any: Any | undefined): Message | undefined =>
  any && anyUnpack(any, registry);

/** As a table looks them up. */
export const knownGames: Games = { named: gameNamed, unpack };
