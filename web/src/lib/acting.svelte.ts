/**
 * Acting at the table: which unit is chosen, what a click on the map shows and does, and what is drawn for it.
 * What is legal is the server's question; what a click means is told by `acting-logic`.
 */
import { untrack } from 'svelte';
import { bestFirst, percent } from '../components/act/odds';
import { lettersFor } from '../components/act/options';
import { BriefOrders } from '../components/act/brief';
import { asNew, sameOrder, withOrder, withoutOrder } from '../components/act/orders';
import {
  amount,
  anyOption,
  bearingOf,
  choicesFor,
  clickPlace,
  clickUnit,
  hintFor,
  homesOf,
  isAimed,
  isElsewhere,
  isLayingOut,
  picksUnits,
  marksOf,
  nextOf,
  quickOptions,
  readyUnits,
  sameSpot,
  situationOf,
  type Act,
  type Choice,
  type Homes,
  type Marks,
  type Pending,
  type Scene,
  type Situation,
  type Spot,
} from './acting-logic';
import { noLayers, type Ghost, type Layers, type Reach, type Target } from './layers';
import { placeText } from './lengths';
import { Placing } from './placing.svelte';
import { lengthText, readPose } from './pose';
import { Guide } from './lesson.svelte';
import { Reckoner } from './acting-odds.svelte';
import { sideName } from './lobby';
import { shotsOf } from './news';
import { arrow, towards } from './facing';
import type { BarView, NewOrder, OddsView, Option, PreviewView, UnitView } from './types';
import type { Table } from './table.svelte';

/** What the page lends: the board's eye, and the player's wishes. */
export interface Host {
  centre?(place: string): void;
  /** Bring a place into sight, without moving the map if it is; `below` pixels of the map are covered. */
  reveal?(place: string, below?: number): void;
  /** Nothing covers the map any more: what was moved out from under it goes back. */
  settle?(): void;
  /** Where a place is on the screen, within the board's frame. */
  anchor?(place: string): { x: number; y: number } | null;
  /** Whether a click on the map shows first what it would do. */
  settings?: { readonly confirm: boolean };
  /** Bring a part of a table near, where the screen is too small for it; `below` pixels of the map are covered. */
  frame?(left: number, top: number, right: number, bottom: number): void;
  /** Take up the measuring tape, or put it away. */
  tape?(): void;
}

/** How long the other side may take to lay out one of its units, and how often it is looked, in milliseconds. */
const PATIENCE = 60_000;
const TICK = 100;

/** What a hand does with the unit that is being put somewhere; see the board. */
export type Hand =
  | { what: 'move'; x: number; y: number }
  | { what: 'model'; model: string; x: number; y: number }
  | { what: 'head'; degrees: number }
  | { what: 'turn'; by: number }
  | { what: 'spot'; key: string }
  | { what: 'drop' }
  | { what: 'confirm' };

/** On a table a click so near to a marked place means it, in the board's measure. */
const NEAR = 1.5;
/** Letters that a table takes for its tape, and for a unit in the hand. */
const TABLE_LETTERS = ['t'];
const PLACING_LETTERS = ['f', 'm', 'r'];

/** A "why not?" and its answer. */
export interface Why {
  unit: string;
  thing: string;
  bars: BarView[] | null;
  problem: string;
}

export type Dialog = '' | 'help' | 'orders';

/** How long the pointer rests before odds are fetched, in milliseconds. */
const REST = 120;
/** How long it takes until a new panel has its size, in milliseconds. */
const LAID_OUT = 60;
/** How long it takes until a page that was just opened has its map, in milliseconds. */
const FRAMED = 350;
/** How many targets are reckoned beforehand at most. */
const MOST_TARGETS = 6;

/** Answers to give one after the other, and how long the log was when they were begun. */
interface Plan {
  keys: string[];
  unit: string;
  stop: boolean;
  log: number;
}

export class Acting {
  readonly table: Table;
  readonly host: Host;
  readonly guide: Guide | null;
  private readonly brief: BriefOrders;

  pending = $state.raw<Pending | null>(null);
  /** The unit that is being put somewhere, where the question takes any pose. */
  placing = $state.raw<Placing | null>(null);
  private dragging = false;
  /** The one order whose hexes and targets are shown; "" for all. */
  only = $state('');
  why = $state.raw<Why | null>(null);
  dialog = $state<Dialog>('');
  /** The hex that the arrow keys walk over. */
  cursor = $state<string | null>(null);
  /** What a screen reader is told. */
  said = $state('');
  /** A word about what just happened to a plan; it goes by itself. */
  notice = $state('');
  private noticeEnds: ReturnType<typeof setTimeout> | undefined;
  /** Grows when the map was moved, so that what is pinned to it follows. */
  moved = $state(0);
  /** How much of the map's lower edge is covered, in pixels. */
  covered = 0;
  /** Whether the rest is being laid out by itself. */
  laying = $state(false);
  /** Who has left the rest of a laying out to the client, and of which. */
  private readonly restFor = new Set<string>();
  /** What is left of a plan while the other side is asked. */
  private plan: Plan | null = null;
  /** What the pointer rests on. */
  resting = $state.raw<Spot | null>(null);
  private readonly reckoner: Reckoner;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private toFrame: ReturnType<typeof setTimeout> | undefined;
  private toShow: ReturnType<typeof setTimeout> | undefined;
  /** The button that opened what waits to be confirmed. */
  opener: Element | null = null;
  /** The field that a search for options is typed into, while there is one. */
  searchBox: HTMLInputElement | null = null;

