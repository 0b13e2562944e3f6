// Every page in every variant: nothing too wide, nothing axe objects to, light enough, quick enough.
import { expect, id, open, shot, sound, test, until } from './fixtures';
import { pageWork } from './measure';

const paths = {
  home: '/',
  new: '/new',
  analysis: '/analysis',
  puzzles: '/puzzles',
  maze: '/maze',
  see: '/see',
  bots: '/bots',
  fleet: '/fleet',
  settings: '/settings',
  about: '/about',
  api: '/api/docs',
  missing: '/nowhere',
};

for (const [name, path] of Object.entries(paths)) {
  test(`page ${name}: fits the screen, is accessible, speaks the language`, async ({ page, variant }) => {
    await open(page, path);
    await page.locator('h1').first().waitFor({ state: 'attached' });
    if (name === 'home') await page.locator('[data-testid="play-gomoku"]').waitFor();
    if (name === 'analysis') await page.locator('[data-cell="7,7"]').waitFor();
    if (name === 'api') await page.locator('details').first().waitFor();
    await page.waitForTimeout(300);
    await shot(page, name);
    await sound(page);
    const language = await page.evaluate(() => document.documentElement.lang);
    expect(language).toBe(variant.language === 'zh' ? 'zh-CN' : 'en');
  });
}

test('the list of keys opens and closes by keyboard', async ({ page }) => {
  await open(page, '/analysis');
  await page.locator('[data-cell="7,7"]').waitFor();
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
  await shot(page, 'keys');
  await sound(page);
  await page.keyboard.press('Escape');
  expect(await page.locator('dialog[open]').count(), 'Escape closes the list').toBe(0);
});

test('language and theme change at once and are remembered', { tag: '@wide-en-light' }, async ({ page }) => {
  await open(page, '/');
  await page.click('[data-testid="language"]');
  await page.locator('html[lang="zh-CN"]').waitFor();
  await page.keyboard.press('d');
  await page.locator('html[data-theme="dark"]').waitFor();
  await page.reload();
  await page.locator('html[lang="zh-CN"][data-theme="dark"]').waitFor();
});

test('a token for a bot is made and shown once', async ({ page }) => {
  await open(page, '/bots');
  await page.fill('[data-testid="bot-name"]', 'my program');
  await page.click('[data-testid="bot-make"]');
  await page.locator('[data-testid="bot-token"] code').waitFor();
  await shot(page, 'token');
  await sound(page);
});

test(
  'the first load is under 200 kB compressed and takes under a second of the page’s work',
  { tag: '@wide-en-light' },
  async ({ page }) => {
    const client = await page.context().newCDPSession(page);
    await client.send('Network.enable');
    let bytes = 0;
    client.on('Network.loadingFinished', (event) => (bytes += event.encodedDataLength));
    const began = performance.now();
    const work = await pageWork(page, async () => {
      await page.goto('/');
      await page.locator('[data-testid="play-gomoku"]:enabled').waitFor();
    });
    console.log(
      `${(bytes / 1000).toFixed(0)} kB over the wire, first button after ${(performance.now() - began).toFixed(0)} ms, ${work.toFixed(0)} ms of work`,
    );
    expect(bytes, 'the page was measured').toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(200_000);
    expect(work).toBeLessThan(1000);
  },
);

test('a page never asks for what the next address names', { tag: '@wide-en-light' }, async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await open(page, '/');
  await page.click('[data-testid="play-hex"]');
  await page.locator('[data-cell="5,5"]').waitFor();
  await page.click('header a[href="/analysis"]');
  await page.locator('[data-testid="fresh-hex"]').waitFor();
  expect(asked.filter((url) => url.includes('undefined'))).toEqual([]);
  expect(await page.evaluate(() => localStorage.getItem('tengen.open'))).not.toContain('null');
});

