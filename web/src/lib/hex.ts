/** The geometry of a board: from pixels to places and back, distances, rings and lines. It knows no rules. */
import type { BoardView, HexView } from './types';

export interface Point {
  x: number;
  y: number;
}

/** A hexside between two hexes: its middle, its direction in degrees, and its length. */
export interface Side extends Point {
  angle: number;
  length: number;
}

interface Axial {
  q: number;
  r: number;
}

/** x = x0 + xq·q + xr·r, and y likewise: where the middles of the hexes are. */
interface Frame {
  x0: number;
  y0: number;
  xq: number;
  xr: number;
  yq: number;
  yr: number;
}

const DIRECTIONS: readonly Axial[] = [
  { q: 1, r: 0 },
  { q: 1, r: -1 },
  { q: 0, r: -1 },
  { q: -1, r: 0 },
  { q: -1, r: 1 },
  { q: 0, r: 1 },
];

const key = (q: number, r: number) => `${q},${r}`;

/** Steps between two hexes. */
export function axialDistance(a: Axial, b: Axial): number {
  const dq = a.q - b.q;
  const dr = a.r - b.r;
  return (Math.abs(dq) + Math.abs(dr) + Math.abs(dq + dr)) / 2;
}

/** The hex that fractions of axial coordinates lie in. */
export function axialRound(q: number, r: number): Axial {
  const s = -q - r;
  let rq = Math.round(q);
  let rr = Math.round(r);
  const rs = Math.round(s);
  const dq = Math.abs(rq - q);
  const dr = Math.abs(rr - r);
  if (dq > dr && dq > Math.abs(rs - s)) rq = -rr - rs;
  else if (dr > Math.abs(rs - s)) rr = -rq - rs;
  return { q: rq + 0, r: rr + 0 };
}

/** A number for SVG, without digits that nobody sees. */
export function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export class Grid {
  readonly hexes = new Map<string, HexView>();
  private readonly byAxial = new Map<string, HexView>();
  private readonly frame: Frame | null;
  private readonly corners: readonly Point[];

  constructor(readonly board: BoardView) {
    for (const hex of board.hexes) {
      this.hexes.set(hex.id, hex);
      this.byAxial.set(key(hex.q, hex.r), hex);
    }
    this.frame = findFrame(board.hexes);
    this.corners = board.corners.map(([x, y]) => ({ x, y }));
  }

  /** Whether there are hexes; a table has none, and its places are "x,y" in its measure. */
  get hexed(): boolean {
    return this.hexes.size > 0;
  }

  /** The pixel of a place: a hex, a hexside "C4|D4", or a point "x,y" of a table; null for none. */
  point(place: string): Point | null {
    const hex = this.hexes.get(place);
    if (hex) return { x: hex.x, y: hex.y };
    if (place.includes('|')) return this.side(place);
    if (this.hexed) return null;
    const numbers = /^\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*$/.exec(place);
    if (!numbers) return null;
    const x = Number(numbers[1]) * this.board.step;
    const y = Number(numbers[2]) * this.board.step;
    return Number.isFinite(x) && Number.isFinite(y) ? { x, y } : null;
  }

  /** The hexside of a name such as "C4|D4"; null if the hexes are no neighbours. */
  side(name: string): Side | null {
    const [a, b] = name.split('|').map((part) => this.hexes.get(part.trim()));
    if (!a || !b || axialDistance(a, b) !== 1) return null;
    const length =
      this.corners.length > 1 ? Math.hypot(this.corners[0]!.x, this.corners[0]!.y) : this.board.step / Math.sqrt(3);
    const across = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
    // A side reads from left to right.
    const angle = ((((across + 90) % 180) + 180 + 89.999) % 180) - 89.999;
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, angle, length };
  }

  /** The hex under a pixel, or null beside the map. */
  hexAt(x: number, y: number): string | null {
    if (this.frame) {
      const { q, r } = axialAt(this.frame, x, y);
      const found = axialRound(q, r);
      return this.byAxial.get(key(found.q, found.r))?.id ?? null;
    }
    let best: string | null = null;
    let nearest = this.board.step * 0.6;
    for (const hex of this.hexes.values()) {
      const far = Math.hypot(hex.x - x, hex.y - y);
      if (far < nearest) [best, nearest] = [hex.id, far];
    }
    return best;
  }

  /** The place under a pixel: a hex, or on a table the point to the nearest hundredth; null beside the sheet. */
  placeAt(x: number, y: number): string | null {
    if (this.hexed) return this.hexAt(x, y);
    if (x < 0 || y < 0 || x > this.board.width || y > this.board.height) return null;
    return `${short(x / this.board.step)},${short(y / this.board.step)}`;
  }

  /** What the ground of a place is, in words. */
  ground(place: string): string {
    return this.hexes.get(place)?.text ?? '';
  }

  /** Steps between two places, on a table in its measure; -1 where one of them is none. */
  distance(a: string, b: string): number {
    const from = this.hexes.get(a);
    const to = this.hexes.get(b);
    if (from && to) return axialDistance(from, to);
    const p = this.point(a);
    const q = this.point(b);
    return p && q ? Math.hypot(p.x - q.x, p.y - q.y) / this.board.step : -1;
  }

  /** The hexes next to one, in axial order. */
  neighbours(place: string): string[] {
    const hex = this.hexes.get(place);
    if (!hex) return [];
    return DIRECTIONS.flatMap(({ q, r }) => this.byAxial.get(key(hex.q + q, hex.r + r))?.id ?? []);
  }

  /** The hexes of the map at exactly this distance. */
  ring(place: string, range: number): string[] {
    const hex = this.hexes.get(place);
    if (!hex) return [];
    return ringOf(hex, range).flatMap(({ q, r }) => this.byAxial.get(key(q, r))?.id ?? []);
  }

  /** The hexes on the straight line between two, both ends with it. */
  line(a: string, b: string): string[] {
    const from = this.hexes.get(a);
    const to = this.hexes.get(b);
    if (!from || !to) return [];
    const steps = axialDistance(from, to);
    const found: string[] = [];
    for (let i = 0; i <= steps; i++) {
      const t = steps ? i / steps : 0;
      // A hair off the straight line, so that it never runs along a hexside.
      const hex = axialRound(from.q + (to.q - from.q) * t + 1e-6, from.r + (to.r - from.r) * t + 2e-6);
      const id = this.byAxial.get(key(hex.q, hex.r))?.id;
      if (id) found.push(id);
    }
    return found;
  }

  /** The corners of a hex as the points of a polygon; "" where there is none. */
  outline(place: string, part = 1): string {
    const hex = this.hexes.get(place);
    if (!hex) return '';
    return this.corners.map(({ x, y }) => `${short(hex.x + x * part)},${short(hex.y + y * part)}`).join(' ');
  }

  /** Many hexes as the data of one path. */
  outlines(places: Iterable<string>, part = 1): string {
    let d = '';
    for (const place of places) {
      const points = this.outline(place, part);
      if (points) d += `M${points.replaceAll(' ', 'L')}Z`;
    }
    return d;
  }

  /** The edge of all that lies within a range, as path data; it may run beyond the map. A circle on a table. */
  rangeOutline(place: string, range: number): string {
    const middle = this.point(place);
    if (!middle || range < 0) return '';
    const hex = this.hexes.get(place);
    if (!hex || !this.frame || this.corners.length < 6) {
      const radius = (range + (this.hexed ? 0.5 : 0)) * this.board.step;
      const { x, y } = middle;
      return `M${short(x - radius)},${short(y)}a${short(radius)},${short(radius)} 0 1 0 ${short(2 * radius)},0a${short(radius)},${short(radius)} 0 1 0 ${short(-2 * radius)},0Z`;
    }
    const { frame, corners } = this;
    const across = corners.map((corner, i) => {
      const next = corners[(i + 1) % corners.length]!;
      const { q, r } = axialAt(frame, frame.x0 + corner.x + next.x, frame.y0 + corner.y + next.y);
      return axialRound(q, r);
    });
    let d = '';
    for (const cell of range === 0 ? [hex] : ringOf(hex, range)) {
      const x = frame.x0 + frame.xq * cell.q + frame.xr * cell.r;
      const y = frame.y0 + frame.yq * cell.q + frame.yr * cell.r;
      across.forEach((way, i) => {
        if (axialDistance({ q: cell.q + way.q, r: cell.r + way.r }, hex) <= range) return;
        const from = corners[i]!;
        const to = corners[(i + 1) % corners.length]!;
        d += `M${short(x + from.x)},${short(y + from.y)}L${short(x + to.x)},${short(y + to.y)}`;
      });
    }
    return d;
  }

  /** Degrees clockwise from up of a facing; 0 for one that the board does not have. */
  facing(facing: number): number {
    return this.board.facings[facing - 1] ?? 0;
  }
}

