// The person's studies, each kept in this browser and on the server so that neither's crash loses it. A link, a game
// brought here or a new board starts a study of its own: nothing that is opened replaces what was kept before.
import { blank, content, countMoves, readKept, type Kept } from './kept';

/** Where the server keeps a study, and the secret needed to change it. */
export interface Place {
  id: string;
  secret: string;
  version: number;
}

/** A board in few characters: enough for a small picture. */
export interface Preview {
  game: string;
  rows: number;
  cols: number;
  board: string[];
}

/** A study in the list. */
export interface Entry {
  id: string;
  name?: string;
  game: string;
  moves: number;
  chapters?: number;
  preview?: Preview;
  /** When it was taken off the list; it can be put back for a month. */
  removed?: number;
  changed: number;
  /** Grows with every save: a tab that did not see the last one must not write over it. */
  revision: number;
  place?: Place;
}

export interface Server {
  /** Stores a study, at `place` if it can be changed there. */
  save(kept: Kept, place: Place | undefined): Promise<Place>;
  load(id: string): Promise<Kept | null>;
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const LIST = 'tengen.studies';
const CURRENT = 'tengen.studies.current';
const bodyKey = (id: string) => `tengen.studies.${id}`;

/** How long a removed study can be put back. */
const MONTH = 30 * 24 * 3600 * 1000;

export class Studies {
  /** The study this tab works on; none until one is opened or begun. */
  #id: string | null = null;
  /** As this tab last read or wrote it. */
  #revision = 0;
  #content = '';
  #waiting: (() => Kept) | null = null;
  #preview: (() => Preview | undefined) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly browser: Store,
    readonly tab: Store,
    readonly server: Server,
    readonly delay = 1000,
    /** Called where there is no room for a study that the server does not have either. */
    readonly forgets: () => void = () => {},
  ) {}

  get id(): string | null {
    return this.#id;
  }

  /** All studies, the newest first. */
  list(): Entry[] {
    return this.#all().filter((entry) => !entry.removed);
  }

  /** Studies that were removed and can be put back, the last removed first. */
  removed(): Entry[] {
    return this.#all()
      .filter((entry) => entry.removed)
      .sort((a, b) => (b.removed ?? 0) - (a.removed ?? 0));
  }

  /** The study this tab had before it was reloaded, or else the newest. */
  async resume(): Promise<Kept | null> {
    const list = this.list();
    const last = this.tab.getItem(CURRENT);
    const entry = list.find((e) => e.id === last) ?? list[0];
    return entry ? this.open(entry.id) : null;
  }

