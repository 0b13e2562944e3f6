// What the page and a worker with the engines say to each other.

/** What a worker needs before its first job. The module is compiled once, by the page. */
export interface Start {
  kind: 'start';
  /** Address of the bindings. */
  script: string;
  module: WebAssembly.Module;
  /** MiB that one search may use. */
  memory: number;
}

/** The games with a network: a file of its own, which a worker gets before its first job that may ask for it. */
export const NETWORK_GAMES = ['gomoku', 'hex'] as const;
export type NetworkGame = (typeof NETWORK_GAMES)[number];

export interface Network {
  kind: 'network';
  game: NetworkGame;
  bytes: ArrayBuffer;
}

/** A request of the HTTP API. */
export interface Request {
  kind: 'request';
  id: number;
  method: string;
  path: string;
  body: string;
  /** The network that the job needs. */
  network?: NetworkGame | undefined;
}

/** A message as `/analysis` takes it. */
export interface Analysis {
  /** `think`: a turn of an engine in a game that the page keeps. */
  kind: 'analysis' | 'think';
  id: number;
  message: string;
  network?: NetworkGame | undefined;
}

export type Job = Request | Analysis;
/** A job without the number it gets when a worker takes it. */
export type Order = Omit<Request, 'id'> | Omit<Analysis, 'id'>;

/** The game that an address or a body of the API is about, if it is one with a network. */
export function networkOf(path: string, body: string): NetworkGame | undefined {
  let name = /^\/puzzles\/(\w+)\//.exec(path)?.[1];
  // Maps are large, and no game.
  if (!name && body && !path.startsWith('/maze')) {
    const read = JSON.parse(body) as { setup?: { game?: string }; game?: { setup?: { game?: string } } } | null;
    name = read?.setup?.game ?? read?.game?.setup?.game;
  }
  return NETWORK_GAMES.find((game) => game === name);
}

export type WorkerMessage =
  /** The module is loaded. */
  | { kind: 'ready' }
  | { kind: 'answer'; id: number; status: number; type: string; body: ArrayBuffer }
  /** One message of an analysis. */
  | { kind: 'said'; id: number; text: string }
  /** The analysis has ended. */
  | { kind: 'ended'; id: number }
  /** The worker is of no more use: it could not start, ran out of memory or hit a bug. */
  | { kind: 'crashed'; why: string };
