import { expect, test } from 'vitest';
import { match } from './route';

test('paths match with and without a slash at the end', () => {
  expect(match('/', '/')).toEqual({});
  expect(match('/new', '/new/')).toEqual({});
  expect(match('/game/:id', '/game/a%20b')).toEqual({ id: 'a b' });
});

test('other paths do not match', () => {
  expect(match('/', '/new')).toBeNull();
  expect(match('/game/:id', '/game')).toBeNull();
  expect(match('/game/:id', '/game/a/b')).toBeNull();
  expect(match('/game/:id', '/game/%ff')).toBeNull();
});
