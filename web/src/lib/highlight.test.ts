import { expect, it } from 'vitest';
import { highlight } from './highlight';

it('cuts a text at what was found', () => {
  expect(highlight('Fire (20.1) at fire', 'FIRE 20.1')).toEqual([
    { text: 'Fire', hit: true },
    { text: ' (', hit: false },
    { text: '20.1', hit: true },
    { text: ') at ', hit: false },
    { text: 'fire', hit: true },
  ]);
  expect(highlight('nothing', ' a ')).toEqual([{ text: 'nothing', hit: false }]);
});
