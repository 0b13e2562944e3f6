// ---- What follows makes the program above one that a class can run: a board, a search, and the protocols. ----
function _tengen(game, size, depth, seconds, evaluate, pick) {
  class Board {
    constructor(rows, cols, cells = new Uint8Array(rows * cols)) {
      [this.game, this.rows, this.cols, this.cells] = [game, rows, cols, cells];
    }
    get(row, col) {
      return row < 0 || col < 0 || row >= this.rows || col >= this.cols ? -1 : this.cells[row * this.cols + col];
    }
    moves() {
      const list = [];
      this.cells.forEach((stone, at) => stone || list.push([Math.floor(at / this.cols), at % this.cols]));
      return list;
    }
    neighbours(row, col) {
      const steps = [
        [-1, 0],
        [-1, 1],
        [0, -1],
        [0, 1],
        [1, -1],
        [1, 0],
      ];
      if (game !== 'hex') steps.push([-1, -1], [1, 1]);
      return steps.map(([r, c]) => [row + r, col + c]).filter(([r, c]) => this.get(r, c) >= 0);
    }
    play(row, col, side) {
      const cells = this.cells.slice();
      cells[row * this.cols + col] = side;
      return new Board(this.rows, this.cols, cells);
    }
    winner() {
      return game === 'hex' ? this.joined() : this.row();
    }
    row() {
      for (let at = 0; at < this.cells.length; at++) {
        const side = this.cells[at];
        if (!side) continue;
        const [r, c] = [Math.floor(at / this.cols), at % this.cols];
        for (const [dr, dc] of [
          [0, 1],
          [1, 0],
          [1, 1],
          [1, -1],
        ])
          if ([1, 2, 3, 4].every((k) => this.get(r + dr * k, c + dc * k) === side)) return side;
      }
      return 0;
    }
    joined() {
      for (const side of [1, 2]) {
        const seen = new Set();
        const stack = [];
        for (let i = 0; i < (side === 1 ? this.cols : this.rows); i++) stack.push(side === 1 ? [0, i] : [i, 0]);
        while (stack.length) {
          const [r, c] = stack.pop();
          if (this.get(r, c) !== side || seen.has(r * this.cols + c)) continue;
          seen.add(r * this.cols + c);
          if (side === 1 ? r === this.rows - 1 : c === this.cols - 1) return side;
          stack.push(...this.neighbours(r, c));
        }
      }
      return 0;
    }
  }

  const OUT_OF_TIME = Symbol('out of time');
  function value(board, me, side, plies, alpha, beta, end) {
    if (performance.now() > end) throw OUT_OF_TIME;
    const winner = board.winner();
    if (winner) return (1e6 + plies) * (winner === me ? 1 : -1);
    const moves = board.moves();
    if (!moves.length) return 0;
    if (plies === 0) return evaluate(board, me);
    for (const [r, c] of moves) {
      const got = value(board.play(r, c, side), me, 3 - side, plies - 1, alpha, beta, end);
      if (side === me) alpha = Math.max(alpha, got);
      else beta = Math.min(beta, got);
      if (alpha >= beta) break;
    }
    return side === me ? alpha : beta;
  }
  /** Alpha-beta with the program's evaluation, a ply deeper as long as there is time. */
  function search(board, me) {
    const end = performance.now() + 1000 * seconds;
    let best = board.moves()[0];
    try {
      for (let plies = 1; plies <= depth; plies++) {
        let [found, alpha] = [null, -Infinity];
        for (const [r, c] of board.moves()) {
          const got = value(board.play(r, c, me), me, 3 - me, plies - 1, alpha, Infinity, end);
          if (!found || got > alpha) [found, alpha] = [[r, c], got];
        }
        best = found;
      }
    } catch (error) {
      if (error !== OUT_OF_TIME) throw error;
    }
    return best;
  }

  let board = new Board(size, size);
  const count = (side) => board.cells.filter((stone) => stone === side).length;
  let lead = 1; // who moves where both have as many stones
  const next = () => (count(1) === count(2) ? lead : 3 - lead);
  const put = (row, col, side = next()) => (board = board.play(row, col, side));
  function answer(me = next()) {
    const [r, c] = pick ? pick(board, me) : search(board, me);
    put(r, c, me);
    return [r, c];
  }
  const name = ([r, c]) => String.fromCharCode(97 + c) + (game === 'hex' ? r + 1 : board.rows - r);
  const MALFORMED = Symbol('malformed');
  /** The cell, if a stone may be put there. */
  function free(row, col) {
    if (board.get(row, col) !== 0) throw MALFORMED;
    return [row, col];
  }
  function cell(word = '') {
    if (!/^[a-zA-Z]\d+$/.test(word)) throw MALFORMED;
    const number = Number(word.slice(1));
    return free(game === 'hex' ? number - 1 : board.rows - number, word.toLowerCase().charCodeAt(0) - 97);
  }
  function numbers(words, count) {
    if (words.length !== count || !words.every((word) => /^\d+$/.test(word))) throw MALFORMED;
    return words.map(Number);
  }
  function empty(rows, cols) {
    if (!(rows >= 1 && rows <= 30 && cols >= 1 && cols <= 30)) throw MALFORMED;
    return new Board(rows, cols);
  }
  // What the program prints is for its log; only moves go to the referee.
  const say = (text) => process.stdout.write(`${text}\n`);
  console.log = console.error;

  let listed = null;
  function gomocup(line) {
    const words = line.replaceAll(',', ' ').split(/\s+/);
    const word = words[0].toUpperCase();
    if (listed && word !== 'DONE') listed.push(numbers(words, 3));
    else if (word === 'START') {
      const [side] = numbers(words.slice(1), 1);
      board = empty(side, side);
      say('OK');
    } else if (word === 'RESTART') {
      board = new Board(board.rows, board.cols);
      say('OK');
    } else if (word === 'BEGIN' || word === 'TURN') {
      if (word === 'TURN') {
        const [x, y] = numbers(words.slice(1), 2);
        put(...free(y, x));
      }
      const [r, c] = answer();
      say(`${c},${r}`);
    } else if (word === 'BOARD') listed = [];
    else if (word === 'DONE' && listed) {
      const of = (who) => listed.filter((stone) => stone[2] === who).length;
      const me = of(1) === of(2) ? 1 : 2;
      board = new Board(board.rows, board.cols);
      for (const [x, y, who] of listed) put(...free(y, x), who === 1 ? me : 3 - me);
      listed = null;
      const [r, c] = answer(me);
      say(`${c},${r}`);
    } else if (word === 'ABOUT') say('name="own program", version="1"');
    else if (word === 'END') process.exit(0);
    else if (word !== 'INFO') say('UNKNOWN command');
  }

  const known = ['boardsize', 'clear_board', 'genmove', 'list_commands', 'name', 'play', 'protocol_version', 'quit', 'version'];
  function htp(words) {
    function side() {
      if (!/^[bw]/i.test(words[1] ?? '')) throw MALFORMED;
      return words[1][0].toLowerCase() === 'b' ? 1 : 2;
    }
    let text = { name: 'own program', version: '1', protocol_version: '2', list_commands: known.join('\n') }[words[0]] ?? '';
    if (words[0] === 'boardsize') {
      const [cols, rows = cols] = numbers(words.slice(1), Math.max(1, Math.min(2, words.length - 1)));
      board = empty(rows, cols);
    } else if (words[0] === 'clear_board') board = new Board(board.rows, board.cols);
    else if (words[0] === 'play') put(...cell(words[2]), side());
    else if (words[0] === 'genmove') text = name(answer(side()));
    else if (!known.includes(words[0])) return say('? unknown command\n');
    say(`= ${text}\n`);
    if (words[0] === 'quit') process.exit(0);
  }

  function botzone(question) {
    let last = question;
    const take = ({ x, y }) => x >= 0 && put(x, y);
    if (question.requests) {
      board = new Board(size, size);
      question.responses.forEach((response, turn) => [question.requests[turn], response].forEach(take));
      last = question.requests.at(-1);
    }
    take(last);
    const [r, c] = answer();
    say(JSON.stringify({ response: { x: r, y: c } }));
    say('>>>BOTZONE_REQUEST_KEEP_RUNNING<<<');
  }

  let speaksHtp = false;
  require('node:readline')
    .createInterface({ input: process.stdin })
    .on('line', (line) => {
      const words = line.trim().split(/\s+/);
      const [word] = words;
      speaksHtp ||= known.includes(word);
      if (!word) return;
      try {
        if (word.startsWith('{')) botzone(JSON.parse(line));
        else if (word === 'finish') process.exit(0);
        else if (word === 'change') {
          // The opponent takes the opening stone, mirrored on the long diagonal.
          const at = board.cells.indexOf(1);
          [board, lead] = [empty(board.rows, board.cols), 2];
          put(at % board.cols, Math.floor(at / board.cols), 2);
          say(name(answer(1)));
        } else if (word === 'first' || /^[a-z]\d+$/.test(word)) {
          if (word !== 'first') put(...cell(word));
          say(name(answer()));
        } else if (speaksHtp) htp(words);
        else gomocup(line.trim());
      } catch (error) {
        if (error !== MALFORMED) throw error;
        say(speaksHtp ? '? malformed\n' : 'ERROR malformed');
      }
    });
}
