// The strengths an engine can play with, and how a person climbs them.
import type { GameBody, Level } from '../api/types';
import { t } from '../i18n';

/** 1, for beginners, to 9, full strength. */
export const levels: Level[] = [1, 2, 3, 4, 5, 6, 7, 8, 9];
export const FULL = 9;
/** Where somebody starts of whom nothing is known. */
export const USUAL = 3;

/** Games that were played before levels had numbers name them. */
const FORMER: Record<string, Level> = { easy: 2, medium: 4, hard: 6, max: 9 };

export function levelName(level: Level | string): string {
  const number = typeof level === 'string' ? (FORMER[level] ?? level) : level;
  if (number === FULL) return t('level.full');
  return t(number === 1 ? 'level.beginner' : 'level.number', { number });
}

/** A finished game against the recommended engine: its level, and 1, 0.5 or 0 for the person. */
export interface Climbed {
  id: string;
  level: Level;
  score: number;
}

/** What the person needs to have played before a level is proposed. */
const ENOUGH = 3;
const KEPT = 20;
const KEY = 'tengen.climb';

/** What a finished game says about the person, if it says anything. */
export function climbed(game: GameBody, seat: 'first' | 'second' | undefined, recommended: string | undefined): Climbed | null {
  const engine = game.players[seat === 'first' ? 'second' : 'first'];
  if (game.status !== 'over' || !seat || engine.kind !== 'engine' || game.setup.stones?.length) return null;
  // Another engine or other limits are another strength, and a game given up at once says nothing.
  if ((engine.engine && engine.engine !== recommended) || engine.time_ms !== undefined || game.view.ply < 8) return null;
  if (!game.winner && game.result !== 'draw') return null;
  const score = !game.winner ? 0.5 : game.view.colours[seat] === game.winner ? 1 : 0;
  return { id: game.id, level: engine.level, score };
}

/** The level at which the person should win about half of the games, after a few of them: the likeliest strength, where
 * neighbouring levels are some 200 Elo apart, and one that wins or loses everything is not far from what was played. */
export function suits(games: Climbed[]): Level | null {
  if (games.length < ENOUGH) return null;
  const recent = games.slice(-10);
  const mean = recent.reduce((sum, game) => sum + game.level, 0) / recent.length;
  let [best, likeliest] = [1, -Infinity];
  for (let strength = 1; strength <= FULL; strength += 0.25) {
    let likelihood = -((strength - mean) ** 2) / 8;
    for (const { level, score } of recent) {
      const win = 1 / (1 + 10 ** ((level - strength) / 2));
      likelihood += score * Math.log(win) + (1 - score) * Math.log(1 - win);
    }
    if (likelihood > likeliest) [best, likeliest] = [strength, likelihood];
  }
  return Math.round(best);
}

function read(): Record<string, Climbed[]> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, Climbed[]>) : {};
  } catch {
    return {};
  }
}

/** The last games of this person, oldest first. */
export const climb = (game: string): Climbed[] => (Array.isArray(read()[game]) ? (read()[game] ?? []) : []);

/** Remembers a finished game, once. */
export function keepClimb(game: string, played: Climbed) {
  const before = climb(game);
  if (before.some(({ id }) => id === played.id)) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...read(), [game]: [...before, played].slice(-KEPT) }));
  } catch {
    // A browser that keeps nothing proposes nothing.
  }
}
