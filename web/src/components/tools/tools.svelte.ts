/** The tools on the table: a thread for sight, fields of fire, range rings. They draw by the table's layers. */
import { gapBetween, gapBetweenGroups, isOn, pointBody, type Body } from '../../lib/bodies';
import { measured } from '../../lib/lengths';
import type { BattleStore } from '../../lib/battle-store.svelte';
import type { FieldView, SightEnd, SightView } from '../../lib/types';
import { endText, meant, placeOf, sameEnd } from './measure';

interface Pointed {
  unit?: string;
  place?: string;
}

const WAIT = 120;
/** The rings about where a tape begins, in round figures of the board's measure. */
const RINGS: Readonly<Record<string, number[]>> = { inch: [6, 12, 24], cm: [15, 30, 60] };

/** An end of the tape: a point, and the unit there. */
interface TapeEnd {
  x: number;
  y: number;
  unit: string;
}

/** What is pointed at: a unit before the place that it stands in. */
function endAt(pointed: Pointed | null): SightEnd | null {
  if (pointed?.unit) return { unit: pointed.unit };
  return pointed?.place ? { place: pointed.place } : null;
}

export class Tools {
  readonly table: BattleStore;
  /** What the thread was tied to and led to. */
  from: SightEnd | null = $state.raw(null);
  to: SightEnd | null = $state.raw(null);
  sight: SightView | null = $state.raw(null);
  /** The unit whose field of fire or rings are drawn. */
  unit = $state('');
  field: FieldView | null = $state.raw(null);
  /** What the tape shows, in words; "" before it is laid. */
  length = $state('');
  problem = $state('');
  working = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = 0;
  private fixed = $state(false);
  /** Both ends were typed: the map's clicks are not for the thread. */
  private typed = false;
  private readonly threads = new Map<string, Promise<SightView>>();

  constructor(table: BattleStore) {
    this.table = table;
  }

  /** What the tool in hand wants or shows, in a sentence; "" when there is none. */
  get hint(): string {
    const { tool } = this.table;
    const name = this.table.view.units.find((unit) => unit.id === this.unit)?.name ?? 'a unit';
    if (tool === 'field') return `Field of fire: ${name}`;
    if (tool === 'rings') return `Ranges: ${name}`;
    if (tool === 'tape') return this.length || 'Measuring tape: drag from a base or a point to another.';
    if (tool !== 'sight') return '';
    if (!this.from) return `Line of sight: click a unit or a ${this.table.battle.board.table ? 'place' : 'hex'} to measure from.`;
    if (!this.fixed) return 'Line of sight: point at the target. Click to keep the line.';
    return this.typed ? 'Line of sight' : 'Line of sight: click to measure again.';
  }