  readonly homes: Homes = $derived.by(() => homesOf(this.table.view.units));
  readonly situation: Situation | null = $derived.by(() => (this.table.ask ? situationOf(this.table.ask) : null));
  /** The unit that acts: the one the question is about, or the one selected. */
  readonly actor: string = $derived.by(() => this.situation?.sole || (this.table.selected ?? ''));
  readonly choices: Choice[] = $derived.by(() =>
    this.situation
      ? towards(
          this.atHand(choicesFor(this.situation, this.table.selected ?? '', this.table.prospect, this.homes, this.only)),
          this.situation.ask,
          this.table.battle.board,
        )
      : [],
  );
  readonly marks: Marks = $derived.by(() => marksOf(this.mapped()));
  readonly ready: ReadonlySet<string> = $derived.by(() => new Set(readyUnits(this.situation, this.homes)));
  readonly quick: Option[] = $derived.by(() => (this.situation ? quickOptions(this.situation, this.homes) : []));
  readonly letters: Map<string, string> = $derived.by(() => this.lettersNow());
  /** The choices under the pointer, or those that wait to be confirmed. */
  readonly shown: Pending | null = $derived.by(() => this.pending ?? this.underPointer());
  readonly layers: Layers = $derived.by(() => this.draw());

  constructor(table: Table, host: Host = {}) {
    this.table = table;
    this.host = host;
    const { id, lesson } = table.battle;
    this.brief = new BriefOrders(id);
    this.reckoner = new Reckoner(table);
    this.guide = lesson ? new Guide(lesson, id) : null;
  }

  /** Follow the table; to be called while a component is made. */
  watch(): void {
    $effect(() => {
      void this.table.ask?.seq;
      void this.table.me;
      untrack(() => this.asked());
    });
    $effect(() => {
      void this.table.selected;
      untrack(() => this.chose());
    });
    $effect(() => {
      void [this.table.prospect, this.marks, this.table.connection];
      untrack(() => this.aimAhead());
    });
    $effect(() => {
      void this.table.hovered;
      untrack(() => this.rested());
    });
    $effect(() => {
      void [this.table.ask, this.table.selected, this.table.log, this.table.over, this.table.live];
      untrack(() => this.learn());
    });
    $effect(() => {
      void this.table.view.turn;
      untrack(() => this.endBriefOrders());
    });
    $effect(() => {
      const told = this.placing?.touched && this.placing.settled ? this.placing.told : '';
      if (told && !untrack(() => this.dragging)) this.said = told;
    });
    $effect(() => () => {
      this.placing?.stop();
      clearTimeout(this.rest);
      clearTimeout(this.noticeEnds);
      clearTimeout(this.toShow);
      clearTimeout(this.toFrame);
      this.reckoner.stop();
      this.laying = false;
    });
  }

  // ---- what is so ---------------------------------------------------------------------------------------

  unitOf(id: string): UnitView | null {
    return this.homes.get(id) ?? null;
  }

  /** A unit as people call it. */
  nameOf = (id: string): string => {
    const unit = this.homes.get(id);
    if (!unit) return id;
    const bare = (words: string): string => words.toLowerCase().replace(/[\s_.-]/g, '');
    return bare(unit.name).includes(bare(id)) ? unit.name : `${unit.name} ${id}`;
  };

  get reaction(): boolean {
    return Boolean(this.table.ask?.reaction);
  }

  /** Whose move it is and what is asked, in plain words. */
  get prompt(): { who: string; text: string; hint: string } {
    const { table, situation } = this;
    if (table.replay.on) return { who: '', text: 'You are looking at the past.', hint: '' };
    if (table.over) {
      const result = table.view.result;
      const how = result?.winner ? `${sideName(result.winner)} wins` : 'A draw';
      return { who: '', text: `The battle is over. ${how}${result?.reason ? `: ${result.reason.replace(/\.$/, '')}` : ''}.`, hint: '' };
    }
    if (table.curtain) return { who: '', text: `${sideName(table.curtain)} is asked.`, hint: '' };
    if (situation) {
      return {
        who: sideName(table.me),
        text: situation.ask.prompt,
        hint: this.placing ? this.placingHint() : hintFor(situation, table.selected, this.marks, this.homes, this.spotWord),
      };
    }
    if (table.waiting > 0) return { who: '', text: 'Watch what the other side does …', hint: '' };
    const other = table.update.seats.find((seat) => seat.side !== table.me);
    const name = other ? sideName(other.side) : 'The other side';
    return { who: '', text: other && other.player !== 'human' ? `${name} is thinking …` : `Waiting for ${name} …`, hint: '' };
  }

