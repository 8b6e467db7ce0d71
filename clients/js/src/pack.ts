// A message of a game on its way to the server.
import { create, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { anyPack, type Any } from '@bufbuild/protobuf/wkt';

export const pack = <Schema extends DescMessage>(
  schema: Schema,
  fields: MessageInitShape<Schema>,
): Any => anyPack(schema, create(schema, fields));
