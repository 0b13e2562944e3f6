// Renju's opening protocols on one screen: zones, a swap, a declared number, offered fifth moves and the choice.
import { cell, expect, id, open, shot, showsStones, sound, test, until } from './fixtures';

const choice = id('swap-choice');

test('Soosorv-8 from the centre to the sixth move', async ({ page, faults }) => {
  faults.ignoreConsole = true;
  await open(page, '/analysis?game=gomoku&rule=renju&opening=soosorv-8');
  await page.locator(choice).waitFor();
  // Off the centre is refused, and the board stays as it is.
  await page.click(cell(0, 0));
  await page.locator('.notice').first().waitFor();
  await showsStones(page, 0);
  const stones: [number, number][] = [
    [7, 7],
    [6, 7],
    [6, 9],
  ];
  for (const [i, [row, col]] of stones.entries()) {
    await page.click(cell(row, col));
    await showsStones(page, i + 1);
  }
  await page.locator(`${choice} button.primary`).click();
  await page.locator(choice).waitFor({ state: 'detached' });
  await page.click(cell(8, 8));
  await until('a number is asked for', async () => (await page.locator(`${choice} button`).count()) === 8);
  await shot(page, 'opening-declare');
  await page.locator(`${choice} button`, { hasText: /^2$/ }).click();
  await until('a swap is offered', async () => (await page.locator(`${choice} button`).count()) === 1);
  await page.click(cell(3, 3));
  await until('one offer is shown', async () => (await page.locator('.stone.ghost').count()) === 1);
  await page.click(cell(4, 4));
  await until('two offers are shown', async () => (await page.locator('.stone.ghost').count()) === 2);
  await shot(page, 'opening-offers');
  await sound(page);
  await showsStones(page, 4);
  await page.click(cell(4, 4));
  await showsStones(page, 5);
  await page.click(cell(10, 10));
  await showsStones(page, 6);
  expect(await page.locator(choice).count(), 'the opening is over').toBe(0);
});
