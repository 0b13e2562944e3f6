// After and around a game: the result, its review, the phone's strip, the start page, what is explained, moves on their way.
import { cell, expect, id, open, shot, showsStones, sound, stones, test, until } from './fixtures';

test('a lost game is reviewed from mistake to mistake', async ({ page, variant }) => {
  const zh = variant.language === 'zh';
  await open(page, '/new');
  await page.click(id('mode-screen'));
  await page.click(id('start'));
  // White leaves an open three alone.
  const moves = [
    [7, 7],
    [0, 0],
    [7, 8],
    [0, 2],
    [7, 9],
    [0, 4],
    [7, 10],
    [0, 6],
    [7, 11],
  ] as const;
  for (const [i, [row, col]] of moves.entries()) {
    await page.click(cell(row, col));
    await showsStones(page, i + 1);
  }
  await expect(page.locator(id('result'))).toContainText(zh ? '黑方' : 'Black wins: five in a row');
  await expect(page.locator(id('terms'))).toContainText('15×15');
  await shot(page, 'result');
  await sound(page);
  await page.click(id('review-mistakes'));
  await expect(page.locator(id('walk-text'))).toBeVisible({ timeout: 60_000 });
  // The first move into the corner may be a mistake before it: how bad it is, a slow machine cannot tell.
  const losing = page.locator(id('walk-text')).filter({ hasText: zh ? '败着' : 'the losing move' });
  while (!(await losing.isVisible()) && (await page.locator(id('walk-next')).isEnabled())) {
    await page.click(id('walk-next'));
  }
  await expect(losing).toBeVisible();
  await expect(page.locator(id('walk-text'))).toContainText(zh ? '白方的胜率' : 'White’s chance');
  await until('the better move is on the board', async () => (await page.locator('.mark text', { hasText: '★' }).count()) === 1);
  await shot(page, 'walk');
  await sound(page);
  expect(await stones(page), 'the position before the mistake').toBeLessThan(moves.length);
});

test('a walk through mistakes that could not be searched does not call the game clean', async ({ page, variant }) => {
  await page.addInitScript(() => localStorage.setItem('tengen.settings', '{"think":"server"}'));
  let refuses = true;
  await page.routeWebSocket(/\/api\/v1\/analysis$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const { type, id } = JSON.parse(String(text)) as { type: string; id: string };
      if (type !== 'review' || !refuses) return server.send(text);
      refuses = false;
      socket.send(JSON.stringify({ type: 'failed', id, status: 429, code: 'pool.full', detail: 'busy', params: {} }));
    });
  });
  await open(page, '/new');
  await page.click(id('mode-screen'));
  await page.click(id('start'));
  await page.waitForURL((url) => url.pathname !== '/new');
  await page.click(cell(7, 7));
  await showsStones(page, 1);
  await page.click(id('resign'));
  await page.click(id('resign-sure'));
  await page.click(id('review-mistakes'));
  await expect(page.locator(id('walk-incomplete'))).toContainText(variant.language === 'zh' ? '复盘失败' : 'The review failed');
  await expect(page.locator(id('walk-clean'))).toHaveCount(0);
  await shot(page, 'walk-failed');
  await sound(page);
  await page.click(id('walk-again'));
  await expect(page.locator(id('walk-clean'))).toBeVisible({ timeout: 30_000 });
});

test('the swap and the result are in sight on a phone', { tag: ['@phone-en-dark', '@phone-zh-light'] }, async ({ page, variant }) => {
  await open(page, '/new?game=hex');
  await page.click(id('mode-screen'));
  await page.locator('select', { hasText: '14×14' }).selectOption('14');
  // The swap rule is proposed.
  await page.click(id('start'));
  await page.click(cell(2, 4));
  await showsStones(page, 1);
  const inSight = async (name: string) => {
    const box = (await page.locator(id(name)).boundingBox())!;
    expect(box.y + box.height, `${name} ends above the fold`).toBeLessThanOrEqual(variant.height);
  };
  await inSight('swap-choice');
  await page.screenshot({ path: `test-results/shots/strip-${variant.name}.png` });
  await page.click(id('resign'));
  await page.click(id('resign-sure'));
  await page.evaluate(() => scrollTo(0, 0));
  await inSight('result');
});

