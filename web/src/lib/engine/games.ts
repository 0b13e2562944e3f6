// Games without a server. This keeps what happened in each; the rules, the clocks and the engines are the worker's.
import { Problem } from '../api/problem';
import type { Channel, Handlers } from '../api/socket';
import type { GameBody, GameMessage, NewGame, Players, Seat } from '../api/types';
import { all, keep, kept } from './store';

/** A game as `/local/new` of crates/wasm gives it. */
interface KeptGame {
  id: string;
  players: Players;
  events: unknown[];
  [more: string]: unknown;
}

interface Answer {
  events: unknown[];
  game: GameBody;
  answer: unknown;
}

export interface Engines {
  /** A request to the module. */
  ask<T>(path: string, body: unknown): Promise<T>;
  /** Has the engine to move think; `hear` gets `thinking`, then `thought`, `failed` or `unavailable`. Returns what ends it. */
  think(request: string, hear: (message: { type: string; move?: string; detail?: string }) => void): () => void;
}

const seatOf = (secret: string | undefined): Seat | undefined => (secret === 'first' || secret === 'second' ? secret : undefined);

/** Reads and writes a game while no other tab does. */
async function alone<T>(id: string, work: () => Promise<T>): Promise<T> {
  // Plain HTTP on another host has no locks.
  return navigator.locks ? await navigator.locks.request(`tengen-game-${id}`, work) : work();
}

export class LocalGames {
  #listeners = new Map<string, Set<Handlers<GameMessage>>>();
  /** One change of a game after the other. */
  #queue = new Map<string, Promise<unknown>>();
  #thinking = new Map<string, () => void>();
  #flags = new Map<string, ReturnType<typeof setTimeout>>();

  /** Other tabs with the same games. */
  #tabs = globalThis.BroadcastChannel ? new BroadcastChannel('tengen-games') : null;

  constructor(readonly engines: Engines) {
    if (this.#tabs) this.#tabs.onmessage = ({ data }: MessageEvent<string>) => void this.#changedElsewhere(data).catch(() => {});
  }

  /** Answers the server's addresses under `/games`. */
  async request(method: string, path: string, body: string | undefined, secret: string | undefined): Promise<unknown> {
    const [id, what] = path.replace(/\?.*/, '').split('/').slice(2);
    const value: unknown = body ? JSON.parse(body) : {};
    if (!id) return method === 'POST' ? this.#create(value as NewGame) : { games: [], running: { games: 0, searches: 0, waiting: 0 } };
    const seat = seatOf(secret);
    if (method === 'GET' && !what) {
      const { game } = await this.#ask(id, { ask: 'show' });
      this.#consider(id, game);
      return game;
    }
    if (what === 'moves') return (await this.#ask(id, { ask: 'move', seat, order: value })).answer;
    if (what === 'actions') return (await this.#ask(id, { ask: 'act', seat: seat ?? null, action: value })).answer;
    if (what === 'hint') return (await this.#ask(id, { ask: 'hint' })).answer;
    if (what === 'record') {
      const format = /format=(\w+)/.exec(path)?.[1] ?? 'sgf';
      return (await this.#ask(id, { ask: 'record', format })).answer;
    }
    throw new Problem(404, 'path.unknown', 'this needs a server');
  }

  async #create(order: NewGame): Promise<unknown> {
    const id = crypto.randomUUID().replaceAll('-', '');
    const { setup, players, clock } = order;
    const made = await this.engines.ask<{ kept: KeptGame; game: GameBody }>('/local/new', {
      id,
      setup,
      players,
      ...(clock ? { clock } : {}),
      created: Date.now(),
    });
    await keep('games', id, made.kept);
    const seats = Object.fromEntries(
      (['first', 'second'] as const).filter((s) => made.game.players[s].kind === 'human').map((s) => [s, s]),
    );
    this.#consider(id, made.game);
    return { id, seats, owner: 'owner', game: made.game };
  }

  /** Asks the module about a game, keeps what happened, and tells whoever looks on. */
  #ask(id: string, ask: object): Promise<Answer> {
    const turn = (this.#queue.get(id) ?? Promise.resolve()).catch(() => {}).then(() => alone(id, () => this.#change(id, ask)));
    this.#queue.set(id, turn);
    return turn;
  }

  async #change(id: string, ask: object): Promise<Answer> {
    const game = await kept<KeptGame>('games', id);
    if (!game) throw new Problem(404, 'game.unknown', 'there is no such game in this browser');
    const answer = await this.engines.ask<Answer>('/local/ask', { game, now: Date.now(), ...ask });
    if (answer.events.length) {
      await keep('games', id, { ...game, events: [...game.events, ...answer.events] });
      this.#tabs?.postMessage(id);
      this.#show(id, answer.game);
    }
    return answer;
  }

  /** Shows a game that has changed, and goes on with it. */
  #show(id: string, game: GameBody) {
    this.#thinking.get(id)?.();
    this.#thinking.delete(id);
    for (const listener of this.#listeners.get(id) ?? []) listener.message({ type: 'state', game });
    this.#consider(id, game);
  }

  async #changedElsewhere(id: string) {
    if (!this.#listeners.get(id)?.size) return;
    const { game, events } = await this.#ask(id, { ask: 'show' });
    // With events it was shown already.
    if (!events.length) this.#show(id, game);
  }

  /** Lets an engine think if it is its turn, and waits for the flag to fall. */
  #consider(id: string, game: GameBody) {
    clearTimeout(this.#flags.get(id));
    if (game.status !== 'live') return;
    const running = game.clock?.running;
    if (running) {
      const left = running === 'first' ? game.clock!.first_ms : game.clock!.second_ms;
      this.#flags.set(
        id,
        setTimeout(() => void this.#ask(id, { ask: 'show' }).catch(() => {}), left + 20),
      );
    }
    const seat = game.view.turn;
    if (game.players[seat].kind !== 'engine' || this.#thinking.has(id)) return;
    void kept<KeptGame>('games', id).then((stored) => {
      if (!stored || this.#thinking.has(id)) return;
      const request = JSON.stringify({ game: stored, now: Date.now(), ask: 'show' });
      const end = this.engines.think(request, (message) => {
        if (message.type === 'thinking') {
          for (const listener of this.#listeners.get(id) ?? []) listener.message(message as unknown as GameMessage);
          return;
        }
        this.#thinking.delete(id);
        // The game goes on when it is opened where the engine can be loaded.
        if (message.type === 'unavailable') return;
        const ask =
          message.type === 'thought'
            ? { ask: 'move', seat, order: { ply: game.view.ply, move: message.move, takebacks: game.takebacks } }
            : { ask: 'forfeit', why: message.detail ?? '' };
        void this.#ask(id, ask).catch(() => {});
      });
      this.#thinking.set(id, end);
    });
  }

  /** News of a game, as its WebSocket would send them. */
  connect(path: string, handlers: Handlers<GameMessage>): Channel {
    const id = path.split('/')[2] ?? '';
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(handlers));
    queueMicrotask(() => handlers.online?.(true));
    // As the server does: another tab may have moved since this one read the game.
    void this.#ask(id, { ask: 'show' }).then(
      ({ game }) => listeners.has(handlers) && handlers.message({ type: 'state', game }),
      () => {},
    );
    return { send: () => true, close: () => void listeners.delete(handlers) };
  }

  /** All games of this browser, the newest first. */
  async list(): Promise<string[]> {
    const games = [...(await all<KeptGame>('games')).values()];
    return games.sort((a, b) => Number(b['created']) - Number(a['created'])).map((game) => game.id);
  }
}
