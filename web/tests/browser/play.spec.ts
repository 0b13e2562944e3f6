// Playing: one click to a game, the engine's answer, take back, hint, resign, keyboard only, by link, side by side.
import type { Page } from '@playwright/test';
import { board, cell, expect, id, open, shot, showsStones, sound, stones, test, until } from './fixtures';

async function start(page: Page, game: string) {
  await open(page, '/');
  await page.click(id(`play-${game}`));
  await page.locator(cell(0, 0)).waitFor();
}

for (const game of ['gomoku', 'hex']) {
  test(`${game} against the engine`, async ({ page }) => {
    await start(page, game);
    // In Hex a stone in the corner is too weak to be swapped.
    const [first, second] = game === 'hex' ? [cell(0, 0), cell(0, 1)] : [cell(4, 4), cell(5, 5)];
    await page.click(first);
    await showsStones(page, 2);
    await shot(page, game);
    await sound(page);
    await page.click(id('undo'));
    await showsStones(page, 0);
    await page.click(second);
    await showsStones(page, 2);
    await page.click(id('hint'));
    await until('a hint is shown', async () => (await page.locator('.mark text', { hasText: '★' }).count()) === 1);
    await page.click(id('resign'));
    await page.click(id('resign-sure'));
    await page.locator(id('again')).waitFor();
    await shot(page, `${game}-over`);
  });
}

test('by keyboard alone', { tag: '@wide-en-light' }, async ({ page }) => {
  await open(page, '/');
  await page.locator(id('play-gomoku')).focus();
  await page.keyboard.press('Enter');
  await page.locator(cell(7, 7)).waitFor();
  await page.locator(cell(7, 7)).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await showsStones(page, 2);
  const name = await page.locator(cell(6, 8)).getAttribute('aria-label');
  expect(name, `name of the point: ${name}`).toBe('I9, Black, move 1');
  await page.locator(id('status')).click();
  await page.keyboard.press('u');
  await showsStones(page, 0);
});

test('an occupied point is refused in the person’s language', { tag: '@phone-zh-light' }, async ({ page, faults }) => {
  faults.ignoreConsole = true;
  await open(page, '/analysis');
  await page.click(cell(7, 7));
  await showsStones(page, 1);
  await page.click(cell(7, 7));
  await page.locator('.notice', { hasText: '那里已有棋子' }).waitFor();
});

test('two people by a link, with a spectator and remarks', async ({ page, variant, browser }) => {
  await open(page, '/new');
  await page.click(id('mode-link'));
  await page.click(id('start'));
  await page.click(id('invite'));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await browser.newContext({ viewport: { width: variant.width, height: variant.height } });
  const guest = await other.newPage();
  await guest.goto(link);
  await guest.locator(cell(7, 7)).waitFor();
  expect(!guest.url().includes('#'), 'the secret leaves the address bar').toBe(true);
  await page.click(cell(7, 7));
  await showsStones(guest, 1);
  await guest.click(cell(6, 6));
  await showsStones(page, 2);
  const watching = await (await browser.newContext()).newPage();
  await watching.goto(page.url());
  await watching.locator(cell(7, 7)).waitFor();
  expect(await watching.locator(id('undo')).count(), 'a spectator has no actions').toBe(0);
  await watching.context().close();
  await page.fill(id('comment'), 'a remark');
  await page.keyboard.press('Enter');
  await page.locator('.remark', { hasText: 'a remark' }).waitFor();
  await shot(page, 'link');
  await page.click(id('offer-draw'));
  await guest.click(id('accept'));
  await page.locator(id('again')).waitFor();
  await other.close();
});

const swaps: { game: string; opening: string; moves: [number, number][]; buttons: number; taken: (rows: string[]) => boolean }[] = [
  { game: 'hex', opening: 'swap-pieces', moves: [[2, 4]], buttons: 1, taken: (rows) => rows[4]?.[2] === 'O' },
  { game: 'hex', opening: 'swap-sides', moves: [[2, 4]], buttons: 1, taken: (rows) => rows[2]?.[4] === 'X' },
  {
    game: 'gomoku',
    opening: 'swap2',
    moves: [
      [7, 7],
      [6, 6],
      [8, 9],
    ],
    buttons: 2,
    taken: (rows) => rows[7]?.[7] === 'X',
  },
];
for (const { game, opening, moves, buttons, taken } of swaps) {
  test(`${opening} is offered and taken`, async ({ page, variant }) => {
    await open(page, `/new?game=${game}`);
    await page.click(id('mode-screen'));
    await page.getByLabel(variant.language === 'zh' ? '开局' : 'Opening').selectOption(opening);
    await page.click(id('start'));
    for (const [i, [r, c]] of moves.entries()) {
      await page.click(cell(r, c));
      await showsStones(page, i + 1);
    }
    await page.locator(id('swap-choice')).waitFor();
    expect(await page.locator(`${id('swap-choice')} button`).count(), 'its choices').toBe(buttons);
    await shot(page, opening);
    await sound(page);
    await page.locator(`${id('swap-choice')} button.primary`).click();
    await page.locator(id('swap-choice')).waitFor({ state: 'detached' });
    await until('the stones as the swap leaves them', async () => taken((await board(page)).split('/')));
  });
}

test('boards as tabs and side by side', { tag: '@wide-en-light' }, async ({ page }) => {
  await start(page, 'gomoku');
  await start(page, 'hex');
  await page.click(id('side-by-side'));
  await until('two boards', async () => (await page.locator('[data-board]').count()) === 2);
  await shot(page, 'side-by-side');
  await sound(page);
  await page.locator(cell(3, 3)).first().click();
  await until('a move on the first of them', async () => (await stones(page)) >= 1);
});

