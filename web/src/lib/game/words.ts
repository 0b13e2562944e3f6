// Players, sides and results in words.
import { catalog } from '../api/catalog.svelte';
import type { GameBody, Player, Seat, Setup, Side, View } from '../api/types';
import { sideName } from '../board/names';
import { t, word } from '../i18n';
import { levelName } from './levels';

export function playerName(player: Player): string {
  if (player.kind === 'human') return player.name ?? t('player.human');
  if (player.kind === 'bot') return player.name ?? t('player.bot');
  return `${player.engine || t('player.engine')} · ${levelName(player.level)}`;
}

/** How a game ended for its winner: by the loser's doing where that says more than the victory. */
function wonText(game: string, winner: Side, reason: string): string {
  const loser = sideName(game, winner === 'black' ? 'white' : 'black');
  if (reason === 'timeout' || reason === 'resign') return t(`status.${reason}`, { side: loser });
  return t('status.won', { side: sideName(game, winner), reason: word('reason', reason ?? '') });
}

/** The end of a game on the board. */
export function outcomeText({ game, outcome }: View): string {
  return outcome?.winner ? wonText(game, outcome.winner, outcome.reason) : t('status.draw', { reason: word('reason', 'draw') });
}

/** Game, board, rule and opening of a game. */
export function termsText({ game, rows, cols, rule, opening }: Setup): string {
  const { rules = [], openings = [] } = catalog.game(game) ?? {};
  const named = [
    rules.length > 1 && word('rule', rule || (rules[0] ?? '')),
    openings.length > 1 && word('opening', opening || (openings[0] ?? '')),
  ];
  return [`${word('game', game)} ${rows}×${cols}`, ...named.filter((part) => part)].join(' · ');
}

/** The result as a player sees it. */
export function resultText(game: GameBody, seat: Seat): string {
  const { winner, reason, view } = game;
  if (!winner) return statusText(game);
  const won = view.colours[seat] === winner;
  // The other side's flag or resignation says more than the word for it.
  const why = reason === 'timeout' || reason === 'resign' ? wonText(view.game, winner, reason) : word('reason', reason ?? '');
  return t(won ? 'result.you-won' : 'result.you-lost', { reason: why });
}

/** Who won and why, or whose turn it is. */
export function statusText({ setup, status, winner, reason, result, view }: GameBody): string {
  if (status === 'live') return t('status.turn', { side: sideName(setup.game, view.to_move) });
  if (winner) return wonText(setup.game, winner, reason ?? '');
  return t(result === 'draw' ? 'status.draw' : 'status.stopped', { reason: word('reason', reason ?? '') });
}
