/** What is pointed at: where the mouse rests, where the arrow keys have led, and what could be done there. */
import { bestFirst } from '../../components/act/odds';
import type { Choice, Pending, Spot } from './choices';
import { clickPlace, clickUnit } from './meaning';
import type { Acting } from './acting.svelte';
import type { OddsLoader } from './odds-loader';
import { inchOf, placeText } from '../lengths';

/** How long the pointer rests before odds are fetched, in milliseconds. */
const REST = 120;
/** On a table a click so near to a marked place means it, in inches. */
const NEAR = 1.5;

export class Pointer {
  private readonly acting: Acting;
  private readonly odds: OddsLoader;
  /** The hex that the arrow keys walk over. */
  cursor = $state<string | null>(null);
  /** What the pointer rests on. */
  resting = $state.raw<Spot | null>(null);
  private rest: ReturnType<typeof setTimeout> | undefined;

  constructor(acting: Acting, odds: OddsLoader) {
    this.acting = acting;
    this.odds = odds;
  }

  /** The pointer has come to something else. */
  moved(): void {
    clearTimeout(this.rest);
    const { acting } = this;
    const at = acting.table.hovered;
    if (!at) {
      this.resting = null;
      return;
    }
    this.rest = setTimeout(() => {
      this.resting = at;
      this.cursor = null;
      this.reckon();
    }, REST);
  }

  stop(): void {
    clearTimeout(this.rest);
  }

  private reckon(): void {
    if (this.acting.pending) return;
    const shown = this.shown();
    if (shown) this.odds.load(shown.choices);
  }

  /** What a click would show here. */
  shown(): Pending | null {
    const { acting } = this;
    const at = this.resting ?? (this.cursor ? { place: this.cursor } : null);
    if (!at || !acting.situation) return null;
    // What the acting unit itself can do stands in the bar and the panel.
    if (acting.actor && (at.unit === acting.actor || (!at.unit && at.place === acting.homes.get(acting.actor)?.place))) return null;
    if (acting.placing && !at.unit) return null;
    const scene = { ...acting.clickContext(), pending: null, confirm: true };
    const near = !at.unit && acting.table.battle.board.table ? this.nearMark(at.place ?? '') : (at.place ?? '');
    const act = at.unit ? clickUnit(scene, at.unit) : clickPlace(scene, near);
    if (act.do === 'answer') return { spot: at, choices: [act.choice], index: 0 };
    if (act.do !== 'preview') return null;
    return { spot: act.spot, choices: bestFirst(act.choices, this.odds.oddsOf), index: 0 };
  }

  /** The marked place that a click on a table means; "" for none. */
  nearMark(place: string, within = NEAR): string {
    let best = '';
    let least = within * inchOf(this.acting.table.battle.board.measure);
    const [x = NaN, y = NaN] = place.split(',').map(Number);
    for (const other of this.acting.marks.places.keys()) {
      const [ox = NaN, oy = NaN] = other.split(',').map(Number);
      const far = Math.hypot(ox - x, oy - y);
      if (far <= least) [best, least] = [other, far];
    }
    return best;
  }

  /** Mark on the map what a choice in a list is about; null for none any more. */
  hint(choice: Choice | null): void {
    const { table } = this.acting;
    const { unit = '', place = '' } = choice?.spot ?? {};
    table.layers = { ...table.layers, focus: { units: unit ? [unit] : [], places: !unit && place ? [place] : [] } };
  }

  /** Put the cursor of the arrow keys on a hex, and show what could be done there. */
  goTo(place: string): void {
    const { acting } = this;
    this.resting = null;
    this.cursor = place;
    acting.show(place);
    acting.say(this.tell(place));
    this.reckon();
  }

  /** What lies in a hex, for people who do not see the map. */
  private tell(place: string): string {
    const { acting } = this;
    const { board } = acting.table.battle;
    const where = board.table ? placeText(place, board) : place;
    const ground = board.hexes.find((hex) => hex.id === place)?.text ?? '';
    const units = acting.table.view.units.filter((unit) => unit.place === place).map((unit) => `${unit.side} ${acting.nameOf(unit.id)}`);
    const choice = acting.marks.places.get(place)?.[0];
    return [where, ground, ...units, choice ? `${choice.label} ${choice.cost}` : ''].filter(Boolean).join(', ');
  }
}
