/** Lengths on a table in words: to a tenth, with the sign of the board's measure. */

/** 7.25 in inches is "7.3″", in another measure "7.3 cm". */
export function measured(value: number, measure: string): string {
  const tenths = Math.round(value * 10) / 10;
  if (/^inch(es)?$|^in$/.test(measure)) return `${tenths}″`;
  return measure ? `${tenths} ${measure}` : String(tenths);
}

/** A place of a table, "12.34,30", as people read it: across and down, to a tenth. */
export function placeText(place: string, measure: string): string {
  const [x, y] = place.split(',').map(Number);
  if (x === undefined || y === undefined || Number.isNaN(x + y)) return place;
  return `${measured(x, measure)} across, ${measured(y, measure)} down`;
}