test('variations, jumps, and play from any point', { tag: '@wide-en-light' }, async ({ page }) => {
  await open(page, '/new');
  await page.click(id('mode-screen'));
  await page.click(id('start'));
  for (const [r, c] of [
    [7, 7],
    [6, 6],
    [7, 8],
    [6, 7],
  ] as const) {
    const before = await stones(page);
    await page.click(cell(r, c));
    await showsStones(page, before + 1);
  }
  await page.locator(id('status')).click();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await showsStones(page, 2);
  await page.click(cell(9, 9));
  await until('a variation', async () => (await page.locator('.move.variation').count()) === 1);
  await shot(page, 'variation');
  await page.click(id('play-from-here'));
  await until(
    'a new game with three stones',
    async () => (await stones(page)) === 3 && (await page.locator(id('play-from-here')).count()) === 0,
  );
});

test('clocks run once the first move is made', { tag: '@phone-zh-light' }, async ({ page }) => {
  await open(page, '/new');
  await page.click(id('mode-screen'));
  await page.getByLabel('分钟（0 为不计时）').fill('1');
  await page.click(id('start'));
  await page.locator(cell(7, 7)).waitFor();
  const faces = () => page.locator('[role="timer"]').allTextContents();
  expect(await faces()).toEqual(['1:00', '1:00']);
  await page.click(cell(7, 7));
  await until('the second player’s clock runs', async () => (await faces()).filter((f) => f === '1:00').length === 1);
  await shot(page, 'clocks');
});

test('while engines play, what they think is shown live; nobody who plays sees it', async ({ page, server, variant }) => {
  const engine = { kind: 'engine', level: 5, time_ms: 1500 };
  const setup = { game: 'gomoku', rows: 15, cols: 15, rule: '', opening: '' };
  const watched = await server.post<{ id: string }>('/games', { setup, players: { first: engine, second: engine }, visibility: 'public' });
  await open(page, `/game/${watched.id}`);
  const thoughts = page.locator(id('thoughts'));
  await expect(thoughts.locator(`${id('lines')} .moves button`).first()).toBeVisible({ timeout: 30_000 });
  await expect(thoughts.locator(id('graph-caption'))).toContainText(variant.language === 'zh' ? '黑方' : 'Black');
  const known = async () => Number(/\d+/.exec((await thoughts.locator(id('graph')).getAttribute('aria-label')) ?? '')?.[0] ?? 0);
  await until('the graph grows with the game', async () => (await known()) >= 3, 60_000);
  await shot(page, 'watching');
  await sound(page);

  const played = await server.post<{ id: string }>('/games', {
    setup,
    players: { first: engine, second: { kind: 'human' } },
    visibility: 'public',
  });
  await open(page, `/game/${played.id}`);
  await showsStones(page, 1, 30_000);
  await expect(thoughts).toHaveCount(0);
});

test('two engines to watch', { tag: '@wide-zh-dark' }, async ({ page }) => {
  await open(page, '/new?game=hex');
  await page.click(id('mode-watch'));
  await page.click(id('start'));
  await page.locator(cell(0, 0)).waitFor();
  await until('three moves', async () => (await stones(page)) >= 3, 40_000);
});

test('a second tap confirms', { tag: '@phone-en-dark' }, async ({ page }) => {
  // Cells of a 15x15 board on a phone are smaller than a fingertip.
  await open(page, '/analysis?game=gomoku&size=15x15');
  await page.locator(cell(7, 7)).waitFor();
  await page.tap(cell(7, 7));
  await page.locator('.pending').waitFor();
  expect(await stones(page), 'the first tap only aims').toBe(0);
  await page.tap(cell(7, 7));
  await showsStones(page, 1);
  await open(page, '/settings');
  await page.selectOption(id('confirm-tap'), 'never');
  await open(page, '/analysis?game=gomoku&size=15x15&moves=h8');
  await page.tap(cell(6, 6));
  await showsStones(page, 2);
});

test('kill -9 and restart: the browser comes back and the game goes on', { tag: '@wide-en-light' }, async ({ page, server, faults }) => {
  await start(page, 'hex');
  await page.click(cell(0, 0));
  await showsStones(page, 2);
  faults.ignoreConsole = true;
  await server.crash();
  await until('connected again', async () => (await page.locator(id('status'), { hasText: 'Connection lost' }).count()) === 0, 30_000);
  const rows = (await board(page)).split('/');
  const row = rows.findIndex((line) => line.includes('.'));
  await page.click(cell(row, rows[row]!.indexOf('.')));
  await showsStones(page, 4, 30_000);
});

test('kill -9 and restart: clocks go on where they were', { tag: '@phone-en-dark' }, async ({ page, server, faults }) => {
  await open(page, '/new');
  await page.click(id('mode-screen'));
  await page.getByLabel('Minutes (0: no clock)').fill('10');
  await page.click(id('start'));
  await page.click(cell(7, 7));
  const left = async () => {
    const faces = await page.locator('[role="timer"]').allTextContents();
    return Math.min(...faces.map((face) => face.split(':').reduce((all, part) => all * 60 + Number(part), 0)));
  };
  await until('the clock runs', async () => (await left()) <= 598);
  faults.ignoreConsole = true;
  const before = await left();
  await server.crash();
  await until('connected again', async () => (await page.locator(id('status'), { hasText: 'Connection lost' }).count()) === 0, 30_000);
  await until('the clock runs on', async () => (await left()) < before);
  expect((await left()) > 500, `nothing else was lost: ${await left()} s`).toBe(true);
  await page.click(cell(6, 6));
  await showsStones(page, 2);
});
