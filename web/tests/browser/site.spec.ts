// The site without a server, under a path of its host: everything once with the network, then the same without it.
// SITE names a folder made by `cargo xtask site --out FOLDER --base /tengen/`.
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test as base, type Page } from '@playwright/test';
import { cell, id, shot, showsStones, sound, stones, until, type Options, variants } from './fixtures';
import { pageWork } from './measure';
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

/** Visits the site once, and switches the network off when everything is kept. */
async function offline(page: Page, site: string) {
  await open(page, site);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const kept = (cache: string) => page.evaluate(async (name) => (await (await caches.open(name)).keys()).length, cache);
  await until('the module and two networks are kept', async () => (await kept(`tengen-engine ${BASE}`)) === 3, 60_000);
  await page.context().setOffline(true);
}

test('analysis reports, stops at once and goes on without a network', async ({ page, site }) => {
  await offline(page, site);
  await open(page, `${site}analysis`);
  await page.locator(cell(7, 7)).click();
  await showsStones(page, 1);
  await page.locator(id('search')).click();
  await expect(page.locator(id('lines')).locator('li, tr, button').first()).toBeVisible();
  // The page's own work from the click until it shows the end: the worker is ended, nothing is waited for.
  const stopped = await pageWork(page, () =>
    page.evaluate(
      (button) =>
        new Promise<void>((done) => {
          const state = document.querySelector('.state');
          const look = () => state?.textContent?.trim() === '' && done();
          new MutationObserver(look).observe(state!, { childList: true, characterData: true, subtree: true });
          document.querySelector<HTMLElement>(button)?.click();
        }),
      id('search'),
    ),
  );
  expect(stopped, 'milliseconds to stop').toBeLessThan(50);
  const last = await page.locator(id('lines')).textContent();
  await page.waitForTimeout(500);
  expect(await page.locator(id('lines')).textContent(), 'the last report stays').toBe(last);
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

test('two workers share a search', async ({ page, site }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'hardwareConcurrency', { value: 2 }));
  await open(page, `${site}analysis`);
  await page.locator(cell(7, 7)).click();
  await showsStones(page, 1);
  await page
    .locator('details', { has: page.locator(id('threads')) })
    .evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));
  await page.locator(id('threads')).fill('2');
  await page.locator(id('search')).click();
  // One more answers requests about positions.
  await until('two workers search', () => Promise.resolve(page.workers().length === 3), 60_000);
  await until('they report', async () => (await page.locator('.mark text').count()) > 1, 60_000);
  await page.locator(id('search')).click();
  await until('the search has ended', async () => (await page.locator('.state').textContent())?.trim() === '');
  expect(await page.locator('.mark text').count(), 'the last report stays').toBeGreaterThan(1);
});

test('two people play on one screen without a network', async ({ page, site }) => {
  await offline(page, site);
  await open(page, `${site}new?mode=screen`);
  await page.locator(id('start')).click();
  await page.waitForURL(/\/game\/\w+$/);
  for (const [at, point] of [cell(7, 7), cell(6, 6), cell(7, 8)].entries()) {
    await page.locator(point).click();
    await showsStones(page, at + 1);
  }
  await page.locator(id('undo')).click();
  await showsStones(page, 2);
  await page.locator(id('offer-draw')).click();
  await expect(page.locator(id('result'))).toContainText(/和棋|Draw/);
});

test('two tabs with one game keep the moves of both', async ({ page, site }) => {
  await open(page, `${site}new?mode=screen`);
  await page.locator(id('start')).click();
  await page.waitForURL(/\/game\/\w+$/);
  const other = await page.context().newPage();
  await open(other, page.url());
  await page.locator(cell(7, 7)).click();
  await showsStones(other, 1);
  await other.locator(cell(7, 8)).click();
  await showsStones(page, 2);
  await page.locator(cell(6, 6)).click();
  await showsStones(other, 3);
  await page.reload();
  await showsStones(page, 3);
  await other.close();
});

