/** A game's tags and abbreviations: which of them stand in a text, and what each means. */
import type { Term } from './types';

/** A piece of a text, and the term that it is, if it is one. */
export interface Piece {
  text: string;
  term: Term | null;
}

/** A game's terms, ready to be looked for. `#` in a spelling stands for a number. */
export class Glossary {
  private readonly known: readonly [RegExp, Term][];
  private readonly inText: RegExp | null;

  constructor(terms: readonly Term[]) {
    this.known = terms.flatMap((term) => [term.word, ...term.also].map((spelling): [RegExp, Term] => [new RegExp(`^${pattern(spelling)}$`, 'u'), term]));
    const spellings = terms.filter((term) => !term.alone).flatMap((term) => [term.word, ...term.also]);
    const longest = spellings.sort((a, b) => b.length - a.length).map(pattern);
    this.inText = longest.length ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${longest.join('|')})(?![\\p{L}\\p{N}])`, 'gu') : null;
  }

  /** The term that a whole tag is, such as "Shk" or "2P"; as it is written if there is one, else whatever its capitals. */
  term(word: string): Term | null {
    const tag = word.trim();
    const found = this.known.find(([spelling]) => spelling.test(tag));
    return (found ?? this.known.find(([spelling]) => new RegExp(spelling, 'iu').test(tag)))?.[1] ?? null;
  }

  /** A text cut at its terms. One that is a tag as a whole is one piece. */
  pieces(text: string, tag = false): Piece[] {
    const whole = tag ? this.term(text) : null;
    if (whole) return [{ text, term: whole }];
    const found: Piece[] = [];
    let end = 0;
    for (const hit of this.inText ? text.matchAll(this.inText) : []) {
      if (hit.index > end) found.push({ text: text.slice(end, hit.index), term: null });
      found.push({ text: hit[0], term: this.term(hit[0]) });
      end = hit.index + hit[0].length;
    }
    if (end < text.length) found.push({ text: text.slice(end), term: null });
    return found;
  }
}

function pattern(spelling: string): string {
  return spelling
    .split('#')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('\\d+');
}
