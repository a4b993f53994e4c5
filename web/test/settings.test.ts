import { expect, test } from 'vitest';
import { DEFAULTS, readWishes, Settings } from '../src/lib/settings.svelte';

class Store implements Partial<Storage> {
  kept = new Map<string, string>();
  getItem = (key: string): string | null => this.kept.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.kept.set(key, value);
}

test('without anything stored the defaults hold, and sounds are off', () => {
  expect(readWishes(null)).toEqual(DEFAULTS);
  expect(DEFAULTS.sounds).toBe(false);
});

test('what is not understood has its default', () => {
  expect(readWishes('{"theme":"pink","pace":"slow","sounds":"yes","more":1}')).toEqual({ ...DEFAULTS, pace: 'slow' });
  expect(readWishes('no json')).toEqual(DEFAULTS);
  expect(readWishes('null')).toEqual(DEFAULTS);
});

test('a wish is stored, read again, and put on the page', () => {
  const store = new Store() as unknown as Storage;
  const settings = new Settings(store);
  settings.set('theme', 'dark');
  settings.set('palette', 'safe');
  settings.set('text', 'large');
  expect(document.documentElement.dataset).toMatchObject({ theme: 'dark', palette: 'safe', text: 'large' });
  const again = new Settings(store);
  expect(again.dark).toBe(true);
  expect(again.wishes.palette).toBe('safe');
});

test('the pace is a time', () => {
  const settings = new Settings(null);
  settings.set('pace', 'off');
  expect(settings.pace).toBe(0);
  settings.set('pace', 'slow');
  expect(settings.pace).toBeGreaterThan(1000);
});

test('a store that refuses does no harm', () => {
  const store = {
    getItem: () => {
      throw new Error('forbidden');
    },
    setItem: () => {
      throw new Error('full');
    },
  } as unknown as Storage;
  const settings = new Settings(store);
  settings.set('sounds', true);
  expect(settings.sounds).toBe(true);
});
