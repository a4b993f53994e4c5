/** The glossary of the battle on the page. */
import { Glossary } from './glossary';
import type { Term } from './types';

class OpenGlossary {
  terms: readonly Term[] = $state.raw([]);
  private readonly now = $derived(new Glossary(this.terms));

  term = (word: string): Term | null => this.now.term(word);

  pieces = (text: string, tag = false): ReturnType<Glossary['pieces']> => this.now.pieces(text, tag);

  /** What a tag that is drawn on the map carries, so that it explains itself; undefined where there is nothing to say. */
  tag = (word: string): string | undefined => (this.now.term(word) ? word : undefined);
}

export const glossary = new OpenGlossary();
