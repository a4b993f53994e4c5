/** The ways that the models of a table would go by a choice that is no pose, such as an assault: asked of the game when it is looked at. */
import { SvelteMap } from 'svelte/reactivity';
import type { Choice } from './choices';
import type { BattleStore } from '../battle-store.svelte';

type Asked = Pick<BattleStore, 'battle' | 'preview' | 'update'>;

/** The way of one model, in units of the board. */
export type Walk = [number, number][];

export class Ways {
  private readonly table: Asked;
  private readonly known = new SvelteMap<string, Walk[]>();

  constructor(table: Asked) {
    this.table = table;
  }

  of(choice: Choice | undefined): Walk[] {
    return (choice && this.known.get(this.name(choice))) ?? [];
  }

  /** Somebody looks at a choice: its ways are fetched, once. */
  look(choice: Choice | undefined): void {
    if (!choice?.option.target || choice.keys.length !== 1 || !this.table.battle.board.table) return;
    const name = this.name(choice);
    if (this.known.has(name)) return;
    this.known.set(name, []);
    this.table.preview(choice.option.key).then(
      ({ models }) => this.known.set(name, models.map(({ path }) => path.map(([x, y]): [number, number] => [x / 100, y / 100]))),
      // The question is gone, or the server: there is nothing to draw.
      () => this.known.delete(name),
    );
  }

  /** A new question stands. */
  forget(): void {
    this.known.clear();
  }

  private name(choice: Choice): string {
    return `${this.table.update.seq} ${choice.option.key}`;
  }
}
