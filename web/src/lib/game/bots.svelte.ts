// The bots that are online, asked for anew while somebody looks.
import { get } from '../api/client';
import type { BotEntry } from '../api/types';

export class OnlineBots {
  list = $state.raw<BotEntry[]>([]);
  /** Has the server answered yet? */
  known = $state(false);

  /** Asks now and every few seconds until the answer is called. */
  watch(): () => void {
    const ask = () =>
      get<BotEntry[]>('/bots').then(
        (list) => {
          this.list = list;
          this.known = true;
        },
        () => {},
      );
    void ask();
    const timer = setInterval(() => !document.hidden && void ask(), 3000);
    return () => clearInterval(timer);
  }
}