  /** What a place to click is called. */
  get spotWord(): string {
    return this.table.battle.board.table ? 'place' : 'hex';
  }

  private placingHint(): string {
    const { placing, marks } = this;
    if (!placing) return '';
    const target = [...marks.units.keys()].some((id) => id !== placing.area.unit) ? ', or a target' : '';
    if (!placing.touched) return placing.pivots ? `click where it shall look${target}` : `drag the unit or click in the marked area${target}`;
    return placing.legal ? 'Enter or a double click confirms' : `not there: ${placing.words}`;
  }

  /** Why undo is not allowed; "" when it is. */
  get undoBar(): string {
    const { table } = this;
    if (table.replay.on) return 'you are looking at the past';
    if (!table.live) return 'wait until the other side has acted';
    return table.update.may_undo;
  }

  oddsOf = (choice: Choice): OddsView | undefined => this.reckoner.oddsOf(choice);

  /** Whether the odds were asked for and there is nothing to tell. */
  isPlainChoice(choice: Choice): boolean {
    return this.reckoner.isPlain(choice);
  }

  /** The choices that are shown on the map: none of those that the bar carries, none of a unit not chosen. */
  private mapped(): Choice[] {
    const { situation } = this;
    if (!situation) return [];
    const verb = situation.ask.area?.verb;
    // The poses among the options are shown with the area; what follows them is chosen when the unit stands there.
    return this.choices.filter((choice) => choice.root !== situation.pass && !(verb && (choice.option.verb === verb || choice.keys.length > 1)));
  }

  /** On a table where a unit goes is chosen in its area, when it is asked: no steps ahead but those at a target. */
  private atHand(choices: Choice[]): Choice[] {
    if (!this.table.battle.board.table) return choices;
    return choices.filter((choice) => choice.spot.unit || (choice.keys.length === 1 && !choice.journey));
  }

  private lettersNow(): Map<string, string> {
    const verbs = this.offered().map((option) => option.verb);
    const more = this.table.battle.board.table ? [...TABLE_LETTERS, ...(this.placing ? PLACING_LETTERS : [])] : [];
    return lettersFor([...new Set(verbs)], this.table.battle.verbs, more);
  }

  /** The options of the unit that acts, and those of the side. */
  offered(): Option[] {
    const { situation, actor } = this;
    if (!situation) return [];
    const own = situation.ask.options.filter((option) => option.unit === actor && actor !== '');
    return [...own, ...situation.ask.options.filter((option) => !option.unit && !option.place && option !== situation.pass)];
  }

  private scene(): Scene {
    const { table, situation, homes, marks, pending } = this;
    const confirm = this.host.settings?.confirm ?? true;
    return { situation, selected: table.selected, me: table.me, homes, marks, pending, confirm, table: table.battle.board.table };
  }

  // ---- what the board tells -----------------------------------------------------------------------------

  unit = (id: string): void => {
    if (this.table.tool !== 'none') return;
    // Who has a unit in the hand and touches another of his own has missed.
    if (this.placing && !this.marks.units.get(id)?.some((choice) => choice.unit !== id) && this.homes.get(id)?.side === this.table.me) return;
    const act = clickUnit(this.scene(), id);
    if (act.do === 'select' && act.unit && this.endsWith(act.unit)) void this.endThenSelect(act.unit);
    else this.perform(act);
  };

  /** Whether choosing another own unit means that the one in the middle of its action is done. */
  private endsWith(id: string): boolean {
    const { situation } = this;
    if (!situation?.sole || id === situation.sole || this.homes.get(id)?.side !== this.table.me) return false;
    return !situation.pass && situation.ask.options.length > 1 && this.quick.length === 1;
  }

  private async endThenSelect(id: string): Promise<void> {
    const [end] = this.quick;
    if (!end) return;
    await this.take(end);
    if (this.situation?.actors.has(id)) this.table.select(id);
  }

  place = (place: string): void => {
    if (this.table.tool !== 'none') return;
    this.cursor = this.cursor === null ? null : place;
    if (!this.table.battle.board.table) this.perform(clickPlace(this.scene(), place));
    else if (this.placing) {
      const [x, y] = place.split(',').map(Number);
      this.pending = null;
      this.why = null;
      if (this.placing.pivots) this.placing.lookAt(x ?? 0, y ?? 0);
      else {
        this.placing.moveTo(x ?? 0, y ?? 0);
        this.placing.drop();
      }
    } else {
      const near = this.nearMark(place);
      if (near) this.perform(clickPlace(this.scene(), near));
      else if (this.pending || this.why) this.pending = this.why = null;
      else if (!this.situation?.sole) this.table.select(null);
    }
  };

