// Players, sides and results in words.
import type { GameBody, Player, Side } from '../api/types';
import { t, word } from '../i18n';

export function sideName(game: string, side: Side): string {
  return word(game === 'hex' ? 'hexside' : 'side', side);
}

export function playerName(player: Player): string {
  if (player.kind === 'human') return player.name ?? t('player.human');
  if (player.kind === 'bot') return player.name ?? t('player.bot');
  return `${player.engine || t('player.engine')} · ${word('level', player.level)}`;
}

/** Who won and why, or whose turn it is. */
export function statusText(game: GameBody): string {
  if (game.status === 'over') {
    const reason = word('reason', game.reason ?? '');
    if (game.winner) return t('status.won', { side: sideName(game.setup.game, game.winner), reason });
    return game.result === 'draw' ? t('status.draw', { reason }) : t('status.stopped', { reason });
  }
  return t('status.turn', { side: sideName(game.setup.game, game.view.to_move) });
}
