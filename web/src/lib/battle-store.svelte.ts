/**
 * The one store of an open battle: what is shown, what is asked, and what the player does about it.
 *
 * Every side that is played at this screen has a `Seat`: its address at the server, its log and its frames, always up
 * to date. What is *shown* may lag behind: steps of others are shown one by one (pacing), a replay shows a frame, and
 * at one screen for two sides a curtain hides the map until the other player has sat down.
 */
import { Api, ApiError, type LineOptions, type LineState, type SeatApi } from './api';
import { Seat, type Step } from './seat';
import { noLayers, type Layers } from './layers';
import { RequestCache } from './request-cache';
import { Outlook } from './outlook.svelte';
import { Pacing, type PacingOptions } from './pacing.svelte';
import { Replay } from './replay.svelte';
import type { AskView, Battle, Frame, LogLine, NewOrder, OddsView, PreviewView, SeatKey, TakingBack, Update, View } from './types';

export type Tool = 'none' | 'sight' | 'field' | 'rings' | 'tape';
export interface Hovered {
  unit?: string;
  place?: string;
}

/** What the table needs from outside; tests put in their own. */
export interface BattleStoreOptions extends PacingOptions {
  api?: Api;
  /** Whether the map is hidden when the other player at this screen is asked. */
  curtain?(): boolean;
  openSocket?: LineOptions['open'];
}

export class BattleStore {
  battle: Battle;
  /** The update that is shown, of the side that is shown; in a replay the latest one. */
  update: Update = $state.raw() as Update;
  /** What is drawn: the latest, a paced step, or a replay's frame. */
  view: View = $state.raw() as View;
  /** The log as far as it is shown; `history` is all of it. */
  log: LogLine[] = $state.raw([]);
  history: LogLine[] = $state.raw([]);
  frames: Frame[] = $state.raw([]);
  /** The lines that came with the last step, for the announcer, the sounds and the tracers. */
  fresh: LogLine[] = $state.raw([]);
  /** The view before the last step: who is gone since can still be pointed at. */
  before: View | null = $state.raw(null);

  seats: SeatKey[] = $state.raw([]);
  me = $state('');
  /** The side that should sit down before its view is shown; "" when there is no curtain. */
  curtain = $state('');

  /** Real dice that the other side at this screen has to throw: no secret, so whoever sits there may tell them. */
  private faces: AskView | null = $state.raw(null);

  selected: string | null = $state(null);
  hovered: Hovered | null = $state.raw(null);
  busy = $state(false);
  problem = $state('');
  connection: LineState = $state('connecting');
  refused = $state('');

  tool: Tool = $state('none');
  layers: Layers = $state.raw(noLayers());
  readonly outlook = new Outlook(this);
  readonly replay = new Replay(this);

  private readonly api: Api;
  private readonly options: BattleStoreOptions;
  private taken: Seat[] = [];
  private held: Update[] = [];
  private readonly pacing: Pacing;
  private readonly oddsKnown = new RequestCache<OddsView>(400);

  constructor(battle: Battle, keys: SeatKey[], first: Update[], options: BattleStoreOptions = {}) {
    this.battle = battle;
    this.options = options;
    this.api = options.api ?? new Api();
    this.pacing = new Pacing(this, (step) => this.put(this.own, step, true), options);
    this.seats = keys;
    this.taken = keys.map((key, index) => {
      const update = first[index];
      if (!update) throw new Error(`no first update for the side ${key.side}`);
      return new Seat(key, this.api.seat(battle.id, key.token), update);
    });
    const start = this.taken.find((seat) => seat.latest.waiting === 'you') ?? this.taken[0];
    if (!start) throw new Error('a table needs at least one seat');
    this.me = start.key.side;
    this.put(start, start.step, false);
  }

  /** Open a battle: find out which sides the tokens play, and what they see. */
  static async open(id: string, tokens: string[], options: BattleStoreOptions = {}): Promise<BattleStore> {
    const api = options.api ?? new Api();
    const first = tokens[0];
    if (!first) throw new Error('This link isn’t complete. Open the whole link that you were given.');
    const [battle, ...updates] = await Promise.all([
      api.seat(id, first).battle(),
      ...tokens.map((token) => api.seat(id, token).state()),
    ]);
    const keys = updates.map((update, index) => ({ side: update.side, token: tokens[index] ?? '' }));
    return new BattleStore(battle, keys, updates, { ...options, api });
  }

  /** Connect the sockets. Where two sides sit at one screen, the asked one says that it is there first. */
  start(): void {
    if (this.shared && !this.over && (this.options.curtain?.() ?? true)) this.curtain = this.me;
    for (const seat of this.taken) {
      seat.connect({
        onupdate: (update) => this.heard(seat, update),
        onstate: (state, why) => this.lineChanged(state, why),
        ...(this.options.openSocket ? { open: this.options.openSocket } : {}),
      });
    }
  }

