import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BattleStore, type BattleStoreOptions } from '../src/lib/battle-store.svelte';
import { battleOf, FakeServer, FakeSocket, refusal, updateOf, type Call, type UpdateWords } from './records';
import { dice } from '../src/lib/normalise-view';

let pace = 0;
let holds = 0;
let curtain = true;
let server: FakeServer;

beforeEach(() => {
  vi.useFakeTimers();
  pace = 0;
  holds = 0;
  curtain = true;
  FakeSocket.opened = [];
  server = new FakeServer();
});
afterEach(() => {
  vi.useRealTimers();
});

function options(): BattleStoreOptions {
  return {
    api: server.api,
    pace: () => pace,
    holds: () => holds,
    curtain: () => curtain,
    openSocket: (url) => new FakeSocket(url),
    now: () => Date.now(),
  };
}

function solo(first: UpdateWords = {}): { table: BattleStore; socket: FakeSocket } {
  const table = new BattleStore(battleOf(), [{ side: 'blue', token: 'tb' }], [updateOf(first)], options());
  table.start();
  const socket = FakeSocket.opened[0]!;
  socket.connect();
  return { table, socket };
}

const texts = (table: BattleStore): string[] => table.log.map((line) => line.text);
/** Let promises that are already settled run. */
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

describe('opening', () => {
  test('finds out which side a token plays', async () => {
    server.answer = (call) => (call.path.includes('/state') ? updateOf({ side: 'red', log: ['a'] }) : battleOf());
    const table = await BattleStore.open('b1', ['t1'], options());
    expect(table.me).toBe('red');
    expect(table.seats).toEqual([{ side: 'red', token: 't1' }]);
    expect(texts(table)).toEqual(['a']);
    expect(server.calls.every((call) => call.token === 't1')).toBe(true);
  });

  test('a link without a seat says so', async () => {
    await expect(BattleStore.open('b1', [], options())).rejects.toThrow('isn’t complete');
  });
});

describe('the log', () => {
  test('grows by what an update adds, and shrinks by an undo', () => {
    const { table, socket } = solo({ log: ['a', 'b'] });
    socket.say(updateOf({ number: 2, log_start: 2, log: ['c'] }));
    expect(texts(table)).toEqual(['a', 'b', 'c']);
    expect(table.fresh.map((line) => line.text)).toEqual(['c']);
    socket.say(updateOf({ number: 3, log_start: 1, log: [] }));
    expect(texts(table)).toEqual(['a']);
    expect(table.fresh).toEqual([]);
  });

  test('a gap brings the whole state', async () => {
    const { table, socket } = solo({ log: ['a'] });
    server.answer = () => updateOf({ number: 9, log: ['a', 'b', 'c', 'd'] });
    socket.say(updateOf({ number: 9, log_start: 3, log: ['d'] }));
    await settle();
    expect(texts(table)).toEqual(['a', 'b', 'c', 'd']);
    expect(server.calls.map((call) => call.path)).toEqual(['/api/battles/b1/state?log=0&frames=0']);
  });

  test('what is older than what is shown is left out', () => {
    const { table, socket } = solo({ number: 5, log: ['a'] });
    socket.say(updateOf({ number: 4, log_start: 0, log: ['old'] }));
    expect(texts(table)).toEqual(['a']);
  });

  test('somebody coming online changes the seats alone', () => {
    const { table, socket } = solo({ number: 5, log: ['a'] });
    const again = updateOf({ number: 5, log_start: 1 });
    again.seats = [{ side: 'blue', player: 'human', online: false }];
    socket.say(again);
    expect(table.update.seats[0]?.online).toBe(false);
    expect(texts(table)).toEqual(['a']);
  });
});

