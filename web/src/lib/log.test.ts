import { describe, expect, it } from 'vitest';
import {
  frameOfLine,
  grouped,
  isRoll,
  kindsOf,
  kindWords,
  logText,
  matches,
  NO_FILTER,
  rollParts,
  signed,
  tallyText,
  turnMarks,
  turnTitle,
} from './log';
import { logLine } from './normalise-view';
import type { Frame } from './types';

const LINES = [
  { text: 'Turn 1: Reinforcements', kind: 'Phase', rules: ['111.2'] },
  { text: 'red: move r1', side: 'red', kind: 'Asked' },
  { text: 'Squad r1 moves from A1 to A2 for 2 MP', side: 'red', kind: 'Moved', units: ['r1'], places: ['A2', 'A1'] },
  { text: 'red: fire r1', side: 'red', kind: 'Asked' },
  {
    text: 'Attack, Squad b1: 2d6 (4 2) → no result',
    side: 'red',
    kind: 'Rolled',
    dice: '2d6',
    faces: [4, 2],
    chance: 0.278,
    rules: ['93.4'],
    tallies: [
      {
        what: 'Firepower',
        base: 5,
        total: 4,
        source: 'MMG',
        text: 'Firepower: 5 MMG, -1 degraded sight',
        lines: [{ id: 'degraded_los', amount: -1, text: 'degraded sight', rule: '30.2' }],
      },
    ],
  },
  { text: 'Squad b1 is Shaken', side: 'blue', kind: 'Shaken', units: ['b1'] },
  { text: 'red: pass', side: 'red', kind: 'Asked' },
  { text: 'red passes', side: 'red', kind: 'Passed' },
  { text: 'Turn 2: Reinforcements', kind: 'Phase', turn: 2 },
  { text: 'blue spends 1, 6 left', side: 'blue', kind: 'Spent' },
].map(logLine);

const FRAMES: Frame[] = [
  { number: 0, turn: 1, phase: 'Impulses', log: 1 },
  { number: 1, turn: 1, phase: 'Impulses', log: 3 },
  { number: 2, turn: 1, phase: 'Impulses', log: 6 },
  { number: 3, turn: 2, phase: 'Impulses', log: 9 },
];

const filter = (change: Partial<typeof NO_FILTER>): typeof NO_FILTER => ({ ...NO_FILTER, ...change });

