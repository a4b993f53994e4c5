/** What the page lends to the one who acts: the board's eye, and the player's wishes. */
export interface PageHooks {
  /** Bring places into sight, without moving the map if they are; `below` pixels of the map are covered. */
  reveal?(places: readonly string[], below?: number): void;
  /** Nothing covers the map any more: what was moved out from under it goes back. */
  settle?(): void;
  /** Where a place is on the screen, within the board's frame. */
  anchor?(place: string): { x: number; y: number } | null;
  /** Whether a click on the map shows first what it would do. */
  settings?: { readonly confirm: boolean };
  /** Bring a part of a table near, where the screen is too small for it; `below` pixels of the map are covered. */
  frame?(left: number, top: number, right: number, bottom: number): void;
  /** Take up the measuring tape, or put it away. */
  tape?(): void;
}
