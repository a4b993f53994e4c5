/** Where the browser stands: three pages, told by the path; a seat's secret is in the fragment, which no server sees. */

export type Route =
  | { page: 'lobby' }
  | { page: 'play'; id: string; tokens: string[] }
  | { page: 'moment'; token: string }
  | { page: 'missing'; path: string };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The page of an address. */
export function parse(path: string, hash = ''): Route {
  const parts = path.split('/').filter(Boolean).map(decoded);
  const [first, second] = parts;
  if (parts.length === 0) return { page: 'lobby' };
  if (first === 'play' && second && parts.length === 2) {
    const tokens = decoded(hash.replace(/^#/, ''))
      .split(',')
      .map((token) => token.trim())
      .filter((token) => /^[\w-]+$/.test(token));
    return { page: 'play', id: second, tokens: [...new Set(tokens)] };
  }
  if (first === 'moment' && second && parts.length === 2) return { page: 'moment', token: second };
  return { page: 'missing', path };
}

/** The address of seats at a battle. */
export function seatPath(id: string, tokens: string[]): string {
  return `/play/${encodeURIComponent(id)}#${tokens.join(',')}`;
}

/** The router of the page. */
export class Router {
  route: Route = $state.raw({ page: 'lobby' });

  constructor() {
    if (typeof window === 'undefined') return;
    this.read();
    window.addEventListener('popstate', () => this.read());
    window.addEventListener('hashchange', () => this.read());
  }

  private read(): void {
    this.route = parse(location.pathname, location.hash);
  }

  go(path: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, '', path);
    else history.pushState(null, '', path);
    this.read();
    window.scrollTo?.(0, 0);
  }

  /** Follow a link within the client without loading the page anew. */
  follow = (event: MouseEvent): void => {
    const link = (event.target as Element | null)?.closest?.('a');
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
    if (link.getAttribute('href')?.startsWith('#')) return;
    if (link.pathname.startsWith('/api/') || parse(link.pathname).page === 'missing') return;
    event.preventDefault();
    this.go(`${link.pathname}${link.search}${link.hash}`);
  };
}

export const router = new Router();
