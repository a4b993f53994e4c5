/** Records for tests, made through the same border as those of the server. */
import { Api, type Fetch, type SocketLike } from '../src/lib/api';
import * as normaliseBattle from '../src/lib/normalise-battle';
import * as normaliseView from '../src/lib/normalise-view';
import type { Battle, Update } from '../src/lib/types';

export function battleOf(more: Record<string, unknown> = {}): Battle {
  return normaliseBattle.battle({
    id: 'b1',
    game: 'game',
    game_title: 'A Game',
    scenario: 'field',
    title: 'The Field',
    sides: ['blue', 'red'],
    turns: 5,
    mode: 'solo',
    land: '/land.svg',
    ...more,
  });
}

export interface UpdateWords {
  number?: number;
  seq?: number;
  side?: string;
  waiting?: string;
  log?: (string | Record<string, unknown>)[];
  log_start?: number;
  frames?: number;
  frames_start?: number;
  units?: Record<string, unknown>[];
  options?: Record<string, unknown>[];
  turn?: number;
  may_undo?: string;
}

export function updateOf(words: UpdateWords = {}): Update {
  const { number = 1, seq = number, side = 'blue', waiting = 'you', log = [], frames = 0, frames_start = 0 } = words;
  const options = words.options ?? [{ key: 'go b1', verb: 'go', unit: 'b1' }, { key: 'pass', verb: 'pass' }];
  return normaliseView.update({
    number,
    seq,
    side,
    waiting,
    log_start: words.log_start ?? 0,
    frames_start,
    frames: Array.from({ length: frames }, (_, at) => ({
      number: frames_start + at,
      turn: 1,
      phase: 'Play',
      log: frames_start + at + 1,
    })),
    may_undo: words.may_undo ?? '',
    seats: [
      { side: 'blue', player: 'human', online: true },
      { side: 'red', player: 'easy' },
    ],
    view: {
      side,
      turn: words.turn ?? 1,
      phase: 'Play',
      units: words.units ?? [{ id: 'b1', side: 'blue', name: 'Squad b1', symbol: '', place: 'A1' }],
      log: log.map((line) => (typeof line === 'string' ? { text: line } : line)),
      ask: waiting === 'you' ? { seq, side, prompt: 'What now?', options } : null,
    },
  });
}

export interface Call {
  method: string;
  path: string;
  token: string;
  body: unknown;
}

/** A server that answers by a function, and keeps what it was asked. */
export class FakeServer {
  readonly calls: Call[] = [];
  answer: (call: Call) => unknown;
  readonly api: Api;

  constructor(answer: (call: Call) => unknown = () => ({})) {
    this.answer = answer;
    const fetcher: Fetch = async (input, init) => {
      const headers = (init?.headers ?? {}) as Record<string, string>;
      const call: Call = {
        method: init?.method ?? 'GET',
        path: input,
        token: (headers['Authorization'] ?? '').replace('Bearer ', ''),
        body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
      };
      this.calls.push(call);
      const told = await this.answer(call);
      if (told instanceof Response) return told;
      return new Response(JSON.stringify(told), { status: 200 });
    };
    this.api = new Api('', fetcher);
  }
}

export function refusal(status: number, error: string, message: string): Response {
  return new Response(JSON.stringify({ error, message }), { status });
}

/** A socket in the test's hands. */
export class FakeSocket implements SocketLike {
  static opened: FakeSocket[] = [];
  readonly url: string;
  onopen: SocketLike['onopen'] = null;
  onmessage: SocketLike['onmessage'] = null;
  onclose: SocketLike['onclose'] = null;
  onerror: SocketLike['onerror'] = null;
  readonly sent: string[] = [];
  closed = false;

  constructor(url: string) {
    this.url = url;
    FakeSocket.opened.push(this);
  }

  send(data: string): void {
    this.sent.push(data);
  }

  close(): void {
    this.closed = true;
  }

  connect(): void {
    this.onopen?.(new Event('open'));
  }

  say(data: unknown): void {
    this.onmessage?.({ data: typeof data === 'string' ? data : JSON.stringify(data) } as MessageEvent);
  }

  drop(code = 1006): void {
    this.onclose?.({ code } as CloseEvent);
  }
}
