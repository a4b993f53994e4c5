import { describe, expect, it } from 'vitest';
import {
  corners,
  fanPath,
  gapBetween,
  gapBetweenGroups,
  hull,
  hullOf,
  isOn,
  isUnder,
  isWithin,
  nearestWithin,
  pointBody,
  polygonsPath,
  ringPath,
  softHull,
  type Body,
} from './bodies';

const disc = (x: number, y: number, radius = 0.5): Body => ({ ...pointBody(x, y), radius });
const box = (x: number, y: number, heading = 0): Body => ({ x, y, heading, radius: 0, length: 4, width: 2 });
const AREA = [
  [
    [
      [0, 0],
      [1000, 0],
      [1000, 1000],
      [0, 1000],
    ],
    [
      [400, 400],
      [600, 400],
      [600, 600],
      [400, 600],
    ],
  ],
] as const;

describe('bases', () => {
  it('lie along their heading, the front left corner first', () => {
    expect(corners(box(10, 10)).map(({ x, y }) => [x, y])).toEqual([[9, 8], [11, 8], [11, 12], [9, 12]]);
    const [first] = corners(box(10, 10, 90));
    expect(first!.x).toBeCloseTo(12);
    expect(first!.y).toBeCloseTo(9);
  });

  it('are measured from edge to edge', () => {
    expect(gapBetween(disc(0, 0), disc(4, 3)).gap).toBeCloseTo(4);
    expect(gapBetween(disc(0, 0), disc(0.5, 0)).gap).toBe(0);
    const found = gapBetween(disc(10, 4), box(10, 10));
    expect(found.gap).toBeCloseTo(3.5);
    expect([found.from.y, found.to.y]).toEqual([4.5, 8]);
    expect(gapBetween(box(10, 10), box(10, 20)).gap).toBeCloseTo(6);
    expect(gapBetween(box(10, 10), box(10, 11)).gap).toBe(0);
    expect(gapBetween(box(10, 10), box(10, 10, 90)).gap).toBe(0);
    expect(gapBetween(pointBody(0, 0), pointBody(3, 4)).gap).toBe(5);
    expect(gapBetween(pointBody(10, 10), box(10, 10)).gap).toBe(0);
  });

  it('are measured between groups at the nearest pair', () => {
    expect(gapBetweenGroups([disc(0, 0), disc(5, 0)], [disc(9, 0), disc(20, 0)])!.gap).toBeCloseTo(3);
    expect(gapBetweenGroups([], [disc(0, 0)])).toBeNull();
  });

  it('know what lies on them', () => {
    expect([isOn(disc(0, 0), { x: 0.4, y: 0 }), isOn(disc(0, 0), { x: 0.6, y: 0 })]).toEqual([true, false]);
    expect([isOn(box(0, 0, 90), { x: 1.9, y: 0 }), isOn(box(0, 0), { x: 1.9, y: 0 })]).toEqual([true, false]);
  });
});

describe('hulls', () => {
  it('are convex and hold every base', () => {
    const square = [[0, 0], [4, 0], [4, 4], [0, 4], [2, 2]].map(([x, y]) => ({ x: x!, y: y! }));
    expect(hull(square)).toHaveLength(4);
    const points = hullOf([disc(0, 0), disc(10, 0)], 0.5);
    expect(Math.min(...points.map(({ x }) => x))).toBeCloseTo(-1);
    expect(Math.max(...points.map(({ x }) => x))).toBeCloseTo(11);
    expect(softHull(points, 10)).toMatch(/^M.*Q.*Z$/);
    expect(softHull([])).toBe('');
  });
});

describe('areas', () => {
  it('have holes', () => {
    expect([isWithin(AREA, 100, 100), isWithin(AREA, 500, 500), isWithin(AREA, 1100, 100)]).toEqual([true, false, false]);
    expect(polygonsPath(AREA, 0.1)).toBe('M0,0L100,0L100,100L0,100ZM40,40L60,40L60,60L40,60Z');
  });

  it('lend their nearest point, a hair inside', () => {
    expect(nearestWithin(AREA, 250, 250)).toEqual({ x: 250, y: 250 });
    const edge = nearestWithin(AREA, 1200, 300)!;
    expect(edge).toEqual({ x: 997, y: 300 });
    const round = nearestWithin(AREA, 450, 500)!;
    expect(isWithin(AREA, round.x, round.y)).toBe(true);
    expect(round.x).toBeLessThan(400);
    const corner = nearestWithin(AREA, 1300, 1300)!;
    expect(isWithin(AREA, corner.x, corner.y)).toBe(true);
    expect(nearestWithin([], 1, 1)).toBeNull();
  });
});

describe('rings and arcs', () => {
  it('go round a base at a distance from its edge', () => {
    expect(ringPath(disc(10, 10), 6, 1)).toBe('M3.5,10a6.5,6.5 0 1 1 13,0a6.5,6.5 0 1 1 -13,0Z');
    expect(ringPath(box(10, 10), 6, 1)).toBe('M3,8A6,6 0 0 1 9,2L11,2A6,6 0 0 1 17,8L17,12A6,6 0 0 1 11,18L9,18A6,6 0 0 1 3,12Z');
  });

  it('open to both sides of a heading', () => {
    expect(fanPath(0, 0, 90, 180, 10, 1)).toBe('M0,0L0,-10A10,10 0 0 1 0,10Z');
    expect(fanPath(0, 0, 0, 270, 10, 1)).toContain('A10,10 0 1 1');
    expect(fanPath(0, 0, 0, 360, 10, 1)).toBe(ringPath(pointBody(0, 0), 10, 1));
  });
});

describe('what lies under a template', () => {
  const square = [[[[0, 0], [10, 0], [10, 10], [0, 10]]]] as const;

  it('is every base that it touches with any part', () => {
    expect([disc(5, 5), disc(10.4, 5), disc(10.6, 5), disc(10.4, 10.4)].map((body) => isUnder(square, body))).toEqual([true, true, false, false]);
    expect([box(10.9, 5), box(11.1, 5), box(11.1, 5, 90), box(11.9, 11.9)].map((body) => isUnder(square, body))).toEqual([true, false, true, false]);
  });

  it('is a base that is larger than it', () => {
    expect(isUnder([[[[4.9, 4.9], [5.1, 4.9], [5.1, 5.1], [4.9, 5.1]]]], box(5.5, 5.5))).toBe(true);
  });
});
