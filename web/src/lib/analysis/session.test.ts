import { beforeEach, expect, test, vi } from 'vitest';
import type { Handlers } from '../api/socket';
import { notices } from '../ui/notices.svelte';
import { Session, type Message } from './session.svelte';

/** The other end of the connection. */
const far = vi.hoisted((): { up: boolean; sent: Message[]; handlers: unknown } => ({ up: false, sent: [], handlers: undefined }));
vi.mock('../api/thinker', () => ({
  connect(_path: string, handlers: unknown) {
    far.handlers = handlers;
    return { send: (message: Message) => far.up && far.sent.push(message) > 0, close: () => {} };
  },
}));

const handlers = () => far.handlers as Handlers<Message>;
function connected(up: boolean) {
  far.up = up;
  handlers().online?.(up);
}
const order = {
  setup: { game: 'gomoku', rows: 15, cols: 15, rule: '', opening: '' },
  moves: [],
  engine: '',
  level: 9,
  threads: 1,
  lines: 1,
};

beforeEach(() => {
  far.up = false;
  far.sent = [];
  notices.list = [];
});

test('a refusal names the facts of the server', async () => {
  const session = new Session();
  session.start(order, () => {});
  connected(true);
  const refused = { type: 'failed', id: 'a1', status: 422, code: 'engine.option', detail: 'no', params: { key: 'net', value: 'up' } };
  handlers().message(refused);
  await vi.waitFor(() => expect(notices.list.map((n) => n.text)).toEqual(['The option “net” does not take the value “up”.']));
});

test('reviews and searches are asked for again after the connection was lost', () => {
  const session = new Session();
  const heard: string[] = [];
  const id = session.ask({ type: 'review' }, (message) => heard.push(message.type));
  session.start(order, () => {});
  expect(far.sent, 'there is no connection yet').toEqual([]);
  connected(true);
  expect(far.sent.map((message) => message.type)).toEqual(['start', 'review']);
  connected(false);
  connected(true);
  expect(far.sent.map((message) => message.id)).toEqual(['a2', id, 'a2', id]);
  handlers().message({ type: 'review-done', id });
  expect(heard).toEqual(['review-done']);
  session.forget(id);
  connected(false);
  connected(true);
  expect(
    far.sent.slice(-2).map((message) => message.type),
    'a review that has ended is not repeated',
  ).toEqual(['stop', 'start']);
});

test('the end of a search is told once, and not by the one that it replaced', () => {
  const session = new Session();
  const ends: string[] = [];
  session.start(
    order,
    () => {},
    () => ends.push('first'),
  );
  connected(true);
  session.start(
    order,
    () => {},
    () => ends.push('second'),
  );
  handlers().message({ type: 'done', id: 'a1' });
  expect([ends, session.running]).toEqual([[], true]);
  handlers().message({ type: 'done', id: 'a2' });
  expect([ends, session.running]).toEqual([['second'], false]);
});
