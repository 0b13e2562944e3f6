// The person's studies, each kept in this browser and on the server so that neither's crash loses it. A link, a game
// brought here or a new board starts a study of its own: nothing that is opened replaces what was kept before.
import type { Branch, Setup } from '../api/types';
import type { Eval } from './evals';

/** The content of a study. */
export interface Kept {
  setup: Setup;
  branches: Branch[];
  /** Moves to the position shown. */
  at: string[];
  /** Evaluations by the moves that lead to them. */
  evals: [string[], Eval][];
}

/** Where the server keeps a study, and the secret needed to change it. */
export interface Place {
  id: string;
  secret: string;
  version: number;
}

/** A study in the list. */
export interface Entry {
  id: string;
  game: string;
  moves: number;
  changed: number;
  /** Grows with every save: a tab that did not see the last one must not write over it. */
  revision: number;
  place?: Place;
}

export interface Server {
  /** Stores a study, at `place` if it can be changed there. */
  save(kept: Kept, place: Place | undefined): Promise<Place>;
  load(id: string): Promise<Kept>;
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const LIST = 'tengen.studies';
const CURRENT = 'tengen.studies.current';
const bodyKey = (id: string) => `tengen.studies.${id}`;

/** What makes a study worth keeping; the position shown and evaluations do not. */
const content = ({ setup, branches }: Kept) => JSON.stringify([setup, branches]);
const blank = ({ setup, branches }: Kept) => branches.length === 0 && !setup.stones?.length;

function count(branches: Branch[]): number {
  return branches.reduce((sum, branch) => sum + 1 + count(branch.children ?? []), 0);
}

export class Studies {
  /** The study this tab works on; none until one is opened or begun. */
  #id: string | null = null;
  /** As this tab last read or wrote it. */
  #revision = 0;
  #content = '';
  #waiting: (() => Kept) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly browser: Store,
    readonly tab: Store,
    readonly server: Server,
    readonly delay = 1000,
  ) {}

  get id(): string | null {
    return this.#id;
  }

  /** All studies, the newest first. */
  list(): Entry[] {
    const list = this.#read<Entry[]>(LIST) ?? this.#adoptOld();
    return list.sort((a, b) => b.changed - a.changed);
  }

  /** The study this tab had before it was reloaded, or else the newest. */
  async resume(): Promise<Kept | null> {
    const list = this.list();
    const last = this.tab.getItem(CURRENT);
    const entry = list.find((e) => e.id === last) ?? list[0];
    return entry ? this.open(entry.id) : null;
  }

  /** Opens a study of the list; null if neither browser nor server has it. */
  async open(id: string): Promise<Kept | null> {
    this.flush();
    const entry = this.list().find((e) => e.id === id);
    if (!entry) return null;
    const kept = this.#read<Kept>(bodyKey(id)) ?? (entry.place ? await this.server.load(entry.place.id) : null);
    if (kept?.setup) this.#take(entry, kept);
    return kept?.setup ? kept : null;
  }

  /** Starts a study beside the others; one with the same content is used again. It is kept from the first `keep` on. */
  begin(kept: Kept) {
    this.flush();
    const text = content(kept);
    const same = this.list().find((entry) => {
      const other = this.#read<Kept>(bodyKey(entry.id));
      return other && content(other) === text;
    });
    if (same) this.#take(same, kept);
    else {
      this.#id = null;
      this.#content = '';
    }
  }

  /** Keeps the current study soon: at most once per `delay`, however often it changes, and when the page is left. */
  keep(study: () => Kept) {
    this.#waiting = study;
    this.#timer ??= setTimeout(() => this.flush(), this.delay);
  }

  flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const kept = this.#waiting?.();
    this.#waiting = null;
    if (!kept || (!this.#id && blank(kept))) return;
    const list = this.list();
    let entry = list.find((e) => e.id === this.#id);
    if (entry && entry.revision !== this.#revision) {
      // Another tab saved this study meanwhile: changes made here become a study of their own.
      if (content(kept) === this.#content) return;
      entry = undefined;
    }
    const { place } = entry ?? {};
    const saved: Entry = {
      id: entry?.id ?? crypto.randomUUID(),
      game: kept.setup.game,
      moves: count(kept.branches),
      changed: Date.now(),
      revision: (entry?.revision ?? 0) + 1,
      ...(place ? { place: { ...place, version: place.version + 1 } } : {}),
    };
    this.#write([saved, ...list.filter((e) => e.id !== saved.id)], saved.id, kept);
    this.#take(saved, kept);
    void this.server.save(kept, saved.place).then(
      (stored) => this.#update(saved.id, (e) => ({ ...e, place: stored })),
      () => {}, // The next change tries again; the browser has it.
    );
  }

  /** Forgets a study in this browser. */
  remove(id: string) {
    this.browser.removeItem(bodyKey(id));
    this.#save(this.list().filter((e) => e.id !== id));
    if (this.#id === id) {
      this.#id = null;
      this.#waiting = null;
    }
  }

  #take(entry: Entry, kept: Kept) {
    this.#id = entry.id;
    this.#revision = entry.revision;
    this.#content = content(kept);
    this.tab.setItem(CURRENT, entry.id);
  }

  #update(id: string, change: (entry: Entry) => Entry) {
    this.#save(this.list().map((e) => (e.id === id ? change(e) : e)));
  }

  #write(list: Entry[], id: string, kept: Kept) {
    const text = JSON.stringify(kept);
    // A full browser makes way by dropping the oldest bodies that the server has.
    const droppable = list.filter((e) => e.place && e.id !== id);
    for (;;) {
      try {
        this.browser.setItem(bodyKey(id), text);
        this.#save(list);
        return;
      } catch {
        const oldest = droppable.pop();
        // An older body here must not hide the server's newer one.
        this.browser.removeItem(bodyKey(oldest?.id ?? id));
        if (!oldest) return this.#save(list);
      }
    }
  }

  #save(list: Entry[]) {
    this.browser.setItem(LIST, JSON.stringify(list));
  }

  #read<T>(key: string): T | null {
    try {
      return JSON.parse(this.browser.getItem(key) ?? 'null') as T | null;
    } catch {
      return null;
    }
  }

  /** Versions before 0.2 kept a single study. */
  #adoptOld(): Entry[] {
    const kept = this.#read<Kept>('tengen.study');
    const place = this.#read<Place>('tengen.study.place');
    if (!kept?.setup) return [];
    const entry: Entry = {
      id: 'first',
      game: kept.setup.game,
      moves: count(kept.branches),
      changed: 0,
      revision: 1,
      ...(place ? { place } : {}),
    };
    this.#write([entry], entry.id, kept);
    return [entry];
  }
}
