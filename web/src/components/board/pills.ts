/** Labels: how large they are, and where they stand beside what they belong to, so that none hides another. */
import type { Point } from '../../lib/hex';

export interface Label extends Point {
  width: number;
  height: number;
}

/** A thing with a label: its middle, how far its rim is from it, and how large the label is. */
export interface Labelled extends Label {
  rim: number;
}

function meets(a: Label, b: Label): boolean {
  return Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height;
}

/** About how wide bold words are, in heights of their letters. */
export function wordsWidth(words: string): number {
  const wide = (letter: string): number => (/[MWmw]/.test(letter) ? 0.95 : /[A-Z\d%]/.test(letter) ? 0.72 : /[ilj.,:!'()\s]/.test(letter) ? 0.38 : 0.63);
  return [...words].reduce((sum, letter) => sum + wide(letter), 0);
}

/** The first free place of each label: above or below (`above` says which comes first), at a side, or farther out. */
export function layLabels(things: readonly Labelled[], above: boolean): Point[] {
  const laid: Label[] = [];
  for (const { x, y, width, height, rim } of things) {
    const first = above ? -1 : 1;
    const up = rim + height * 0.62;
    const aside = rim * 1.3 + width / 2;
    const wishes = [
      { x, y: y + first * up },
      { x, y: y - first * up },
      { x: x + aside, y },
      { x: x - aside, y },
      ...[1, 2, 3, 4].flatMap((row) => [
        { x, y: y + first * (up + row * height) },
        { x, y: y - first * (up + row * height) },
      ]),
    ];
    const free = wishes.find((wish) => !laid.some((other) => meets({ ...wish, width, height }, other))) ?? wishes[0]!;
    laid.push({ ...free, width, height });
  }
  return laid.map(({ x, y }) => ({ x, y }));
}
