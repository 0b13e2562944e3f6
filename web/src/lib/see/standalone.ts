// A program of the page as one that a class can run: the same code, followed by a board, a search and the protocols.
import type { ClassBody } from '../api/types';
import type { Program } from './student';

/** The file to hand in. Lines of the program keep their numbers. */
export async function standalone(
  program: Program,
  task: Pick<ClassBody, 'game' | 'size' | 'seconds_per_move'>,
  depth: number,
): Promise<File> {
  const { code, language } = program;
  const python = language === 'python';
  const { default: rest } = python ? await import('./standalone/main.py?raw') : await import('./standalone/main.js?raw');
  // Well below the time: the check that comes with handing in plays whole games, and its verdict should come soon.
  const seconds = Math.min(task.seconds_per_move / 2, 0.25);
  const values = [JSON.stringify(task.game), task.size, depth, seconds].join(', ');
  const own = (name: string) => (python ? `globals().get("${name}")` : `typeof ${name} === 'function' ? ${name} : null`);
  const call = `_tengen(${values}, ${own('evaluate')}, ${own('pick')})`;
  return new File([`${code}\n${rest}\n\n${call}\n`], python ? 'main.py' : 'main.js', { type: 'text/plain' });
}
