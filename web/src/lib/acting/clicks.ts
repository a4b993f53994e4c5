/** Clicks on the board: what it tells of units and places, and what is done about it. */
import { modelName, type Spot } from './choices';
import { clickModel, clickPlace, clickUnit, type Act } from './meaning';
import type { Acting } from './acting.svelte';
import type { Answers } from './answers';
import type { Gathering } from './gathering.svelte';
import type { PlacingUnit } from './placing-unit.svelte';
import type { Pointer } from './pointer.svelte';

/** So near to a marked model a click means it, in inches. */
const NEAR_MODEL = 0.6;
/** And so near to the middle of a marked thing that cannot be stood on, such as a house. */
const NEAR_GOAL = 3;

/** The parts that clicks go to. */
interface Parts {
  answers: Answers;
  gathering: Gathering;
  placingUnit: PlacingUnit;
  pointer: Pointer;
}

export class Clicks {
  private readonly acting: Acting;
  private readonly parts: Parts;
  /** A click that waits until it is known what the unit can do. */
  private early: (() => void) | null = null;

  constructor(acting: Acting, parts: Parts) {
    this.acting = acting;
    this.parts = parts;
  }

  /** A click on a unit; on a table `at` is the place within it. */
  unit(id: string, at = ''): void {
    const { acting } = this;
    const { table, marks, homes } = acting;
    if (table.tool !== 'none') return;
    // One of its own models is a place like any other.
    const model = at ? this.parts.pointer.nearMark(at, NEAR_MODEL) : '';
    if (model && marks.places.get(model)?.some((choice) => choice.unit === id && !choice.journey)) {
      this.perform(clickPlace(acting.clickContext(), model));
      return;
    }
    // A template or a marker is laid over whoever stands there.
    if (acting.placing?.lays && at && !marks.units.has(id)) {
      this.place(at);
      return;
    }
    // Who has a unit in the hand and touches another of his own has missed.
    if (acting.placing && !marks.units.get(id)?.some((choice) => choice.unit !== id) && homes.get(id)?.side === table.me) return;
    const act = clickUnit(acting.clickContext(), id);
    if (act.do === 'select' && act.unit && this.endsWith(act.unit)) void this.endThenSelect(act.unit);
    else this.click(act, () => this.unit(id, at));
  }

  /** A click on a single model that an option is about; with Shift it is gathered with others. */
  model(unit: string, model: string, shift = false): void {
    const { acting } = this;
    const name = modelName(unit, model);
    if (acting.table.tool !== 'none') return;
    if (this.parts.gathering.offered.has(name) && (shift || this.parts.gathering.count)) this.parts.gathering.toggle(name);
    else this.perform(clickModel(acting.clickContext(), unit, model));
  }

  /** Whether choosing another own unit means that the one in the middle of its action is done. */
  private endsWith(id: string): boolean {
    const { situation, homes, table, quick } = this.acting;
    if (!situation?.sole || id === situation.sole || homes.get(id)?.side !== table.me) return false;
    return !situation.pass && situation.ask.options.length > 1 && quick.length === 1;
  }

  private async endThenSelect(id: string): Promise<void> {
    const { acting } = this;
    const [end] = acting.quick;
    if (!end) return;
    await this.parts.answers.take(end);
    if (acting.situation?.actors.has(id)) acting.table.select(id);
  }

  place(place: string): void {
    const { acting } = this;
    const { table } = acting;
    const { pointer } = this.parts;
    if (table.tool !== 'none') return;
    pointer.cursor = pointer.cursor === null ? null : place;
    if (!table.battle.board.table) this.click(clickPlace(acting.clickContext(), place), () => this.place(place));
    else if (acting.placing) {
      const [x = 0, y = 0] = place.split(',').map(Number);
      if (!this.meansMark(x, y)) this.parts.placingUnit.putAt(x, y);
    } else {
      const near = pointer.nearMark(place);
      if (near) this.perform(clickPlace(acting.clickContext(), near));
      else if (acting.pending || acting.messages.why) acting.dismiss();
      else if (!acting.situation?.sole) table.select(null);
    }
  }

  /** A unit in the hand that is put outside of its area, near a marked thing such as a house: that is meant. */
  meansMark(x: number, y: number): boolean {
    const { acting } = this;
    const mark = acting.placing?.covers(x, y) ? '' : this.parts.pointer.nearMark(`${x},${y}`, NEAR_GOAL);
    if (mark) this.perform(clickPlace(acting.clickContext(), mark));
    return mark !== '';
  }

  /** A right-click or a long press: why can it not …? */
  context(at: Spot): void {
    const { actor, placing, table, messages, homes } = this.acting;
    const unit = at.unit ? (homes.get(at.unit) ?? null) : null;
    // Why a unit in the hand cannot go somewhere is told when it is put there.
    if (placing && !unit && at.place) {
      this.place(at.place);
      return;
    }
    if (unit && unit.side === table.me) void messages.askWhy(unit.id, '');
    else if (actor && (unit || at.place)) void messages.askWhy(actor, unit?.id ?? at.place!);
    else if (unit) table.select(unit.id);
  }

  /** A click that means nothing yet may only be early: what the unit can do is still on its way. It is done again then. */
  private click(act: Act, again: () => void): void {
    const { acting } = this;
    const { outlook, selected } = acting.table;
    if (act.do !== 'why' || !outlook.looking) {
      this.perform(act);
      return;
    }
    acting.dismiss();
    this.early = again;
    void outlook.looking.then(() => {
      if (this.early === again && acting.table.selected === selected) again();
    });
  }

  /** A click that waits is not meant any more. */
  forget(): void {
    this.early = null;
  }

  private perform(act: Act): void {
    const { acting } = this;
    const { messages } = acting;
    messages.why = null;
    this.early = null;
    if (act.do === 'select') {
      acting.pending = null;
      acting.table.select(act.unit);
    } else if (act.do === 'preview') acting.preview(act.spot, act.choices);
    else if (act.do === 'answer') void this.parts.answers.commit(act.choice);
    else if (act.do === 'why' && acting.quick.length > 1) {
      // A short question comes first; why something else cannot be done before it is no news.
      acting.pending = null;
      acting.tell('Choose one of the answers below first.');
    } else if (act.do === 'why') {
      acting.pending = null;
      void messages.askWhy(act.unit, act.thing);
    } else acting.pending = null;
  }
}
