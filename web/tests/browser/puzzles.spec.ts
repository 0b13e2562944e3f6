// Puzzles: the list, a wrong move and its refutation, hints, a solved one that is remembered, the solution as a tree.
import type { Page } from '@playwright/test';
import type { PuzzleEntry } from '../../src/lib/api/types';
import { expect, id, open, shot, sound, test, until, type Server } from './fixtures';

const STAR = '[data-cell][aria-label*="★"]';

const puzzles = async (server: Server) => (await server.get<{ puzzles: PuzzleEntry[] }>('/puzzles')).puzzles;
const verdict = (page: Page) => page.locator(id('verdict')).getAttribute('data-verdict');
const hint = (page: Page) => page.locator(`${id('puzzle-hint')}:enabled`);
const address = ({ game, id }: PuzzleEntry) => `/puzzles/${game}/${id}`;

/** Plays the move that two hints show, until the puzzle is solved. */
async function solve(page: Page) {
  for (let turn = 0; turn < 40 && (await verdict(page)) !== 'solved'; turn++) {
    await hint(page).click();
    await hint(page).click();
    await page.locator(STAR).click();
    await until('a verdict', async () => {
      const answered = (await verdict(page)) === 'solved' || (await hint(page).count()) === 1;
      return answered && (await page.locator(STAR).count()) === 0;
    });
  }
  expect(await verdict(page), 'the hints lead to the win').toBe('solved');
}

test('the list of puzzles is there', async ({ page }) => {
  await open(page, '/puzzles');
  await page.locator(id('puzzle')).first().waitFor();
  await shot(page, 'list');
  await sound(page);
});

for (const game of ['gomoku', 'hex']) {
  test(`a ${game} puzzle is solved with hints, and remembered`, async ({ page, server }) => {
    const easy = (await puzzles(server)).find((p) => p.game === game)!;
    await open(page, address(easy));
    await solve(page);
    await shot(page, `${game}-solved`);
    await sound(page);
    await open(page, '/puzzles');
    await page.click(id(`puzzles-${game}`));
    await page.locator(`a.helped[href="${address(easy)}"]`).waitFor();
  });
}

test('a wrong move is refuted, the solution shown', async ({ page, server, variant }) => {
  const puzzle = (await puzzles(server)).find((p) => p.unique)!;
  await open(page, address(puzzle));
  await hint(page).click();
  await hint(page).click();
  const right = await page.locator(STAR).getAttribute('data-cell');
  // A far corner wins nothing.
  const empty = variant.language === 'zh' ? '空点' : 'empty';
  await page.locator(`[data-cell]:not([data-cell="${right}"])[aria-label$="${empty}"]`).first().click();
  await page.locator(`${id('verdict')}[data-verdict="wrong"], ${id('verdict')}[data-verdict="unclear"]`).waitFor();
  await shot(page, 'wrong');
  await sound(page);
  await page.click(id('puzzle-solution'));
  await until('a tree', async () => (await page.locator('.tree .move').count()) > 2);
  await shot(page, 'solution');
  await sound(page);
});

test('kill -9 and restart: what was solved stays solved', { tag: '@wide-en-light' }, async ({ page, server, faults }) => {
  await open(page, address((await puzzles(server))[0]!));
  await solve(page);
  faults.ignoreConsole = true;
  await server.crash();
  await open(page, '/puzzles');
  await expect(page.locator('a.solved, a.helped')).toHaveCount(1);
});

test('one puzzle leads to the next by keyboard', { tag: '@wide-en-light' }, async ({ page, server }) => {
  const [first, second] = await puzzles(server);
  await open(page, address(first!));
  await page.locator(id('verdict')).waitFor();
  await page.locator('nav a', { hasText: 'Next' }).waitFor();
  await page.keyboard.press('j');
  await page.waitForURL(`**${address(second!)}`);
});
