// Boards and the home page: orientations, what is marked, what settings change, games remembered and running.
import { expect, open, shot, sound, stones, test, until } from './fixtures';

test('hex boards in three orientations', async ({ page }) => {
  for (const orientation of ['flat', 'pointy', 'diamond']) {
    await open(page, '/settings');
    await page.selectOption('[data-testid="orientation"]', orientation);
    await open(page, '/analysis?game=hex&size=11x11&moves=a1_k1_a11_k11_f6');
    await page.locator('[data-game="hex"] [data-cell="5,5"]').waitFor();
    await page.waitForTimeout(400);
    await shot(page, orientation);
    await sound(page);
  }
});

test('forbidden points, the five, the last move and the winning path are drawn', async ({ page, variant }) => {
  // Black has two threes that would cross: the crossing is forbidden in Renju.
  await open(page, '/analysis?game=gomoku&size=15x15&rule=renju&moves=h9_a1_h10_c1_i8_e1_j8_g1');
  await page.locator('path.forbidden').first().waitFor();
  const crossing = await page.locator('[data-cell="7,7"]').getAttribute('aria-label');
  expect(crossing, 'the crossing is named').toMatch(/forbidden|禁手/);
  expect(await page.locator('.grid circle').count(), 'five star points').toBe(5);
  const why = variant.language === 'zh' ? '黑方禁手：H8（三三禁手）' : 'H8 is forbidden to Black: double three';
  await expect(page.locator('[data-cell="7,7"] title')).toContainText(why);
  const before = await stones(page);
  await (variant.width < 500 ? page.tap('[data-cell="7,7"]') : page.click('[data-cell="7,7"]'));
  await expect(page.locator('.notice')).toContainText(why);
  expect(await stones(page), 'nothing is played').toBe(before);
  await shot(page, 'renju');
  await open(page, '/analysis?game=gomoku&size=15x15&moves=h8_a1_h9_c1_h10_e1_h11_g1_h12');
  await page.locator('circle.win').nth(4).waitFor();
  expect(await page.locator('circle.last').count(), 'the last move has a dot').toBe(1);
  await shot(page, 'five');
  await open(page, '/analysis?game=hex&size=3x3&moves=b2_a1_b1_c2_b3');
  // It runs straight down, without any width: in Playwright's eyes that is hidden.
  await page.locator('polyline.win').waitFor({ state: 'attached' });
  await shot(page, 'path');
  await sound(page);
});

test(
  'black and white stones, and the two goals of Hex, differ in colour',
  { tag: ['@wide-en-light', '@phone-zh-light'] },
  async ({ page }) => {
    await open(page, '/settings');
    for (const game of ['gomoku', 'hex']) {
      const colours = await page
        .locator(`[data-game="${game}"] stop[class*="-b"]:not(.wood-b)`)
        .evaluateAll((stops) => stops.map((stop) => getComputedStyle(stop).stopColor));
      expect(new Set(colours).size, `${game}: ${colours.join(' ')}`).toBe(2);
    }
    const edges = await page.locator('[data-game="hex"] .edge').evaluateAll((lines) => lines.map((line) => getComputedStyle(line).stroke));
    expect(new Set(edges).size, edges.join(' ')).toBe(2);
  },
);

test('settings change the board at once', async ({ page, variant }) => {
  await open(page, '/settings');
  const box = page.locator('.samples [data-game="hex"]');
  const before = await box.evaluate((e) => parseFloat(getComputedStyle(e).maxWidth));
  await page.locator('input[type="range"]').fill('30');
  await until('smaller cells', async () => (await box.evaluate((e) => parseFloat(getComputedStyle(e).maxWidth))) < before);
  await page.locator('input[type="color"]').nth(2).fill('#00aa00');
  const stone = page.locator('.samples [data-game="hex"] svg');
  await until(
    'the colour',
    async () => (await stone.evaluate((e) => getComputedStyle(e).getPropertyValue('--black').trim())) === '#00aa00',
  );
  const sound = page.getByLabel(variant.language === 'zh' ? '声音' : 'Sound');
  expect(!(await sound.isChecked()), 'sound is off until asked for').toBe(true);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const motion = await page
    .locator('.samples .stone')
    .first()
    .evaluate((e) => parseFloat(getComputedStyle(e).animationDuration));
  expect(motion < 0.001, `reduced motion is respected: ${motion} s`).toBe(true);
});

test('home remembers games and says what is running', async ({ page }) => {
  await open(page, '/new');
  await page.click('[data-testid="mode-watch"]');
  await page.locator('select', { has: page.locator('option[value="public"]') }).selectOption('public');
  await page.click('[data-testid="start"]');
  await page.waitForURL((url) => url.pathname !== '/new');
  await page.locator('[data-cell="0,0"]').waitFor();
  const address = new URL(page.url()).pathname;
  await open(page, '/');
  await page.locator(`a.tile[href="${address}"] img`).first().waitFor();
  await until('a game is running', async () => Number(await page.locator('dl.running dd').first().textContent()) > 0);
  // To go on with, among one's own, and among the public ones that others see too.
  await until('it is shown three times', async () => (await page.locator(`a.tile[href="${address}"]`).count()) === 3);
  await shot(page, 'home-with-games');
  await sound(page);
});

test('orientation and size are chosen beside the board', async ({ page, variant }) => {
  await open(page, '/analysis?game=hex&size=11x11');
  await page.locator('[data-cell="5,5"]').waitFor();
  const shape = () => page.locator('[data-board] svg').getAttribute('viewBox');
  await page.selectOption('[data-testid="board-orientation"]', 'flat');
  const flat = await shape();
  await page.selectOption('[data-testid="board-orientation"]', 'diamond');
  await until('another shape', async () => (await shape()) !== flat);
  if (variant.width > 900) {
    const width = () => page.locator('[data-board]').evaluate((board) => board.clientWidth);
    const before = await width();
    await page.fill('[data-testid="board-size"]', '20');
    await until('a smaller board', async () => (await width()) < before);
  }
  await shot(page, 'board-look');
  await sound(page);
});
