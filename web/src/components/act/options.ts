/** Options in groups by what they do, with their help and letter; and finding one by words. */
import type { Option, VerbHelp } from '../../lib/types';
import { RESERVED_LETTERS } from '../../lib/keys';
import { titled } from '../../lib/log';

export interface Group {
  verb: string;
  title: string;
  text: string;
  rule: string;
  letter: string;
  options: Option[];
}

/** Which letter offers each verb: its own where it is free, else the first free one of its title; `more` are taken by other things. */
export function lettersFor(verbs: readonly string[], help: readonly VerbHelp[], more: readonly string[] = []): Map<string, string> {
  const known = new Map(help.map((entry) => [entry.verb, entry]));
  const taken = new Set<string>([...RESERVED_LETTERS, ...more]);
  const letters = new Map<string, string>();
  for (const verb of verbs) {
    const wish = known.get(verb)?.letter.toLowerCase() ?? '';
    if (/^[a-z]$/.test(wish) && !taken.has(wish)) {
      taken.add(wish);
      letters.set(verb, wish);
    }
  }
  for (const verb of verbs) {
    if (letters.has(verb)) continue;
    const letter = [...(known.get(verb)?.title || verb).toLowerCase()].find((l) => /[a-z]/.test(l) && !taken.has(l));
    if (letter) {
      taken.add(letter);
      letters.set(verb, letter);
    }
  }
  return letters;
}

/** A verb without help reads as its own name. */
export function titleOf(verb: string, help: readonly VerbHelp[]): string {
  const known = help.find((entry) => entry.verb === verb)?.title;
  if (known) return known;
  const words = verb.replaceAll('_', ' ').trim();
  return words ? words[0]!.toUpperCase() + words.slice(1) : 'Other';
}

export function groupByVerb(options: readonly Option[], help: readonly VerbHelp[]): Group[] {
  const groups = new Map<string, Group>();
  const letters = lettersFor([...new Set(options.map((option) => option.verb))], help);
  for (const option of options) {
    const verb = option.verb;
    let group = groups.get(verb);
    if (!group) {
      const entry = help.find((each) => each.verb === verb);
      group = {
        verb,
        title: titleOf(verb, help),
        text: entry?.text ?? '',
        rule: entry?.rule ?? '',
        letter: letters.get(verb) ?? '',
        options: [],
      };
      groups.set(verb, group);
    }
    group.options.push(option);
  }
  return [...groups.values()];
}

/** An option in full: who does what where. */
export function describe(option: Option, nameOf: (unit: string) => string): string {
  const label = option.label || option.key;
  const who = option.unit ? nameOf(option.unit) : '';
  return who && !label.toLowerCase().includes(who.toLowerCase()) ? `${who}: ${label}` : label;
}

/** How far off the target of an option is; "" where that is nothing to it. */
export function farOff({ range, distance }: Pick<Option, 'range' | 'distance'>): string {
  return distance || range >= 0 ? `range ${distance || range}` : '';
}

/** Every word of the search must be somewhere in the option. */
export function findOptions(options: readonly Option[], search: string, nameOf: (unit: string) => string): Option[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [...options];
  return options.filter((option) => {
    const unit = option.unit ? nameOf(option.unit) : '';
    const target = option.target ? nameOf(option.target) : '';
    const text = [option.label, option.key, option.verb, option.place, option.cost, unit, target].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** A question and what to do about it: in one sentence where the question is short and plain, else in two. */
export function withHint(text: string, hint: string): string {
  if (!hint) return text;
  if (/[?.!…]$/.test(text)) return `${text} ${titled(hint)}.`;
  return text.includes(':') ? `${text}. ${titled(hint)}.` : `${text}: ${hint}`;
}

/** So many letters stand on a button in one line; what is in brackets goes below it. */
const ROOM = 16;

/** A label too long for a button, parted at its colon or its bracket: what it is, and what it does. */
export function parted(label: string): { head: string; rest: string } {
  const bracket = /^([^:(]+) \(([^)]+)\)$/.exec(label);
  if (label.length > ROOM && bracket) return { head: bracket[1]!, rest: bracket[2]! };
  const at = label.indexOf(': ');
  if (label.length <= 40 || at < 0) return { head: label, rest: '' };
  return { head: label.slice(0, at), rest: label.slice(at + 2) };
}
