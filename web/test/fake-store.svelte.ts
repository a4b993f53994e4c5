/** A table for tests: questions and answers without a server. */
import * as normaliseBattle from '../src/lib/normalise-battle';
import * as normaliseView from '../src/lib/normalise-view';
import type { AskView, BarView, Battle, ChangeView, NewOrder, OddsView, PreviewView, Prospect, UnitView, Update } from '../src/lib/types';
import type { BattleStore } from '../src/lib/battle-store.svelte';
import { tablePreview } from './small-table';
import { noLayers, type Layers } from '../src/lib/layers';

export { journey, option, piece, question } from './asks';

/** Odds of an attack on r1 that has an effect so often. */
export function chances(effect: number, more: Partial<OddsView> = {}): OddsView {
  const chance = (probability: number, text: string, changes: ChangeView[] = []) => ({ probability, fraction: '1/2', text, changes, mean: 0 });
  const shaken: ChangeView = { text: 'Squad r1 is Shaken', what: 'is Shaken', unit: 'r1', side: 'red', amount: 0, harm: true, fatal: false };
  return {
    keys: [],
    side: 'blue',
    anyway: [],
    assumed: [],
    ends: [],
    reached: 1,
    parts: [],
    exact: true,
    samples: 0,
    to_them: chance(effect, 'you to them'),
    to_us: chance(0, 'they to you'),
    besides: chance(0, 'besides'),
    outcomes: [chance(1 - effect, 'no effect'), chance(effect, 'Squad r1 is Shaken', [shaken])],
    tallies: [
      {
        what: 'Firepower',
        base: 5,
        total: 4,
        text: '',
        rule: '88.1',
        source: 'MMG',
        lines: [{ id: 'far', amount: -1, text: 'degraded sight', rule: '59.3', source: 'D2' }],
        roll: 'attack',
        side: 'blue',
      },
    ],
    ...more,
  };
}

const HEXES = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2'].map((id, at) => ({
  id,
  x: Math.floor(at / 2) * 15,
  y: (at % 2) * 17 + (Math.floor(at / 2) % 2) * 8.5,
  q: 0,
  r: 0,
  text: 'open',
}));

/** What the selected unit can do, as far as a test says it. */
class FakeOutlook {
  prospect: Prospect | null = $state.raw(null);
  looking: Promise<void> | null = null;
}

/** What was sent, and what comes back. */
export class FakeStore {
  battle: Battle = {
    ...normaliseBattle.battle({ id: 'b', board: { name: 'm', width: 100, height: 100, step: 17, measure: 'hexes', hexes: HEXES } }),
    sides: ['blue', 'red'],
    verbs: [{ verb: 'fire', title: 'Fire', text: 'Shoot at somebody.', rule: '88.1', letter: 'f', odds: true, idle: false }],
  };
  update = $state.raw(
    normaliseView.update({ number: 1, seq: 7, side: 'blue', waiting: 'you', seats: [{ side: 'red', player: 'regular' }] }),
  );
  view = $state.raw(this.update.view);
  log = $state.raw(this.update.view.log);
  history = this.log;
  fresh = this.log;
  me = $state('blue');
  live = true;
  curtain = $state('');
  waiting = 0;
  over = false;
  busy = false;
  problem = '';
  tool = 'none';
  replay = { on: false, number: 0, playing: false, reveal: false };
  layers: Layers = $state.raw(noLayers());
  selected: string | null = $state(null);
  hovered: { unit?: string; place?: string } | null = $state.raw(null);
  outlook = new FakeOutlook();
  sent: string[] = [];
  orders: NewOrder[][] = [];
  asked: string[][] = [];
  known: Record<string, OddsView> = {};
  bars: BarView[] = [];
  /** How many answers of a plan are taken. */
  takes = Infinity;
  /** What happens after an answer. */
  after: (key: string) => void = () => undefined;

  constructor(ask: AskView | null, units: UnitView[] = []) {
    this.ask_(ask);
    this.view = { ...this.view, units };
  }

  get ask(): AskView | null {
    return this.view.ask;
  }

  ask_(ask: AskView | null): void {
    this.view = { ...this.view, ask };
    this.update = { ...this.update, number: this.update.number + 1, may_undo: '' } as Update;
  }

  select(id: string | null): void {
    this.selected = id;
  }

  answer(key: string): Promise<boolean> {
    this.sent.push(key);
    this.after(key);
    return Promise.resolve(true);
  }

  plan(keys: string[]): Promise<number> {
    const taken = Math.min(this.takes, keys.length);
    for (const key of keys.slice(0, taken)) {
      this.sent.push(key);
      this.after(key);
    }
    return Promise.resolve(taken);
  }

  undo(): Promise<boolean> {
    this.sent.push('undo');
    this.after('undo');
    return Promise.resolve(true);
  }

  takeBack(say: string): Promise<boolean> {
    this.sent.push(`take-back ${say}`);
    return Promise.resolve(true);
  }

  setOrders(orders: NewOrder[]): Promise<boolean> {
    this.orders.push(orders);
    return Promise.resolve(true);
  }

  /** Estimates that differ from what is known exactly. */
  estimates: Record<string, OddsView> = {};

  odds(keys: string[], quick = false): Promise<OddsView> {
    this.asked.push(keys);
    const found = (quick && this.estimates[keys.join(' ')]) || this.known[keys.join(' ')];
    return found ? Promise.resolve(found) : Promise.reject(new Error('none'));
  }

  /** What a game says to poses, and which were asked about. */
  previews: string[] = [];

  preview(key: string): Promise<PreviewView> {
    this.previews.push(key);
    return Promise.resolve(tablePreview(key));
  }

  readonly seat = {
    whyNot: (words: string): Promise<BarView[]> => {
      this.sent.push(`why ${words}`);
      return Promise.resolve(this.bars);
    },
  };

  lift(): void {
    this.curtain = '';
  }

  /** As the components take it. */
  get table(): BattleStore {
    return this as unknown as BattleStore;
  }
}
