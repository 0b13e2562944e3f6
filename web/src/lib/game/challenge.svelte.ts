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

interface Posted {
  id: string;
  secret: string;
}

/** Kept as long as the tab: a reload must not leave a challenge that nobody waits for. */
const KEY = 'tengen.challenge';

function kept(): Posted | null {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<Posted> | null;
    return typeof found?.id === 'string' && typeof found.secret === 'string' ? { id: found.id, secret: found.secret } : null;
  } catch {
    return null;
  }
}

function keep(posted: Posted | null) {
  try {
    if (posted) sessionStorage.setItem(KEY, JSON.stringify(posted));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Without storage it lasts until the page is closed.
  }
}

class OwnChallenge {
  #posted = $state.raw<Posted | null>(null);
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    const posted = kept();
    if (posted) this.#wait(posted);
  }

  get id(): string | undefined {
    return this.#posted?.id;
  }

  async post(order: ChallengeOrder) {
    await this.withdraw();
    this.#wait(await post<Posted>('/challenges', order));
  }

  #wait(posted: Posted) {
    this.#posted = posted;
    keep(posted);
    this.#timer = setInterval(() => void this.#ask(), 2000);
    void this.#ask();
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
    keep(null);
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