describe('acting', () => {
  test('an own answer is shown at once', async () => {
    pace = 1000;
    const { table } = solo({ seq: 7 });
    server.answer = () => updateOf({ number: 2, log: ['moved'], waiting: 'other' });
    const done = table.answer('go b1');
    expect(table.busy).toBe(true);
    expect(await done).toBe(true);
    expect(server.calls[0]).toMatchObject({ path: '/api/battles/b1/answer', body: { seq: 7, key: 'go b1' }, token: 'tb' });
    expect(texts(table)).toEqual(['moved']);
    expect(table.ask).toBeNull();
    expect(table.busy).toBe(false);
  });

  test('a stale answer brings the table up to date and says why', async () => {
    const { table } = solo();
    server.answer = (call) =>
      call.method === 'POST' ? refusal(409, 'stale', 'too late') : updateOf({ number: 4, log: ['x', 'y'] });
    expect(await table.answer('go b1')).toBe(false);
    expect(table.problem).toBe('too late');
    expect(texts(table)).toEqual(['x', 'y']);
    expect(table.update.number).toBe(4);
  });

  test('what comes by the socket while an answer is on its way is sorted out after it', async () => {
    pace = 1000;
    const { table, socket } = solo();
    let reply: (value: unknown) => void = () => undefined;
    server.answer = () => new Promise((resolve) => (reply = resolve));
    const done = table.answer('go b1');
    socket.say(updateOf({ number: 2, log: ['mine'], waiting: 'other' }));
    socket.say(updateOf({ number: 3, log_start: 1, log: ['theirs'] }));
    expect(texts(table)).toEqual([]);
    await settle();
    reply(updateOf({ number: 2, log: ['mine'], waiting: 'other' }));
    await done;
    expect(texts(table), 'mine at once, theirs when mine has been seen').toEqual(['mine']);
    expect(table.waiting).toBe(1);
    expect(table.live).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(texts(table)).toEqual(['mine', 'theirs']);
    expect(table.live).toBe(true);
  });

  test('two answers at once are one', async () => {
    const { table } = solo();
    server.answer = () => updateOf({ number: 2 });
    const [one, two] = await Promise.all([table.answer('go b1'), table.answer('go b1')]);
    expect([one, two]).toEqual([true, false]);
    expect(server.calls).toHaveLength(1);
  });

  test('a plan tells how much of it was taken', async () => {
    const { table } = solo();
    server.answer = () => ({ taken: 2, update: updateOf({ number: 3, log: ['1', '2'] }) });
    expect(await table.plan(['a', 'b', 'c'])).toBe(2);
    expect(texts(table)).toEqual(['1', '2']);
  });
});