  /** Opens a study of this browser by its id here or on the server; null if it has none. */
  async open(id: string): Promise<Kept | null> {
    this.flush();
    const entry = this.#all().find((e) => e.id === id || e.place?.id === id);
    if (!entry) return null;
    const kept = readKept(this.#read(bodyKey(entry.id))) ?? (entry.place ? await this.server.load(entry.place.id) : null);
    if (kept) {
      this.#take(entry, kept);
      if (entry.removed) this.restore(entry.id);
    }
    return kept;
  }

  /** Reads a study without going to it. */
  peek(id: string): Kept | null {
    return readKept(this.#read(bodyKey(id)));
  }

  /** Starts a study beside the others; one with the same content is used again. It is kept from the first `keep` on. */
  begin(kept: Kept) {
    this.flush();
    const text = content(kept);
    const same = this.list().find((entry) => {
      const other = this.peek(entry.id);
      return other && content(other) === text;
    });
    if (same) this.#take(same, kept);
    else {
      this.#id = null;
      this.#content = '';
    }
  }

  /**
   * Keeps the current study soon: at most once per `delay`, however often it changes, and when the page is left. A new
   * one is kept at once, so that it has an id that the address can carry.
   */
  keep(study: () => Kept, preview: () => Preview | undefined = () => undefined) {
    this.#waiting = study;
    this.#preview = preview;
    if (this.#id) this.#timer ??= setTimeout(() => this.flush(), this.delay);
    else this.flush();
  }

  flush() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const kept = this.#waiting?.();
    const preview = this.#preview?.();
    this.#waiting = null;
    if (!kept || (!this.#id && blank(kept))) return;
    const list = this.#all();
    let entry = list.find((e) => e.id === this.#id);
    if (entry && entry.revision !== this.#revision) {
      // Another tab saved this study meanwhile: changes made here become a study of their own.
      if (content(kept) === this.#content) return;
      entry = undefined;
    }
    const { place } = entry ?? {};
    const saved: Entry = {
      id: entry?.id ?? crypto.randomUUID(),
      ...(kept.name ? { name: kept.name } : {}),
      game: kept.chapters[0]?.setup.game ?? '',
      moves: countMoves(kept),
      chapters: kept.chapters.length,
      ...(preview ? { preview } : entry?.preview ? { preview: entry.preview } : {}),
      changed: Date.now(),
      revision: (entry?.revision ?? 0) + 1,
      ...(place ? { place: { ...place, version: place.version + 1 } } : {}),
    };
    const written = this.#write([saved, ...list.filter((e) => e.id !== saved.id)], saved.id, kept);
    this.#take(saved, kept);
    void this.server.save(kept, saved.place).then(
      (stored) => {
        // An older body here must not hide the server's newer one.
        if (!written) this.browser.removeItem(bodyKey(saved.id));
        this.#update(saved.id, (e) => ({ ...e, place: stored }));
      },
      // The next change tries again.
      () => written || this.forgets(),
    );
  }

  /** Takes a study off the list. Nothing of it is lost until a month has passed. */
  remove(id: string) {
    if (this.#id === id) this.flush();
    this.#update(id, (entry) => ({ ...entry, removed: Date.now() }));
    if (this.#id === id) {
      this.#id = null;
      this.#waiting = null;
    }
  }

  restore(id: string) {
    this.#update(id, ({ removed: _, ...entry }) => entry);
  }

  #take(entry: Entry, kept: Kept) {
    this.#id = entry.id;
    this.#revision = entry.revision;
    this.#content = content(kept);
    this.tab.setItem(CURRENT, entry.id);
  }

  /** Every study, removed ones too; those removed long ago are forgotten. */
  #all(): Entry[] {
    const list = this.#read<Entry[]>(LIST) ?? this.#adoptOld();
    const old = list.filter((entry) => entry.removed && entry.removed < Date.now() - MONTH);
    if (old.length) {
      for (const { id } of old) this.browser.removeItem(bodyKey(id));
      this.#save(list.filter((entry) => !old.includes(entry)));
    }
    return list.filter((entry) => !old.includes(entry)).sort((a, b) => b.changed - a.changed);
  }

  #update(id: string, change: (entry: Entry) => Entry) {
    this.#save(this.#all().map((e) => (e.id === id ? change(e) : e)));
  }

  /** False where there is no room for the body, even after those that the server has were dropped, the oldest first. */
  #write(list: Entry[], id: string, kept: Kept): boolean {
    const text = JSON.stringify(kept);
    const before = this.browser.getItem(bodyKey(id));
    const droppable = list.filter((e) => e.place && e.id !== id);
    for (;;) {
      try {
        this.browser.setItem(bodyKey(id), text);
        this.browser.setItem(LIST, JSON.stringify(list));
        return true;
      } catch {
        const oldest = droppable.pop();
        this.browser.removeItem(bodyKey(oldest?.id ?? id));
        if (oldest) continue;
        // The older body fitted, and is better than nothing.
        if (before !== null) this.browser.setItem(bodyKey(id), before);
        this.#save(list);
        return false;
      }
    }
  }

  #save(list: Entry[]) {
    try {
      this.browser.setItem(LIST, JSON.stringify(list));
    } catch {
      this.forgets();
    }
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
    const kept = readKept(this.#read('tengen.study'));
    const place = this.#read<Place>('tengen.study.place');
    if (!kept) return [];
    const entry: Entry = {
      id: 'first',
      game: kept.chapters[0]?.setup.game ?? '',
      moves: countMoves(kept),
      changed: 0,
      revision: 1,
      ...(place ? { place } : {}),
    };
    this.#write([entry], entry.id, kept);
    return [entry];
  }
}
