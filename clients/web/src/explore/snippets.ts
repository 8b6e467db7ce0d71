// A call as a program makes it. The token comes from the environment: TESELA_TOKEN.
import { lastOf, moduleOf, type Method, type Service } from './catalogue.js';

export interface Call {
  /** The server's address. */
  url: string;
  service: Service;
  method: Method;
  request: string;
  signedIn: boolean;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;

/** Without the white space of the editor; what is no JSON stays as it is. */
function compact(request: string): string {
  try {
    return JSON.stringify(JSON.parse(request));
  } catch {
    return request;
  }
}

export function curl({ url, service, method, request, signedIn }: Call): string {
  const body = compact(request);
  const length = new TextEncoder().encode(body).length;
  const head = [0, length >> 24, length >> 16, length >> 8, length].map((byte) => byte & 255);
  const type = method.streams ? 'application/connect+json' : 'application/json';
  return [
    ...(method.streams ? [`printf '${head.map(octal).join('')}%s' ${quoted(body)} |`] : []),
    `curl -s${method.streams ? 'N --output -' : ''} ${url}/${service.name}/${method.name} \\`,
    `  -H 'content-type: ${type}' \\`,
    ...(signedIn ? ['  -H "authorization: Bearer $TESELA_TOKEN" \\'] : []),
    method.streams ? '  --data-binary @-' : `  -d ${quoted(body)}`,
  ].join('\n');
}

/** The imports of names from the modules that they are in: one line a module. */
function imports(
  names: [full: string, local: string][],
  line: (module: string, names: string) => string,
) {
  const modules = [...new Set(names.map(([full]) => moduleOf(full)))];
  return modules.map((module) => {
    const here = names.filter(([full]) => moduleOf(full) === module);
    return line(module, here.map(([, local]) => local).join(', '));
  });
}

/** The messages inside Anys, which JSON can be read with only where they are known. */
const insides = (request: string): string[] => [
  ...new Set(
    [...request.matchAll(/type\.googleapis\.com\/(tesela[\w.]+)/g)].map(([, name]) => name!),
  ),
];

export function typeScript({ url, service, method, request, signedIn }: Call): string {
  const [name, input] = [lastOf(service.name), lastOf(method.input)];
  const files = [...new Set(insides(request).map(moduleOf))].filter(Boolean);
  const fileOf = (module: string) => `file_tesela_${module.replaceAll('/', '_')}`;
  const called = `client.${method.name[0]!.toLowerCase()}${method.name.slice(1)}`;
  const known = files.length > 0 ? ', { registry }' : '';
  const call = `${called}(request${signedIn ? ', { headers }' : ''})`;
  return [
    `import { ${files.length > 0 ? 'createRegistry, ' : ''}fromJson } from '@bufbuild/protobuf';`,
    "import { createClient } from '@connectrpc/connect';",
    "import { createConnectTransport } from '@connectrpc/connect-web';",
    ...imports(
      [
        [service.name, name],
        [method.input, `${input}Schema`],
      ],
      (module, names) => `import { ${names} } from '@tesela/client/gen/${module}_pb.js';`,
    ),
    ...files.map((at) => `import { ${fileOf(at)} } from '@tesela/client/gen/${at}_pb.js';`),
    '',
    `const transport = createConnectTransport({ baseUrl: '${url}', useBinaryFormat: true });`,
    `const client = createClient(${name}, transport);`,
    ...(signedIn
      ? ['const headers = { authorization: `Bearer ${process.env.TESELA_TOKEN}` };']
      : []),
    ...(files.length > 0
      ? [`const registry = createRegistry(${files.map(fileOf).join(', ')});`]
      : []),
    `const request = fromJson(${input}Schema, ${request.trim()}${known});`,
    ...(method.streams
      ? [`for await (const answer of ${call}) console.dir(answer, { depth: null });`]
      : [`console.dir(await ${call}, { depth: null });`]),
  ].join('\n');
}

export function python({ url, service, method, request, signedIn }: Call): string {
  const [input, output] = [lastOf(method.input), lastOf(method.output)];
  const call = method.streams ? 'server_stream' : 'unary';
  const heard = method.streams ? ', lambda _: None' : '';
  const args = `http, URL, headers, aiohttp.ClientTimeout(), request, ${output}${heard}`;
  return [
    'import asyncio',
    ...(signedIn ? ['import os'] : []),
    '',
    'import aiohttp',
    'from google.protobuf.json_format import MessageToJson, Parse',
    `from tesela.connect_protocol import ${call}`,
    ...imports(
      [
        [method.input, input],
        [method.output, output],
      ],
      (module, names) => `from tesela.${module.replaceAll('/', '.')}_pb2 import ${names}`,
    ),
    '',
    `URL = "${url}/${service.name}/${method.name}"`,
    '',
    '',
    'async def main() -> None:',
    signedIn
      ? `    headers = {"authorization": f"Bearer {os.environ['TESELA_TOKEN']}"}`
      : '    headers: dict[str, str] = {}',
    `    request = Parse(r"""${request.trim()}""", ${input}())`,
    '    async with aiohttp.ClientSession() as http:',
    ...(method.streams
      ? [
          `        async for answer in ${call}(${args}):`,
          '            print(MessageToJson(answer))',
        ]
      : [`        print(MessageToJson(await ${call}(${args})))`]),
    '',
    '',
    'asyncio.run(main())',
  ].join('\n');
}
