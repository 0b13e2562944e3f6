// What the messages of a live game's socket change in it.
import type { ChatLine, Clock, GameBody, GameMessage, Offer, Side } from '../api/types';

/** The game after a message, or null where it changes nothing. */
export function hear(game: GameBody | null, news: GameMessage): GameBody | null {
  // News to all leave out the chat, which only players read.
  if (news.type === 'state') return { ...(game?.chat ? { chat: game.chat } : {}), ...(news.game as GameBody) };
  if (!game) return null;
  if (news.type === 'presence') return { ...game, presence: news.presence };
  if (news.type === 'chat') return { ...game, chat: [...(game.chat ?? []), news.line as ChatLine] };
  if (news.type === 'rematch') return { ...game, rematch: news.game_id };
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
