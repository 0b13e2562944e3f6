// The site without a server, under a path of its host: everything once with the network, then the same without it.
// SITE names a folder made by `cargo xtask site --out FOLDER --base /tengen/`.
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test as base, type Page } from '@playwright/test';
import { cell, id, shot, showsStones, sound, stones, until, type Options, variants } from './fixtures';
import { SiteServer } from './site-server';

const BASE = '/tengen/';
const folder = process.env['SITE'] ?? '';

const test = base.extend<Options, { site: string }>({
  variant: [variants[0]!, { option: true }],
  site: [
    // Playwright reads the fixtures a function needs from its first parameter.
    async ({}, use) => {
      const server = new SiteServer(folder, BASE);
      await use(`${await server.start()}${BASE}`);
      server.stop();
    },
    { scope: 'worker' },
  ],
  page: async ({ page }, use) => {
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    await use(page);
    expect(faults, 'errors of the page').toEqual([]);
  },
});

test.skip(!folder || !existsSync(folder), 'SITE names no folder: cargo xtask test site makes one');

/** Opens a page and waits for the engines. */
async function open(page: Page, address: string) {
  await page.goto(address);
  await page.locator('main h1, main [data-board], main form').first().waitFor();
}

async function offline(page: Page, site: string) {
  await open(page, site);
  await page.evaluate(() => navigator.serviceWorker.ready);
  // The engines are kept once they have answered: the list of puzzles comes from them.
  await open(page, `${site}puzzles`);
  await page.locator(`a[href*="/puzzles/"]`).first().waitFor();
  await page.context().setOffline(true);
}

test('analysis reports, stops at once and goes on without a network', async ({ page, site }) => {
  await offline(page, site);
  await open(page, `${site}analysis`);
  await page.locator(cell(7, 7)).click();
  await showsStones(page, 1);
  await page.locator(id('search')).click();
  await expect(page.locator(id('lines')).locator('li, tr, button').first()).toBeVisible();
  const stopped = await page.evaluate(async (button) => {
    const began = performance.now();
    document.querySelector<HTMLElement>(button)?.click();
    await new Promise(requestAnimationFrame);
    return performance.now() - began;
  }, id('search'));
  expect(stopped, 'milliseconds to stop').toBeLessThan(500);
  await sound(page);
  await shot(page, 'site-analysis');
});

test('a game against an engine is played, kept and found again', async ({ page, site }) => {
  await offline(page, site);
  await open(page, `${site}new`);
  await page.locator(id('start')).click();
  await page.waitForURL(/\/game\/\w+$/);
  await page.locator(cell(7, 7)).click();
  await showsStones(page, 2, 60_000);
  await shot(page, 'site-game');
  await page.reload();
  await showsStones(page, 2);
  expect(await stones(page)).toBe(2);
});

test('a puzzle is judged and counted', async ({ page, site }) => {
  await offline(page, site);
  await page.locator('a[href*="/puzzles/gomoku/"]').first().click();
  await page.locator(id('puzzle-solution')).click();
  await expect(page.locator(id('puzzle-solution'))).toBeDisabled();
  await expect(page.locator('[data-board]')).toBeVisible();
  await until('the solution', async () => (await page.locator('[data-node]').count()) > 1, 60_000);
  await page.goto(`${site}puzzles`);
  await until('the puzzle counts as tried', async () => (await page.locator('.tried, .helped').count()) > 0);
});

test('every page opens without a network', async ({ page, site }) => {
  await offline(page, site);
  for (const path of [
    '',
    'new',
    'maze',
    'see',
    'see/tree',
    'see/mcts',
    'see/xray',
    'see/path',
    'see/own',
    'settings',
    'studies',
    'about',
  ]) {
    await open(page, site + path);
    await expect(page.locator('main [role=alert]'), path).toHaveCount(0);
  }
});

test('a student’s program reaches no network', async ({ page, site }) => {
  // A host that would take whatever a program sends, and knows who called.
  const called: string[] = [];
  const host = createServer((request, response) => {
    called.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' }).end('export {};');
  });
  await new Promise<void>((up) => host.listen(0, '127.0.0.1', up));
  const outside = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  await open(page, `${site}see/own`);
  // Several turns: what a program begins goes on while it waits.
  const wait = 'for (const end = Date.now() + 1000; Date.now() < end; );';
  for (const way of [`import('${outside}/import.js').catch(() => {})`, `fetch('${outside}/fetch.json')`]) {
    const code = `// ${way.slice(0, 6)}\nfunction pick(board, me) { ${way}; ${wait} throw new Error('tried'); }`;
    await page.setInputFiles(id('own-open'), { name: 'program.js', mimeType: 'text/plain', buffer: Buffer.from(code) });
    await expect(page.locator(id('own-code'))).toContainText(way.slice(0, 20));
    await page.locator(id('own-move')).click();
    await expect(page.locator(id('own-trouble'))).toContainText(/tried|fetch is not a function/, { timeout: 30_000 });
  }
  expect(called, 'requests that came from the program').toEqual([]);
  await page.evaluate((address) => fetch(address), `${outside}/page.js`);
  expect(called, 'the page itself reaches the host').toEqual(['/page.js']);
  host.close();
});

test('games are exported to a file and come back in another browser', async ({ page, site, browser }) => {
  await open(page, `${site}new`);
  await page.locator(id('start')).click();
  await page.waitForURL(/\/game\/\w+$/);
  await page.locator(cell(7, 7)).click();
  await showsStones(page, 2, 60_000);
  const game = page.url();
  await open(page, `${site}settings`);
  const saved = page.waitForEvent('download');
  await page.locator(id('backup-save')).click();
  const file = await (await saved).path();
  const other = await (await browser.newContext()).newPage();
  await open(other, `${site}settings`);
  await other.locator(id('backup-load')).setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
  await expect(other.locator('[role=status], [role=alert]').filter({ hasText: /Tengen|天元/ })).toBeVisible();
  await Promise.all([other.waitForEvent('load'), other.locator(id('backup-load')).setInputFiles(file)]);
  await other.goto(game);
  await showsStones(other, 2);
  await other.context().close();
});
