// Runs a student's own code: in a worker of its own, with a policy of its own that lets it reach nothing. The page
// ends the worker when it takes too long. Here is a small model of the rules, enough to search with; real games are
// refereed by the server.
'use strict';

/** A board that the student's code sees: `get(row, col)` is 0 empty, 1 black, 2 white. */
class Board {
  constructor(game, lines) {
    this.game = game;
    this.rows = lines.length;
    this.cols = lines[0].length;
    this.cells = new Uint8Array(this.rows * this.cols);
    lines.forEach((line, r) => [...line].forEach((c, col) => (this.cells[r * this.cols + col] = c === 'X' ? 1 : c === 'O' ? 2 : 0)));
    this.need = game === 'tictactoe' ? 3 : 5;
  }
  get(row, col) {
    return row < 0 || col < 0 || row >= this.rows || col >= this.cols ? -1 : this.cells[row * this.cols + col];
  }
  moves() {
    const list = [];
    for (let i = 0; i < this.cells.length; i++) if (this.cells[i] === 0) list.push([Math.floor(i / this.cols), i % this.cols]);
    return list;
  }
  neighbours(row, col) {
    const steps =
      this.game === 'hex'
        ? [
            [-1, 0],
            [-1, 1],
            [0, -1],
            [0, 1],
            [1, -1],
            [1, 0],
          ]
        : [
            [-1, -1],
            [-1, 0],
            [-1, 1],
            [0, -1],
            [0, 1],
            [1, -1],
            [1, 0],
            [1, 1],
          ];
    return steps.map(([r, c]) => [row + r, col + c]).filter(([r, c]) => this.get(r, c) >= 0);
  }
  play(row, col, side) {
    const copy = Object.assign(Object.create(Board.prototype), this);
    copy.cells = this.cells.slice();
    copy.cells[row * this.cols + col] = side;
    return copy;
  }
  /** Who has won: 1, 2, or 0. */
  winner() {
    return this.game === 'hex' ? this.joined() : this.row();
  }
  row() {
    const { rows, cols, need } = this;
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < cols; c++) {
        const side = this.cells[r * cols + c];
        if (!side) continue;
        for (const [dr, dc] of [
          [0, 1],
          [1, 0],
          [1, 1],
          [1, -1],
        ]) {
          let k = 1;
          while (k < need && this.get(r + dr * k, c + dc * k) === side) k++;
          if (k === need) return side;
        }
      }
    }
    return 0;
  }
  joined() {
    for (const side of [1, 2]) {
      const seen = new Uint8Array(this.cells.length);
      const stack = [];
      const count = side === 1 ? this.cols : this.rows;
      for (let i = 0; i < count; i++) {
        const [r, c] = side === 1 ? [0, i] : [i, 0];
        if (this.get(r, c) === side) stack.push([r, c]);
      }
      while (stack.length) {
        const [r, c] = stack.pop();
        if (seen[r * this.cols + c]++) continue;
        if (side === 1 ? r === this.rows - 1 : c === this.cols - 1) return side;
        for (const [nr, nc] of this.neighbours(r, c)) if (this.get(nr, nc) === side) stack.push([nr, nc]);
      }
    }
    return 0;
  }
}

/** Tells the page that the student's code is at fault, and stops. */
class Fault extends Error {
  constructor(code, detail) {
    super(detail);
    this.code = code;
  }
}

let student = { evaluate: null, pick: null };

function load(code) {
  let made;
  try {
    made = new Function(
      `"use strict";\n${code}\n;return { evaluate: typeof evaluate === 'function' ? evaluate : null, pick: typeof pick === 'function' ? pick : null };`,
    )();
  } catch (error) {
    throw new Fault('syntax', String(error));
  }
  if (!made.evaluate && !made.pick) throw new Fault('none', '');
  student = made;
}

function call(name, ...values) {
  try {
    return student[name](...values);
  } catch (error) {
    throw new Fault('throws', `${name}: ${error}`);
  }
}

function value(board, me) {
  const got = call('evaluate', board, me);
  if (typeof got !== 'number' || !Number.isFinite(got)) throw new Fault('value', describe(got));
  return got;
}

function describe(got) {
  try {
    return String(typeof got === 'object' ? JSON.stringify(got) : got).slice(0, 80);
  } catch {
    return typeof got;
  }
}

