/** What a choice is worth: its odds are fetched when somebody looks at it, and the best comes first. */
import { bestFirst, hardestFirst, headline, worthOf } from '../../components/act/odds';
import { choicesFor, plainFirst, type Choice } from './choices';
import { OddsCache } from './odds-cache.svelte';
import type { Acting } from './acting.svelte';
import type { OddsView } from '../types';

/** How many targets are reckoned beforehand at most. */
const MOST_TARGETS = 6;

export class OddsLoader {
  private readonly acting: Acting;
  private readonly reckoner: OddsCache;

  constructor(acting: Acting) {
    this.acting = acting;
    this.reckoner = new OddsCache(acting.table);
  }

  oddsOf = (choice: Choice): OddsView | undefined => this.reckoner.oddsOf(choice);

  /** Whether the odds were asked for and there is nothing to tell. */
  isPlain = (choice: Choice): boolean => this.reckoner.isPlain(choice);

  /** Fetch no more. */
  stop(): void {
    this.reckoner.stop();
  }

  /** Another question stands. */
  forget(): void {
    this.reckoner.forget();
  }

  /** Fetch the odds of what is looked at, one after the other; a newer look ends it. */
  load(choices: readonly Choice[]): void {
    void this.reckoner.load(choices).then((done) => {
      if (done) this.sortPending();
    });
  }

  /** What is looked at may have come to be offered, or the line back, since somebody began to look. */
  private lookAgain(): void {
    const { shown } = this.acting;
    if (shown && !this.reckoner.knows(shown.choices)) this.load(shown.choices);
  }

  /** Best first, now that the chances are known; but what somebody has begun to choose from stays as it is. */
  private sortPending(): void {
    const { acting } = this;
    const { pending } = acting;
    if (!pending || pending.touched) return;
    const { unit } = pending.spot;
    const enemy = unit && acting.homes.get(unit)?.side !== acting.table.me ? unit : '';
    const sorted = enemy ? hardestFirst(pending.choices, this.oddsOf, enemy) : bestFirst(pending.choices, this.oddsOf);
    const choices = plainFirst(sorted, (choice) => {
      const odds = this.oddsOf(choice);
      return odds ? worthOf(odds, enemy) : { mean: -Infinity, doubt: 0 };
    });
    acting.pending = { ...pending, choices, index: 0 };
    const best = choices[0] && this.oddsOf(choices[0]);
    if (best) acting.say(`${headline(best)}.`);
  }

  /** Reckon the first way of each target beforehand, so that the reticles say what they are worth. */
  ahead(): void {
    const { homes, marks, pending, table } = this.acting;
    if (!table.ask) return;
    this.lookAgain();
    if (pending) return;
    if (table.ask.reaction) {
      const all = this.reactions();
      const letBe = this.passChoice;
      void this.reckoner.loadBeforehand(letBe ? [...all, letBe] : all);
      return;
    }
    const first = [...marks.units.entries()]
      .filter(([id]) => homes.get(id)?.side !== table.me)
      .slice(0, MOST_TARGETS)
      .map(([, choices]) => choices[0]!);
    if (first.length) void this.reckoner.loadBeforehand(first);
  }

  /** Everything but passing: best first, as soon as all chances are known, so that no number changes under a finger. */
  reactions(): Choice[] {
    const all = this.reacting();
    return this.reactionsKnown ? bestFirst(all, (choice) => this.reckoner.firstOf(choice)) : all;
  }

  /** Whether the reactions stand in the order that they keep. */
  get reactionsKnown(): boolean {
    return this.reckoner.knows(this.reacting());
  }

  /** What becomes of it when nobody reacts. */
  get passOdds(): OddsView | undefined {
    const letBe = this.passChoice;
    return letBe ? this.oddsOf(letBe) : undefined;
  }

  private get passChoice(): Choice | null {
    const { homes, situation } = this.acting;
    if (!situation?.pass || this.reacting().every(this.isPlain)) return null;
    return choicesFor(situation, '', null, homes).find((choice) => choice.root === situation.pass) ?? null;
  }

  private reacting(): Choice[] {
    const { homes, situation } = this.acting;
    if (!situation) return [];
    return choicesFor(situation, '', null, homes).filter((choice) => choice.root !== situation.pass);
  }
}
