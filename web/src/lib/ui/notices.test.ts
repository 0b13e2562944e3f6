import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { notices } from './notices.svelte';

const texts = () => notices.list.map(({ text }) => text);

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  for (const { id } of notices.list) notices.drop(id);
  vi.useRealTimers();
});

test('notices pass, and at most three of them are shown', () => {
  for (const text of ['a', 'b', 'c', 'd', 'b']) notices.say(text);
  expect(texts()).toEqual(['c', 'd', 'b']);
  vi.advanceTimersByTime(60_000);
  expect(texts()).toEqual([]);
});

test('one that stays is there until it is acted on or closed, whatever comes after it', () => {
  notices.say('new version', false, { label: 'reload', run: () => {} }, true);
  for (const text of ['a', 'b', 'c', 'd']) notices.say(text);
  expect(texts()).toEqual(['new version', 'b', 'c', 'd']);
  vi.advanceTimersByTime(3_600_000);
  expect(texts()).toEqual(['new version']);
  notices.drop(notices.list[0]!.id);
  expect(texts()).toEqual([]);
});
