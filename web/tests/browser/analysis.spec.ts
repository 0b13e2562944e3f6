// Analysis: live overlay, lines, graph, review, layers, editor, studies; nothing moves while a search reports.
import type { Page } from '@playwright/test';
import { board, cell, expect, id, open, shot, showsStones, sound, stones, test, until } from './fixtures';
import { shift, watchShift } from './measure';

async function opened(page: Page, query: string) {
  await open(page, `/analysis${query}`);
  await page.locator(cell(0, 0)).waitFor();
}
const GAME = '?game=gomoku&size=15x15&moves=h8_i9_h9_h10_g8_i8_i10_f7';

test('a live search draws candidates without moving the layout, and stopping keeps the lines', async ({ page, variant }) => {
  await opened(page, GAME);
  await showsStones(page, 8);
  await watchShift(page, true);
  await page.click(id('search'));
  await until('candidates on the board', async () => (await page.locator('.mark text').count()) > 0);
  await page.waitForTimeout(1500);
  expect(await shift(page), 'how far the layout shifted').toBe(0);
  await shot(page, 'live');
  await page.click(id('search'));
  // The engine's last report comes after the stop.
  await page.waitForTimeout(1000);
  const kept = await page.locator(`${id('lines')} button`).count();
  expect(kept > 0, 'stopping keeps the lines').toBe(true);
  await sound(page);
  await page.click(id('overlay'));
  expect(await page.locator('.mark text').count(), 'the overlay hides').toBe(0);
  expect(await page.locator(`${id('graph')} canvas`).isVisible(), 'the graph stays').toBe(true);
  expect(await page.locator(`${id('lines')} button`).count(), 'the lines stay').toBe(kept);
  await page.click(id('overlay'));
  if (variant.width > 500) {
    await page
      .locator(`${id('lines')} button`)
      .first()
      .hover();
    await page.locator('.ghost').first().waitFor();
  }
  await page
    .locator(`${id('lines')} button`)
    .first()
    .click();
  await showsStones(page, 9);
});

test('a review marks the blunder, and the graph leads to a move', { tag: '@wide-en-light' }, async ({ page }) => {
  // Both have an open three. Black, to move, could make an open four, plays elsewhere with move 7, and White makes one.
  await opened(page, '?game=gomoku&size=15x15&moves=h8_h10_i8_i10_j8_j10_a1_k10');
  await showsStones(page, 8);
  await page.locator(id('review-time')).selectOption('500');
  await page.click(id('review'));
  await page.locator(id('review-stop')).waitFor();
  await page.locator(id('review')).waitFor({ timeout: 60_000 });
  await expect(page.locator('.tree .move', { hasText: 'a1' }).first()).toContainText('??');
  await expect(page.locator(`${id('mistakes')} li`, { hasText: '7. A1' })).toContainText('blunder');
  await shot(page, 'review');
  const graph = page.locator(`${id('graph')} .u-over`);
  const { width, height } = (await graph.boundingBox())!;
  await graph.click({ position: { x: width / 2, y: height / 2 } });
  await showsStones(page, 4);
});

for (const [game, query] of [
  ['gomoku', GAME],
  ['hex', '?game=hex&size=11x11&moves=f6_e8_d5'],
] as const) {
  test(`every layer of ${game} is answered`, { tag: '@wide-en-light' }, async ({ page }) => {
    // The server's answers can be seen on the wire.
    await page.addInitScript(() => localStorage.setItem('tengen.settings', '{"think":"server"}'));
    await opened(page, query);
    const layers = page.locator('[data-testid^="layer-"]');
    await layers.first().waitFor();
    for (let i = 0; i < (await layers.count()); i++) {
      const answer = page.waitForResponse((r) => r.url().endsWith('/layer'));
      await layers.nth(i).click();
      expect((await answer).ok(), 'the layer is answered').toBe(true);
      await page.waitForTimeout(150);
      await shot(page, `layer-${game}-${i}`);
    }
  });
}

test('a win is proved, played out and marked', async ({ page, variant }) => {
  await opened(page, '?game=gomoku&size=15x15&moves=h8_a1_h9_o1_h10_a15');
  const result = () => page.locator(id('solve-answer')).getAttribute('data-result');
  await page.click(id('solve-vcf'));
  await until('a win by fours', async () => (await result()) === 'win');
  // Black's open three needs two more moves of its own.
  const inTwo = variant.language === 'zh' ? '2 步取胜' : 'win in 2';
  await expect(page.locator(id('solve-answer'))).toContainText(inTwo);
  await shot(page, 'proof-gomoku');
  await page.click(id('search'));
  await expect(page.locator(`${id('lines')} .line`).first()).toContainText(inTwo);
  await expect(page.locator('.mark text', { hasText: '#2' }).first()).toBeVisible();
  await page.click(id('search'));
  await page.locator(`${id('solve-answer')} .line`).click();
  await until('the line is played to the five', async () => (await stones(page)) >= 9);
  await opened(page, '?game=hex&size=4x4');
  await page.click(id('solve-winning-moves'));
  await until('the first player wins', async () => (await result()) === 'win');
  expect((await page.locator('.mark text', { hasText: '✓' }).count()) > 1, 'winning moves are marked').toBe(true);
  await shot(page, 'proof-hex');
  await sound(page);
});

