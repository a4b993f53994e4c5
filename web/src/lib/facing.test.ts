import { expect, it } from 'vitest';
import type { Choice } from './acting/choices';
import { arrow, facedPlaces, towards } from './facing';
import { OPTION } from './normalise-view';
import type { AskView, BoardView, Option } from './types';

const board = {
  step: 10,
  facings: [0, 60, 120, 180, 240, 300],
  hexes: [
    { id: 'M', x: 50, y: 50 },
    { id: 'N', x: 50, y: 40 },
    { id: 'S', x: 50, y: 60 },
    { id: 'NE', x: 58.7, y: 45 },
  ],
} as unknown as BoardView;
const option = (key: string, more: Partial<Option> = {}): Option => ({ ...OPTION, key, label: key, verb: 'look', place: 'M', ...more });
const ask = (options: Option[]): AskView => ({ options, reaction: '', prompt: '' }) as unknown as AskView;

it('finds the hexes that a question of facing is about', () => {
  const faces = ask([1, 2, 4, 5].map((n) => option(`look ${n}`)));
  expect([...facedPlaces(faces, board)]).toEqual([['look 1', 'N'], ['look 2', 'NE'], ['look 4', 'S']]);
  expect(facedPlaces(ask([option('look 1'), option('go on')]), board).size).toBe(0);
  expect(facedPlaces(ask([option('look 1'), option('look 2', { place: 'N' })]), board).size).toBe(0);
  expect(facedPlaces(ask([option('look 7'), option('look 8')]), board).size).toBe(0);
});

it('puts the choices where they look, and those that look off the map stay buttons', () => {
  const options = [option('look 1'), option('look 5')];
  const choices = options.map((each) => ({ option: each, spot: {} }) as unknown as Choice);
  expect(towards(choices, ask(options), board).map(({ spot }) => spot)).toEqual([{ place: 'N' }, {}]);
});

it('draws the way as an arrow', () => {
  expect([arrow('M', 'N', board), arrow('M', 'NE', board), arrow('M', 'S', board), arrow('M', 'X', board)]).toEqual(['↑', '↗', '↓', '']);
});