test('a puzzle is judged and counted', async ({ page, site }) => {
  await offline(page, site);
  await open(page, `${site}puzzles`);
  await page.locator('a[href*="/puzzles/gomoku/"]').first().click();
  await page.locator(id('puzzle-solution')).click();
  await expect(page.locator(id('puzzle-solution'))).toBeDisabled();
  await expect(page.locator('[data-board]')).toBeVisible();
  await until('the solution', async () => (await page.locator('[data-node]').count()) > 1, 60_000);
  await page.goto(`${site}puzzles`);
  await until('the puzzle counts as tried', async () => (await page.locator('.tried, .helped').count()) > 0);
});

test('a maze, a theatre and a lesson run without a network', async ({ page, site }) => {
  await offline(page, site);
  await open(page, `${site}maze`);
  const matrix = '1 1 1 1 1 1\n0 0 0 1 0 1\n1 1 0 1 0 1\n1 0 0 0 0 0\n1 1 1 1 1 1\n';
  await page.setInputFiles(id('maze-file'), { name: 'input.txt', mimeType: 'text/plain', buffer: Buffer.from(matrix) });
  await page.locator(id('maze-finish')).click();
  await expect(page.locator(id('cost')).first()).toHaveText('7');
  await open(page, `${site}see/tree?position=tictactoe:XO./.X./..O&algorithm=alphabeta&depth=9`);
  await page.locator(id('see-tree')).waitFor();
  await page.locator(id('see-end')).click();
  await until('nodes were searched', async () => Number(await page.locator(id('see-nodes')).textContent()) > 10);
  await open(page, `${site}see/lesson/alpha-beta`);
  await page.locator(id('lesson-title')).waitFor();
  await until('something to see', async () => (await page.locator(`${id('widget')} canvas, ${id('widget')} svg`).count()) > 0);
  await expect(page.locator(`${id('widget')} [role="alert"]`)).toHaveCount(0);
});

test('a network with a wrong hash is not used, and that is said', async ({ browser, site }) => {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.route('**/network-gomoku-*/**', (route) => route.fulfill({ body: 'damaged' }));
  await open(page, `${site}analysis`);
  await page.locator(cell(7, 7)).click();
  await page.locator(id('search')).click();
  await expect(page.locator('.notice.bad').first()).toContainText(/damaged|损坏/);
  await page.unroute('**/network-gomoku-*/**');
  await page.locator(cell(6, 6)).click();
  await showsStones(page, 2);
  await page.locator(id('search')).click();
  await until('the next search reports', async () => (await page.locator('.mark text').count()) > 0, 60_000);
  await context.close();
});

test('a worker that crashes is started again, and that is said', async ({ page, site }) => {
  await page.addInitScript(() => {
    const all: Worker[] = [];
    Object.assign(globalThis, { workers: all });
    globalThis.Worker = class extends Worker {
      constructor(...made: ConstructorParameters<typeof Worker>) {
        super(...made);
        all.push(this);
      }
    };
  });
  await open(page, `${site}analysis`);
  await page.locator(cell(7, 7)).click();
  await page.locator(id('search')).click();
  await until('it reports', async () => (await page.locator('.mark text').count()) > 0, 60_000);
  await page.evaluate(() => {
    const { workers } = globalThis as unknown as { workers: Worker[] };
    for (const worker of workers) worker.dispatchEvent(new ErrorEvent('error', { message: 'out of memory', cancelable: true }));
  });
  await expect(page.locator('.notice.bad').first()).toContainText(/restarted|重新启动/);
  await page.locator(cell(6, 6)).click();
  await showsStones(page, 2);
  await page.locator(id('search')).click();
  await until('the next search reports', async () => (await page.locator('.mark text').count()) > 0, 60_000);
});

test('a browser that starts no workers is told so, and the page stays usable', async ({ page, site }) => {
  await page.addInitScript(() => {
    globalThis.Worker = class {
      constructor() {
        throw new DOMException('no workers here', 'SecurityError');
      }
    } as unknown as typeof Worker;
  });
  await open(page, `${site}analysis`);
  await expect(page.locator('.notice.bad').first()).toContainText(/Worker|workers/);
  await open(page, `${site}settings`);
  await expect(page.locator('main h1')).toBeVisible();
});

