/** What came of throws, to be read on the map: until its time is over, or somebody has clicked or pressed a key. */
import { untrack } from 'svelte';
import type { BattleStore } from './battle-store.svelte';
import type { UnitView } from './types';
import { lastOf, sinceAnswer, verdictsOf, type Verdict } from './verdicts';

/** Of so many lines of the log the last own result is looked for. */
const BACK = 240;

export class Results {
  private readonly table: BattleStore;
  private shown: readonly Verdict[] = $state.raw([]);
  /** Everybody who was ever seen here, as it was seen last: who is gone still has a name and a side. */
  private readonly seen = new Map<string, UnitView>();

  constructor(table: BattleStore) {
    this.table = table;
  }

  /** What is stamped on the map now. */
  get verdicts(): readonly Verdict[] {
    return this.shown;
  }

  /** What came last of something that this side did. */
  readonly own: Verdict | null = $derived.by(() => {
    const { log, me, view } = this.table;
    this.see(view.units);
    return lastOf(log.slice(-BACK), this.seen.values(), me);
  });

  /** What came of this side's last answer: in a chain of reactions, of the last shot. */
  readonly ofAnswer: Verdict | null = $derived.by(() => {
    const { log, me, view } = this.table;
    this.see(view.units);
    const last = lastOf(sinceAnswer(log.slice(-BACK)), this.seen.values(), me);
    return last?.from.length ? last : null;
  });

  private see(units: readonly UnitView[]): void {
    for (const unit of units) this.seen.set(unit.id, unit);
  }

  /** Follow the table; `stays` says how long in milliseconds, 0 for not at all. To be called while a component is made. */
  watch(stays: () => number, onshow: (places: string[]) => void = () => undefined): void {
    $effect.pre(() => {
      const { fresh } = this.table;
      const time = stays();
      untrack(() => {
        const { before, log, view } = this.table;
        this.see(before?.units ?? []);
        this.see(view.units);
        this.shown = time > 0 ? verdictsOf(fresh, this.seen.values(), String(log.length)) : [];
      });
      if (!untrack(() => this.shown.length) || time === Infinity) return;
      const timer = setTimeout(() => this.close(), time);
      return () => clearTimeout(timer);
    });
    $effect(() => {
      const places = this.shown.flatMap(({ unit, place, from }) => [this.placeOf(unit) || place, ...from.map((id) => this.placeOf(id))]);
      if (places.length) untrack(() => onshow([...new Set(places)].filter(Boolean)));
    });
  }

  private placeOf(id: string): string {
    return this.seen.get(id)?.place ?? '';
  }

  /** It has been read: what waits for that goes on. */
  close(): void {
    if (!this.shown.length) return;
    this.shown = [];
    this.table.readOn();
  }
}
