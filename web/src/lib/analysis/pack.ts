// A study inside an address: its JSON, deflated, in the letters that addresses allow.
import { readKept, type Kept } from './kept';

const NAME = 's=';
/** A link that would unpack to more than this is refused. */
const LARGEST = 4 << 20;

async function through(bytes: Uint8Array<ArrayBuffer>, change: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough<Uint8Array>(change).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > LARGEST) throw new RangeError('too large');
    parts.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** What follows `#` in the address. Evaluations stay behind: a search makes them again. */
export async function packed(study: Kept): Promise<string> {
  const slim = { ...study, chapters: study.chapters.map((chapter) => ({ ...chapter, evals: [] })) };
  const text = JSON.stringify(slim, (_, value: unknown) => (value === '' || (Array.isArray(value) && !value.length) ? undefined : value));
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return NAME + letters.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

export const isPacked = (hash: string) => hash.startsWith(`#${NAME}`);

/** The study in an address; null if it is broken. */
export async function unpacked(hash: string): Promise<Kept | null> {
  try {
    const letters = atob(
      hash
        .slice(NAME.length + 1)
        .replace(/-/g, '+')
        .replace(/_/g, '/'),
    );
    const bytes = await through(
      Uint8Array.from(letters, (letter) => letter.charCodeAt(0)),
      new DecompressionStream('deflate-raw'),
    );
    return readKept(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}
