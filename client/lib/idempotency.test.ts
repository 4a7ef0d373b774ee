import { afterEach, expect, test, vi } from 'vitest';
import { creatingOnce } from './idempotency.ts';

afterEach(() => vi.unstubAllGlobals());

function storageWith(entries: readonly (readonly [string, string])[]) {
  const kept = new Map(entries);
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  });
  return kept;
}

test('a damaged stored attempt does not prevent sending, and is replaced', async () => {
  const kept = storageWith([['draft:attempt', '{"key":']]);
  const keys: string[] = [];
  const send = creatingOnce(
    async (header) => {
      keys.push(header['idempotency-key']);
      if (keys.length === 1) throw new Error('lost');
    },
    () => 'draft',
  );
  await expect(send('content')).rejects.toThrow('lost');
  await send('content');
  expect(new Set(keys)).toEqual(new Set([expect.stringMatching(/^[\da-f-]{36}$/)]));
  expect(keys).toHaveLength(2);
  expect(kept).toEqual(new Map());
});
