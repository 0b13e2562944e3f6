// A recorded search being watched: asking for it, the record, and the moment shown.
import { attempt } from '../ui/notices.svelte';
import type { RecordOf, SeeRecord } from './record';

export class Watching<K extends SeeRecord['kind']> {
  record = $state.raw<RecordOf<K> | null>(null);
  at = $state(0);
  busy = $state(false);
  /** Has the position changed since it was searched? */
  stale = $state(false);
  /** How many searches were begun. */
  #searches = 0;
  /** The moment the address asks for, used by the first search. */
  #first: number;

  constructor(
    readonly kind: K,
    /** How many moments a record has. */
    readonly length: (record: RecordOf<K>) => number,
    at: number,
  ) {
    this.#first = at;
  }

  /** Searches and shows what was recorded, unless another search has begun meanwhile; the record, if there is one. */
  async search(ask: () => Promise<SeeRecord>): Promise<RecordOf<K> | null> {
    const number = ++this.#searches;
    this.busy = true;
    const found = await attempt(ask);
    const newest = number === this.#searches;
    if (newest) this.busy = false;
    if (found?.kind !== this.kind) return null;
    const record = found as RecordOf<K>;
    if (newest) {
      this.open(record, this.#first);
      this.#first = 0;
    }
    return record;
  }

  open(record: RecordOf<K>, at = 0) {
    this.record = record;
    this.at = Math.min(at, this.length(record));
    this.stale = false;
  }
}
