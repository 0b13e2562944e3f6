// Analysis: live overlay, lines, graph, review, layers, editor, studies; nothing moves while a search reports.
import { assert, board, cell, guises, id, until } from './tester.mjs';

const stones = async (page) => [...((await board(page)) ?? '')].filter((c) => c === 'X' || c === 'O').length;

async function opened(t, page, query) {
  await t.open(page, `/analysis${query}`);
  await page.locator(cell(0, 0)).waitFor();
}
const GAME = '?game=gomoku&size=15x15&moves=h8_i9_h9_h10_g8_i8_i10_f7';

export default async function check(t) {
  await t.everywhere('a live search', async (page, guise) => {
    await opened(t, page, GAME);
    await until(page, 'the moves', async () => (await stones(page)) === 8);
    await page.evaluate(() => {
      if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) throw new Error('this browser does not tell of shifts');
      globalThis.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: false });
    });
    await page.click(id('search'));
    await until(page, 'candidates on the board', async () => (await page.locator('.mark text').count()) > 0);
    await page.waitForTimeout(1500);
    const shift = await page.evaluate(() => globalThis.shift);
    assert(shift === 0, `layout shifted by ${shift}`);
    await t.shot(page, 'live', guise);
    await page.click(id('search'));
    const kept = await page.locator(`${id('lines')} button`).count();
    assert(kept > 0, 'stopping keeps the lines');
    await t.sound(page);
    await page.click(id('overlay'));
    assert((await page.locator('.mark text').count()) === 0, 'the overlay hides');
    assert(await page.locator(`${id('graph')} canvas`).isVisible(), 'the graph stays');
    assert((await page.locator(`${id('lines')} button`).count()) === kept, 'the lines stay');
    await page.click(id('overlay'));
    if (guise.width > 500) {
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
    await until(page, 'the line’s move is played', async () => (await stones(page)) === 9);
  });

  await t.test('review marks mistakes and the graph leads to them', guises[0], async (page) => {
    await opened(t, page, GAME);
    await until(page, 'the moves', async () => (await stones(page)) === 8);
    await page.getByLabel('Time a position').selectOption('0.1 s a move');
    await page.click(id('review'));
    await page.locator(id('review-stop')).waitFor();
    await page.locator(id('review')).waitFor({ timeout: 60_000 });
    await t.shot(page, 'review', guises[0]);
    const graph = page.locator(`${id('graph')} .u-over`);
    const { width, height } = await graph.boundingBox();
    await graph.click({ position: { x: width / 2, y: height / 2 } });
    await until(page, 'the graph leads to move 4', async () => (await stones(page)) === 4);
  });

  for (const [game, query] of [
    ['gomoku', GAME],
    ['hex', '?game=hex&size=11x11&moves=f6_e8_d5'],
  ]) {
    await t.test(`layers of ${game}`, guises[0], async (page) => {
      await opened(t, page, query);
      const layers = page.locator('[data-testid^="layer-"]');
      await layers.first().waitFor();
      for (let i = 0; i < (await layers.count()); i++) {
        const answer = page.waitForResponse((r) => r.url().endsWith('/layer'));
        await layers.nth(i).click();
        assert((await answer).ok(), 'the layer is answered');
        await page.waitForTimeout(150);
        await t.shot(page, `layer-${game}-${i}`, guises[0]);
      }
    });
  }

  await t.everywhere('a proof', async (page, guise) => {
    await opened(t, page, '?game=gomoku&size=15x15&moves=h8_a1_h9_o1_h10_a15');
    const result = () => page.locator(id('solve-answer')).getAttribute('data-result');
    await page.click(id('solve-vcf'));
    await until(page, 'a win by fours', async () => (await result()) === 'win');
    await t.shot(page, 'proof-gomoku', guise);
    await page.locator(`${id('solve-answer')} .line`).click();
    await until(page, 'the line is played to the five', async () => (await stones(page)) >= 9);
    await opened(t, page, '?game=hex&size=4x4');
    await page.click(id('solve-winning-moves'));
    await until(page, 'the first player wins', async () => (await result()) === 'win');
    assert((await page.locator('.mark text', { hasText: '✓' }).count()) > 1, 'winning moves are marked');
    await t.shot(page, 'proof-hex', guise);
    await t.sound(page);
  });

  await t.test('a proof can be stopped', guises[0], async (page) => {
    await opened(t, page, '?game=hex&size=11x11');
    await page.click(id('solve-winner'));
    await page.click(id('solve-stop'));
    await page.locator(`${id('solve-winner')}:enabled`).waitFor();
    const idle = async () => (await (await page.request.get(`${t.base}/api/v1/games`)).json()).running.searches === 0;
    await until(page, 'the server has stopped too', idle, 5000);
  });

  await t.everywhere('the position editor', async (page, guise) => {
    await opened(t, page, '?game=gomoku&size=15x15');
    await page.click(id('edit'));
    await page.locator(id('editor')).waitFor();
    await page.click(cell(7, 7));
    await page
      .locator(`${id('editor')} button`)
      .nth(1)
      .click();
    await page.click(cell(7, 8));
    await page.click(cell(8, 8));
    await t.shot(page, 'editor', guise);
    await t.sound(page);
    await page
      .locator(`${id('editor')} select`)
      .last()
      .selectOption('white');
    await page.click(id('editor-done'));
    await page.locator(id('editor')).waitFor({ state: 'detached' });
    assert((await stones(page)) === 3, 'three stones stay');
    await page.click(cell(0, 0));
    await until(page, 'white moves first', async () => ((await board(page)) ?? '').startsWith('O'));
  });

  await t.test(
    'kill -9 and restart: a search goes on by itself, and nothing of the study is lost',
    guises[0],
    async (page, { forgiven }) => {
      await opened(t, page, GAME);
      await until(page, 'the moves', async () => (await stones(page)) === 8);
      await page.fill(id('note'), 'before the crash');
      await page.getByText('Engine, lines, threads').click();
      await page.click(id('search'));
      const nodes = async () =>
        (await page
          .locator(`${id('stats')} dd`)
          .nth(3)
          .textContent()) ?? '';
      await until(page, 'the search reports', async () => /^\d/.test(await nodes()));
      await page.waitForTimeout(1200);
      forgiven.console = true;
      await t.restart();
      const reports = async () => (await (await page.request.get(`${t.base}/api/v1/games`)).json()).running.searches;
      await until(page, 'the new server searches', async () => (await reports()) === 1, 30_000);
      assert((await stones(page)) === 8 && (await page.inputValue(id('note'))) === 'before the crash', 'the board is as it was');
      await page.click(id('search'));
      await page.reload();
      await until(page, 'the study again', async () => (await stones(page)) === 8);
      assert((await page.inputValue(id('note'))) === 'before the crash', 'the comment too');
    },
  );

  await t.test('a study survives a reload and can be shared', guises[0], async (page, { context }) => {
    await opened(t, page, GAME);
    await until(page, 'the moves', async () => (await stones(page)) === 8);
    await page.fill(id('note'), 'remember this');
    await page.waitForTimeout(1500);
    await page.reload();
    await until(page, 'the moves again', async () => (await stones(page)) === 8);
    assert((await page.inputValue(id('note'))) === 'remember this', 'the comment is there');
    await page.click(id('publish'));
    await page.locator('.notice', { hasText: 'study=' }).waitFor();
    const address = await page.evaluate(() => navigator.clipboard.readText());
    const other = await (await context.browser().newContext()).newPage();
    await other.goto(address);
    await until(other, 'the moves elsewhere', async () => (await stones(other)) === 8);
    await other.context().close();
  });
}