describe('pacing', () => {
  test("others' steps are shown one by one, and only then can one act", async () => {
    pace = 900;
    const { table, socket } = solo({ waiting: 'other' });
    socket.say(updateOf({ number: 2, log: ['a'], waiting: 'other' }));
    socket.say(updateOf({ number: 3, log_start: 1, log: ['b'], waiting: 'other' }));
    socket.say(updateOf({ number: 4, log_start: 2, log: ['c'] }));
    expect(texts(table)).toEqual(['a']);
    expect(table.ask).toBeNull();
    expect(table.history).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(400);
    expect(texts(table)).toEqual(['a', 'b']);
    expect(table.ask).toBeNull();
    await vi.advanceTimersByTimeAsync(400);
    expect(texts(table)).toEqual(['a', 'b', 'c']);
    expect(table.ask?.prompt).toBe('What now?');
  });

  test('what came of a throw stays until its time is over, or until it was read', async () => {
    pace = 100;
    holds = 1500;
    const roll = { text: 'Attack, Squad b1: 2d6 (4 2) → no result', side: 'red', dice: '2d6', faces: [4, 2], units: ['b1'] };
    const { table, socket } = solo({ waiting: 'other' });
    socket.say(updateOf({ number: 2, log: [roll], waiting: 'other' }));
    socket.say(updateOf({ number: 3, log_start: 1, log: [roll], waiting: 'other' }));
    socket.say(updateOf({ number: 4, log_start: 2, log: ['c'] }));
    await vi.advanceTimersByTimeAsync(1400);
    expect(table.log).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(table.log).toHaveLength(2);
    table.readOn();
    expect(texts(table).at(-1)).toBe('c');
    expect(table.live).toBe(true);

    holds = Infinity;
    socket.say(updateOf({ number: 5, log_start: 3, log: [roll], waiting: 'other' }));
    await vi.advanceTimersByTimeAsync(500);
    socket.say(updateOf({ number: 6, log_start: 4, log: ['e'] }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(table.log).toHaveLength(4);
    table.readOn();
    expect(texts(table).at(-1)).toBe('e');
  });

  test('skip shows the rest at once', () => {
    pace = 900;
    const { table, socket } = solo({ waiting: 'other' });
    socket.say(updateOf({ number: 2, log: ['a'], waiting: 'other' }));
    socket.say(updateOf({ number: 3, log_start: 1, log: ['b'], waiting: 'other' }));
    socket.say(updateOf({ number: 4, log_start: 2, log: ['c'] }));
    table.skip();
    expect(texts(table)).toEqual(['a', 'b', 'c']);
    expect(table.fresh.map((line) => line.text)).toEqual(['b', 'c']);
    expect(table.live).toBe(true);
  });

  test('skip holds until somebody here is asked', async () => {
    pace = 900;
    const { table, socket } = solo({ waiting: 'other' });
    socket.say(updateOf({ number: 2, log: ['a'], waiting: 'other' }));
    socket.say(updateOf({ number: 3, log_start: 1, log: ['b'], waiting: 'other' }));
    table.skip();
    socket.say(updateOf({ number: 4, log_start: 2, log: ['c'], waiting: 'other' }));
    socket.say(updateOf({ number: 5, log_start: 3, log: ['d'] }));
    expect(texts(table)).toEqual(['a', 'b', 'c', 'd']);
    socket.say(updateOf({ number: 6, log_start: 4, log: ['e'], waiting: 'other' }));
    expect(table.waiting, 'the next time it is shown step by step again').toBe(1);
    await vi.advanceTimersByTimeAsync(900);
    expect(table.waiting).toBe(0);
  });

  test('a step in which nothing was seen takes no time', () => {
    pace = 900;
    const { table, socket } = solo({ waiting: 'other', log: ['a'] });
    socket.say(updateOf({ number: 2, log_start: 1, log: [], waiting: 'other' }));
    socket.say(updateOf({ number: 3, log_start: 1, log: [], waiting: 'you' }));
    expect(table.live).toBe(true);
    expect(table.update.number).toBe(3);
  });

  test('at pace zero everything shows at once', () => {
    const { table, socket } = solo({ waiting: 'other' });
    socket.say(updateOf({ number: 2, log: ['a'], waiting: 'other' }));
    socket.say(updateOf({ number: 3, log_start: 1, log: ['b'] }));
    expect(texts(table)).toEqual(['a', 'b']);
  });
});

describe('two sides at one screen', () => {
  function hotSeat(): { table: BattleStore; blue: FakeSocket; red: FakeSocket } {
    const keys = [
      { side: 'blue', token: 'tb' },
      { side: 'red', token: 'tr' },
    ];
    const first = [updateOf({ log: ['blue sees'] }), updateOf({ side: 'red', waiting: 'other', log: ['red sees'] })];
    const table = new BattleStore(battleOf({ mode: 'hotseat' }), keys, first, options());
    table.start();
    const [blue, red] = FakeSocket.opened;
    for (const [at, socket] of FakeSocket.opened.entries()) {
      socket.connect();
      socket.say(first[at]);
    }
    return { table, blue: blue!, red: red! };
  }

  test('begins behind a curtain for the asked side', () => {
    const { table } = hotSeat();
    expect(table.curtain).toBe('blue');
    expect(table.ask).toBeNull();
    table.lift();
    expect(table.curtain).toBe('');
    expect(table.ask?.side).toBe('blue');
  });

  test('the curtain falls when the other side is asked, and nothing of it is shown before it is lifted', async () => {
    const { table, red } = hotSeat();
    table.lift();
    table.select('b1');
    server.answer = () => updateOf({ number: 2, log_start: 1, log: ['moved'], waiting: 'other' });
    await table.answer('go b1');
    red.say(updateOf({ number: 2, side: 'red', log_start: 1, log: ['seen'], waiting: 'you' }));
    expect(table.curtain).toBe('red');
    expect(table.me).toBe('blue');
    expect(table.selected).toBeNull();
    expect(texts(table)).toEqual(['blue sees', 'moved']);
    table.lift();
    expect(table.me).toBe('red');
    expect(texts(table)).toEqual(['red sees', 'seen']);
    expect(table.ask?.side).toBe('red');
    expect(table.seat.token).toBe('tr');
  });

  test("the other side's real dice are told without a curtain", async () => {
    const { table, blue, red } = hotSeat();
    table.lift();
    const asked = updateOf({ number: 2, seq: 8, side: 'red', log_start: 1, log: [] });
    asked.view.ask!.dice = dice({ number: 2, sides: 6, what: 'rally' });
    blue.say(updateOf({ number: 2, log_start: 1, waiting: 'other' }));
    red.say(asked);
    expect(table.curtain).toBe('');
    expect(table.me).toBe('blue');
    expect(table.ask?.dice?.number).toBe(2);
    server.answer = () => updateOf({ number: 3, side: 'red', log_start: 1, log: ['rolled'], waiting: 'other' });
    expect(await table.answer('dice 3 4')).toBe(true);
    expect(server.calls[0]).toMatchObject({ token: 'tr', body: { seq: 8, key: 'dice 3 4' } });
    blue.say(updateOf({ number: 3, log_start: 1, log: ['rolled'] }));
    expect(table.ask?.dice).toBeNull();
    expect(texts(table)).toEqual(['blue sees', 'rolled']);
  });

  test('without the curtain the sides change at once', () => {
    curtain = false;
    const { table, blue, red } = hotSeat();
    expect(table.curtain).toBe('');
    blue.say(updateOf({ number: 2, log_start: 1, log: ['x'], waiting: 'other' }));
    red.say(updateOf({ number: 2, side: 'red', log_start: 1, log: ['y'], waiting: 'you' }));
    expect(table.me).toBe('red');
    expect(table.curtain).toBe('');
  });

  test('a side whose socket is down is fetched after an answer', async () => {
    const { table, red } = hotSeat();
    table.lift();
    red.drop();
    server.answer = (call: Call) =>
      call.token === 'tr'
        ? updateOf({ number: 2, side: 'red', log: ['red sees', 'seen'], waiting: 'you' })
        : updateOf({ number: 2, log_start: 1, log: ['moved'], waiting: 'other' });
    await table.answer('go b1');
    expect(table.curtain).toBe('red');
  });
});

describe('looking', () => {
  test('a selected unit brings its prospect, once', async () => {
    const { table } = solo({ seq: 3 });
    server.answer = () => ({ seq: 3, unit: 'b1', branches: [] });
    table.select('b1');
    await settle();
    expect(table.outlook.prospect?.unit).toBe('b1');
    table.select(null);
    expect(table.outlook.prospect).toBeNull();
    table.select('b1');
    await settle();
    expect(table.outlook.prospect?.unit).toBe('b1');
    expect(server.calls).toHaveLength(1);
  });

  test('a unit that can do nothing is selected without a prospect', async () => {
    const { table } = solo({ units: [{ id: 'r1', side: 'red' }] });
    table.select('r1');
    await settle();
    expect(table.selected).toBe('r1');
    expect(server.calls).toHaveLength(0);
  });

  test('a unit that is gone is let go', () => {
    const { table, socket } = solo();
    table.select('b1');
    socket.say(updateOf({ number: 2, units: [] }));
    expect(table.selected).toBeNull();
  });

  test('odds are fetched once for a question', async () => {
    const { table, socket } = solo();
    server.answer = (call) => (call.path.endsWith('/odds') ? { keys: ['a'], exact: true } : {});
    await table.odds(['a']);
    await table.odds(['a']);
    expect(server.calls).toHaveLength(1);
    socket.say(updateOf({ number: 2 }));
    await table.odds(['a']);
    expect(server.calls).toHaveLength(2);
  });
});

describe('replay', () => {
  test('shows a frame with its log, and goes back to the present', async () => {
    const { table, socket } = solo({ log: ['a', 'b', 'c'], frames: 3 });
    server.answer = () => updateOf({ number: 1, turn: 9 });
    await table.replay.show(1);
    expect(table.replay).toMatchObject({ on: true, number: 1 });
    expect(table.view.turn).toBe(9);
    expect(texts(table)).toEqual(['a', 'b']);
    expect(table.live).toBe(false);
    expect(table.ask).toBeNull();
    socket.say(updateOf({ number: 2, log_start: 3, log: ['d'], frames: 1, frames_start: 3 }));
    expect(table.view.turn, 'news do not disturb the replay').toBe(9);
    expect(table.frames).toHaveLength(4);
    table.goLive();
    expect(table.view.turn).toBe(1);
    expect(texts(table)).toEqual(['a', 'b', 'c', 'd']);
    expect(table.live).toBe(true);
  });

  test('plays to the end and stops', async () => {
    const { table } = solo({ log: ['a', 'b', 'c'], frames: 3 });
    server.answer = () => updateOf();
    await table.replay.play();
    expect(table.replay).toMatchObject({ on: true, number: 0, playing: true });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(table.replay).toMatchObject({ number: 2, playing: false });
  });

  test('a number beyond the frames is the nearest', async () => {
    const { table } = solo({ log: ['a', 'b'], frames: 2 });
    server.answer = () => updateOf();
    await table.replay.show(99);
    expect(table.replay.number).toBe(1);
  });
});
