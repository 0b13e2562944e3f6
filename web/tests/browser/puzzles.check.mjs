// Puzzles: the list, a wrong move and its refutation, hints, a solved one that is remembered, the solution as a tree.
import { assert, guises, id, until } from './tester.mjs';

const STAR = '[data-cell][aria-label*="★"]';

export default async function check(t) {
  const found = await fetch(`${t.base}/api/v1/puzzles`).then((r) => r.json());
  if (!found.puzzles.length) {
    console.log('      skipped: this build has no puzzles');
    return;
  }
  await t.everywhere('the list', async (page, guise) => {
    await t.open(page, '/puzzles');
    await page.locator(id('puzzle')).first().waitFor();
    await t.shot(page, 'list', guise);
    await t.sound(page);
  });

  for (const game of [...new Set(found.puzzles.map((p) => p.game))]) {
    const easy = found.puzzles.find((p) => p.game === game);
    await t.everywhere(`${game}: solved with help, and remembered`, async (page, guise) => {
      await t.open(page, `/puzzles/${game}/${easy.id}`);
      const verdict = () => page.locator(id('verdict')).getAttribute('data-verdict');
      const hint = page.locator(`${id('puzzle-hint')}:enabled`);
      for (let turn = 0; turn < 40 && (await verdict()) !== 'solved'; turn++) {
        await hint.click();
        if (turn === 0) await t.shot(page, `${game}-hint`, guise);
        await hint.click();
        await page.locator(STAR).click();
        await until(
          page,
          'a verdict',
          async () => (await page.locator(STAR).count()) === 0 && ((await verdict()) === 'solved' || (await hint.count()) === 1),
        );
      }
      assert((await verdict()) === 'solved', 'the hints lead to the win');
      await t.shot(page, `${game}-solved`, guise);
      await t.sound(page);
      await t.open(page, '/puzzles');
      if (await page.locator(id(`puzzles-${game}`)).count()) await page.click(id(`puzzles-${game}`));
      await page.locator(`a.helped[href="/puzzles/${game}/${easy.id}"]`).waitFor();
    });
  }

  await t.everywhere('a wrong move is refuted, the solution shown', async (page, guise) => {
    const puzzle = found.puzzles.find((p) => p.unique) ?? found.puzzles[0];
    await t.open(page, `/puzzles/${puzzle.game}/${puzzle.id}`);
    await page.locator(`${id('puzzle-hint')}:enabled`).click();
    await page.locator(`${id('puzzle-hint')}:enabled`).click();
    const right = await page.locator(STAR).getAttribute('data-cell');
    // A far corner wins nothing.
    const free = page.locator(`[data-cell]:not([data-cell="${right}"])[aria-label$="${guise.language === 'zh' ? '空点' : 'empty'}"]`);
    await free.first().click();
    await page.locator(`${id('verdict')}[data-verdict="wrong"], ${id('verdict')}[data-verdict="unclear"]`).waitFor();
    await t.shot(page, 'wrong', guise);
    await t.sound(page);
    await page.click(id('puzzle-solution'));
    await until(page, 'a tree', async () => (await page.locator('.tree .move').count()) > 2);
    await t.shot(page, 'solution', guise);
    await t.sound(page);
  });

  await t.test('kill -9 and restart: what was solved stays solved', guises[0], async (page, { forgiven }) => {
    const done = async () => await page.locator('a.solved, a.helped').count();
    const easy = found.puzzles[0];
    await t.open(page, `/puzzles/${easy.game}/${easy.id}`);
    const hint = page.locator(`${id('puzzle-hint')}:enabled`);
    const verdict = () => page.locator(id('verdict')).getAttribute('data-verdict');
    for (let turn = 0; turn < 40 && (await verdict()) !== 'solved'; turn++) {
      await hint.click();
      await hint.click();
      await page.locator(STAR).click();
      await until(
        page,
        'a verdict',
        async () => (await page.locator(STAR).count()) === 0 && ((await verdict()) === 'solved' || (await hint.count()) === 1),
      );
    }
    forgiven.console = true;
    await t.restart();
    await t.open(page, '/puzzles');
    await page.locator(id('puzzle')).first().waitFor();
    await until(page, 'it is marked as solved', async () => (await done()) === 1);
  });

  await t.test('one leads to the next by keyboard', guises[0], async (page) => {
    if (found.puzzles.length < 2) return;
    await t.open(page, `/puzzles/${found.puzzles[0].game}/${found.puzzles[0].id}`);
    await page.locator(id('verdict')).waitFor();
    await page.locator('nav a', { hasText: 'Next' }).waitFor();
    await page.keyboard.press('j');
    await page.waitForURL(`**/puzzles/${found.puzzles[1].game}/${found.puzzles[1].id}`);
  });
}
