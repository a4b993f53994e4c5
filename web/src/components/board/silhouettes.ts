/** Silhouettes for counters, for those who would rather see men, guns and vehicles than signs. */
import drawn from './silhouettes.json';

export interface Silhouette {
  name: string;
  /** The body, and what is cut out of it, as path data in a box from -44 to 44 across and -31 to 26 down. */
  ink: readonly string[];
  light: readonly string[];
}

const KINDS = Object.entries(drawn.kinds).sort(([a], [b]) => b.length - a.length);
const LOOKS: Readonly<Record<string, Omit<Silhouette, 'name'> | undefined>> = drawn.looks;

/** The silhouette of a NATO symbol's code; null where there is none for it. A headquarters flag means a leader. */
export function silhouetteOf(code: string): Silhouette | null {
  if (!/^\d{20,30}$/.test(code)) return null;
  const sort = `${code.slice(4, 6)} ${code.slice(10, 16)}`;
  const leads = code.slice(4, 6) === '10' && code[7] === '2';
  // A gun that moves on tracks or wheels of its own is no gun on a carriage.
  const driven = sort.startsWith('15 11') && /^3[123]$/.test(code.slice(8, 10));
  const name = leads ? 'leader' : driven ? 'assault_gun' : KINDS.find(([begins]) => sort.startsWith(begins))?.[1];
  const look = name === undefined ? undefined : LOOKS[name];
  return look ? { name: name!, ink: look.ink, light: look.light } : null;
}
