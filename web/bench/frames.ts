/**
 * Measures how evenly a board of 3,000 hexes and 150 counters moves under the hand, drawn in several ways.
 * Every way gets the same real mouse and wheel events through d3-zoom; what is counted are the times between frames.
 * `?way=` chooses the way of drawing; the result is left in `window.frames_result`.
 */
import { select } from 'd3-selection';
import { zoom, zoomIdentity, type ZoomTransform } from 'd3-zoom';
import ms from 'milsymbol';

declare global {
  interface Window {
    frames_begun?: boolean;
    frames_result?: { deltas: number[]; long: number[]; frames: number };
  }
}

interface Piece {
  x: number;
  y: number;
  code: string;
  colour: string;
  name: string;
}

/** Shows the board at a transform; made once for each way of drawing. */
type Show = (t: ZoomTransform) => void;

const SVG = 'http://www.w3.org/2000/svg';
const CODES = ['10031000121211000000', '10061500331202000000', '10031500001102030000', '10061000111218000000'];
/** The edge of a counter in pixels of the sheet. */
const EDGE = 45;
/** Pixels that the picture of the land may take where it is kept as a bitmap. */
const BITMAP = 2e6;

/** Frames that a stroke of the hand takes, and the rest after it. */
const STROKE = 60;
/** A way that is too slow for all its frames is given up after so many milliseconds. */
const LONGEST = 24_000;

const host = document.querySelector<HTMLDivElement>('#host')!;
const way = new URLSearchParams(location.search).get('way') ?? 'hybrid';

function pieces(width: number, height: number): Piece[] {
  let seed = 7;
  const next = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  return Array.from({ length: 150 }, (_, i) => ({
    x: 40 + next() * (width - 80),
    y: 40 + next() * (height - 80),
    code: CODES[i % CODES.length]!,
    colour: i % 2 ? '#8d9a8c' : '#b5763f',
    name: `Rifle Squad ${i}`,
  }));
}

const symbols = new Map<string, string>();
function symbol(code: string): string {
  let found = symbols.get(code);
  if (!found)
    symbols.set(code, (found = 'data:image/svg+xml,' + encodeURIComponent(new ms.Symbol(code, { size: 30 }).asSVG())));
  return found;
}

function node(name: string, attributes: Record<string, string | number>, parent: Element, text = ''): Element {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text) made.textContent = text;
  parent.append(made);
  return made;
}

/** Counters as nodes: what tests, screen readers and the keyboard need. */
function counterNodes(all: Piece[], parent: Element): void {
  for (const { x, y, code, colour, name } of all) {
    const g = node('g', { transform: `translate(${x} ${y})`, tabindex: 0, role: 'button', 'aria-label': name }, parent);
    const half = EDGE / 2;
    node('rect', { x: -half + 1, y: -half + 2, width: EDGE, height: EDGE, rx: 5, fill: '#000', opacity: 0.3 }, g);
    node('rect', { x: -half, y: -half, width: EDGE, height: EDGE, rx: 5, fill: colour, stroke: '#1a1a1a' }, g);
    node('image', { href: symbol(code), x: -15, y: -14, width: 30, height: 26 }, g);
    node('text', { x: 0, y: -half + 8, 'font-size': 7, 'text-anchor': 'middle' }, g, name);
    node('text', { x: 0, y: half - 3, 'font-size': 9, 'text-anchor': 'middle' }, g, '4-6-7-4');
    node('rect', { x: half - 12, y: -half, width: 16, height: 9, rx: 3, fill: '#fff7d6', stroke: '#8c1d18' }, g);
    node('text', { x: half - 4, y: -half + 7, 'font-size': 7, 'text-anchor': 'middle' }, g, 'Br');
  }
}

async function picture(source: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = source;
  await image.decode();
  return image;
}

