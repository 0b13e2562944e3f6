// The levels to climb, and refusals in the reader's language.
import { cell, expect, id, open, shot, showsStones, sound, test } from './fixtures';

test('after a few games the level that suits is proposed and played', async ({ page, variant }) => {
  const zh = variant.language === 'zh';
  await open(page, '/');
  await expect(page.locator(id('climb')).first()).toContainText(zh ? '1 级：入门' : '1: beginner');
  await page.evaluate(() =>
    localStorage.setItem('tengen.climb', JSON.stringify({ gomoku: [0, 1].map((id) => ({ id: String(id), level: 3, score: 0 })) })),
  );
  await page.reload();
  await page.locator(id('level-3')).first().click();
  await page.waitForURL(/\/game\//);
  // A third game that is lost against level 3.
  for (const [i, col] of [0, 4, 9, 14].entries()) {
    await page.click(cell(i % 2 ? 14 : 0, col));
    await showsStones(page, 2 * i + 2);
  }
  await page.click(id('resign'));
  await page.click(id('resign-sure'));
  await expect(page.locator(id('next-level')).first()).toContainText(zh ? '更接近你现在的水平' : 'closer to your strength');
  await shot(page, 'level-down');
  await sound(page);
  await page.locator(id('play-next-level')).first().click();
  await expect(page.locator('.who', { hasText: zh ? /[12] 级/ : /Level [12]/ }).first()).toBeVisible();
  await open(page, '/');
  await expect(page.locator(id('climb')).first()).toContainText(zh ? '最近 3 盘赢了 0 盘' : '0 of your last 3 games won');
  await shot(page, 'levels-home');
  await sound(page);
  await open(page, '/new?game=gomoku');
  await expect(page.locator('[data-testid^="level-"][aria-pressed="true"]')).toHaveText(/[12]/);
  await shot(page, 'levels-new');
  await sound(page);
});

test('a refusal names the point and the reason in the reader’s language', async ({ page, variant, server, faults }) => {
  const zh = variant.language === 'zh';
  // Black would make a double three at h8.
  const setup = { game: 'gomoku', rows: 15, cols: 15, rule: 'renju', opening: '' };
  const refused = await server.post<{ code: string; params: object }>('/view', {
    setup,
    moves: ['h9', 'a1', 'h10', 'a3', 'g8', 'a5', 'i8', 'a7', 'h8'],
  });
  expect(refused).toMatchObject({ code: 'move.forbidden', params: { point: 'h8', kind: 'double-three' } });
  faults.ignoreConsole = true;
  await open(page, '/analysis?game=gomoku');
  await page.locator(id('paste')).evaluate((area) => area.closest('details')?.setAttribute('open', ''));
  await page.fill(id('paste'), '(;GM[4]SZ[15];B[h8];W[h8])');
  await page.click(id('load-paste'));
  await expect(page.getByText(zh ? '无法读取：第 1 行' : 'Cannot read this: line 1').first()).toBeVisible();
  await shot(page, 'refused');
});
