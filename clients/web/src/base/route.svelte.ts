// The client's routes: `/`, `/t/{table_id}`, and the screens around the tables. Links are ordinary
// links; a plain click stays here.

/** The screens around the tables, by the first part of their path. */
export const AROUND = [
  'find',
  'party',
  'daily',
  'boards',
  'games',
  'account',
  'player',
  'replay',
  'proof',
  'friends',
  'challenge',
] as const;
export type Around = (typeof AROUND)[number];

export type Route =
  | { screen: 'lobby' }
  | { screen: 'table'; tableId: string }
  /** `parts` are those of the path that follow. */
  | { screen: Around; parts: readonly string[] }
  | { screen: 'nowhere' };

export function routeOf(path: string): Route {
  try {
    return routeOfParts(path);
  } catch {
    return { screen: 'nowhere' }; // What is written with % cannot be read.
  }
}

function routeOfParts(path: string): Route {
  if (path === '/') return { screen: 'lobby' };
  // "/@ada" is the page of a player, as "/player/ID" is.
  const [name, ...parts] = path.replace(/^\/@/, '/player/@').split('/').filter(Boolean);
  const around = AROUND.find((screen) => screen === name);
  if (around) return { screen: around, parts: parts.map((part) => decodeURIComponent(part)) };
  const tableId = /^\/t\/([^/]+)\/?$/.exec(path)?.[1];
  return tableId
    ? { screen: 'table', tableId: decodeURIComponent(tableId) }
    : { screen: 'nowhere' };
}

export const replayPath = (tableId: string, version?: bigint): string =>
  `/replay/${encodeURIComponent(tableId)}${version === undefined ? '' : `/${version}`}`;
export const proofPath = (tableId: string): string => `/proof/${encodeURIComponent(tableId)}`;
/** Of a player's page: people read a handle better than an id. */
export const playerPath = (playerId: string, name: string): string =>
  name.startsWith('@') ? `/@${encodeURIComponent(name.slice(1))}` : `/player/${playerId}`;
export const tablePath = (tableId: string): string => `/t/${encodeURIComponent(tableId)}`;
/** Behind the #, which browsers keep to themselves: what lets others come to a private table. */
export const tableLink = (tableId: string, invite = ''): string =>
  location.origin + tablePath(tableId) + (invite && `#${invite}`);

/** Where the stream of a table is. */
export const streamUrl = (tableId: string): string =>
  `${location.origin.replace(/^http/, 'ws')}/v1/tables/${encodeURIComponent(tableId)}/stream`;

/** What lets a stranger come to a private table, as the link has it: 22 characters of base64url, or
 *  an operator's pass. */
export const inviteOf = (hash: string): string =>
  /^#([\w-]{22}|watch_\d+_[\w-]{43})$/.exec(hash)?.[1] ?? '';

class Router {
  #path = $state(location.pathname);
  #hash = $state(location.hash);
  route = $derived(routeOf(this.#path));
  invite = $derived(inviteOf(this.#hash));

  constructor() {
    addEventListener('popstate', () => {
      this.#path = location.pathname;
      this.#hash = location.hash;
    });
    document.addEventListener('click', (click) => this.#follow(click));
  }

  go(path: string): void {
    history.pushState(null, '', path);
    this.#path = path;
    this.#hash = '';
    scrollTo(0, 0);
  }

  /** The address of what is shown already: for links and for coming back. */
  rename(path: string): void {
    history.replaceState(null, '', path);
  }

  #follow(click: MouseEvent): void {
    if (click.defaultPrevented || click.button !== 0) return;
    if (click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return;
    const link = (click.target as Element).closest('a');
    if (!link || link.target || link.origin !== location.origin || link.hash) return;
    click.preventDefault();
    this.go(link.pathname);
  }
}

export const router = new Router();