  /** The marked place that a click on a table means; "" for none. */
  private nearMark(place: string): string {
    let best = '';
    let least = NEAR;
    const [x = NaN, y = NaN] = place.split(',').map(Number);
    for (const other of this.marks.places.keys()) {
      const [ox = NaN, oy = NaN] = other.split(',').map(Number);
      const far = Math.hypot(ox - x, oy - y);
      if (far <= least) [best, least] = [other, far];
    }
    return best;
  }

  // ---- a unit in the hand -------------------------------------------------------------------------------

  /** What was done with the ghost on the board. */
  hand = (hand: Hand): void => {
    const { placing } = this;
    if (!placing || this.table.tool === 'tape') return;
    this.dragging = hand.what === 'move' || hand.what === 'model' || hand.what === 'head';
    if (hand.what !== 'confirm') this.pending = this.why = null;
    if (hand.what === 'move' && placing.pivots) placing.lookAt(hand.x, hand.y);
    else if (hand.what === 'move') placing.moveTo(hand.x, hand.y);
    else if (hand.what === 'model') placing.setModel(hand.model, hand.x, hand.y);
    else if (hand.what === 'head') placing.head(hand.degrees);
    else if (hand.what === 'turn') placing.turn(hand.by);
    else if (hand.what === 'drop') placing.drop();
    else if (hand.what === 'confirm') this.confirm();
    else {
      const pose = readPose(hand.key, placing.area.verb);
      if (pose) placing.choose(pose);
    }
  };

  /** Answer with the pose as it is; what the game has refused already is not sent. */
  private async put(placing: Placing): Promise<void> {
    if (this.table.busy || !this.table.ask) return;
    if (!placing.legal) {
      this.tellOf(`Not there: ${placing.words}.`);
      return;
    }
    this.notice = '';
    this.reckoner.stop();
    this.guide?.note(placing.area.verb);
    await this.table.answer(placing.key);
  }

  private lift(): void {
    this.placing?.stop();
    clearTimeout(this.toFrame);
    const { ask } = this.table;
    this.placing = null;
    this.dragging = false;
    if (!ask?.area) return;
    const unit = this.homes.get(ask.area.unit);
    const look = (key: string, area: boolean): Promise<PreviewView> => this.table.preview(key, area);
    this.placing = new Placing(ask.area, ask.seq, ask.options, unit?.models ?? [], look, Boolean(unit?.place));
    this.placing.look();
    const points = this.placing.polygons.flatMap((rings) => rings[0] ?? []);
    if (!points.length) return;
    const xs = [...points.map(([x]) => x / 100), this.placing.pose.x / 100];
    const ys = [...points.map(([, y]) => y / 100), this.placing.pose.y / 100];
    const box = [Math.min(...xs) - 1, Math.min(...ys) - 1, Math.max(...xs) + 1, Math.max(...ys) + 1] as const;
    clearTimeout(this.toFrame);
    this.toFrame = setTimeout(() => this.host.frame?.(...box), FRAMED);
  }

  private ghost(): Ghost | null {
    const { placing } = this;
    if (!placing) return null;
    const { pose, key, area } = placing;
    const { measure } = this.table.battle.board;
    return {
      unit: area.unit,
      words: `${this.nameOf(area.unit)}, in your hand: ${placing.told}`,
      x: pose.x / 100,
      y: pose.y / 100,
      heading: placing.heading,
      turns: placing.turns,
      legal: placing.legal,
      touched: placing.touched,
      single: placing.single,
      models: placing.models,
      polygons: placing.polygons,
      spots: placing.spots.map(({ option, pose: at }) => ({
        key: option.key,
        x: at.x / 100,
        y: at.y / 100,
        heading: at.heading,
        label: [option.label, option.cost].filter(Boolean).join(', ') || placeText(`${lengthText(at.x)},${lengthText(at.y)}`, measure),
        chosen: option.key === key,
      })),
      label: placing.settled && placing.legal ? (placing.preview?.cost.split(',')[0] ?? '') : '',
    };
  }

  hover = (at: Spot | null): void => {
    this.table.hovered = at;
  };

  /** A right-click or a long press: why can it not …? */
  context = (at: Spot): void => {
    const unit = at.unit ? this.unitOf(at.unit) : null;
    const actor = this.actor;
    // Why a unit in the hand cannot go somewhere is told when it is put there.
    if (this.placing && !unit && at.place) {
      this.place(at.place);
      return;
    }
    if (unit && unit.side === this.table.me) void this.askWhy(unit.id, '');
    else if (actor && (unit || at.place)) void this.askWhy(actor, unit?.id ?? at.place!);
    else if (unit) this.table.select(unit.id);
  };

