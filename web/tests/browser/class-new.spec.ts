// Creating a class in the browser with the operator's key, adding students from a list, changing settings.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { enter, samples } from './course';
import { expect, id, open, program, shot, sound, test } from './fixtures';
import type { Page } from '@playwright/test';

const csv = (text: string) => ({ name: 'students.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

async function addStudents(page: Page, list: string) {
  await page.setInputFiles(id('students-file'), csv(list));
  await page.click(id('students-add'));
}

test('a class is created, gets students and their keys, and its settings change', async ({ page, server, variant, faults }) => {
  test.setTimeout(120_000);
  const run = (...words: string[]) => execFileSync(program(), ['class', ...words], { encoding: 'utf8' });
  const key = run('key', server.classes, '--create').trim();
  const name = `new-${variant.name}`;
  await open(page, '/classes');
  await page.locator(id('class-new')).click();
  await page.locator(id('class-create')).waitFor();
  await page.fill(id('class-id'), name);
  await page.fill(id('class-title'), `人工智能 ${variant.name}`);
  await page.selectOption(id('class-size'), '9');
  await page.fill(id('class-seconds'), '5');
  await page.fill(id('class-nodes'), '100');
  await page.fill(id('class-deadline'), '2031-06-30T23:59');
  await page.fill(id('mark-rank'), '0');
  await page.selectOption(id('reference-level'), '2');
  await page.click(id('reference-add'));
  await expect(page.locator(id('class-references'))).toContainText('@level=2');
  await shot(page, 'class-new');
  await sound(page);
  // A refused request is written to the console by the browser.
  faults.ignoreConsole = true;
  await page.fill(id('creator-key'), 'wrong');
  await page.click(id('class-create'));
  await expect(page.locator(id('create-trouble'))).toContainText(variant.language === 'zh' ? '建课密钥' : 'not the key');
  await page.fill(id('creator-key'), key);
  await page.click(id('class-create'));
  await page.locator(id('class-made')).waitFor();
  await expect(page.locator(`${id('class-made')} code`)).toHaveText(/^[2-9a-z]{20}$/);
  await shot(page, 'class-made');
  await sound(page);
  await page.click(id('class-open'));
  await expect(page.locator(id('class-task'))).toContainText('9×9');
  await expect(page.locator(id('class-task'))).toContainText('2031');
  // A list with a mistake is refused whole, with its line.
  await addStudents(page, 'id,name\n1001,王小明\n../2,x\n');
  await expect(page.locator(id('students-trouble'))).toContainText('line 3');
  await addStudents(page, 'id,name\n1001,王小明\n1002,"Lee, Ann"\n1003,Zoe\n');
  await expect(page.locator(`${id('new-keys')} tbody tr`)).toHaveCount(3);
  await expect(page.locator(id('class-students'))).toContainText('Lee, Ann');
  await shot(page, 'class-new-keys');
  await sound(page);
  const saved = page.waitForEvent('download');
  await page.click(id('keys-save'));
  const file = await saved;
  expect(file.suggestedFilename()).toBe(`${name}-keys.csv`);
  const rows = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\n');
  expect(rows[0]).toBe('\uFEFFid,name,key');
  expect(rows[2]).toMatch(/^1002,"Lee, Ann",[2-9a-z]{20}$/);
  await page.click(id('keys-close'));
  await expect(page.locator(id('new-keys'))).toHaveCount(0);
  // A new key for one, another is removed.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.click(id('student-1001'));
  await page.click(id('student-renew'));
  await expect(page.locator(`${id('new-keys')} tbody tr`)).toHaveCount(1);
  const renewed = (await page.locator(`${id('new-keys')} code`).textContent()) ?? '';
  await page.click(id('keys-close'));
  await page.click(id('student-1003'));
  await page.locator(id('class-student')).waitFor();
  await page.click(id('student-remove'));
  await expect(page.locator(id('student-1003'))).toHaveCount(0);
  // Settings: all can change before anything is handed in, some never again after it.
  await page.click(id('class-settings'));
  await page.fill(id('class-title'), `AI ${variant.name}`);
  await page.fill(id('class-deadline'), '');
  await page.selectOption(id('class-size'), '7');
  await shot(page, 'class-settings');
  await sound(page);
  await page.click(id('settings-save'));
  await expect(page.locator('h1')).toContainText(`AI ${variant.name}`);
  await expect(page.locator(id('class-task'))).toContainText('7×7');
  run('submit', join(server.classes, name), '1001', join(samples, 'random_player.py'));
  await expect(page.locator(id('class-size'))).toBeDisabled({ timeout: 20_000 });
  await expect(page.locator(id('class-seconds'))).toBeEnabled();
  await shot(page, 'class-settings-fixed');
  await sound(page);
  // The student enters with the renewed key only.
  const visitor = await page.context().browser()!.newContext({ viewport: page.viewportSize() });
  const student = await visitor.newPage();
  await student.goto(`${server.base}/class/${name}`);
  await student.fill(id('class-number'), '1001');
  await student.fill(id('class-key'), rows[1]?.split(',')[2] ?? '');
  await student.click(id('class-enter'));
  await student.locator(id('class-trouble')).waitFor();
  await student.fill(id('class-key'), renewed);
  await student.click(id('class-enter'));
  await student.locator(id('class-who')).waitFor();
  await expect(student.locator(id('class-settings'))).toHaveCount(0);
  await visitor.close();
  // The teacher comes back with the key of the class.
  const teacher = run('key', join(server.classes, name)).trim();
  await page.evaluate(() => localStorage.clear());
  await enter(page, name, '', teacher);
});
