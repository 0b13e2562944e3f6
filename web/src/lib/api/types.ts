// The shapes of the HTTP API (docs/api.md).

export type Side = 'black' | 'white';
export type Seat = 'first' | 'second';
export type Level = 'easy' | 'medium' | 'hard' | 'max';

export interface Setup {
  game: string;
  rows: number;
  cols: number;
  rule: string;
  opening: string;
  stones?: { side: Side; row: number; col: number }[];
  to_move?: Side;
}

export interface PlayedMove {
  move: string;
  row?: number;
  col?: number;
  side?: Side;
}

export interface View {
  game: string;
  rows: number;
  cols: number;
  rule: string;
  opening: string;
  board: string[];
  to_move: Side;
  turn: Seat;
  colours: Record<Seat, Side>;
  ply: number;
  moves: PlayedMove[];
  last?: PlayedMove;
  legal: { place: boolean; swap: boolean; extend: boolean };
  forbidden: { row: number; col: number; kind: string }[];
  outcome?: { winner?: Side; reason: string; cells: [number, number][] };
}

export type Player =
  | { kind: 'human'; name?: string }
  | { kind: 'engine'; engine: string; level: Level; time_ms?: number; options?: Record<string, string> }
  | { kind: 'bot'; bot: string; name?: string };

export interface Line {
  moves: string[];
  cells: ([number, number] | null)[];
  score: number;
  win_rate: number;
  mate?: number;
  depth: number;
  nodes: number;
}

export interface RootMove {
  move: string;
  row?: number;
  col?: number;
  score: number;
  win_rate: number;
  nodes: number;
}

export interface Report {
  depth: number;
  selective_depth: number;
  score: number;
  win_rate: number;
  mate?: number;
  nodes: number;
  seconds: number;
  speed: number;
  prune_ratio?: number;
  lines: Line[];
  root: RootMove[];
}

export interface EngineEntry {
  name: string;
  about: string;
  options: { name: string; about: string }[];
}

export interface GameEntry {
  name: string;
  rules: string[];
  openings: string[];
  rows: number;
  cols: number;
  sizes: number[];
  layers: { name: string; about: string }[];
  questions: { name: string; about: string }[];
  puzzles: number;
  engines: EngineEntry[];
}

export interface Catalog {
  version: string;
  games: GameEntry[];
  levels: Level[];
  threads: number;
  maze?: { algorithms: { name: string; neighbours: string[]; weights: boolean }[]; neighbours: string[]; styles: string[] };
}

export interface Clock {
  first_ms: number;
  second_ms: number;
  increment_ms?: number;
  running?: Seat;
}

export interface GameComment {
  ply: number;
  seat?: Seat;
  text: string;
}

/** A game on the server, complete. */
export interface GameBody {
  id: string;
  setup: Setup;
  players: Record<Seat, Player>;
  visibility: Visibility;
  view: View;
  time_control?: { initial_ms: number; increment_ms: number };
  clock?: Clock;
  status: 'live' | 'over';
  result?: Seat | 'draw' | 'none';
  winner?: Side;
  reason?: string;
  takebacks: number;
  offer?: { seat: Seat; what: 'draw' | 'undo' };
  comments: GameComment[];
  created: number;
}

export type Visibility = 'private' | 'link' | 'public';

export interface Created {
  id: string;
  seats: Partial<Record<Seat, string>>;
  owner?: string;
  game: GameBody;
}

/** What was proved about the side to move. */
export interface Proof {
  question: string;
  result: 'win' | 'loss' | 'none' | 'unknown';
  line: string[];
  cells: ([number, number] | null)[];
  winning_moves?: PlayedMove[];
  undecided?: PlayedMove[];
  nodes: number;
  seconds: number;
}

export interface LayerData {
  cells: { row: number; col: number; value: number; label: string; side?: Side }[];
  links: { from: [number, number]; to?: [number, number]; edge?: string; carrier: [number, number][]; side: Side }[];
}

/** A game in the list of recent ones. */
export interface Summary {
  id: string;
  setup: Setup;
  players: Record<Seat, Player>;
  created: number;
  status: 'live' | 'over';
  result?: string;
  reason?: string;
}

export interface GameList {
  games: Summary[];
  running: { games: number; searches: number; waiting: number };
}