async function bitmap(land: string, width: number, height: number): Promise<HTMLCanvasElement> {
  const image = await picture(URL.createObjectURL(new Blob([land], { type: 'image/svg+xml' })));
  const scale = Math.min(1, Math.sqrt(BITMAP / (width * height)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function overlay(width: number, height: number, all: Piece[]): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(height));
  counterNodes(all, svg);
  return svg;
}

function world(width: number, height: number): HTMLDivElement {
  const made = document.createElement('div');
  made.className = 'world moving';
  made.style.width = `${width}px`;
  made.style.height = `${height}px`;
  host.append(made);
  return made;
}

const css = (t: ZoomTransform) => `translate(${t.x}px, ${t.y}px) scale(${t.k})`;

const ways: Record<string, (land: string, width: number, height: number) => Promise<Show>> = {
  /** Everything inline in one SVG, moved by the transform of a group: the page is painted anew for each frame. */
  async svg(land, width, height) {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('width', String(innerWidth));
    svg.setAttribute('height', String(innerHeight));
    const g = node('g', {}, svg);
    g.append(document.importNode(new DOMParser().parseFromString(land, 'image/svg+xml').documentElement, true));
    counterNodes(pieces(width, height), g);
    host.append(svg);
    return (t) => g.setAttribute('transform', t.toString());
  },
  /** The same SVG in a layer of its own that the compositor moves. */
  async 'svg-layer'(land, width, height) {
    const layer = world(width, height);
    layer.append(document.importNode(new DOMParser().parseFromString(land, 'image/svg+xml').documentElement, true));
    layer.append(overlay(width, height, pieces(width, height)));
    return (t) => (layer.style.transform = css(t));
  },
  /** Everything on one canvas, drawn anew for each frame: the land from a bitmap, the counters by hand. */
  async canvas(land, width, height) {
    const back = await bitmap(land, width, height);
    const images = new Map<string, HTMLImageElement>();
    for (const code of CODES) images.set(code, await picture(symbol(code)));
    const all = pieces(width, height);
    const canvas = document.createElement('canvas');
    canvas.width = innerWidth * devicePixelRatio;
    canvas.height = innerHeight * devicePixelRatio;
    canvas.style.width = `${innerWidth}px`;
    canvas.style.height = `${innerHeight}px`;
    host.append(canvas);
    const c = canvas.getContext('2d')!;
    return (t) => {
      c.setTransform(1, 0, 0, 1, 0, 0);
      c.clearRect(0, 0, canvas.width, canvas.height);
      c.setTransform(
        t.k * devicePixelRatio,
        0,
        0,
        t.k * devicePixelRatio,
        t.x * devicePixelRatio,
        t.y * devicePixelRatio,
      );
      c.drawImage(back, 0, 0, width, height);
      c.textAlign = 'center';
      for (const { x, y, code, colour, name } of all) {
        c.fillStyle = colour;
        c.beginPath();
        c.roundRect(x - EDGE / 2, y - EDGE / 2, EDGE, EDGE, 5);
        c.fill();
        c.stroke();
        c.drawImage(images.get(code)!, x - 15, y - 14, 30, 26);
        c.fillStyle = '#000';
        c.font = '7px sans-serif';
        c.fillText(name, x, y - EDGE / 2 + 8);
        c.font = '9px sans-serif';
        c.fillText('4-6-7-4', x, y + EDGE / 2 - 3);
        c.fillStyle = '#fff7d6';
        c.fillRect(x + EDGE / 2 - 12, y - EDGE / 2, 16, 9);
        c.fillStyle = '#000';
        c.fillText('Br', x + EDGE / 2 - 4, y - EDGE / 2 + 7);
      }
    };
  },
  /** The land as a picture element and the counters as nodes, in one layer that the compositor moves. */
  async 'hybrid-img'(land, width, height) {
    const layer = world(width, height);
    const image = await picture(URL.createObjectURL(new Blob([land], { type: 'image/svg+xml' })));
    layer.append(image, overlay(width, height, pieces(width, height)));
    return (t) => (layer.style.transform = css(t));
  },
  /** The land as a bitmap of bounded size and the counters as nodes, in one layer that the compositor moves. */
  async hybrid(land, width, height) {
    const layer = world(width, height);
    const canvas = document.createElement('canvas');
    const drawn = await createImageBitmap(await bitmap(land, width, height));
    canvas.width = drawn.width;
    canvas.height = drawn.height;
    canvas.getContext('bitmaprenderer')!.transferFromImageBitmap(drawn);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    layer.append(canvas, overlay(width, height, pieces(width, height)));
    return (t) => (layer.style.transform = css(t));
  },
  /** The land on a canvas as large as the window, drawn for each frame from a bitmap; the counters as nodes in a layer. */
  async window(land, width, height) {
    const back = await bitmap(land, width, height);
    const canvas = document.createElement('canvas');
    canvas.width = innerWidth * devicePixelRatio;
    canvas.height = innerHeight * devicePixelRatio;
    canvas.style.width = `${innerWidth}px`;
    canvas.style.height = `${innerHeight}px`;
    host.append(canvas);
    const layer = world(width, height);
    layer.append(overlay(width, height, pieces(width, height)));
    const c = canvas.getContext('2d', { alpha: false })!;
    return (t) => {
      layer.style.transform = css(t);
      const k = t.k * devicePixelRatio;
      c.setTransform(1, 0, 0, 1, 0, 0);
      c.fillRect(0, 0, canvas.width, canvas.height);
      c.setTransform(k, 0, 0, k, t.x * devicePixelRatio, t.y * devicePixelRatio);
      c.drawImage(back, 0, 0, width, height);
    };
  },
  /** The same, but the layer's contents are painted anew for each frame. */
  async 'hybrid-painted'(land, width, height) {
    const show = await ways.hybrid!(land, width, height);
    host.querySelector('.world')!.classList.remove('moving');
    return show;
  },
};

/** What the hand does in frame i: drags for a second, turns the wheel for a second, in and out, and rests after each. */
function hand(target: Element, i: number): void {
  const x = innerWidth / 2;
  const y = innerHeight / 2;
  const mouse = (name: string, dx: number, dy: number, to: EventTarget) =>
    to.dispatchEvent(
      new MouseEvent(name, { bubbles: true, cancelable: true, view: window, clientX: x + dx, clientY: y + dy }),
    );
  const step = i % (2 * STROKE);
  const part = Math.floor(i / (2 * STROKE)) % 4;
  if (step >= STROKE) return;
  if (part % 2 === 0) {
    const way = part === 0 ? 1 : -1;
    if (step === 0) mouse('mousedown', 0, 0, target);
    else if (step < 59) mouse('mousemove', way * -6 * step, way * -3 * step, window);
    else mouse('mouseup', 0, 0, window);
  } else {
    target.dispatchEvent(
      new WheelEvent('wheel', {
        bubbles: true,
        cancelable: true,
        clientX: x,
        clientY: y,
        deltaY: part === 1 ? -20 : 20,
      }),
    );
  }
}

async function measure(target: Element, frames: number): Promise<{ deltas: number[]; long: number[]; frames: number }> {
  const long: number[] = [];
  new PerformanceObserver((list) => long.push(...list.getEntries().map((entry) => entry.duration))).observe({
    type: 'longtask',
  });
  const deltas: number[] = [];
  let counted = 0;
  let before = 0;
  const end = performance.now() + LONGEST;
  await new Promise<void>((done) => {
    let i = -20; // the first frames are for settling
    const frame = (now: number) => {
      // Only frames while the hand moves count; what is done at rest disturbs nobody.
      if (i > 0 && (i - 1) % (2 * STROKE) < STROKE) deltas.push(now - before);
      before = now;
      counted++;
      if (i >= 0) hand(target, i);
      if (++i > frames || now > end) done();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  return { deltas, long, frames: counted };
}

async function main(): Promise<void> {
  const land = await (await fetch('./land.svg')).text();
  const [, width, height] = /width="([\d.]+)" height="([\d.]+)"/.exec(land)!.map(Number) as [number, number, number];
  let target: Element = host;
  if (way === 'board') {
    const { mountBoard } = await import('./mount');
    target = await mountBoard(host, width, height);
  } else {
    const show = await ways[way]!(land, width, height);
    const behaviour = zoom<HTMLDivElement, unknown>()
      .scaleExtent([0.1, 8])
      .on('zoom', (event: { transform: ZoomTransform }) => show(event.transform));
    select(host).call(behaviour);
    select(host).call(behaviour.transform, zoomIdentity.scale(0.5).translate(-400, -400));
  }
  await new Promise((done) => setTimeout(done, 1500));
  window.frames_begun = true;
  window.frames_result = await measure(target, 960);
}

void main();
