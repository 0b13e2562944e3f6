// What the messages of a live game's socket change in it.
import type { Clock, GameBody, GameMessage, Offer, Side } from '../api/types';

/** The game after a message, or null where it changes nothing. */
export function hear(game: GameBody | null, news: GameMessage): GameBody | null {
  if (news.type === 'state') return news.game as GameBody;
  if (!game) return null;
  const { offer: _, ...rest } = game;
  if (news.type === 'offer') return news.offer ? { ...rest, offer: news.offer as Offer } : rest;
  const clock = 'clock' in news && news.clock ? { clock: news.clock as Clock } : {};
  if (news.type === 'move') return { ...rest, view: news.view, ...clock };
  // Acknowledgements and reports change nothing.
  if (news.type !== 'end') return null;
  const { result, reason, view } = news;
  const winner = news.winner ? { winner: news.winner as Side } : {};
  return { ...game, status: 'over', result, reason, view, ...winner, ...clock };
}
