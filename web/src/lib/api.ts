/** The server, typed: requests, refusals as ApiError, and a socket that comes back by itself. */
import * as normaliseBattle from './normalise-battle';
import * as normaliseInquiry from './normalise-inquiry';
import * as normaliseView from './normalise-view';
import type {
  BarView,
  Battle,
  Charts,
  EndView,
  FieldView,
  ImportBattle,
  Lobby,
  Made,
  Moment,
  NewBattle,
  NewOrder,
  OddsView,
  PreviewView,
  Problem,
  Prospect,
  RuleView,
  Shared,
  SightEnd,
  SightView,
  Taken,
  TakingBack,
  ThoughtView,
  Thoughts,
  Update,
} from './types';

export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

/** A refusal by the server, or no answer at all (status 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Problem;

  constructor(status: number, problem: Problem) {
    super(problem.message || `the server refused (${status})`);
    this.name = 'ApiError';
    this.status = status;
    this.problem = problem;
  }
}

interface Call {
  method?: string;
  body?: unknown;
  token?: string;
  query?: Record<string, string | number | boolean>;
}

/** What can be asked of the server without a seat. */
export class Api {
  readonly base: string;
  private readonly fetcher: Fetch;

  constructor(base = '', fetcher: Fetch = (input, init) => fetch(input, init)) {
    this.base = base;
    this.fetcher = fetcher;
  }

  /** The answer to a request; every refusal is an ApiError. */
  async call(path: string, { method = 'GET', body, token, query }: Call = {}): Promise<Response> {
    const headers: Record<string, string> = {};
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (token) headers['Authorization'] = `Bearer ${token}`;
    const words = new URLSearchParams();
    for (const [key, value] of Object.entries(query ?? {})) words.set(key, String(value));
    const url = `${this.base}${path}${words.size ? `?${words}` : ''}`;
    const init: RequestInit = { method, headers, credentials: 'omit', cache: 'no-store' };
    if (body !== undefined) init.body = JSON.stringify(body);
    let response: Response;
    try {
      response = await this.fetcher(url, init);
    } catch {
      throw new ApiError(0, normaliseBattle.problem({ error: 'offline', message: 'Can’t reach the server.' }));
    }
    if (response.ok) return response;
    let told: unknown = {};
    try {
      told = await response.json();
    } catch {
      told = { error: 'unknown', message: `The server answered ${response.status} ${response.statusText}.` };
    }
    throw new ApiError(response.status, normaliseBattle.problem(told));
  }

  /** The decoded answer to a request. */
  async json(path: string, call: Call = {}): Promise<unknown> {
    const response = await this.call(path, call);
    return response.json();
  }

  async lobby(): Promise<Lobby> {
    return normaliseBattle.lobby(await this.json('/api/lobby'));
  }

  async make(battle: NewBattle): Promise<Made> {
    return normaliseBattle.made(await this.json('/api/battles', { method: 'POST', body: battle }));
  }

  async takeIn(battle: ImportBattle): Promise<Made> {
    return normaliseBattle.made(await this.json('/api/battles/import', { method: 'POST', body: battle }));
  }

  async moment(token: string): Promise<Moment> {
    return normaliseBattle.moment(await this.json(`/api/moments/${encodeURIComponent(token)}`));
  }

  async playOn(token: string, players: Record<string, string>): Promise<Made> {
    const path = `/api/moments/${encodeURIComponent(token)}/play`;
    return normaliseBattle.made(await this.json(path, { method: 'POST', body: { players } }));
  }

  async rules(game: string, query: { search?: string; id?: string } = {}): Promise<RuleView[]> {
    return normaliseInquiry.rules(await this.json(`/api/rules/${encodeURIComponent(game)}`, { query }));
  }

  async charts(game: string): Promise<Charts> {
    return normaliseInquiry.charts(await this.json(`/api/charts/${encodeURIComponent(game)}`));
  }

  /** The server as one seat of a battle sees it. */
  seat(id: string, token: string): SeatApi {
    return new SeatApi(this, id, token);
  }
}

/** What a seat can ask: everything goes with its token and comes as its side may see it. */
export class SeatApi {
  readonly api: Api;
  readonly id: string;
  readonly token: string;

