// One's own challenge in the lobby: posted, kept open while the page is, and turned into a game when somebody accepts.
import { del, get, post, Problem } from '../api/client';
import type { NewGame, Seat } from '../api/types';
import { go } from '../router.svelte';
import { keepSeats, openBoard } from './seats';

export interface ChallengeOrder {
  setup: NewGame['setup'];
  clock?: NewGame['clock'];
  seat?: Seat;
  name?: string;
}

class OwnChallenge {
  #posted = $state.raw<{ id: string; secret: string } | null>(null);
  #timer: ReturnType<typeof setInterval> | undefined;

  get id(): string | undefined {
    return this.#posted?.id;
  }

  async post(order: ChallengeOrder) {
    await this.withdraw();
    this.#posted = await post<{ id: string; secret: string }>('/challenges', order);
    this.#timer = setInterval(() => void this.#ask(), 2000);
  }

  async withdraw() {
    const posted = this.#posted;
    this.#end();
    // It may have been accepted or forgotten meanwhile.
    if (posted) await del(`/challenges/${posted.id}`, posted.secret).catch(() => {});
  }

  #end() {
    clearInterval(this.#timer);
    this.#posted = null;
  }

  async #ask() {
    const posted = this.#posted;
    if (!posted) return;
    try {
      const { game, seat } = await get<{ game?: string; seat?: Seat }>(`/challenges/${posted.id}`, posted.secret);
      if (!game || !seat || this.#posted !== posted) return;
      this.#end();
      keepSeats(game, { [seat]: posted.secret });
      openBoard(game);
      go(`/game/${game}`);
    } catch (error) {
      if (error instanceof Problem && error.status === 404) this.#end();
    }
  }
}

export const ownChallenge = new OwnChallenge();

/** Takes up somebody's challenge: the game begins. */
export async function accept(id: string, name: string) {
  const made = await post<{ id: string; seat: Seat; secret: string }>(`/challenges/${id}/accept`, name ? { name } : {});
  keepSeats(made.id, { [made.seat]: made.secret });
  openBoard(made.id);
  go(`/game/${made.id}`);
}
