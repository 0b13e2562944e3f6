// Positions of the lessons on the rules of Renju and on connections in Hex, as `GAME:ROW/ROW/…`, with what is true of them:
// the browser tests ask the rules and the solver.

/** Black is to move under Renju's rules; `forbidden` counts the points by their kind. */
export const renju = {
  doubleThree: {
    position: 'gomoku:O.......O/........./....X..../....X..../..XX...../........./........./........./O.......O',
    forbidden: { 'double-three': 1 },
  },
  /** The same with one arm closed by a white stone. */
  closed: {
    position: 'gomoku:O......../........./....X..../....X..../.OXX...../........./........./........./O.......O',
    forbidden: {},
  },
  doubleFour: {
    position:
      'gomoku:O....O...../.....X...../.....X...../.....X...../.OXXX....../.........../.........../.........../..X.X.X.X../.........../O.........O',
    forbidden: { 'double-four': 2 },
  },
  overline: {
    position: 'gomoku:O.......O/........./........./.OXXX.XX./........./........./........./........./O.......O',
    forbidden: { overline: 1 },
  },
  /** A point that makes a five as well as two threes. */
  five: {
    position: 'gomoku:O.......O/.....O.../....X..../....X..../XXXX.O.../........./........./........./O.......O',
    forbidden: {},
  },
};

/** White, who is to move, tries to cut; `holds` if Black joins top and bottom all the same. */
export const templates = {
  bridges: { position: 'hex:...../.O.X./...../..X../.....', holds: true },
  ziggurat: { position: 'hex:...X.../.O.X.../..OX.../...X.O./...X.../......./.......', holds: true },
  tooNarrow: { position: 'hex:...X.../.O.X.../...X.../...X.O./..OX.../......./.O...O.', holds: false },
  fourthRow: {
    position: 'hex:......X..O./.O....X..O./..O...X..../......X..../......X..../.........../.........../...........',
    holds: true,
  },
};
