// Values as they are written: in full up to five digits on a tile, then in thousands, millions …

const SUFFIXES = ['', 'K', 'M', 'G', 'T', 'P', 'E'];
const FULL_MAX = 99_999;

/** In full: for the score, and for those who hear the board. */
export const valueOf = (exponent: number): string => String(1n << BigInt(exponent));

/** On a tile: "65536", then "131K". */
export function shortValue(exponent: number): string {
  let value = 1n << BigInt(exponent);
  if (value <= FULL_MAX) return String(value);
  let power = 0;
  for (; value >= 1000n; value /= 1000n) power += 1;
  return `${value}${SUFFIXES[power]}`;
}

/** R-2248-11: the smallest power of two that is at least the sum of 2^k. */
export function previewOf(exponents: readonly number[]): bigint {
  const sum = exponents.reduce((total, exponent) => total + (1n << BigInt(exponent)), 0n);
  let value = 1n;
  while (value < sum) value *= 2n;
  return value;
}
