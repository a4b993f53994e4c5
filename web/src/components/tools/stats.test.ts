import { describe, expect, it } from 'vitest';
import { alike, cell, figures, label } from './stats';

describe('figures of a counter', () => {
  it('sorts pairs, lists and tables', () => {
    const found = figures({
      kind: 'tank',
      'command range': 3,
      empty: '',
      none: [],
      weapons: ['LMG 1', 'ATR 2'],
      guns: [
        { name: '75mm', he: 4, range: 18, bands: [[6, 5], [12, 3]] },
        { name: '37mm', he: 2, hull: true },
      ],
      armour: { front: 4, flank: 2 },
    });
    expect(found.pairs).toEqual([
      { label: 'Kind', text: 'tank' },
      { label: 'Command range', text: '3' },
    ]);
    expect(found.lists).toEqual([{ title: 'Weapons', items: ['LMG 1', 'ATR 2'] }]);
    expect(found.tables[0]).toEqual({
      title: 'Guns',
      columns: ['Name', 'HE', 'Range', 'Bands', 'Hull'],
      rows: [
        ['75mm', '4', '18', '6/5, 12/3', '–'],
        ['37mm', '2', '–', '–', 'yes'],
      ],
    });
    expect(found.tables[1]).toEqual({ title: 'Armour', columns: [], rows: [['Front', '4'], ['Flank', '2']] });
  });

  it('has labels and cells for everything', () => {
    expect([label('he'), label('move_type'), label('mp')]).toEqual(['HE', 'Move type', 'MP']);
    expect([cell(false), cell(null), cell([]), cell({ a: 1, b: [2, 3] })]).toEqual(['no', '–', '–', 'A 1, B 2, 3']);
    expect(figures(undefined)).toEqual({ pairs: [], lists: [], tables: [] });
  });

  it('counts models that differ in nothing but their number', () => {
    expect(alike(['Platoon Leader: SMG', 'Rifle team 2: Rifles', 'Rifle team 3: Rifles', ''])).toEqual(['Platoon Leader: SMG', '2 × Rifle team: Rifles']);
    expect(alike(['Pak 40: shot', 'Pak 40: shot', 'Bren 2: LMG'])).toEqual(['2 × Pak 40: shot', 'Bren 2: LMG']);
  });
});
