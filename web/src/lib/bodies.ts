/** Bases on a table: round ones and rectangles, the gaps between them, hulls about them, and areas as rings of points. */
import type { Point } from './hex';

/** A round base has a radius; a rectangle has a length along its heading (degrees clockwise from up) and a width. */
export interface Body {
  x: number;
  y: number;
  heading: number;
  radius: number;
  length: number;
  width: number;
}

/** Polygons as rings of points, the outer one first, then its holes. */
export type Polygons = readonly (readonly (readonly (readonly [number, number])[])[])[];

/** A bare point. */
export function pointBody(x: number, y: number): Body {
  return { x, y, heading: 0, radius: 0, length: 0, width: 0 };
}

export function isRect(body: Body): boolean {
  return body.length > 0 && body.width > 0;
}

/** The corners of a rectangle, front left first, clockwise; grown by a distance. A round base has its middle alone. */
export function corners(body: Body, grow = 0): Point[] {
  if (!isRect(body)) return [{ x: body.x, y: body.y }];
  const angle = (body.heading * Math.PI) / 180;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const [l, w] = [body.length / 2 + grow, body.width / 2 + grow];
  return [
    [-w, -l],
    [w, -l],
    [w, l],
    [-w, l],
  ].map(([x, y]) => ({ x: body.x + x! * cos - y! * sin, y: body.y + x! * sin + y! * cos }));
}

/** Points about a body, for hulls and boxes: the grown corners, or so many points of a circle. */
export function rim(body: Body, grow = 0, count = 20): Point[] {
  if (isRect(body)) return corners(body, grow);
  const radius = body.radius + grow;
  return Array.from({ length: count }, (_, i) => {
    const angle = (i / count) * 2 * Math.PI;
    return { x: body.x + radius * Math.cos(angle), y: body.y + radius * Math.sin(angle) };
  });
}

/** The convex hull of points, clockwise on the sheet. */
export function hull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  if (sorted.length < 3) return sorted;
  const cross = (o: Point, a: Point, b: Point): number => (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
  const half = (all: readonly Point[]): Point[] => {
    const made: Point[] = [];
    for (const point of all) {
      while (made.length > 1 && cross(made[made.length - 2]!, made[made.length - 1]!, point) <= 0) made.pop();
      made.push(point);
    }
    made.pop();
    return made;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** The hull about bodies, a little away from them. */
export function hullOf(bodies: readonly Body[], grow = 0): Point[] {
  return hull(bodies.flatMap((body) => rim(body, grow)));
}

/** The middle of bodies: of all their places alike. */
export function middleOf(bodies: readonly Point[]): Point {
  const count = Math.max(1, bodies.length);
  return {
    x: bodies.reduce((sum, { x }) => sum + x, 0) / count,
    y: bodies.reduce((sum, { y }) => sum + y, 0) / count,
  };
}

/** The point of a segment nearest to another. */
export function nearestOn(a: Point, b: Point, p: Point): Point {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const long = dx * dx + dy * dy;
  const t = long ? Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / long)) : 0;
  return { x: a.x + t * dx, y: a.y + t * dy };
}

export interface Gap {
  gap: number;
  /** The two points that lie nearest. */
  from: Point;
  to: Point;
}

function inside(points: readonly Point[], { x, y }: Point): boolean {
  if (points.length < 3) return false;
  let within = false;
  for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
    const [a, b] = [points[i]!, points[j]!];
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) within = !within;
  }
  return within;
}

function edges(points: readonly Point[]): [Point, Point][] {
  return points.map((point, i) => [point, points[(i + 1) % points.length]!]);
}

function crossed([a, b]: [Point, Point], [c, d]: [Point, Point]): Point | null {
  const det = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x);
  if (!det) return null;
  const t = ((c.x - a.x) * (d.y - c.y) - (c.y - a.y) * (d.x - c.x)) / det;
  const u = ((c.x - a.x) * (b.y - a.y) - (c.y - a.y) * (b.x - a.x)) / det;
  return t >= 0 && t <= 1 && u >= 0 && u <= 1 ? { x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y) } : null;
}

