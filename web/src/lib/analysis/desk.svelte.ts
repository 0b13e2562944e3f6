// The analysis desk: the chapters of a study, a search that follows the position shown, what was found at each node, and
// a review of the whole game.
import { post } from '../api/client';
import { FULL } from '../game/levels';
import type { LayerData, Level, Proof, Report, Setup, Side } from '../api/types';
import { Study } from '../game/study.svelte';
import { viewOf } from '../game/views';
import { isEmpty } from '../tree/note';
import { t } from '../i18n';
import { attempt, notices } from '../ui/notices.svelte';
import { evalOf, type Eval } from './evals';
import { judge, type Verdict } from './review';
import { isRefusal, Session, tell, type Message } from './session.svelte';
import { emptyChapter, type Chapter, type Kept } from './kept';
import type { Preview } from './studies';

/** A chapter that is open, with the evaluations of its nodes. */
class OpenChapter {
  name = $state('');
  study = new Study();
  evals = $state.raw<ReadonlyMap<number, Eval>>(new Map());

  constructor({ name = '', setup, root, branches, at, evals }: Chapter) {
    this.name = name;
    this.study.place(setup, branches, root);
    const { tree } = this.study;
    const find = (moves: string[]) => moves.reduce<number | undefined>((node, m) => (node === undefined ? node : tree.child(node, m)), 0);
    const placed = evals.map(([moves, found]) => [find(moves), found] as const);
    this.evals = new Map(placed.filter((pair): pair is readonly [number, Eval] => pair[0] !== undefined));
    tree.jump(find(at) ?? 0);
  }

  kept(): Chapter {
    const { setup, tree } = this.study;
    const root = tree.root();
    return {
      ...(this.name ? { name: this.name } : {}),
      setup,
      ...(isEmpty(root) ? {} : { root }),
      branches: tree.toBranches(),
      at: tree.moves(),
      evals: [...this.evals].map(([id, found]) => [tree.moves(id), found]),
    };
  }
}

export class Desk {
  name = $state('');
  chapters = $state.raw<OpenChapter[]>([new OpenChapter(emptyChapter({ game: 'gomoku', rows: 15, cols: 15, rule: '', opening: '' }))]);
  /** Index of the chapter shown. */
  at = $state(0);
  session = new Session();
  /** Does the search follow the position shown? */
  on = $state(false);
  engine = $state('');
  level = $state<Level>(FULL);
  threads = $state(1);
  lines = $state(3);
  seconds = $state(60);
  reports = $state.raw<ReadonlyMap<number, Report>>(new Map());
  verdicts = $state.raw<ReadonlyMap<number, Verdict>>(new Map());
  /** Positions reviewed so far and in all; null when no review runs. */
  review = $state.raw<{ done: number; total: number; id: string } | null>(null);
  /** How the last review ended; empty before that. */
  reviewed = $state<'' | 'complete' | 'stopped' | 'failed'>('');
  /** Whose mistakes are walked through, and the node of the one shown. */
  walk = $state<Side | 'both' | null>(null);
  mistake = $state(0);
  /** The question that is being proved. */
  proving = $state('');
  #proofs = $state.raw<ReadonlyMap<number, Proof>>(new Map());
  #asking: AbortController | null = null;
  #undos: (() => void)[] = [];
  layer = $state('');
  layerData = $state.raw<LayerData | null>(null);

