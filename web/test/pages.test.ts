import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { remember, remembered, memory } from '../src/lib/battles';
import Lobby from '../src/pages/Lobby.svelte';
import Play from '../src/pages/Play.svelte';
import { battleOf, refusal, updateOf } from './records';

const lobby = {
  version: '1.2',
  protocol: 2,
  levels: [
    { name: 'easy', title: 'Recruit', text: 'Does anything.' },
    { name: 'hard', title: 'Regular', text: 'Looks before it shoots.' },
  ],
  games: [
    {
      name: 'one',
      title: 'Game One',
      edition: '3rd',
      scenarios: [
        {
          game: 'one',
          name: 'field',
          title: 'The Field',
          turns: 6,
          units: 9,
          sides: ['blue', 'red'],
          place: 'Normandy',
          date: 'June 1944',
          briefing: 'Take the field.\n\nHold it.',
          picture: '/picture.svg',
          forces: [
            { side: 'blue', units: ['4 Rifle Squad', '1 HMG'] },
            { side: 'red', units: ['2 Rifle Squad'] },
          ],
        },
      ],
      random: [],
      lessons: [{ id: 'first', title: 'First', scenario: 'field', side: 'blue', minutes: 10, steps: [] }],
    },
  ],
};

let posted: { url: string; body: unknown }[] = [];
let mode = 'solo';

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '/');
  posted = [];
  mode = 'solo';
  vi.stubGlobal('scrollTo', () => undefined);
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (url === '/api/lobby') return new Response(JSON.stringify(lobby));
    if (url === '/api/battles') {
      posted.push({ url, body: JSON.parse(String(init?.body)) });
      const seats = ['blue', 'red', 'watcher'].map((side) => ({ side, token: `t-${side}` }));
      const mine = mode === 'solo' ? seats.filter((seat) => seat.side !== 'red') : seats;
      return new Response(JSON.stringify({ battle: battleOf({ mode }), seats: mine }), { status: 201 });
    }
    return refusal(404, 'missing', 'there is no such battle');
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** jsdom does not open dialogs, so what is in one counts as hidden. */
const hidden = { hidden: true } as const;

test('a scenario is shown with its forces, and played against the strongest computer', async () => {
  render(Lobby);
  const card = await screen.findByRole('article', { name: 'The Field' });
  expect(card.textContent).toContain('Normandy · June 1944');
  expect(card.textContent).toContain('6 turns');
  expect(within(card).getAllByText('4 × Rifle Squad').length).toBeGreaterThan(0);
  await fireEvent.click(within(card).getByRole('button', { name: 'Play The Field' }));
  await fireEvent.click(screen.getByLabelText('Red'));
  await fireEvent.click(screen.getByRole('button', { name: 'Start the battle', ...hidden }));
  await vi.waitFor(() => expect(location.pathname).toBe('/play/b1'));
  expect(location.hash).toBe('#t-blue');
  expect(posted[0]?.body).toEqual({
    game: 'one',
    scenario: 'field',
    players: { blue: 'hard', red: 'human' },
    free_undo: true,
  });
});

test('the guided battle is one click away', async () => {
  render(Lobby);
  const button = await screen.findByRole('button', { name: /guided first battle/ });
  expect(button.textContent).toContain('10 minutes');
  await fireEvent.click(button);
  await vi.waitFor(() => expect(location.pathname).toBe('/play/b1'));
  expect(posted[0]?.body).toMatchObject({ lesson: 'first' });
});

test("an invitation shows the other side's link before the battle opens", async () => {
  mode = 'invite';
  render(Lobby);
  await fireEvent.click(await screen.findByRole('button', { name: 'Play The Field' }));
  await fireEvent.click(screen.getByText('A friend, by link'));
  await fireEvent.click(screen.getByRole('button', { name: 'Start the battle', ...hidden }));
  const go = await screen.findByRole('button', { name: 'To the battle', ...hidden });
  const link = screen.getByLabelText<HTMLInputElement>('Red');
  expect(link.value).toMatch(/\/play\/b1#t-red$/);
  expect(posted[0]?.body).toMatchObject({ invite: true, players: { blue: 'human', red: 'human' } });
  await fireEvent.click(go);
  expect(location.hash).toBe('#t-blue');
  expect(remembered()[0]?.invitations.map((seat) => seat.side)).toEqual(['red', 'watcher']);
});

test('battles are continued, replayed when over, and removed', async () => {
  const seats = [{ side: 'blue', token: 'tb' }];
  remember(memory(battleOf({ id: 'a', title: 'Going on' }), updateOf(), seats));
  remember(memory(battleOf({ id: 'b', title: 'Finished' }), updateOf({ waiting: 'over' }), seats));
  render(Lobby);
  expect(screen.getByRole('link', { name: 'Continue Going on' }).getAttribute('href')).toBe('/play/a#tb');
  expect(screen.getByRole('link', { name: 'Replay Finished' })).toBeTruthy();
  await fireEvent.click(screen.getByRole('button', { name: 'Remove Finished from this list' }));
  expect(screen.queryByRole('link', { name: 'Replay Finished' })).toBeNull();
  expect(remembered().map((each) => each.id)).toEqual(['a']);
});

test('a server that cannot be reached can be tried again', async () => {
  const working = globalThis.fetch;
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  render(Lobby);
  expect((await screen.findByRole('alert')).textContent).toContain('reach the server');
  vi.stubGlobal('fetch', working);
  await fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('article', { name: 'The Field' })).toBeTruthy();
});

test('an address without a seat says what is missing', async () => {
  render(Play, { id: 'zzz', tokens: [] });
  expect((await screen.findByRole('alert')).textContent).toContain('isn’t complete');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('an address without a seat opens the seat that this browser had', () => {
  remember(memory(battleOf({ id: 'zzz' }), updateOf(), [{ side: 'blue', token: 'tb' }]));
  render(Play, { id: 'zzz', tokens: [] });
  expect(`${location.pathname}${location.hash}`).toBe('/play/zzz#tb');
});

test('a battle that is not there says so, in the words of the server', async () => {
  render(Play, { id: 'zzz', tokens: ['t'] });
  expect((await screen.findByRole('alert')).textContent).toBe('there is no such battle');
});