/** The shortest gap between two bases, edge to edge: 0 where they touch or lie over each other. */
export function gapBetween(one: Body, other: Body): Gap {
  const [a, b] = [corners(one), corners(other)];
  const meeting = [...a.filter((point) => inside(b, point)), ...b.filter((point) => inside(a, point))][0];
  if (meeting) return { gap: 0, from: meeting, to: meeting };
  let best: Gap = { gap: Infinity, from: one, to: other };
  const take = (from: Point, to: Point): void => {
    const gap = Math.hypot(to.x - from.x, to.y - from.y);
    if (gap < best.gap) best = { gap, from: { x: from.x, y: from.y }, to: { x: to.x, y: to.y } };
  };
  for (const from of a) for (const edge of edges(b)) take(from, nearestOn(...edge, from));
  for (const to of b) for (const edge of edges(a)) take(nearestOn(...edge, to), to);
  if (a.length > 1 && b.length > 1) {
    for (const left of edges(a)) {
      for (const right of edges(b)) {
        const at = crossed(left, right);
        if (at) return { gap: 0, from: at, to: at };
      }
    }
  }
  const [r, s] = [isRect(one) ? 0 : one.radius, isRect(other) ? 0 : other.radius];
  const { gap, from, to } = best;
  if (!gap) return best;
  const [dx, dy] = [(to.x - from.x) / gap, (to.y - from.y) / gap];
  return {
    gap: Math.max(0, gap - r - s),
    from: { x: from.x + dx * Math.min(r, gap), y: from.y + dy * Math.min(r, gap) },
    to: { x: to.x - dx * Math.min(s, gap), y: to.y - dy * Math.min(s, gap) },
  };
}

/** The shortest gap between two groups of bases; null where one is empty. */
export function gapBetweenGroups(ones: readonly Body[], others: readonly Body[]): Gap | null {
  let best: Gap | null = null;
  for (const one of ones) {
    for (const other of others) {
      const found = gapBetween(one, other);
      if (!best || found.gap < best.gap) best = found;
    }
  }
  return best;
}

/** Whether a point lies on a base. */
export function isOn(body: Body, point: Point): boolean {
  if (isRect(body)) return inside(corners(body), point);
  return Math.hypot(body.x - point.x, body.y - point.y) <= body.radius;
}

/** Whether a point lies in polygons and in none of their holes. */
export function isWithin(polygons: Polygons, x: number, y: number): boolean {
  return polygons.some((rings) => {
    let within = false;
    for (const ring of rings) if (inside(ring.map(([px, py]) => ({ x: px, y: py })), { x, y })) within = !within;
    return within;
  });
}

/** Whether a base lies under polygons, with any part of it. */
export function isUnder(polygons: Polygons, body: Body): boolean {
  if (isWithin(polygons, body.x, body.y)) return true;
  const points = corners(body);
  if (points.some(({ x, y }) => isWithin(polygons, x, y))) return true;
  const rings = polygons.flatMap((each) => each.map((ring) => ring.map(([x, y]) => ({ x, y }))));
  if (isRect(body)) return rings.some((ring) => ring.some((point) => inside(points, point)) || edges(ring).some((side) => edges(points).some((own) => crossed(side, own))));
  return rings.some((ring) =>
    edges(ring).some(([a, b]) => {
      const at = nearestOn(a, b, body);
      return Math.hypot(at.x - body.x, at.y - body.y) <= body.radius;
    }),
  );
}

