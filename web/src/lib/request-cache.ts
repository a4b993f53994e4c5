/** Answers of the server that do not change and are therefore asked for once. */

export class RequestCache<T> {
  private readonly made = new Map<string, Promise<T>>();
  private readonly most: number;

  /** When more than `most` are kept all are forgotten. */
  constructor(most: number) {
    this.most = most;
  }

  /** What goes by a name; fetched unless it is known or on its way. A failure is not kept. */
  get(name: string, fetch: () => Promise<T>): Promise<T> {
    const known = this.made.get(name);
    if (known) return known;
    if (this.made.size > this.most) this.made.clear();
    const made = fetch();
    this.made.set(name, made);
    made.catch(() => this.made.delete(name));
    return made;
  }

  forget(): void {
    this.made.clear();
  }
}
