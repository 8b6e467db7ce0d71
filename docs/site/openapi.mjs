// OpenAPI 3.1 of the calls over the Connect protocol in JSON, and of all public messages.
import { internal } from './contract.mjs';

const whole = { type: 'string', pattern: '^-?[0-9]+$' };
const real = { anyOf: [{ type: 'number' }, { enum: ['NaN', 'Infinity', '-Infinity'] }] };
const scalars = {
  bool: { type: 'boolean' },
  string: { type: 'string' },
  bytes: { type: 'string', contentEncoding: 'base64' },
  double: real,
  float: real,
  int32: { type: 'integer', format: 'int32' },
  sint32: { type: 'integer', format: 'int32' },
  sfixed32: { type: 'integer', format: 'int32' },
  uint32: { type: 'integer', minimum: 0, maximum: 2 ** 32 - 1 },
  fixed32: { type: 'integer', minimum: 0, maximum: 2 ** 32 - 1 },
  int64: whole,
  sint64: whole,
  sfixed64: whole,
  uint64: { ...whole, pattern: '^[0-9]+$' },
  fixed64: { ...whole, pattern: '^[0-9]+$' },
};

// Messages with a JSON form of their own.
const wellKnown = {
  'google.protobuf.Timestamp': { type: 'string', format: 'date-time' },
  'google.protobuf.Duration': { type: 'string', pattern: '^-?[0-9]+(\\.[0-9]{1,9})?s$' },
  'google.protobuf.Any': {
    type: 'object',
    description:
      'A message and, as @type, its name behind "type.googleapis.com/": such as one of ' +
      'tesela.game.v1, whose fields are those of the schema of that name.',
    required: ['@type'],
    properties: { '@type': { type: 'string', pattern: '^type\\.googleapis\\.com/.+' } },
  },
};

const codes =
  'canceled unknown invalid_argument deadline_exceeded not_found already_exists ' +
  'permission_denied resource_exhausted failed_precondition aborted out_of_range unimplemented ' +
  'internal unavailable data_loss unauthenticated';
const error = {
  type: 'object',
  description: 'A call that was refused, by the Connect protocol.',
  required: ['code'],
  properties: {
    code: { enum: codes.split(' ') },
    message: { type: 'string', description: 'A sentence that a player understands.' },
    details: {
      type: 'array',
      items: {
        type: 'object',
        required: ['type', 'value'],
        properties: {
          type: { type: 'string', description: 'Such as google.rpc.ErrorInfo.' },
          value: { type: 'string', description: 'The message, in base 64 without padding.' },
          debug: { type: 'object', description: 'The message, in JSON.' },
        },
      },
    },
  },
};

const reference = (name) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema) => ({ 'application/json': { schema } });

function schemaOfField({ type, typeName, repeated, comment }) {
  const one = scalars[type] ?? reference(typeName);
  return { ...(repeated ? { type: 'array', items: one } : one), description: comment };
}

/** At most one of the fields of a oneof. */
function atMostOne({ name }, fields) {
  const members = fields.filter(({ oneof }) => oneof === name);
  const given = members.map(({ jsonName }) => ({ required: [jsonName] }));
  return { oneOf: [...given, { not: { anyOf: given } }] };
}

function schemaOfMessage({ comment, fields, oneofs }, isRequest) {
  return {
    type: 'object',
    description: comment,
    properties: Object.fromEntries(fields.map((field) => [field.jsonName, schemaOfField(field)])),
    ...(oneofs.length > 0 && { allOf: oneofs.map((oneof) => atMostOne(oneof, fields)) }),
    // A server refuses fields that it does not know; its answers may get new ones.
    ...(isRequest && { additionalProperties: false }),
  };
}

function schemaOfEnum({ comment, values }) {
  const meanings = values.map(({ name, comment: meaning }) => `- ${name}: ${meaning}`);
  return {
    enum: values.map(({ name }) => name),
    description: [comment, '', ...meanings].join('\n'),
  };
}

function securityOf(service, { name, comment }) {
  if (service.fullName.startsWith('tesela.admin.')) return [{ operator: [] }];
  const [every, but] = /Every method(?: but (\w+))? needs a token/.exec(service.comment) ?? [];
  const needs = (every && but !== name) || /\bNeeds a token\b/.test(comment);
  return needs ? [{ player: [] }] : [{}, { player: [] }];
}

function operationOf(service, method) {
  return {
    operationId: `${service.name}.${method.name}`,
    tags: [service.name],
    summary: method.comment.split(/\.\s/)[0].replace(/\s+/g, ' ').replace(/\.$/, ''),
    description: method.comment,
    security: securityOf(service, method),
    requestBody: { required: true, content: json(reference(method.input)) },
    responses: {
      200: { description: 'Done.', content: json(reference(method.output)) },
      default: { description: 'Refused.', content: json(reference('connect.Error')) },
    },
  };
}

/** The same call by GET: the request is a parameter. */
function operationByGet(service, method) {
  const { requestBody, ...operation } = operationOf(service, method);
  const inQuery = (name, more) => ({ name, in: 'query', required: true, ...more });
  return {
    ...operation,
    operationId: `${operation.operationId}.get`,
    parameters: [
      inQuery('encoding', { schema: { const: 'json' } }),
      inQuery('message', { content: requestBody.content }),
    ],
    responses: {
      ...operation.responses,
      304: { description: 'As the entity tag in If-None-Match says.' },
    },
  };
}

export function openApiOf(files, version) {
  const open = files.filter((file) => !internal.includes(file.package));
  const services = open
    .flatMap((file) => file.services)
    .filter(({ name }) => name !== 'BotService');
  const calls = services.flatMap((service) =>
    service.methods.filter(({ streams }) => !streams).map((method) => ({ service, method })),
  );
  const requests = new Set(calls.map(({ method }) => method.input));
  const messages = open.flatMap((file) => file.messages);
  const token = { type: 'http', scheme: 'bearer' };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tesela',
      version,
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      description: 'The calls over the Connect protocol in JSON. Streams are in the reference.',
    },
    servers: [{ url: 'http://localhost:8080' }],
    tags: services.map(({ name, comment }) => ({ name, description: comment })),
    paths: Object.fromEntries(
      calls.map(({ service, method }) => [
        method.path,
        {
          post: operationOf(service, method),
          ...(method.byGet && { get: operationByGet(service, method) }),
        },
      ]),
    ),
    components: {
      securitySchemes: {
        player: { ...token, description: 'The token of LobbyService.SignIn.' },
        operator: { ...token, description: 'The admin token, or that of an operator.' },
      },
      schemas: {
        'connect.Error': error,
        ...wellKnown,
        ...Object.fromEntries([
          ...messages.map((one) => [
            one.fullName,
            schemaOfMessage(one, requests.has(one.fullName)),
          ]),
          ...open.flatMap((file) => file.enums).map((one) => [one.fullName, schemaOfEnum(one)]),
        ]),
      },
    },
  };
}
