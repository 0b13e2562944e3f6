// A live game: what the server says about it, and what this browser may do in it.
import { get, post, Problem } from '../api/client';
import { catalog } from '../api/catalog.svelte';
import type { Channel } from '../api/socket';
import { connect } from '../api/thinker';
import type { Clock, GameBody, GameComment, GameMessage, Report, RootMove, Seat, Side, View } from '../api/types';
import { climbed, keepClimb } from './levels';
import { hear } from './news';
import { Study } from './study.svelte';
import { claimSeat, closeBoard, keepRematchSeats, keepTitle, seatsOf, type Held } from './seats';
import { remember } from './views';

export const otherSeat = (seat: Seat): Seat => (seat === 'first' ? 'second' : 'first');

/** A move waits this long for the network, in milliseconds. */
const PATIENCE = 60_000;

/** What an engine thought of a position. */
export interface Thought {
  side: Side;
  report: Report;
}

export class LiveGame {
  game = $state.raw<GameBody | null>(null);
  online = $state(false);
  /** Why there is nothing to show. */
  problem = $state.raw<unknown>(null);
  thinking = $state(false);
  /** When the clocks were last told, by this browser's own clock. */
  toldAt = $state(0);
  study = new Study();
  /** Nodes of moves that were taken back. */
  takenBack = $state.raw<ReadonlySet<number>>(new Set());
  /** What engines thought, by node: kept where no person plays, who could take it as a hint. */
  thoughts = $state.raw<ReadonlyMap<number, Thought>>(new Map());
  /** Node of the game's last move. */
  tip = $state(0);
  secrets: Held;
  /** Called when the players of a game that was shown go on to another one. */
  onrematch: (id: string) => void = () => {};
  /** Called when there is no such game. */
  onunknown: () => void = () => {};
  #socket: Channel | null = null;

  constructor(readonly id: string) {
    claimSeat(id);
    this.secrets = seatsOf(id);
  }

  get secret(): string | undefined {
    return this.secrets.first ?? this.secrets.second ?? this.secrets.owner ?? this.secrets.watch;
  }

  /** Seats held here, that is: whom the person at this screen plays for. */
  get seats(): Seat[] {
    return (['first', 'second'] as const).filter((s) => this.secrets[s] && this.game?.players[s].kind === 'human');
  }

  get following(): boolean {
    return this.study.tree.at === this.tip;
  }

  get myTurn(): boolean {
    const game = this.game;
    return !!game && game.status === 'live' && this.seats.includes(game.view.turn);
  }

