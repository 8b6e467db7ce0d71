// Writes FILE.br and FILE.gz beside every file of a folder that gets smaller by it: the server
// sends those to browsers that accept them and compresses nothing itself.
import { readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt', '.webmanifest']);
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
const GZIP = { level: constants.Z_BEST_COMPRESSION };

async function* filesBelow(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

async function writeIfSmaller(path, original, compressed) {
  if (compressed.length < original.length) await writeFile(path, compressed);
  else await unlink(path).catch(() => {});
}

const folder = process.argv[2];
if (!folder || !(await stat(folder)).isDirectory())
  throw new Error('usage: precompress.mjs FOLDER');

let plain = 0;
let brotli = 0;
for await (const path of filesBelow(folder)) {
  if (!COMPRESSIBLE.has(extname(path))) continue;
  const original = await readFile(path);
  const br = await promisify(brotliCompress)(original, BROTLI);
  const gz = await promisify(gzip)(original, GZIP);
  await writeIfSmaller(`${path}.br`, original, br);
  await writeIfSmaller(`${path}.gz`, original, gz);
  plain += original.length;
  brotli += Math.min(br.length, original.length);
}
console.log(`precompressed ${folder}: ${plain} bytes of text, ${brotli} as brotli`);
