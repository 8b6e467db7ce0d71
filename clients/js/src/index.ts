// What a program that plays on a Tesela server needs.
export { backoffMs } from './back_off.js';
export {
  packed,
  unpack,
  type ConfigOf,
  type EventOf,
  type GameName,
  type MoveOf,
  type StageOf,
  type ViewOf,
} from './games.js';
export { LIMITS, type Limits } from './limits.js';
export { pack } from './pack.js';
export * from './proof.js';
export { detailOf, Refused } from './refused.js';
export { type Player, type Store } from './session.js';
export {
  SUB_PROTOCOL,
  TableStream,
  type Link,
  type MoveInFlight,
  type Observer,
  type Returned,
  type StreamOptions,
} from './stream.js';
export { Table, type Change, type TableOptions } from './table.js';
export {
  Tesela,
  type ConnectOptions,
  type CreateOptions,
  type FindOptions,
  type Level,
} from './tesela.js';
