/**
 * Acting at the table: which unit is chosen, and what it could do. What is legal is the server's question; what a click
 * means is told by `meaning` and done by `clicks`, what is drawn for it is told by `drawing`, and what is decided goes by
 * `answers`.
 */
import { untrack } from 'svelte';
import { lettersFor } from '../../components/act/options';
import { OddsLoader } from './odds-loader';
import { Answers } from './answers';
import { quickOptions } from './bar';
import { choicesFor, marksOf, type Choice, type Marks, type Pending, type Spot } from './choices';
import { Clicks } from './clicks';
import { layersOf } from './drawing';
import { EndTurn } from './end-turn.svelte';
import { CameraFocus } from './camera-focus';
import { Gathering } from './gathering.svelte';
import { PlacingUnit } from './placing-unit.svelte';
import type { PageHooks } from './page-hooks';
import { AutoPlace } from './auto-place.svelte';
import type { ClickContext } from './meaning';
import { Pointer } from './pointer.svelte';
import { promptOf, type Prompt } from './prompt';
import { homesOf, isLayingOut, nextOf, picksUnits, readyUnits, situationOf, type Homes, type Situation } from './situation';
import { StandingOrders } from './standing-orders';
import { Ways } from './ways.svelte';
import { Messages } from './messages.svelte';
import { towards } from '../facing';
import type { Layers } from '../layers';
import { Guide } from '../lesson.svelte';
import type { Placing } from './placing.svelte';
import type { BattleStore } from '../battle-store.svelte';
import type { Option, UnitView } from '../types';

/** Letters that a table takes for its tape, and for a unit in the hand. */
const TABLE_LETTERS = ['t'];
const PLACING_LETTERS = ['f', 'm', 'r'];

export type Dialog = '' | 'help' | 'orders';

export class Acting {
  readonly table: BattleStore;
  readonly page: PageHooks;
  readonly guide: Guide | null;
  readonly odds: OddsLoader;
  readonly answers: Answers;
  readonly clicks: Clicks;
  readonly endTurn: EndTurn;
  readonly camera: CameraFocus;
  readonly gathering: Gathering;
  readonly placingUnit: PlacingUnit;
  readonly autoPlace: AutoPlace;
  readonly pointer: Pointer;
  readonly standing: StandingOrders;
  readonly ways: Ways;
  readonly messages: Messages;

  pending = $state.raw<Pending | null>(null);
  /** The one order whose hexes and targets are shown; "" for all. */
  only = $state('');
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
          this.atHand(choicesFor(this.situation, this.table.selected ?? '', this.table.outlook.prospect, this.homes, this.only)),
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

