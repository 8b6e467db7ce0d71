// A real provider of OpenID Connect on this machine: oidc-provider, which is certified.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';

const keysOf = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
};

export class TestProvider {
  #port;
  client;
  #server;
  #handle;
  #rotations = 0;
  /** What it knows of players, whatever its keys are. */
  #memory = createMemoryAdapter();

  constructor(port) {
    this.#port = port;
    this.issuer = `http://localhost:${port}`;
  }

  /** Knows the client from now on, and signs with a first key. */
  async start(client) {
    this.client = client;
    this.rotate('ES256');
    this.#server = createServer((request, response) => this.#handle(request, response));
    await once(this.#server.listen(this.#port), 'listening');
  }

  /** Replaces its key by another one; what players have begun goes on. */
  rotate(algorithm) {
    const kid = `key-${++this.#rotations}`;
    const key = { ...keysOf[algorithm]().privateKey.export({ format: 'jwk' }), kid, use: 'sig' };
    const provider = new Provider(this.issuer, {
      clients: [{ ...this.client, id_token_signed_response_alg: algorithm }],
      jwks: { keys: [key] },
      adapter: this.#memory,
      cookies: { keys: ['of this test'] },
    });
    this.#handle = provider.callback();
  }

  async stop() {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }
}

/** Signs in on its page, as anybody, and agrees. `before` runs when one click is left. */
export async function signInThere(page, login, before = () => {}) {
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  const agree = page.getByRole('button', { name: 'Continue' });
  await agree.waitFor();
  await before();
  await agree.click();
}