test('the start page continues the last game and shows public games live', async ({ page, variant, server }) => {
  const made = await server.post<{ id: string }>('/games', {
    setup: { game: 'hex', rows: 5, cols: 5, rule: '', opening: '' },
    players: { first: { kind: 'engine', level: 'easy' }, second: { kind: 'engine', level: 'easy' } },
    visibility: 'public',
    pace_ms: 2000,
  });
  await open(page, '/');
  await expect(page.locator(id('live-games')).locator(`a[href="/game/${made.id}"] img`)).toBeVisible();
  await page.click(id('play-gomoku'));
  await page.click(cell(7, 7));
  await showsStones(page, 2);
  const game = new URL(page.url()).pathname;
  await open(page, '/');
  await expect(page.locator(id('continue'))).toBeVisible();
  await shot(page, 'home');
  await sound(page);
  await page.locator(id('continue')).locator('a').click();
  await expect(page).toHaveURL(new RegExp(`${game}$`));
  await open(page, '/');
  await page.getByText(variant.language === 'zh' ? '每日一题' : 'Puzzle of the day').click();
  await expect(page).toHaveURL(/\/puzzles\/\w+\//);
});

test('Hex is proposed with the swap rule, from the start page too', async ({ page, variant }) => {
  await open(page, '/');
  await page.click(id('play-hex'));
  await expect(page.locator(id('terms'))).toContainText(variant.language === 'zh' ? '交换棋子' : 'Swap pieces');
  await open(page, '/new');
  await page.getByRole('button', { name: variant.language === 'zh' ? '六贯棋' : 'Hex', exact: true }).click();
  await expect(page.locator('select:has(option[value="swap-sides"])')).toHaveValue('swap-pieces');
});

test('rules and openings are explained where they are chosen', async ({ page, variant }) => {
  await open(page, '/new');
  await page.locator('select:has(option[value="renju"])').selectOption('renju');
  await expect(page.locator(id('about-rules'))).toContainText(variant.language === 'zh' ? '三三' : 'double three');
  await page.locator('select:has(option[value="swap2"])').selectOption('swap2');
  await expect(page.locator(id('about-rules'))).toContainText(variant.language === 'zh' ? '再摆两颗子' : 'two more');
  await shot(page, 'new-explained');
  await sound(page);
  await open(page, '/analysis?game=hex&size=11x11');
  await page.click(id('layer-must-play'));
  await expect(page.locator(id('legend'))).toContainText(variant.language === 'zh' ? '没有需要阻止的威胁' : 'No threat to stop');
});

test(
  'a move made offline is shown at once and sent when the connection is back',
  { tag: ['@wide-en-light', '@phone-zh-light'] },
  async ({ page, context, faults }) => {
    await open(page, '/new');
    await page.click(id('mode-screen'));
    await page.click(id('start'));
    // The form shows a board too: the game's own is wanted, with all its scripts.
    await page.waitForURL((url) => url.pathname !== '/new');
    await page.locator(cell(7, 7)).waitFor();
    faults.ignoreConsole = true;
    await context.setOffline(true);
    await page.click(cell(7, 7));
    await expect(page.locator('.ghost')).toHaveCount(1);
    expect(await stones(page), 'not played yet').toBe(0);
    await context.setOffline(false);
    await showsStones(page, 1);
    await expect(page.locator('.ghost')).toHaveCount(0);
  },
);

test('moves that were taken back look taken back', { tag: ['@wide-zh-dark', '@phone-en-dark'] }, async ({ page }) => {
  await open(page, '/');
  await page.click(id('play-gomoku'));
  await page.click(cell(7, 7));
  await showsStones(page, 2);
  await page.click(id('undo'));
  await showsStones(page, 0);
  await expect(page.locator('.taken-back')).toHaveCount(2);
});

test('what engines, layers and proofs can be asked has names in the reader’s language', async ({ page, server, variant }) => {
  interface Named {
    name: string;
    about: string;
  }
  const { games } = await server.get<{ games: { name: string; engines: (Named & { options: Named[] })[] }[] }>('/catalog');
  const chinese = /[一-鿿]/;
  for (const { name, engines } of games) {
    await open(page, `/new?game=${name}`);
    const picker = page.locator('fieldset');
    await picker.locator('summary').click();
    for (const engine of engines) {
      await picker.locator('select').selectOption(engine.name);
      const fields = picker.locator('.field:has(input[type="text"])');
      await expect(fields).toHaveCount(engine.options.length);
      for (const [i, option] of engine.options.entries()) {
        const label = (await fields.nth(i).locator('span').textContent()) ?? '';
        const about = (await fields.nth(i).locator('input').getAttribute('title')) ?? '';
        expect(label, 'a name instead of the key').not.toBe(option.name);
        for (const text of [label, about]) expect(chinese.test(text), text).toBe(variant.language === 'zh');
      }
      const about = (await picker.locator('details p').textContent()) ?? '';
      expect(chinese.test(about), about).toBe(variant.language === 'zh');
    }
    await shot(page, `options-${name}`);
    await sound(page);
    await open(page, `/analysis?game=${name}`);
    const buttons = page.locator('[data-testid^="layer-"], [data-testid^="solve-"]:is(button)');
    await buttons.first().waitFor();
    for (const button of await buttons.all()) {
      const title = (await button.getAttribute('title')) ?? '';
      expect(chinese.test(title), title).toBe(variant.language === 'zh');
    }
  }
});
