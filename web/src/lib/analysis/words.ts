// Proved ends in words.
import { t } from '../i18n';
import { winnersMoves } from './overlay';

/** A proved end in plies as "win in N" or "loss in N". */
export function winText(mate: number): string {
  return t(mate > 0 ? 'win.in' : 'loss.in', { moves: winnersMoves(mate) });
}
