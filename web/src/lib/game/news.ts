// What the messages of a live game's socket change in it.
import type { Clock, GameBody, Seat, Side, View } from '../api/types';

export interface News {
  type: string;
  game?: GameBody;
  view?: View;
  clock?: Clock | null;
  offer?: { seat: Seat; what: 'draw' | 'undo' } | null;
  result?: Seat | 'draw' | 'none';
  winner?: Side | null;
  reason?: string;
}

/** The game after a message, or null where it changes nothing. */
export function hear(game: GameBody | null, news: News): GameBody | null {
  if (news.type === 'state' && news.game) return news.game;
  if (!game) return null;
  const clock = news.clock ? { clock: news.clock } : {};
  switch (news.type) {
    case 'move': {
      if (!news.view) return null;
      const { offer: _, ...rest } = game;
      return { ...rest, view: news.view, ...clock };
    }
    case 'clock':
      return news.clock ? { ...game, ...clock } : null;
    case 'offer': {
      const { offer: _, ...rest } = game;
      return news.offer ? { ...rest, offer: news.offer } : rest;
    }
    case 'end':
      return {
        ...game,
        status: 'over',
        ...(news.result ? { result: news.result } : {}),
        ...(news.winner ? { winner: news.winner } : {}),
        ...(news.reason ? { reason: news.reason } : {}),
        ...(news.view ? { view: news.view } : {}),
        ...clock,
      };
    default:
      return null;
  }
}
