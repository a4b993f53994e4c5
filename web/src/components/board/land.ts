/**
 * The picture of the land as bitmaps: all of it once, in bounded size, and what is looked at anew and sharp whenever the
 * map comes to rest. A map of thousands of hexes as live SVG is painted far too slowly to follow the hand.
 */

/** A part of the sheet, in its pixels. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Pixels that the bitmap of the whole land, and that of the part looked at, may have: 8 and 24 MB. Large ones cost every frame. */
export const WHOLE = 2e6;
export const PART = 6e6;
/** The whole land is never drawn larger than this, nor a part of it. */
const LARGEST = 3;
/** A part is drawn this much larger than the window, so that a short drag needs no new one. */
const AROUND = 1.8;

/** How many pixels of a bitmap each pixel of the sheet gets, so that the bitmap stays within its bound. */
export function wholeScale(width: number, height: number): number {
  return Math.min(LARGEST, Math.sqrt(WHOLE / Math.max(1, width * height)));
}

/** The part to draw for a window on the sheet: a little larger, on the sheet, and within the bound at this scale. */
export function partFor(window: Box, width: number, height: number, scale: number): Box {
  const spare = Math.sqrt(PART / Math.max(1, window.width * window.height * scale * scale));
  const more = Math.max(1, Math.min(AROUND, spare));
  const left = Math.max(0, window.left - (window.width * (more - 1)) / 2);
  const top = Math.max(0, window.top - (window.height * (more - 1)) / 2);
  return {
    left,
    top,
    width: Math.max(0, Math.min(width, window.left + (window.width * (more + 1)) / 2) - left),
    height: Math.max(0, Math.min(height, window.top + (window.height * (more + 1)) / 2) - top),
  };
}

/** Whether a part that was drawn still serves a window. */
export function serves(
  part: Box | null,
  drawn: number,
  window: Box,
  width: number,
  height: number,
  scale: number,
): boolean {
  if (!part || drawn < scale * 0.95 || drawn > scale * 2) return false;
  return (
    part.left <= Math.max(0, window.left) + 1 &&
    part.top <= Math.max(0, window.top) + 1 &&
    part.left + part.width >= Math.min(width, window.left + window.width) - 1 &&
    part.top + part.height >= Math.min(height, window.top + window.height) - 1
  );
}

export class Land {
  private image: HTMLImageElement | null = null;
  private whole = 0;
  private part: Box | null = null;
  private drawn = 0;
  /** These count up, so that what comes late is not shown over what came after it. */
  private loads = 0;
  private parts = 0;

  constructor(
    private readonly wholeCanvas: HTMLCanvasElement,
    private readonly partCanvas: HTMLCanvasElement,
    private readonly width: number,
    private readonly height: number,
  ) {}

  /** Loads a picture and draws all of it; false if it cannot be had, or another was wanted meanwhile. */
  async load(address: string): Promise<boolean> {
    const turn = ++this.loads;
    const image = new Image();
    image.src = address;
    try {
      await image.decode();
    } catch {
      return false;
    }
    const scale = wholeScale(this.width, this.height);
    const all = { left: 0, top: 0, width: this.width, height: this.height };
    const bitmap = await this.raster(image, all, scale);
    if (turn !== this.loads || !bitmap) return false;
    this.image = image;
    this.whole = scale;
    show(this.wholeCanvas, bitmap, all);
    this.dropPart();
    return true;
  }

  /** Draws what is looked at anew, as sharp as the screen, unless what is there already is. */
  async sharpen(window: Box, scale: number): Promise<void> {
    const image = this.image;
    if (!image) return;
    if (scale <= this.whole * 1.05) {
      this.dropPart();
      return;
    }
    if (serves(this.part, this.drawn, window, this.width, this.height, scale)) return;
    const part = partFor(window, this.width, this.height, scale);
    if (part.width < 1 || part.height < 1) return;
    const bounded = Math.min(scale, Math.sqrt(PART / (part.width * part.height)));
    const turn = ++this.parts;
    const bitmap = await this.raster(image, part, bounded);
    if (turn !== this.parts || image !== this.image || !bitmap) return;
    this.part = part;
    this.drawn = scale;
    show(this.partCanvas, bitmap, part);
    this.partCanvas.hidden = false;
  }

  /** What is still being drawn comes too late. */
  stop(): void {
    this.loads++;
    this.parts++;
  }

  private dropPart(): void {
    this.part = null;
    this.partCanvas.hidden = true;
    this.partCanvas.width = this.partCanvas.height = 1;
  }

  private async raster(
    image: HTMLImageElement,
    { left, top, width, height }: Box,
    scale: number,
  ): Promise<ImageBitmap | null> {
    // The picture may have another size than the sheet says; what counts is the sheet.
    const fx = (image.naturalWidth || this.width) / this.width;
    const fy = (image.naturalHeight || this.height) / this.height;
    const resizeWidth = Math.max(1, Math.round(width * scale));
    const resizeHeight = Math.max(1, Math.round(height * scale));
    try {
      return await createImageBitmap(image, left * fx, top * fy, width * fx, height * fy, {
        resizeWidth,
        resizeHeight,
      });
    } catch {
      return null;
    }
  }
}

function show(canvas: HTMLCanvasElement, bitmap: ImageBitmap, { left, top, width, height }: Box): void {
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.style.left = `${left}px`;
  canvas.style.top = `${top}px`;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  // The canvas takes the bitmap over as it is; one that could be painted on would be copied for every frame.
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap);
}