test('a proof can be stopped', { tag: '@wide-en-light' }, async ({ page, server }) => {
  await opened(page, '?game=hex&size=11x11');
  await page.click(id('solve-winner'));
  await page.click(id('solve-stop'));
  await page.locator(`${id('solve-winner')}:enabled`).waitFor();
  const idle = async () => (await (await page.request.get(`${server.base}/api/v1/games`)).json()).running.searches === 0;
  await until('the server has stopped too', idle, 5000);
});

test('a position is set up by hand', async ({ page }) => {
  await opened(page, '?game=gomoku&size=15x15');
  await page.click(id('edit'));
  await page.locator(id('editor')).waitFor();
  await page.click(cell(7, 7));
  await page
    .locator(`${id('editor')} button`)
    .nth(1)
    .click();
  await page.click(cell(7, 8));
  await page.click(cell(8, 8));
  await shot(page, 'editor');
  await sound(page);
  await page
    .locator(`${id('editor')} select`)
    .last()
    .selectOption('white');
  await page.click(id('editor-done'));
  await page.locator(id('editor')).waitFor({ state: 'detached' });
  expect(await stones(page), 'three stones stay').toBe(3);
  await page.click(cell(0, 0));
  await until('white moves first', async () => (await board(page)).startsWith('O'));
});

test(
  'kill -9 and restart: a search goes on by itself, and nothing of the study is lost',
  { tag: '@wide-en-light' },
  async ({ page, server, faults }) => {
    await page.addInitScript(() => localStorage.setItem('tengen.settings', '{"think":"server"}'));
    await opened(page, GAME);
    await showsStones(page, 8);
    await page.fill(id('note'), 'before the crash');
    await page.getByText('Engine, lines, threads').click();
    await page.click(id('search'));
    const nodes = async () =>
      (await page
        .locator(`${id('stats')} dd`)
        .nth(3)
        .textContent()) ?? '';
    await until('the search reports', async () => /^\d/.test(await nodes()));
    await page.waitForTimeout(1200);
    faults.ignoreConsole = true;
    await server.crash();
    const reports = async () => (await (await page.request.get(`${server.base}/api/v1/games`)).json()).running.searches;
    await until('the new server searches', async () => (await reports()) === 1, 30_000);
    expect((await stones(page)) === 8 && (await page.inputValue(id('note'))) === 'before the crash', 'the board is as it was').toBe(true);
    await page.click(id('search'));
    await page.reload();
    await showsStones(page, 8);
    expect(await page.inputValue(id('note')), 'the comment too').toBe('before the crash');
  },
);

test(
  'a study survives a reload and can be shared; opening it elsewhere leaves the visitor’s own study',
  { tag: '@wide-en-light' },
  async ({ page, browser }) => {
    await opened(page, GAME);
    await showsStones(page, 8);
    await page.fill(id('note'), 'remember this');
    await page.waitForTimeout(1500);
    await page.reload();
    await showsStones(page, 8);
    expect(await page.inputValue(id('note')), 'the comment is there').toBe('remember this');
    await page.click(id('publish'));
    await page.locator('.notice', { hasText: 'study=' }).waitFor();
    const address = await page.evaluate(() => navigator.clipboard.readText());

    const context = await browser.newContext();
    const visitor = await context.newPage();
    await visitor.goto(new URL('/analysis?game=hex&size=11x11&moves=f6_e8_d5', address).href);
    await showsStones(visitor, 3);
    await visitor.waitForTimeout(1500);
    await visitor.goto(address);
    await showsStones(visitor, 8);
    await visitor.click(cell(0, 0));
    await showsStones(visitor, 9);
    await visitor.click(id('my-studies'));
    const list = visitor.locator(`${id('studies')} a`);
    await expect(list).toHaveCount(2);
    await list.filter({ hasText: 'Hex' }).click();
    await showsStones(visitor, 3);
    // What was shared is as it was.
    await visitor.goto(address);
    await showsStones(visitor, 8);
    await context.close();
  },
);

test(
  'an empty board, an edited position and a second tab leave the study that was there',
  { tag: '@wide-en-light' },
  async ({ page, context }) => {
    await opened(page, GAME);
    await showsStones(page, 8);
    await page.waitForTimeout(1500);
    await page.click(id('fresh-hex'));
    await showsStones(page, 0);
    await page.click(cell(3, 3));
    await showsStones(page, 1);
    await page.click(id('my-studies'));
    await expect(page.locator(`${id('studies')} a`)).toHaveCount(2);
    await page.locator(`${id('studies')} a`, { hasText: 'Gomoku' }).click();
    await showsStones(page, 8);
    await page.waitForTimeout(1500);
    const second = await context.newPage();
    await second.goto('/analysis');
    await showsStones(second, 8);
    await page.click(cell(0, 0));
    await second.click(cell(0, 1));
    await showsStones(page, 9);
    await showsStones(second, 9);
    await page.waitForTimeout(1500);
    await page.click(id('my-studies'));
    await expect(page.locator(`${id('studies')} a`), 'the changes of both tabs are kept').toHaveCount(3);
  },
);

