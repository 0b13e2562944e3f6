// A student's code at work: a worker that is ended when it takes too long, one question at a time.
import type { Side } from '../api/types';
import { checkRecord, FORMAT, VERSION, type TreeRecord } from './record';

/** What was wrong with the code: `slow`, `syntax`, `throws`, `value`, `move`, `none`, `no-evaluate`, `worker`. */
export class StudentFault extends Error {
  constructor(
    readonly code: string,
    readonly detail: string,
  ) {
    super(`${code} ${detail}`);
  }
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
  record?: unknown;
  move?: number;
  fault?: string;
  detail?: string;
}

let next = 1;

/** Asks a fresh worker, so that nothing of one question is left for another, and ends it after the answer. */
function ask(job: 'search' | 'move', code: string, question: Question, milliseconds: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker('/student.js');
    const id = next++;
    const end = () => {
      clearTimeout(timer);
      worker.terminate();
    };
    const timer = setTimeout(() => {
      end();
      reject(new StudentFault('slow', String(milliseconds / 1000)));
    }, milliseconds);
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      // The student's code could send messages too; only an answer to this question counts.
      if (typeof data !== 'object' || data === null || data.id !== id) return;
      end();
      if (data.fault) reject(new StudentFault(data.fault, data.detail ?? ''));
      else resolve(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end();
      reject(new StudentFault('worker', event.message ?? ''));
    };
    worker.postMessage({ job, id, code, ...question, board: [...question.board] });
  });
}

/** The tree of a search with the student's evaluation. */
export async function studentTree(code: string, question: Question, milliseconds = 3000): Promise<TreeRecord> {
  const { record } = await ask('search', code, question, milliseconds);
  return checkRecord({ format: FORMAT, version: VERSION, ...(record as object) }, 'tree') as TreeRecord;
}

/** The student's move, as a cell's number; that the cell is empty was checked, the rules are the server's. */
export async function studentMove(code: string, question: Question, milliseconds = 3000): Promise<number> {
  const { move } = await ask('move', code, question, milliseconds);
  const cells = question.board.length * (question.board[0]?.length ?? 0);
  if (typeof move !== 'number' || !Number.isInteger(move) || move < 0 || move >= cells) throw new StudentFault('move', String(move));
  return move;
}

export const programs: Record<string, string> = {
  evaluate: `// Higher is better for \`me\` (1 black, 2 white).
// board.get(row, col) is 0 empty, 1 black, 2 white, -1 outside.
// board.rows, board.cols, board.moves(), board.neighbours(row, col)
function evaluate(board, me) {
  let score = 0;
  const middle = (board.rows - 1) / 2;
  for (let r = 0; r < board.rows; r++) {
    for (let c = 0; c < board.cols; c++) {
      const stone = board.get(r, c);
      if (stone === 0) continue;
      // Stones near the middle, and stones that touch their own.
      let worth = board.rows - Math.abs(r - middle) - Math.abs(c - middle);
      for (const [nr, nc] of board.neighbours(r, c)) {
        if (board.get(nr, nc) === stone) worth += 2;
      }
      score += stone === me ? worth : -worth;
    }
  }
  return score;
}
`,
  pick: `// Return [row, col] of an empty cell.
function pick(board, me) {
  const moves = board.moves();
  // Win at once if possible, else stop the opponent, else near the middle.
  for (const side of [me, 3 - me]) {
    for (const [r, c] of moves) {
      if (board.play(r, c, side).winner() === side) return [r, c];
    }
  }
  const middle = (board.rows - 1) / 2;
  const far = ([r, c]) => Math.abs(r - middle) + Math.abs(c - middle);
  return moves.sort((a, b) => far(a) - far(b))[0];
}
`,
  loop: `function evaluate(board, me) {
  while (true) {}
}
`,
  nonsense: `function evaluate(board, me) {
  return "good";
}
`,
};
