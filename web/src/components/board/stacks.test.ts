import { describe, expect, it } from 'vitest';
import { Grid } from '../../lib/hex';
import { EDGE, fan, findStacks, nextInDirection } from './stacks';
import { boardOf, table, unitOf } from '../../../test/boards';

const grid = new Grid(boardOf());
const edge = EDGE * grid.board.step;

describe('closed stacks', () => {
  it('are one for each place; units off the map have none', () => {
    const stacks = findStacks(
      [unitOf('a', 'B2'), unitOf('b', 'B2', { stack: 1 }), unitOf('c', ''), unitOf('d', 'Z9'), unitOf('e', 'C3')],
      grid,
    );
    expect(stacks.map((stack) => [stack.place, stack.spots.length])).toEqual([
      ['B2', 2],
      ['C3', 1],
    ]);
    expect(stacks[1]!.spots[0]).toMatchObject({ dx: 0, scale: 1, tucked: false });
  });

  it('lean, the top one last and highest', () => {
    const units = [
      unitOf('top', 'B2', { stack: 2 }),
      unitOf('low', 'B2', { stack: 0 }),
      unitOf('mid', 'B2', { stack: 1 }),
    ];
    const { spots } = findStacks(units, grid)[0]!;
    expect(spots.map((spot) => spot.unit.id)).toEqual(['low', 'mid', 'top']);
    expect(spots[2]!.dx).toBeGreaterThan(spots[0]!.dx);
    expect(spots[2]!.dy).toBeLessThan(spots[0]!.dy);
    expect(spots[0]!.dx + spots[2]!.dx).toBeCloseTo(0);
  });

  it('never lean out of the hex', () => {
    const units = Array.from({ length: 12 }, (_, i) => unitOf(`u${i}`, 'B2', { stack: i }));
    for (const { dx } of findStacks(units, grid)[0]!.spots) expect(Math.abs(dx)).toBeLessThan(grid.board.step * 0.2);
  });

  it('tuck under a counter what goes with it', () => {
    const units = [
      unitOf('host', 'B2'),
      unitOf('guest', 'B2', { with_unit: 'host', stack: 1 }),
      unitOf('lone', 'C3', { with_unit: 'host' }),
    ];
    const [stack, other] = findStacks(units, grid);
    const guest = stack!.spots.find((spot) => spot.unit.id === 'guest')!;
    const host = stack!.spots.find((spot) => spot.unit.id === 'host')!;
    expect(guest.tucked).toBe(true);
    expect(guest.scale).toBeLessThan(host.scale);
    expect(guest.z).toBeLessThan(host.z);
    expect(guest.dy).toBeGreaterThan(host.dy);
    expect(other!.spots[0]!.tucked).toBe(false);
  });

  it('leave nobody out, whoever goes with whom', () => {
    const chain = [unitOf('a', 'B2'), unitOf('b', 'B2', { with_unit: 'a' }), unitOf('c', 'B2', { with_unit: 'b' })];
    expect(findStacks(chain, grid)[0]!.spots).toHaveLength(3);
    const circle = [unitOf('a', 'B2', { with_unit: 'b' }), unitOf('b', 'B2', { with_unit: 'a' })];
    expect(findStacks(circle, grid)[0]!.spots).toHaveLength(2);
    expect(findStacks([unitOf('a', 'B2', { with_unit: 'a' })], grid)[0]!.spots).toHaveLength(1);
  });

  it('work on a table', () => {
    expect(findStacks([unitOf('a', '3,4'), unitOf('b', '3,4')], new Grid(table()))[0]).toMatchObject({ x: 30, y: 40 });
  });
});

describe('open stacks', () => {
  it.each([2, 3, 4, 5, 7, 9, 12])('of %i have no counter over another, and all on the tray', (count) => {
    const units = Array.from({ length: count }, (_, i) =>
      unitOf(`u${i}`, 'D4', { stack: i, with_unit: i === 1 ? 'u0' : '' }),
    );
    const { spots, left, top, width, height } = fan(findStacks(units, grid)[0]!, grid, 1);
    expect(spots).toHaveLength(count);
    spots.forEach((a, i) => {
      expect(a.dx - edge / 2).toBeGreaterThan(left);
      expect(a.dx + edge / 2).toBeLessThan(left + width);
      expect(a.dy - edge / 2).toBeGreaterThan(top);
      expect(a.dy + edge / 2).toBeLessThan(top + height);
      for (const b of spots.slice(i + 1))
        expect(Math.max(Math.abs(a.dx - b.dx), Math.abs(a.dy - b.dy))).toBeGreaterThan(edge);
    });
  });

  it('keep the order of the closed stack, so that no node moves', () => {
    const units = Array.from({ length: 4 }, (_, i) => unitOf(`u${i}`, 'D4', { stack: i }));
    const stack = findStacks(units, grid)[0]!;
    expect(fan(stack, grid).spots.map((spot) => spot.unit.id)).toEqual(stack.spots.map((spot) => spot.unit.id));
    // The top one lies leftmost.
    const [lowest, , , top] = fan(stack, grid).spots;
    expect(top!.dx).toBeLessThan(lowest!.dx);
  });

  it('stay on the sheet', () => {
    const units = Array.from({ length: 4 }, (_, i) => unitOf(`u${i}`, 'A1', { stack: i }));
    const stack = findStacks(units, grid)[0]!;
    const { left, top } = fan(stack, grid, 1.5);
    expect(stack.x + left).toBeGreaterThanOrEqual(0);
    expect(stack.y + top).toBeGreaterThanOrEqual(0);
  });
});

describe('arrow keys', () => {
  const points = new Map([
    ['east', { x: 10, y: 1 }],
    ['farEast', { x: 30, y: 0 }],
    ['south', { x: 1, y: 12 }],
  ]);

  it('lead to the nearest counter that way', () => {
    expect(nextInDirection({ x: 0, y: 0 }, points, 'right')).toBe('east');
    expect(nextInDirection({ x: 10, y: 1 }, points, 'right')).toBe('farEast');
    expect(nextInDirection({ x: 0, y: 0 }, points, 'down')).toBe('south');
    expect(nextInDirection({ x: 0, y: 0 }, points, 'up')).toBeNull();
    expect(nextInDirection({ x: 30, y: 0 }, points, 'left')).toBe('east');
  });
});
