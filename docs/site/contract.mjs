// The contract as data: what proto/ declares, with its comments.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fromBinary } from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorSetSchema,
  MethodOptions_IdempotencyLevel as IdempotencyLevel,
} from '@bufbuild/protobuf/wkt';

export const root = path.resolve(import.meta.dirname, '../..');

/** What only servers of one database, and the log, say to each other. */
export const internal = ['tesela.node.v1', 'tesela.log.v1'];

// Numbers of the fields of google/protobuf/descriptor.proto, by which comments are found.
const fileField = { package: 2, messages: 4, enums: 5, services: 6 };
const messageField = { fields: 2, nested: 3, enums: 4, oneofs: 8 };
const firstOf = { enum: 2, service: 2 };

function readDescriptors(protos) {
  const folder = mkdtempSync(path.join(tmpdir(), 'tesela-docs-'));
  const out = path.join(folder, 'set');
  const options = ['--include_source_info', '--include_imports', `--descriptor_set_out=${out}`];
  try {
    execFileSync('protoc', ['-I', 'proto', ...options, ...protos], { cwd: root });
    return fromBinary(FileDescriptorSetSchema, readFileSync(out));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One file: { name, package, comment, services, messages, enums }, nested types beside theirs. */
function readFile(file) {
  const comments = new Map(
    file.sourceCodeInfo.location.map(({ path: at, leadingComments }) => [
      at.join('.'),
      leadingComments.replace(/^ /gm, '').trim(),
    ]),
  );
  const commentAt = (...at) => comments.get(at.join('.')) ?? '';
  const found = { services: [], messages: [], enums: [] };
  const named = (scope, name) => ({
    name: `${scope}${name}`,
    fullName: `${file.package}.${scope}${name}`,
  });

  function addEnum(type, scope, ...at) {
    const values = type.value.map(({ name, number }, index) => {
      return { name, number, comment: commentAt(...at, firstOf.enum, index) };
    });
    found.enums.push({ ...named(scope, type.name), comment: commentAt(...at), values });
  }

  function addMessage(type, scope, ...at) {
    const oneofs = type.oneofDecl.map(({ name }, index) => {
      return { name, comment: commentAt(...at, messageField.oneofs, index) };
    });
    const fields = type.field.map((field, index) => ({
      name: field.name,
      jsonName: field.jsonName,
      number: field.number,
      type: Type[field.type].toLowerCase(),
      typeName: field.typeName.replace(/^\./, ''),
      repeated: field.label === Label.REPEATED,
      optional: field.proto3Optional,
      // A field of no oneof inherits the index 0.
      oneof:
        Object.hasOwn(field, 'oneofIndex') && !field.proto3Optional
          ? oneofs[field.oneofIndex].name
          : undefined,
      comment: commentAt(...at, messageField.fields, index),
    }));
    const real = oneofs.filter(({ name }) => fields.some(({ oneof }) => oneof === name));
    const comment = commentAt(...at);
    found.messages.push({ ...named(scope, type.name), comment, fields, oneofs: real });
    const inner = `${scope}${type.name}.`;
    type.nestedType.forEach((one, index) => {
      if (one.options?.mapEntry) throw new Error(`${type.name}: maps are not described here`);
      addMessage(one, inner, ...at, messageField.nested, index);
    });
    type.enumType.forEach((one, index) => addEnum(one, inner, ...at, messageField.enums, index));
  }

  file.messageType.forEach((type, index) => addMessage(type, '', fileField.messages, index));
  file.enumType.forEach((type, index) => addEnum(type, '', fileField.enums, index));
  file.service.forEach((service, index) => {
    const methods = service.method.map((method, at) => ({
      name: method.name,
      path: `/${file.package}.${service.name}/${method.name}`,
      input: method.inputType.slice(1),
      output: method.outputType.slice(1),
      streams: method.serverStreaming || method.clientStreaming,
      asks: method.clientStreaming ? 'stream of ' : '',
      answers: method.serverStreaming ? 'stream of ' : '',
      byGet: method.options?.idempotencyLevel === IdempotencyLevel.NO_SIDE_EFFECTS,
      comment: commentAt(fileField.services, index, firstOf.service, at),
    }));
    const comment = commentAt(fileField.services, index);
    found.services.push({ ...named('', service.name), comment, methods });
  });
  return {
    name: file.name,
    package: file.package,
    comment: commentAt(fileField.package),
    ...found,
  };
}

/** All files of proto/, in the order of their names. */
export function readContract() {
  const listed = execFileSync('git', ['ls-files', 'proto/*.proto'], {
    cwd: root,
    encoding: 'utf8',
  });
  const protos = listed
    .trim()
    .split('\n')
    .map((file) => file.replace(/^proto\//, ''));
  const files = readDescriptors(protos).file.filter(({ name }) => protos.includes(name));
  return files.map(readFile).sort((one, other) => (one.name < other.name ? -1 : 1));
}