  private perform(act: Act): void {
    this.why = null;
    if (act.do === 'select') {
      this.pending = null;
      this.table.select(act.unit);
    } else if (act.do === 'preview') this.preview(act.spot, act.choices);
    else if (act.do === 'answer') void this.commit(act.choice);
    else if (act.do === 'why' && this.quick.length > 1) {
      // A short question comes first; why something else cannot be done before it is no news.
      this.pending = null;
      this.tellOf('First choose one of the answers below.');
    } else if (act.do === 'why') {
      this.pending = null;
      void this.askWhy(act.unit, act.thing);
    } else this.pending = null;
  }

  /** Show what choices would do, to be confirmed. */
  preview(spot: Spot, choices: Choice[]): void {
    this.pending = { spot, choices, index: 0 };
    this.opener = null;
    this.load(choices);
    const [first] = choices;
    if (first) this.said = `${first.label}${first.cost ? `, ${first.cost}` : ''}. Enter confirms, Escape cancels.`;
  }

  /** Point at one of the choices that wait. */
  pick(index: number): void {
    if (!this.pending) return;
    this.pending = { ...this.pending, index, touched: true };
  }

  confirm(stop = false): void {
    const choice = this.pending?.choices[this.pending.index];
    if (choice) void this.commit(choice, stop);
    else if (this.placing?.touched) void this.put(this.placing);
  }

  /** One step back: close what is open, forget what waits, let go of the unit. */
  cancel(): void {
    this.plan = null;
    if (this.laying) this.stopLayingOut();
    else if (this.why) this.why = null;
    else if (this.pending) this.pending = null;
    else if (this.placing?.single) this.placing.single = false;
    else if (this.placing?.touched) this.placing.reset();
    else if (this.only) this.only = '';
    else if (this.cursor) this.cursor = null;
    else this.table.select(null);
  }

  // ---- answering ----------------------------------------------------------------------------------------

  /** Answer with a choice; `stop` ends the unit's action where it leads, if it can be ended there. */
  async commit(choice: Choice, stop = false): Promise<void> {
    if (this.table.busy || !this.table.ask) return;
    this.pending = null;
    this.notice = '';
    this.reckoner.stop();
    this.noteVerbs(choice);
    await this.carryOut({ keys: choice.keys, unit: choice.unit, stop, log: this.table.log.length });
  }

  /** Give the answers of a plan. Where the other side is asked in between, the rest waits for it. */
  private async carryOut(plan: Plan): Promise<void> {
    this.plan = null;
    const { table } = this;
    const { keys } = plan;
    const taken = keys.length > 1 ? await table.plan(keys) : Number(keys.length === 0 || (await table.answer(keys[0]!)));
    if (table.problem || (!taken && keys.length)) return;
    this.plan = { ...plan, keys: keys.slice(taken) };
    await this.goOn();
  }

  /** Go on with a plan, if what is asked now is what it expected and nothing was rolled in between. */
  private async goOn(): Promise<void> {
    const { plan, table, situation } = this;
    if (!plan || !situation || table.busy) return;
    const { ask } = situation;
    this.plan = null;
    const next = plan.keys[0];
    if (next === undefined) {
      const [end] = quickOptions(situation, this.homes);
      if (plan.stop && end && situation.sole === plan.unit && !ask.reaction) await this.take(end);
      return;
    }
    const rolled = table.log.slice(plan.log).some((line) => line.faces.length > 0);
    if (!rolled && ask.options.some((option) => option.key === next)) await this.carryOut(plan);
    else this.tellOf('Something came in between: the rest of the plan was not carried out.');
  }

  private tellOf(what: string): void {
    this.notice = what;
    clearTimeout(this.noticeEnds);
    this.noticeEnds = setTimeout(() => (this.notice = ''), 7000);
  }

  /** Answer with an option of the question. */
  async take(option: Option): Promise<void> {
    if (this.table.busy || !this.table.ask) return;
    this.pending = null;
    this.notice = '';
    this.reckoner.stop();
    this.guide?.note(option.verb);
    await this.table.answer(option.key);
  }

  /** A button of an order: unfold it on the map, or carry it out when there is nothing to unfold. */
  order(option: Option): void {
    const underWay = Boolean(this.situation?.sole) && !this.situation?.ask.quiet;
    const staged = !underWay && this.choices.some((choice) => choice.root.key === option.key && choice.keys.length > 1);
    this.pending = null;
    this.why = null;
    // What is done elsewhere on the map is shown there first.
    const aimed = this.choices.find((choice) => choice.keys.length === 1 && choice.option === option && !choice.journey && isElsewhere(choice));
    if (aimed && (isAimed(aimed) || !underWay)) {
      this.preview(aimed.spot, [aimed]);
      this.opener = document.activeElement;
    }
    else if (!staged) void this.take(option);
    else this.only = this.only === option.key ? '' : option.key;
  }

  pass(): void {
    const pass = this.situation?.pass ?? (this.quick.length === 1 ? this.quick[0] : undefined);
    if (pass) void this.take(pass);
  }

