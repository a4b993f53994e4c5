/**
 * Acting at the table: which unit is chosen, what a click on the map shows and does. What is legal is the server's
 * question; what a click means is told by `acting-logic`, and what is drawn for it by `acting-drawing`.
 */
import { untrack } from 'svelte';
import { lettersFor } from '../components/act/options';
import { Aim } from './acting-aim';
import { layersOf } from './acting-drawing';
import { Eye } from './acting-eye';
import { InHand } from './acting-hand.svelte';
import type { Host } from './acting-host';
import { LayingOut } from './acting-laying.svelte';
import {
  choicesFor,
  clickPlace,
  clickUnit,
  homesOf,
  isAimed,
  isElsewhere,
  isLayingOut,
  marksOf,
  nextOf,
  picksUnits,
  quickOptions,
  readyUnits,
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
import { Plans } from './acting-plans';
import { Pointer } from './acting-pointer.svelte';
import { promptOf, type Prompt } from './acting-prompt';
import { StandingOrders } from './acting-standing';
import { Words } from './acting-words.svelte';
import { towards } from './facing';
import type { Layers } from './layers';
import { Guide } from './lesson.svelte';
import type { Placing } from './placing.svelte';
import type { Table } from './table.svelte';
import type { Option, UnitView } from './types';

/** Letters that a table takes for its tape, and for a unit in the hand. */
const TABLE_LETTERS = ['t'];
const PLACING_LETTERS = ['f', 'm', 'r'];

export type Dialog = '' | 'help' | 'orders';

/** So near to a marked model a click means it, in the board's measure. */
const NEAR_MODEL = 0.6;
/** And so near to the middle of a marked thing that cannot be stood on, such as a house. */
const NEAR_GOAL = 3;

export class Acting {
  readonly table: Table;
  readonly host: Host;
  readonly guide: Guide | null;
  readonly aim: Aim;
  readonly eye: Eye;
  readonly hand: InHand;
  readonly laying: LayingOut;
  readonly pointer: Pointer;
  readonly standing: StandingOrders;
  readonly words: Words;
  private readonly plans: Plans;

  pending = $state.raw<Pending | null>(null);
  /** The one order whose hexes and targets are shown; "" for all. */
  only = $state('');
  /** A click that waits until it is known what the unit can do. */
  private early: (() => void) | null = null;
  dialog = $state<Dialog>('');
  /** Grows when the map was moved, so that what is pinned to it follows. */
  moved = $state(0);
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
  readonly shown: Pending | null = $derived.by(() => this.pending ?? this.pointer.shown());
  readonly layers: Layers = $derived.by(() => layersOf(this));

  constructor(table: Table, host: Host = {}) {
    this.table = table;
    this.host = host;
    const { id, lesson } = table.battle;
    this.aim = new Aim(this);
    this.eye = new Eye(this);
    this.hand = new InHand(this);
    this.laying = new LayingOut(this);
    this.plans = new Plans(this);
    this.pointer = new Pointer(this);
    this.standing = new StandingOrders(table);
    this.words = new Words(table);
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
      untrack(() => this.aim.ahead());
    });
    $effect(() => {
      void this.table.hovered;
      untrack(() => this.pointer.moved());
    });
    $effect(() => {
      void [this.table.ask, this.table.selected, this.table.log, this.table.over, this.table.live];
      untrack(() => this.learn());
    });
    $effect(() => {
      void this.table.view.turn;
      untrack(() => this.standing.endBrief());
    });
    $effect(() => {
      const told = this.placing?.touched && this.placing.settled ? this.placing.told : '';
      if (told && !untrack(() => this.hand.dragging)) this.words.said = told;
    });
    $effect(() => () => {
      this.hand.stop();
      this.pointer.stop();
      this.words.stop();
      this.eye.stop();
      this.aim.stop();
      this.laying.on = false;
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

  /** The unit that is being put somewhere, where the question takes any pose. */
  get placing(): Placing | null {
    return this.hand.placing;
  }

  get prompt(): Prompt {
    return promptOf(this);
  }

  /** The selected unit, where it is asked which unit it shall be: one more press says "this one". */
  get picked(): string {
    const { situation, table } = this;
    const id = table.selected ?? '';
    return situation && table.battle.board.table && situation.ask.quiet && picksUnits(situation) && situation.actors.has(id) ? id : '';
  }

  /** What a place to click is called. */
  get spotWord(): string {
    return this.table.battle.board.table ? 'place' : 'hex';
  }

  /** Why undo is not allowed; "" when it is. */
  get undoBar(): string {
    const { table } = this;
    if (table.replay.on) return 'you are looking at the past';
    if (!table.live) return 'wait until the other side has acted';
    return table.update.may_undo;
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

  /** All that the meaning of a click depends on. */
  scene(): Scene {
    const { table, situation, homes, marks, pending } = this;
    const confirm = this.host.settings?.confirm ?? true;
    return { situation, selected: table.selected, me: table.me, homes, marks, pending, confirm, table: table.battle.board.table };
  }

  // ---- what the board tells -----------------------------------------------------------------------------

  /** A click on a unit; on a table `at` is the place within it. */
  unit = (id: string, at = ''): void => {
    if (this.table.tool !== 'none') return;
    // One of its own models is a place like any other.
    const model = at ? this.pointer.nearMark(at, NEAR_MODEL) : '';
    if (model && this.marks.places.get(model)?.some((choice) => choice.unit === id && !choice.journey)) {
      this.perform(clickPlace(this.scene(), model));
      return;
    }
    // Who has a unit in the hand and touches another of his own has missed.
    if (this.placing && !this.marks.units.get(id)?.some((choice) => choice.unit !== id) && this.homes.get(id)?.side === this.table.me) return;
    const act = clickUnit(this.scene(), id);
    if (act.do === 'select' && act.unit && this.endsWith(act.unit)) void this.endThenSelect(act.unit);
    else this.click(act, () => this.unit(id, at));
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
    const { pointer } = this;
    pointer.cursor = pointer.cursor === null ? null : place;
    if (!this.table.battle.board.table) this.click(clickPlace(this.scene(), place), () => this.place(place));
    else if (this.placing) {
      const [x = 0, y = 0] = place.split(',').map(Number);
      if (!this.meansMark(x, y)) this.hand.putAt(x, y);
    } else {
      const near = pointer.nearMark(place);
      if (near) this.perform(clickPlace(this.scene(), near));
      else if (this.pending || this.words.why) this.pending = this.words.why = null;
      else if (!this.situation?.sole) this.table.select(null);
    }
  };

  /** A unit in the hand that is put outside of its area, near a marked thing such as a house: that is meant. */
  meansMark(x: number, y: number): boolean {
    const mark = this.placing?.covers(x, y) ? '' : this.pointer.nearMark(`${x},${y}`, NEAR_GOAL);
    if (mark) this.perform(clickPlace(this.scene(), mark));
    return mark !== '';
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
    if (unit && unit.side === this.table.me) void this.words.askWhy(unit.id, '');
    else if (actor && (unit || at.place)) void this.words.askWhy(actor, unit?.id ?? at.place!);
    else if (unit) this.table.select(unit.id);
  };

  /** A click that means nothing yet may only be early: what the unit can do is still on its way. It is done again then. */
  private click(act: Act, again: () => void): void {
    const { looking, selected } = this.table;
    if (act.do !== 'why' || !looking) {
      this.perform(act);
      return;
    }
    this.pending = this.words.why = null;
    this.early = again;
    void looking.then(() => {
      if (this.early === again && this.table.selected === selected) again();
    });
  }

  private perform(act: Act): void {
    this.words.why = null;
    this.early = null;
    if (act.do === 'select') {
      this.pending = null;
      this.table.select(act.unit);
    } else if (act.do === 'preview') this.preview(act.spot, act.choices);
    else if (act.do === 'answer') void this.commit(act.choice);
    else if (act.do === 'why' && this.quick.length > 1) {
      // A short question comes first; why something else cannot be done before it is no news.
      this.pending = null;
      this.words.tellOf('First choose one of the answers below.');
    } else if (act.do === 'why') {
      this.pending = null;
      void this.words.askWhy(act.unit, act.thing);
    } else this.pending = null;
  }

  /** Show what choices would do, to be confirmed. */
  preview(spot: Spot, choices: Choice[]): void {
    this.pending = { spot, choices, index: 0 };
    this.opener = null;
    this.aim.load(choices);
    const [first] = choices;
    if (first) this.words.said = `${first.label}${first.cost ? `, ${first.cost}` : ''}. Enter confirms, Escape cancels.`;
  }

  /** Point at one of the choices that wait. */
  pick(index: number): void {
    if (!this.pending) return;
    this.pending = { ...this.pending, index, touched: true };
  }

  confirm(stop = false): void {
    const choice = this.pending?.choices[this.pending.index];
    if (choice) void this.commit(choice, stop);
    else void this.hand.confirm();
  }

  /** One step back: close what is open, forget what waits, let go of the unit. */
  cancel(): void {
    this.plans.drop();
    this.early = null;
    if (this.laying.on) this.laying.stop();
    else if (this.words.why) this.words.why = null;
    else if (this.pending) this.pending = null;
    else if (this.placing?.single) this.placing.single = false;
    else if (this.placing?.touched) this.placing.reset();
    else if (this.only) this.only = '';
    else if (this.pointer.cursor) this.pointer.cursor = null;
    else this.table.select(null);
  }

  // ---- answering ----------------------------------------------------------------------------------------

  /** An answer is on its way: nothing waits any more, and no odds are needed. */
  begins(): void {
    this.pending = null;
    this.words.notice = '';
    this.aim.stop();
  }

  /** Answer with a choice; `stop` ends the unit's action where it leads, if it can be ended there. */
  async commit(choice: Choice, stop = false): Promise<void> {
    if (this.table.busy || !this.table.ask) return;
    this.begins();
    await this.plans.begin(choice, stop);
  }

  /** Answer with an option of the question. */
  async take(option: Option): Promise<void> {
    if (this.table.busy || !this.table.ask) return;
    this.begins();
    this.guide?.note(option.verb);
    await this.table.answer(option.key);
  }

  /** Answer with a key that somebody knows to be one: an option's, or a pose that the question takes. */
  async takeKey(key: string): Promise<void> {
    const option = this.table.ask?.options.find((each) => each.key === key);
    if (option) await this.take(option);
    else if (!this.table.busy && this.table.ask) {
      this.begins();
      await this.table.answer(key);
    }
  }

  /** A button of an order: unfold it on the map, or carry it out when there is nothing to unfold. */
  order(option: Option): void {
    const underWay = Boolean(this.situation?.sole) && !this.situation?.ask.quiet;
    const staged = !underWay && this.choices.some((choice) => choice.root.key === option.key && choice.keys.length > 1);
    this.pending = null;
    this.words.why = null;
    // What is done elsewhere on the map is shown there first.
    const aimed = this.choices.find((choice) => choice.keys.length === 1 && choice.option === option && !choice.journey && isElsewhere(choice));
    if (aimed && (isAimed(aimed) || !underWay)) {
      this.preview(aimed.spot, [aimed]);
      this.opener = document.activeElement;
    } else if (!staged) void this.take(option);
    else this.only = this.only === option.key ? '' : option.key;
  }

  pass(): void {
    const pass = this.situation?.pass ?? (this.quick.length === 1 ? this.quick[0] : undefined);
    if (pass) void this.take(pass);
  }

  /** Pass this kind of reaction until the turn ends. */
  async passThisTurn(): Promise<void> {
    const reaction = this.table.ask?.reaction;
    if (!reaction) return;
    await this.standing.addBriefly(reaction);
    // The order answers what comes; the question that stands may still be ours.
    if (this.table.ask?.reaction === reaction) this.pass();
  }

  async undo(): Promise<void> {
    if (this.table.busy) return;
    if (this.undoBar) {
      this.words.tellOf(`Cannot undo: ${this.undoBar}.`);
      return;
    }
    this.pending = null;
    this.plans.drop();
    this.words.notice = '';
    await this.table.undo();
  }

  // ---- following the table ------------------------------------------------------------------------------

  /** A new question stands, or none. */
  private asked(): void {
    this.pending = null;
    this.only = '';
    this.words.why = null;
    this.early = null;
    this.aim.forget();
    this.hand.lift();
    this.pointer.hint(null);
    const { situation, table } = this;
    if (!situation) return;
    this.laying.asked();
    if (situation.ask.reaction) {
      table.select(null);
      this.eye.toStage(situation);
    } else if (situation.sole && !isLayingOut(situation) && this.homes.get(situation.sole)?.place) {
      table.select(situation.sole);
    } else if (table.selected && !situation.actors.has(table.selected)) table.select(null);
    void this.plans.goOn();
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

  /** Select the next unit that can act, and bring it into sight. */
  nextUnit(back = false): boolean {
    const next = nextOf([...this.ready], this.table.selected, back);
    if (!next) return false;
    this.pending = null;
    this.table.select(next);
    const place = this.homes.get(next)?.place;
    if (place) this.eye.show(place);
    this.words.said = this.nameOf(next);
    return true;
  }
}
