// What /metrics says, read as Prometheus' text format 0.0.4.

/** All samples: { name, labels, value }. Throws on a line that is not of the format. */
export async function samples(server) {
  const response = await fetch(`${server.http}/metrics`);
  const found = [];
  for (const line of (await response.text()).split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const match = line.match(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/);
    if (!match || (Number.isNaN(Number(match[3])) && !/^(NaN|[+-]Inf)$/.test(match[3]))) {
      throw new Error(`not a sample: ${line}`);
    }
    const labels = Object.fromEntries(
      [...(match[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, value]) => [
        key,
        value,
      ]),
    );
    found.push({ name: match[1], labels, value: Number(match[3]) });
  }
  return found;
}

/** The sum of a counter over the samples that have these labels. */
export async function counter(server, name, labels = {}) {
  return (await samples(server))
    .filter(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )
    .reduce((sum, sample) => sum + sample.value, 0);
}
