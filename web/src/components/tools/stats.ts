/** A counter's figures, whatever the game prints on it, as pairs, lists and small tables. */

export interface Pair {
  label: string;
  text: string;
}
export interface List {
  title: string;
  items: string[];
}
export interface Grid {
  title: string;
  columns: string[];
  rows: string[][];
}
export interface Figures {
  pairs: Pair[];
  lists: List[];
  tables: Grid[];
}

type Dict = Record<string, unknown>;

function isDict(value: unknown): value is Dict {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A label for people: the first letter large, no underscores; short codes such as "he" or "ap" in capitals. */
export function label(word: string): string {
  const text = word.replace(/_/g, ' ');
  if (/^[a-z]{1,2}$/.test(text)) return text.toUpperCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A value in one cell: lists joined, lists of lists with strokes between, switches as yes and no, no underscores. */
export function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) {
    if (!value.length) return '–';
    return value.map((item) => (Array.isArray(item) ? item.map(cell).join('/') : cell(item))).join(', ');
  }
  if (isDict(value)) {
    return Object.entries(value)
      .map(([name, inner]) => `${label(name)} ${cell(inner)}`)
      .join(', ');
  }
  return String(value).replace(/_/g, ' ');
}

/** Sort a counter's stats into what is best read as a pair, a list or a table. */
export function figures(stats: Dict | undefined): Figures {
  const found: Figures = { pairs: [], lists: [], tables: [] };
  for (const [name, value] of Object.entries(stats ?? {})) {
    if (Array.isArray(value)) {
      if (!value.length) continue;
      if (value.every(isDict)) {
        const keys = [...new Set(value.flatMap((row) => Object.keys(row)))];
        found.tables.push({
          title: label(name),
          columns: keys.map(label),
          rows: value.map((row) => keys.map((key) => cell(row[key]))),
        });
      } else if (value.some((item) => Array.isArray(item))) {
        found.pairs.push({ label: label(name), text: cell(value) });
      } else {
        found.lists.push({ title: label(name), items: value.map(cell) });
      }
    } else if (isDict(value)) {
      const rows = Object.entries(value).map(([key, inner]) => [label(key), cell(inner)]);
      if (rows.length) found.tables.push({ title: label(name), columns: [], rows });
    } else if (value !== null && value !== undefined && value !== '') {
      found.pairs.push({ label: label(name), text: cell(value) });
    }
  }
  return found;
}

/** Titles of models, like ones counted: those that differ in nothing but the number of a model are alike. */
export function alike(titles: readonly string[]): string[] {
  const kinds = new Map<string, string[]>();
  for (const title of titles.filter(Boolean)) {
    const kind = title.replace(/ \d+(?=:)/, '');
    kinds.set(kind, [...(kinds.get(kind) ?? []), title]);
  }
  return [...kinds].map(([kind, same]) => {
    const [first = ''] = same;
    if (same.length === 1) return first;
    return `${same.length} × ${same.every((title) => title === first) ? first : kind}`;
  });
}
