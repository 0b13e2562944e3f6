// Keyboard and screen reader: arrows step through moves, moves are announced, focus follows the page, letters can be off.
import { cell, expect, id, open, showsStones, sound, test } from './fixtures';

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
