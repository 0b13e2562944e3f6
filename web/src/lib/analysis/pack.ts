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

/** A text in the letters that addresses allow. */
export async function packText(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return letters.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** The text again; rejects what is broken or too large. */
export async function unpackText(packed: string): Promise<string> {
  const letters = atob(packed.replace(/-/g, '+').replace(/_/g, '/'));
  const bytes = await through(
    Uint8Array.from(letters, (letter) => letter.charCodeAt(0)),
    new DecompressionStream('deflate-raw'),
  );
  return new TextDecoder().decode(bytes);
}

/** What follows `#` in the address. Evaluations stay behind: a search makes them again. */
export async function packed(study: Kept): Promise<string> {
  const slim = { ...study, chapters: study.chapters.map((chapter) => ({ ...chapter, evals: [] })) };
  const text = JSON.stringify(slim, (_, value: unknown) => (value === '' || (Array.isArray(value) && !value.length) ? undefined : value));
  return NAME + (await packText(text));
}

export const isPacked = (hash: string) => hash.startsWith(`#${NAME}`);

/** The study in an address; null if it is broken. */
export async function unpacked(hash: string): Promise<Kept | null> {
  try {
    return readKept(JSON.parse(await unpackText(hash.slice(NAME.length + 1))));
  } catch {
    return null;
  }
}
