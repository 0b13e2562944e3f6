// What the submitter of a match reports of it. The server passes it on as it is, so nothing is taken for granted.

export interface Point {
  games: number;
  elo?: number | null;
  error?: number | null;
  llr?: number | null;
}

export interface Summary {
  games?: number;
  wins?: number;
  losses?: number;
  draws?: number;
  bounds?: [number, number];
  points: Point[];
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** The parts of a report that can be shown. */
export function readSummary(value: unknown): Summary {
  const summary: Summary = { points: [] };
  if (typeof value !== 'object' || value === null) return summary;
  const fields = value as Record<string, unknown>;
  for (const name of ['games', 'wins', 'losses', 'draws'] as const) {
    if (isNumber(fields[name])) summary[name] = fields[name];
  }
  const [low, high] = Array.isArray(fields['bounds']) ? (fields['bounds'] as unknown[]) : [];
  if (isNumber(low) && isNumber(high)) summary.bounds = [low, high];
  if (Array.isArray(fields['points'])) {
    summary.points = (fields['points'] as unknown[]).filter(
      (point): point is Point => typeof point === 'object' && point !== null && isNumber((point as Point).games),
    );
  }
  return summary;
}
