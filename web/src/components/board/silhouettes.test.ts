import { describe, expect, it } from 'vitest';
import drawn from './silhouettes.json';
import { silhouetteOf } from './silhouettes';

/** A code of 20 digits with a symbol set, a headquarters flag and an entity. */
const code = (set: string, entity: string, flag = '0'): string => `1003${set}0${flag}00${entity}0000`;

describe('silhouettes', () => {
  it('are found by the set and the entity of a symbol, the nearest first', () => {
    expect(code('10', '121100')).toHaveLength(20);
    const named = [code('10', '121100'), code('15', '110203'), code('15', '120200'), code('15', '120103'), code('15', '120101'), code('15', '140100'), code('01', '110100')];
    expect(named.map((each) => silhouetteOf(each)?.name)).toEqual(['squad', 'mg', 'tank', 'carrier', 'armored_car', 'truck', 'aircraft']);
  });

  it('have a leader for a headquarters flag of the land units', () => {
    expect(silhouetteOf(code('10', '121100', '2'))?.name).toBe('leader');
    expect(silhouetteOf(code('15', '120200', '2'))?.name).toBe('tank');
  });

  it('tell a gun on tracks from one that is towed', () => {
    expect(silhouetteOf('10031500331106000000')?.name).toBe('assault_gun');
    expect(silhouetteOf('10031500351106000000')?.name).toBe('gun');
  });

  it('leave what they do not know to its symbol', () => {
    expect(silhouetteOf('')).toBeNull();
    expect(silhouetteOf(code('30', '120100'))).toBeNull();
  });

  it('are all drawn, and each in its box', () => {
    expect(Object.values(drawn.kinds).filter((name) => !(name in drawn.looks))).toEqual([]);
    for (const [name, { ink }] of Object.entries(drawn.looks)) {
      expect(ink.length, name).toBeGreaterThan(0);
      for (const d of ink) for (const [, x] of d.matchAll(/[ML](-?[\d.]+)/g)) expect(Math.abs(Number(x)), `${name}: ${d}`).toBeLessThanOrEqual(44);
    }
  });
});
