// Playing with somebody: joining, presence, chat, rematch, one shared screen, bots, the lobby.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { cell, expect, id, open, shot, showsStones, sound, test, until, type Server, type Variant } from './fixtures';

/** Another person's browser. */
async function somebody(browser: Browser, variant: Variant, server: Server): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: variant.width, height: variant.height },
    locale: variant.language === 'zh' ? 'zh-CN' : 'en-US',
    colorScheme: variant.theme,
    baseURL: server.base,
  });
  return context.newPage();
}

/** A game by link, and the friend at the other end of it. */
async function invited(page: Page, browser: Browser, variant: Variant, server: Server, game: string): Promise<Page> {
  await open(page, `/new?game=${game}`);
  await page.click(id('mode-link'));
  await page.click(id('start'));
  await expect(page.locator(id('waiting'))).toBeVisible();
  await page.click(id('invite'));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const friend = await somebody(browser, variant, server);
  await friend.goto(link);
  return friend;
}

test('a friend joins by name, both see who is there and chat', async ({ page, variant, browser, server }) => {
  const friend = await invited(page, browser, variant, server, 'gomoku');
  await expect(friend.locator(id('join'))).toBeVisible();
  await shot(friend, 'join');
  await sound(friend);
  await friend.fill(id('join-name'), 'Bob');
  await friend.click(id('join-go'));
  await expect(friend.locator(id('join'))).toHaveCount(0);
  await expect(page.locator('.who', { hasText: 'Bob' })).toBeVisible();
  await expect(page.locator(id('waiting'))).toHaveCount(0);
  await expect(page.locator(id('hint')), 'no hints against people').toHaveCount(0);

  await friend.fill(id('chat-text'), 'good luck');
  await friend.keyboard.press('Enter');
  await expect(page.locator('[role="log"]')).toContainText('Bob good luck');
  await page.click(id('mute'));
  await expect(page.locator('[role="log"]')).toHaveCount(0);
  await page.click(id('mute'));
  await expect(page.locator('[role="log"]')).toContainText('good luck');
  const spectator = await somebody(browser, variant, server);
  await spectator.goto(page.url());
  await spectator.locator(cell(7, 7)).waitFor();
  await expect(spectator.locator(id('chat'))).toHaveCount(0);
  await expect(spectator.locator('body')).not.toContainText('good luck');
  await spectator.context().close();
  await shot(page, 'chat');
  await sound(page);

  await friend.context().close();
  await expect(page.locator(id('presence-second'))).toHaveText(variant.language === 'zh' ? '暂时离开' : 'away');
});

