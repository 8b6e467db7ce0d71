// How long players waited for the answer to a move when something went wrong.

/**
 * Of each of the `nemeses`, { name, at } in order, how long moves took that were interrupted while
 * it was the last one, from its beginning on: sorted times in ms by its name.
 */
export function waitsOf(nemeses, gamblers) {
  const waits = new Map();
  for (const { sentAt, ms } of gamblers.flatMap((gambler) => gambler.waits)) {
    const answered = sentAt + ms;
    const nemesis = nemeses.findLast(({ at }) => at <= answered);
    if (!nemesis) continue;
    const times = waits.get(nemesis.name) ?? [];
    waits.set(nemesis.name, [...times, answered - Math.max(sentAt, nemesis.at)]);
  }
  for (const times of waits.values()) times.sort((a, b) => a - b);
  return waits;
}

/** In words: how many there were, the median and the longest. */
export function waitsInWords(waits) {
  return [...waits].map(
    ([name, times]) =>
      `${name}: ${times.length} moves waited ${times[times.length >> 1]} ms in the median, ` +
      `${times.at(-1)} ms at most`,
  );
}
