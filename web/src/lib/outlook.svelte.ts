/** The outlook: what the selected unit can do at the question that stands, as far ahead as the server tells it. */
import { RequestCache } from './request-cache';
import type { BattleStore } from './battle-store.svelte';
import type { Prospect } from './types';

export class Outlook {
  private readonly table: BattleStore;
  /** What the selected unit can do; null until it is known. */
  prospect: Prospect | null = $state.raw(null);
  /** While it is on its way: fulfilled when it is known. */
  looking: Promise<void> | null = null;
  private readonly known = new RequestCache<Prospect | null>(200);
  private last: Promise<unknown> = Promise.resolve();

  constructor(table: BattleStore) {
    this.table = table;
  }

  /** Another unit is selected, or another question stands. */
  look(): void {
    const { ask, selected } = this.table;
    if (selected === null || !ask?.options.some((option) => option.unit === selected)) {
      this.prospect = this.looking = null;
      return;
    }
    if (this.prospect?.seq === ask.seq && this.prospect.unit === selected) return;
    this.prospect = null;
    const looking = this.fetch(ask.seq, selected).finally(() => {
      if (this.looking === looking) this.looking = null;
    });
    this.looking = looking;
  }

  private async fetch(seq: number, unit: string): Promise<void> {
    const { table } = this;
    const wanted = (): boolean => table.selected === unit && table.ask?.seq === seq;
    // One at a time: who leafs through the units wants only the last, and answers must not wait behind the others.
    await this.last;
    if (!wanted()) return;
    // A prospect that cannot be had costs only the hints on the map: the options still stand as buttons.
    const coming = this.known.get(`${table.update.number} ${seq} ${unit}`, () => table.seat.prospect(seq, unit).catch(() => null));
    this.last = coming;
    const found = await coming;
    if (found && wanted()) this.prospect = found;
  }

  /** Somebody else sits at the table: what was fetched was seen with other eyes. */
  forget(): void {
    this.known.forget();
  }
}
