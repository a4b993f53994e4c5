import { describe, expect, it } from 'vitest';
import { anyOption, nextOf, readyUnits, situationOf } from './situation';
import { bearingOf } from '../facing';
import { option } from '../../../test/asks';
import { ask, homes, impulse } from '../../../test/impulse';

describe('a question taken apart', () => {
  it('knows who can act, what belongs to the side, and how to pass', () => {
    const it_ = situationOf(impulse);
    expect([...it_.actors.keys()]).toEqual(['b1', 'b2']);
    expect(it_.bare.map((o) => o.key)).toEqual(['oba', 'pass']);
    expect(it_.pass?.key).toBe('pass');
    expect(it_.sole).toBe('');
    expect(readyUnits(it_, homes)).toEqual(['b1', 'b2']);
  });

  it('finds the one unit that a staged question is about, but not in a reaction', () => {
    const steps = [option('step C4', { unit: 'b1', place: 'C4' }), option('stop', { unit: 'b1', place: 'C3' })];
    expect(situationOf(ask(steps)).sole).toBe('b1');
    expect(situationOf(ask(steps, { reaction: 'opportunity fire' })).sole).toBe('');
  });

  it('rings through the units that can act', () => {
    expect(nextOf(['b1', 'b2'], null)).toBe('b1');
    expect(nextOf(['b1', 'b2'], 'b1')).toBe('b2');
    expect(nextOf(['b1', 'b2'], 'b2')).toBe('b1');
    expect(nextOf(['b1', 'b2'], 'b1', true)).toBe('b2');
    expect(nextOf([], 'b1')).toBeNull();
  });
});

describe('leaving it to the client', () => {
  it('faces the goal, and takes any place else', () => {
    const face = ask([1, 2, 3, 4, 5, 6].map((n) => option(`face ${n}`, { place: 'K8' })));
    const facings = [0, 60, 120, 180, 240, 300];
    expect(anyOption(face, 0.9, facings, bearingOf({ x: 0, y: 0 }, { x: 0, y: 100 }))!.key).toBe('face 4');
    expect(anyOption(face, 0.9, facings, -55)!.key).toBe('face 6');
    const place = ask(['A1', 'A2', 'A3'].map((p) => option(`place ${p}`, { place: p })));
    expect(anyOption(place, 0.99)!.key).toBe('place A3');
    expect(anyOption(ask([]), 0)).toBeNull();
  });
});
