/** How the sheet lies in the window: the fit, how far one can zoom, and how much a counter shows. */

/** far: side and symbol; middle: values and states too; close: its class in a word; near: its name. */
export type Detail = 'far' | 'middle' | 'close' | 'near';

/** How much a counter shows where a step of the board has this many pixels on the screen. */
export function detailAt(pixels: number): Detail {
  return pixels < 44 ? 'far' : pixels < 68 ? 'middle' : pixels < 104 ? 'close' : 'near';
}

/** All of the sheet in the middle of the window. */
export function fitIn(
  width: number,
  height: number,
  sheetWidth: number,
  sheetHeight: number,
): { k: number; x: number; y: number } {
  const k = Math.max(1e-4, Math.min(width / sheetWidth, height / sheetHeight) * 0.985);
  return { k, x: (width - sheetWidth * k) / 2, y: (height - sheetHeight * k) / 2 };
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
