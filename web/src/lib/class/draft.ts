// The settings of a class as a form holds them, and as the server takes them.
import type { ClassBody, ClassSettings, GameEntry } from '../api/types';

/** The parts of a mark, in the order in which they are shown. */
export const markParts = ['submitted', 'compliance', 'clean', 'score', 'references', 'rank'] as const;
/** The protocols that programs may speak. */
export const protocols = ['gomocup', 'htp', 'line', 'botzone'] as const;

export interface ClassDraft {
  title: string;
  rule: string;
  size: number;
  protocol: string;
  seconds: number;
  memory: number;
  /** As the input has it: local time without a zone, or empty. */
  deadline: string;
  references: string[];
  /** 0 for the time instead. */
  referenceNodes: number;
  openingStones: number;
  marks: Record<(typeof markParts)[number], number>;
}

/** The usual settings of a new class. */
export function newDraft(game: GameEntry): ClassDraft {
  return {
    title: '',
    rule: '',
    size: game.rows,
    protocol: game.name === 'hex' ? 'htp' : 'gomocup',
    seconds: 1,
    memory: 512,
    deadline: '',
    references: [],
    referenceNodes: 0,
    openingStones: 0,
    marks: { submitted: 10, compliance: 20, clean: 10, score: 30, references: 20, rank: 10 },
  };
}

export function draftOf(body: ClassBody): ClassDraft {
  return {
    title: body.title,
    rule: body.rule,
    size: body.size,
    protocol: body.protocol,
    seconds: body.seconds_per_move,
    memory: body.limits.memory_mb,
    deadline: localTime(body.deadline),
    references: [...body.references],
    referenceNodes: body.reference_nodes ?? 0,
    openingStones: body.opening_stones,
    marks: Object.fromEntries(markParts.map((part) => [part, body.marks[part] ?? 0])) as ClassDraft['marks'],
  };
}

/** What a draft says, without what `before` says as well: what is left out stays as it is. */
export function settingsOf(draft: ClassDraft, before?: ClassDraft): ClassSettings {
  const all: Record<keyof ClassDraft, ClassSettings> = {
    title: { title: draft.title.trim() },
    rule: { rule: draft.rule },
    size: { size: draft.size },
    protocol: { protocol: draft.protocol },
    seconds: { seconds_per_move: draft.seconds },
    memory: { memory_mb: draft.memory },
    deadline: { deadline: zonedTime(draft.deadline) },
    references: { references: draft.references },
    referenceNodes: { reference_nodes: draft.referenceNodes },
    openingStones: { opening_stones: draft.openingStones },
    marks: { marks: draft.marks },
  };
  const said = (Object.keys(all) as (keyof ClassDraft)[]).filter((key) => JSON.stringify(draft[key]) !== JSON.stringify(before?.[key]));
  return Object.assign({}, ...said.map((key) => all[key])) as ClassSettings;
}

/** A moment as `datetime-local` wants it, in this browser's time zone. */
export function localTime(moment: string | undefined): string {
  const at = new Date(moment ?? '');
  if (Number.isNaN(at.getTime())) return '';
  const two = (n: number) => String(n).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The same with its zone, as the server keeps it; empty for none. */
export function zonedTime(local: string): string {
  const at = new Date(local);
  if (Number.isNaN(at.getTime())) return '';
  const offset = -at.getTimezoneOffset();
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
  return `${localTime(local)}:00${zone}`;
}
