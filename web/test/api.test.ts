import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Api, ApiError, Line, type LineState } from '../src/lib/api';
import type { Update } from '../src/lib/types';
import { FakeServer, FakeSocket, refusal, updateOf } from './records';

beforeEach(() => {
  FakeSocket.opened = [];
});
afterEach(() => {
  vi.useRealTimers();
});

test('a seat sends its token and its answer', async () => {
  const server = new FakeServer(() => updateOf({ number: 2 }));
  const update = await server.api.seat('b 1', 'secret').answer(4, 'pass');
  expect(update.number).toBe(2);
  expect(server.calls).toEqual([
    { method: 'POST', path: '/api/battles/b%201/answer', token: 'secret', body: { seq: 4, key: 'pass' } },
  ]);
});

test('words go into the query, encoded', async () => {
  const server = new FakeServer(() => []);
  await server.api.seat('b', 't').whyNot('move g1 to Ö5 & back');
  expect(server.calls[0]?.path).toBe('/api/battles/b/why-not?words=move+g1+to+%C3%965+%26+back');
});

test('a request without a seat carries no token', async () => {
  const server = new FakeServer(() => ({ games: [] }));
  await server.api.lobby();
  expect(server.calls[0]).toMatchObject({ method: 'GET', path: '/api/lobby', token: '' });
});

test('a refusal is an error that says what the server said', async () => {
  const server = new FakeServer(() => refusal(409, 'stale', 'that question is answered already'));
  const error = await server.api.seat('b', 't').answer(1, 'x').then(() => null, (e: unknown) => e);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 409, message: 'that question is answered already' });
  expect((error as ApiError).problem).toEqual({
    error: 'stale',
    message: 'that question is answered already',
    seq: 0,
    faults: [],
  });
});

test('a refusal that is no record still has words', async () => {
  const server = new FakeServer(() => new Response('<html>', { status: 502, statusText: 'Bad Gateway' }));
  await expect(server.api.lobby()).rejects.toThrow('502 Bad Gateway');
});

test('no network is status 0', async () => {
  const api = new Api('', () => Promise.reject(new TypeError('fetch failed')));
  await expect(api.lobby()).rejects.toMatchObject({ status: 0, message: 'Can’t reach the server.' });
});

test('the socket has the scheme of the page', () => {
  const seat = new Api().seat('b', 't');
  expect(seat.socketUrl({ protocol: 'https:', host: 'example.org' })).toBe('wss://example.org/api/battles/b/socket');
  expect(seat.socketUrl({ protocol: 'http:', host: 'localhost:1' })).toBe('ws://localhost:1/api/battles/b/socket');
});

function line(): { line: Line; updates: Update[]; states: LineState[]; why: string[] } {
  const updates: Update[] = [];
  const states: LineState[] = [];
  const why: string[] = [];
  const made = new Line(new Api().seat('b', 'secret'), {
    have: () => ({ log: 3, frames: 2 }),
    onupdate: (update) => updates.push(update),
    onstate: (state, words) => {
      states.push(state);
      why.push(words);
    },
    open: (url) => new FakeSocket(url),
  });
  return { line: made, updates, states, why };
}

test('the first word is the token and what is there already', () => {
  const { line: made, updates, states } = line();
  made.start();
  const socket = FakeSocket.opened[0]!;
  expect(socket.url).not.toContain('secret');
  socket.connect();
  expect(JSON.parse(socket.sent[0]!)).toEqual({ token: 'secret', log: 3, frames: 2 });
  socket.say(updateOf({ number: 5 }));
  expect(updates.map((update) => update.number)).toEqual([5]);
  expect(states).toEqual(['online']);
  made.stop();
  expect(socket.closed).toBe(true);
});

test('a lost line is taken up again, after growing pauses', () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const { line: made, states } = line();
  made.start();
  FakeSocket.opened[0]!.drop();
  expect(states).toEqual(['offline']);
  vi.advanceTimersByTime(499);
  expect(FakeSocket.opened).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(FakeSocket.opened).toHaveLength(2);
  FakeSocket.opened[1]!.drop();
  vi.advanceTimersByTime(999);
  expect(FakeSocket.opened).toHaveLength(2);
  vi.advanceTimersByTime(1);
  const third = FakeSocket.opened[2]!;
  third.connect();
  third.say(updateOf());
  expect(states.at(-1)).toBe('online');
  third.drop();
  vi.advanceTimersByTime(500);
  expect(FakeSocket.opened, 'a line that worked starts with the shortest pause again').toHaveLength(4);
  made.stop();
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.opened).toHaveLength(4);
});

test('a wrong token is not tried again', () => {
  vi.useFakeTimers();
  const { line: made, states, why } = line();
  made.start();
  FakeSocket.opened[0]!.drop(4401);
  vi.advanceTimersByTime(60_000);
  expect(states).toEqual(['refused']);
  expect(why[0]).toContain('valid');
  expect(FakeSocket.opened).toHaveLength(1);
});

test('a line that does not answer a ping is given up', () => {
  vi.useFakeTimers();
  const { line: made, states } = line();
  made.start();
  const socket = FakeSocket.opened[0]!;
  socket.connect();
  socket.say(updateOf());
  vi.advanceTimersByTime(25_000);
  expect(socket.sent.at(-1)).toBe('ping');
  socket.say('pong');
  vi.advanceTimersByTime(20_000);
  expect(states.at(-1)).toBe('online');
  vi.advanceTimersByTime(15_100);
  expect(states.at(-1)).toBe('offline');
  expect(socket.closed).toBe(true);
  made.stop();
});
