/** What the board draws over the map, as plain data: whoever wants something shown says it here, and the board draws it. */
import type { Body, Polygons } from './bodies';
import type { GhostModel } from './acting/placing.svelte';
import type { Crossed, Fan, Ring, Seen, SightThread } from './types';

/** A place that the selected unit can reach. */
export interface Reach {
  place: string;
  /** What it costs, as it is shown on the hex. */
  cost: number | string;
  /** More about it, as a tooltip. */
  text?: string | undefined;
  /** Somebody could react on the way: hatched. */
  danger?: boolean | undefined;
  /** How many enemies could: the more, the deeper the colour. */
  threats?: number | undefined;
  /** It is the one pointed at or waiting to be confirmed. */
  chosen?: boolean | undefined;
}

/** A unit, or a place, that can be aimed at, with a short text such as "42 %". */
export interface Target {
  unit: string;
  place: string;
  text: string;
  /** It is the one pointed at or waiting to be confirmed. */
  chosen?: boolean | undefined;
  /** It is one of our own: somebody joins it, or hands it something. */
  friend?: boolean | undefined;
}

/** A single model of a unit that can be clicked. */
export interface ModelMark {
  unit: string;
  model: string;
  /** What a click on it does, for people who do not see the map. */
  label: string;
  /** A short text such as "42 %". */
  text: string;
  /** It is the one pointed at or waiting to be confirmed. */
  chosen: boolean;
  /** It is one of several that are chosen together. */
  gathered: boolean;
  /** Whether it can be chosen together with others. */
  gathers: boolean;
  friend: boolean;
}

/** A way over the map, the place where it begins first, with a label at its end. */
export interface Path {
  places: string[];
  label: string;
}

/** A thread from place to place, with what it crosses; ``state`` is "clear", "degraded" or "blocked". */
export interface SightLine {
  from: string;
  to: string;
  state: string;
  crossed: Crossed[];
  text?: string | undefined;
  /** On a table: the threads between models. */
  threads?: SightThread[] | undefined;
}

/** Ranges around a place, in steps of the board. */
export interface Rings {
  center: string;
  ranges: Ring[];
}

/** What a log line or a lesson points at. */
export interface Focus {
  units: string[];
  places: string[];
}

/** A shot that was just fired. */
export interface Shot {
  from: string;
  to: string;
  /** It is drawn for as long as it is asked what comes of it. */
  stays?: boolean | undefined;
  /** One name is drawn once: the same shot fired again has another. */
  name?: string;
}

/** A unit being put somewhere on a table: lengths in units of the board, but for the area in hundredths. */
export interface Ghost {
  unit: string;
  /** Its name and what there is to say of the pose, for people who do not see it. */
  words: string;
  x: number;
  y: number;
  heading: number;
  /** Whether its heading can be chosen. */
  turns: boolean;
  legal: boolean;
  /** Whether it was moved or turned yet. */
  touched: boolean;
  /** Whether single models are dragged. */
  single: boolean;
  models: GhostModel[];
  /** The model whose own heading and turret can be turned. */
  knobs: GhostModel | null;
  polygons: Polygons;
  /** What a template would cover, in hundredths, and the bases under it. */
  outline: Polygons;
  under: Body[];
  /** Good poses to click. */
  spots: { key: string; x: number; y: number; heading: number; label: string; chosen: boolean }[];
  label: string;
}

/** A measuring tape, edge to edge, with rings about where it begins; in units of the board. */
export interface Tape {
  from: Body;
  /** The two points that it is laid between; null while it has only its beginning. */
  line: { x1: number; y1: number; x2: number; y2: number } | null;
  label: string;
  rings: number[];
}

/** What a unit can fire at on a table. */
export interface Fire {
  fans: Fan[];
  areas: [number, number][][];
}

export interface Layers {
  reach: Reach[];
  targets: Target[];
  models: ModelMark[];
  path: Path | null;
  /** The ways of single models on a table, in units of the board. */
  walks: [number, number][][];
  sight: SightLine | null;
  field: Seen[] | null;
  rings: Rings | null;
  focus: Focus;
  shots: Shot[];
  ghost: Ghost | null;
  tape: Tape | null;
  fire: Fire | null;
}

/** Nothing over the map. */
export function noLayers(): Layers {
  return {
    reach: [],
    targets: [],
    models: [],
    path: null,
    walks: [],
    sight: null,
    field: null,
    rings: null,
    focus: { units: [], places: [] },
    shots: [],
    ghost: null,
    tape: null,
    fire: null,
  };
}

const STATES: Record<string, string> = { clear: 'clear', degraded: 'degraded', blocked: 'blocked' };

/** A state of sight that the board has a look for; an unknown one is drawn as degraded, for it is not simply clear. */
export function sightState(state: string): string {
  return STATES[state] ?? 'degraded';
}

/** How a crossed thing is drawn: "none", "degrade" or "block". */
export function crossedEffect(effect: string): string {
  return effect === 'block' || effect === 'degrade' ? effect : 'none';
}

/** A field of fire by look: "clear in", "degraded out", … with "out" beyond the last ring. */
export function fieldLooks(field: readonly Seen[]): Map<string, string[]> {
  const looks = new Map<string, string[]>();
  for (const { place, state, ring } of field) {
    const look = `${sightState(state)} ${ring < 0 ? 'out' : 'in'}`;
    const found = looks.get(look);
    if (found) found.push(place);
    else looks.set(look, [place]);
  }
  return looks;
}

/** The label of a reachable place for people who do not see the map. */
export function reachLabel({ place, cost, text, danger, threats }: Reach): string {
  const who = threats ? `${threats} ${threats === 1 ? 'enemy' : 'enemies'} could react on the way` : 'enemies could react on the way';
  return [place, `cost ${cost}`, text, danger ? who : ''].filter(Boolean).join(', ');
}

/** From so many on more enemies make no deeper colour. */
const MANY = 4;

/** How deep the colour of a dangerous place is, from 0 to 1. */
export function depthOf({ danger, threats = 1 }: Reach): number {
  return danger ? Math.min(Math.max(threats, 1), MANY) / MANY : 0;
}
