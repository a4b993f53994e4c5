/** How a hand points here: a finger taps where a mouse clicks. */
export function isCoarse(): boolean {
  return globalThis.matchMedia?.('(pointer: coarse)').matches ?? false;
}

/** Words for the mouse, as they are for a finger where one points. */
export function forHand(words: string): string {
  if (!isCoarse()) return words;
  return words.replace('Enter or a double click confirms', 'tap Confirm').replace(/\bclick\b/g, 'tap').replace(/\bClick\b/g, 'Tap');
}
