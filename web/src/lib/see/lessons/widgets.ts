// The moving parts and links of the lessons, shared by both languages: `id` and screen number, from 1.
import { LEVEL_16 } from '../stage.svelte';
import type { Screen, Widget } from './lesson';
import { renju, templates } from './positions';

const MIDDLE = 'tictactoe:XO./.X./..O';
const LATE = 'tictactoe:XOX/.O./.X.';
const OPENING = 'tictactoe:X../.O./...';
const HEX = 'hex:..../.X../..O./....';
const HEX5 = 'hex:...../...O./..X../...../.....';
const THREES = 'gomoku:........./........./....O..../...XX..../...OXO.../.....X.../........./........./.........';
const LEVEL = `gomoku:${LEVEL_16.join('/')}`;

const link = (page: string, words: Record<string, string | number>) =>
  `/see/${page}?${Object.entries(words)
    .map(([k, v]) => `${k}=${v}`)
    .join('&')}`;

type Part = { widget?: Widget; link?: string };

/** Names of the rows of comparisons come from the language's own file. */
export function parts(names: { minimax: string; alphabeta: string; ordered: string; table: string }): Record<string, Part[]> {
  return {
    'game-trees': [
      { widget: { kind: 'tree', position: LATE, ask: { algorithm: 'minimax', depth: 1 }, at: 'end' } },
      {
        widget: { kind: 'tree', position: LATE, ask: { algorithm: 'minimax', depth: 9 }, at: 'end' },
        link: link('tree', { position: LATE, algorithm: 'minimax', depth: 9 }),
      },
      {
        widget: {
          kind: 'counts',
          position: OPENING,
          rows: [1, 2, 3, 4, 5].map((depth) => ({ name: String(depth), ask: { algorithm: 'minimax', depth } })),
        },
        link: link('compare', { position: OPENING, depth: 6 }),
      },
    ],
    minimax: [
      { widget: { kind: 'tree', position: LATE, ask: { algorithm: 'minimax', depth: 2 }, at: 5 } },
      { widget: { kind: 'tree', position: LATE, ask: { algorithm: 'minimax', depth: 9 }, at: 8 } },
      {
        widget: { kind: 'tree', position: MIDDLE, ask: { algorithm: 'minimax', depth: 9 }, at: 60 },
        link: link('tree', { position: MIDDLE, algorithm: 'minimax', depth: 9 }),
      },
    ],
    'alpha-beta': [
      { widget: { kind: 'tree', position: MIDDLE, ask: { algorithm: 'alphabeta', depth: 9 }, at: 24 } },
      {
        widget: { kind: 'tree', position: MIDDLE, ask: { algorithm: 'alphabeta', depth: 9 }, at: 'cut' },
        link: link('tree', { position: MIDDLE, algorithm: 'alphabeta', depth: 9 }),
      },
      {
        widget: {
          kind: 'counts',
          position: OPENING,
          rows: [
            { name: names.minimax, ask: { algorithm: 'minimax', depth: 7 } },
            { name: names.alphabeta, ask: { algorithm: 'alphabeta', depth: 7 } },
          ],
        },
        link: link('compare', { position: OPENING, depth: 6 }),
      },
    ],
    ordering: [
      {
        widget: {
          kind: 'counts',
          position: OPENING,
          rows: [
            { name: names.alphabeta, ask: { algorithm: 'alphabeta', depth: 7, ordering: false } },
            { name: names.ordered, ask: { algorithm: 'alphabeta', depth: 7, ordering: true } },
            { name: names.table, ask: { algorithm: 'alphabeta-tt', depth: 7, ordering: true } },
          ],
        },
      },
      {
        widget: { kind: 'tree', position: HEX, ask: { algorithm: 'alphabeta', depth: 2, ordering: true }, at: 'end' },
        link: link('tree', { position: HEX, algorithm: 'alphabeta', depth: 3 }),
      },
      { link: '/see/compare?published' },
    ],
    evaluation: [
      { widget: { kind: 'tree', position: THREES, ask: { algorithm: 'alphabeta', depth: 2, width: 5 }, at: 'end' } },
      { link: link('xray', { position: LEVEL, engine: 'classic-ac' }) },
      { link: '/see/own' },
    ],
    mcts: [
      { widget: { kind: 'mcts', position: HEX, ask: { algorithm: 'uct', playouts: 60 }, at: 2 } },
      {
        widget: { kind: 'mcts', position: HEX, ask: { algorithm: 'uct', playouts: 300 }, at: 400 },
        link: link('mcts', { position: HEX, c: 1.4, playouts: 400 }),
      },
      {
        widget: { kind: 'mcts', position: HEX, ask: { algorithm: 'uct', playouts: 300, c: 0.2 }, at: 1200 },
        link: link('mcts', { position: HEX, c: 0.2, playouts: 400 }),
      },
    ],
    threats: [
      { widget: { kind: 'layer', position: THREES, layer: 'threats' }, link: link('xray', { position: THREES, engine: 'tengen' }) },
      { widget: { kind: 'layer', position: 'hex:......./...O.../..X..../....X../...O.../......./.......', layer: 'bridges' } },
      {
        widget: { kind: 'layer', position: 'hex:......./...O.../..X..../....X../...O.../......./.......', layer: 'virtual-connections' },
        link: link('xray', { position: HEX5, layer: 'virtual-connections' }),
      },
    ],
    forbidden: [
      { widget: { kind: 'forbidden', position: renju.doubleThree.position, goal: 'find' } },
      { widget: { kind: 'forbidden', position: renju.doubleThree.position, goal: 'free' } },
      { widget: { kind: 'forbidden', position: renju.doubleFour.position, goal: 'find' } },
      { widget: { kind: 'forbidden', position: renju.overline.position, goal: 'find' } },
      { widget: { kind: 'forbidden', position: renju.five.position, goal: 'find' } },
    ],
    templates: [
      { widget: { kind: 'cut', position: templates.bridges.position } },
      { widget: { kind: 'cut', position: templates.ziggurat.position } },
      { widget: { kind: 'cut', position: templates.tooNarrow.position } },
      { widget: { kind: 'cut', position: templates.fourthRow.position } },
    ],
    paths: [
      {
        widget: { kind: 'path', map: 'trap', ask: { algorithm: 'astar', neighbours: '4' }, at: 60 },
        link: link('path', { map: 'trap', algorithm: 'astar', heuristic: 'manhattan' }),
      },
      {
        widget: { kind: 'path', map: 'mud', ask: { algorithm: 'astar', neighbours: '4', heuristic: 'squared' }, at: 'end' },
        link: link('path', { map: 'mud', algorithm: 'astar', heuristic: 'squared' }),
      },
      {
        widget: { kind: 'path', map: 'corridor', ask: { algorithm: 'idastar', neighbours: '4' }, at: 30 },
        link: link('path', { map: 'corridor', algorithm: 'idastar', heuristic: 'manhattan' }),
      },
    ],
  };
}

/** Texts and moving parts together. */
export function together(
  texts: Record<string, { title: string; text: string[] }[]>,
  moving: Record<string, Part[]>,
): Record<string, Screen[]> {
  return Object.fromEntries(
    Object.entries(texts).map(([id, screens]) => [id, screens.map((screen, i) => ({ ...screen, ...(moving[id]?.[i] ?? {}) }))]),
  );
}