describe('grouping', () => {
  it('puts the lines between two moments together and hides the answers', () => {
    const groups = grouped(LINES, FRAMES);
    expect(groups.map((group) => group.entries.map((entry) => entry.index))).toEqual([[0], [2], [4, 5], [7], [8], [9]]);
    expect(groups.map((group) => group.frame)).toEqual([0, 1, 2, 3, 3, null]);
  });

  it('heads a turn where it begins: the answer that ended the old turn stays in it', () => {
    expect(grouped(LINES, FRAMES).map((group) => group.heading)).toEqual(['Turn 1', null, null, null, 'Turn 2', null]);
  });

  it('goes by the turn that a line opens, not by its words', () => {
    const talk = LINES.map((line, at) => (at === 7 ? { ...line, text: 'red will pass until turn 2' } : line));
    expect(grouped(talk, FRAMES).map((group) => group.heading)).toEqual(['Turn 1', null, null, null, 'Turn 2', null]);
  });

  it('heads the group where no line opens the turn', () => {
    const plain = LINES.map((line) => ({ ...line, turn: 0 }));
    expect(grouped(plain, FRAMES).map((group) => group.heading)).toEqual(['Turn 1', null, null, 'Turn 2', null]);
  });

  it('keeps the heading for the next group that shows, when the first is filtered away', () => {
    const groups = grouped(LINES, FRAMES, filter({ side: 'blue' }));
    expect(groups.map((group) => [group.heading, group.entries.length])).toEqual([
      ['Turn 1', 1],
      ['Turn 2', 1],
    ]);
  });

  it('names the side once in a run of its lines', () => {
    expect(grouped(LINES, FRAMES).map((group) => group.entries.map((entry) => entry.speaks))).toEqual([
      [true],
      [true],
      [false, true],
      [true],
      [true],
      [true],
    ]);
    expect(grouped(LINES, FRAMES, filter({ answers: true }))[1]!.entries.map((entry) => entry.speaks)).toEqual([true, false]);
  });

  it('has stable keys and copes with moments past the log, or none', () => {
    const groups = grouped(LINES.slice(0, 3), FRAMES);
    expect(groups).toHaveLength(2);
    expect(grouped(LINES, []).flatMap((group) => group.entries)).toHaveLength(7);
    const keys = grouped(LINES, FRAMES, filter({ answers: true })).map((group) => group.key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('is quick for a long log', () => {
    const lines = Array.from({ length: 3000 }, (_, at) => LINES[at % LINES.length]!);
    const frames = Array.from({ length: 1000 }, (_, at) => ({ number: at, turn: 1 + Math.floor(at / 100), phase: '', log: at * 3 }));
    const start = performance.now();
    grouped(lines, frames, filter({ text: 'squad' }));
    expect(performance.now() - start).toBeLessThan(150);
  });
});

describe('filters', () => {
  it('by side, by kind, by roll, by text', () => {
    const shown = (change: Partial<typeof NO_FILTER>): number =>
      LINES.filter((line) => matches(line, filter(change))).length;
    expect(shown({})).toBe(7);
    expect(shown({ answers: true })).toBe(10);
    expect(shown({ side: 'blue' })).toBe(2);
    expect(shown({ kinds: new Set(['Shaken', 'Moved']) })).toBe(2);
    expect(shown({ rolls: true })).toBe(1);
    expect(shown({ text: '  SQUAD B1 ' })).toBe(2);
    expect(shown({ text: 'degraded' })).toBe(1);
    expect(shown({ text: '93.4' })).toBe(1);
    expect(shown({ text: 'nothing of the kind' })).toBe(0);
  });

  it('offers the kinds that occur, in words, the answers left out', () => {
    const kinds = kindsOf([...LINES, logLine({ kind: 'LostPoints' })]);
    expect(kinds[0]).toEqual({ kind: 'Phase', words: 'phase', count: 2 });
    expect(kinds.map((entry) => entry.words)).toContain('lost points');
    expect(kinds.map((entry) => entry.kind)).not.toContain('Asked');
    expect(kindWords('in_melee')).toBe('in melee');
  });
});

describe('words', () => {
  it('tell modifiers and tallies', () => {
    expect([2, 0, -3].map(signed)).toEqual(['+2', '+0', '−3']);
    expect(tallyText(LINES[4]!.tallies[0]!)).toBe('Firepower 4 = 5 MMG, −1 degraded sight');
  });

  it('part a roll into what for and what came', () => {
    expect(rollParts(LINES[4]!)).toEqual({ before: 'Attack, Squad b1', after: 'no result' });
    expect(rollParts(LINES[7]!)).toEqual({ before: 'red passes', after: '' });
    expect(isRoll(LINES[4]!)).toBe(true);
    expect(isRoll(LINES[5]!)).toBe(false);
  });

  it('head turns', () => {
    expect([turnTitle(0, 0), turnTitle(4, 0), turnTitle(4, 5)]).toEqual(['Before the battle', 'Turn 4', 'Turn 4']);
    expect(turnTitle(0, 5)).toBe('A further turn');
  });

  it('copy as text, with turns, chances, rules and tallies', () => {
    const text = logText(grouped(LINES, FRAMES));
    expect(text).toContain('== Turn 1 ==\nTurn 1: Reinforcements [111.2]');
    expect(text).toContain('Red: Attack, Squad b1: 2d6 (4 2) → no result (chance 28 %) [93.4]\n    Firepower 4 = 5 MMG');
    expect(text).toContain('\n\n== Turn 2 ==\n');
    expect(text).not.toContain('red: pass\n');
    expect(logText([])).toBe('');
  });
});

describe('moments', () => {
  it('are found by a line', () => {
    expect([0, 1, 2, 5, 6, 9].map((index) => frameOfLine(FRAMES, index))).toEqual([0, 1, 1, 2, 3, 3]);
    expect(frameOfLine([], 3)).toBe(0);
  });

  it('mark the turns', () => {
    expect(turnMarks(FRAMES)).toEqual([
      { at: 0, turn: 1 },
      { at: 3, turn: 2 },
    ]);
  });
});
