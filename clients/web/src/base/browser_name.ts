// How a browser is called in a list of devices: "Firefox, Linux".

/** The first that fits: most browsers say that they are others as well. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['CriOS', 'Chrome'],
  ['Safari', 'Safari'],
] as const;
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Macintosh', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** Empty for a browser and a system that are not known. */
export const browserName = (userAgent: string): string =>
  [BROWSERS, SYSTEMS]
    .flatMap((all) => all.find(([mark]) => userAgent.includes(mark))?.[1] ?? [])
    .join(', ');
