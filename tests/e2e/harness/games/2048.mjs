import { Game2048ConfigSchema } from '../../gen/tesela/game/v1/g2048_pb.js';
import { moveBody, pack } from '../stream.mjs';

export const schema = Game2048ConfigSchema;
export const game = {
  seats: 1,
  config: pack(schema, { size: 3 }),
  choose: (view, n) => moveBody(view.legal[n % view.legal.length]),
};