  constructor(api: Api, id: string, token: string) {
    this.api = api;
    this.id = id;
    this.token = token;
  }

  private path(rest: string): string {
    return `/api/battles/${encodeURIComponent(this.id)}${rest}`;
  }

  private get(rest: string, query: Record<string, string | number | boolean> = {}): Promise<unknown> {
    return this.api.json(this.path(rest), { token: this.token, query });
  }

  private send(method: string, rest: string, body: unknown): Promise<unknown> {
    return this.api.json(this.path(rest), { method, body, token: this.token });
  }

  async battle(): Promise<Battle> {
    return normaliseBattle.battle(await this.get(''));
  }

  async state(log = 0, frames = 0): Promise<Update> {
    return normaliseView.update(await this.get('/state', { log, frames }));
  }

  async answer(seq: number, key: string): Promise<Update> {
    return normaliseView.update(await this.send('POST', '/answer', { seq, key }));
  }

  async plan(seq: number, keys: string[]): Promise<Taken> {
    return normaliseView.taken(await this.send('POST', '/plan', { seq, keys }));
  }

  async undo(seq: number): Promise<Update> {
    return normaliseView.update(await this.send('POST', '/undo', { seq }));
  }

  /** Between people: ask for a take-back, grant or refuse the other side's, or withdraw one's own. */
  async takeBack(number: number, say: TakingBack['say']): Promise<Update> {
    return normaliseView.update(await this.send('POST', '/take-back', { number, say }));
  }

  async setOrders(orders: NewOrder[]): Promise<Update> {
    return normaliseView.update(await this.send('PUT', '/orders', { orders }));
  }

  async prospect(seq: number, unit: string): Promise<Prospect> {
    return normaliseInquiry.prospect(await this.get('/prospect', { seq, unit }));
  }

  async odds(seq: number, keys: string[], quick = false): Promise<OddsView> {
    return normaliseInquiry.odds(await this.send('POST', '/odds', quick ? { seq, keys, quick } : { seq, keys }));
  }

  async preview(seq: number, key: string, area = false): Promise<PreviewView> {
    return normaliseInquiry.preview(await this.send('POST', '/preview', area ? { seq, key, area } : { seq, key }));
  }

  /** What a program would do, asked about the question that stands: the usual one, or the most thorough. */
  async advice(seq: number, thorough = false): Promise<ThoughtView> {
    return normaliseInquiry.thought(await this.get('/advice', thorough ? { seq, thorough } : { seq }));
  }

  /** What the programs at the table thought, from the answer with this number on. */
  async thoughts(since: number): Promise<Thoughts> {
    return normaliseInquiry.thoughts(await this.get('/thoughts', { since }));
  }

  async whyNot(words: string): Promise<BarView[]> {
    return normaliseInquiry.bars(await this.get('/why-not', { words }));
  }

  /** Of each end it is said whether it is a unit or a place: some units' ids look like hexes. */
  async sight(from: SightEnd, to: SightEnd): Promise<SightView> {
    const ends: Record<string, string> = {};
    for (const [which, end] of [['from', from], ['to', to]] as const) {
      if ('unit' in end) ends[`${which}_unit`] = end.unit;
      else ends[`${which}_place`] = end.place;
    }
    return normaliseInquiry.sight(await this.get('/sight', ends));
  }

  async field(unit: string): Promise<FieldView> {
    return normaliseInquiry.field(await this.get('/field', { unit }));
  }

  async frame(number: number, reveal = false): Promise<Update> {
    return normaliseView.update(await this.get(`/frames/${number}`, reveal ? { reveal } : {}));
  }

  async rollOdds(line: number): Promise<OddsView> {
    return normaliseInquiry.odds(await this.get(`/log/${line}/odds`));
  }

  async end(): Promise<EndView> {
    return normaliseBattle.end(await this.get('/end'));
  }

  /** The saved game as a file. */
  async save(): Promise<Blob> {
    const response = await this.api.call(this.path('/save'), { token: this.token });
    return response.blob();
  }

  /** A link to a moment of the battle, within this server. */
  async share(frame: number): Promise<Shared> {
    return (await this.send('POST', '/share', { frame })) as Shared;
  }