  constructor(table: BattleStore, page: PageHooks = {}) {
    this.table = table;
    this.page = page;
    const { id, lesson } = table.battle;
    this.messages = new Messages(table);
    this.camera = new CameraFocus(this);
    this.odds = new OddsLoader(this);
    this.standing = new StandingOrders(table);
    this.ways = new Ways(table);
    this.answers = new Answers(this, this.odds, this.standing);
    this.autoPlace = new AutoPlace(this);
    this.endTurn = new EndTurn(this, this.answers);
    this.gathering = new Gathering(this, this.answers);
    this.placingUnit = new PlacingUnit(this, this.answers, (x, y) => this.clicks.meansMark(x, y));
    this.pointer = new Pointer(this, this.odds);
    this.clicks = new Clicks(this, { answers: this.answers, gathering: this.gathering, placingUnit: this.placingUnit, pointer: this.pointer });
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
      void [this.table.outlook.prospect, this.marks, this.table.connection];
      untrack(() => this.odds.ahead());
    });
    $effect(() => {
      const chosen = this.shown?.choices[this.shown.index];
      untrack(() => this.ways.look(chosen));
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
      if (told && !untrack(() => this.placingUnit.dragging)) this.say(told);
    });
    $effect(() => () => {
      this.placingUnit.stop();
      this.pointer.stop();
      this.messages.stop();
      this.camera.stop();
      this.odds.stop();
      this.autoPlace.on = false;
      this.endTurn.stop();
    });
  }

  // ---- what is so ---------------------------------------------------------------------------------------

  unitOf(id: string): UnitView | null {
    return this.homes.get(id) ?? null;
  }

  /** A unit as people call it; "" for what is no unit, for an id is nobody's name. */
  nameOf = (id: string): string => this.homes.get(id)?.name ?? '';

  get reaction(): boolean {
    return Boolean(this.table.ask?.reaction);
  }

  /** The unit that is being put somewhere, where the question takes any pose. */
  get placing(): Placing | null {
    return this.placingUnit.placing;
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
  clickContext(): ClickContext {
    const { table, situation, homes, marks, pending } = this;
    const confirm = this.page.settings?.confirm ?? true;
    return { situation, selected: table.selected, me: table.me, homes, marks, pending, confirm, table: table.battle.board.table };
  }

  // ---- what parts of it tell each other ------------------------------------------------------------------

  /** Say something to a screen reader. */
  say(text: string): void {
    this.messages.said = text;
  }

  /** Say a word about what just happened, for a while. */
  tell(text: string): void {
    this.messages.tellOf(text);
  }

  /** Nothing waits to be confirmed any more, and no reason is read. */
  dismiss(): void {
    this.pending = null;
    this.messages.why = null;
  }

  /** Bring places into sight. */
  show(...places: string[]): void {
    this.camera.show(...places);
  }

  // ---- weighing a choice --------------------------------------------------------------------------------

  /** Show what choices would do, to be confirmed. */
  preview(spot: Spot, choices: Choice[]): void {
    this.pending = { spot, choices, index: 0 };
    this.opener = null;
    this.odds.load(choices);
    const [first] = choices;
    if (first) this.say(`${first.label}${first.cost ? `, ${first.cost}` : ''}. Enter confirms, Escape cancels.`);
  }

  /** Point at one of the choices that wait. */
  pick(index: number): void {
    if (!this.pending) return;
    this.pending = { ...this.pending, index, touched: true };
  }

  confirm(stop = false): void {
    const choice = this.pending?.choices[this.pending.index];
    if (choice) void this.answers.commit(choice, stop);
    else if (this.gathering.count) void this.gathering.confirm();
    else void this.placingUnit.confirm();
  }

  /** One step back: close what is open, forget what waits, let go of the unit. */
  cancel(): void {
    this.answers.plans.drop();
    this.clicks.forget();
    if (this.autoPlace.on) this.autoPlace.stop();
    else if (this.endTurn.on || this.endTurn.armed) this.endTurn.stop();
    else if (this.messages.why) this.messages.why = null;
    else if (this.pending) this.pending = null;
    else if (this.gathering.count) this.gathering.drop();
    else if (this.placing?.single) this.placing.single = false;
    else if (this.placing?.touched) this.placing.reset();
    else if (this.only) this.only = '';
    else if (this.pointer.cursor) this.pointer.cursor = null;
    else this.table.select(null);
  }

  // ---- following the table ------------------------------------------------------------------------------

  /** A new question stands, or none. */
  private asked(): void {
    this.ways.forget();
    this.gathering.drop();
    this.pending = null;
    this.only = '';
    this.messages.why = null;
    this.clicks.forget();
    this.odds.forget();
    this.placingUnit.lift();
    this.pointer.hint(null);
    const { situation, table } = this;
    this.endTurn.armed = false;
    if (table.over) this.endTurn.stop();
    if (!situation) return;
    this.autoPlace.asked();
    if (situation.ask.reaction) {
      table.select(null);
      this.camera.toStage(situation);
    } else if (situation.sole && !isLayingOut(situation) && this.homes.get(situation.sole)?.place) {
      table.select(situation.sole);
    } else if (table.selected && !situation.actors.has(table.selected)) table.select(null);
    if (this.endTurn.on) this.endTurn.asked();
    else void this.answers.plans.goOn();
  }

  private chose(): void {
    this.pending = null;
    this.only = '';
  }

  private learn(): void {
    const { guide, table } = this;
    if (!guide || table.replay.on) return;
    guide.look(table.ask, table.selected, table.log.map((line) => line.kind), table.over, table.view.units, table.me, table.view.markers);
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
    if (place) this.show(place);
    this.say(this.nameOf(next));
    return true;
  }
}
