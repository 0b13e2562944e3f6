// Saving and opening records, with words for what is wrong with a file.
import { isKey, t } from '../i18n';
import { notices } from '../ui/notices.svelte';
import { FORMAT, RecordError, VERSION } from './record';
import { readSaved, type Saved, type SavedOf } from './snapshot';

/** A file larger than this is not a record of ours. */
const LARGEST = 64 << 20;

export function saveRecord(record: Saved) {
  const text = JSON.stringify({ format: FORMAT, version: VERSION, ...record });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = `tengen-${record.kind}-${record.algorithm}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A refusal in the person's language. */
export function recordWords(error: unknown): string {
  if (!(error instanceof RecordError)) return t('see.file.broken', { detail: String(error) });
  const key = `see.file.${error.code}`;
  return isKey(key) ? t(key, { detail: error.detail, version: VERSION }) : error.message;
}

/** Opens a file; says what is wrong with it and returns null if it is not a record of this kind. */
export async function openRecord<K extends Saved['kind']>(file: File, kind: K): Promise<SavedOf<K> | null> {
  try {
    if (file.size > LARGEST) throw new RecordError('broken', `${file.size}`);
    return readSaved(await file.text(), kind) as SavedOf<K>;
  } catch (error) {
    notices.say(recordWords(error), true);
    return null;
  }
}