  async open() {
    try {
      this.#take(await get<GameBody>(`/games/${this.id}`, this.secret));
    } catch (error) {
      this.problem = error;
      // A game that is gone must not stay behind as a tab.
      if (error instanceof Problem && error.status === 404) {
        closeBoard(this.id);
        this.onunknown();
      }
      return;
    }
    const query = this.secret ? `?secret=${encodeURIComponent(this.secret)}` : '';
    this.#socket = connect<GameMessage>(`/games/${this.id}/ws${query}`, {
      message: (news) => this.#hear(news),
      online: (up) => (this.online = up),
      ping: { type: 'ping' },
    });
  }

  close() {
    this.#socket?.close();
  }

  /** Asks anew; after a reconnection or news it does not understand. */
  async refresh() {
    try {
      this.#take(await get<GameBody>(`/games/${this.id}`, this.secret));
    } catch {
      // The socket keeps trying, and the state comes with it.
    }
  }

  #hear(news: GameMessage) {
    if (news.type === 'thinking') {
      this.thinking = true;
      const colour = this.game?.view.colours[news.seat as Seat];
      if (this.programs && colour) this.thoughts = new Map(this.thoughts).set(this.tip, { side: colour, report: news.report });
      return;
    }
    const changed = hear(this.game, news);
    if (changed) {
      this.thinking = false;
      this.#take(changed);
    }
  }

  #take(game: GameBody) {
    const before = this.game;
    const wasFollowing = !before || this.following;
    this.game = game;
    if (game.rematch && game.rematch !== before?.rematch) {
      keepRematchSeats(this.id, game.rematch);
      if (before && this.seats.length) this.onrematch(game.rematch);
    }
    if (game.status === 'over') this.#climb(game);
    if (game.clock !== before?.clock) this.toldAt = performance.now();
    remember(game.setup, game.view);
    const { study } = this;
    if (!before) {
      study.setup = game.setup;
      keepTitle(this.id, game.setup);
    }
    const line = (ply: number) => study.tree.line(this.tip).slice(0, ply);
    const played = before ? line(before.view.ply) : [];
    this.tip = study.tree.sync(game.view.moves.map((m) => m.move));
    const now = new Set(line(game.view.ply));
    this.takenBack = new Set([...this.takenBack, ...played].filter((id) => !now.has(id)));
    for (const comment of game.comments) this.#note(comment, game);
    if (wasFollowing) {
      study.tree.jump(this.tip);
      study.view = game.view;
    }
  }

  /** What the end says about the level that suits this person. */
  #climb(game: GameBody) {
    const [seat, other] = this.seats;
    const played = climbed(game, other ? undefined : seat, catalog.game(game.setup.game)?.engines[0]?.name);
    if (played) keepClimb(game.setup.game, played);
  }

  #note(comment: GameComment, game: GameBody) {
    const node = this.study.tree.line(this.tip)[comment.ply - 1] ?? 0;
    const text = game.comments.filter((c) => c.ply === comment.ply).map((c) => c.text);
    this.study.tree.comment(node, text.join('\n'));
  }

  /** Plays a move in the game; sent again while the network fails, which its number makes harmless. */
  async move(move: string) {
    const game = this.game;
    if (!game) return;
    const order = { ply: game.view.ply, move, takebacks: game.takebacks };
    const secret = this.secrets[game.view.turn];
    const began = performance.now();
    for (let pause = 300; ; pause = Math.min(pause * 2, 3000)) {
      try {
        const ack = await post<{ view?: View; clock?: Clock }>(`/games/${this.id}/moves`, order, secret);
        if (ack.view && this.game && ack.view.ply > this.game.view.ply) {
          this.#take({ ...this.game, view: ack.view, ...(ack.clock ? { clock: ack.clock } : {}) });
          if (ack.view.outcome) void this.refresh();
        }
        return;
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 0 || performance.now() - began > PATIENCE) throw error;
        await new Promise((wake) => setTimeout(wake, pause));
      }
    }
  }

  /** A move worth considering for the person whose turn it is. */
  hint(): Promise<RootMove> {
    const turn = this.game?.view.turn ?? 'first';
    return post<RootMove>(`/games/${this.id}/hint`, {}, this.secrets[turn]);
  }

  /** Engines or bots play on both sides. */
  get programs(): boolean {
    const { players } = this.game ?? {};
    return !!players && players.first.kind !== 'human' && players.second.kind !== 'human';
  }

  /** Both seats are held here: two people at one screen. */
  get shared(): boolean {
    return this.seats.length === 2;
  }

  /** The other player is a person at another screen. */
  get againstPerson(): boolean {
    const [seat] = this.seats;
    return this.seats.length === 1 && !!seat && this.game?.players[otherSeat(seat)].kind === 'human';
  }

  /** Offers a draw, a take-back or a rematch; at one screen the other side agrees at once. */
  async offer(what: 'undo' | 'draw' | 'rematch'): Promise<unknown> {
    const turn = this.game?.view.turn ?? 'first';
    // At one screen whoever moved last takes back.
    const seat = !this.shared ? this.seats[0] : what === 'undo' ? otherSeat(turn) : turn;
    const done = await this.act(what === 'undo' ? 'undo' : `offer-${what}`, seat);
    return this.shared && seat ? this.act(`accept-${what}`, otherSeat(seat)) : done;
  }

  /** Resign, undo, draw offers and answers, comments. */
  async act(action: string, seat: Seat | undefined, more: Record<string, unknown> = {}): Promise<unknown> {
    const secret = (seat && this.secrets[seat]) ?? this.secret;
    const done = await post(`/games/${this.id}/actions`, { action, ...more }, secret);
    await this.refresh();
    return done;
  }
}
