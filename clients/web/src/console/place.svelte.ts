// Where the operator is: `#/players`, `#/players/ID`.
export const SCREENS = ['players', 'tables', 'reports', 'everybody', 'health', 'servers'] as const;
export type Screen = (typeof SCREENS)[number];

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // typed by hand
  }
}

class Place {
  #hash = $state(location.hash);
  readonly #parts = $derived(this.#hash.split('/').slice(1).map(decoded));
  readonly screen = $derived(SCREENS.find((screen) => screen === this.#parts[0]) ?? 'players');
  /** Of the player, table or report that is shown; '' in a list. */
  readonly id = $derived(this.#parts[1] ?? '');

  constructor() {
    addEventListener('hashchange', () => (this.#hash = location.hash));
  }
}

export const place = new Place();

export const pathTo = (screen: Screen, id = ''): string =>
  `#/${screen}${id && `/${encodeURIComponent(id)}`}`;

export const goTo = (screen: Screen, id = ''): void => {
  location.hash = pathTo(screen, id);
};
