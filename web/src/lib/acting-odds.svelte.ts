/** Odds of choices, fetched one after the other and kept for as long as the question stands. */
import { SvelteMap } from 'svelte/reactivity';
import { isWorthTelling } from '../components/act/odds';
import type { Choice } from './acting-logic';
import type { Table } from './table.svelte';
import type { OddsView } from './types';

/** How many choices are reckoned at most. */
const MOST = 12;

export class Reckoner {
  private readonly table: Pick<Table, 'busy' | 'odds' | 'update'>;
  /** Null where the odds were asked for and there is nothing to tell. */
  private readonly known = new SvelteMap<string, OddsView | null>();
  private ticket = 0;

  constructor(table: Pick<Table, 'busy' | 'odds' | 'update'>) {
    this.table = table;
  }

  oddsOf(choice: Choice): OddsView | undefined {
    return this.known.get(this.name(choice)) ?? undefined;
  }

  isPlain(choice: Choice): boolean {
    return this.known.get(this.name(choice)) === null;
  }

  /** Fetch what is not known yet; true when all was done, false when a newer wish ended it. */
  async load(choices: readonly Choice[]): Promise<boolean> {
    const ticket = ++this.ticket;
    if (this.table.busy) return false;
    for (const choice of choices.filter((each) => !each.journey).slice(0, MOST)) {
      if (this.ticket !== ticket) return false;
      const name = this.name(choice);
      if (this.known.has(name)) continue;
      try {
        const odds = await this.table.odds(choice.keys);
        this.known.set(name, isWorthTelling(odds) ? odds : null);
      } catch {
        // Odds are an aid: without them the choice still stands.
        this.known.set(name, null);
      }
    }
    return this.ticket === ticket;
  }

  /** Fetch no more. */
  stop(): void {
    this.ticket += 1;
  }

  /** Another question stands. */
  forget(): void {
    this.stop();
    this.known.clear();
  }

  private name(choice: Choice): string {
    return `${this.table.update.number} ${choice.keys.join('\n')}`;
  }
}
