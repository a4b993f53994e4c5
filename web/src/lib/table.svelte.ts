/**
 * The one store of an open battle: what is shown, what is asked, and what the player does about it.
 *
 * Every side that is played at this screen has a `Chair`: its seat at the server, its log and its frames, always up
 * to date. What is *shown* may lag behind: steps of others are shown one by one (pacing), a replay shows a frame, and
 * at one screen for two sides a curtain hides the map until the other player has sat down.
 */
import { Api, ApiError, Line, type LineOptions, type LineState, type SeatApi } from './api';
import { noLayers, type Layers } from './layers';
import { placedAsk } from './lengths';
import { paces } from './news';
import type {
  AskView,
  BarView,
  Battle,
  EndView,
  FieldView,
  Frame,
  LogLine,
  NewOrder,
  OddsView,
  PreviewView,
  Prospect,
  SeatKey,
  SightView,
  Update,
  View,
} from './types';

export type Tool = 'none' | 'sight' | 'field' | 'rings' | 'tape';
export interface Hovered {
  unit?: string;
  place?: string;
}

/** What the table needs from outside; tests put in their own. */
export interface TableOptions {
  api?: Api;
  /** How long a step of somebody else stays, in milliseconds; read each time. */
  pace?(): number;
  /** Whether the map is hidden when the other player at this screen is asked. */
  curtain?(): boolean;
  openSocket?: LineOptions['open'];
  now?(): number;
}

/** The longest that steps which nobody looked at are shown one by one; beyond it the table jumps to the latest. */
const QUEUE_MAX = 60;

/** One side that is played at this screen: its seat, and all that it has been told. */
class Chair {
  readonly key: SeatKey;
  readonly seat: SeatApi;
  line: Line | null = null;
  /** The latest that the server said. */
  latest: Update;
  log: LogLine[];
  frames: Frame[];

  constructor(key: SeatKey, seat: SeatApi, first: Update) {
    this.key = key;
    this.seat = seat;
    this.latest = first;
    this.log = first.view.log;
    this.frames = first.frames;
  }

  /** Whether an update can be laid on what is known: nothing is missing between the two. */
  fits(update: Update): boolean {
    return update.log_start <= this.log.length && update.frames_start <= this.frames.length;
  }

  take(update: Update): void {
    this.log = [...this.log.slice(0, update.log_start), ...update.view.log];
    this.frames = [...this.frames.slice(0, update.frames_start), ...update.frames];
    this.latest = update;
  }
}

/** A step that waits to be shown. */
interface Step {
  update: Update;
  log: LogLine[];
  frames: Frame[];
}

export class Table {
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
  prospect: Prospect | null = $state.raw(null);
  busy = $state(false);
  problem = $state('');
  connection: LineState = $state('connecting');
  refused = $state('');

  /** `speed` is how long a moment stays while the replay plays, in milliseconds. */
  replay: { on: boolean; number: number; playing: boolean; reveal: boolean; speed: number } = $state({
    on: false,
    number: 0,
    playing: false,
    reveal: false,
    speed: 800,
  });
  tool: Tool = $state('none');
  layers: Layers = $state.raw(noLayers());
  /** How many steps wait to be shown. */
  waiting = $state(0);

  private readonly api: Api;
  private readonly options: TableOptions;
  private chairs: Chair[] = [];
  private queue: Step[] = [];
  private held: Update[] = [];
  private shownAt = -Infinity;
  private skipping = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private replayTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly prospects = new Map<string, Promise<Prospect | null>>();
  private prospecting: Promise<unknown> = Promise.resolve();
  /** While it is on its way what the selected unit can do: fulfilled when it is known. */
  looking: Promise<void> | null = null;
  private readonly oddsMade = new Map<string, Promise<OddsView>>();
  private readonly frameMade = new Map<string, Promise<Update>>();
  private replayAsked = 0;