/** The legal point nearest to one: itself where it is legal, else one a hair inside the nearest edge; null for none. */
export function nearestWithin(polygons: Polygons, x: number, y: number, hair = 3): Point | null {
  if (isWithin(polygons, x, y)) return { x, y };
  let best: { at: Point; far: number; a: Point; b: Point } | null = null;
  for (const rings of polygons) {
    for (const ring of rings) {
      const points = ring.map(([px, py]) => ({ x: px, y: py }));
      for (const [a, b] of edges(points)) {
        const at = nearestOn(a, b, { x, y });
        const far = Math.hypot(at.x - x, at.y - y);
        if (!best || far < best.far) best = { at, far, a, b };
      }
    }
  }
  if (!best) return null;
  const { at, a, b } = best;
  const long = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const ways: [number, number][] = [
    [at.x - x, at.y - y],
    [-(b.y - a.y) / long, (b.x - a.x) / long],
    [(b.y - a.y) / long, -(b.x - a.x) / long],
  ];
  for (const off of [hair, hair * 3]) {
    for (const [dx, dy] of ways) {
      const far = Math.hypot(dx, dy) || 1;
      const tried = { x: Math.round(at.x + (dx / far) * off), y: Math.round(at.y + (dy / far) * off) };
      if (isWithin(polygons, tried.x, tried.y)) return tried;
    }
  }
  return { x: Math.round(at.x), y: Math.round(at.y) };
}

/** A number for SVG. */
const n = (value: number): string => String(Math.round(value * 100) / 100);

/** Points as closed path data, each length times a factor. */
export function pathOf(points: readonly Point[], factor = 1): string {
  return points.length ? `M${points.map(({ x, y }) => `${n(x * factor)},${n(y * factor)}`).join('L')}Z` : '';
}

/** Polygons as path data, each length times a factor; holes are cut by the even-odd rule. */
export function polygonsPath(polygons: Polygons, factor: number): string {
  return polygons.flatMap((rings) => rings.map((ring) => pathOf(ring.map(([x, y]) => ({ x, y })), factor))).join('');
}

/** A hull with soft corners, as path data: it goes through the middles of its edges. */
export function softHull(points: readonly Point[], factor = 1): string {
  if (points.length < 3) return '';
  const middle = (a: Point, b: Point): string => `${n(((a.x + b.x) / 2) * factor)},${n(((a.y + b.y) / 2) * factor)}`;
  const first = points[0]!;
  const last = points[points.length - 1]!;
  const curves = points.map((point, i) => {
    const next = points[(i + 1) % points.length]!;
    return `Q${n(point.x * factor)},${n(point.y * factor)} ${middle(point, next)}`;
  });
  return `M${middle(last, first)}${curves.join('')}Z`;
}

/** All that lies so far from a base, edge to edge, as path data: a circle, or a rectangle with round corners. */
export function ringPath(body: Body, far: number, factor: number): string {
  if (!isRect(body)) {
    const r = (body.radius + far) * factor;
    const [x, y] = [body.x * factor, body.y * factor];
    return `M${n(x - r)},${n(y)}a${n(r)},${n(r)} 0 1 1 ${n(2 * r)},0a${n(r)},${n(r)} 0 1 1 ${n(-2 * r)},0Z`;
  }
  const points = corners(body);
  const angle = (body.heading * Math.PI) / 180;
  const ways = [0, 1, 2, 3].map((i) => ({ x: Math.sin(angle + (i * Math.PI) / 2), y: -Math.cos(angle + (i * Math.PI) / 2) }));
  const at = (p: Point, way: Point): string => `${n((p.x + way.x * far) * factor)},${n((p.y + way.y * far) * factor)}`;
  const r = n(far * factor);
  let d = '';
  points.forEach((corner, i) => {
    const [before, after] = [ways[(i + 3) % 4]!, ways[i]!];
    d += `${i ? 'L' : 'M'}${at(corner, before)}A${r},${r} 0 0 1 ${at(corner, after)}`;
  });
  return `${d}Z`;
}

/** A sector about a point: a heading, so many degrees wide, out to a range; all round where it is 360 wide. */
export function fanPath(x: number, y: number, heading: number, width: number, range: number, factor: number): string {
  if (width >= 360) return ringPath(pointBody(x, y), range, factor);
  const at = (degrees: number): string => {
    const angle = (degrees * Math.PI) / 180;
    return `${n((x + range * Math.sin(angle)) * factor)},${n((y - range * Math.cos(angle)) * factor)}`;
  };
  const r = n(range * factor);
  return `M${n(x * factor)},${n(y * factor)}L${at(heading - width / 2)}A${r},${r} 0 ${width > 180 ? 1 : 0} 1 ${at(heading + width / 2)}Z`;
}
