// Keyboard and screen reader: arrows step through moves, moves are announced, focus follows the page, letters can be off.
import type { Page } from '@playwright/test';
import { cell, expect, id, open, shot, showsStones, sound, stones, test, until } from './fixtures';

test('after clicks on the board the arrow keys and the wheel step through the moves', async ({ page, variant }) => {
  await open(page, '/analysis?game=gomoku&size=15x15');
  for (const [i, [row, col]] of [
    [7, 7],
    [7, 8],
    [8, 7],
  ].entries()) {
    await page.click(cell(row!, col!));
    await showsStones(page, i + 1);
  }
  await page.keyboard.press('ArrowLeft');
  await showsStones(page, 2);
  await page.keyboard.press('ArrowRight');
  await showsStones(page, 3);
  if (variant.width > 900) {
    await page.locator(cell(3, 3)).hover();
    await page.mouse.wheel(0, -100);
    await showsStones(page, 2);
    await page.mouse.wheel(0, 100);
    await showsStones(page, 3);
  }
  // With the focus brought by the keyboard, the arrows move the board's cursor.
  await page.locator(cell(5, 5)).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator(cell(5, 6))).toBeFocused();
  await showsStones(page, 3);
});

test('moves are announced with points in capitals, and focus goes to the heading of a new page', async ({ page, variant }) => {
  await open(page, '/analysis?game=gomoku&size=15x15');
  await page.click(cell(7, 7));
  await expect(page.locator(id('spoken'))).toContainText('H8');
  await expect(page.locator(id('spoken'))).toContainText(variant.language === 'zh' ? '白' : 'White to move');
  await expect(page.locator('.tree .move.at')).toContainText('H8');
  await page.locator('nav a[href="/puzzles"]').click();
  await expect(page.locator('main h1')).toBeFocused();
  await sound(page);
});

test('single letters can be switched off, and none leaves the page', async ({ page }) => {
  await open(page, '/settings');
  await page.keyboard.press('h');
  await page.keyboard.press('s');
  await expect(page).toHaveURL(/\/settings$/);
  await page.locator('.check input').last().uncheck();
  await page.locator('h1').click();
  await page.keyboard.press('Shift+H');
  await page.keyboard.press('d');
  await expect(page).toHaveURL(/\/settings$/);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'system');
  await page.locator('.check input').last().check();
  await page.locator('h1').click();
  await page.keyboard.press('Shift+H');
  await expect(page).toHaveURL(/\/$/);
});

/** Goes with Tab to what a selector names, as somebody without a mouse does. */
async function tabTo(page: Page, selector: string) {
  await page.locator(selector).first().waitFor();
  const there = () => page.evaluate((wanted) => !!document.activeElement?.matches(wanted), selector);
  for (let i = 0; i < 200 && !(await there()); i++) await page.keyboard.press('Tab');
  expect(await there(), `Tab leads to ${selector}`).toBe(true);
}

/** Goes over the board with the arrow keys and plays. */
async function playAt(page: Page, row: number, col: number) {
  const at = await page.evaluate(() => (document.activeElement as SVGElement | null)?.dataset['cell']);
  if (!at) await tabTo(page, '[data-cell][tabindex="0"]');
  const here = await page.evaluate(() => (document.activeElement as SVGElement).dataset['cell']!);
  const [r, c] = here.split(',').map(Number) as [number, number];
  for (let i = r; i !== row; i += Math.sign(row - r)) await page.keyboard.press(row > r ? 'ArrowDown' : 'ArrowUp');
  for (let i = c; i !== col; i += Math.sign(col - c)) await page.keyboard.press(col > c ? 'ArrowRight' : 'ArrowLeft');
  await expect(page.locator(cell(row, col))).toBeFocused();
  await page.keyboard.press('Enter');
}

test('a whole game with the keyboard alone', async ({ page, variant }) => {
  await open(page, '/');
  await page.keyboard.press('Shift+N');
  await tabTo(page, id('mode-screen'));
  await page.keyboard.press('Enter');
  await tabTo(page, id('start'));
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname.startsWith('/game/'));
  const moves = [
    [7, 7],
    [6, 7],
    [7, 8],
    [6, 8],
    [7, 9],
    [6, 9],
    [7, 10],
    [6, 10],
    [7, 11],
  ] as const;
  for (const [i, [row, col]] of moves.entries()) {
    await playAt(page, row, col);
    await showsStones(page, i + 1);
  }
  await expect(page.locator(id('result'))).toContainText(variant.language === 'zh' ? '黑方' : 'Black wins: five in a row');
  await shot(page, 'keyboard-game');
  await tabTo(page, id('analyse'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/analysis/);
  await showsStones(page, 9);
});

test('a puzzle with the keyboard alone', async ({ page }) => {
  await open(page, '/');
  await page.keyboard.press('Shift+P');
  await tabTo(page, id('puzzle'));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/puzzles\/\w+\/\w+/);
  const verdict = () => page.locator(id('verdict')).getAttribute('data-verdict');
  const star = page.locator('[data-cell][aria-label*="★"]');
  for (let turn = 0; turn < 40 && (await verdict()) !== 'solved'; turn++) {
    // The first hint shows the area, the second the move.
    await until('a hint can be had', async () => (await page.locator(`${id('puzzle-hint')}:enabled`).count()) === 1);
    await page.keyboard.press('i');
    await until('the first hint', async () => (await page.locator('.mark, .board [style*="fill-opacity"]').count()) > 0);
    await page.keyboard.press('i');
    await star.waitFor();
    const [row, col] = ((await star.getAttribute('data-cell')) ?? '').split(',').map(Number) as [number, number];
    await playAt(page, row, col);
    await until(
      'an answer',
      async () => (await verdict()) === 'solved' || (await page.locator(`${id('puzzle-hint')}:enabled`).count()) === 1,
    );
  }
  expect(await verdict(), 'the hints lead to the win').toBe('solved');
  await shot(page, 'keyboard-puzzle');
  await tabTo(page, id('puzzle-following'));
  await page.keyboard.press('Enter');
  await until('the next puzzle', async () => (await verdict()) !== 'solved');
});

test('an analysis with the keyboard alone', async ({ page }) => {
  await open(page, '/');
  await page.keyboard.press('Shift+A');
  await page.waitForURL(/\/analysis/);
  for (const [i, [row, col]] of (
    [
      [7, 7],
      [6, 8],
      [7, 8],
      [6, 7],
    ] as const
  ).entries()) {
    await playAt(page, row, col);
    await showsStones(page, i + 1);
  }
  await page.keyboard.press('s');
  await until('candidates', async () => (await page.locator('.mark text').count()) > 0);
  await page.keyboard.press('s');
  await page.keyboard.press('b');
  await showsStones(page, 5);
  // On the board the arrows move the cursor; comma and point step through the moves.
  await page.keyboard.press(',');
  await page.keyboard.press(',');
  await showsStones(page, 3);
  await page.keyboard.press('.');
  await showsStones(page, 4);
  await page.keyboard.press('Delete');
  await showsStones(page, 3);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('>');
  await showsStones(page, 5);
  await tabTo(page, id('review'));
  await page.keyboard.press('Enter');
  await until(
    'every position is evaluated',
    async () => /\b6\b/.test((await page.locator(id('graph')).getAttribute('aria-label')) ?? ''),
    60_000,
  );
  await shot(page, 'keyboard-analysis');
  expect(await stones(page)).toBe(5);
});