  /** Whether the thread's end still follows the pointer. */
  get following(): boolean {
    return this.table.tool === 'sight' && this.from !== null && !this.fixed;
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  // ---- the thread ---------------------------------------------------------------------------------------

  /** Take up the thread, tied to a place or unit if one is given. */
  startSight(from: SightEnd | null = null): void {
    this.clear();
    this.table.tool = 'sight';
    this.from = from;
    this.to = null;
    this.fixed = false;
  }

  /** A click on the board: the first ties the thread, the second ends it, the next ties it anew. */
  pick(pointed: Pointed): boolean {
    if (this.table.tool !== 'sight' || this.typed) return false;
    const end = endAt(pointed);
    if (!end) return false;
    if (!this.from || this.fixed) {
      this.startSight(end);
    } else {
      this.to = end;
      this.fixed = true;
      void this.look();
    }
    return true;
  }

  /** The pointer moved over the board: the loose end follows it. */
  hover(pointed: Pointed | null): void {
    if (!this.following) return;
    const end = endAt(pointed);
    if (!end || sameEnd(end, this.to)) return;
    this.to = end;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), WAIT);
  }

  /** Both ends typed in. */
  lookFrom(from: string, to: string): Promise<void> {
    const ends = [from, to].map((word) => this.meant(word));
    this.clear();
    this.table.tool = 'sight';
    const [start, end] = ends;
    if (!start || !end) {
      this.problem = this.unknown(start ? to : from);
      return Promise.resolve();
    }
    return this.between(start, end);
  }

  /** The other way round. */
  swap(): void {
    const { from, to } = this;
    if (!from || !to) return;
    this.clear();
    this.table.tool = 'sight';
    void this.between(to, from);
  }

  private between(from: SightEnd, to: SightEnd): Promise<void> {
    this.from = from;
    this.to = to;
    this.fixed = this.typed = true;
    return this.look();
  }

  private meant(word: string): SightEnd | null {
    return meant(this.table.battle.board, this.table.view.units, word);
  }

  private unknown(word: string): string {
    return `There is no unit or ${this.table.battle.board.table ? 'place' : 'hex'} called “${word.trim()}”.`;
  }

  private async look(): Promise<void> {
    clearTimeout(this.timer);
    const { from, to } = this;
    if (!from || !to) return;
    const ticket = ++this.asked;
    this.working = true;
    this.problem = '';
    try {
      const found = await this.thread(from, to);
      if (ticket !== this.asked) return;
      this.sight = found;
      const { state, crossed } = found;
      const { board } = this.table.battle;
      const text = `${state}, range ${board.table ? measured(found.range, board.measure) : found.range}`;
      const threads = found.lines;
      const line = { from: this.place(from), to: this.place(to), state, crossed, text, threads };
      this.table.layers = { ...this.table.layers, sight: line };
    } catch (error) {
      if (ticket === this.asked) this.fail(error);
    } finally {
      if (ticket === this.asked) this.working = false;
    }
  }

  private place(end: SightEnd | null): string {
    return placeOf(this.table.view.units, end);
  }

  private thread(from: SightEnd, to: SightEnd): Promise<SightView> {
    const name = `${this.table.update.number} ${JSON.stringify([from, to])}`;
    let made = this.threads.get(name);
    if (!made) {
      if (this.threads.size > 300) this.threads.clear();
      made = this.table.seat.sight(from, to);
      this.threads.set(name, made);
      made.catch(() => this.threads.delete(name));
    }
    return made;
  }

  // ---- the tape -----------------------------------------------------------------------------------------

  /** Take up the tape, or put it away. */
  toggleTape(): void {
    const on = this.table.tool === 'tape';
    this.clear();
    if (on) return;
    this.table.tool = 'tape';
    const unit = this.table.view.units.find((each) => each.id === this.table.selected && each.models.length);
    if (unit) this.layers(this.bodyAt({ x: unit.models[0]!.x, y: unit.models[0]!.y, unit: unit.id }), null, '');
  }

  /** Lay the tape from one end to the other: from edge to edge where they are on bases. */
  measure(from: TapeEnd, to: TapeEnd | null): void {
    const start = this.bodyAt(from);
    if (!to) {
      this.layers(start, null, '');
      return;
    }
    const end = this.bodyAt(to);
    const gap = gapBetween(start, end);
    const { measure } = this.table.battle.board;
    this.length = `${this.endName(start)} to ${this.endName(end)}: ${measured(gap.gap, measure)}`;
    const line = { x1: gap.from.x, y1: gap.from.y, x2: gap.to.x, y2: gap.to.y };
    this.layers(start, line, measured(gap.gap, measure));
  }

  /** Measure between two words, units or places: between units from the nearest base to the nearest. */
  measureWords(from: string, to: string): void {
    const [start, end] = [this.meant(from), this.meant(to)];
    this.clear();
    this.table.tool = 'tape';
    const [ones, others] = [this.bodiesOf(start), this.bodiesOf(end)];
    const gap = gapBetweenGroups(ones, others);
    if (!gap) {
      this.problem = this.unknown(ones.length ? to : from);
      return;
    }
    const { measure } = this.table.battle.board;
    this.from = start;
    this.to = end;
    const [one, other] = [start, end].map((each) => endText(this.table.view.units, each));
    this.length = `${one} to ${other}: ${measured(gap.gap, measure)}`;
    const base = ones.find((body) => gapBetween(body, pointBody(gap.from.x, gap.from.y)).gap < 0.01) ?? ones[0]!;
    this.layers(base, { x1: gap.from.x, y1: gap.from.y, x2: gap.to.x, y2: gap.to.y }, measured(gap.gap, measure));
  }

  private layers(from: Body, line: { x1: number; y1: number; x2: number; y2: number } | null, label: string): void {
    this.table.layers = { ...this.table.layers, tape: { from, line, label, rings: RINGS[this.table.battle.board.measure] ?? RINGS.inch! } };
  }

  /** The base under an end of the tape, or the point itself. */
  private bodyAt({ x, y, unit }: TapeEnd): Body {
    const units = this.table.view.units;
    const own = units.find((each) => each.id === unit)?.models ?? [];
    return own.find((model) => isOn(model, { x, y })) ?? units.flatMap((each) => each.models).find((model) => isOn(model, { x, y })) ?? pointBody(x, y);
  }

  private endName(body: Body): string {
    if (!body.radius && !body.length) return 'a point';
    return this.table.view.units.find((unit) => unit.models.some((model) => model === body))?.name ?? 'a base';
  }

  private bodiesOf(end: SightEnd | null): Body[] {
    const unit = this.table.view.units.find((each) => end !== null && 'unit' in end && each.id === end.unit);
    if (unit?.models.length) return unit.models;
    const place = this.place(end).split(',').map(Number);
    return place.length === 2 && place.every((value) => !Number.isNaN(value)) ? [pointBody(place[0]!, place[1]!)] : [];
  }

  // ---- fields and rings ---------------------------------------------------------------------------------

  /** Shade what a unit can see and fire at, or draw how far its weapons reach. */
  async show(what: 'field' | 'rings', unit: string): Promise<void> {
    if (this.table.tool === what && this.unit === unit) {
      this.clear();
      return;
    }
    this.clear();
    this.table.tool = what;
    this.unit = unit;
    const ticket = ++this.asked;
    this.working = true;
    try {
      const found = await this.table.seat.field(unit);
      if (ticket !== this.asked) return;
      this.field = found;
      const center = this.table.view.units.find((each) => each.id === unit)?.place ?? '';
      const rings = center && found.rings.length ? { center, ranges: found.rings } : null;
      const fire = found.fans.length || found.areas.length ? { fans: found.fans, areas: what === 'field' ? found.areas : [] } : null;
      this.table.layers = { ...this.table.layers, field: what === 'field' ? found.places : null, rings, fire };
    } catch (error) {
      if (ticket === this.asked) this.fail(error);
    } finally {
      if (ticket === this.asked) this.working = false;
    }
  }

  private fail(error: unknown): void {
    this.sight = null;
    this.field = null;
    this.problem = error instanceof Error ? error.message : String(error);
    this.table.layers = { ...this.table.layers, sight: null, field: null, rings: null, fire: null, tape: null };
  }

  /** Put everything away. */
  clear(): void {
    clearTimeout(this.timer);
    this.asked += 1;
    this.working = false;
    this.problem = '';
    this.sight = null;
    this.field = null;
    this.unit = '';
    this.from = this.to = null;
    this.length = '';
    this.fixed = this.typed = false;
    this.table.tool = 'none';
    this.table.layers = { ...this.table.layers, sight: null, field: null, rings: null, fire: null, tape: null };
  }
}
