import { expect, test, vi } from 'vitest';
import { RequestCache } from './request-cache';

test('what is known or on its way is not asked for again', async () => {
  const once = new RequestCache<number>(10);
  const fetch = vi.fn(async () => 1);
  const both = [once.get('a', fetch), once.get('a', fetch)];
  expect(await Promise.all(both)).toEqual([1, 1]);
  await once.get('a', fetch);
  expect(fetch).toHaveBeenCalledTimes(1);
  await once.get('b', fetch);
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('a failure is not kept', async () => {
  const once = new RequestCache<number>(10);
  await expect(once.get('a', () => Promise.reject(new Error('offline')))).rejects.toThrow('offline');
  expect(await once.get('a', async () => 2)).toBe(2);
});

test('all is forgotten when there is too much, or when it is said', async () => {
  const once = new RequestCache<number>(1);
  const fetch = vi.fn(async () => 1);
  for (const name of ['a', 'b', 'c', 'a']) await once.get(name, fetch);
  expect(fetch).toHaveBeenCalledTimes(4);
  once.forget();
  await once.get('a', fetch);
  expect(fetch).toHaveBeenCalledTimes(5);
});
