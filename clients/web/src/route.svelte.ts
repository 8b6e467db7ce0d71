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
export const tableLink = (tableId: string): string => location.origin + tablePath(tableId);

class Router {
  #path = $state(location.pathname);
  route = $derived(routeOf(this.#path));

  constructor() {
    addEventListener('popstate', () => (this.#path = location.pathname));
    document.addEventListener('click', (click) => this.#follow(click));
  }

  go(path: string): void {
    history.pushState(null, '', path);
    this.#path = path;
    scrollTo(0, 0);
  }

  #follow(click: MouseEvent): void {
    if (click.defaultPrevented || click.button !== 0) return;
    if (click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return;
    const link = (click.target as Element).closest('a');
    if (!link || link.target || link.origin !== location.origin) return;
    click.preventDefault();
    this.go(link.pathname);
  }
}

export const router = new Router();
