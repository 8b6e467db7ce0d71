// The games this page can show: one line a game.
import { anyUnpack, type Any } from '@bufbuild/protobuf/wkt';
import { createRegistry, type Message } from '@bufbuild/protobuf';
import { g2048 } from './g2048/index.js';
import type { Game } from './game.js';

export const games: readonly Game[] = [g2048];

export const gameNamed = (name: string): Game | undefined =>
  games.find((game) => game.name === name);

const registry = createRegistry(...games.flatMap((game) => game.messages));

/** The message inside an Any; undefined for one that this page does not know. */
export const unpack = (any: Any | undefined): Message | undefined =>
  any && anyUnpack(any, registry);
