import { describe, expect, it } from 'vitest';
import { beginning, references, searchRules, sectionOf, sections } from './rulebook';

const RULES = [
  { id: '1.0', kind: 'definition', text: 'The map is a hex grid; each hex is 50 m.', title: '' },
  { id: '1.0b', kind: 'state', text: 'A unit may fire (20at.3).', title: '' },
  { id: '20at.3', kind: 'procedure', text: 'Fire at tanks costs 2.5 points, see 1.0 and 7.7.', title: 'Anti-tank work' },
  { id: '30.1', kind: 'procedure', text: 'Units fire by 20at.3 and see.', title: '' },
];

describe('the rulebook', () => {
  it('has sections', () => {
    expect(sections(RULES).map((section) => [section.id, section.rules.length])).toEqual([
      ['1', 2],
      ['20at', 1],
      ['30', 1],
    ]);
    expect(sections(RULES)[0]!.text).toBe('The map is a hex grid');
    expect(sections(RULES)[1]!.text).toBe('Anti-tank work');
    expect(sectionOf('20at.3')).toBe('20at');
    expect(beginning('one two three four', 9)).toBe('one two …');
  });

  it('is searched by words and by number', () => {
    expect(searchRules(RULES, 'FIRE').map((rule) => rule.id)).toEqual(['1.0b', '20at.3', '30.1']);
    expect(searchRules(RULES, '20at.3').map((rule) => rule.id)).toEqual(['20at.3', '1.0b', '30.1']);
    expect(searchRules(RULES, 'fire tanks')).toHaveLength(1);
    expect(searchRules(RULES, 'anti-tank work').map((rule) => rule.id)).toEqual(['20at.3']);
    expect(searchRules(RULES, '  ')).toEqual([]);
  });

  it('links to rules that there are', () => {
    const known = (id: string): boolean => RULES.some((rule) => rule.id === id);
    expect(references(RULES[2]!.text, known).filter((part) => part.rule)).toEqual([{ text: '1.0', rule: '1.0' }]);
  });
});
