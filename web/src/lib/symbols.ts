/** Counters' symbols and colours: NATO symbols by milsymbol, kept once drawn, and inks that can be read. */
import ms from 'milsymbol';

export type PaletteName = 'standard' | 'safe';

/** Okabe and Ito's hues in the order in which sides get them: the first two differ most. */
export const SAFE: readonly string[] = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442'];
/** For sides that the board has no colour for. */
const SPARE: readonly string[] = ['#6f8fb5', '#b5763f', '#7f8f4e', '#a8748f', '#c0a878', '#6aa39a'];

/** The colour of each side's counters. */
export function sideColours(
  colours: Readonly<Record<string, string>>,
  sides: Iterable<string>,
  palette: PaletteName,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const side of new Set([...Object.keys(colours), ...sides])) {
    const own = palette === 'safe' ? SAFE[found.size % SAFE.length] : colours[side];
    found.set(side, own ?? SPARE[found.size % SPARE.length]!);
  }
  return found;
}

function channels(colour: string): [number, number, number] {
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  if (found) return [parseInt(found[1]!, 16), parseInt(found[2]!, 16), parseInt(found[3]!, 16)];
  const few = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(colour);
  return few ? [parseInt(few[1]!, 16) * 17, parseInt(few[2]!, 16) * 17, parseInt(few[3]!, 16) * 17] : [128, 128, 128];
}

function luminance(colour: string): number {
  const [r, g, b] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of two colours as WCAG counts it, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Black or white, whichever reads better on a colour. */
export function inkOn(colour: string): string {
  return contrast(colour, '#14150f') >= contrast(colour, '#ffffff') ? '#14150f' : '#ffffff';
}

/** A colour mixed with another; part is how much of the other. */
export function mix(colour: string, other: string, part: number): string {
  const b = channels(other);
  const mixed = channels(colour).map((value, i) => Math.round(value + (b[i]! - value) * part));
  return '#' + mixed.map((value) => value.toString(16).padStart(2, '0')).join('');
}

const pictures = new Map<string, string>();

/**
 * The symbol of a 20-digit code as the address of a picture, filled with a colour; "" for a code that cannot be drawn.
 * As a picture it needs no markup in the page, and each is drawn once however many counters show it.
 */
export function symbolPicture(code: string, fill: string): string {
  const name = `${code} ${fill}`;
  let found = pictures.get(name);
  if (found === undefined) {
    found = draw(code, fill);
    pictures.set(name, found);
  }
  return found;
}

/** How many symbols are kept. */
export function symbolsKept(): number {
  return pictures.size;
}

function draw(code: string, fill: string): string {
  if (!/^\d{20,30}$/.test(code)) return '';
  try {
    const mode = { Civilian: fill, Friend: fill, Hostile: fill, Neutral: fill, Unknown: fill, Suspect: fill };
    const symbol = new ms.Symbol(code, {
      size: 60,
      colorMode: mode,
      strokeWidth: 6,
      outlineWidth: 0,
      hqStaffLength: 35,
    });
    return symbol.isValid() ? `data:image/svg+xml,${encodeURIComponent(symbol.asSVG())}` : '';
  } catch {
    return '';
  }
}
