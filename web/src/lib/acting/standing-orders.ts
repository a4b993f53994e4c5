/** Standing orders: which reactions a side passes by itself, some of them only until the turn ends. */
import { BriefOrders } from '../../components/act/brief';
import { asNew, sameOrder, withOrder, withoutOrder } from '../../components/act/orders';
import type { BattleStore } from '../battle-store.svelte';
import type { NewOrder } from '../types';

export class StandingOrders {
  private readonly table: BattleStore;
  private readonly brief: BriefOrders;

  constructor(table: BattleStore) {
    this.table = table;
    this.brief = new BriefOrders(table.battle.id);
  }

  async add(order: NewOrder): Promise<void> {
    await this.table.setOrders(withOrder(this.table.update.orders, order));
  }

  async remove(order: NewOrder): Promise<void> {
    await this.table.setOrders(withoutOrder(this.table.update.orders, order));
  }

  /** Pass a kind of reaction until the turn ends. */
  async addBriefly(reaction: string): Promise<void> {
    const { me, update, view } = this.table;
    const order: NewOrder = { reaction };
    if (update.orders.some((each) => sameOrder(each, order))) return;
    this.brief.add({ order, side: me, turn: view.turn });
    await this.add(order);
  }

  /** A turn has begun: what was ordered for the last one ends. */
  endBrief(): void {
    const { live, me, update, view } = this.table;
    if (!live) return;
    const ended = this.brief.end(me, view.turn);
    if (!ended.length) return;
    const left = update.orders.map(asNew).filter((each) => !ended.some((order) => sameOrder(each, order)));
    void this.table.setOrders(left);
  }

  /** Whether an order ends with the turn. */
  isBrief(order: NewOrder): boolean {
    return this.brief.has(this.table.me, order);
  }
}
