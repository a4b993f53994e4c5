import { describe, expect, it } from 'vitest';
import { Glossary } from './glossary';

const term = (word: string, also: string[] = [], alone = false) => ({ word, title: `${word}!`, text: 'It is.', rule: '1.1', also, alone });
const shaken = term('Shk', ['Shaken', 'shaken']);
const pins = term('#P', ['# pin', '# pins']);
const fire = term('HE');
const road = term('Road', ['on road'], true);
const words = new Glossary([shaken, pins, fire, road]);

describe('the glossary', () => {
  it('knows a tag by any of its spellings, and numbers in it', () => {
    expect([words.term('Shk'), words.term('shaken'), words.term(' 12P ')]).toEqual([shaken, shaken, pins]);
    expect([words.term('ROAD'), words.term('He')]).toEqual([road, fire]);
    expect([words.term('P'), words.term('HEAT'), words.term('Shaken again')]).toEqual([null, null, null]);
  });

  it('cuts a text at its terms, whole words only, the longest first', () => {
    expect(words.pieces('g1 is Shaken by HE')).toEqual([
      { text: 'g1 is ', term: null },
      { text: 'Shaken', term: shaken },
      { text: ' by ', term: null },
      { text: 'HE', term: fire },
    ]);
    expect(words.pieces('unShaken, HEAT')).toEqual([{ text: 'unShaken, HEAT', term: null }]);
    expect(words.pieces('takes 3 pins.')[1]).toEqual({ text: '3 pins', term: pins });
    expect(words.pieces('')).toEqual([]);
  });

  it('takes an everyday word for a tag only where it stands by itself', () => {
    expect(words.pieces('Road to HE')[0]).toEqual({ text: 'Road to ', term: null });
    expect(words.pieces('Road', true)).toEqual([{ text: 'Road', term: road }]);
    expect(words.pieces('no tag', true)).toEqual([{ text: 'no tag', term: null }]);
  });

  it('leaves every text whole where a game explains nothing', () => {
    expect(new Glossary([]).pieces('Shk HE')).toEqual([{ text: 'Shk HE', term: null }]);
  });
});