test('the fleet shows runs, workers and failed units', async ({ page }) => {
  const points = Array.from({ length: 30 }, (_, i) => ({
    games: 10 * (i + 1),
    elo: 12 + 20 / (i + 1),
    error: 90 / Math.sqrt(i + 1),
    llr: i / 12,
  }));
  const run = { kind: 'games', sealed: true, checks: 1, needs: { timed: false, programs: [] }, created: 1_760_000_000_000 };
  const worker = { version: '0.1.0', signature: '1 2', programs: [], seen: 0, noisy: false, alive: true, failed: 0, set_aside: '' };
  const body = {
    on: true,
    ready: true,
    runs: [
      {
        ...run,
        id: '0a1b2c3d4e5f',
        title: 'gomoku: tengen – tengen:without=iir',
        state: 'running',
        units: 1000,
        done: 300,
        dead: 1,
        summary: { games: 300, wins: 150, losses: 120, draws: 30, bounds: [-2.94, 2.94], points },
      },
      {
        ...run,
        id: '0a1b2c3d4e60',
        title: 'solve hex: puzzles.jsonl',
        state: 'done',
        units: 50,
        done: 50,
        dead: 0,
        checks: 0,
        summary: null,
      },
    ],
    workers: [
      { ...worker, id: 'desk-01f3', speed: 812_345, threads: 8, leased: 8, counted: 240, agreed: 3 },
      { ...worker, id: 'lab-02aa', speed: 402_345, threads: 2, leased: 0, counted: 61, agreed: 1, noisy: true },
      {
        ...worker,
        id: 'odd-0001',
        speed: 9,
        threads: 1,
        leased: 0,
        counted: 3,
        agreed: 0,
        set_aside: 'unit 0a1b2c3d4e5f.7: its result differs',
      },
    ],
    dead: [{ run: '0a1b2c3d4e5f', number: 12, failures: [{ worker: 'lab-02aa', log: 'the engine panicked' }] }],
  };
  await page.route('**/api/v1/fleet', (route) => route.fulfill({ json: body }));
  await open(page, '/fleet');
  await expect(page.locator('[data-testid="fleet-run"]')).toHaveCount(2);
  await expect(page.locator('[data-testid="fleet-worker"]')).toHaveCount(3);
  await page.locator('[data-testid="run-chart-llr"]').waitFor();
  await page.locator('[data-testid="fleet-dead"] summary').click();
  await expect(page.locator('[data-testid="fleet-dead"]')).toContainText('the engine panicked');
  await shot(page, 'fleet-busy');
  await sound(page);
});

test(
  'on a wide screen review and comments are in sight, the moves take the free height, and a lesson’s text stands beside its widget',
  {
    tag: ['@wide-en-light', '@wide-zh-dark'],
  },
  async ({ page, variant }) => {
    const box = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
    for (const game of ['gomoku', 'hex']) {
      await open(page, `/analysis?game=${game}`);
      await page.locator('[data-cell="0,0"]').waitFor();
      for (const selector of [id('review-panel'), id('note')]) {
        const { y, height } = await box(selector);
        expect(y + height, `${selector} ends above the fold`).toBeLessThanOrEqual(variant.height);
      }
      expect((await box('.tree')).height, 'height of the list of moves').toBeGreaterThan(300);
      await shot(page, `columns-${game}`);
      await sound(page);
    }
    await open(page, '/see/lesson/minimax');
    await page
      .locator(`${id('widget')} canvas`)
      .first()
      .waitFor();
    const [text, widget] = [await box('article .text'), await box(id('widget'))];
    expect(text.x + text.width, 'the text ends where the widget begins').toBeLessThanOrEqual(widget.x);
    expect(text.y, 'and is beside it').toBeLessThan(widget.y + widget.height);
    await shot(page, 'lesson');
    await sound(page);
  },
);

test('boards side by side fit the window', { tag: ['@wide-en-light', '@wide-zh-dark'] }, async ({ page }) => {
  for (const game of ['gomoku', 'hex']) {
    await open(page, '/');
    await page.click(id(`play-${game}`));
    await page.locator('[data-cell="0,0"]').waitFor();
  }
  await page.click(id('side-by-side'));
  for (const [width, height] of [
    [1440, 900],
    [1366, 768],
  ] as const) {
    await page.setViewportSize({ width, height });
    await until('two boards', async () => (await page.locator('[data-board]').count()) === 2);
    const bottom = await page.locator('.many').evaluate((many) => many.getBoundingClientRect().bottom + scrollY);
    expect(bottom, `${width}x${height}: the boards end above the fold`).toBeLessThanOrEqual(height);
  }
  await shot(page, 'two-boards');
});
