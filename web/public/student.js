// Runs a student's own code, in JavaScript or Python: in a worker of its own, with a policy of its own that lets it reach
// nothing. The page ends the worker when it takes too long. Here is a small model of the rules, enough to search with;
// real games are refereed by the server.
//
// What a program sees is the class Board below (guide/en/watching.md); the Python class in `runtime` has the same methods and
// asks this one who has won.
//
// A module: functions that a program makes from text see the global scope only, and nothing here is in it.

// What could reach beyond this worker although the policy forbids every connection: storage, and other pages. The page
// gets its answers through a port that the program never sees.
const reply = self.postMessage.bind(self);
for (const name of [
  ...['indexedDB', 'caches', 'BroadcastChannel', 'postMessage', 'importScripts', 'fetch', 'XMLHttpRequest', 'WebSocket'],
  ...['EventSource', 'WebTransport', 'Worker', 'SharedWorker', 'FileReaderSync', 'Notification'],
]) {
  for (let scope = self; scope; scope = Object.getPrototypeOf(scope)) {
    if (Object.hasOwn(scope, name)) delete scope[name];
  }
  Object.defineProperty(self, name, { value: undefined, writable: name === 'fetch', configurable: false });
}

for (const name of ['storage', 'locks', 'serviceWorker', 'permissions', 'usb', 'hid', 'serial', 'gpu'])
  delete WorkerNavigator.prototype[name];

/** WebAssembly memory that a Python program may take, in pages of 64 KiB. */
const PAGES = 8192;
const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength / 65536 + pages > PAGES) throw new RangeError('out of memory');
  return grow.call(this, pages);
};

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

/** Tells the page that the student's code is at fault, where (line 0: not known), and stops. */
class Fault extends Error {
  constructor(code, detail, line = 0) {
    super(detail);
    this.code = code;
    this.line = line;
  }
}

let student = { evaluate: null, pick: null, path: null };

/** Lines that `new Function` and `load` put before the program's own. */
const BEFORE = 3;

/** The program's line in an error's stack, or 0. */
function lineOf(error) {
  const found = /<anonymous>:(\d+):\d+|Function:(\d+):\d+/.exec(String(error?.stack ?? ''));
  return found ? Math.max(0, Number(found[1] ?? found[2]) - BEFORE) : 0;
}

async function load(language, code) {
  if (language === 'python') {
    student = await loadPython(code);
  } else loadScript(code);
  if (!student.evaluate && !student.pick && !student.path) throw new Fault('none', '');
}

function loadScript(code) {
  let made;
  try {
    made = new Function(
      `"use strict";\n${code}\n;return { evaluate: typeof evaluate === 'function' ? evaluate : null, pick: typeof pick === 'function' ? pick : null, path: typeof path === 'function' ? path : null };`,
    )();
  } catch (error) {
    throw new Fault('syntax', String(error), lineOf(error));
  }
  student = made;
}

function call(name, ...values) {
  try {
    return student[name](...values);
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('throws', `${name}: ${error}`, lineOf(error));
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

/** Alpha-beta over the student's evaluation, written down as guide/en/records.md has it. */
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
    if (!student.evaluate) throw new Fault('no-pick', '');
    const found = search(ask);
    if (found.result.best === null) throw new Fault('move', '');
    return found.result.best;
  }
  const got = call('pick', board, me);
  const [r, c] = Array.isArray(got) ? got : [];
  if (!Number.isInteger(r) || !Number.isInteger(c) || board.get(r, c) !== 0) throw new Fault('move', describe(got));
  return r * board.cols + c;
}

/** A map that a program searches: cells are [row, col]. Every cell whose neighbours it asks for counts as expanded. */
class Maze {
  constructor(lines, record) {
    this.lines = lines;
    this.rows = lines.length;
    this.cols = lines[0].length;
    this.record = record;
    const find = (letter) => {
      const row = lines.findIndex((line) => line.includes(letter));
      return [row, lines[row].indexOf(letter)];
    };
    this.start = find('S');
    this.goal = find('G');
    this.g = new Map([[this.number(this.start), 0]]);
  }
  number([row, col]) {
    return row * this.cols + col;
  }
  /** What it costs to enter a cell; 0 for a wall. */
  cost([row, col]) {
    const letter = this.lines[row]?.[col] ?? '#';
    return letter === '#' ? 0 : letter >= '2' && letter <= '9' ? Number(letter) : 1;
  }
  neighbours(cell) {
    if (!Array.isArray(cell) || this.cost(cell) === 0) throw new Fault('path', describe(cell));
    const here = this.number(cell);
    const g = this.g.get(here) ?? 0;
    this.note(1, here, -1, g);
    const found = [];
    for (const [down, right] of [
      [-1, 0],
      [0, 1],
      [1, 0],
      [0, -1],
    ]) {
      const next = [cell[0] + down, cell[1] + right];
      const cost = this.cost(next);
      if (!cost) continue;
      found.push(next);
      const at = this.number(next);
      if (g + cost < (this.g.get(at) ?? Infinity)) {
        this.g.set(at, g + cost);
        this.note(0, at, here, g + cost);
      }
    }
    return found;
  }
  note(event, cell, from, g) {
    const { record } = this;
    if (record.event.length >= record.keep) {
      record.dropped++;
      return;
    }
    record.event.push(event);
    record.cell.push(cell);
    record.from.push(from);
    record.g.push(g);
    record.h.push(0);
  }
}

