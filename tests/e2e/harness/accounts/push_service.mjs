// A push service (RFC 8030) and the devices that are subscribed at it, which decrypt what comes.
import assert from 'node:assert/strict';
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeCertificate } from '../certificates.mjs';
import { freePort } from '../server.mjs';
import { until } from '../until.mjs';

const fromBase64 = (text) => Buffer.from(text, 'base64url');

/** What a browser has of its subscription. */
class Device {
  #keys = createECDH('prime256v1');
  #auth = randomBytes(16);
  #read = 0;
  /** Every try to reach it: { status, headers, push }, `push` decrypted. */
  tries = [];

  constructor(endpoint) {
    this.endpoint = endpoint;
    this.#keys.generateKeys();
  }

  /** The request of Subscribe. */
  get subscription() {
    return { endpoint: this.endpoint, p256dh: this.#keys.getPublicKey(), auth: this.#auth };
  }

  /** RFC 8291, in the coding of RFC 8188. */
  decrypt(body) {
    const salt = body.subarray(0, 16);
    const sender = body.subarray(21, 21 + body[20]);
    const sealed = body.subarray(21 + body[20]);
    const derive = (secret, by, info, size) =>
      Buffer.from(hkdfSync('sha256', secret, by, info, size));
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#keys.getPublicKey(), sender]);
    const secret = derive(this.#keys.computeSecret(sender), this.#auth, info, 32);
    const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
    const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
    const cipher = createDecipheriv('aes-128-gcm', key, nonce);
    cipher.setAuthTag(sealed.subarray(-16));
    const text = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
    assert.equal(text.at(-1), 2, 'one record');
    return JSON.parse(text.subarray(0, -1));
  }

  get #accepted() {
    return this.tries.filter(({ status }) => status === 201);
  }

  /** The next push that it gets. */
  async next() {
    await until(() => this.#accepted.length > this.#read, 'a push');
    return this.#accepted[this.#read++].push;
  }

  /** Nothing comes in a time in which it would. */
  async assertSilent() {
    await sleep(2500);
    assert.deepEqual(this.#accepted.slice(this.#read), []);
  }
}

export class PushService {
  #server;
  #folder;
  #devices = new Map();
  /** The status of every answer. */
  status = 201;
  /** The key of the last server that has come, as GetPushKey says it. */
  key = undefined;

  /**
   * Starts one at https://localhost. Servers that are started from then on trust it, by
   * SSL_CERT_FILE; give them its `options`.
   */
  static async start() {
    const service = new PushService();
    service.#folder = await mkdtemp(path.join(tmpdir(), 'tesela-push-'));
    const { certificate, key } = await makeCertificate(service.#folder, 'push');
    process.env.SSL_CERT_FILE = certificate;
    service.#server = createServer(
      { cert: await readFile(certificate), key: await readFile(key) },
      (request, response) => service.#answer(request, response),
    );
    service.port = await freePort();
    await once(service.#server.listen(service.port), 'listening');
    return service;
  }

  options = ['--push-hosts', 'localhost,*.push.example'];

  get origin() {
    return `https://localhost:${this.port}`;
  }

  /** A device that is subscribed here: call Subscribe with its `subscription`. */
  device() {
    const device = new Device(`${this.origin}/send/${randomBytes(8).toString('hex')}`);
    this.#devices.set(device.endpoint, device);
    return device;
  }

  /** RFC 8292. */
  #checkVapid({ authorization }) {
    const [, token, key] = /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), k=([\w-]+)$/.exec(authorization);
    this.key = fromBase64(key);
    const [header, claims, signature] = token.split('.');
    const [x, y] = [this.key.subarray(1, 33), this.key.subarray(33)];
    const jwk = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') };
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    const signed = Buffer.from(`${header}.${claims}`);
    const asInJwt = { key: publicKey, dsaEncoding: 'ieee-p1363' };
    assert.ok(verify('sha256', signed, asInJwt, fromBase64(signature)));
    const { aud, exp } = JSON.parse(fromBase64(claims));
    assert.equal(aud, this.origin);
    const left = exp - Date.now() / 1000;
    assert.ok(left > 0 && left <= 86_400);
  }

  async #answer(request, response) {
    const body = await buffer(request);
    const { headers, method, url } = request;
    const device = this.#devices.get(this.origin + url);
    try {
      assert.ok(device && method === 'POST');
      this.#checkVapid(headers);
      const push = device.decrypt(body);
      device.tries.push({ status: this.status, headers, push });
      response.writeHead(this.status).end();
    } catch (error) {
      device?.tries.push({ status: 400, headers, error });
      response.writeHead(400).end(String(error));
    }
  }

  async dispose() {
    this.#server.closeAllConnections();
    this.#server.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
