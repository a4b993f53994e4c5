import { describe, expect, it } from 'vitest';
import { chances, FakeTable, option } from '../components/act/fake.svelte';
import { Reckoner } from './acting-odds.svelte';
import type { Choice } from './acting-choices';
import { ApiError } from './api';

function choice(key: string): Choice {
  const only = option(key);
  return { keys: [key], root: only, option: only, label: key, cost: '', rule: '', unit: '', spot: {} };
}

describe('Reckoner', () => {
  it('knows choices when every one of them has its odds, or none to tell', async () => {
    const fake = new FakeTable(null);
    fake.known = { 'b1 at r1': chances(0.3) };
    const reckoner = new Reckoner(fake.table);
    const ways = [choice('b1 at r1'), choice('b2 at r1')];
    expect(reckoner.knows(ways)).toBe(false);
    await reckoner.load(ways.slice(0, 1));
    expect(reckoner.knows(ways)).toBe(false);
    await reckoner.load(ways);
    expect(reckoner.knows(ways)).toBe(true);
    expect(reckoner.isPlain(ways[1]!)).toBe(true);
    expect(fake.asked).toEqual([['b1 at r1'], ['b2 at r1']]);
  });

  it('asks again for what only a lost line has kept back', async () => {
    const fake = new FakeTable(null);
    const reckoner = new Reckoner(fake.table);
    const way = choice('b1 at r1');
    fake.odds = () => Promise.reject(new ApiError(0, { error: 'offline', message: 'gone', seq: 0, faults: [] }));
    expect(await reckoner.load([way])).toBe(false);
    expect(reckoner.isPlain(way)).toBe(false);
    fake.odds = () => Promise.resolve(chances(0.3));
    expect(await reckoner.load([way])).toBe(true);
    expect(reckoner.oddsOf(way)).toEqual(chances(0.3));
  });
});