function ringOf(middle: Axial, range: number): Axial[] {
  if (range === 0) return [{ q: middle.q, r: middle.r }];
  const found: Axial[] = [];
  let q = middle.q + DIRECTIONS[4]!.q * range;
  let r = middle.r + DIRECTIONS[4]!.r * range;
  for (const way of DIRECTIONS) {
    for (let i = 0; i < range; i++) {
      found.push({ q, r });
      q += way.q;
      r += way.r;
    }
  }
  return found;
}

function axialAt({ x0, y0, xq, xr, yq, yr }: Frame, x: number, y: number): Axial {
  const det = xq * yr - xr * yq;
  const dx = x - x0;
  const dy = y - y0;
  return { q: (dx * yr - dy * xr) / det, r: (dy * xq - dx * yq) / det };
}

/** Where axial coordinates lie in pixels, by three hexes that are not in one line; null where there are none. */
function findFrame(hexes: readonly HexView[]): Frame | null {
  const a = hexes[0];
  if (!a) return null;
  const b = hexes.find(({ q, r }) => q !== a.q || r !== a.r);
  if (!b) return null;
  const c = hexes.find(({ q, r }) => (b.q - a.q) * (r - a.r) - (b.r - a.r) * (q - a.q) !== 0);
  if (!c) return null;
  const det = (b.q - a.q) * (c.r - a.r) - (b.r - a.r) * (c.q - a.q);
  const solve = (fa: number, fb: number, fc: number) => {
    const perQ = ((fb - fa) * (c.r - a.r) - (fc - fa) * (b.r - a.r)) / det;
    const perR = ((fc - fa) * (b.q - a.q) - (fb - fa) * (c.q - a.q)) / det;
    return [fa - perQ * a.q - perR * a.r, perQ, perR] as const;
  };
  const [x0, xq, xr] = solve(a.x, b.x, c.x);
  const [y0, yq, yr] = solve(a.y, b.y, c.y);
  return Math.abs(xq * yr - xr * yq) > 1e-9 ? { x0, y0, xq, xr, yq, yr } : null;
}