test('the first page is small, and needs no engines', async ({ browser, site }) => {
  // Without the service worker, which keeps everything in the background.
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  const loads: Promise<[string, number]>[] = [];
  page.on('requestfinished', (request) => {
    const size = async (): Promise<[string, number]> => {
      const body = await (await request.response())!.body();
      return [new URL(request.url()).pathname, gzipSync(body).length];
    };
    loads.push(size());
  });
  await open(page, site);
  await page.locator(id('play-hex')).waitFor();
  await page.waitForLoadState('networkidle');
  const files = await Promise.all(loads);
  const sum = files.reduce((all, [, bytes]) => all + bytes, 0);
  expect(sum, files.map(([path, bytes]) => `${bytes} ${path}`).join('\n')).toBeLessThan(200_000);
  expect(files.filter(([path]) => /\.(wasm|bin)$|engine\.json$/.test(path))).toEqual([]);
  await context.close();
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

test('where the browser forbids storage everything works until the page is closed', async ({ page, site }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
      Object.defineProperty(globalThis, name, {
        get() {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
    }
  });
  await open(page, `${site}analysis`);
  await page.locator(cell(7, 7)).click();
  await showsStones(page, 1);
  await expect(page.locator('.notice.bad')).toHaveCount(1);
  await page.locator('.notice.bad button').click();
  await page.locator('header a[href$="/new"]').click();
  await page.locator(id('start')).click();
  await page.waitForURL(/\/game\/\w+$/);
  await page.locator(cell(7, 7)).click();
  await showsStones(page, 2, 60_000);
  await page.locator(`header a[href$="/settings"]`).click();
  const saved = page.waitForEvent('download');
  await page.locator(id('backup-save')).click();
  await saved;
  await expect(page.locator('.notice')).toHaveCount(0);
});

test('nothing is offered that needs a server', async ({ page, site }) => {
  for (const path of ['', 'new', 'analysis', 'see/own', 'settings', 'about']) {
    await open(page, site + path);
    const links = await page.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(
      links.filter((href) => /\/(bots|fleet|class|classes|ladder|api)\b/.test(href)),
      path,
    ).toEqual([]);
  }
  await open(page, site);
  await expect(page.locator(`${id('live-games')}, ${id('lobby')}`)).toHaveCount(0);
  await open(page, `${site}new`);
  const modes = page.locator('[data-testid^="mode-"]');
  await expect(modes).toHaveCount(3);
  for (const mode of ['engine', 'screen', 'watch']) await expect(page.locator(id(`mode-${mode}`))).toBeVisible();
  await open(page, `${site}new?mode=link`);
  await expect(page.locator(id('mode-engine'))).toHaveAttribute('aria-pressed', 'true');
  for (const path of ['bots', 'classes', 'fleet', 'ladder/gomoku']) {
    await page.goto(site + path);
    await expect(page.locator('main h1'), path).toHaveText(/./);
    await expect(page.locator('main a'), path).toHaveCount(1);
  }
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

test('a study is kept in the database, and comes back from the file in another browser', async ({ page, site, browser }) => {
  await open(page, `${site}analysis?game=hex&size=7x7`);
  await page.locator(cell(3, 3)).click();
  await showsStones(page, 1);
  await until('it has an id', () => Promise.resolve(page.url().includes('study=')));
  const study = page.url();
  await page.waitForTimeout(1300);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tengen.studies')))).toEqual([]);
  await open(page, `${site}settings`);
  const saved = page.waitForEvent('download');
  await page.locator(id('backup-save')).click();
  const file = await (await saved).path();
  const other = await (await browser.newContext()).newPage();
  await open(other, `${site}settings`);
  await Promise.all([other.waitForEvent('load'), other.locator(id('backup-load')).setInputFiles(file)]);
  await other.goto(study);
  await showsStones(other, 1);
  await other.context().close();
});
