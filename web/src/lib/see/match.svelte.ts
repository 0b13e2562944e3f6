// A match of a student's program against a built-in level. The server keeps the game and the rules; the program only
// says where it plays.
import { get, post } from '../api/client';
import type { Created, GameBody, Level, Side, View } from '../api/types';
import { cellName } from './names';
import { studentMove, StudentFault, type Program } from './student';

export interface Played {
  winner: 'own' | 'level' | 'draw';
  colour: Side;
  moves: number;
  reason: string;
}

export class Match {
  games = $state.raw<Played[]>([]);
  view = $state.raw<View | null>(null);
  running = $state(false);
  fault = $state.raw<StudentFault | null>(null);
  #stopped = false;

  stop() {
    this.#stopped = true;
  }

  /** Plays some games, colours taking turns. */
  async play(program: Program, game: 'gomoku' | 'hex', size: number, level: Level, count: number, depth: number) {
    this.games = [];
    this.fault = null;
    this.running = true;
    this.#stopped = false;
    try {
      for (let i = 0; i < count && !this.#stopped; i++) {
        const played = await this.#one(program, game, size, level, depth, i % 2 === 0 ? 'black' : 'white');
        if (played) this.games = [...this.games, played];
      }
    } catch (error) {
      if (!(error instanceof StudentFault)) throw error;
      this.fault = error;
    } finally {
      this.running = false;
    }
  }

  async #one(program: Program, game: string, size: number, level: Level, depth: number, colour: Side): Promise<Played | null> {
    const me = colour === 'black' ? 'first' : 'second';
    const engine = { kind: 'engine', engine: '', level, time_ms: 300 };
    const human = { kind: 'human', name: 'own' };
    const setup = { game, rows: size, cols: size, rule: '', opening: '' };
    const players = me === 'first' ? { first: human, second: engine } : { first: engine, second: human };
    const made = await post<Created>('/games', { setup, players, visibility: 'link' });
    const secret = made.seats[me] ?? '';
    let body = made.game;
    while (body.status === 'live' && !this.#stopped) {
      this.view = body.view;
      if (body.view.turn !== me) {
        await new Promise((wake) => setTimeout(wake, 60));
        body = await get<GameBody>(`/games/${made.id}`, secret);
        continue;
      }
      const { board } = body.view;
      let cell: number;
      try {
        cell = await studentMove(program, { game, board, toMove: colour, depth, keep: 20_000 });
      } catch (error) {
        await post(`/games/${made.id}/actions`, { action: 'resign' }, secret).catch(() => {});
        throw error;
      }
      await post(`/games/${made.id}/moves`, { ply: body.view.ply, move: cellName(game, size, size, cell) }, secret);
      body = await get<GameBody>(`/games/${made.id}`, secret);
    }
    this.view = body.view;
    if (body.status === 'live') {
      await post(`/games/${made.id}/actions`, { action: 'resign' }, secret).catch(() => {});
      return null;
    }
    const winner = body.result === me ? 'own' : body.result === 'draw' ? 'draw' : 'level';
    return { winner, colour, moves: body.view.ply, reason: body.reason ?? '' };
  }
}
