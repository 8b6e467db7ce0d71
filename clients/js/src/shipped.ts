// The games that this client knows, one line each: the messages of `name` in the protocol.
export * as azul from './gen/tesela/game/v1/azul_pb.js';
export * as '2048' from './gen/tesela/game/v1/g2048_pb.js';
export * as '2248' from './gen/tesela/game/v1/g2248_pb.js';
export * as samegame from './gen/tesela/game/v1/samegame_pb.js';
