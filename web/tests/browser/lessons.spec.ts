// The lessons on Renju and Hex: their positions are what the texts say, by the rules and by the solver; and they can be tried.
import { renju, templates } from '../../src/lib/see/lessons/positions';
import { board, cell, expect, id, open, shot, sound, stones, test, text, until } from './fixtures';

/** A position of a lesson as a set-up of the API. */
function setupOf(position: string) {
  const [game, cells] = position.split(':') as [string, string];
  const rows = cells.split('/');
  const found = rows.flatMap((line, row) =>
    [...line].flatMap((c, col) => (c === '.' ? [] : [{ side: c === 'X' ? 'black' : 'white', row, col }])),
  );
  return { game, rows: rows.length, cols: rows[0]!.length, rule: '', opening: '', stones: found };
}

test('the positions of the lessons are what the texts say', { tag: '@wide-en-light' }, async ({ server }) => {
  for (const [name, { position, forbidden }] of Object.entries(renju)) {
    const setup = { ...setupOf(position), rule: 'renju', to_move: 'black' };
    const view = await server.post<{ forbidden: { kind: string }[] }>('/view', { setup, moves: [] });
    const kinds: Record<string, number> = {};
    for (const { kind } of view.forbidden) kinds[kind] = (kinds[kind] ?? 0) + 1;
    expect(kinds, name).toEqual(forbidden);
  }
  for (const [name, { position, holds }] of Object.entries(templates)) {
    const setup = { ...setupOf(position), to_move: 'white' };
    const proof = await server.post<{ result: string }>('/solve', { setup, moves: [], question: 'winner' });
    expect(proof.result, name).toBe(holds ? 'loss' : 'win');
  }
});

test('forbidden points are found, freed and explained', async ({ page }) => {
  const said = id('lesson-said');
  await open(page, '/see/lesson/forbidden');
  await page.locator(cell(4, 4)).waitFor();
  await expect(page.locator('path.forbidden'), 'nothing is given away').toHaveCount(0);
  await page.click(cell(6, 6));
  await expect(page.locator(said)).toContainText('G3');
  await page.click(cell(4, 4));
  await expect(page.locator(said)).toContainText(/double three|三三禁手/);
  await expect(page.locator('path.forbidden')).toHaveCount(1);
  await shot(page, 'lesson-forbidden');
  await sound(page);
  await page.click(id('lesson-next'));
  await expect(page.locator('path.forbidden')).toHaveCount(1);
  await page.click(cell(8, 4));
  await expect(page.locator(said)).toContainText(/still|仍是/);
  await page.click(cell(4, 1));
  await expect(page.locator(said)).toContainText(/may play|可以下了/);
  await expect(page.locator('path.forbidden')).toHaveCount(0);
  expect(await stones(page), 'a stone that was tried is gone').toBe(9);
  for (const [screen, count] of [
    [3, 2],
    [4, 1],
    [5, 0],
  ]) {
    await open(page, `/see/lesson/forbidden?screen=${screen}`);
    await page.click(id('lesson-show'));
    await expect(page.locator('path.forbidden')).toHaveCount(count!);
    await shot(page, `lesson-forbidden-${screen}`);
  }
  await page.click(cell(4, 4));
  await expect(page.locator(said)).toContainText(/five|成五/);
});

test('a connection in Hex is defended, and cut where it can be', async ({ page }) => {
  const said = id('lesson-said');
  await open(page, '/see/lesson/templates');
  await page.locator(cell(2, 2)).waitFor();
  const before = await board(page);
  await page.click(cell(2, 2));
  await expect(page.locator(said)).toContainText('D3');
  expect(await stones(page)).toBe(5);
  await shot(page, 'lesson-templates');
  await sound(page);
  await page.click(id('lesson-back'));
  await until('the moves are taken back', async () => (await board(page)) === before);
  for (const screen of [2, 4]) {
    await open(page, `/see/lesson/templates?screen=${screen}`);
    await page.locator(cell(0, 0)).waitFor();
    await page.click(screen === 2 ? cell(5, 3) : cell(6, 6));
    await expect(page.locator(said), 'the solver has answered').toContainText(/Red answers|红方应/, { timeout: 30_000 });
    await shot(page, `lesson-templates-${screen}`);
  }
});

test('every screen of the new lessons has something to try', async ({ page }) => {
  for (const [lesson, count] of [
    ['forbidden', 5],
    ['templates', 4],
  ] as const) {
    for (let screen = 1; screen <= count; screen++) {
      await open(page, `/see/lesson/${lesson}?screen=${screen}`);
      await page.locator(`${id('widget')} [data-board]`).waitFor();
      expect(await text(page, 'lesson-page')).toBe(`${screen} / ${count}`);
      await expect(page.locator(`${id('widget')} [role="alert"]`)).toHaveCount(0);
    }
  }
});
