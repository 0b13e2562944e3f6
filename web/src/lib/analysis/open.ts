// What the analysis page shows for an address: a study of this browser, one that was published, one that the address
// holds, a position, what another page handed over, or the study that was worked on last. What is opened becomes a
// study beside the others; nothing that was kept is replaced.
import { catalog } from '../api/catalog.svelte';
import type { Setup } from '../api/types';
import { readQuery, shareQuery, taken } from '../game/handoff';
import { viewOf } from '../game/views';
import { t } from '../i18n';
import { MoveTree } from '../tree/tree.svelte';
import { attempt, notices } from '../ui/notices.svelte';
import type { Desk } from './desk.svelte';
import { emptyChapter, lineOf, single, type Kept } from './kept';
import { published, studies } from './library';
import { isPacked, unpacked } from './pack';

const GOMOKU: Setup = { game: 'gomoku', rows: 15, cols: 15, rule: '', opening: '' };

/** Opens what the address asks for; without a wish, the person's last study. */
export async function openAsked(desk: Desk, query: string, hash: string) {
  const id = new URLSearchParams(query).get('study');
  const own = id ? await attempt(() => studies.open(id)) : null;
  if (own) return desk.load(own);
  const carried = taken();
  if (carried) {
    const { review, ...chapter } = carried;
    await openNew(desk, single({ ...chapter, evals: [] }));
    if (review) desk.startWalk(review);
    return;
  }
  const wish = await wished(query, hash);
  if (wish) await openNew(desk, wish);
  else await desk.load((await attempt(() => studies.resume())) ?? single(emptyChapter(GOMOKU)));
}

/** Starts a study beside those that are kept. */
async function openNew(desk: Desk, kept: Kept) {
  // As it will be kept, so that opening a link twice finds the first copy.
  const chapters = kept.chapters.map((chapter) => ({ ...chapter, branches: MoveTree.from(chapter.branches).toBranches() }));
  const whole = { ...kept, chapters };
  await studies.begin(whole);
  await desk.load(whole);
}

/** The set-up of an empty board of a game, as it is usually played. */
export function usualSetup(game: string): Setup {
  const { rows = 15, cols = 15 } = catalog.game(game) ?? {};
  return { ...GOMOKU, game, rows, cols };
}

/** The address of an empty board. */
export const emptyAddress = (game: string) => `/analysis?${shareQuery(usualSetup(game), [])}`;

async function wished(query: string, hash: string): Promise<Kept | null | undefined> {
  if (isPacked(hash)) {
    const study = await unpacked(hash);
    if (!study) notices.say(t('studies.broken-link'), true);
    return study;
  }
  const id = new URLSearchParams(query).get('study');
  if (id) return attempt(() => published(id));
  const asked = readQuery(query);
  if (!asked) return null;
  const known = (await catalog.load()).games.map((g) => g.name);
  if (!known.includes(asked.setup.game)) {
    notices.say(t('analysis.unknown-game', { game: asked.setup.game, accepted: known.join(', ') }), true);
    return null;
  }
  const view = await attempt(() => viewOf(asked.setup, asked.moves));
  if (!view) return null;
  // The server's own spelling of the moves goes into the tree.
  const at = view.moves.map((m) => m.move);
  return single({ setup: { ...asked.setup, rows: view.rows, cols: view.cols }, branches: lineOf(at), at, evals: [] });
}
