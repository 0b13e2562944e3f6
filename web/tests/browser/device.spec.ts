// Searches on this device instead of the server: the same panel, and no server is needed while they run.
import { cell, expect, id, open, test, until } from './fixtures';

test('a search on this device goes on without the server, and stops at once', async ({ page, server, faults }) => {
  faults.ignoreConsole = true;
  await page.addInitScript(() => localStorage.setItem('tengen.settings', '{"think":"device"}'));
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  await open(page, '/analysis?game=gomoku&size=15x15&moves=h8_i9_h9');
  await page.locator(cell(0, 0)).waitFor();
  await page.click(id('search'));
  await until('candidates on the board', async () => (await page.locator('.mark text').count()) > 0);
  expect(sockets, 'the server was not asked').toEqual([]);
  await server.stop('SIGKILL');
  await page.click(id('search'));
  await until('the search has ended', async () => (await page.locator('.state').textContent())?.trim() === '');
  expect(await page.locator('.mark text').count(), 'the last report stays').toBeGreaterThan(0);
  await server.start();
});

test('where the browser starts no worker the server makes the search', async ({ page, faults }) => {
  faults.ignoreConsole = true;
  await page.addInitScript(() => {
    localStorage.setItem('tengen.settings', '{"think":"device"}');
    globalThis.Worker = class {
      constructor() {
        throw new DOMException('no workers here', 'SecurityError');
      }
    } as unknown as typeof Worker;
  });
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  await open(page, '/analysis?game=gomoku&size=15x15&moves=h8_i9_h9');
  await page.locator(cell(0, 0)).waitFor();
  await page.click(id('search'));
  await until('candidates on the board', async () => (await page.locator('.mark text').count()) > 0);
  expect(sockets.length, 'the server was asked').toBeGreaterThan(0);
  await expect(page.locator('.notice.bad')).toContainText(/server is used|改用服务器/);
});

test('the server isolates its pages from other origins, as shared memory would need it', { tag: '@wide-en-light' }, async ({ page }) => {
  await open(page, '/');
  expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(true);
});
