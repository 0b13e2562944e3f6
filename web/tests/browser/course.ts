// Classes for tests, made with the command line in the folder that the server of this worker serves.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { id, open, program, type Server } from './fixtures';

export const samples = resolve(import.meta.dirname, '../../../examples/class/programs');

export interface Course {
  teacher: string;
  keys: Record<string, string>;
}

/** A class of three students in the folder that the server of this worker serves. */
export function course(server: Server, name: string): Course {
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

export async function enter(page: Page, name: string, student: string, key: string) {
  await open(page, `/class/${name}`);
  await page.fill(id('class-number'), student);
  await page.fill(id('class-key'), key);
  await page.click(id('class-enter'));
  await page.locator(id('class-who')).waitFor();
}
