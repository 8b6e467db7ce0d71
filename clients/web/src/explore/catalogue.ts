// The contract as the explorer shows it; scripts/catalogue.mjs writes it down.
import { catalogue } from '../gen/catalogue.js';

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type Fields = { [name: string]: Json };

export interface Field {
  /** As in JSON. */
  name: string;
  /** As in .proto files: "uint32", "enum", "message". */
  type: string;
  /** The name of the enum or message. */
  of?: string;
  repeated?: boolean;
  /** A scalar whose default differs from being unset. */
  optional?: boolean;
  /** Of the fields with the same name here one is set at most. */
  oneof?: string;
  comment: string;
}

export interface Method {
  name: string;
  comment: string;
  input: string;
  output: string;
  /** Answers come one after the other. */
  streams: boolean;
  /** The caller sends several messages too, which HTTP does not carry. */
  grpcOnly?: boolean;
}

export interface Service {
  name: string;
  comment: string;
  methods: Method[];
}

export interface Catalogue {
  services: Service[];
  messages: Record<string, Field[]>;
  enums: Record<string, { name: string; comment: string }[]>;
  /** Where services and messages are in generated code: "lobby/v1/lobby". */
  modules: Record<string, string>;
}

export const { services } = catalogue;

/** None for messages of Google's, such as Timestamp. */
export const fieldsOf = (message = ''): Field[] => catalogue.messages[message] ?? [];

export const valuesOf = (name = '') => catalogue.enums[name] ?? [];

export const MESSAGES = Object.keys(catalogue.messages);

export const moduleOf = (name: string): string => catalogue.modules[name] ?? '';

export const ANY = 'google.protobuf.Any';

/** The messages that may be in an Any, by the example of its comment: all configurations of games,
 *  moves, or views. */
export function insidesOf({ comment }: Field): string[] {
  const kind = /tesela\.game\.v1\.\w*?([A-Z][a-z]+)\b/.exec(comment)?.[1] ?? '';
  const games = MESSAGES.filter(
    (name) => name.startsWith('tesela.game.v1.') && name.endsWith(kind),
  );
  // Moves of no game.
  return kind === 'Move' ? [...games, 'tesela.play.v1.Resign', 'tesela.play.v1.Undo'] : games;
}

export const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

export const pathOf = (service: Service, method: Method): string =>
  `${service.name}/${method.name}`;

export function methodAt(path: string): { service: Service; method: Method } | undefined {
  const [name, called] = path.split('/');
  const service = services.find((each) => each.name === name);
  const method = service?.methods.find((each) => each.name === called);
  return service && method && { service, method };
}
