/** A text cut at every place where a search finds something. */
export interface Part {
  text: string;
  hit: boolean;
}

/** Cut a text at the words of a search; without any words it is one part. */
export function highlight(text: string, search: string): Part[] {
  const words = [...new Set(search.toLowerCase().split(/\s+/).filter((word) => word.length > 1))];
  if (!words.length) return [{ text, hit: false }];
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'gi');
  return text
    .split(pattern)
    .map((part, at) => ({ text: part, hit: at % 2 === 1 }))
    .filter((part) => part.text !== '');
}
