// An animated GIF from frames of RGBA pixels: one palette of the commonest colours, LZW by the book (GIF89a).

export interface Frame {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/** Colours are compared with five bits a channel: finer differences cannot be seen on a board. */
const coarse = (data: Uint8ClampedArray, i: number) =>
  (((data[i] ?? 0) >> 3) << 10) | (((data[i + 1] ?? 0) >> 3) << 5) | ((data[i + 2] ?? 0) >> 3);

function palette(frames: Frame[]): number[] {
  const counts = new Uint32Array(1 << 15);
  for (const frame of frames) {
    for (let i = 0; i < frame.data.length; i += 4) counts[coarse(frame.data, i)]!++;
  }
  return [...counts.keys()]
    .filter((c) => counts[c])
    .sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0))
    .slice(0, 256);
}

function indices(frame: Frame, colours: number[], nearest: Int16Array): Uint8Array {
  const out = new Uint8Array(frame.width * frame.height);
  for (let p = 0, i = 0; p < out.length; p++, i += 4) {
    const c = coarse(frame.data, i);
    let index = nearest[c] ?? -1;
    if (index < 0) {
      let best = Infinity;
      colours.forEach((other, k) => {
        const dr = (c >> 10) - (other >> 10);
        const dg = ((c >> 5) & 31) - ((other >> 5) & 31);
        const db = (c & 31) - (other & 31);
        const distance = dr * dr + dg * dg + db * db;
        if (distance < best) {
          best = distance;
          index = k;
        }
      });
      nearest[c] = index;
    }
    out[p] = index;
  }
  return out;
}

/** LZW codes of eight-bit indices, packed and cut into blocks of 255 bytes. */
export function lzw(pixels: Uint8Array): number[] {
  const CLEAR = 256;
  const END = 257;
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  let size = 9;
  const emit = (code: number) => {
    bits |= code << held;
    held += size;
    while (held >= 8) {
      bytes.push(bits & 255);
      bits >>>= 8;
      held -= 8;
    }
  };
  let table = new Map<number, number>();
  let next = END + 1;
  emit(CLEAR);
  let prefix = pixels[0] ?? 0;
  for (let i = 1; i < pixels.length; i++) {
    const pixel = pixels[i] ?? 0;
    const key = (prefix << 8) | pixel;
    const known = table.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    emit(prefix);
    if (next < 4096) {
      if (next === 1 << size) size++;
      table.set(key, next++);
    } else {
      emit(CLEAR);
      table = new Map();
      next = END + 1;
      size = 9;
    }
    prefix = pixel;
  }
  emit(prefix);
  // The decoder adds one more entry before it reads the next code.
  if (next === 1 << size && size < 12) size++;
  emit(END);
  if (held > 0) bytes.push(bits & 255);
  const blocks: number[] = [];
  for (let i = 0; i < bytes.length; i += 255) {
    const block = bytes.slice(i, i + 255);
    blocks.push(block.length, ...block);
  }
  blocks.push(0);
  return blocks;
}

const u16le = (n: number) => [n & 255, (n >> 8) & 255];

/** The file; `hundredths` of a second per frame, the last one held three times as long. */
export function toGif(frames: Frame[], hundredths: number): Uint8Array<ArrayBuffer> {
  const first = frames[0];
  if (!first) return new Uint8Array();
  const colours = palette(frames);
  const nearest = new Int16Array(1 << 15).fill(-1);
  colours.forEach((c, k) => (nearest[c] = k));
  const parts: number[][] = [
    [...'GIF89a'].map((c) => c.charCodeAt(0)),
    [...u16le(first.width), ...u16le(first.height), 0xf7, 0, 0],
    Array.from({ length: 256 }, (_, k) => colours[k] ?? 0).flatMap((c) =>
      [(c >> 10) << 3, ((c >> 5) & 31) << 3, (c & 31) << 3].map((v) => v | (v >> 5)),
    ),
    [0x21, 0xff, 11, ...[...'NETSCAPE2.0'].map((c) => c.charCodeAt(0)), 3, 1, 0, 0, 0],
  ];
  frames.forEach((frame, i) => {
    const delay = i === frames.length - 1 ? hundredths * 3 : hundredths;
    parts.push([0x21, 0xf9, 4, 4, ...u16le(delay), 0, 0]);
    parts.push([0x2c, 0, 0, 0, 0, ...u16le(frame.width), ...u16le(frame.height), 0, 8]);
    parts.push(lzw(indices(frame, colours, nearest)));
  });
  parts.push([0x3b]);
  return new Uint8Array(parts.flat());
}
