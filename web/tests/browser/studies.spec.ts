// Studies: the address holds the id, nothing is lost without undo, chapters, drawings, links that need no server.
import type { Page } from '@playwright/test';
import { cell, expect, id, open, shot, showsStones, sound, test, until } from './fixtures';

const GAME = '?game=gomoku&size=15x15&moves=h8_i9_h9_h10_g8_i8_i10_f7';

async function opened(page: Page, query: string, stones: number) {
  await open(page, `/analysis${query}`);
  await page.locator(cell(0, 0)).waitFor();
  await showsStones(page, stones);
}
const address = (page: Page) => page.evaluate(() => location.pathname + location.search + location.hash);
const hasId = (page: Page) => until('the id is in the address', async () => /^\/analysis\?study=[\w-]+$/.test(await address(page)));
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test('the id of a study stays in the address; reload, back and forward lead to it', async ({ page }) => {
  await opened(page, GAME, 8);
  await hasId(page);
  const first = await address(page);
  await page.fill(id('study-name'), 'My opening');
  await page.click(id('fresh-hex'));
  await showsStones(page, 0);
  await page.click(cell(3, 3));
  await showsStones(page, 1);
  await hasId(page);
  expect(await address(page)).not.toBe(first);
  await page.goBack();
  await showsStones(page, 8);
  expect(await address(page)).toBe(first);
  await expect(page.locator(id('study-name'))).toHaveValue('My opening');
  await page.goForward();
  await showsStones(page, 1);
  await page.reload();
  await showsStones(page, 1);
});

test('my studies have names and previews; a removed one can be put back', async ({ page }) => {
  await opened(page, GAME, 8);
  await page.fill(id('study-name'), 'Ladder 梯子');
  await page.click(id('fresh-hex'));
  await showsStones(page, 0);
  await page.click(cell(3, 3));
  await showsStones(page, 1);
  await page.click(id('my-studies'));
  const list = page.locator(`${id('studies')} li`);
  await expect(list).toHaveCount(2);
  await expect(list.locator('img')).toHaveCount(2);
  await shot(page, 'my-studies');
  await sound(page);
  const named = list.filter({ hasText: 'Ladder 梯子' });
  await named.locator('button').click();
  await expect(list).toHaveCount(1);
  await page.click(id('notice-action'));
  await expect(list).toHaveCount(2);
  await named.locator('button').click();
  await page.reload();
  await page.locator('summary').click();
  await page.locator(`${id('removed')} button`).click();
  await named.locator('a').click();
  await showsStones(page, 8);
});

test('deleting moves, chapters and drawings can be undone, also after more was played', async ({ page }) => {
  await opened(page, GAME, 8);
  for (let i = 0; i < 5; i++) await page.locator('.steps button').nth(1).click();
  await showsStones(page, 3);
  await page.keyboard.press('Delete');
  await showsStones(page, 2);
  await page.click(cell(0, 0));
  await showsStones(page, 3);
  await page.locator('.move.start').focus();
  await page.keyboard.press('Control+z');
  await showsStones(page, 3);
  await expect(page.locator('.move', { hasText: /f7/i })).toHaveCount(1);
  await expect(page.locator('.move', { hasText: /a15/i })).toHaveCount(1);
  await page.click(id('draw-circle'));
  await page.click(cell(1, 1));
  await page.click(id('draw-wipe'));
  await expect(page.locator('[data-drawing]')).toHaveCount(0);
  await page.locator(id('notice-action')).last().click();
  await expect(page.locator('[data-drawing]')).toHaveCount(1);
});