  /** Leave the table. */
  stop(): void {
    this.pacing.clear();
    this.replay.pause();
    for (const seat of this.taken) seat.line?.stop();
  }

  // ---- what is so ---------------------------------------------------------------------------------------

  /** Whether what is shown is the latest: only then can one act. */
  get live(): boolean {
    return !this.replay.on && this.waiting === 0 && !this.curtain;
  }

  /** The question that the shown side has to answer, null while there is none or it cannot be answered now. */
  get ask(): AskView | null {
    return this.live ? (this.faces ?? this.view.ask) : null;
  }

  /** How many steps wait to be shown. */
  get waiting(): number {
    return this.pacing.waiting;
  }

  get over(): boolean {
    return this.update.waiting === 'over';
  }

  /** The server as the shown side sees it. */
  get seat(): SeatApi {
    return this.own.api;
  }

  /** Whether nobody here plays a side: a watcher sees what everybody may see, and is asked nothing. */
  get watching(): boolean {
    return !this.battle.sides.includes(this.me);
  }

  /** Whether several sides are played at this screen. */
  get shared(): boolean {
    return this.taken.length > 1;
  }

  /** The colour of a side's counters, or one of the page's own. */
  colour(side: string): string {
    const own = this.battle.board.colours[side];
    if (own) return own;
    const index = this.battle.sides.indexOf(side);
    return index < 0 ? 'var(--ink-2)' : `var(--side-${(index % 4) + 1})`;
  }

  private get own(): Seat {
    const found = this.taken.find((seat) => seat.key.side === this.me) ?? this.taken[0];
    if (!found) throw new Error('a table needs at least one seat');
    return found;
  }

  // ---- hearing ------------------------------------------------------------------------------------------

  private lineChanged(state: LineState, why: string): void {
    if (state === 'refused') this.refused = why;
    const order: LineState[] = ['refused', 'offline', 'connecting', 'online'];
    const states = this.taken.map((seat) => seat.line?.state ?? 'connecting');
    this.connection = order.find((each) => states.includes(each)) ?? 'connecting';
  }

  /** Something came through a socket. While an own answer is on its way it waits, to know whose doing it is. */
  private heard(seat: Seat, update: Update): void {
    if (this.busy && seat === this.own) this.held.push(update);
    else this.receive(seat, update, this.shared);
  }

  /** Take what the server says of a side; `own` says that it was done at this screen and is shown at once. */
  private receive(seat: Seat, update: Update, own: boolean): void {
    if (update.number < seat.latest.number) return;
    if (update.number === seat.latest.number && update.seq === seat.latest.seq) {
      this.refreshSeats(seat, update);
      return;
    }
    if (!seat.fits(update)) {
      void this.resync(seat);
      return;
    }
    const grew = update.log_start + update.view.log.length > seat.log.length;
    seat.take(update);
    if (seat === this.own) {
      this.history = seat.log;
      if (own || this.pacing.atOnce) this.pacing.jump(seat.step);
      else this.pacing.add(seat.step, grew);
    }
    this.settle();
  }

  private refreshSeats(seat: Seat, update: Update): void {
    const seats = update.seats;
    seat.latest = { ...seat.latest, seats };
    if (seat === this.own) this.update = { ...this.update, seats };
  }

  /** Show all steps that wait at once, and those that still come until somebody here is asked. */
  skip(): void {
    this.pacing.skip(this.own.latest.waiting === 'other');
    this.settle();
  }

  /** What came of a throw has been read: the next step that waits is shown. */
  readOn(): void {
    this.pacing.readOn();
    this.settle();
  }

  /** Put a step on the table. */
  private put(seat: Seat, step: Step, news: boolean): void {
    const before = this.log;
    const same = step.log.length >= before.length && (before.length === 0 || step.log[before.length - 1] === before.at(-1));
    this.history = seat.log;
    this.frames = seat.frames;
    this.update = step.update;
    if (this.replay.on) return;
    this.lay(step.update.view, step.log, news && same ? step.log.slice(before.length) : []);
    this.pacing.shown(step.update);
  }

  /** Draw a view, with the log as far as it goes by then; `fresh` are the lines that came with it. */
  lay(view: View, log: LogLine[], fresh: LogLine[]): void {
    this.before = this.view;
    this.view = view;
    this.log = log;
    this.fresh = fresh;
    this.refreshSelection();
  }

