// Playing: one click to a game, the engine's answer, take back, hint, resign, keyboard only, by link, side by side.
import { assert, board, cell, guises, id, until } from './tester.mjs';

const stones = async (page) => [...((await board(page)) ?? '')].filter((c) => c === 'X' || c === 'O').length;

async function start(t, page, game) {
  await t.open(page, '/');
  await page.click(id(`play-${game}`));
  await page.locator(cell(0, 0)).waitFor();
}

export default async function check(t) {
  for (const game of ['gomoku', 'hex']) {
    await t.everywhere(`${game} against the engine`, async (page, guise) => {
      await start(t, page, game);
      await page.click(cell(4, 4));
      await until(page, 'the engine has answered', async () => (await stones(page)) === 2);
      await t.shot(page, game, guise);
      await t.sound(page);
      await page.click(id('undo'));
      await until(page, 'both moves are taken back', async () => (await stones(page)) === 0);
      await page.click(cell(5, 5));
      await until(page, 'the engine has answered again', async () => (await stones(page)) === 2);
      await page.click(id('hint'));
      await until(page, 'a hint is shown', async () => (await page.locator('.mark text', { hasText: '★' }).count()) === 1);
      await page.click(id('resign'));
      await page.click(id('resign-sure'));
      await page.locator(id('again')).waitFor();
      await t.shot(page, `${game}-over`, guise);
    });
  }

  await t.test('by keyboard alone', guises[0], async (page) => {
    await t.open(page, '/');
    await page.locator(id('play-gomoku')).focus();
    await page.keyboard.press('Enter');
    await page.locator(cell(7, 7)).waitFor();
    await page.locator(cell(7, 7)).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await until(page, 'a stone at I9 and an answer', async () => (await stones(page)) === 2);
    const name = await page.locator(cell(6, 8)).getAttribute('aria-label');
    assert(name === 'I9, Black, move 1', `name of the point: ${name}`);
    await page.locator(id('status')).click();
    await page.keyboard.press('u');
    await until(page, 'taken back', async () => (await stones(page)) === 0);
  });

  await t.test('an occupied point is refused in the person’s language', guises[3], async (page, { forgiven }) => {
    forgiven.console = true;
    await t.open(page, '/analysis');
    await page.click(cell(7, 7));
    await until(page, 'a stone', async () => (await stones(page)) === 1);
    await page.click(cell(7, 7));
    await page.locator('.notice', { hasText: '那里已有棋子' }).waitFor();
  });

  await t.everywhere('two people by a link, with a spectator and remarks', async (page, guise, { context }) => {
    await t.open(page, '/new');
    await page.click(id('mode-link'));
    await page.click(id('start'));
    await page.click(id('invite'));
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await context.browser().newContext({ viewport: { width: guise.width, height: guise.height } });
    const guest = await other.newPage();
    await guest.goto(link);
    await guest.locator(cell(7, 7)).waitFor();
    assert(!guest.url().includes('#'), 'the secret leaves the address bar');
    await page.click(cell(7, 7));
    await until(guest, 'the move at the other side', async () => (await stones(guest)) === 1);
    await guest.click(cell(6, 6));
    await until(page, 'the answer here', async () => (await stones(page)) === 2);
    const watching = await (await context.browser().newContext()).newPage();
    await watching.goto(page.url());
    await watching.locator(cell(7, 7)).waitFor();
    assert((await watching.locator(id('undo')).count()) === 0, 'a spectator has no actions');
    await watching.context().close();
    await page.fill(id('comment'), 'a remark');
    await page.keyboard.press('Enter');
    await page.locator('.remark', { hasText: 'a remark' }).waitFor();
    await t.shot(page, 'link', guise);
    await page.click(id('offer-draw'));
    await guest.click(id('accept'));
    await page.locator(id('again')).waitFor();
    await other.close();
  });

  const swaps = [
    ['hex', 'swap-pieces', [[2, 4]], (rows) => rows[4]?.[2] === 'O'],
    ['hex', 'swap-sides', [[2, 4]], (rows) => rows[2]?.[4] === 'X'],
    [
      'gomoku',
      'swap2',
      [
        [7, 7],
        [6, 6],
        [8, 9],
      ],
      (rows) => rows[7]?.[7] === 'X',
    ],
  ];
  for (const [game, opening, moves, taken] of swaps) {
    await t.everywhere(`${opening} is offered and taken`, async (page, guise) => {
      await t.open(page, `/new?game=${game}`);
      await page.click(id('mode-screen'));
      await page.getByLabel(guise.language === 'zh' ? '开局' : 'Opening').selectOption(opening);
      await page.click(id('start'));
      for (const [i, [r, c]] of moves.entries()) {
        await page.click(cell(r, c));
        await until(page, 'the move', async () => (await stones(page)) === i + 1);
      }
      await page.locator(id('swap-choice')).waitFor();
      assert((await page.locator(`${id('swap-choice')} button`).count()) === (opening === 'swap2' ? 2 : 1), 'its choices');
      await t.shot(page, opening, guise);
      await t.sound(page);
      await page.locator(`${id('swap-choice')} button.primary`).click();
      await page.locator(id('swap-choice')).waitFor({ state: 'detached' });
      await until(page, 'the stones as the swap leaves them', async () => taken(((await board(page)) ?? '').split('/')));
    });
  }

  await t.test('boards as tabs and side by side', guises[0], async (page) => {
    await start(t, page, 'gomoku');
    await start(t, page, 'hex');
    await page.click(id('side-by-side'));
    await until(page, 'two boards', async () => (await page.locator('[data-board]').count()) === 2);
    await t.shot(page, 'side-by-side', guises[0]);
    await t.sound(page);
    await page.locator(cell(3, 3)).first().click();
    await until(page, 'a move on the first of them', async () => (await stones(page)) >= 1);
  });

  await t.test('variations, jumps, and play from any point', guises[0], async (page) => {
    await t.open(page, '/new');
    await page.click(id('mode-screen'));
    await page.click(id('start'));
    for (const [r, c] of [
      [7, 7],
      [6, 6],
      [7, 8],
      [6, 7],
    ]) {
      const before = await stones(page);
      await page.click(cell(r, c));
      await until(page, 'the move', async () => (await stones(page)) === before + 1);
    }
    await page.locator(id('status')).click();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await until(page, 'two moves back', async () => (await stones(page)) === 2);
    await page.click(cell(9, 9));
    await until(page, 'a variation', async () => (await page.locator('.move.variation').count()) === 1);
    await t.shot(page, 'variation', guises[0]);
    await page.click(id('play-from-here'));
    await until(
      page,
      'a new game with three stones',
      async () => (await stones(page)) === 3 && (await page.locator(id('play-from-here')).count()) === 0,
    );
  });

  await t.test('clocks run once the first move is made', guises[3], async (page) => {
    await t.open(page, '/new');
    await page.click(id('mode-screen'));
    await page.getByLabel('分钟（0 为不计时）').fill('1');
    await page.click(id('start'));
    await page.locator(cell(7, 7)).waitFor();
    const faces = () => page.locator('[role="timer"]').allTextContents();
    assert((await faces()).join() === '1:00,1:00', `clocks show ${await faces()}`);
    await page.click(cell(7, 7));
    await until(page, 'the second player’s clock runs', async () => (await faces()).filter((f) => f === '1:00').length === 1);
    await t.shot(page, 'clocks', guises[3]);
  });

  await t.test('two engines to watch', guises[1], async (page) => {
    await t.open(page, '/new?game=hex');
    await page.click(id('mode-watch'));
    await page.click(id('start'));
    await page.locator(cell(0, 0)).waitFor();
    await until(page, 'three moves', async () => (await stones(page)) >= 3, 40_000);
  });

  await t.test('a second tap confirms', guises[2], async (page) => {
    await t.open(page, '/settings');
    await page.getByLabel('Second tap confirms (touch)').check();
    await t.open(page, '/analysis');
    await page.locator(cell(7, 7)).waitFor();
    await page.tap(cell(7, 7));
    await page.locator('.pending').waitFor();
    assert((await stones(page)) === 0, 'the first tap only aims');
    await page.tap(cell(7, 7));
    await until(page, 'the second plays', async () => (await stones(page)) === 1);
  });

  await t.test('kill -9 and restart: the browser comes back and the game goes on', guises[0], async (page, { forgiven }) => {
    await start(t, page, 'hex');
    await page.click(cell(5, 5));
    await until(page, 'an answer', async () => (await stones(page)) === 2);
    forgiven.console = true;
    await t.restart();
    await until(
      page,
      'connected again',
      async () => (await page.locator(id('status'), { hasText: 'Connection lost' }).count()) === 0,
      30_000,
    );
    const free = await page.evaluate(() => {
      const rows = document.querySelector('[data-board]').dataset.board.split('/');
      return rows.flatMap((row, r) => [...row].flatMap((c, k) => (c === '.' ? [[r, k]] : [])))[0];
    });
    await page.click(cell(...free));
    await until(page, 'the game goes on', async () => (await stones(page)) === 4, 30_000);
  });

  await t.test('kill -9 and restart: clocks go on where they were', guises[2], async (page, { forgiven }) => {
    await t.open(page, '/new');
    await page.click(id('mode-screen'));
    await page.getByLabel('Minutes (0: no clock)').fill('10');
    await page.click(id('start'));
    await page.click(cell(7, 7));
    const left = async () => {
      const faces = await page.locator('[role="timer"]').allTextContents();
      return Math.min(...faces.map((face) => face.split(':').reduce((all, part) => all * 60 + Number(part), 0)));
    };
    await until(page, 'the clock runs', async () => (await left()) <= 598);
    forgiven.console = true;
    const before = await left();
    await t.restart();
    await until(
      page,
      'connected again',
      async () => (await page.locator(id('status'), { hasText: 'Connection lost' }).count()) === 0,
      30_000,
    );
    await until(page, 'the clock runs on', async () => (await left()) < before);
    assert((await left()) > 500, `nothing else was lost: ${await left()} s`);
    await page.click(cell(6, 6));
    await until(page, 'the game goes on', async () => (await stones(page)) === 2);
  });
}
