import { describe, expect, it } from 'vitest';
import { allowedHeading, layOut, lengthText, nextHeading, poseKey, readPose, turned } from './pose';
import { measured, placeText } from './lengths';

describe('a pose', () => {
  it('is an answer, and is read back', () => {
    for (const key of ['pose 12.5 30 90', 'pose 0 -0.05 359 line', 'pose 12 30.25 0 m3@12.1,30.4', 'pose 1 2 3 wall a@1,2 b@3,4', 'pose 1 2 3 t3@12.1,30.4,90,135 t4@1,2,0']) {
      expect(poseKey(readPose(key, 'pose')!, 'pose')).toBe(key);
    }
    expect(readPose('pose 12.5 30 90', 'pose')).toEqual({ x: 1250, y: 3000, heading: 90, form: '', byHand: [] });
  });

  it('is refused where it is none', () => {
    const wrong = ['move 1 2 3', 'pose 1 2', 'pose 1 2 360', 'pose 1.234 2 3', 'pose a 2 3', 'pose 1 2 3 m1@1', 'pose 1 2 3 line line', 'pose 1 2 3 m1@1,2.345', 'pose 1 2 3 m1@1,2,360', 'pose 1 2 3 m1@1,2,3,400'];
    for (const key of wrong) expect(readPose(key, 'pose')).toBeNull();
  });

  it('has lengths as people write them', () => {
    expect([1250, 300, -5, 7, 0, -0].map(lengthText)).toEqual(['12.5', '3', '-0.05', '0.07', '0', '0']);
    expect([measured(7.25, 'inch'), measured(7.04, 'inches'), measured(3, 'cm'), measured(3, '')]).toEqual(['7.3″', '7″', '3 cm', '3']);
    const sheet = { width: 480, height: 360, step: 10, measure: 'inch' };
    expect([placeText('12.34,5', sheet), placeText('35.71,30', sheet), placeText('A1', sheet)]).toEqual([
      '12.3″ from the left, 5″ from the top',
      '12.3″ from the right, 6″ from the bottom',
      'A1',
    ]);
  });
});

describe('a layout', () => {
  const form = { name: 'line', title: 'Line', models: [['a', 0, -100], ['b', 100, 0]] as [string, number, number][], turns: true };
  const pose = { x: 1000, y: 2000, heading: 90, form: 'line', byHand: [] };

  it('turns with the heading, clockwise from up', () => {
    expect(turned(0, -1, 90).map((value) => Math.round(value) + 0)).toEqual([1, 0]);
    expect(layOut(form, pose).map(({ id, x, y }) => [id, x, y])).toEqual([['a', 1100, 2000], ['b', 1000, 2100]]);
    expect(layOut({ ...form, turns: false }, pose).map(({ x, y }) => [x, y])).toEqual([[1000, 1900], [1100, 2000]]);
    expect(layOut(undefined, pose)).toEqual([]);
  });

  it('leaves models where a hand has set them', () => {
    expect(layOut(form, { ...pose, byHand: [{ id: 'b', x: 5, y: 6, heading: -1, turret: -1 }] })[1]).toMatchObject({ id: 'b', x: 5, y: 6 });
  });
});

describe('headings', () => {
  it('are any degree, or the nearest of a few', () => {
    expect([allowedHeading(-30, []), allowedHeading(359.6, []), allowedHeading(350, [0, 90, 180])]).toEqual([330, 0, 0]);
    expect([nextHeading(350, 15, []), nextHeading(0, -15, [])]).toEqual([5, 345]);
    expect([nextHeading(80, 15, [0, 90, 180]), nextHeading(0, -15, [180, 0, 90])]).toEqual([180, 180]);
  });
});
