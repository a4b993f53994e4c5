/** Odds of choices, fetched one after the other and kept for as long as the question stands. */
import { SvelteMap } from 'svelte/reactivity';
import { isWorthTelling } from '../components/act/odds';
import type { Choice } from './acting-choices';
import { ApiError } from './api';
import type { Table } from './table.svelte';
import type { OddsView } from './types';

/** How many choices are reckoned at most. */
const MOST = 12;

/** What is asked for odds. */
type Asked = Pick<Table, 'battle' | 'busy' | 'odds' | 'update'>;

export class Reckoner {
  private readonly table: Asked;
  /** Null where the odds were asked for and there is nothing to tell. */
  private readonly known = new SvelteMap<string, OddsView | null>();
  private ticket = 0;

  constructor(table: Asked) {
    this.table = table;
  }

  oddsOf(choice: Choice): OddsView | undefined {
    return this.known.get(this.name(choice)) ?? undefined;
  }

  isPlain(choice: Choice): boolean {
    return !this.helps(choice) || this.known.get(this.name(choice)) === null;
  }

  /** Fetch what is not known yet; true when all was done, false when a newer wish ended it. */
  async load(choices: readonly Choice[]): Promise<boolean> {
    const ticket = ++this.ticket;
    if (this.table.busy) return false;
    for (const choice of this.worth(choices)) {
      if (this.ticket !== ticket) return false;
      const name = this.name(choice);
      if (this.known.has(name)) continue;
      try {
        const odds = await this.table.odds(choice.keys);
        this.known.set(name, isWorthTelling(odds) ? odds : null);
      } catch (error) {
        // Odds are an aid: without them the choice still stands. What only the line has lost is asked for again.
        if (error instanceof ApiError && error.status === 0) return false;
        this.known.set(name, null);
      }
    }
    return this.ticket === ticket;
  }

  /** Whether all that is reckoned of these is known. */
  knows(choices: readonly Choice[]): boolean {
    return this.worth(choices).every((choice) => this.known.has(this.name(choice)));
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

  /** Those of which the odds are fetched. */
  private worth(choices: readonly Choice[]): Choice[] {
    return choices.filter((choice) => !choice.journey && this.helps(choice)).slice(0, MOST);
  }

  /** Whether odds help to choose between options of this kind: who falls and who takes up a gun is no matter of chance. */
  private helps({ option }: Choice): boolean {
    return this.table.battle.verbs.find((help) => help.verb === option.verb)?.odds ?? true;
  }

  private name(choice: Choice): string {
    return `${this.table.update.number} ${choice.keys.join('\n')}`;
  }
}
