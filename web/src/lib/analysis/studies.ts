// The person's studies, each kept in this browser's database and on the server so that neither's crash loses it. A link, a game
// brought here or a new board starts a study of its own: nothing that is opened replaces what was kept before.
import { alone, bodyOf, dropBody, dropStudy, entries, entryOf, putBody, putEntry } from '../engine/shelf';
import { forgetRemoval, leave, noteRemoval, takeIn } from './earlier';
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

/** The study that this tab works on, as it last read or wrote it. */
interface OpenStudy {
  id: string;
  revision: number;
  content: string;
}

const CURRENT = 'tengen.studies.current';

/** How long a removed study can be put back. */
const MONTH = 30 * 24 * 3600 * 1000;

export class Studies {
  /** None until one is opened or begun. */
  #open: OpenStudy | null = null;
  #waiting: (() => Kept) | null = null;
  #preview: (() => Preview | undefined) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** One change after the other; every question waits for the changes before it. */
  #queue: Promise<unknown>;
  /** Changes that were given to the database and are not stored yet, and the last of them. */
  #storing = 0;
  #last: { kept: Kept; preview: Preview | undefined } | null = null;

  constructor(
    readonly tab: Pick<Storage, 'getItem' | 'setItem'>,
    readonly server: Server,
    readonly delay = 1000,
    /** Called where there is no room for a study that the server does not have either. */
    readonly forgets: () => void = () => {},
  ) {
    this.#queue = alone(takeIn).catch(() => {});
  }

  get id(): string | null {
    return this.#open?.id ?? null;
  }

