import { expect, test, vi } from 'vitest';
import { KeptStorage } from './storage';
import { notices } from './ui/notices.svelte';

function forbidden(): Storage {
  throw new DOMException('The operation is insecure.', 'SecurityError');
}

test('where storage is forbidden values stay in memory, and the person is told once', () => {
  const say = vi.spyOn(notices, 'say').mockReturnValue(undefined);
  const storage = new KeptStorage(forbidden);
  expect(storage.getItem('a')).toBeNull();
  expect(say).not.toHaveBeenCalled();
  storage.setItem('a', '1');
  storage.setItem('b', '2');
  expect(say).toHaveBeenCalledTimes(1);
  storage.removeItem('b');
  expect([storage.getItem('a'), storage.getItem('b')]).toEqual(['1', null]);
  expect(storage.keys()).toEqual(['a']);
});

test('where it is allowed the browser keeps them, and a full one says so', () => {
  const data: Record<string, string> = {};
  const browser = {
    getItem: (key: string) => data[key] ?? null,
    setItem(key: string, value: string) {
      if (value.length > 3) throw new DOMException('no room', 'QuotaExceededError');
      data[key] = value;
    },
  } as Storage;
  const storage = new KeptStorage(() => browser);
  storage.setItem('a', '1');
  expect(data).toEqual({ a: '1' });
  expect(() => storage.setItem('a', 'much')).toThrow('no room');
  expect(storage.getItem('a')).toBe('1');
});