  /** After everything that was shown: does somebody else at this screen have to sit down? */
  private settle(): void {
    if (!this.shared || this.waiting || this.replay.on) return;
    this.faces = null;
    if (this.own.latest.waiting !== 'other') {
      if (this.curtain !== this.me) this.curtain = '';
      return;
    }
    const asked = this.taken.find((seat) => seat.latest.waiting === 'you');
    if (!asked) return;
    if (asked.latest.view.ask?.dice) {
      this.curtain = '';
      this.faces = asked.latest.view.ask;
      return;
    }
    if (this.options.curtain?.() ?? true) {
      this.curtain = asked.key.side;
      this.select(null);
    } else this.sit(asked);
  }

  /** The player of the asked side has sat down: show its view. */
  lift(): void {
    const asked = this.taken.find((seat) => seat.key.side === this.curtain);
    this.curtain = '';
    if (asked) this.sit(asked);
  }

  private sit(seat: Seat): void {
    this.me = seat.key.side;
    this.select(null);
    this.outlook.forget();
    this.oddsKnown.forget();
    this.replay.forget();
    this.layers = noLayers();
    this.put(seat, seat.step, false);
  }

  /** Fetch everything that this side has missed. */
  private async resync(seat: Seat): Promise<void> {
    try {
      const update = await seat.api.state(0, 0);
      if (update.number < seat.latest.number) return;
      seat.take(update);
      if (seat === this.own) this.pacing.jump(seat.step);
      this.settle();
    } catch (error) {
      this.complain(error);
    }
  }

  // ---- acting -------------------------------------------------------------------------------------------

  /** Say what went wrong. */
  complain(error: unknown): void {
    this.problem = error instanceof Error ? error.message : String(error);
  }

  /** Do something that changes the battle; a stale answer brings the table up to date. */
  private async act(what: (seat: Seat) => Promise<Update>): Promise<boolean> {
    if (!this.live || this.busy) return false;
    const seat = this.taken.find((each) => each.key.side === this.faces?.side) ?? this.own;
    this.busy = true;
    this.problem = '';
    let done = false;
    try {
      const update = await what(seat);
      done = true;
      this.receive(seat, update, true);
    } catch (error) {
      this.complain(error);
      if (error instanceof ApiError && (error.status === 409 || error.status === 0)) await this.resync(seat);
    } finally {
      this.busy = false;
      const held = this.held;
      this.held = [];
      for (const update of held) this.receive(this.own, update, this.shared);
    }
    for (const other of this.taken) if (other !== seat && other.line?.state !== 'online') await this.resync(other);
    return done;
  }

  /** Answer the question; false when it was refused (`problem` says why). */
  answer(key: string): Promise<boolean> {
    const seq = this.faces?.seq ?? this.update.seq;
    return this.act((seat) => seat.api.answer(seq, key));
  }

  /** Answer several questions in a row; the number that were taken. */
  async plan(keys: string[]): Promise<number> {
    const seq = this.update.seq;
    let taken = 0;
    await this.act(async (seat) => {
      const made = await seat.api.plan(seq, keys);
      taken = made.taken;
      return made.update;
    });
    return taken;
  }

  undo(): Promise<boolean> {
    const seq = this.update.seq;
    return this.act((seat) => seat.api.undo(seq));
  }

  /** Between people: ask for a take-back, or say something to one. */
  takeBack(say: TakingBack['say']): Promise<boolean> {
    const number = this.update.number;
    return this.act((seat) => seat.api.takeBack(number, say));
  }

  setOrders(orders: NewOrder[]): Promise<boolean> {
    return this.act((seat) => seat.api.setOrders(orders));
  }

  // ---- looking ------------------------------------------------------------------------------------------

  select(id: string | null): void {
    if (this.selected === id) return;
    this.selected = id;
    this.refreshSelection();
  }

  private refreshSelection(): void {
    const id = this.selected;
    if (id !== null && !this.view.units.some((unit) => unit.id === id)) this.selected = null;
    this.outlook.look();
  }

  /** What answers lead to, exactly or by a quick estimate; fetched once for a question. */
  odds(keys: string[], quick = false): Promise<OddsView> {
    const seq = this.update.seq;
    return this.oddsKnown.get(`${this.update.number} ${seq} ${quick} ${keys.join('\n')}`, () => this.seat.odds(seq, keys, quick));
  }

  /** What a pose would come to at the question that stands; with where its form and heading may go, if wanted. */
  preview(key: string, area = false): Promise<PreviewView> {
    return this.seat.preview(this.update.seq, key, area);
  }

  /** Leave the replay: show the present. */
  goLive(): void {
    this.replay.stop();
    this.pacing.clear();
    const seat = this.own;
    this.put(seat, seat.step, false);
    this.settle();
  }
}
