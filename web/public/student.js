// Runs a student's own code, in JavaScript or Python: in a worker of its own, with a policy of its own that lets it reach
// nothing. The page ends the worker when it takes too long. The rules are those of the engines: their WebAssembly comes from
// the page (crates/wasm/src/student.rs), and real games are refereed elsewhere all the same.
//
// What a program sees is the class Board below (guide/en/watching.md); the Python class in `runtime` has the same methods and
// asks this one.
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

/** Scripts that the page has read: this worker can fetch nothing. */
async function imported(data) {
  const address = URL.createObjectURL(new Blob([data], { type: 'text/javascript' }));
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** The bindings of crates/wasm. */
let engine = null;

/** As it is before a program's arrays are counted. */
const Cells = Uint8Array;

/** One board of the engine's, played on and taken back as positions are asked about; no two questions make another one. */
class Rules {
  static #known = new Map();
  /** The place that the engine's board shows: a move and what was there before it. */
  #at = null;
  #neighbours = [];

  constructor(game, rows, cols) {
    this.board = engine.student_board(game, rows, cols);
    if (!this.board) throw new Fault('board', `${rows}x${cols}`);
  }

  static of(game, rows, cols) {
    const name = `${game} ${rows} ${cols}`;
    if (!Rules.#known.has(name)) Rules.#known.set(name, new Rules(game, rows, cols));
    return Rules.#known.get(name);
  }

  /** Begins with these stones. */
  root(cells) {
    while (this.board.undo());
    cells.forEach((side, cell) => side && this.board.play(cell, side));
    return (this.#at = { before: null, ply: 0, cell: -1, side: 0 });
  }

  /** Has the engine's board show a place: back to where the ways part, then forward. */
  go(place) {
    const way = [];
    let to = place;
    while (this.#at !== to) {
      if (this.#at.ply >= to.ply) {
        if (!this.#at.before) throw new Error('this board belongs to an earlier question');
        this.board.undo();
        this.#at = this.#at.before;
      } else {
        way.push(to);
        to = to.before;
      }
    }
    for (const step of way.reverse()) this.board.play(step.cell, step.side);
    this.#at = place;
    return this.board;
  }

  /** The place after a move; null where the rules refuse it. */
  play(before, cell, side) {
    if (!this.go(before).play(cell, side)) return null;
    return (this.#at = { before, ply: before.ply + 1, cell, side });
  }

  neighbours(cell) {
    return (this.#neighbours[cell] ??= this.board.neighbours(cell));
  }
}

/** A board that the student's code sees: `get(row, col)` is 0 empty, 1 black, 2 white. */
class Board {
  #rules;
  #place;
  #cells;

  constructor(game, rows, cols, rules, place, cells) {
    this.game = game;
    this.rows = rows;
    this.cols = cols;
    this.#rules = rules;
    this.#place = place;
    this.#cells = cells;
  }

  static of(game, lines) {
    const [rows, cols] = [lines.length, lines[0].length];
    const cells = new Cells([...lines.join('')].map((letter) => '.XO'.indexOf(letter)));
    const rules = Rules.of(game, rows, cols);
    return new Board(game, rows, cols, rules, rules.root(cells), cells);
  }

  #number(row, col) {
    const inside = Number.isInteger(row) && Number.isInteger(col) && row >= 0 && col >= 0 && row < this.rows && col < this.cols;
    return inside ? row * this.cols + col : -1;
  }

  get(row, col) {
    const cell = this.#number(row, col);
    return cell < 0 ? -1 : this.#cells[cell];
  }

  moves() {
    return this.#pairs(this.#rules.go(this.#place).moves());
  }

  neighbours(row, col) {
    const cell = this.#number(row, col);
    return cell < 0 ? [] : this.#pairs(this.#rules.neighbours(cell));
  }

  #pairs(cells) {
    return Array.from(cells, (cell) => [Math.floor(cell / this.cols), cell % this.cols]);
  }

  /** The board after a move of either side; this one stays as it is. */
  play(row, col, side) {
    const cell = this.#number(row, col);
    const place = cell < 0 ? null : this.#rules.play(this.#place, cell, side);
    if (!place) throw new RangeError(`play(${describe(row)}, ${describe(col)}, ${describe(side)}): not an empty cell, or no side`);
    const cells = new Cells(this.#cells);
    cells[cell] = side;
    return new Board(this.game, this.rows, this.cols, this.#rules, place, cells);
  }

  /** Who has won: 1, 2, or 0. */
  winner() {
    return this.#rules.go(this.#place).winner();
  }

  /** How many cells are empty. */
  static left(board) {
    return board.#rules.go(board.#place).left();
  }

  /** The empty cells by their numbers. */
  static open(board) {
    return board.#rules.go(board.#place).moves();
  }

  static cells(board) {
    return board.#cells;
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

/** Bytes of arrays that a JavaScript program may make in all, those it has dropped included: nothing tells what it still holds. */
const MOST_BYTES = 2 ** 31;

/** Counts what a JavaScript program makes beside the heap, which the browser bounds itself. */
function limitArrays() {
  let left = MOST_BYTES;
  const limit = (scope, name, bytes) => {
    const original = scope[name];
    if (!original) return;
    const limited = new Proxy(original, {
      construct(target, values, made) {
        const array = Reflect.construct(target, values, made);
        left -= bytes(array, values[0]);
        if (left < 0) throw new RangeError('out of memory');
        return array;
      },
    });
    Object.defineProperty(scope, name, { value: limited, writable: true, configurable: true });
    original.prototype.constructor = limited;
  };
  const shares = (from) => from instanceof ArrayBuffer || (globalThis.SharedArrayBuffer && from instanceof SharedArrayBuffer);
  for (const name of [
    'Int8',
    'Uint8',
    'Uint8Clamped',
    'Int16',
    'Uint16',
    'Int32',
    'Uint32',
    'Float16',
    'Float32',
    'Float64',
    'BigInt64',
    'BigUint64',
  ])
    limit(globalThis, `${name}Array`, (array, from) => (shares(from) ? 0 : array.byteLength));
  for (const name of ['ArrayBuffer', 'SharedArrayBuffer']) limit(globalThis, name, (buffer) => buffer.maxByteLength ?? buffer.byteLength);
  limit(WebAssembly, 'Memory', (memory) => memory.buffer.byteLength);
}

function loadScript(code) {
  limitArrays();
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
      return Board.left(board) > 0 ? value(board, me) : 0;
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
  const board = Board.of(game, lines);
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
  const board = Board.of(ask.game, ask.board);
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
  #map;
  #record;
  #g;

  constructor(lines, record) {
    this.#map = engine.student_map(`${lines.join('\n')}\n`);
    if (!this.#map) throw new Fault('board', '');
    this.rows = lines.length;
    this.cols = lines[0].length;
    this.#record = record;
    this.start = this.#pair(this.#map.start());
    this.goal = this.#pair(this.#map.goal());
    this.#g = new Map([[this.#map.start(), 0]]);
  }
  #pair(number) {
    return [Math.floor(number / this.cols), number % this.cols];
  }
  number([row, col]) {
    return row * this.cols + col;
  }
  /** What it costs to enter a cell; 0 for a wall. */
  cost([row, col]) {
    return Number.isInteger(row) && Number.isInteger(col) ? this.#map.cost(row, col) : 0;
  }
  neighbours(cell) {
    if (!Array.isArray(cell) || this.cost(cell) === 0) throw new Fault('path', describe(cell));
    const here = this.number(cell);
    const g = this.#g.get(here) ?? 0;
    this.note(1, here, -1, g);
    return Array.from(this.#map.neighbours(cell[0], cell[1]), (at) => {
      const next = this.#pair(at);
      const cost = g + this.cost(next);
      if (cost < (this.#g.get(at) ?? Infinity)) {
        this.#g.set(at, cost);
        this.note(0, at, here, cost);
      }
      return next;
    });
  }
  note(event, cell, from, g) {
    const record = this.#record;
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
  const [{ loadPyodide }, { default: createPyodideModule }] = [await imported(files.loader), await imported(files.module)];
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
  python.registerJsModule('_rules', {
    cells: (board) => Board.cells(board),
    moves: (board) => Board.open(board),
    play: (board, row, col, side) => board.play(row, col, side),
    winner: (board) => board.winner(),
    neighbours: (board) => Array.from(Board.cells(board), (_, cell) => board.neighbours(Math.floor(cell / board.cols), cell % board.cols)),
  });
  python.runPython(runtime, { filename: 'tengen.py' });
}

/** What a Python program sees. Its board has the methods of the class above, and asks it; the stones are copied, so that
 *  to read them costs no call. */
const runtime = `
import sys, traceback
from _rules import cells as _cells, moves as _moves, neighbours as _neighbours, play as _play, winner as _winner
from pyodide.ffi import JsException as _JsException

_near = {}

class Board:
    """get(row, col) is 0 empty, 1 black, 2 white, -1 outside."""
    def __init__(self, board, cells=None):
        self._board, self.game, self.rows, self.cols = board, board.game, board.rows, board.cols
        self._cells = _cells(board).to_bytes() if cells is None else cells
    def get(self, row, col):
        inside = 0 <= row < self.rows and 0 <= col < self.cols
        return self._cells[row * self.cols + col] if inside else -1
    def moves(self):
        return [divmod(at, self.cols) for at in memoryview(_moves(self._board).to_bytes()).cast("H")]
    def neighbours(self, row, col):
        board = (self.game, self.rows, self.cols)
        if board not in _near:
            _near[board] = [[tuple(cell) for cell in near] for near in _neighbours(self._board).to_py()]
        inside = 0 <= row < self.rows and 0 <= col < self.cols
        return list(_near[board][row * self.cols + col]) if inside else []
    def play(self, row, col, side):
        try:
            board = _play(self._board, row, col, side)
        except _JsException as error:
            raise ValueError(error.message) from None
        cells = bytearray(self._cells)
        cells[row * self.cols + col] = side
        return Board(board, bytes(cells))
    def winner(self):
        return _winner(self._board)

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

def _evaluate(board, me):
    return _guard(lambda: _number(_program["evaluate"](Board(board), me)))

def _pick(board, me):
    return _guard(lambda: _pair(_program["pick"](Board(board), me)))

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
  return {
    evaluate: has('evaluate') ? (board, me) => callPython('_evaluate', board, me) : null,
    pick: has('pick') ? (board, me) => callPython('_pick', board, me) : null,
    path: has('path') ? (maze) => callPython('_path', maze) : null,
  };
}

self.addEventListener('message', async ({ data, isTrusted }) => {
  // A program may send this worker messages; only the page's are trusted.
  if (!isTrusted) return;
  try {
    if (data.job === 'start') {
      engine = await imported(data.rules.script);
      await engine.default({ module_or_path: data.rules.module });
      if (data.files) await startPython(data.files);
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
