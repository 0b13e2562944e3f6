// What the analysis page shows when it is opened: what another page handed over, what the address asks for, or the
// study that was worked on last.
import { catalog } from '../api/catalog.svelte';
import { readQuery, taken } from '../game/handoff';
import { viewOf } from '../game/views';
import { t } from '../i18n';
import { attempt, notices } from '../ui/notices.svelte';
import type { Desk } from './desk.svelte';
import { published, studies } from './library';
import type { Kept } from './studies';

const EMPTY: Kept = { setup: { game: 'gomoku', rows: 15, cols: 15, rule: '', opening: '' }, branches: [], at: [], evals: [] };

/** Opens what the address asks for as a study of its own; without a wish, the person's last one. */
export async function openAsked(desk: Desk, query: string) {
  const wish = await wished(query);
  if (wish) await openNew(desk, wish);
  else await desk.load((await attempt(() => studies.resume())) ?? EMPTY);
}

/** Starts a study beside those that are kept. */
export async function openNew(desk: Desk, kept: Kept) {
  studies.begin(kept);
  await desk.load(kept);
}

/** An empty board as a study of its own. */
export function openEmpty(desk: Desk, game: string): Promise<void> {
  const { rows = 15, cols = 15 } = catalog.game(game) ?? {};
  return openNew(desk, { ...EMPTY, setup: { ...EMPTY.setup, game, rows, cols } });
}

async function wished(query: string): Promise<Kept | null | undefined> {
  const carried = taken();
  if (carried) return { ...carried, evals: [] };
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
  const branches = at.reduceRight<Kept['branches']>((children, move) => [{ move, comment: '', children }], []);
  return { setup: { ...asked.setup, rows: view.rows, cols: view.cols }, branches, at, evals: [] };
}
