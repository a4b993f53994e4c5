/**
 * Odds of choices, fetched one after the other and kept for as long as the question stands. What somebody looks at comes
 * before what is reckoned beforehand; either goes on until there is a newer wish of its own kind. A first estimate is
 * shown at once; where it is not exact, the exact figures take its place when they are there.
 */
import { SvelteMap } from 'svelte/reactivity';
import { isWorthTelling } from '../../components/act/odds';
import type { Choice } from './choices';
import { ApiError } from '../api';
import type { BattleStore } from '../battle-store.svelte';
import type { OddsView } from '../types';

/** How many choices are reckoned at most. */
const MOST = 12;

/** What is asked for odds. */
type Asked = Pick<BattleStore, 'battle' | 'busy' | 'odds' | 'update'>;

export class OddsCache {
  private readonly table: Asked;
  /** Null where the odds were asked for and there is nothing to tell. */
  private readonly known = new SvelteMap<string, OddsView | null>();
  /** The figures that came first: what is sorted by them keeps its order. */
  private readonly first = new Map<string, OddsView>();
  /** Settled when all estimates so far have been refined, or given up. */
  private refined: Promise<unknown> = Promise.resolve();
  /** What is on its way. */
  private readonly coming = new Map<string, Promise<boolean>>();
  private stopped = false;
  private readonly tickets = { look: 0, beforehand: 0 };
  /** Settled when all that is looked at is known. */
  private looking: Promise<unknown> = Promise.resolve();

  constructor(table: Asked) {
    this.table = table;
  }

  oddsOf(choice: Choice): OddsView | undefined {
    return this.known.get(this.name(choice)) ?? undefined;
  }

  /** The first figures of a choice, which do not change while the question stands. */
  firstOf(choice: Choice): OddsView | undefined {
    return this.first.get(this.name(choice));
  }

  isPlain(choice: Choice): boolean {
    return !this.helps(choice) || this.known.get(this.name(choice)) === null;
  }

  /** Fetch what is not known yet of what is looked at; true when all was done, false when a newer look ended it. */
  load(choices: readonly Choice[]): Promise<boolean> {
    const done = this.fetchAll(choices, 'look');
    this.looking = done;
    return done;
  }

  /** Fetch what will be wanted, whenever nothing is looked at that is not known; answers as `load` does. */
  loadBeforehand(choices: readonly Choice[]): Promise<boolean> {
    return this.fetchAll(choices, 'beforehand');
  }

  private async fetchAll(choices: readonly Choice[], wish: 'look' | 'beforehand'): Promise<boolean> {
    const ticket = ++this.tickets[wish];
    this.stopped = false;
    if (this.table.busy) return false;
    for (const choice of this.worth(choices)) {
      if (wish === 'beforehand') await this.looking;
      if (this.tickets[wish] !== ticket) return false;
      const name = this.name(choice);
      if (this.known.has(name)) continue;
      let arriving = this.coming.get(name);
      if (!arriving) {
        arriving = this.fetch(name, choice).finally(() => this.coming.delete(name));
        this.coming.set(name, arriving);
      }
      if (!(await arriving)) return false;
    }
    return this.tickets[wish] === ticket;
  }

  /** Ask for the odds of a choice; false when the line was lost, so that they must be asked for again. */
  private async fetch(name: string, choice: Choice): Promise<boolean> {
    try {
      const odds = await this.table.odds(choice.keys, true);
      this.known.set(name, isWorthTelling(odds) ? odds : null);
      this.first.set(name, odds);
      if (!odds.exact) this.refine(name, choice);
    } catch (error) {
      // Odds are an aid: without them the choice still stands.
      if (error instanceof ApiError && error.status === 0) return false;
      this.known.set(name, null);
    }
    return true;
  }

  /** Put the exact figures in the place of an estimate, one choice after the other; without them the estimate stands. */
  private refine(name: string, choice: Choice): void {
    this.refined = this.refined.then(async () => {
      if (!this.known.has(name) || this.stopped) return;
      try {
        const odds = await this.table.odds(choice.keys);
        if (this.known.has(name)) this.known.set(name, odds);
      } catch {
        // The question no longer stands, or the line is lost.
      }
    });
  }

  /** Whether all that is reckoned of these is known. */
  knows(choices: readonly Choice[]): boolean {
    return this.worth(choices).every((choice) => this.known.has(this.name(choice)));
  }

  /** Fetch no more. */
  stop(): void {
    this.stopped = true;
    this.tickets.look += 1;
    this.tickets.beforehand += 1;
  }

  /** Another question stands. */
  forget(): void {
    this.stop();
    this.known.clear();
    this.first.clear();
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
