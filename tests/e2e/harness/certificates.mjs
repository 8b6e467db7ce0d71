// Certificates for tests, made by openssl.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from './server.mjs';

/** Makes FOLDER/NAME.crt and NAME.key, self-signed for loopback: { certificate, key } as paths. */
export async function makeCertificate(folder, name) {
  const files = {
    certificate: path.join(folder, `${name}.crt`),
    key: path.join(folder, `${name}.key`),
  };
  const { code, stderr } = await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'],
    ...['-days', '2', '-subj', `/CN=${name}`],
    ...['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
    ...['-keyout', files.key, '-out', files.certificate],
  ]);
  assert.equal(code, 0, stderr);
  return files;
}

/** The SHA-256 fingerprint of a certificate file, as TLS sockets tell it. */
export async function fingerprint(file) {
  return new X509Certificate(await readFile(file)).fingerprint256;
}
