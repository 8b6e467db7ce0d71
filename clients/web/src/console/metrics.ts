// What /metrics says, as far as the console draws it.

/** The sum of all series of each name; of a histogram's buckets by `NAME_bucket{LE}`. */
export type Sample = ReadonlyMap<string, number>;

/** Reads Prometheus's text format. */
export function sampleOf(text: string): Sample {
  const sums = new Map<string, number>();
  for (const [, name = '', labels = '', value] of text.matchAll(/^(\w+)(\{.*\})? (\S+)$/gm)) {
    const bound = name.endsWith('_bucket') ? /le="([^"]*)"/.exec(labels)?.[1] : undefined;
    const key = bound === undefined ? name : `${name}{${bound}}`;
    sums.set(key, (sums.get(key) ?? 0) + Number(value));
  }
  return sums;
}

/** How much a counter has grown; undefined at first, after a restart, and at another server. */
export function growth(before: Sample, now: Sample, name: string): number | undefined {
  if (before === now) return undefined;
  const grown = (now.get(name) ?? 0) - (before.get(name) ?? 0);
  return grown < 0 ? undefined : grown;
}

/** The upper bound of the bucket that this share of what came since `before` does not exceed, in
 *  the histogram's unit; undefined when nothing came. */
export function quantile(before: Sample, now: Sample, name: string, share: number) {
  const begin = `${name}_bucket{`;
  const buckets = [...now.keys()]
    .filter((key) => key.startsWith(begin))
    .map((key) => ({
      bound: Number(key.slice(begin.length, -1).replace('+Inf', 'Infinity')),
      count: growth(before, now, key) ?? 0,
    }))
    .sort((a, b) => a.bound - b.bound);
  const all = buckets.at(-1)?.count ?? 0;
  return all > 0 ? buckets.find(({ count }) => count >= all * share)?.bound : undefined;
}
