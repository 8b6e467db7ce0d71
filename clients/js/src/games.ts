// The games that this client knows: one line each. Of any other game the server tells the grid.
import {
  create,
  createRegistry,
  fromBinary,
  type DescMessage,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import { anyPack, anyUnpack, type Any } from '@bufbuild/protobuf/wkt';
import { ResignedSchema, UndoneSchema } from './gen/tesela/play/v1/course_pb.js';
import * as shipped from './shipped.js';

/** The names of the games with types of their own. */
export type GameName = keyof typeof shipped;

/** A game's messages are named alike: AzulConfig, AzulMove, AzulView, AzulEvent. */
type Part = 'Config' | 'Move' | 'View' | 'Event';
type PrefixOf<Module> = {
  [Key in keyof Module]: Key extends `${infer Prefix}ConfigSchema` ? Prefix : never;
}[keyof Module];
type Of<Name extends string, Which extends Part> = Name extends GameName
  ? Extract<
      (typeof shipped)[Name][`${PrefixOf<(typeof shipped)[Name]>}${Which}Schema` &
        keyof (typeof shipped)[Name]],
      DescMessage
    >
  : DescMessage;

/** What a table is made with. */
export type ConfigOf<Name extends string> = MessageInitShape<Of<Name, 'Config'>>;
/** A move, by its fields. */
export type MoveOf<Name extends string> = MessageInitShape<Of<Name, 'Move'>>;
/** Everything that a player may see. */
export type ViewOf<Name extends string> = MessageShape<Of<Name, 'View'>>;
/** A move that was played, with its stages and the position after it. */
export type EventOf<Name extends string> = MessageShape<Of<Name, 'Event'>>;
/** What happens in a move, step by step. */
export type StageOf<Name extends string> =
  EventOf<Name> extends { stages: (infer Stage)[] } ? Stage : never;

const schemas = Object.values(shipped).flatMap((module) =>
  Object.values(module).filter((each) => 'kind' in each && each.kind === 'message'),
);
const registry = createRegistry(ResignedSchema, UndoneSchema, ...schemas);

/** The schema of one of the messages of a game; undefined of a game that is not known here. */
function schemaOf(game: string, part: Part): DescMessage | undefined {
  const module: Readonly<Record<string, unknown>> =
    game in shipped ? shipped[game as GameName] : {};
  const config = Object.keys(module).find((key) => key.endsWith('ConfigSchema'));
  return config === undefined ? undefined : (module[config.replace('Config', part)] as DescMessage);
}

/** The message inside an Any; undefined for one that this client does not know. */
export const unpack = (any: Any | undefined): Message | undefined =>
  any && anyUnpack(any, registry);

/** The Any of a message of a game. Throws a TypeError for a game that this client does not know:
 *  such a message is packed by its caller. */
export function packed(game: string, part: 'Config' | 'Move', fields: object): Any {
  if ('$typeName' in fields && fields.$typeName === 'google.protobuf.Any') return fields as Any;
  const schema = schemaOf(game, part);
  if (!schema) {
    const what = part.toLowerCase();
    throw new TypeError(`This client does not know ${game}: pass its ${what} as an Any.`);
  }
  return anyPack(schema, create(schema, fields as Record<string, unknown>));
}

/** How many seats a configuration gives a game: what its field `players` says, else two where it
 *  has that field, else one. */
export function seatsOf(game: string, config: Uint8Array): number {
  const schema = schemaOf(game, 'Config');
  if (!schema?.field.players) return 1;
  const { players } = fromBinary(schema, config) as { players?: number };
  return players ?? 2;
}
