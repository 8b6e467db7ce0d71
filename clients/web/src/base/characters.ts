/** How many characters a text has for the server, which counts code points: in normal form C,
 *  without spaces at the ends, and with one for each run of them. */
export function characters(text: string): number {
  return [
    ...text
      .normalize('NFC')
      .replace(/\p{Zs}+/gu, ' ')
      .trim(),
  ].length;
}
