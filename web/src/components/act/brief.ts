/** Standing orders that end with the turn: which of a battle's orders they are, kept in this browser. */
import type { NewOrder } from '../../lib/types';
import { sameOrder } from './orders';

export interface Brief {
  order: NewOrder;
  side: string;
  turn: number;
}

export class BriefOrders {
  private readonly slot: string;

  constructor(battle: string) {
    this.slot = `grognard.brief.${battle}`;
  }

  add(brief: Brief): void {
    this.keep([...this.all(), brief]);
  }

  has(side: string, order: NewOrder): boolean {
    return this.all().some((brief) => brief.side === side && sameOrder(brief.order, order));
  }

  /** Forget the orders of a side that were given in another turn, and return them. Some games count turns down. */
  end(side: string, turn: number): NewOrder[] {
    const all = this.all();
    const ended = all.filter((brief) => brief.side === side && brief.turn !== turn);
    if (ended.length) this.keep(all.filter((brief) => !ended.includes(brief)));
    return ended.map((brief) => brief.order);
  }

  private all(): Brief[] {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(this.slot) ?? '[]');
      return Array.isArray(kept) ? (kept as Brief[]) : [];
    } catch {
      return [];
    }
  }

  private keep(orders: Brief[]): void {
    try {
      if (orders.length) localStorage.setItem(this.slot, JSON.stringify(orders));
      else localStorage.removeItem(this.slot);
    } catch {
      // Without storage the order stands until it is taken back in the list.
    }
  }
}
