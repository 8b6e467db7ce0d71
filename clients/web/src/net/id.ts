// The ids of what a client sends.

/** 32 hexadecimal digits. Not randomUUID: pages served over plain HTTP don't have it. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
