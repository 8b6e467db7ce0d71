// Looks for a secret of 32 bytes in what somebody was sent: as it is, in any usual spelling, in
// pieces, and by the dice that follow from it.
import { createCipheriv } from 'node:crypto';

const pieceBytes = 8; // fewer come up by chance

/** The Base64 digits that the bytes of `piece` alone decide, wherever it lies among others. */
function base64Of(piece) {
  return [0, 1, 2].map((lead) => {
    const text = Buffer.concat([Buffer.alloc(lead), piece, Buffer.alloc(3)]).toString('base64');
    return text.slice(Math.ceil((8 * lead) / 6), Math.floor((8 * (lead + piece.length)) / 6));
  });
}

function varint(number) {
  const bytes = [];
  for (; number > 0x7f; number = Math.floor(number / 128)) bytes.push((number % 128) | 0x80);
  return Buffer.from([...bytes, number]);
}

/** Every spelling of eight bytes. */
function* spellingsOf(piece) {
  for (const [order, bytes] of [
    ['', piece],
    [' backwards', Buffer.from(piece).reverse()],
    [' in words turned round', Buffer.from(piece).swap32()],
  ]) {
    yield [`raw${order}`, bytes];
    yield [`hex${order}`, bytes.toString('hex')];
    yield [`HEX${order}`, bytes.toString('hex').toUpperCase()];
    yield [`numbers${order}`, [...bytes].join()];
    yield [`spaced numbers${order}`, [...bytes].join(', ')];
    yield [`64 bits${order}`, String(bytes.readBigUInt64LE())];
    yield [`signed 64 bits${order}`, String(bytes.readBigInt64LE())];
    for (const digits of base64Of(bytes)) {
      yield [`base64${order}`, digits];
      yield [`base64url${order}`, digits.replaceAll('+', '-').replaceAll('/', '_')];
    }
  }
}

/** The words of the cipher's key, as a message or a text would carry each. */
function* wordsOf(key) {
  for (let at = 0; at < key.length; at += 4) {
    for (const word of [key.readUInt32LE(at), key.readUInt32BE(at)]) {
      if (word < 2 ** 28) continue; // too short to be told from chance
      yield ['a word as a varint', varint(word)];
      yield ['a word as a number', String(word)];
    }
  }
}

/** The dice of a seed (engine/core/rng.h): the words of ChaCha20. */
function diceOf(seed, words) {
  return createCipheriv('chacha20', seed, Buffer.alloc(16)).update(Buffer.alloc(4 * words));
}

function* needlesOf(secret) {
  for (let at = 0; at + pieceBytes <= secret.length; ++at) {
    const piece = secret.subarray(at, at + pieceBytes);
    for (const [form, needle] of spellingsOf(piece)) yield [`${form}, from byte ${at}`, needle];
  }
  yield* wordsOf(secret);
  const dice = diceOf(secret, 1024);
  for (let at = 0; at + pieceBytes <= dice.length; at += 4) {
    yield [`the dice, from word ${at / 4}`, dice.subarray(at, at + pieceBytes)];
  }
}

/** Whether a number of a text stands there, and not a part of a longer one. */
function isWhole(bytes, at, length) {
  const isDigit = (byte) => byte >= 0x30 && byte <= 0x39;
  return !isDigit(bytes[at - 1]) && !isDigit(bytes[at + length]);
}

/** Every form in which `secret` is found in `bytes`. */
export function tracesOf(secret, bytes) {
  const found = [];
  for (const [form, needle] of needlesOf(Buffer.from(secret))) {
    const at = bytes.indexOf(needle);
    if (at < 0) continue;
    if (form === 'a word as a number' && !isWhole(bytes, at, needle.length)) continue;
    found.push(form);
  }
  return found;
}
