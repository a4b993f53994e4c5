/** Several stands at once: a run of questions that take them in one by one is answered in one go. */
import { modelName } from './choices';
import { togglesOf } from './situation';
import type { Acting } from './acting.svelte';
import type { Answers } from './answers';
import type { Option } from '../types';

export class Gathering {
  private readonly acting: Acting;
  private readonly answers: Answers;
  /** The keys of those gathered so far, in the order of the question. */
  private keys = $state.raw<readonly string[]>([]);

  /** Those that can be gathered, by `modelName`. */
  readonly offered: ReadonlyMap<string, Option> = $derived.by(() => {
    const { situation } = this.acting;
    return new Map((situation ? togglesOf(situation) : []).map((option) => [modelName(option.unit, option.model), option]));
  });

  constructor(acting: Acting, answers: Answers) {
    this.acting = acting;
    this.answers = answers;
  }

  get count(): number {
    return this.keys.length;
  }

  has(model: string): boolean {
    return this.keys.includes(this.offered.get(model)?.key ?? '');
  }

  /** Shift and a click: gather a stand, or leave it out again. */
  toggle(model: string): void {
    const key = this.offered.get(model)?.key;
    if (key !== undefined) this.keep(this.keys.includes(key) ? this.keys.filter((each) => each !== key) : [...this.keys, key]);
  }

  /** Shift and a drag: gather all of them. */
  add(models: readonly string[]): void {
    this.keep([...this.keys, ...models.flatMap((model) => this.offered.get(model)?.key ?? [])]);
  }

  drop(): void {
    this.keys = [];
  }

  private keep(keys: readonly string[]): void {
    const wanted = new Set(keys);
    this.keys = [...this.offered.values()].map(({ key }) => key).filter((key) => wanted.has(key));
    this.acting.pending = null;
    this.acting.say(`${this.keys.length} chosen. Enter confirms, Escape cancels.`);
  }

  /** Answer for all that were gathered, and that there are no more. */
  async confirm(): Promise<void> {
    const { acting, keys } = this;
    const { situation } = acting;
    const done = situation?.pass?.key;
    const first = situation?.ask.options.find((option) => option.key === keys[0]);
    if (!first || done === undefined) return;
    this.drop();
    const choice = { keys: [...keys, done], root: first, option: first, label: first.label, cost: '', rule: first.rule, unit: first.unit, spot: {} };
    await this.answers.commit(choice);
  }
}
