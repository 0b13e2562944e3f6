// A student's code at work: a worker that is ended when it takes too long, one question at a time.
import type { Side } from '../api/types';
import { NoEngine, rulesOf } from '../engine/load';
import { SITE } from '../engine/place.svelte';
import { startFiles, type PythonFiles } from './python';
import { checkRecord, FORMAT, VERSION, type PathRecord, type TreeRecord } from './record';

export type Language = 'javascript' | 'python';

/** What was wrong with the code: `slow`, `syntax`, `throws`, `value`, `move`, `path`, `none`, `no-evaluate`, `no-pick`,
 *  `no-path`, `no-policy`, `no-rules`, `board`, `worker`; and its line, 0 where that is not known. */
export class StudentFault extends Error {
  constructor(
    readonly code: string,
    readonly detail: string,
    readonly line = 0,
  ) {
    super(`${code} ${detail}`);
  }
}

/** A program as the student wrote it. */
export interface Program {
  language: Language;
  code: string;
}

export interface Question {
  game: string;
  board: readonly string[];
  toMove: Side;
  depth: number;
  /** Nodes at most. */
  keep: number;
}

interface Answer {
  id: number;
  ready?: boolean;
  record?: unknown;
  move?: number;
  fault?: string;
  detail?: string;
  line?: number;
}

/** Not part of the bundle: the server sends it with a policy of its own. */
const SCRIPT = `${import.meta.env.BASE_URL}student.js`;

/** The worker's time to start: the engines and Python may come over a slow line. */
const START = 60_000;

/** A worker for one program, with the rules of the engines; `files` make it one for Python. On a static site the service worker adds the policy: where it does not control the page (after
 *  a forced reload, in some private windows), no program runs. */
async function startWorker(files?: PythonFiles): Promise<Worker> {
  if (SITE && !(await controlled(20_000))) throw new StudentFault('no-policy', '');
  const rules = await rulesOf().catch((error: unknown) => {
    throw error instanceof NoEngine ? new StudentFault('no-rules', error.message) : error;
  });
  const worker = new Worker(SCRIPT, { type: 'module' });
  await send(worker, { job: 'start', rules, files }, files ? Object.values(files) : [], START);
  return worker;
}

/** Does a service worker control the page? At the first visit it takes over once it has kept all files. */
async function controlled(milliseconds: number): Promise<boolean> {
  if (!('serviceWorker' in navigator)) return false;
  const workers = navigator.serviceWorker;
  if (!workers.controller) {
    await new Promise<void>((go) => {
      workers.addEventListener('controllerchange', () => go(), { once: true });
      setTimeout(go, milliseconds);
    });
  }
  return workers.controller !== null;
}

let next = 1;

/** A worker in which Python is ready, kept for the next question; a program in JavaScript could spoil it for the next one, and
 *  gets a fresh one each time. */
let warm: Worker | null = null;

/** One message to a worker and its answer; a worker that is late or broken is ended. */
function send(worker: Worker, message: object, transfer: Transferable[], milliseconds: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const id = next++;
    const end = (fault: StudentFault) => {
      clearTimeout(timer);
      worker.terminate();
      reject(fault);
    };
    const timer = setTimeout(() => end(new StudentFault('slow', String(milliseconds / 1000))), milliseconds);
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (typeof data !== 'object' || data === null || data.id !== id) return;
      clearTimeout(timer);
      if (data.fault) reject(new StudentFault(data.fault, data.detail ?? '', data.line ?? 0));
      else resolve(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end(new StudentFault('worker', event.message ?? ''));
    };
    worker.postMessage({ ...message, id }, transfer);
  });
}

async function ask(job: 'search' | 'move' | 'path', program: Program, question: object, milliseconds: number): Promise<Answer> {
  const python = program.language === 'python';
  const worker = python ? (warm ?? (await startWorker(await startFiles()))) : await startWorker();
  // Taken while it works: two questions never share a worker, and one that did not come back is not used again.
  warm = null;
  let broken = false;
  try {
    return await send(worker, { job, ...program, ...question }, [], milliseconds);
  } catch (error) {
    broken = error instanceof StudentFault && (error.code === 'slow' || error.code === 'worker');
    throw error;
  } finally {
    if (python && !broken) warm = worker;
    else worker.terminate();
  }
}

/** The tree of a search with the student's evaluation. */
export async function studentTree(program: Program, question: Question, milliseconds = 3000): Promise<TreeRecord> {
  const { record } = await ask('search', program, { ...question, board: [...question.board] }, milliseconds);
  return checkRecord({ format: FORMAT, version: VERSION, ...(record as object) }, 'tree') as TreeRecord;
}

/** The student's path over a map of `S`, `G`, `#`, `.` and digits, with what it expanded on the way. */
export async function studentPath(program: Program, map: string[], milliseconds = 3000): Promise<PathRecord> {
  const { record } = await ask('path', program, { map, keep: 50_000 }, milliseconds);
  return checkRecord({ format: FORMAT, version: VERSION, ...(record as object) }, 'path') as PathRecord;
}

/** The student's move, as a cell's number; that the cell is empty was checked, the rules are the server's. */
export async function studentMove(program: Program, question: Question, milliseconds = 3000): Promise<number> {
  const { move } = await ask('move', program, { ...question, board: [...question.board] }, milliseconds);
  const cells = question.board.length * (question.board[0]?.length ?? 0);
  if (typeof move !== 'number' || !Number.isInteger(move) || move < 0 || move >= cells) throw new StudentFault('move', String(move));
  return move;
}