/** The program's path over a map, with every expansion written down as guide/en/records.md has it. */
function walkMap({ map, keep }) {
  const record = { event: [], cell: [], from: [], g: [], h: [], dropped: 0, keep };
  const maze = new Maze(map, record);
  maze.note(0, maze.number(maze.start), -1, 0);
  const began = performance.now();
  const got = call('path', maze);
  const cells = Array.isArray(got) ? got : [];
  let cost = 0;
  for (let i = 0; i < cells.length; i++) {
    const [cell, before] = [cells[i], cells[i - 1]];
    const near = !before || Math.abs(cell?.[0] - before[0]) + Math.abs(cell?.[1] - before[1]) === 1;
    if (!Array.isArray(cell) || !near || maze.cost(cell) === 0) throw new Fault('path', describe(got));
    if (before) cost += maze.cost(cell);
  }
  const ends =
    cells.length > 0 && maze.number(cells[0]) === maze.number(maze.start) && maze.number(cells.at(-1)) === maze.number(maze.goal);
  if (cells.length > 0 && !ends) throw new Fault('path', describe(got));
  delete record.keep;
  return {
    kind: 'path',
    algorithm: 'own',
    neighbours: '4',
    heuristic: '',
    weight: 1,
    rows: maze.rows,
    cols: maze.cols,
    map: map.map((line) => line.replace(/[SG]/g, '.')),
    start: maze.number(maze.start),
    goal: maze.number(maze.goal),
    result: {
      verdict: ends ? 'found' : 'none',
      cost: ends ? cost : null,
      path: cells.map((cell) => maze.number(cell)),
      expanded: record.event.filter((event) => event === 1).length,
      reopened: 0,
      rounds: 1,
      optimal: null,
      overestimates: null,
      seconds: (performance.now() - began) / 1000,
    },
    ...record,
  };
}

// Python: Pyodide's files come from the page, because this worker can fetch nothing.

let python = null;

/** Starts Python from files that the page has read. */
async function startPython(files) {
  const script = (data) => import(URL.createObjectURL(new Blob([data], { type: 'text/javascript' })));
  const [{ loadPyodide }, { default: createPyodideModule }] = [await script(files.loader), await script(files.module)];
  const types = { 'pyodide.asm.wasm': 'application/wasm', 'python_stdlib.zip': 'application/zip' };
  self.fetch = async (address) => {
    const name = String(address).split('/').at(-1);
    return new Response(files[name] ?? null, { status: files[name] ? 200 : 404, headers: { 'Content-Type': types[name] ?? 'text/plain' } });
  };
  const lockFileContents = new TextDecoder().decode(files.lock);
  python = await loadPyodide({
    indexURL: 'tengen:/',
    createPyodideModule,
    lockFileContents,
    jsglobals: { Object, Array, Error, Promise, Symbol, Date, setTimeout, clearTimeout },
  });
  Object.defineProperty(self, 'fetch', { value: undefined, writable: false, configurable: false });
  python.registerJsModule('_rules', { winner: (game, rows, cols, cells) => winnerOf(game, rows, cols, cells.toJs()) });
  python.runPython(runtime, { filename: 'tengen.py' });
}

function winnerOf(game, rows, cols, cells) {
  const board = Object.create(Board.prototype);
  return Object.assign(board, { game, rows, cols, cells, need: game === 'tictactoe' ? 3 : 5 }).winner();
}

