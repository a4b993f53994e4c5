/** Answering the question: with an option, with a choice of several steps, by passing, or by taking the last back. */
import { isAimed, isElsewhere, type Choice } from './choices';
import { Plans } from './plans';
import type { Acting } from './acting.svelte';
import type { StandingOrders } from './standing-orders';
import type { OddsLoader } from './odds-loader';
import type { Option } from '../types';

export class Answers {
  private readonly acting: Acting;
  private readonly odds: OddsLoader;
  private readonly standing: StandingOrders;
  readonly plans: Plans;

  constructor(acting: Acting, odds: OddsLoader, standing: StandingOrders) {
    this.acting = acting;
    this.odds = odds;
    this.standing = standing;
    this.plans = new Plans(acting, this);
  }

  /** Whether an answer can be given now. */
  private get may(): boolean {
    const { table } = this.acting;
    return !table.busy && table.ask !== null;
  }

  /** An answer is on its way: nothing waits any more, and no odds are needed. */
  begins(): void {
    const { acting } = this;
    acting.pending = null;
    acting.messages.notice = '';
    this.odds.stop();
  }

  /** Answer with a choice; `stop` ends the unit's action where it leads, if it can be ended there. */
  async commit(choice: Choice, stop = false): Promise<void> {
    if (!this.may) return;
    this.begins();
    await this.plans.begin(choice, stop);
  }

  /** Answer with an option of the question. */
  async take(option: Option): Promise<void> {
    if (!this.may) return;
    this.begins();
    this.acting.guide?.note(option.verb);
    await this.acting.table.answer(option.key);
  }

  /** Answer with a key that somebody knows to be one: an option's, or a pose that the question takes. */
  async takeKey(key: string): Promise<void> {
    const { table } = this.acting;
    const option = table.ask?.options.find((each) => each.key === key);
    if (option) await this.take(option);
    else if (this.may) {
      this.begins();
      await table.answer(key);
    }
  }

  /** A button of an order: unfold it on the map, or carry it out when there is nothing to unfold. */
  order(option: Option): void {
    const { acting } = this;
    const { choices, situation } = acting;
    const underWay = Boolean(situation?.sole) && !situation?.ask.quiet;
    const staged = !underWay && choices.some((choice) => choice.root.key === option.key && choice.keys.length > 1);
    acting.pending = null;
    acting.messages.why = null;
    // What is done elsewhere on the map is shown there first.
    const aimed = choices.find((choice) => choice.keys.length === 1 && choice.option === option && !choice.journey && isElsewhere(choice));
    if (aimed && (isAimed(aimed) || !underWay)) {
      acting.preview(aimed.spot, [aimed]);
      acting.opener = document.activeElement;
    } else if (!staged) void this.take(option);
    else acting.only = acting.only === option.key ? '' : option.key;
  }

  pass(): void {
    const { situation, quick } = this.acting;
    const pass = situation?.pass ?? (quick.length === 1 ? quick[0] : undefined);
    if (pass) void this.take(pass);
  }

  /** Pass this kind of reaction until the turn ends. */
  async passThisTurn(): Promise<void> {
    const { standing } = this;
    const { table } = this.acting;
    const reaction = table.ask?.reaction;
    if (!reaction) return;
    await standing.addBriefly(reaction);
    // The order answers what comes; the question that stands may still be ours.
    if (table.ask?.reaction === reaction) this.pass();
  }

  /** Why undo is not allowed; "" when it is. */
  get undoBar(): string {
    const { table } = this.acting;
    if (table.replay.on) return 'you’re looking at the past';
    if (!table.live) return 'wait until the other side has acted';
    return table.update.may_undo;
  }

  /** Whether the other side can be asked for what cannot be undone by oneself. */
  get mayAskBack(): boolean {
    const { table } = this.acting;
    return !table.replay.on && table.live && table.update.may_undo !== '' && table.update.may_ask_back === '';
  }

  /** Take the last order back, or only its last `step`; or ask the other side for it where that is how it is done. */
  async undo(step = false): Promise<void> {
    const { acting, undoBar, mayAskBack } = this;
    const { table, messages } = acting;
    if (table.busy) return;
    if (mayAskBack) {
      messages.notice = '';
      await table.takeBack('ask');
      return;
    }
    if (undoBar) {
      acting.tell(`You can’t undo: ${undoBar}.`);
      return;
    }
    acting.pending = null;
    this.plans.drop();
    messages.notice = '';
    // An order begins at a question that stands by itself: what was answered in the middle of it goes with it.
    while ((await table.undo()) && !step && this.inMiddle);
  }

  /** Whether the question that stands now is one in the middle of an own order, which can be taken back further. */
  private get inMiddle(): boolean {
    const { ask, busy, update } = this.acting.table;
    return ask !== null && !ask.quiet && !ask.reaction && !ask.dice && !busy && update.may_undo === '';
  }
}