const WIN = 1e6;

/** Alpha-beta over the student's evaluation, written down as docs/records.md has it. */
function search({ game, board: lines, toMove, depth, keep }) {
  const me = toMove === 'black' ? 1 : 2;
  const record = { parent: [-1], move: [-1], alpha: [null], beta: [null], value: [null], events: [], cuts: [], dropped: 0 };
  const finite = (v) => (Number.isFinite(v) ? v : null);
  const result = {
    best: null,
    value: 0,
    line: [],
    root: [],
    completed: true,
    nodes: 0,
    leaves: 0,
    cutoffs: 0,
    table_hits: 0,
    full_tree: 0,
    best_case: 0,
    prune_ratio: 0,
    seconds: 0,
  };
  const began = performance.now();
  let full = false;
  const walk = (board, node, ply, alpha, beta, alphaFrom, betaFrom) => {
    const won = board.winner();
    if (won) return won === me ? WIN - ply : ply - WIN;
    const moves = ply < depth ? board.moves() : [];
    if (!moves.length) {
      result.leaves++;
      return board.cells.includes(0) ? value(board, me) : 0;
    }
    const side = ply % 2 === 0 ? me : 3 - me;
    const max = side === me;
    for (let i = 0; i < moves.length; i++) {
      if (record.parent.length > keep) {
        full = true;
        result.completed = false;
        break;
      }
      const [r, c] = moves[i];
      const child = record.parent.length;
      result.nodes++;
      record.parent.push(node);
      record.move.push(r * board.cols + c);
      record.alpha.push(finite(alpha));
      record.beta.push(finite(beta));
      record.value.push(null);
      record.events.push(child * 8);
      const before = result.nodes;
      const got = walk(board.play(r, c, side), child, ply + 1, alpha, beta, alphaFrom, betaFrom);
      if (full) break;
      record.value[child] = got;
      record.events.push(child * 8 + 1);
      if (ply === 0) result.root.push([r * board.cols + c, got, result.nodes - before + 1]);
      if (max ? got > alpha : got < beta) {
        if (max) [alpha, alphaFrom] = [got, ply];
        else [beta, betaFrom] = [got, ply];
        record.events.push(child * 8 + 2);
        if (ply === 0) result.best = r * board.cols + c;
      }
      if (alpha >= beta && i + 1 < moves.length) {
        result.cutoffs++;
        record.cuts.push([node, child, max ? 1 : 0, max ? beta : alpha, (max ? betaFrom : alphaFrom) ?? -1, moves.length - i - 1]);
        record.events.push(node * 8 + 3);
        break;
      }
      if (alpha >= beta) break;
    }
    return max ? alpha : beta;
  };
  const board = new Board(game, lines);
  const top = walk(board, 0, 0, -Infinity, Infinity, null, null);
  result.value = finite(top) ?? 0;
  record.value[0] = finite(top);
  result.seconds = (performance.now() - began) / 1000;
  return {
    kind: 'tree',
    algorithm: 'alphabeta',
    game,
    rows: board.rows,
    cols: board.cols,
    board: lines,
    to_move: toMove,
    max: toMove,
    engine: 'own',
    options: {},
    depth,
    result,
    ...record,
  };
}

/** A move of the student's: its own pick, or the best of a search with its evaluation. */
function move(ask) {
  const board = new Board(ask.game, ask.board);
  const me = ask.toMove === 'black' ? 1 : 2;
  if (!student.pick) {
    const found = search(ask);
    if (found.result.best === null) throw new Fault('move', '');
    return found.result.best;
  }
  const got = call('pick', board, me);
  const [r, c] = Array.isArray(got) ? got : [];
  if (!Number.isInteger(r) || !Number.isInteger(c) || board.get(r, c) !== 0) throw new Fault('move', describe(got));
  return r * board.cols + c;
}

onmessage = ({ data }) => {
  try {
    load(data.code);
    if (data.job === 'search') {
      if (!student.evaluate) throw new Fault('no-evaluate', '');
      postMessage({ id: data.id, record: search(data) });
    } else postMessage({ id: data.id, move: move(data) });
  } catch (error) {
    postMessage({
      id: data.id,
      fault: error instanceof Fault ? error.code : 'throws',
      detail: String(error.message ?? error).slice(0, 300),
    });
  }
};
