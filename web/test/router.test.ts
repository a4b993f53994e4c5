import { beforeEach, expect, test, vi } from 'vitest';
import { parse, Router, seatPath } from '../src/lib/router.svelte';

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => undefined);
});

test('the three pages', () => {
  expect(parse('/')).toEqual({ page: 'lobby' });
  expect(parse('/play/abc', '#t1')).toEqual({ page: 'play', id: 'abc', tokens: ['t1'] });
  expect(parse('/moment/xyz')).toEqual({ page: 'moment', token: 'xyz' });
});

test('two seats at one screen', () => {
  expect(parse('/play/abc', '#t-1,t_2')).toMatchObject({ tokens: ['t-1', 't_2'] });
  expect(parse('/play/abc', '#t1,t1,')).toMatchObject({ tokens: ['t1'] });
});

test('a seat without a token, and nonsense after the #', () => {
  expect(parse('/play/abc')).toMatchObject({ tokens: [] });
  expect(parse('/play/abc', '#<script>')).toMatchObject({ tokens: [] });
});

test('everything else is missing', () => {
  expect(parse('/play')).toEqual({ page: 'missing', path: '/play' });
  expect(parse('/play/a/b').page).toBe('missing');
  expect(parse('/what').page).toBe('missing');
  expect(parse('/play/%E0%A4%A').page).toBe('play');
});

test('a path of seats is read as it was written', () => {
  const path = seatPath('a b', ['x-1', 'y_2']);
  const [before, hash] = path.split('#');
  expect(parse(before!, `#${hash}`)).toEqual({ page: 'play', id: 'a b', tokens: ['x-1', 'y_2'] });
});

test('going somewhere changes the address and the page', () => {
  const router = new Router();
  router.go('/moment/abc');
  expect(location.pathname).toBe('/moment/abc');
  expect(router.route).toEqual({ page: 'moment', token: 'abc' });
  router.go('/', { replace: true });
  expect(router.route.page).toBe('lobby');
});

function click(html: string, init: MouseEventInit = {}): { event: MouseEvent; router: Router } {
  document.body.innerHTML = html;
  const router = new Router();
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...init });
  document.addEventListener('click', router.follow, { once: true });
  // Whatever the router leaves alone must not make the test's page go away.
  const guard = (each: Event): void => each.preventDefault();
  let followed = false;
  document.addEventListener('click', () => (followed = event.defaultPrevented), { once: true });
  window.addEventListener('click', guard, { once: true });
  document.querySelector('a')!.dispatchEvent(event);
  Object.defineProperty(event, 'followed', { value: followed });
  return { event, router };
}

test('links within the client are followed, all others left to the browser', () => {
  const followed = (html: string, init: MouseEventInit = {}): boolean =>
    (click(html, init).event as MouseEvent & { followed: boolean }).followed;
  expect(followed('<a href="/play/a#t">x</a>')).toBe(true);
  expect(location.hash).toBe('#t');
  expect(followed('<a href="/">x</a>')).toBe(true);
  expect(followed('<a href="/" target="_blank">x</a>')).toBe(false);
  expect(followed('<a href="/">x</a>', { ctrlKey: true })).toBe(false);
  expect(followed('<a href="/api/battles/1/save">x</a>')).toBe(false);
  expect(followed('<a href="/x.save" download>x</a>')).toBe(false);
  expect(followed('<a href="#main">x</a>')).toBe(false);
  expect(followed('<a href="https://example.org/">x</a>')).toBe(false);
});