  async undo(): Promise<void> {
    if (this.table.busy) return;
    if (this.undoBar) {
      this.tellOf(`Cannot undo: ${this.undoBar}.`);
      return;
    }
    this.pending = null;
    this.plan = null;
    this.notice = '';
    await this.table.undo();
  }

  private noteVerbs(choice: Choice): void {
    if (!this.guide) return;
    const branch = this.table.prospect?.branches.find((each) => each.option.key === choice.root.key);
    const verbs = new Map([...(branch?.follow ?? []), ...(this.table.ask?.options ?? [])].map((o) => [o.key, o.verb]));
    for (const verb of new Set([choice.root.verb, choice.option.verb, ...choice.keys.map((key) => verbs.get(key) ?? '')])) {
      if (verb) this.guide.note(verb);
    }
  }

  /** Whether the player may leave the rest of the laying out to the client: also while it is asked which unit comes next. */
  get mayLayOut(): boolean {
    const { situation, table, homes } = this;
    if (!situation) return false;
    if (isLayingOut(situation)) return true;
    return table.view.turn <= 0 && picksUnits(situation) && ![...situation.actors.keys()].some((id) => homes.get(id)?.place);
  }

  private get layingName(): string {
    const { me, view } = this.table;
    return `${me} ${view.phase} ${view.turn}`;
  }

  /** Stop laying out by itself. */
  stopLayingOut(): void {
    this.laying = false;
    this.restFor.delete(this.layingName);
  }

  /** Lay out the rest by itself, until something else is asked or it is stopped. */
  async layOut(): Promise<void> {
    if (this.laying || !this.mayLayOut) return;
    this.laying = true;
    const { me } = this.table;
    this.restFor.add(this.layingName);
    const { phase, turn } = this.table.view;
    for (let guard = 0; guard < 500 && this.laying; guard += 1) {
      // Where the sides lay out by turns, the other one comes first.
      for (let waited = 0; !this.table.ask && waited < PATIENCE && this.laying && !this.table.over; waited += TICK) {
        await new Promise((go) => setTimeout(go, TICK));
      }
      const { ask } = this.table;
      if (!ask || this.table.me !== me) break;
      if (ask.dice || ask.reaction || this.situation?.pass) break;
      if (this.table.view.phase !== phase || this.table.view.turn !== turn) break;
      const option = anyOption(ask, Math.random(), this.table.battle.board.facings, this.bearingFrom(ask.options[0]?.place));
      if (!option || !(await this.table.answer(option.key))) break;
    }
    this.laying = false;
  }

  /** Where the enemy is from a place, or else the middle of the map. */
  private bearingFrom(place: string | undefined): number | null {
    const { board } = this.table.battle;
    const from = board.hexes.find((hex) => hex.id === place);
    if (!from) return null;
    const enemies = new Set(this.table.view.units.filter((u) => u.side !== this.table.me && u.place).map((u) => u.place));
    const at = board.hexes.filter((hex) => enemies.has(hex.id));
    const middle = at.length
      ? { x: at.reduce((sum, h) => sum + h.x, 0) / at.length, y: at.reduce((sum, h) => sum + h.y, 0) / at.length }
      : { x: board.width / 2, y: board.height / 2 };
    return bearingOf(from, middle);
  }

  // ---- standing orders ----------------------------------------------------------------------------------

  async addOrder(order: NewOrder): Promise<void> {
    await this.table.setOrders(withOrder(this.table.update.orders, order));
  }

  async removeOrder(order: NewOrder): Promise<void> {
    await this.table.setOrders(withoutOrder(this.table.update.orders, order));
  }

  /** Pass this kind of reaction until the turn ends. */
  async passThisTurn(): Promise<void> {
    const reaction = this.table.ask?.reaction;
    if (!reaction) return;
    const order: NewOrder = { reaction };
    if (!this.table.update.orders.some((each) => sameOrder(each, order))) {
      this.brief.add({ order, side: this.table.me, turn: this.table.view.turn });
      await this.addOrder(order);
    }
    // The order answers what comes; the question that stands may still be ours.
    if (this.table.ask?.reaction === reaction) this.pass();
  }

  private endBriefOrders(): void {
    const { live, me, update, view } = this.table;
    if (!live) return;
    const ended = this.brief.end(me, view.turn);
    if (!ended.length) return;
    const left = update.orders.map(asNew).filter((each) => !ended.some((order) => sameOrder(each, order)));
    void this.table.setOrders(left);
  }

  /** Whether an order ends with the turn. */
  isBrief(order: NewOrder): boolean {
    return this.brief.has(this.table.me, order);
  }

  // ---- why not ------------------------------------------------------------------------------------------

