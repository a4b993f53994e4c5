/** The rulebook at hand: any rule id opens it here. */
import { Api } from './api';
import { searchRules, sectionOf, sections, type Section } from './rulebook';
import type { RuleView } from './types';

/** One open rulebook. `opened` grows with every wish to read a rule, so that a page can bring the panel up. */
export class Rules {
  game = $state('');
  opened = $state(0);
  /** The rule or section that is open; empty for the list of sections. */
  id = $state('');
  search = $state('');
  loading = $state(false);
  problem = $state('');
  private all = $state.raw<RuleView[]>([]);
  private past = $state.raw<{ id: string; search: string }[]>([]);
  private readonly api: Api;
  private readonly known = $derived(new Map(this.all.map((rule) => [rule.id, rule])));
  readonly sections: Section[] = $derived(sections(this.all));
  readonly found: RuleView[] = $derived(searchRules(this.all, this.search));
  /** The section that is open. */
  readonly section: Section | null = $derived(
    this.sections.find((section) => section.id === sectionOf(this.id)) ?? null,
  );

  constructor(api: Api = new Api()) {
    this.api = api;
  }

  get canGoBack(): boolean {
    return this.past.length > 0;
  }

  get size(): number {
    return this.all.length;
  }

  has(id: string): boolean {
    return this.known.has(id);
  }

  rule(id: string): RuleView | null {
    return this.known.get(id) ?? null;
  }

  /** Read a game's rules, once. */
  async use(game: string): Promise<void> {
    if (!game || (game === this.game && (this.all.length || this.loading))) return;
    if (game !== this.game) {
      // A rule that was asked for before any book was open is meant for this one.
      if (this.game) this.id = this.search = '';
      this.all = [];
      this.past = [];
      this.game = game;
    }
    this.loading = true;
    this.problem = '';
    try {
      const all = await this.api.rules(game);
      if (this.game === game) this.all = all;
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.loading = false;
    }
  }

  /** Open a rule, a section, or with "" the list of sections. */
  show(id: string): void {
    if (id !== this.id || this.search) {
      this.keep();
      this.id = id;
      this.search = '';
    }
    this.opened += 1;
  }

  /** Search; where the search began one can go back to. */
  find(words: string): void {
    if (words && !this.search) this.keep();
    this.search = words;
  }

  private keep(): void {
    this.past = [...this.past.slice(-49), { id: this.id, search: this.search }];
  }

  /** Where one was before. */
  back(): void {
    const before = this.past.at(-1);
    if (!before) return;
    this.past = this.past.slice(0, -1);
    this.id = before.id;
    this.search = before.search;
  }
}

/** The rulebook of the page. */
export const rules = new Rules();

/** Open a rule from anywhere. */
export function openRule(id: string): void {
  rules.show(id);
}
