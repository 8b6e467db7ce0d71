// Details of errors, which travel in protobuf: those of google.rpc that are of use to authors.
import { base64Decode, BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import type { Fields } from './catalogue.js';

/** A field's name by its number, and the fields of the message that it holds. */
type Shape = Record<number, string | [name: string, inside: Shape]>;

const SHAPES: Record<string, Shape> = {
  'google.rpc.ErrorInfo': { 1: 'reason', 2: 'domain', 3: ['metadata', { 1: 'key', 2: 'value' }] },
  'google.rpc.RequestInfo': { 1: 'requestId', 2: 'servingData' },
  'google.rpc.RetryInfo': { 1: ['retryDelay', { 1: 'seconds', 2: 'nanos' }] },
  'google.rpc.BadRequest': { 1: ['fieldViolations', { 1: 'field', 2: 'description' }] },
};

function read(reader: BinaryReader, end: number, shape: Shape): Fields {
  const fields: Fields = {};
  while (reader.pos < end) {
    const [number, wire] = reader.tag();
    const known = shape[number];
    if (known === undefined) reader.skip(wire, number);
    else if (wire === WireType.Varint) fields[String(known)] = Number(reader.int64());
    else if (typeof known === 'string') fields[known] = reader.string();
    else {
      const [name, inside] = known;
      const length = reader.uint32();
      const value = read(reader, reader.pos + length, inside);
      const before = fields[name];
      fields[name] = name.endsWith('s') ? [...(Array.isArray(before) ? before : []), value] : value;
    }
  }
  return fields;
}

export interface Detail {
  type: string;
  value: string;
}

/** What a detail says, undefined where its type is not known or its bytes cannot be read. */
export function decoded({ type, value }: Detail): Fields | undefined {
  const shape = SHAPES[type];
  if (!shape) return undefined;
  try {
    const bytes = base64Decode(value);
    return read(new BinaryReader(bytes), bytes.length, shape);
  } catch {
    return undefined;
  }
}
