import { describe, expect, it, vi } from 'vitest';
import { chances, FakeStore, option } from '../../../test/fake-store.svelte';
import { OddsCache } from './odds-cache.svelte';
import type { Choice } from './choices';
import { ApiError } from '../api';
import type { OddsView } from '../types';

function choice(key: string): Choice {
  const only = option(key);
  return { keys: [key], root: only, option: only, label: key, cost: '', rule: '', unit: '', spot: {} };
}

describe('OddsCache', () => {
  it('knows choices when every one of them has its odds, or none to tell', async () => {
    const fake = new FakeStore(null);
    fake.known = { 'b1 at r1': chances(0.3) };
    const reckoner = new OddsCache(fake.table);
    const ways = [choice('b1 at r1'), choice('b2 at r1')];
    expect(reckoner.knows(ways)).toBe(false);
    await reckoner.load(ways.slice(0, 1));
    expect(reckoner.knows(ways)).toBe(false);
    await reckoner.load(ways);
    expect(reckoner.knows(ways)).toBe(true);
    expect(reckoner.isPlain(ways[1]!)).toBe(true);
    expect(fake.asked).toEqual([['b1 at r1'], ['b2 at r1']]);
  });

  it('shows an estimate at once, and the exact figures when they are there', async () => {
    const fake = new FakeStore(null);
    fake.estimates = { 'b1 at r1': chances(0.4, { exact: false, samples: 30 }) };
    let refine = (_: OddsView): void => undefined;
    const exact = new Promise<OddsView>((resolve) => (refine = resolve));
    const asked = fake.odds.bind(fake);
    fake.odds = (keys: string[], quick = false) => (quick ? asked(keys, true) : exact);
    const reckoner = new OddsCache(fake.table);
    const way = choice('b1 at r1');
    expect(await reckoner.load([way])).toBe(true);
    expect(reckoner.oddsOf(way)?.samples).toBe(30);
    refine(chances(0.3));
    await vi.waitFor(() => expect(reckoner.oddsOf(way)?.exact).toBe(true));
    expect(reckoner.firstOf(way)?.samples, 'what was sorted by the estimate keeps its order').toBe(30);
  });

  it('asks again for what only a lost line has kept back', async () => {
    const fake = new FakeStore(null);
    const reckoner = new OddsCache(fake.table);
    const way = choice('b1 at r1');
    fake.odds = () => Promise.reject(new ApiError(0, { error: 'offline', message: 'gone', seq: 0, faults: [] }));
    expect(await reckoner.load([way])).toBe(false);
    expect(reckoner.isPlain(way)).toBe(false);
    fake.odds = () => Promise.resolve(chances(0.3));
    expect(await reckoner.load([way])).toBe(true);
    expect(reckoner.oddsOf(way)).toEqual(chances(0.3));
  });

  it('fetches all that is looked at, whatever is wanted beforehand meanwhile, and nothing twice', async () => {
    const fake = new FakeStore(null);
    const reckoner = new OddsCache(fake.table);
    const [one, two, three] = [choice('b1 at r1'), choice('b1 twice r1'), choice('b1 at r2')];
    const before = reckoner.loadBeforehand([one, three]);
    const looked = reckoner.load([one, two]);
    const again = reckoner.loadBeforehand([one, three]);
    expect(await Promise.all([before, looked, again])).toEqual([false, true, true]);
    expect(fake.asked).toEqual([['b1 at r1'], ['b1 twice r1'], ['b1 at r2']]);
  });

  it('fetches what somebody looks at before what they no longer look at', async () => {
    const fake = new FakeStore(null);
    const reckoner = new OddsCache(fake.table);
    const first = reckoner.load([choice('b1 at r1'), choice('b1 twice r1')]);
    const second = reckoner.load([choice('b1 at r2')]);
    expect(await Promise.all([first, second])).toEqual([false, true]);
    expect(fake.asked).toEqual([['b1 at r1'], ['b1 at r2']]);
  });

  it('fetches no more when it is told to stop', async () => {
    const fake = new FakeStore(null);
    const reckoner = new OddsCache(fake.table);
    const both = [reckoner.load([choice('b1 at r1'), choice('b1 twice r1')]), reckoner.loadBeforehand([choice('b1 at r2')])];
    reckoner.stop();
    expect(await Promise.all(both)).toEqual([false, false]);
    expect(fake.asked).toEqual([['b1 at r1']]);
  });
});
