/** The tools on the table: a thread for sight, fields of fire, range rings. They draw by the table's layers. */
import type { Table } from '../../lib/table.svelte';
import type { FieldView, SightView } from '../../lib/types';
import { meant, placeOf } from './measure';

interface Pointed {
  unit?: string;
  place?: string;
}

const WAIT = 120;

export class Tools {
  readonly table: Table;
  /** What the thread was tied to and led to, as words: places or units. */
  from = $state('');
  to = $state('');
  sight: SightView | null = $state.raw(null);
  /** The unit whose field of fire or rings are drawn. */
  unit = $state('');
  field: FieldView | null = $state.raw(null);
  problem = $state('');
  working = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = 0;
  private fixed = $state(false);
  /** Both ends were typed: the map's clicks are not for the thread. */
  private typed = false;
  private readonly threads = new Map<string, Promise<SightView>>();

  constructor(table: Table) {
    this.table = table;
  }

  /** What the tool in hand wants or shows, in a sentence; "" when there is none. */
  get hint(): string {
    const { tool } = this.table;
    const name = this.table.view.units.find((unit) => unit.id === this.unit)?.name ?? this.unit;
    if (tool === 'field') return `Field of fire: ${name}`;
    if (tool === 'rings') return `Ranges: ${name}`;
    if (tool !== 'sight') return '';
    if (!this.from) return 'Line of sight: click a unit or a hex to tie the thread to.';
    if (!this.fixed) return 'Line of sight: point at another place; click to keep it.';
    return this.typed ? 'Line of sight' : 'Line of sight: click for a new thread.';
  }

  /** Whether the thread's end still follows the pointer. */
  get following(): boolean {
    return this.table.tool === 'sight' && this.from !== '' && !this.fixed;
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  // ---- the thread ---------------------------------------------------------------------------------------

  /** Take up the thread, tied to a place or unit if one is given. */
  startSight(from = ''): void {
    this.clear();
    this.table.tool = 'sight';
    this.from = from;
    this.to = '';
    this.fixed = false;
  }

  /** A click on the board: the first ties the thread, the second ends it, the next ties it anew. */
  pick(pointed: Pointed): boolean {
    if (this.table.tool !== 'sight' || this.typed) return false;
    const word = pointed.unit ?? pointed.place ?? '';
    if (!word) return false;
    if (!this.from || this.fixed) {
      this.startSight(word);
    } else {
      this.to = word;
      this.fixed = true;
      void this.look();
    }
    return true;
  }

  /** The pointer moved over the board: the loose end follows it. */
  hover(pointed: Pointed | null): void {
    if (!this.following) return;
    const word = pointed?.unit ?? pointed?.place ?? '';
    if (!word || word === this.to) return;
    this.to = word;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), WAIT);
  }

  /** Both ends typed in. */
  lookFrom(from: string, to: string): Promise<void> {
    this.clear();
    this.table.tool = 'sight';
    this.from = from.trim();
    this.to = to.trim();
    this.fixed = this.to !== '';
    this.typed = this.fixed;
    return this.look();
  }

  /** The other way round. */
  swap(): void {
    if (this.from && this.to) void this.lookFrom(this.to, this.from);
  }

  private async look(): Promise<void> {
    clearTimeout(this.timer);
    const { from, to } = this;
    if (!from || !to) return;
    const ticket = ++this.asked;
    this.working = true;
    this.problem = '';
    try {
      const found = await this.thread(this.ask(from), this.ask(to));
      if (ticket !== this.asked) return;
      this.sight = found;
      const { state, crossed } = found;
      const text = `${state}, range ${found.range}`;
      const line = { from: this.place(found.start), to: this.place(found.end), state, crossed, text };
      this.table.layers = { ...this.table.layers, sight: line };
    } catch (error) {
      if (ticket === this.asked) this.fail(error);
    } finally {
      if (ticket === this.asked) this.working = false;
    }
  }

  /** What the server is asked for. */
  private ask(word: string): string {
    return meant(this.table.battle.board, this.table.view.units, word);
  }

  private place(word: string): string {
    return placeOf(this.table.battle.board, this.table.view.units, word) || word;
  }

  private thread(from: string, to: string): Promise<SightView> {
    const name = `${this.table.update.number} ${from} ${to}`;
    let made = this.threads.get(name);
    if (!made) {
      if (this.threads.size > 300) this.threads.clear();
      made = this.table.sight(from, to);
      this.threads.set(name, made);
      made.catch(() => this.threads.delete(name));
    }
    return made;
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
      const found = await this.table.field(unit);
      if (ticket !== this.asked) return;
      this.field = found;
      const center = this.table.view.units.find((each) => each.id === unit)?.place ?? '';
      const rings = center && found.rings.length ? { center, ranges: found.rings } : null;
      this.table.layers = { ...this.table.layers, field: what === 'field' ? found.places : null, rings };
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
    this.table.layers = { ...this.table.layers, sight: null, field: null, rings: null };
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
    this.from = this.to = '';
    this.fixed = this.typed = false;
    this.table.tool = 'none';
    this.table.layers = { ...this.table.layers, sight: null, field: null, rings: null };
  }
}
