// Words for what a class shows.
import { t, word } from '../i18n';
import { settings } from '../settings.svelte';

/** A deadline as the teacher wrote it, in the person's own words and time zone. */
export function deadlineText(deadline: string | undefined): string {
  if (!deadline) return t('class.no-deadline');
  const at = new Date(deadline);
  if (Number.isNaN(at.getTime())) return deadline;
  return at.toLocaleString(settings.language === 'zh' ? 'zh-CN' : 'en', { dateStyle: 'medium', timeStyle: 'short' });
}

/** A moment of the server, such as `2026-11-18 17:30:00 UTC`. */
export function momentText(moment: string): string {
  return deadlineText(moment.replace(' UTC', 'Z').replace(' ', 'T'));
}

/** Name of a round. */
export const roundName = (name: string) => (name === 'ladder' ? t('class.ladder') : name);

/** Faults by reason, such as `timeout 2`. */
export const faultsText = (faults: Record<string, number>) =>
  Object.entries(faults)
    .map(([reason, count]) => `${word('reason', reason)} ${count}`)
    .join(settings.language === 'zh' ? '，' : ', ');

/** `+12 ± 80`, with a true minus. */
export const ratingText = (elo: number, error: number) => `${elo < 0 ? '−' : '+'}${Math.abs(Math.round(elo))} ± ${Math.round(error)}`;

/** The page of a game of a round or of the ladder. */
export const gameAddress = (id: string, number: number, round: string) =>
  `/class/${encodeURIComponent(id)}/game/${number}?round=${encodeURIComponent(round)}`;
