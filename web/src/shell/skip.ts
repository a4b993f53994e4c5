/** Keys that mean "go on": those that write or move something, with nothing held down and outside of fields. */
export function isSkipKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  const target = event.target;
  if (target instanceof Element && target.closest('input, textarea, select, [contenteditable], dialog, [role=menu]')) {
    return false;
  }
  return event.key.length === 1 || event.key === 'Enter' || event.key === 'Escape';
}