test('chapters hold boards of their own, and what the editor makes is a new one', async ({ page }) => {
  await opened(page, GAME, 8);
  await page.click(id('chapter-add'));
  await showsStones(page, 0);
  await page.fill(id('chapter-name'), 'Second');
  await page.click(cell(7, 7));
  await showsStones(page, 1);
  await page.click(id('edit'));
  await page.click(cell(0, 0));
  await page.click(id('editor-done'));
  await showsStones(page, 2);
  const chapters = page.locator(`${id('chapters')} .chapter`);
  await expect(chapters).toHaveCount(3);
  await shot(page, 'chapters');
  await sound(page);
  await page.waitForTimeout(1300);
  await page.reload();
  await showsStones(page, 2);
  await chapters.nth(0).click();
  await showsStones(page, 8);
  await page.click(id('chapter-remove'));
  await expect(chapters).toHaveCount(2);
  await page.click(id('notice-action'));
  await expect(chapters).toHaveCount(3);
  await showsStones(page, 8);
});

test('signs, letters and arrows are drawn by hand and kept', async ({ page, variant }) => {
  await opened(page, GAME, 8);
  const kinds = async () => page.locator('[data-drawing]').evaluateAll((all) => all.map((g) => g.getAttribute('data-drawing')));
  const signs = ['circle', 'square', 'triangle', 'cross', 'label'];
  for (const [i, kind] of signs.entries()) {
    await page.click(id(`draw-${kind}`));
    await page.click(cell(2, 3 + 2 * i));
  }
  await page.click(id('draw-arrow'));
  await page.click(cell(12, 2));
  await page.click(cell(10, 5));
  await page.click(id('draw-arrow'));
  let drawn = [...signs, 'arrow'];
  expect(await kinds()).toEqual(drawn);
  if (variant.width > 500) {
    await page.locator(cell(4, 4)).hover();
    await page.mouse.down({ button: 'right' });
    await page.locator(cell(6, 3)).hover();
    await page.mouse.up({ button: 'right' });
    await page.locator(cell(5, 12)).click({ button: 'right' });
    drawn = [...drawn, 'arrow', 'circle'];
    expect(await kinds()).toEqual(drawn);
  }
  await showsStones(page, 8);
  await shot(page, 'drawings');
  await sound(page);
  await page.waitForTimeout(1300);
  await page.reload();
  await showsStones(page, 8);
  expect(await kinds()).toEqual(drawn);
});

test('a small study fits into a link that needs no server to keep it', async ({ page, browser }) => {
  await opened(page, GAME, 8);
  await page.fill(id('note'), 'the key move 要点');
  await page.click(id('draw-circle'));
  await page.click(cell(0, 0));
  await page.click(id('share-whole'));
  await page.locator('.notice', { hasText: '#s=' }).waitFor();
  const link = await copied(page);
  const context = await browser.newContext();
  const visitor = await context.newPage();
  const asked: string[] = [];
  visitor.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
  await visitor.goto(link);
  await showsStones(visitor, 8);
  expect(await visitor.inputValue(id('note'))).toBe('the key move 要点');
  await expect(visitor.locator('[data-drawing="circle"]')).toHaveCount(1);
  expect(asked.filter((request) => /GET .*\/studies\//.test(request))).toEqual([]);
  await hasId(visitor);
  await context.close();
});

test('a study of an earlier version opens as it was', async ({ page }) => {
  await page.addInitScript(() => {
    const branches = [{ move: 'h8', comment: 'first', children: [{ move: 'i9', comment: '', children: [] }] }];
    const kept = { setup: { game: 'gomoku', rows: 15, cols: 15, rule: '', opening: '' }, branches, at: ['h8'], evals: [] };
    localStorage.setItem('tengen.studies.old', JSON.stringify(kept));
    localStorage.setItem('tengen.studies', JSON.stringify([{ id: 'old', game: 'gomoku', moves: 2, changed: 1, revision: 1 }]));
  });
  await open(page, '/studies');
  await expect(page.locator(`${id('studies')} img`)).toHaveCount(1);
  await page.locator(`${id('studies')} a`).click();
  await showsStones(page, 1);
  expect(await page.inputValue(id('note'))).toBe('first');
});