test('an unknown game in the address is named with those that are accepted', { tag: '@wide-en-light' }, async ({ page }) => {
  await open(page, '/analysis?game=chess');
  await expect(page.locator('.notice.bad')).toContainText('chess');
  await expect(page.locator('.notice.bad')).toContainText('gomoku, hex');
  await page.locator(cell(7, 7)).waitFor();
});

/** Answers analysis messages in the server's place; what `answer` leaves is not answered. */
async function answered(page: Page, answer: (message: { type: string; id: string }, connection: number) => object | 'close' | null) {
  await page.addInitScript(() => localStorage.setItem('tengen.settings', '{"think":"server"}'));
  let connections = 0;
  await page.routeWebSocket(/\/api\/v1\/analysis$/, (socket) => {
    const connection = ++connections;
    const server = connection > 1 ? socket.connectToServer() : null;
    socket.onMessage((text) => {
      const told = answer(JSON.parse(String(text)) as { type: string; id: string }, connection);
      if (told === 'close') void socket.close({ code: 1001 });
      else if (told) socket.send(JSON.stringify(told));
      else server?.send(text);
    });
  });
}

test('a refused search names what was refused, and can be started again', async ({ page, variant }) => {
  const params = { key: 'net', value: 'up' };
  await answered(page, ({ type, id }) =>
    type === 'start' ? { type: 'failed', id, status: 422, code: 'engine.option', detail: 'refused', params } : null,
  );
  await opened(page, GAME);
  await showsStones(page, 8);
  await page.click(id('search'));
  const notice = page.locator('.notice.bad');
  await expect(notice).toContainText('up');
  await expect(notice).not.toContainText('{');
  await expect(page.locator(id('search'))).toHaveText(variant.language === 'zh' ? '开始分析' : 'Analyse');
});

test('a search that ended by itself can be started again with the same button', async ({ page, variant }) => {
  const [start, stop] = variant.language === 'zh' ? ['开始分析', '停止'] : ['Analyse', 'Stop'];
  await opened(page, GAME);
  await showsStones(page, 8);
  await page
    .locator('details', { has: page.locator('input[max="600"]') })
    .locator('summary')
    .click();
  await page.fill('input[max="600"]', '1');
  await page.click(id('search'));
  await expect(page.locator(id('search'))).toHaveText(stop);
  await expect(page.locator(id('search'))).toHaveText(start);
  await page.click(id('search'));
  await expect(page.locator(id('search'))).toHaveText(stop);
  await expect(page.locator(id('search'))).toHaveText(start);
});

test('a review that failed says so and can be tried again; after a loss of the connection it begins anew', async ({ page, variant }) => {
  const zh = variant.language === 'zh';
  // The first connection is lost in the middle of the review, the second refuses it, then the server answers.
  let refused = false;
  await answered(page, ({ type, id }, connection) => {
    if (type !== 'review') return null;
    if (connection === 1) return 'close';
    if (refused) return null;
    refused = true;
    return { type: 'failed', id, status: 429, code: 'pool.full', detail: 'busy', params: {} };
  });
  await opened(page, '?game=gomoku&size=15x15&moves=h8_h10_i8_i10_j8_j10_a1_k10');
  await showsStones(page, 8);
  await page.locator(id('review-time')).selectOption('100');
  await page.click(id('review'));
  await expect(page.locator(id('review-panel'))).toContainText(zh ? '复盘失败' : 'The review failed');
  await expect(page.locator(id('review-panel'))).not.toContainText(zh ? '没有发现失误' : 'No mistakes found');
  await shot(page, 'review-failed');
  await sound(page);
  await page.click(id('review'));
  await expect(page.locator(id('mistakes'))).toBeVisible({ timeout: 60_000 });
  await expect(page.locator(id('review-panel'))).not.toContainText(zh ? '复盘失败' : 'The review failed');
});

for (const [game, name] of [
  ['gomoku', { en: 'Black', zh: '黑方' }],
  ['hex', { en: 'Red', zh: '红方' }],
] as const) {
  test(`the graph of ${game} says whose chances it shows`, async ({ page, variant }) => {
    await opened(page, `?game=${game}&size=11x11`);
    await expect(page.locator(id('graph-caption'))).toContainText(name[variant.language]);
    await expect(page.locator(id('graph'))).toHaveAttribute('aria-label', new RegExp(name[variant.language]));
    await sound(page);
  });
}