  /** The address of the battle's socket. */
  socketUrl(here: { protocol: string; host: string } = location): string {
    const base = this.api.base || `${here.protocol === 'https:' ? 'wss:' : 'ws:'}//${here.host}`;
    return `${base.replace(/^http/, 'ws')}${this.path('/socket')}`;
  }
}

// ---- the socket ---------------------------------------------------------------------------------------

export type LineState = 'connecting' | 'online' | 'offline' | 'refused';

/** The part of a WebSocket that is used, so that tests can put their own in. */
export interface SocketLike {
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  onerror: ((event: Event) => void) | null;
  send(data: string): void;
  close(code?: number): void;
}

export interface LineOptions {
  /** How long the log and the list of frames are that the client has: the server sends what comes after. */
  have(): { log: number; frames: number };
  onupdate(update: Update): void;
  onstate(state: LineState, why: string): void;
  open?(url: string): SocketLike;
}

const BACKOFF = [500, 1000, 2000, 3000];
/** Somebody is there and wants to go on: no pause is waited for. */
const SIGNS_OF_LIFE = ['online', 'focus', 'pointerdown'] as const;
const PING_EVERY = 25_000;
const PONG_WITHIN = 10_000;

/** A socket of a seat that reconnects with growing pauses and asks for what it missed. */
export class Line {
  state: LineState = 'connecting';
  private readonly seat: SeatApi;
  private readonly options: LineOptions;
  private socket: SocketLike | null = null;
  private tries = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private ping: ReturnType<typeof setInterval> | undefined;
  private pong: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  private readonly awake = (): void => {
    if (this.state === 'offline') this.connect();
  };

  constructor(seat: SeatApi, options: LineOptions) {
    this.seat = seat;
    this.options = options;
  }

  start(): void {
    for (const sign of SIGNS_OF_LIFE) globalThis.addEventListener?.(sign, this.awake);
    this.connect();
  }

  stop(): void {
    this.closed = true;
    for (const sign of SIGNS_OF_LIFE) globalThis.removeEventListener?.(sign, this.awake);
    this.drop();
    clearTimeout(this.retry);
  }

  /** Connect again and ask for everything since what is there. */
  restart(): void {
    this.drop();
    this.connect();
  }

  private drop(): void {
    clearInterval(this.ping);
    clearTimeout(this.pong);
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
    socket.close();
  }

  private say(state: LineState, why = ''): void {
    this.state = state;
    this.options.onstate(state, why);
  }

  private connect(): void {
    if (this.closed) return;
    clearTimeout(this.retry);
    this.drop();
    const open = this.options.open ?? ((url: string) => new WebSocket(url) as SocketLike);
    let socket: SocketLike;
    try {
      socket = open(this.seat.socketUrl());
    } catch {
      this.again();
      return;
    }
    this.socket = socket;
    socket.onopen = () => {
      const { log, frames } = this.options.have();
      socket.send(JSON.stringify({ token: this.seat.token, log, frames }));
      this.ping = setInterval(() => this.beat(), PING_EVERY);
    };
    socket.onmessage = (event) => this.read(event.data);
    socket.onclose = (event) => this.ended(event.code);
    socket.onerror = () => undefined; // a close always follows
  }

  private beat(): void {
    this.socket?.send('ping');
    clearTimeout(this.pong);
    this.pong = setTimeout(() => {
      this.drop();
      this.again();
    }, PONG_WITHIN);
  }

  private read(data: unknown): void {
    this.tries = 0;
    if (this.state !== 'online') this.say('online');
    clearTimeout(this.pong);
    if (typeof data !== 'string' || data === 'pong') return;
    this.options.onupdate(normaliseView.update(JSON.parse(data)));
  }

  private ended(code: number): void {
    this.drop();
    if (code === 4401) this.say('refused', 'This link isn’t valid for this battle.');
    else if (code === 4404) this.say('refused', 'This battle doesn’t exist here.');
    else this.again();
  }

  private again(): void {
    if (this.closed) return;
    this.say('offline');
    const pause = BACKOFF[Math.min(this.tries, BACKOFF.length - 1)] ?? 3000;
    this.tries += 1;
    this.retry = setTimeout(() => this.connect(), pause * (0.8 + Math.random() * 0.4));
  }
}
