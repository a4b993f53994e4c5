import { describe, expect, it } from 'vitest';
import { hintFor, quickOptions } from './bar';
import { choicesFor, marksOf } from './choices';
import { situationOf } from './situation';
import { option } from '../../../test/asks';
import { ask, homes, impulse, prospect } from '../../../test/impulse';
import type { AskView, Prospect } from '../types';
import { dice } from '../normalise-view';

describe('the bar', () => {
  it('carries a short question whole, and the stop of a mover', () => {
    const hide = ask([option('hide', { unit: 'b1', place: 'C3' }), option('show', { unit: 'b1', place: 'C3' })]);
    expect(quickOptions(situationOf(hide), homes).map((o) => o.key)).toEqual(['hide', 'show']);
    const move = ask([
      ...['C4', 'D3', 'B3', 'B2', 'C2', 'D2'].map((place) => option(`step ${place}`, { unit: 'b1', place })),
      option('pivot 1', { unit: 'b1', place: 'C3', cost: '1 MP' }),
      option('stop', { unit: 'b1', place: 'C3' }),
    ]);
    expect(quickOptions(situationOf(move), homes).map((o) => o.key)).toEqual(['stop']);
    expect(quickOptions(situationOf(impulse), homes)).toEqual([]);
    const face = ask([1, 2, 3].map((n) => option(`face ${n}`, { place: 'K8' })));
    expect(quickOptions(situationOf(face), homes)).toHaveLength(3);
  });

  it('says what to do next in plain words', () => {
    const hint = (question: AskView, selected: string | null, foresight: Prospect | null): string => {
      const situation = situationOf(question);
      return hintFor(situation, selected, marksOf(choicesFor(situation, selected ?? '', foresight, homes)), homes);
    };
    expect(hint(impulse, null, null)).toBe('choose a unit');
    expect(hint(impulse, 'b1', prospect)).toBe('click a marked hex or target or choose an order');
    expect(hint(ask([], { dice: dice({ number: 2, sides: 6 }) }), null, null)).toContain('dice');
    const fire = [option('fire b1 r1', { unit: 'b1', target: 'r1' })];
    const reaction = (label: string): string => hint(ask([...fire, option('pass', { label })], { reaction: 'opportunity' }), null, null);
    expect(reaction('Hold fire')).toBe('choose one, or “Hold fire”');
    expect(reaction('Squad b1 stays')).toBe('choose one, or “Squad b1 stays”');
    expect(reaction('The usual way: plain men first, then the rest')).toBe('choose one, or pass');
  });
});