  /** Ask why a unit cannot act, or cannot act on a thing. */
  async askWhy(unit: string, thing: string): Promise<void> {
    this.why = { unit, thing, bars: null, problem: '' };
    const asked = this.why;
    try {
      const bars = await this.table.whyNot([unit, thing].filter(Boolean).join(' '));
      if (this.why === asked) this.why = { ...asked, bars };
      this.said = bars.length ? bars.map((bar) => bar.reason).join('; ') : 'Nothing speaks against it.';
    } catch (error) {
      if (this.why === asked) this.why = { ...asked, bars: [], problem: error instanceof Error ? error.message : String(error) };
    }
  }

  // ---- odds ---------------------------------------------------------------------------------------------

  /** Fetch the odds of choices one after the other; a newer wish ends it. */
  load(choices: readonly Choice[]): void {
    void this.reckoner.load(choices).then((done) => {
      if (done) this.sortPending();
    });
  }

  /** Best first, now that the chances are known; but what somebody has begun to choose from stays as it is. */
  private sortPending(): void {
    const { pending } = this;
    if (!pending || pending.touched) return;
    const choices = bestFirst(pending.choices, this.oddsOf);
    this.pending = { ...pending, choices, index: 0 };
    const best = choices[0] && this.oddsOf(choices[0]);
    if (best) this.said = `${percent(best.effect.probability)} chance of an effect.`;
  }

  /** Reckon the first way of each target beforehand, so that the reticles say what they are worth. */
  private aimAhead(): void {
    const { ask } = this.table;
    if (!ask || this.pending) return;
    if (ask.reaction) {
      this.load(this.reactions());
      return;
    }
    const first = [...this.marks.units.entries()]
      .filter(([id]) => this.homes.get(id)?.side !== this.table.me)
      .slice(0, MOST_TARGETS)
      .map(([, choices]) => choices[0]!);
    if (first.length) void this.reckoner.load(first);
  }

  /** Everything but passing: best first, as soon as all chances are known, so that no number changes under a finger. */
  reactions(): Choice[] {
    const all = this.reacting();
    return this.reactionsKnown ? bestFirst(all, this.oddsOf) : all;
  }

  /** Whether the reactions stand in the order that they keep. */
  get reactionsKnown(): boolean {
    return this.reckoner.knows(this.reacting());
  }

  private reacting(): Choice[] {
    const { situation } = this;
    if (!situation) return [];
    return choicesFor(situation, '', null, this.homes).filter((choice) => choice.root !== situation.pass);
  }

  /** The best chance at a target that is known. */
  private chanceAt(choices: readonly Choice[]): string {
    const chances = choices.map((choice) => this.oddsOf(choice)?.effect.probability).filter((p) => p !== undefined);
    return chances.length ? percent(Math.max(...chances)) : '';
  }

  private rested(): void {
    clearTimeout(this.rest);
    const at = this.table.hovered;
    if (!at) {
      this.resting = null;
      return;
    }
    this.rest = setTimeout(() => {
      this.resting = at;
      this.cursor = null;
      if (this.pending) return;
      const shown = this.underPointer();
      if (shown) this.load(shown.choices);
    }, REST);
  }

  private underPointer(): Pending | null {
    const at = this.resting ?? (this.cursor ? { place: this.cursor } : null);
    if (!at || !this.situation) return null;
    // What the acting unit itself can do stands in the bar and the panel.
    if (this.actor && (at.unit === this.actor || (!at.unit && at.place === this.homes.get(this.actor)?.place))) return null;
    if (this.placing && !at.unit) return null;
    const near = !at.unit && this.table.battle.board.table ? this.nearMark(at.place ?? '') : (at.place ?? '');
    const act = at.unit
      ? clickUnit({ ...this.scene(), pending: null, confirm: true }, at.unit)
      : clickPlace({ ...this.scene(), pending: null, confirm: true }, near);
    if (act.do === 'answer') return { spot: at, choices: [act.choice], index: 0 };
    if (act.do !== 'preview') return null;
    return { spot: act.spot, choices: bestFirst(act.choices, this.oddsOf), index: 0 };
  }

  // ---- following the table ------------------------------------------------------------------------------

  /** A new question stands, or none. */
  private asked(): void {
    this.pending = null;
    this.only = '';
    this.why = null;
    this.reckoner.forget();
    this.lift();
    const { situation, table } = this;
    if (!situation) return;
    // Two at one screen lay out by turns: who has left the rest to the client is not asked again.
    if (!this.laying && this.mayLayOut && this.restFor.has(this.layingName)) setTimeout(() => void this.layOut());
    if (situation.ask.reaction) {
      const target = situation.ask.options.find((option) => option.target)?.target;
      const own = situation.ask.options.find((option) => option.unit)?.unit;
      const place =
        (target && this.homes.get(target)?.place) || situation.ask.options.find((o) => o.place)?.place || (own && this.homes.get(own)?.place);
      table.select(null);
      if (place) this.showSoon(place);
    } else if (situation.sole && !isLayingOut(situation)) {
      if (this.homes.get(situation.sole)?.place) table.select(situation.sole);
    } else if (table.selected && !situation.actors.has(table.selected)) table.select(null);
    void this.goOn();
  }

