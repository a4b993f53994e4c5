/**
 * The border: the server leaves fields out that have their default, and there they are filled in once, so that
 * everything behind it works with complete records.
 */

type Raw = Record<string, unknown>;

const raw = (value: unknown): Raw => (typeof value === 'object' && value !== null ? (value as Raw) : {});

/** A record with these defaults under it. Lists and records among the defaults are shared and never changed. */
export function fill<R>(defaults: R, value: unknown): R {
  return { ...defaults, ...raw(value) } as R;
}

export function each<R>(value: unknown, make: (item: unknown) => R): R[] {
  return Array.isArray(value) ? value.map(make) : [];
}

export function maybe<R>(value: unknown, make: (item: unknown) => R): R | null {
  return value === null || value === undefined ? null : make(value);
}