test('a rematch takes both players to the new game with the colours exchanged', async ({ page, variant, browser, server }) => {
  const friend = await invited(page, browser, variant, server, 'hex');
  await friend.locator(cell(0, 0)).waitFor();
  await expect(page.locator(id('offer-draw')), 'Hex has no draws').toHaveCount(0);
  const old = page.url();
  await friend.click(id('resign'));
  await friend.click(id('resign-sure'));
  await expect(page.locator(id('result'))).toContainText(variant.language === 'zh' ? '你赢了' : 'You won');
  await expect(friend.locator(id('result'))).toContainText(variant.language === 'zh' ? '你输了' : 'You lost');
  await shot(page, 'won');
  await sound(page);
  await page.click(id('again'));
  await expect(page.locator(id('offer-waits'))).toBeVisible();
  await shot(friend, 'rematch-offered');
  await friend.click(id('accept'));
  await page.waitForURL((url) => url.href !== old && /\/game\//.test(url.href));
  await friend.waitForURL(page.url());
  // The friend moves first now.
  await friend.click(cell(5, 5));
  await showsStones(page, 1);
  await page.click(cell(4, 4));
  await showsStones(friend, 2);
  await friend.context().close();
});

test(
  'a declined offer and a take-back between two screens',
  { tag: ['@wide-en-light', '@phone-zh-light'] },
  async ({ page, variant, browser, server }) => {
    const friend = await invited(page, browser, variant, server, 'gomoku');
    await page.click(cell(7, 7));
    await showsStones(friend, 1);
    await page.click(id('undo'));
    await friend.locator(id('accept')).waitFor();
    const box = (await friend.locator(id('accept')).boundingBox())!;
    expect(box.y + box.height, 'the answer is in sight').toBeLessThanOrEqual(variant.height);
    await friend.click(id('decline'));
    await expect(page.locator(id('offer-waits'))).toHaveCount(0);
    await showsStones(page, 1);
    await page.click(id('undo'));
    await friend.click(id('accept'));
    await showsStones(page, 0);
    await friend.context().close();
  },
);

test('on one shared screen take-backs, draws and rematches need no second person', async ({ page, variant }) => {
  await open(page, '/new');
  await page.click(id('mode-screen'));
  await page.click(id('start'));
  await page.click(cell(7, 7));
  await showsStones(page, 1);
  await page.click(cell(6, 6));
  await showsStones(page, 2);
  await page.click(id('undo'));
  await showsStones(page, 1);
  await page.click(id('offer-draw'));
  await expect(page.locator(id('result'))).toContainText(variant.language === 'zh' ? '和棋' : 'Draw');
  const old = page.url();
  await page.click(id('again'));
  await page.waitForURL((url) => url.href !== old);
  await page.click(cell(7, 7));
  await showsStones(page, 1);
});

test(
  'bots appear in the list, answer offers, are missed, and play each other',
  { tag: ['@wide-en-light', '@phone-zh-light'] },
  async ({ page, variant, server }) => {
    const made = await server.post<{ id: string; token: string }>('/bots', { name: `Random ${variant.name}` });
    await open(page, '/new?mode=bot');
    await expect(page.locator(id('start'))).toBeDisabled();
    const url = server.base.replace('http', 'ws') + '/api/v1/bots/ws';
    const bot = spawn('python3', [resolve(import.meta.dirname, '../../../examples/bots/bot.py'), url], {
      env: { ...process.env, TENGEN_TOKEN: made.token },
      stdio: 'ignore',
    });
    try {
      await expect(page.locator(id('bot')).locator('option')).toHaveText([`Random ${variant.name}`]);
      await page.click(id('start'));
      await page.click(cell(7, 7));
      await showsStones(page, 2);
      await page.click(id('offer-draw'));
      await expect(page.locator(id('offer-waits')), 'the example declines').toHaveCount(0);
      await expect(page.locator(id('offer-draw'))).toBeEnabled();
      const game = page.url();
      await open(page, '/new?mode=watch');
      for (const nth of [0, 1]) await page.locator(id('program')).nth(nth).selectOption(made.id);
      await page.click(id('start'));
      await until('the bots play', async () => (await page.locator('.stone').count()) > 6);
      await page.goto(game);
      await page.locator(cell(0, 0)).waitFor();
    } finally {
      bot.kill();
    }
    await expect(page.locator(id('presence-second'))).toHaveText(variant.language === 'zh' ? '不在线' : 'offline');
    await shot(page, 'bot-gone');
  },
);

test('a challenge in the lobby becomes a game', async ({ page, variant, browser, server }) => {
  await open(page, '/new?game=hex&mode=open');
  await page.getByLabel(variant.language === 'zh' ? '你的名字' : 'Your name').fill('Ann');
  await page.click(id('start'));
  await expect(page.locator(id('own-challenge'))).toBeVisible();
  await page.reload();
  await expect(page.locator(id('own-challenge')), 'a reload keeps it').toBeVisible();
  await shot(page, 'own-challenge');
  const other = await somebody(browser, variant, server);
  await other.goto('/');
  await expect(other.locator(id('lobby'))).toContainText('Ann');
  await shot(other, 'lobby');
  await sound(other);
  await other.click(id('accept-challenge'));
  await other.waitForURL(/\/game\//);
  await page.waitForURL(other.url());
  await page.click(cell(4, 4));
  await showsStones(other, 1);
  await other.context().close();
});

test('a game that does not exist leaves no tab behind', async ({ page, faults }) => {
  await open(page, '/');
  await page.click(id('play-gomoku'));
  await page.locator(cell(0, 0)).waitFor();
  const real = page.url();
  faults.ignoreConsole = true;
  await open(page, '/game/gone');
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.locator('.tabs')).toHaveCount(0);
  await page.goto(real);
  await page.locator(cell(0, 0)).waitFor();
  await expect(page.locator('.tabs')).toHaveCount(0);
  await sound(page);
});

test('the connections for analysis and for small live boards are known to be alive', async ({ page, server }) => {
  const setup = { game: 'hex', rows: 5, cols: 5, rule: '', opening: '' };
  await server.post('/games', { setup, players: { first: { kind: 'human' }, second: { kind: 'human' } }, visibility: 'public' });
  await page.addInitScript(() => localStorage.setItem('tengen.settings', '{"think":"server"}'));
  const answers = new Map<string, string>();
  let opened = 0;
  page.on('websocket', (socket) => {
    opened++;
    socket.on('framereceived', ({ payload }) => {
      const { type } = JSON.parse(String(payload)) as { type: string };
      if (type === 'clock' || type === 'pong') answers.set(new URL(socket.url()).pathname.replace(/.*\//, ''), type);
    });
  });
  await page.clock.install();
  await open(page, '/');
  await expect(page.locator(id('live-games')).locator('img').first()).toBeVisible();
  // The picture may be there before the connection is.
  const pinged = async () => {
    await page.clock.fastForward(16_000);
    return answers.get('ws');
  };
  await expect.poll(pinged, { message: 'a tile’s ping is answered', intervals: [1000] }).toBe('clock');
  await open(page, '/analysis?game=gomoku&size=15x15');
  await page.click(id('search'));
  await until('a search', async () => (await page.locator('.mark text').count()) > 0);
  const before = opened;
  await page.clock.fastForward(16_000);
  await expect.poll(() => answers.get('analysis'), { message: 'the ping is answered' }).toBe('pong');
  await page.clock.fastForward(11_000);
  await page.waitForTimeout(500);
  expect(opened, 'no connection is made anew').toBe(before);
});
