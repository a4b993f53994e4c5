import { describe, expect, it } from 'vitest';
import { check, commitment, fairFaces, fromHex, toHex, verdictText, type Roll } from './fair';
import vectors from './fair.vectors.json';

describe('fair dice', () => {
  it.each(vectors)('follow the server’s for the seed $seed', (vector) => {
    const seed = fromHex(vector.seed);
    expect(commitment(seed)).toBe(vector.commitment);
    vector.rolls.forEach((roll, index) => {
      const [number, sides, faces] = roll as [number, number, number[]];
      expect(fairFaces(seed, index + 1, number, sides)).toEqual(faces);
    });
    expect(fairFaces(seed, vector.late.count, 3, 6)).toEqual(vector.late.faces);
  });

  it('say that all rolls follow from the seed', () => {
    const vector = vectors[1]!;
    const verdict = check(vector.seed, vector.commitment.toUpperCase(), vector.rolls as unknown as Roll[]);
    expect(verdict).toEqual({ promised: true, rolls: vector.rolls.length, wrong: [] });
    expect(verdictText(verdict)).toBe(`All ${vector.rolls.length} rolls match the seed promised at the start.`);
  });

  it('name the roll that was changed', () => {
    const vector = vectors[0]!;
    const rolls = structuredClone(vector.rolls) as unknown as [number, number, number[]][];
    rolls[2]![2] = [6, 6];
    const verdict = check(vector.seed, vector.commitment, rolls);
    expect(verdict.wrong).toEqual([{ count: 3, said: [6, 6], right: vector.rolls[2]![2] }]);
    expect(verdictText(verdict)).toContain('number 3');
  });

  it('find a seed that was not the promised one', () => {
    const verdict = check(vectors[0]!.seed, vectors[1]!.commitment, []);
    expect(verdict.promised).toBe(false);
    expect(verdictText(verdict)).toContain('isn’t the seed promised');
  });

  it('say when there were no rolls, one, or a great many wrong ones', () => {
    expect(verdictText({ promised: true, rolls: 0, wrong: [] })).toContain('No dice');
    expect(verdictText({ promised: true, rolls: 1, wrong: [] })).toContain('only roll');
    const wrong = Array.from({ length: 10 }, (_, at) => ({ count: at + 1, said: [1], right: [2] }));
    expect(verdictText({ promised: true, rolls: 12, wrong })).toContain('1, 2, 3, 4, 5, 6, 7, 8 and 2 more');
  });

  it('refuse what is no seed', () => {
    expect(() => fromHex('12x4')).toThrow('isn’t a seed');
    expect(() => fromHex('123')).toThrow('isn’t a seed');
    expect(toHex(fromHex('00ff10'))).toBe('00ff10');
  });
});
