// Programs to start from, in both languages, with the same names and structure.
import type { Language } from './student';

export const templates = ['evaluate', 'pick', 'alphabeta', 'astar'] as const;
export type Template = (typeof templates)[number];

/** What a program may use, for completion in the editor. */
export const api = [
  { label: 'board.get', detail: '(row, col)', info: '0 empty, 1 black, 2 white, -1 outside' },
  { label: 'board.rows', detail: '' },
  { label: 'board.cols', detail: '' },
  { label: 'board.moves', detail: '()', info: 'empty cells as [row, col]' },
  { label: 'board.neighbours', detail: '(row, col)' },
  { label: 'board.play', detail: '(row, col, side)', info: 'a new board' },
  { label: 'board.winner', detail: '()', info: '1 black, 2 white, 0 nobody' },
  { label: 'maze.start', detail: '[row, col]' },
  { label: 'maze.goal', detail: '[row, col]' },
  { label: 'maze.cost', detail: '(cell)', info: 'to enter a cell, 0 for a wall' },
  { label: 'maze.neighbours', detail: '(cell)', info: 'free cells beside it; counts as expanding it' },
];

export const programs: Record<Language, Record<Template, string>> = {
  javascript: {
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
    alphabeta: `// Alpha-beta of your own: the value for \`me\`, whoever is to move.
const DEPTH = 2;

function alphabeta(board, me, side, depth, alpha, beta) {
  const winner = board.winner();
  if (winner) return winner === me ? 1000 + depth : -1000 - depth;
  const moves = board.moves();
  if (depth === 0 || moves.length === 0) return 0;
  for (const [r, c] of moves) {
    const value = alphabeta(board.play(r, c, side), me, 3 - side, depth - 1, alpha, beta);
    if (side === me) alpha = Math.max(alpha, value);
    else beta = Math.min(beta, value);
    if (alpha >= beta) break;
  }
  return side === me ? alpha : beta;
}

function pick(board, me) {
  let best = null;
  let alpha = -Infinity;
  for (const [r, c] of board.moves()) {
    const value = alphabeta(board.play(r, c, me), me, 3 - me, DEPTH - 1, alpha, Infinity);
    if (best === null || value > alpha) [best, alpha] = [[r, c], value];
  }
  return best;
}
`,
    astar: `// Return the cells from maze.start to maze.goal, each [row, col]; [] if there is no way.
function path(maze) {
  const h = ([r, c]) => Math.abs(r - maze.goal[0]) + Math.abs(c - maze.goal[1]);
  const open = [{ cell: maze.start, g: 0, before: null }];
  const best = new Map([[String(maze.start), 0]]);
  while (open.length > 0) {
    open.sort((a, b) => a.g + h(a.cell) - b.g - h(b.cell));
    const now = open.shift();
    if (now.g > best.get(String(now.cell))) continue;
    if (String(now.cell) === String(maze.goal)) {
      const cells = [];
      for (let at = now; at; at = at.before) cells.unshift(at.cell);
      return cells;
    }
    for (const cell of maze.neighbours(now.cell)) {
      const g = now.g + maze.cost(cell);
      if (g < (best.get(String(cell)) ?? Infinity)) {
        best.set(String(cell), g);
        open.push({ cell, g, before: now });
      }
    }
  }
  return [];
}
`,
  },
  python: {
    evaluate: `# Higher is better for \`me\` (1 black, 2 white).
# board.get(row, col) is 0 empty, 1 black, 2 white, -1 outside.
# board.rows, board.cols, board.moves(), board.neighbours(row, col)
def evaluate(board, me):
    score = 0
    middle = (board.rows - 1) / 2
    for r in range(board.rows):
        for c in range(board.cols):
            stone = board.get(r, c)
            if stone == 0:
                continue
            # Stones near the middle, and stones that touch their own.
            worth = board.rows - abs(r - middle) - abs(c - middle)
            for nr, nc in board.neighbours(r, c):
                if board.get(nr, nc) == stone:
                    worth += 2
            score += worth if stone == me else -worth
    return score
`,
    pick: `# Return (row, col) of an empty cell.
def pick(board, me):
    moves = board.moves()
    # Win at once if possible, else stop the opponent, else near the middle.
    for side in (me, 3 - me):
        for r, c in moves:
            if board.play(r, c, side).winner() == side:
                return r, c
    middle = (board.rows - 1) / 2
    return min(moves, key=lambda cell: abs(cell[0] - middle) + abs(cell[1] - middle))
`,
    alphabeta: `# Alpha-beta of your own: the value for \`me\`, whoever is to move.
DEPTH = 2


def alphabeta(board, me, side, depth, alpha, beta):
    winner = board.winner()
    if winner:
        return 1000 + depth if winner == me else -1000 - depth
    moves = board.moves()
    if depth == 0 or not moves:
        return 0
    for r, c in moves:
        value = alphabeta(board.play(r, c, side), me, 3 - side, depth - 1, alpha, beta)
        if side == me:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return alpha if side == me else beta


def pick(board, me):
    best, alpha = None, float("-inf")
    for r, c in board.moves():
        value = alphabeta(board.play(r, c, me), me, 3 - me, DEPTH - 1, alpha, float("inf"))
        if best is None or value > alpha:
            best, alpha = (r, c), value
    return best
`,
    astar: `# Return the cells from maze.start to maze.goal, each (row, col); [] if there is no way.
import heapq


def path(maze):
    def h(cell):
        return abs(cell[0] - maze.goal[0]) + abs(cell[1] - maze.goal[1])

    open_list = [(h(maze.start), 0, maze.start)]
    best, before = {maze.start: 0}, {}
    while open_list:
        _, g, now = heapq.heappop(open_list)
        if g > best[now]:
            continue
        if now == maze.goal:
            cells = [now]
            while cells[-1] in before:
                cells.append(before[cells[-1]])
            return cells[::-1]
        for cell in maze.neighbours(now):
            cost = g + maze.cost(cell)
            if cost < best.get(cell, float("inf")):
                best[cell], before[cell] = cost, now
                heapq.heappush(open_list, (cost + h(cell), cost, cell))
    return []
`,
  },
};
