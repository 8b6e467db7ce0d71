// The ids of what this client sends.

let session = '';
let named = 0;

/** An id that no other client chooses: 16 random hexadecimal digits of this one, and a number that
 *  counts. The server stores ids that count in few bytes. Not randomUUID: pages served over plain
 *  HTTP don't have it. */
export function newId(): string {
  if (session === '') {
    const bytes = crypto.getRandomValues(new Uint8Array(8));
    session = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
  named += 1;
  return `${session}-${named}`;
}
