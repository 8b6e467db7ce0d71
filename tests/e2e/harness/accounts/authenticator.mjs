// A passkey as browsers and security keys make it (Web Authentication), by Node's cryptography.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (data) => createHash('sha256').update(data).digest();

/** Who was there, and what the data hold: flags of authenticator data. */
const userPresent = 0x01;
const userVerified = 0x04;
const hasCredential = 0x40;

const clientDataOf = (fields) => Buffer.from(JSON.stringify(fields));

/** Each algorithm: new keys, the public one as CBOR (COSE), and the hash that is signed. */
const algorithms = {
  ES256: {
    keys: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    cose: ({ x, y }) => ['a5010203262001215820', x, '225820', y],
    hash: 'sha256',
  },
  EdDSA: {
    keys: () => generateKeyPairSync('ed25519'),
    cose: ({ x }) => ['a4010103272006215820', x],
    hash: null,
  },
  RS256: {
    keys: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    cose: ({ n }) => ['a401030339010020590100', n, '2143010001'],
    hash: 'sha256',
  },
};

/** Hexadecimal digits and numbers of a JSON Web Key in turn, as bytes. */
const bytesOf = (parts) =>
  Buffer.concat(parts.map((part, at) => Buffer.from(part, at % 2 === 0 ? 'hex' : 'base64url')));

export class Passkey {
  #algorithm;
  #keys;
  id = randomBytes(32);
  /** The signature counter; it stays 0 in most passkeys that are synchronised. */
  uses = 0;

  /** It is used on the page `origin`. */
  constructor(origin, algorithm = 'ES256') {
    this.origin = origin;
    this.#algorithm = algorithms[algorithm];
    this.#keys = this.#algorithm.keys();
  }

  #authenticatorData(rpId, flags, credential = Buffer.alloc(0)) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.uses);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, credential]);
  }

  /**
   * What AddPasskey takes, from what BeginPasskey has said. `changed` has other fields of the
   * client data, the `site` of another relying party, or `flags`.
   */
  make({ challenge, rpId, userHandle }, changed = {}) {
    this.userHandle = userHandle;
    const { flags = userPresent | userVerified | hasCredential, site = rpId, ...fields } = changed;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const key = bytesOf(this.#algorithm.cose(this.#keys.publicKey.export({ format: 'jwk' })));
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, key]);
    return {
      clientDataJson: clientDataOf({
        type: 'webauthn.create',
        challenge: Buffer.from(challenge).toString('base64url'),
        origin: this.origin,
        crossOrigin: false,
        ...fields,
      }),
      authenticatorData: this.#authenticatorData(site, flags, credential),
    };
  }

  /** What SignInWithPasskey takes, likewise. */
  sign({ challenge, rpId }, changed = {}) {
    const { flags = userPresent | userVerified, site = rpId, ...fields } = changed;
    const clientDataJson = clientDataOf({
      type: 'webauthn.get',
      challenge: Buffer.from(challenge).toString('base64url'),
      origin: this.origin,
      crossOrigin: false,
      ...fields,
    });
    const authenticatorData = this.#authenticatorData(site, flags);
    const signed = Buffer.concat([authenticatorData, sha256(clientDataJson)]);
    return {
      credentialId: this.id,
      clientDataJson,
      authenticatorData,
      signature: sign(this.#algorithm.hash, signed, this.#keys.privateKey),
      userHandle: this.userHandle,
    };
  }
}
