// The client's routes: `/` and `/t/{table_id}`. Links are ordinary links; a plain click stays here.

export type Route =
  { screen: 'lobby' } | { screen: 'table'; tableId: string } | { screen: 'nowhere' };

export function routeOf(path: string): Route {
  if (path === '/') return { screen: 'lobby' };
  const tableId = /^\/t\/([^/]+)\/?$/.exec(path)?.[1];
  return tableId
    ? { screen: 'table', tableId: decodeURIComponent(tableId) }
    : { screen: 'nowhere' };
}

export const tablePath = (tableId: string): string => `/t/${encodeURIComponent(tableId)}`;
/** Behind the #, which browsers keep to themselves: what lets others come to a private table. */
export const tableLink = (tableId: string, invite = ''): string =>
  location.origin + tablePath(tableId) + (invite && `#${invite}`);

/** What lets a stranger come to a private table, as the link has it: 22 characters of base64url. */
export const inviteOf = (hash: string): string => /^#([\w-]{22})$/.exec(hash)?.[1] ?? '';

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