  constructor(battle: Battle, keys: SeatKey[], first: Update[], options: TableOptions = {}) {
    this.battle = battle;
    this.options = options;
    this.api = options.api ?? new Api();
    this.seats = keys;
    this.chairs = keys.map((key, index) => {
      const update = first[index];
      if (!update) throw new Error(`no first update for the side ${key.side}`);
      return new Chair(key, this.api.seat(battle.id, key.token), this.worded(update));
    });
    const start = this.chairs.find((chair) => chair.latest.waiting === 'you') ?? this.chairs[0];
    if (!start) throw new Error('a table needs at least one seat');
    this.me = start.key.side;
    this.put(start, { update: start.latest, log: start.log, frames: start.frames }, false);
  }

  /** Open a battle: find out which sides the tokens play, and what they see. */
  static async open(id: string, tokens: string[], options: TableOptions = {}): Promise<Table> {
    const api = options.api ?? new Api();
    const first = tokens[0];
    if (!first) throw new Error('A battle is opened by the link of a seat; this link has no seat in it.');
    const [battle, ...updates] = await Promise.all([
      api.seat(id, first).battle(),
      ...tokens.map((token) => api.seat(id, token).state()),
    ]);
    const keys = updates.map((update, index) => ({ side: update.side, token: tokens[index] ?? '' }));
    return new Table(battle, keys, updates, { ...options, api });
  }

  /** Connect the sockets. Where two sides sit at one screen, the asked one says that it is there first. */
  start(): void {
    if (this.shared && !this.over && (this.options.curtain?.() ?? true)) this.curtain = this.me;
    for (const chair of this.chairs) {
      const options: LineOptions = {
        have: () => ({ log: chair.log.length, frames: chair.frames.length }),
        onupdate: (update) => this.heard(chair, update),
        onstate: (state, why) => this.lineChanged(state, why),
      };
      if (this.options.openSocket) options.open = this.options.openSocket;
      chair.line = new Line(chair.seat, options);
      chair.line.start();
    }
  }

