// Proved ends in words.
import { t } from '../i18n';

/** A proved end in plies as the number of moves of the side it is good for. */
export function winText(mate: number): string {
  return t(mate > 0 ? 'win.in' : 'loss.in', { moves: Math.ceil(Math.abs(mate) / 2) });
}