/** What a Python program sees. Its board has the methods of the class above. */
const runtime = `
import sys, traceback
from _rules import winner as _winner

class Board:
    """get(row, col) is 0 empty, 1 black, 2 white, -1 outside."""
    def __init__(self, game, rows, cols, cells):
        self.game, self.rows, self.cols, self.cells = game, rows, cols, cells
    def get(self, row, col):
        inside = 0 <= row < self.rows and 0 <= col < self.cols
        return self.cells[row * self.cols + col] if inside else -1
    def moves(self):
        return [divmod(at, self.cols) for at, stone in enumerate(self.cells) if stone == 0]
    def neighbours(self, row, col):
        steps = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]
        if self.game != "hex":
            steps += [(-1, -1), (1, 1)]
        return [(row + r, col + c) for r, c in steps if self.get(row + r, col + c) >= 0]
    def play(self, row, col, side):
        cells = bytearray(self.cells)
        cells[row * self.cols + col] = side
        return Board(self.game, self.rows, self.cols, bytes(cells))
    def winner(self):
        return _winner(self.game, self.rows, self.cols, self.cells)

class Maze:
    """start, goal, rows, cols, cost(cell), neighbours(cell); a cell is (row, col)."""
    def __init__(self, maze):
        self._maze, self.rows, self.cols = maze, maze.rows, maze.cols
        self.start, self.goal = tuple(maze.start), tuple(maze.goal)
    def cost(self, cell):
        return self._maze.cost(_cell(cell))
    def neighbours(self, cell):
        return [tuple(c) for c in self._maze.neighbours(_cell(cell))]

def _cell(cell):
    from pyodide.ffi import to_js
    return to_js(list(cell))

_program = {}

def _load(code):
    _program.clear()
    _program.update({"__name__": "student", "Board": Board})
    return _guard(lambda: exec(compile(code, "student.py", "exec"), _program))

def _has(name):
    return callable(_program.get(name))

def _guard(work):
    """The answer, or the fault with its line and the program's own part of the traceback."""
    try:
        return [work(), None, 0]
    except SyntaxError as error:
        return [None, f"{type(error).__name__}: {error.msg}", error.lineno or 0]
    except BaseException as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == "student.py"]
        lines = "".join(f"\\n  line {f.lineno}, in {f.name}" for f in frames[-6:])
        return [None, f"{type(error).__name__}: {error}{lines}", frames[-1].lineno if frames else 0]

def _number(value):
    good = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if good else repr(value)[:80]

def _evaluate(game, rows, cols, cells, me):
    return _guard(lambda: _number(_program["evaluate"](Board(game, rows, cols, bytes(cells)), me)))

def _pick(game, rows, cols, cells, me):
    return _guard(lambda: _pair(_program["pick"](Board(game, rows, cols, bytes(cells)), me)))

def _pair(cell):
    if isinstance(cell, (tuple, list)) and len(cell) == 2 and all(type(c) is int for c in cell):
        return list(cell)
    return repr(cell)[:80]

def _path(maze):
    def work():
        path = _program["path"](Maze(maze))
        return [] if path is None else [_pair(cell) for cell in path]
    return _guard(work)
`;

/** Calls a function of the runtime; what the program did wrong is a fault. */
function callPython(name, ...values) {
  const answer = python.globals.get(name)(...values);
  const [got, wrong, line] = answer.toJs({ create_proxies: false });
  answer.destroy();
  if (wrong) throw new Fault(name === '_load' && wrong.includes('SyntaxError') ? 'syntax' : 'throws', wrong, line);
  return got;
}

async function loadPython(code) {
  if (!python) throw new Fault('worker', 'Python');
  callPython('_load', code);
  const has = (name) => python.globals.get('_has')(name);
  const board = (b, me) => [b.game, b.rows, b.cols, b.cells, me];
  return {
    evaluate: has('evaluate') ? (b, me) => callPython('_evaluate', ...board(b, me)) : null,
    pick: has('pick') ? (b, me) => callPython('_pick', ...board(b, me)) : null,
    path: has('path') ? (maze) => callPython('_path', maze) : null,
  };
}

self.addEventListener('message', async ({ data, isTrusted }) => {
  // A program may send this worker messages; only the page's are trusted.
  if (!isTrusted) return;
  try {
    if (data.job === 'start') {
      await startPython(data.files);
      reply({ id: data.id, ready: true });
      return;
    }
    await load(data.language, data.code);
    if (data.job === 'search') {
      if (!student.evaluate) throw new Fault('no-evaluate', '');
      reply({ id: data.id, record: search(data) });
    } else if (data.job === 'path') {
      if (!student.path) throw new Fault('no-path', '');
      reply({ id: data.id, record: walkMap(data) });
    } else reply({ id: data.id, move: move(data) });
  } catch (error) {
    reply({
      id: data.id,
      fault: error instanceof Fault ? error.code : 'throws',
      detail: String(error.message ?? error).slice(0, 600),
      line: error.line ?? 0,
    });
  }
});

// Not valid in a classic script: loaded as one, nothing runs.
export {};
