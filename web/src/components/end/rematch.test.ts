import { expect, it } from 'vitest';
import type { Battle } from '../../lib/types';
import { lobby } from '../../lib/normalise-battle';
import { followingOf, nextSide, players, rematch } from './rematch';

const seats = [
  { side: 'red', player: 'human', online: true },
  { side: 'blue', player: 'regular', online: false },
];
const battle = { game: 'g', scenario: 's', sides: ['red', 'blue'], mode: 'solo', own_dice: false, free_undo: true } as Battle;

it('plays again, with the sides swapped if wanted', () => {
  expect(players(seats, ['red', 'blue'], false)).toEqual({ red: 'human', blue: 'regular' });
  expect(players(seats, ['red', 'blue'], true)).toEqual({ red: 'regular', blue: 'human' });
  expect(rematch(battle, seats, true)).toEqual({ game: 'g', scenario: 's', players: { red: 'regular', blue: 'human' }, free_undo: true });
  expect(rematch({ ...battle, mode: 'invite', own_dice: true, free_undo: false }, [], false)).toEqual({
    game: 'g',
    scenario: 's',
    players: { red: 'human', blue: 'human' },
    invite: true,
    own_dice: true,
  });
  expect([nextSide(['red', 'blue'], 'red', true), nextSide(['red', 'blue'], 'red', false)]).toEqual(['blue', 'red']);
});

it('goes on with the battle that a lesson leads to', () => {
  const known = lobby({
    levels: [{ name: 'easy', title: 'Easy', text: '' }],
    level: 'easy',
    games: [{ name: 'g', title: 'G', scenarios: [{ game: 'g', name: 'next', title: 'The Next One', sides: ['red', 'blue'] }] }],
  });
  expect(followingOf(known, 'g', 'next')).toMatchObject({ title: 'The Next One', side: 'red', battle: { game: 'g', scenario: 'next' } });
  expect(followingOf(known, 'g', 'gone')).toBeNull();
});
