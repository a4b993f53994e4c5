/** Answers that are given one after the other: a move over several hexes, an order and its target. */
import { quickOptions } from './bar';
import type { Choice } from './choices';
import type { Acting } from './acting.svelte';
import type { Answers } from './answers';

/** Answers to give one after the other, and how long the log was when they were begun. */
interface Plan {
  keys: string[];
  side: string;
  unit: string;
  stop: boolean;
  log: number;
}

export class Plans {
  private readonly acting: Acting;
  private readonly answers: Pick<Answers, 'take'>;
  /** What is left of a plan while the other side is asked. */
  private plan: Plan | null = null;

  constructor(acting: Acting, answers: Pick<Answers, 'take'>) {
    this.acting = acting;
    this.answers = answers;
  }

  /** Answer with a choice; `stop` ends the unit's action where it leads, if it can be ended there. */
  async begin(choice: Choice, stop: boolean): Promise<void> {
    this.noteVerbs(choice);
    await this.carryOut({ keys: choice.keys, side: this.acting.table.ask?.side ?? '', unit: choice.unit, stop, log: this.acting.table.log.length });
  }

  /** What is left is not carried out. */
  drop(): void {
    this.plan = null;
  }

  /** Give the answers of a plan. Where the other side is asked in between, the rest waits for it. */
  private async carryOut(plan: Plan): Promise<void> {
    this.plan = null;
    const { table } = this.acting;
    const { keys } = plan;
    const taken = keys.length > 1 ? await table.plan(keys) : Number(keys.length === 0 || (await table.answer(keys[0]!)));
    if (table.problem || (!taken && keys.length)) return;
    this.plan = { ...plan, keys: keys.slice(taken) };
    await this.goOn();
  }

  /** Go on with a plan, if what is asked now is what it expected and nothing was rolled in between. */
  async goOn(): Promise<void> {
    const { plan, acting } = this;
    const { table, situation } = acting;
    if (!plan || !situation || table.busy) return;
    const { ask } = situation;
    // Two at one screen: what the other side is asked in between is no question to the plan.
    if (ask.side !== plan.side) return;
    this.plan = null;
    const next = plan.keys[0];
    if (next === undefined) {
      const [end] = quickOptions(situation, acting.homes);
      if (plan.stop && end && situation.sole === plan.unit && !ask.reaction) await this.answers.take(end);
      return;
    }
    const rolled = table.log.slice(plan.log).some((line) => line.faces.length > 0);
    if (!rolled && ask.options.some((option) => option.key === next)) await this.carryOut(plan);
    else acting.tell(`Stopped: ${table.log.slice(plan.log).at(-1)?.text ?? 'this is no longer possible'}`);
  }

  /** A lesson goes on when what it waits for is done. */
  private noteVerbs(choice: Choice): void {
    const { guide, table } = this.acting;
    if (!guide) return;
    const branch = table.outlook.prospect?.branches.find((each) => each.option.key === choice.root.key);
    const verbs = new Map([...(branch?.follow ?? []), ...(table.ask?.options ?? [])].map((o) => [o.key, o.verb]));
    for (const verb of new Set([choice.root.verb, choice.option.verb, ...choice.keys.map((key) => verbs.get(key) ?? '')])) {
      if (verb) guide.note(verb);
    }
  }
}