  /** All studies, the newest first. */
  async list(): Promise<Entry[]> {
    return (await this.#all()).filter((entry) => !entry.removed);
  }

  /** Studies that were removed and can be put back, the last removed first. */
  async removed(): Promise<Entry[]> {
    return (await this.#all()).filter((entry) => entry.removed).sort((a, b) => (b.removed ?? 0) - (a.removed ?? 0));
  }

  /** The study this tab had before it was reloaded, or else the newest. */
  async resume(): Promise<Kept | null> {
    const list = await this.list();
    const last = this.tab.getItem(CURRENT);
    const entry = list.find((e) => e.id === last) ?? list[0];
    return entry ? this.open(entry.id) : null;
  }

  /** Opens a study of this browser by its id here or on the server; null if it has none. */
  async open(id: string): Promise<Kept | null> {
    void this.flush();
    const entry = (await this.#all()).find((e) => e.id === id || e.place?.id === id);
    if (!entry) return null;
    const kept = (await this.peek(entry.id)) ?? (entry.place ? await this.server.load(entry.place.id) : null);
    if (kept) {
      this.#take({ id: entry.id, revision: entry.revision, content: content(kept) });
      if (entry.removed) await this.restore(entry.id);
    }
    return kept;
  }

  /** Reads a study without going to it. */
  async peek(id: string): Promise<Kept | null> {
    return readKept(await bodyOf(id));
  }

  /** Starts a study beside the others; one with the same content is used again. It is kept from the first `keep` on. */
  async begin(kept: Kept): Promise<void> {
    void this.flush();
    const text = content(kept);
    this.#open = null;
    for (const { id, revision } of await this.list()) {
      const other = await this.peek(id);
      if (other && content(other) === text) return this.#take({ id, revision, content: text });
    }
  }

  /**
   * Keeps the current study soon: at most once per `delay`, however often it changes, and when the page is left. A new
   * one is kept at once, so that it has an id that the address can carry.
   */
  keep(study: () => Kept, preview: () => Preview | undefined = () => undefined) {
    this.#waiting = study;
    this.#preview = preview;
    if (this.#open) this.#timer ??= setTimeout(() => void this.flush(), this.delay);
    else void this.flush();
  }

  /** Keeps what waits; done when it is stored. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const kept = this.#waiting?.();
    const preview = this.#preview?.();
    this.#waiting = null;
    if (kept && (this.#open || !blank(kept))) {
      if (!this.#open) this.#take({ id: crypto.randomUUID(), revision: 0, content: '' });
      const open = this.#open!;
      this.#last = { kept, preview };
      this.#storing++;
      this.#queue = this.#queue
        .then(() => alone(() => this.#store(open, kept, preview)))
        .catch(() => this.forgets())
        .finally(() => this.#storing--);
    }
    await this.#queue;
  }

  /** As `flush`, where the page may be gone before the database has finished. */
  leave() {
    void this.flush();
    const [open, last] = [this.#open, this.#last];
    if (!open || !last || !this.#storing) return;
    leave(entryFor(open.id, open.revision + this.#storing, last.kept, last.preview), last.kept);
  }

  async #store(open: OpenStudy, kept: Kept, preview: Preview | undefined) {
    let before = await entryOf<Entry>(open.id);
    if (before && before.revision !== open.revision) {
      // Another tab saved this study meanwhile: changes made here become a study of their own.
      if (content(kept) === open.content) return;
      before = undefined;
      open.id = crypto.randomUUID();
      if (this.#open === open) this.tab.setItem(CURRENT, open.id);
    }
    const saved = entryFor(open.id, (before?.revision ?? 0) + 1, kept, preview, before);
    const oldest = (await entries<Entry>()).sort((a, b) => a.changed - b.changed);
    const written = await putBody(saved.id, kept, oldest);
    await putEntry(saved);
    open.revision = saved.revision;
    open.content = content(kept);
    void this.server.save(kept, saved.place).then(
      async (stored) => {
        // An older body here must not hide the server's newer one.
        if (!written) await dropBody(saved.id);
        await this.#update(saved.id, (e) => ({ ...e, place: stored }));
      },
      // The next change tries again.
      () => written || this.forgets(),
    );
  }

  /** Takes a study off the list. Nothing of it is lost until a month has passed. */
  async remove(id: string): Promise<void> {
    if (this.id === id) void this.flush();
    const removed = Date.now();
    noteRemoval(id, removed);
    await this.#update(id, (entry) => ({ ...entry, removed }));
    forgetRemoval(id);
    if (this.id === id) {
      this.#open = null;
      this.#waiting = null;
    }
  }

  async restore(id: string): Promise<void> {
    noteRemoval(id, undefined);
    await this.#update(id, ({ removed: _, ...entry }) => entry);
    forgetRemoval(id);
  }

  #take(open: OpenStudy) {
    this.#open = open;
    this.tab.setItem(CURRENT, open.id);
  }

  /** Every study, removed ones too; those removed long ago are forgotten. */
  async #all(): Promise<Entry[]> {
    await this.#queue;
    const list = await entries<Entry>();
    const old = list.filter((entry) => entry.removed && entry.removed < Date.now() - MONTH);
    for (const { id } of old) await dropStudy(id);
    return list.filter((entry) => !old.includes(entry)).sort((a, b) => b.changed - a.changed);
  }

  #update(id: string, change: (entry: Entry) => Entry): Promise<void> {
    const work = async () => {
      const entry = await entryOf<Entry>(id);
      if (entry) await putEntry(change(entry));
    };
    const done = this.#queue.then(() => alone(work));
    this.#queue = done.catch(() => {});
    return done;
  }
}

/** A study's entry as it will be kept next. */
function entryFor(id: string, revision: number, kept: Kept, preview: Preview | undefined, before?: Entry): Entry {
  const { place } = before ?? {};
  return {
    id,
    ...(kept.name ? { name: kept.name } : {}),
    game: kept.chapters[0]?.setup.game ?? '',
    moves: countMoves(kept),
    chapters: kept.chapters.length,
    ...(preview ? { preview } : before?.preview ? { preview: before.preview } : {}),
    changed: Date.now(),
    revision,
    ...(place ? { place: { ...place, version: place.version + 1 } } : {}),
  };
}
