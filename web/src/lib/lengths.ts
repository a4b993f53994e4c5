/** Lengths and places on a table in words: to a tenth, with the sign of the board's measure. */
import type { BoardView } from './types';

/** 7.25 in inches is "7.3″", in another measure "7.3 cm". */
export function measured(value: number, measure: string): string {
  const tenths = Math.round(value * 10) / 10;
  if (/^inch(es)?$|^in$/.test(measure)) return `${tenths}″`;
  return measure ? `${tenths} ${measure}` : String(tenths);
}

/** How many units of a measure an inch is: sizes on the screen and how near is near are thought of in inches. */
export function inchOf(measure: string): number {
  if (measure === 'cm') return 2.54;
  return measure === 'mm' ? 25.4 : 1;
}

/** What has to be known of a table to say where on it something is. */
export type Sheet = Pick<BoardView, 'width' | 'height' | 'step' | 'measure'>;

/** A place of a table, "12.34,30", as people read it: how far from the nearer edges, to a tenth. */
export function placeText(place: string, { width, height, step, measure }: Sheet): string {
  const [x, y] = place.split(',').map(Number);
  if (x === undefined || y === undefined || Number.isNaN(x + y)) return place;
  const [wide, high] = [width / step, height / step];
  const across = x > wide / 2 ? `${measured(wide - x, measure)} from the right` : `${measured(x, measure)} from the left`;
  const down = y > high / 2 ? `${measured(high - y, measure)} from the bottom` : `${measured(y, measure)} from the top`;
  return `${across}, ${down}`;
}
