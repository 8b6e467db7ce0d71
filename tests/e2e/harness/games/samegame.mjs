import { SameGameConfigSchema, SameGameMoveSchema } from '../../gen/tesela/game/v1/samegame_pb.js';
import { pack } from '../stream.mjs';

export const schema = SameGameConfigSchema;
export const game = {
  seats: 1,
  config: pack(schema, { rows: 8, columns: 8, colours: 3 }),
  choose: (view, n) =>
    pack(SameGameMoveSchema, { cell: view.groups[n % view.groups.length].cells[0] }),
};
