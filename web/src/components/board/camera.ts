/** How the sheet lies in the window: the fit, how far one can zoom, and how much a counter shows. */
import type { Point } from '../../lib/hex';

/** far: side and symbol; middle: values and states too; close: its class in a word; near: its name. */
export type Detail = 'far' | 'middle' | 'close' | 'near';

export interface Size {
  width: number;
  height: number;
}

/** A look at the sheet: its upper left corner in the window, and how large a pixel of it is there. */
export interface Look extends Point {
  k: number;
}

/** The corner of the window that the buttons for the zoom cover. */
export const CORNER: Size = { width: 52, height: 124 };

/** How much a counter shows where a step of the board has this many pixels on the screen. */
export function detailAt(pixels: number): Detail {
  return pixels < 44 ? 'far' : pixels < 68 ? 'middle' : pixels < 104 ? 'close' : 'near';
}

/** All of the sheet in the middle of the window; what lies in its lower right corner is not under what stands there. */
export function fitIn(width: number, height: number, sheetWidth: number, sheetHeight: number, corner?: Size): Look {
  const k = Math.max(1e-4, Math.min(width / sheetWidth, height / sheetHeight) * 0.985);
  const look = { k, x: (width - sheetWidth * k) / 2, y: (height - sheetHeight * k) / 2 };
  const right = look.x + sheetWidth * k;
  const bottom = look.y + sheetHeight * k;
  if (!corner || right <= width - corner.width || bottom <= height - corner.height) return look;
  const beside = fitIn(Math.max(1, width - corner.width), height, sheetWidth, sheetHeight);
  const above = fitIn(width, Math.max(1, height - corner.height), sheetWidth, sheetHeight);
  return beside.k >= above.k ? beside : above;
}

/** Where a step of the board has fewer pixels than this with all of it in the window, it opens on a part of it. */
const TOO_SMALL = 26;
/** So many pixels a step has there, if what matters has room. */
const READABLE = 46;

/** The look at what matters first on a board too large to be read as a whole; null where the whole can be read. */
export function openingOn(points: readonly Point[], whole: Look, window: Size, step: number): Look | null {
  if (whole.k * step >= TOO_SMALL || !points.length) return null;
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const room = 3 * step;
  const k = Math.max(whole.k, Math.min(READABLE / step, window.width / (right - left + room), window.height / (bottom - top + room)));
  return { k, x: window.width / 2 - ((left + right) / 2) * k, y: window.height / 2 - ((top + bottom) / 2) * k };
}

/** How much of a sheet is in the window, from 0 to 1. */
export function shareSeen(seen: { left: number; top: number; width: number; height: number }, width: number, height: number): number {
  const across = Math.min(width, seen.left + seen.width) - Math.max(0, seen.left);
  const down = Math.min(height, seen.top + seen.height) - Math.max(0, seen.top);
  return (Math.max(0, across) * Math.max(0, down)) / (width * height);
}

/** The least and the largest zoom: a little less than all of it, and a step of the board as large as a hand. */
export function zoomRange(
  width: number,
  height: number,
  sheetWidth: number,
  sheetHeight: number,
  step: number,
): [number, number] {
  const { k } = fitIn(width, height, sheetWidth, sheetHeight);
  return [k * 0.7, Math.max(k * 2, 280 / step)];
}

/**
 * The look that has all the points in sight, as near to the one that is as can be; null where they are in sight
 * already. `about` is the room that each needs, in pixels of the sheet; `below` pixels of the window are covered.
 */
export function viewOf(points: readonly Point[], now: Look, window: Size, about: number, below: number, least: number): Look | null {
  const known = points.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
  if (!known.length) return null;
  const { width } = window;
  const height = Math.max(window.height - below, window.height / 4);
  const box = {
    left: Math.min(...known.map(({ x }) => x)),
    right: Math.max(...known.map(({ x }) => x)),
    top: Math.min(...known.map(({ y }) => y)),
    bottom: Math.max(...known.map(({ y }) => y)),
  };
  const rimAt = (k: number): number => Math.min(about * k, width / 4, height / 4);
  const isSeen = ({ x, y, k }: Look): boolean => {
    const rim = rimAt(k) - 1;
    return box.left * k + x >= rim && box.right * k + x <= width - rim && box.top * k + y >= rim && box.bottom * k + y <= height - rim;
  };
  if (isSeen(now)) return null;
  const wide = box.right - box.left + 2 * about;
  const high = box.bottom - box.top + 2 * about;
  const k = known.length > 1 ? Math.max(Math.min(now.k, width / wide, height / high), Math.min(least, now.k)) : now.k;
  const far = box.left * now.k + now.x < 0 || box.right * now.k + now.x > width || box.top * now.k + now.y < 0 || box.bottom * now.k + now.y > window.height;
  if (k !== now.k || far) {
    return { k, x: width / 2 - ((box.left + box.right) / 2) * k, y: height / 2 - ((box.top + box.bottom) / 2) * k };
  }
  // It only lies at the rim, or under what covers the map: no more is moved than is needed.
  const rim = rimAt(k);
  const into = (from: number, to: number, high: number): number => (from < rim ? rim - from : to > high - rim ? high - rim - to : 0);
  return {
    k,
    x: now.x + into(box.left * k + now.x, box.right * k + now.x, width),
    y: now.y + into(box.top * k + now.y, box.bottom * k + now.y, height),
  };
}