  /** Leave the table. */
  stop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.replayTimer);
    for (const chair of this.chairs) chair.line?.stop();
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

  get over(): boolean {
    return this.update.waiting === 'over';
  }

  /** The server as the shown side sees it. */
  get seat(): SeatApi {
    return this.chair.seat;
  }

  /** Whether nobody here plays a side: a watcher sees what everybody may see, and is asked nothing. */
  get watching(): boolean {
    return !this.battle.sides.includes(this.me);
  }

  /** Whether several sides are played at this screen. */
  get shared(): boolean {
    return this.chairs.length > 1;
  }

  /** The colour of a side's counters, or one of the page's own. */
  colour(side: string): string {
    const own = this.battle.board.colours[side];
    if (own) return own;
    const index = this.battle.sides.indexOf(side);
    return index < 0 ? 'var(--ink-2)' : `var(--side-${(index % 4) + 1})`;
  }

  private get chair(): Chair {
    const found = this.chairs.find((chair) => chair.key.side === this.me) ?? this.chairs[0];
    if (!found) throw new Error('a table needs at least one seat');
    return found;
  }

  // ---- hearing ------------------------------------------------------------------------------------------

  private lineChanged(state: LineState, why: string): void {
    if (state === 'refused') this.refused = why;
    const order: LineState[] = ['refused', 'offline', 'connecting', 'online'];
    const states = this.chairs.map((chair) => chair.line?.state ?? 'connecting');
    this.connection = order.find((each) => states.includes(each)) ?? 'connecting';
  }

  /** Something came through a socket. While an own answer is on its way it waits, to know whose doing it is. */
  private heard(chair: Chair, update: Update): void {
    if (this.busy && chair === this.chair) this.held.push(update);
    else this.receive(chair, update, this.shared);
  }

  /** Take what the server says of a side; `own` says that it was done at this screen and is shown at once. */
  private receive(chair: Chair, update: Update, own: boolean): void {
    if (update.number < chair.latest.number) return;
    if (update.number === chair.latest.number && update.seq === chair.latest.seq) {
      this.refreshSeats(chair, update);
      return;
    }
    if (!chair.fits(update)) {
      void this.resync(chair);
      return;
    }
    const grew = update.log_start + update.view.log.length > chair.log.length;
    chair.take(this.worded(update));
    const step: Step = { update: chair.latest, log: chair.log, frames: chair.frames };
    if (chair === this.chair) {
      this.history = chair.log;
      if (own || this.skipping || this.paceNow() === 0) this.jump(chair, step);
      else this.enqueue(chair, step, grew);
    }
    this.settle();
  }

  /** An update whose question tells places in words. */
  private worded(update: Update): Update {
    const ask = placedAsk(update.view.ask, this.battle.board);
    return ask === update.view.ask ? update : { ...update, view: { ...update.view, ask } };
  }

  private refreshSeats(chair: Chair, update: Update): void {
    const seats = update.seats;
    chair.latest = { ...chair.latest, seats };
    if (chair === this.chair) this.update = { ...this.update, seats };
  }

  private paceNow(): number {
    return this.options.pace?.() ?? 0;
  }

  private now(): number {
    return this.options.now?.() ?? performance.now();
  }

  private enqueue(chair: Chair, step: Step, grew: boolean): void {
    const last = this.queue.at(-1);
    // A step in which nothing was seen to happen takes no time of its own.
    if (!grew && last && last.log.length === step.log.length) this.queue[this.queue.length - 1] = step;
    else this.queue.push(step);
    if (this.queue.length > QUEUE_MAX) {
      this.jump(chair, step);
      return;
    }
    this.waiting = this.queue.length;
    this.pump();
  }

  /** Show the next step that waits when the last has been seen long enough. */
  private pump(): void {
    clearTimeout(this.timer);
    const next = this.queue[0];
    if (!next || this.replay.on) return;
    const grew = next.log.length !== this.log.length;
    const wait = grew ? this.shownAt + this.paceNow() * paces(this.fresh, next.log.slice(this.log.length)) - this.now() : 0;
    if (wait > 0) {
      this.timer = setTimeout(() => this.pump(), wait);
      return;
    }
    this.queue.shift();
    this.waiting = this.queue.length;
    this.put(this.chair, next, true);
    this.pump();
  }

  /** Show all steps that wait at once, and those that still come until somebody here is asked. */
  skip(): void {
    this.skipping = this.chair.latest.waiting === 'other';
    const last = this.queue.at(-1);
    if (last) this.jump(this.chair, last);
    this.settle();
  }

  private jump(chair: Chair, step: Step): void {
    clearTimeout(this.timer);
    this.queue = [];
    this.waiting = 0;
    this.put(chair, step, true);
  }

  /** Put a step on the table. */
  private put(chair: Chair, step: Step, news: boolean): void {
    const before = this.log;
    const same = step.log.length >= before.length && (before.length === 0 || step.log[before.length - 1] === before.at(-1));
    this.history = chair.log;
    this.frames = chair.frames;
    this.update = step.update;
    if (this.replay.on) return;
    this.before = this.view;
    this.view = step.update.view;
    this.log = step.log;
    this.fresh = news && same ? step.log.slice(before.length) : [];
    if (this.fresh.length) this.shownAt = this.now();
    if (step.update.waiting !== 'other') this.skipping = false;
    this.refreshSelection();
  }

  /** After everything that was shown: does somebody else at this screen have to sit down? */
  private settle(): void {
    if (!this.shared || this.queue.length || this.replay.on) return;
    this.faces = null;
    if (this.chair.latest.waiting !== 'other') {
      if (this.curtain !== this.me) this.curtain = '';
      return;
    }
    const asked = this.chairs.find((chair) => chair.latest.waiting === 'you');
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
    const asked = this.chairs.find((chair) => chair.key.side === this.curtain);
    this.curtain = '';
    if (asked) this.sit(asked);
  }

  private sit(chair: Chair): void {
    this.me = chair.key.side;
    this.select(null);
    this.prospects.clear();
    this.oddsMade.clear();
    this.frameMade.clear();
    this.layers = noLayers();
    this.put(chair, { update: chair.latest, log: chair.log, frames: chair.frames }, false);
  }

  /** Fetch everything that this side has missed. */
  private async resync(chair: Chair): Promise<void> {
    try {
      const update = await chair.seat.state(0, 0);
      if (update.number < chair.latest.number) return;
      chair.take(this.worded(update));
      const step = { update: chair.latest, log: chair.log, frames: chair.frames };
      if (chair === this.chair) this.jump(chair, step);
      this.settle();
    } catch (error) {
      this.complain(error);
    }
  }

  /** Fetch the state of every side again. */
  async refresh(): Promise<void> {
    await Promise.all(this.chairs.map((chair) => this.resync(chair)));
  }

  // ---- acting -------------------------------------------------------------------------------------------

  private complain(error: unknown): void {
    this.problem = error instanceof Error ? error.message : String(error);
  }

  /** Do something that changes the battle; a stale answer brings the table up to date. */
  private async act(what: (chair: Chair) => Promise<Update>): Promise<boolean> {
    if (!this.live || this.busy) return false;
    const chair = this.chairs.find((each) => each.key.side === this.faces?.side) ?? this.chair;
    this.busy = true;
    this.problem = '';
    let done = false;
    try {
      const update = await what(chair);
      done = true;
      this.receive(chair, update, true);
    } catch (error) {
      this.complain(error);
      if (error instanceof ApiError && (error.status === 409 || error.status === 0)) await this.resync(chair);
    } finally {
      this.busy = false;
      const held = this.held;
      this.held = [];
      for (const update of held) this.receive(this.chair, update, this.shared);
    }
    for (const other of this.chairs) if (other !== chair && other.line?.state !== 'online') await this.resync(other);
    return done;
  }

  /** Answer the question; false when it was refused (`problem` says why). */
  answer(key: string): Promise<boolean> {
    const seq = this.faces?.seq ?? this.update.seq;
    return this.act((chair) => chair.seat.answer(seq, key));
  }

  /** Answer several questions in a row; the number that were taken. */
  async plan(keys: string[]): Promise<number> {
    const seq = this.update.seq;
    let taken = 0;
    await this.act(async (chair) => {
      const made = await chair.seat.plan(seq, keys);
      taken = made.taken;
      return made.update;
    });
    return taken;
  }

  undo(): Promise<boolean> {
    const seq = this.update.seq;
    return this.act((chair) => chair.seat.undo(seq));
  }

  setOrders(orders: NewOrder[]): Promise<boolean> {
    return this.act((chair) => chair.seat.setOrders(orders));
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
    const ask = this.ask;
    if (this.selected === null || !ask?.options.some((option) => option.unit === this.selected)) {
      this.prospect = this.looking = null;
      return;
    }
    if (this.prospect?.seq === ask.seq && this.prospect.unit === this.selected) return;
    this.prospect = null;
    const looking = this.fetchProspect(ask.seq, this.selected).finally(() => {
      if (this.looking === looking) this.looking = null;
    });
    this.looking = looking;
  }

  private async fetchProspect(seq: number, unit: string): Promise<void> {
    // One at a time: who leafs through the units wants only the last, and answers must not wait behind the others.
    await this.prospecting;
    if (this.selected !== unit || this.ask?.seq !== seq) return;
    const wanted = this.prospectOf(seq, unit);
    this.prospecting = wanted;
    const found = await wanted;
    if (found && this.selected === unit && this.ask?.seq === seq) this.prospect = found;
  }

  /** What a unit can do at this question; fetched once. */
  prospectOf(seq: number, unit: string): Promise<Prospect | null> {
    const name = `${this.update.number} ${seq} ${unit}`;
    let made = this.prospects.get(name);
    if (!made) {
      if (this.prospects.size > 200) this.prospects.clear();
      // A prospect that cannot be had costs only the hints on the map: the options still stand as buttons.
      made = this.seat.prospect(seq, unit).catch(() => null);
      this.prospects.set(name, made);
    }
    return made;
  }

  /** What answers lead to; fetched once for a question. */
  odds(keys: string[]): Promise<OddsView> {
    const seq = this.update.seq;
    const name = `${this.update.number} ${seq} ${keys.join('\n')}`;
    let made = this.oddsMade.get(name);
    if (!made) {
      if (this.oddsMade.size > 400) this.oddsMade.clear();
      made = this.seat.odds(seq, keys);
      this.oddsMade.set(name, made);
      made.catch(() => this.oddsMade.delete(name));
    }
    return made;
  }

  /** What a pose would come to at the question that stands; with where its form and heading may go, if wanted. */
  preview(key: string, area = false): Promise<PreviewView> {
    return this.seat.preview(this.update.seq, key, area);
  }

  whyNot(words: string): Promise<BarView[]> {
    return this.seat.whyNot(words);
  }

  sight(from: string, to: string): Promise<SightView> {
    return this.seat.sight(from, to);
  }

  field(unit: string): Promise<FieldView> {
    return this.seat.field(unit);
  }

  rollOdds(line: number): Promise<OddsView> {
    return this.seat.rollOdds(line);
  }

  end(): Promise<EndView> {
    return this.seat.end();
  }

  share(frame: number): Promise<string> {
    return this.seat.share(frame).then((shared) => shared.link);
  }

  // ---- replay -------------------------------------------------------------------------------------------

  /** Show a moment of the past; the number is a frame's. */
  async showFrame(number: number): Promise<void> {
    const first = this.frames[0];
    const last = this.frames.at(-1);
    if (!first || !last || this.curtain) return;
    const wanted = Math.min(Math.max(number, first.number), last.number);
    const reveal = this.replay.reveal && this.over;
    const ticket = ++this.replayAsked;
    this.replay.on = true;
    this.replay.number = wanted;
    try {
      const update = await this.frame(wanted, reveal);
      if (ticket !== this.replayAsked || !this.replay.on) return;
      const frame = this.frames.find((each) => each.number === wanted);
      const before = this.log;
      this.before = this.view;
      this.view = { ...update.view, ask: null };
      this.log = this.history.slice(0, frame?.log ?? this.history.length);
      this.fresh = this.log.length > before.length ? this.log.slice(before.length) : [];
      this.refreshSelection();
    } catch (error) {
      if (ticket === this.replayAsked) this.complain(error);
    }
  }

  private frame(number: number, reveal: boolean): Promise<Update> {
    const name = `${this.me} ${this.history.length} ${number} ${reveal}`;
    let made = this.frameMade.get(name);
    if (!made) {
      if (this.frameMade.size > 80) this.frameMade.clear();
      made = this.seat.frame(number, reveal);
      this.frameMade.set(name, made);
      made.catch(() => this.frameMade.delete(name));
    }
    return made;
  }

  /** Show both sides' secrets in the replay of a battle that is over. */
  async setReveal(reveal: boolean): Promise<void> {
    this.replay.reveal = reveal;
    if (this.replay.on) await this.showFrame(this.replay.number);
  }

  /** Play the replay from here, or from the beginning when it stands at the end. */
  async play(): Promise<void> {
    const last = this.frames.at(-1);
    const first = this.frames[0];
    if (!last || !first) return;
    const atEnd = !this.replay.on || this.replay.number >= last.number;
    this.replay.playing = true;
    await this.showFrame(atEnd ? first.number : this.replay.number);
    this.tick();
  }

  pause(): void {
    this.replay.playing = false;
    clearTimeout(this.replayTimer);
  }

  private tick(): void {
    clearTimeout(this.replayTimer);
    if (!this.replay.playing) return;
    const last = this.frames.at(-1);
    if (!last || this.replay.number >= last.number) {
      this.replay.playing = false;
      return;
    }
    const next = this.frames.find((frame) => frame.number > this.replay.number);
    this.replayTimer = setTimeout(
      async () => {
        if (!this.replay.playing || !next) return;
        await this.showFrame(next.number);
        this.tick();
      },
      this.replay.speed,
    );
  }

  /** Leave the replay: show the present. */
  goLive(): void {
    this.pause();
    this.replayAsked += 1;
    this.replay.on = false;
    this.queue = [];
    this.waiting = 0;
    const chair = this.chair;
    this.put(chair, { update: chair.latest, log: chair.log, frames: chair.frames }, false);
    this.settle();
  }
}
