/** Standing orders in words, and how a form makes one. */
import type { NewOrder, StandingOrder } from '../../lib/types';
import { percent } from './odds';

/** What is less likely than this, in percent, few want to be asked about. */
export const SELDOM = 15;

export type Limit = 'always' | 'beyond' | 'below';

/** An order from a form. `amount` is hexes, or a percentage. Throws with what would be right. */
export function makeOrder(reaction: string, limit: Limit, amount: number): NewOrder {
  if (limit === 'always') return { reaction };
  if (limit === 'beyond') {
    if (!Number.isInteger(amount) || amount < 0 || amount > 1000) {
      throw new Error('A range is a whole number from 0 to 1000.');
    }
    return { reaction, beyond: amount };
  }
  if (!Number.isFinite(amount) || amount <= 0 || amount > 100) {
    throw new Error('A chance is a percentage from 1 to 100.');
  }
  return { reaction, below: amount / 100 };
}

export function sayOrder(order: NewOrder | StandingOrder): string {
  const what = order.reaction ? `“${order.reaction}”` : 'every reaction';
  if (order.beyond !== null && order.beyond !== undefined) {
    return `Pass ${what} when the range is more than ${order.beyond}.`;
  }
  if (order.below !== null && order.below !== undefined) {
    return `Pass ${what} when the chance of an effect is below ${percent(order.below)}.`;
  }
  return `Always pass ${what}.`;
}

/** As the server takes it back. */
export function asNew(order: StandingOrder): NewOrder {
  const plain: NewOrder = { reaction: order.reaction };
  if (order.beyond !== null) plain.beyond = order.beyond;
  if (order.below !== null) plain.below = order.below;
  return plain;
}

export function sameOrder(a: NewOrder | StandingOrder, b: NewOrder | StandingOrder): boolean {
  return (
    (a.reaction ?? '') === (b.reaction ?? '') &&
    (a.beyond ?? null) === (b.beyond ?? null) &&
    (a.below ?? null) === (b.below ?? null)
  );
}

/** With one more order; an equal one is not given twice. */
export function withOrder(orders: readonly StandingOrder[], order: NewOrder): NewOrder[] {
  const kept = orders.map(asNew).filter((each) => !sameOrder(each, order));
  return [...kept, order];
}

export function withoutOrder(orders: readonly StandingOrder[], order: NewOrder | StandingOrder): NewOrder[] {
  return orders.map(asNew).filter((each) => !sameOrder(each, order));
}
