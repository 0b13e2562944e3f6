// A class in the browser: entering by key, handing in, trial games, a round, the table, a game with its log.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, id, open, program, Server, shot, sound, test, until } from './fixtures';
import type { Page } from '@playwright/test';

const samples = resolve(import.meta.dirname, '../../../examples/class/programs');

interface Course {
  teacher: string;
  keys: Record<string, string>;
}

/** A class of three students in the folder that the server of this worker serves. */
function course(server: Server, name: string): Course {
  const folder = join(server.classes, name);
  const run = (...words: string[]) => execFileSync(program(), ['class', ...words], { encoding: 'utf8' });
  run(
    'new',
    folder,
    '--game',
    'gomoku',
    '--size',
    '9',
    '--time',
    '5',
    '--nodes',
    '100',
    '--title',
    `AI ${name}`,
    '--reference',
    'classic-ac@depth=1',
  );
  const list = join(server.data, `${name}.csv`);
  writeFileSync(list, 'id,name\n1001,王小明\n1002,Ann Lee\n1003,Zoe\n');
  const rows = run('add', folder, list).trim().split('\n').slice(1);
  return { teacher: run('key', folder).trim(), keys: Object.fromEntries(rows.map((row) => [row.split(',')[0], row.split(',')[2]])) };
}

async function enter(page: Page, name: string, student: string, key: string) {
  await open(page, `/class/${name}`);
  await page.fill(id('class-number'), student);
  await page.fill(id('class-key'), key);
  await page.click(id('class-enter'));
  await page.locator(id('class-who')).waitFor();
}

async function handIn(page: Page, name: string, bytes: string) {
  await page.setInputFiles(id('class-file'), { name, mimeType: 'text/plain', buffer: Buffer.from(bytes) });
  await page.click(id('class-hand-in'));
}

const random = readFileSync(join(samples, 'random_player.py'), 'utf8');

test('a student enters, hands in, tries, and sees the game with its log', async ({ page, server, variant, faults }) => {
  const name = `student-${variant.name}`;
  const { keys } = course(server, name);
  await open(page, '/classes');
  await page.locator(id(`class-${name}`)).click();
  await page.locator(id('class-task')).waitFor();
  await shot(page, 'class-entry');
  await sound(page);
  // A refused request is written to the console by the browser.
  faults.ignoreConsole = true;
  await page.fill(id('class-number'), '1001');
  await page.fill(id('class-key'), 'wrong');
  await page.click(id('class-enter'));
  await page.locator(id('class-trouble')).waitFor();
  await enter(page, name, '1001', keys['1001'] ?? '');
  await handIn(page, 'main.c', 'int main(void) {\n  return x;\n}\n');
  await expect(page.locator(id('verdict')).first()).toContainText('main.c:2:');
  await shot(page, 'class-compile-error');
  await sound(page);
  await handIn(page, 'broken.py', 'raise SystemExit("no luck")\n');
  await expect(page.locator(id('verdict')).first()).toContainText('no luck');
  await shot(page, 'class-check-failed');
  await handIn(page, 'player.py', random);
  const word = variant.language === 'zh' ? '通过' : 'accepted';
  await until('accepted', async () => (await page.locator(`form ${id('verdict-word')}`).textContent())?.trim() === word, 60_000);
  await page.click(id('class-try'));
  await until('trial games', async () => (await page.locator(id('class-game')).count()) === 2, 60_000);
  await shot(page, 'class-student');
  await sound(page);
  await page
    .locator(`${id('class-game')} a`)
    .first()
    .click();
  await page.locator('[data-cell="4,4"]').waitFor();
  await expect(page.locator(id('class-log'))).toContainText('to engine:');
  await page.keyboard.press('Home');
  await expect(page.locator(id('class-ply'))).toContainText('0');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  await shot(page, 'class-game');
  await sound(page);
});

test('a teacher plays a round, publishes it, and anybody sees the table', async ({ page, server, variant, browser }) => {
  const name = `teacher-${variant.name}`;
  const { teacher } = course(server, name);
  const folder = join(server.classes, name);
  const run = (...words: string[]) => execFileSync(program(), ['class', ...words], { encoding: 'utf8' });
  run('submit', folder, '1001', join(samples, 'random_player.py'));
  await enter(page, name, '', teacher);
  await expect(page.locator(id('class-students'))).toContainText('王小明');
  // Handed in while the teacher looks.
  run('submit', folder, '1002', join(samples, 'blocker.js'));
  await expect(page.locator(id('class-students'))).toContainText('JavaScript');
  await page.fill(id('round-name'), 'final');
  await page.click(id('round-start'));
  const over = variant.language === 'zh' ? '已结束' : 'finished';
  await until(
    'the round ends',
    async () => (await page.locator(`${id('round-final')} ${id('round-state')}`).textContent()) === over,
    90_000,
  );
  await expect(page.locator(id('class-table'))).toContainText('classic-ac');
  await page.click(id('student-1002'));
  await page.locator(id('class-student')).waitFor();
  await page.locator(id('class-report')).waitFor();
  await shot(page, 'class-teacher');
  await sound(page);
  const saved = page.waitForEvent('download');
  await page.click(id('class-export'));
  expect((await saved).suggestedFilename()).toContain('final.zip');
  await page.click(id('class-publish'));
  await expect(page.locator(id('class-publish'))).toHaveAttribute('aria-pressed', 'true');
  const visitor = await browser.newContext({ viewport: page.viewportSize() });
  const other = await visitor.newPage();
  await other.goto(`${server.base}/class/${name}`);
  await expect(other.locator(id('class-table'))).toContainText('1002');
  await shot(other, 'class-published');
  await sound(other);
  await visitor.close();
});

test('without classes the page says how to make one', async ({ page }) => {
  await page.route('**/api/v1/classes', (route) => route.fulfill({ json: [] }));
  await open(page, '/classes');
  await page.locator(id('no-classes')).waitFor();
  await shot(page, 'no-classes');
  await sound(page);
});
