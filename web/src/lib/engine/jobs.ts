// What the page and a worker with the engines say to each other.

/** What a worker needs before its first job. The module is compiled once, by the page. */
export interface Start {
  kind: 'start';
  /** Address of the bindings. */
  script: string;
  module: WebAssembly.Module;
  /** The Hex network. */
  network: ArrayBuffer;
  /** MiB that one search may use. */
  memory: number;
}

/** A request of the HTTP API. */
export interface Request {
  kind: 'request';
  id: number;
  method: string;
  path: string;
  body: string;
}

/** A message as `/analysis` takes it. */
export interface Analysis {
  /** `think`: a turn of an engine in a game that the page keeps. */
  kind: 'analysis' | 'think';
  id: number;
  message: string;
}

export type Job = Request | Analysis;
/** A job without the number it gets when a worker takes it. */
export type Order = Omit<Request, 'id'> | Omit<Analysis, 'id'>;

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