  private chose(): void {
    this.pending = null;
    this.only = '';
  }

  private learn(): void {
    const { guide, table } = this;
    if (!guide || table.replay.on) return;
    guide.look(table.ask, table.selected, table.log.map((line) => line.kind), table.over);
  }

  /** The learner pressed Next. */
  lessonNext(): void {
    this.guide?.next();
    this.learn();
  }

  /** Bring a place into sight when everything has been laid out that covers the map. */
  private showSoon(place: string): void {
    clearTimeout(this.toShow);
    this.toShow = setTimeout(() => this.show(place), LAID_OUT);
  }

  // ---- drawing ------------------------------------------------------------------------------------------

  private draw(): Layers {
    const { table, marks, homes } = this;
    const base: Layers = { ...noLayers(), ...table.layers };
    const known = [...(table.before?.units ?? []), ...table.view.units];
    base.shots = shotsOf(table.fresh, known, String(table.log.length));
    const focus = { units: [...base.focus.units], places: [...base.focus.places] };
    const step = this.guide && !this.guide.skipped ? this.guide.step : null;
    for (const point of step?.point ?? []) {
      if (homes.has(point)) focus.units.push(point);
      else if (table.battle.board.table ? /^-?[\d.]+,-?[\d.]+$/.test(point) : table.battle.board.hexes.some((hex) => hex.id === point)) focus.places.push(point);
    }
    if (this.cursor) focus.places.push(this.cursor);
    base.ghost = this.ghost();
    if (!this.situation || table.tool !== 'none') return { ...base, focus };
    const shown = this.shown;
    if (this.reaction) for (const option of this.situation.ask.options) if (option.unit) focus.units.push(option.unit);
    const reach: Reach[] = [...marks.places].map(([place, choices]) => this.reachOf(place, choices, shown));
    const targets: Target[] = [...marks.units]
      .filter(([id, choices]) => choices.some((choice) => choice.unit !== id))
      .map(([id, choices]) => {
        const at = homes.get(id)!;
        const chosen = shown !== null && sameSpot(shown.spot, { unit: id, place: at.place });
        return { unit: id, place: at.place, text: this.chanceAt(choices), ...(chosen ? { chosen } : {}) };
      });
    const journey = shown?.choices[shown.index]?.journey;
    const start = this.actor ? homes.get(this.actor)?.place : undefined;
    const path = journey
      ? { places: [...(start ? [start] : []), ...journey.via], label: shown!.choices[shown!.index]!.cost }
      : base.path;
    return { ...base, reach, targets, path, focus };
  }

  private reachOf(place: string, choices: readonly Choice[], shown: Pending | null): Reach {
    const best = choices[0]!;
    // What it is paid in is the same all over the map: the figure alone is enough.
    const looks = best.option.place && best.option.place !== place ? arrow(best.option.place, place, this.table.battle.board) : '';
    const cost = best.journey ? amount(best.journey.cost) : best.option.cost.replace(/ \D+$/, '') || looks;
    const reach: Reach = { place, cost, text: best.label };
    if (best.journey && (best.journey.reactors.length || best.journey.rolls.length)) reach.danger = true;
    if (shown && sameSpot(shown.spot, { place })) reach.chosen = true;
    return reach;
  }

  // ---- eye and ear --------------------------------------------------------------------------------------

  /** Bring a place into sight. */
  show(place: string): void {
    if (this.host.reveal) this.host.reveal(place, this.covered);
    else this.host.centre?.(place);
  }

  /** Select the next unit that can act, and bring it into sight. */
  nextUnit(back = false): boolean {
    const next = nextOf([...this.ready], this.table.selected, back);
    if (!next) return false;
    this.pending = null;
    this.table.select(next);
    const place = this.homes.get(next)?.place;
    if (place) this.show(place);
    this.said = this.nameOf(next);
    return true;
  }

  /** Put the cursor of the arrow keys on a hex, and show what could be done there. */
  point(place: string): void {
    this.resting = null;
    this.cursor = place;
    this.show(place);
    this.said = this.tell(place);
    const shown = this.underPointer();
    if (shown && !this.pending) this.load(shown.choices);
  }

  /** What lies in a hex, for people who do not see the map. */
  private tell(place: string): string {
    const { board } = this.table.battle;
    const where = board.table ? placeText(place, board.measure) : place;
    const ground = board.hexes.find((hex) => hex.id === place)?.text ?? '';
    const units = this.table.view.units.filter((unit) => unit.place === place).map((unit) => `${unit.side} ${this.nameOf(unit.id)}`);
    const choice = this.marks.places.get(place)?.[0];
    return [where, ground, ...units, choice ? `${choice.label} ${choice.cost}` : ''].filter(Boolean).join(', ');
  }
}
