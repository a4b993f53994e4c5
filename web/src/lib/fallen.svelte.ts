/** Who was shot at and is gone: its counter stays on the map until the shot has been shown. */
import { untrack } from 'svelte';
import { fallenOf } from './news';
import type { BattleStore } from './battle-store.svelte';
import type { UnitView, View } from './types';

/** How long a shot is shown, in milliseconds: as long as the tracer of the board flies. */
const FLIES = 1260;

export class Fallen {
  private readonly table: BattleStore;
  private units: readonly UnitView[] = $state.raw([]);

  constructor(table: BattleStore) {
    this.table = table;
  }

  /** What is drawn: the view, and who is about to go. */
  get view(): View {
    const { view } = this.table;
    const gone = this.units.filter(({ id }) => !view.units.some((unit) => unit.id === id));
    return gone.length ? { ...view, units: [...view.units, ...gone] } : view;
  }

  /** Follow the table, where steps are shown at a pace; to be called while a component is made. */
  watch(pace: () => number): void {
    // Before the page is drawn, so that nobody goes and comes back.
    $effect.pre(() => {
      const { fresh } = this.table;
      this.units = pace() > 0 ? untrack(() => fallenOf(fresh, this.table.before?.units ?? [], this.table.view.units)) : [];
      if (!untrack(() => this.units.length)) return;
      const timer = setTimeout(() => (this.units = []), FLIES);
      return () => clearTimeout(timer);
    });
  }
}
