/** What the player wishes, kept in this browser. */

export type Theme = 'light' | 'dark' | 'system';
export type Palette = 'standard' | 'safe';
export type Pace = 'off' | 'fast' | 'normal' | 'slow';
export type Reading = 'off' | 'brief' | 'long' | 'click';
export type Counters = 'signs' | 'figures';
export type TextSize = 'normal' | 'large' | 'huge';
export type Volume = 0.25 | 0.5 | 0.75 | 1;
export type Motion = 'system' | 'less';

export interface Wishes {
  theme: Theme;
  palette: Palette;
  pace: Pace;
  /** How long what came of a throw stays on the map. */
  results: Reading;
  /** What is drawn on counters: NATO symbols, or silhouettes. */
  counters: Counters;
  sounds: boolean;
  volume: Volume;
  text: TextSize;
  motion: Motion;
  /** At one screen for both sides: hide the map until the other player sits down. */
  curtain: boolean;
  /** Show what a far move or a shot means first, and do it on the second click. */
  confirm: boolean;
  /** Tell what a program thought while the battle goes on; when it is over that is told anyway. */
  thoughts: boolean;
  /** The list of one's own units lies open. */
  roster: boolean;
}

export const DEFAULTS: Wishes = {
  theme: 'system',
  palette: 'standard',
  pace: 'normal',
  results: 'brief',
  counters: 'signs',
  sounds: false,
  volume: 0.5,
  text: 'normal',
  motion: 'system',
  curtain: true,
  confirm: true,
  thoughts: true,
  roster: false,
};

const ALLOWED: { [K in keyof Wishes]: readonly Wishes[K][] } = {
  theme: ['light', 'dark', 'system'],
  palette: ['standard', 'safe'],
  pace: ['off', 'fast', 'normal', 'slow'],
  results: ['off', 'brief', 'long', 'click'],
  counters: ['signs', 'figures'],
  sounds: [false, true],
  volume: [0.25, 0.5, 0.75, 1],
  text: ['normal', 'large', 'huge'],
  motion: ['system', 'less'],
  curtain: [false, true],
  confirm: [false, true],
  thoughts: [false, true],
  roster: [false, true],
};

const KEY = 'grognard.settings';

/** How long a step of somebody else stays before the next is shown, in milliseconds. */
export const PACES: Record<Pace, number> = { off: 0, fast: 350, normal: 900, slow: 1900 };

/** How long what came of a throw stays on the map, in milliseconds. */
export const READINGS: Record<Reading, number> = { off: 0, brief: 1500, long: 4000, click: Infinity };

/** Wishes from a stored text; what is not understood has its default. */
export function readWishes(text: string | null): Wishes {
  const wishes = { ...DEFAULTS };
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? '{}');
  } catch {
    return wishes;
  }
  if (typeof stored !== 'object' || stored === null) return wishes;
  for (const key of Object.keys(ALLOWED) as (keyof Wishes)[]) {
    const value = (stored as Record<string, unknown>)[key];
    if ((ALLOWED[key] as readonly unknown[]).includes(value)) Object.assign(wishes, { [key]: value });
  }
  return wishes;
}

function matches(query: string): MediaQueryList | null {
  return typeof matchMedia === 'function' ? matchMedia(query) : null;
}

/** The settings in force. Change them with `set`, so that they are stored and the page follows. */
export class Settings {
  wishes = $state<Wishes>({ ...DEFAULTS });
  private night = $state(false);
  private still = $state(false);
  private readonly storage: Storage | null;

  constructor(storage: Storage | null = typeof localStorage === 'undefined' ? null : localStorage) {
    this.storage = storage;
    this.wishes = readWishes(this.read());
    const night = matches('(prefers-color-scheme: dark)');
    const still = matches('(prefers-reduced-motion: reduce)');
    this.night = night?.matches ?? false;
    this.still = still?.matches ?? false;
    night?.addEventListener?.('change', (event) => {
      this.night = event.matches;
      this.apply();
    });
    still?.addEventListener?.('change', (event) => (this.still = event.matches));
  }

  /** Whether the dark theme is in force. */
  get dark(): boolean {
    return this.wishes.theme === 'dark' || (this.wishes.theme === 'system' && this.night);
  }

  /** Whether nothing should move by itself. */
  get calm(): boolean {
    return this.wishes.motion === 'less' || this.still;
  }

  get confirm(): boolean {
    return this.wishes.confirm;
  }

  get sounds(): boolean {
    return this.wishes.sounds;
  }

  get volume(): number {
    return this.wishes.volume;
  }

  get pace(): number {
    return PACES[this.wishes.pace];
  }

  get results(): number {
    return READINGS[this.wishes.results];
  }

  set<K extends keyof Wishes>(key: K, value: Wishes[K]): void {
    this.wishes[key] = value;
    try {
      this.storage?.setItem(KEY, JSON.stringify(this.wishes));
    } catch {
      // A full or forbidden store: the wish holds until the page is closed.
    }
    this.apply();
  }

  /** Put the settings on the page's root, where the styles look for them. */
  apply(root: HTMLElement = document.documentElement): void {
    root.dataset['theme'] = this.dark ? 'dark' : 'light';
    root.dataset['palette'] = this.wishes.palette;
    root.dataset['text'] = this.wishes.text;
    root.dataset['motion'] = this.wishes.motion;
  }

  private read(): string | null {
    try {
      return this.storage?.getItem(KEY) ?? null;
    } catch {
      return null;
    }
  }
}

export const settings = new Settings();
