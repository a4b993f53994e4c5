import { expect, it } from 'vitest';
import { depthOf, crossedEffect, fieldLooks, noLayers, reachLabel, sightState } from './layers';

it('a field of fire is drawn by state and whether it lies in range', () => {
  const looks = fieldLooks([
    { place: 'A1', state: 'clear', ring: 0 },
    { place: 'A2', state: 'clear', ring: 1 },
    { place: 'A3', state: 'clear', ring: -1 },
    { place: 'A4', state: 'blocked', ring: 0 },
    { place: 'A5', state: 'foggy', ring: 0 },
  ]);
  expect(looks.get('clear in')).toEqual(['A1', 'A2']);
  expect(looks.get('clear out')).toEqual(['A3']);
  expect(looks.get('blocked in')).toEqual(['A4']);
  expect(looks.get('degraded in')).toEqual(['A5']);
});

it('words without a look have one all the same', () => {
  expect(sightState('blocked')).toBe('blocked');
  expect(sightState('')).toBe('degraded');
  expect(crossedEffect('block')).toBe('block');
  expect(crossedEffect('anything')).toBe('none');
});

it('a reachable place is told in words', () => {
  expect(reachLabel({ place: 'B3', cost: 2, danger: true })).toBe('B3, cost 2, enemies could react on the way');
  expect(reachLabel({ place: 'B3', cost: 2, danger: true, threats: 1 })).toBe('B3, cost 2, 1 enemy could react on the way');
  expect(reachLabel({ place: 'B3', cost: 2, danger: true, threats: 3 })).toBe('B3, cost 2, 3 enemies could react on the way');
  const depths = [0, 1, 2, 4, 9].map((threats) => depthOf({ place: 'B3', cost: 2, danger: threats > 0, threats }));
  expect(depths).toEqual([0, 0.25, 0.5, 1, 1]);
  expect(reachLabel({ place: 'B3', cost: '1½', text: 'road' })).toBe('B3, cost 1½, road');
});

it('every call gives layers of its own', () => {
  noLayers().reach.push({ place: 'A1', cost: 1 });
  expect(noLayers().reach).toEqual([]);
});
