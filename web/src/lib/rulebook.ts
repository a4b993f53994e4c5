/** A game's rules as they came, arranged for reading: sections, search, and references that can be followed. */
import type { RuleView } from './types';

export interface Section {
  id: string;
  /** What it is about; without a title of its own, how it begins. */
  text: string;
  rules: RuleView[];
}

/** The section that a rule belongs to: what stands before the point. */
export function sectionOf(id: string): string {
  return id.split('.')[0] ?? id;
}

/** The rules by section, in the order of the book. */
export function sections(rules: readonly RuleView[]): Section[] {
  const found = new Map<string, Section>();
  for (const rule of rules) {
    const id = sectionOf(rule.id);
    const section = found.get(id);
    if (section) section.rules.push(rule);
    else found.set(id, { id, text: rule.title || beginning(rule.text), rules: [rule] });
  }
  return [...found.values()];
}

/** The first sentence, or as much of it as fits a line. */
export function beginning(text: string, most = 72): string {
  const sentence = /^.*?[.:;](?=\s|$)/.exec(text)?.[0] ?? text;
  if (sentence.length <= most) return sentence.replace(/[.:;]$/, '');
  return `${sentence.slice(0, sentence.lastIndexOf(' ', most))} …`;
}

/** The rules that have all the words, in their text or over it; those whose number or section is meant come first. */
export function searchRules(rules: readonly RuleView[], search: string): RuleView[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const rank = (rule: RuleView): number => {
    if (words.includes(rule.id.toLowerCase())) return 0;
    if (words.some((word) => sectionOf(rule.id) === word)) return 1;
    const title = rule.title.toLowerCase();
    return words.every((word) => title.includes(word)) ? 2 : 3;
  };
  return rules
    .filter((rule) => {
      const text = `${rule.id} ${rule.title} ${rule.text}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .map((rule, at) => ({ rule, at, rank: rank(rule) }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .map((found) => found.rule);
}

/** A rule's text cut at the references in it that lead somewhere. */
export function references(text: string, known: (id: string) => boolean): { text: string; rule: string }[] {
  return text
    .split(/\b(\d+[a-z]{0,2}\.\d+[a-z]{0,3})\b/)
    .map((part, at) => ({ text: part, rule: at % 2 === 1 && known(part) ? part : '' }))
    .filter((part) => part.text !== '');
}