  get #chapter(): OpenChapter {
    const chapter = this.chapters[this.at] ?? this.chapters[0];
    if (!chapter) throw new RangeError('a study has at least one chapter');
    return chapter;
  }

  get study(): Study {
    return this.#chapter.study;
  }

  get evals(): ReadonlyMap<number, Eval> {
    return this.#chapter.evals;
  }

  get report(): Report | null {
    return this.reports.get(this.study.tree.at) ?? null;
  }

  /** What was proved about the position shown. */
  get proof(): Proof | null {
    return this.#proofs.get(this.study.tree.at) ?? null;
  }

  /** The moves of the line that gave something away, of the side that is walked through. */
  get mistakes(): (Verdict & { id: number; ply: number })[] {
    const { walk } = this;
    return this.study.tree.line().flatMap((id, i) => {
      const verdict = this.verdicts.get(id);
      const counts = verdict && verdict.grade !== 'good' && (walk === null || walk === 'both' || verdict.side === walk);
      return counts ? [{ ...verdict, id, ply: i + 1 }] : [];
    });
  }

  /** Reviews the game, then goes from mistake to mistake. */
  startWalk(side: Side | 'both') {
    this.walk = side;
    this.mistake = 0;
    void this.startReview(500);
  }

  endWalk() {
    this.walk = null;
    this.stopReview();
  }

  /** Forgets what belonged to another tree. */
  clear() {
    this.walk = null;
    this.stopProof();
    this.session.stop();
    this.#proofs = new Map();
    this.reports = new Map();
    this.verdicts = new Map();
    this.stopReview();
    this.reviewed = '';
  }

  /** Opens a study where it was left. */
  async load({ name = '', chapters, chapter }: Kept) {
    const opened = chapters.map((content) => new OpenChapter(content));
    // The board that is there stays until the next one can be drawn.
    await opened[chapter]?.study.show();
    this.clear();
    this.#undos = [];
    this.name = name;
    this.at = chapter;
    this.chapters = opened;
  }

  /** The study as it can be kept. */
  kept(): Kept {
    return { ...(this.name ? { name: this.name } : {}), chapters: this.chapters.map((chapter) => chapter.kept()), chapter: this.at };
  }

  /** The position shown, as a small picture needs it. */
  preview(): Preview | undefined {
    const { view } = this.study;
    return view ? { game: view.game, rows: view.rows, cols: view.cols, board: view.board } : undefined;
  }

  async show(chapter: number) {
    await this.chapters[chapter]?.study.show();
    this.clear();
    this.at = chapter;
  }

  /** Adds a chapter after the last and goes to it. */
  async add(chapter: Chapter) {
    this.chapters = [...this.chapters, new OpenChapter(chapter)];
    await this.show(this.chapters.length - 1);
  }

  rename(chapter: number, name: string) {
    const found = this.chapters[chapter];
    if (found) found.name = name;
  }

  /** Takes out the chapter shown, unless it is the only one. What is returned puts it back. */
  async removeChapter(): Promise<(() => void) | null> {
    const [place, chapter] = [this.at, this.#chapter];
    if (this.chapters.length < 2) return null;
    const rest = this.chapters.filter((other) => other !== chapter);
    const next = Math.min(place, rest.length - 1);
    await rest[next]?.study.show();
    this.clear();
    this.at = next;
    this.chapters = rest;
    return () => {
      this.chapters = [...this.chapters.slice(0, place), chapter, ...this.chapters.slice(place)];
      void this.show(this.chapters.indexOf(chapter));
    };
  }

  /** Says what was taken away, and offers to put it back: at once by the notice, later by the key for undo. */
  undoable(said: string, restore: () => void) {
    const undo = () => {
      this.#undos = this.#undos.filter((other) => other !== undo);
      restore();
      void this.study.show();
    };
    this.#undos = [...this.#undos.slice(-49), undo];
    notices.say(said, false, { label: t('undo'), run: undo });
  }

  /** Puts back what was taken away last. */
  undo() {
    this.#undos.at(-1)?.();
  }

  /** Searches the position shown; called anew whenever it changes while the search is on. */
  search() {
    const chapter = this.#chapter;
    const { study } = chapter;
    const node = study.tree.at;
    const toMove = study.view?.to_move ?? 'black';
    this.session.start(
      {
        setup: study.setup,
        moves: study.tree.moves(node),
        engine: this.engine,
        level: this.level,
        threads: this.threads,
        lines: this.lines,
        time_ms: Math.round(this.seconds * 1000),
      },
      (report) => {
        this.reports = new Map(this.reports).set(node, report);
        chapter.evals = new Map(chapter.evals).set(node, evalOf(report, toMove));
      },
      // It ended by itself: the button offers another one, unless the next position is about to be searched.
      () => {
        if (this.study === study && study.tree.at === node) this.on = false;
      },
    );
  }

  stop() {
    this.on = false;
    this.session.stop();
  }

  /** Evaluates every position of the line shown, then marks mistakes. Stopping keeps what is there. */
  async startReview(milliseconds: number) {
    const chapter = this.#chapter;
    const { tree, setup } = chapter.study;
    const ids = [0, ...tree.line()];
    this.reviewed = '';
    const last = await attempt(() => viewOf(setup, tree.moves(ids.at(-1))));
    if (!last) {
      this.reviewed = 'failed';
      return;
    }
    const hear = (message: Message) => {
      if (message.type === 'review') {
        const ply = Number(message['ply']);
        const node = ids[ply];
        const best = (message['best'] as { move?: string } | null)?.move;
        if (node === undefined) return;
        const found: Eval = { black: Number(message['black_rate']), depth: message.report?.depth ?? 0, best, mate: message.report?.mate };
        chapter.evals = new Map(chapter.evals).set(node, found);
        if (message.report) this.reports = new Map(this.reports).set(node, message.report);
        if (this.review) this.review = { ...this.review, done: ply + 1 };
        this.verdicts = judge(ids, last.moves, this.evals);
      }
      if (message.type === 'review-done') this.#endReview(message['complete'] === false ? 'stopped' : 'complete');
      if (isRefusal(message)) {
        this.#endReview('failed');
        tell(message);
      }
    };
    const id = this.session.ask({ type: 'review', setup, moves: tree.moves(ids.at(-1)), engine: this.engine, time_ms: milliseconds }, hear);
    this.review = { done: 0, total: ids.length, id };
  }

  stopReview() {
    if (this.review) this.#endReview('stopped');
  }

  #endReview(how: 'complete' | 'stopped' | 'failed') {
    if (this.review) this.session.forget(this.review.id);
    this.review = null;
    this.reviewed = how;
  }

  /** Has the solver prove something about the position shown. */
  async prove(question: string, seconds: number) {
    const { study } = this;
    const node = study.tree.at;
    const asking = (this.#asking = new AbortController());
    this.proving = question;
    const body = { setup: study.setup, moves: study.tree.moves(node), question, time_ms: seconds * 1000, threads: this.threads };
    const found = await attempt(() =>
      post<Proof>('/solve', body, undefined, asking.signal).catch((error: unknown) => {
        if (asking.signal.aborted) return null;
        throw error;
      }),
    );
    if (this.#asking !== asking) return;
    this.proving = '';
    if (found) this.#proofs = new Map(this.#proofs).set(node, found);
  }

  /** Closing the connection ends the work on the server. */
  stopProof() {
    this.#asking?.abort();
    this.#asking = null;
    this.proving = '';
  }

  #asked = 0;
  async showLayer(setup: Setup, moves: string[], layer: string) {
    const mine = ++this.#asked;
    const data = layer ? await post<LayerData>('/layer', { setup, moves, layer }).catch(() => null) : null;
    if (mine !== this.#asked) return;
    // Where nothing has to be stopped, the region is the whole board and says nothing.
    const free = this.study.view?.board.join('').replace(/[^.]/g, '').length;
    this.layerData = data && layer === 'must-play' && data.cells.length === free ? { ...data, cells: [] } : data;
  }

  close() {
    this.stopProof();
    this.session.close();
  }
}
