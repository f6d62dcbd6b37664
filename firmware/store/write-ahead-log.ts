/**
 * The log in which SQLite keeps what was committed last (sqlite.org/fileformat2.html, "The Write-Ahead Log"). After a cut of the power it
 * takes of it what comes before the first damaged frame and says nothing of the rest, so one bit that turned over could take hours with
 * it. So it is looked through before: one damaged byte is corrected where the checksums show which it was, and other damage is reported.
 */
import { statSync, writeFileSync } from 'node:fs';
import { readPlainFileIfAny } from './plain-file.ts';

const HEADER_BYTES = 32;
const HEADER_SUMMED = 24;
const FRAME_BYTES = 24;
/** Of a frame's header, before its page. */
const FRAME_SUMMED = 8;
const SALTS_AT = 16;
const MAGIC = 0x377f0682;
const BIG_ENDIAN = 1;
/** Many times what is left between two checkpoints; a longer one is left to SQLite. */
const MAX_BYTES = 64 * 1024 * 1024;

type Sum = readonly [number, number];

/** How a log was found. `lost`: what was committed after the damage is not taken. */
type LogFound = 'whole' | 'mended' | 'lost';

/** What stands under a checksum: words of the file. */
interface Summed {
  /** Where each of its words lies. */
  readonly words: readonly number[];
  readonly before: Sum;
  readonly stored: Sum;
}

const inverseOf = (odd: number): number => {
  let inverse = odd;
  for (let step = 0; step < 5; step += 1) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
  return inverse;
};

const next = ([byOne, byTwo]: Sum): Sum => [(byOne + byTwo) | 0, (byOne + 2 * byTwo) | 0];

const isOneByte = (changed: number): boolean => [0, 8, 16, 24].some((shift) => (changed & ~(0xff << shift)) === 0);

const wordsFrom = (start: number, bytes: number): number[] =>
  Array.from({ length: bytes / 4 }, (_, at) => start + 4 * at);

class Log {
  readonly bytes: Buffer;
  readonly pageBytes: number;
  readonly #isBig: boolean;

  constructor(bytes: Buffer, isBig: boolean) {
    this.bytes = bytes;
    this.#isBig = isBig;
    this.pageBytes = bytes.readUInt32BE(8);
  }

  get isOne(): boolean {
    const { pageBytes } = this;
    return (
      this.bytes.readUInt32BE(0) === MAGIC + (this.#isBig ? BIG_ENDIAN : 0) &&
      pageBytes >= 512 &&
      pageBytes <= 65_536 &&
      (pageBytes & (pageBytes - 1)) === 0
    );
  }

  get frames(): number {
    return Math.floor((this.bytes.length - HEADER_BYTES) / (FRAME_BYTES + this.pageBytes));
  }

  get header(): Summed {
    return { words: wordsFrom(0, HEADER_SUMMED), before: [0, 0], stored: this.#sumAt(HEADER_SUMMED) };
  }

  at(frame: number): number {
    return HEADER_BYTES + frame * (FRAME_BYTES + this.pageBytes);
  }

  /** Whether it was written since the log was restarted: what lies behind is older. */
  isOfNow(frame: number): boolean {
    const from = this.at(frame) + FRAME_SUMMED;
    return this.bytes.compare(this.bytes, SALTS_AT, SALTS_AT + 8, from, from + 8) === 0;
  }

  makeOfNow(frame: number): void {
    this.bytes.copy(this.bytes, this.at(frame) + FRAME_SUMMED, SALTS_AT, SALTS_AT + 8);
  }

  frame(frame: number, before: Sum): Summed {
    const from = this.at(frame);
    const page = wordsFrom(from + FRAME_BYTES, this.pageBytes);
    return { words: [...wordsFrom(from, FRAME_SUMMED), ...page], before, stored: this.#sumAt(from + SALTS_AT) };
  }

  sumOf({ words, before }: Summed): Sum {
    let [one, two] = before;
    for (let at = 0; at < words.length; at += 2) {
      one = (one + this.#word(words[at] ?? 0) + two) | 0;
      two = (two + this.#word(words[at + 1] ?? 0) + one) | 0;
    }
    return [one, two];
  }

  /**
   * Whether one byte was damaged, which is right now. The sums are linear in each word, so that the difference shows which it was; not in
   * the highest bits of a word, where several would do: then nothing is changed.
   */
  mend(summed: Summed): boolean {
    const sum = this.sumOf(summed);
    const one = (summed.stored[0] - sum[0]) | 0;
    const two = (summed.stored[1] - sum[1]) | 0;
    const found: { readonly at: number; readonly word: number }[] = [];
    // what one more in the first and the second word of a pair adds to both sums
    let [first, second]: [Sum, Sum] = [
      [1, 1],
      [0, 1],
    ];
    for (let pair = summed.words.length - 2; pair >= 0; pair -= 2) {
      for (const [weight, at] of [
        [first, summed.words[pair] ?? 0],
        [second, summed.words[pair + 1] ?? 0],
      ] as const) {
        const [byOne, byTwo] = weight;
        const more = (byOne & 1) === 1 ? Math.imul(one, inverseOf(byOne)) : Math.imul(two, inverseOf(byTwo));
        if (Math.imul(more, byOne) !== one || Math.imul(more, byTwo) !== two) continue;
        const word = (this.#word(at) + more) | 0;
        if (isOneByte(word ^ this.#word(at))) found.push({ at, word });
      }
      [first, second] = [next(first), next(second)];
    }
    const [only, ...others] = found;
    if (only === undefined || others.length > 0) return false;
    if (this.#isBig) this.bytes.writeInt32BE(only.word, only.at);
    else this.bytes.writeInt32LE(only.word, only.at);
    return true;
  }

  #word(at: number): number {
    return this.#isBig ? this.bytes.readInt32BE(at) : this.bytes.readInt32LE(at);
  }

  /** Always stored as big-endian words, also where the sum was made of little-endian ones. */
  #sumAt(at: number): Sum {
    return [this.bytes.readInt32BE(at), this.bytes.readInt32BE(at + 4)];
  }
}

const isSame = (one: Sum, other: Sum): boolean => one[0] === other[0] && one[1] === other[1];

const fits = (log: Log, summed: Summed): boolean => isSame(log.sumOf(summed), summed.stored);

const isOfNowFrom = (log: Log, frame: number): boolean => {
  for (let at = frame; at < log.frames; at += 1) if (log.isOfNow(at)) return true;
  return false;
};

/** Looks through it, and puts right in memory what can be. */
function look(log: Log): LogFound {
  let found: LogFound = 'whole';
  let before = log.header.stored;
  for (let frame = 0; frame < log.frames; frame += 1) {
    const summed = log.frame(frame, before);
    if (!log.isOfNow(frame)) {
      if (!fits(log, summed)) return isOfNowFrom(log, frame + 1) ? 'lost' : found;
      log.makeOfNow(frame);
      found = 'mended';
    } else if (!fits(log, summed)) {
      // the last one may have been under way as the power went: then it was never acknowledged
      if (!log.mend(summed)) return isOfNowFrom(log, frame + 1) ? 'lost' : found;
      found = 'mended';
    }
    before = summed.stored;
  }
  return found;
}

/** Null where it is not the head of a log, and cannot be made one again. */
function withHead(bytes: Buffer): { readonly log: Log; readonly found: LogFound } | null {
  const log = new Log(bytes, bytes.readUInt32BE(0) === MAGIC + BIG_ENDIAN);
  if (fits(log, log.header)) return log.isOne ? { log, found: 'whole' } : null;
  for (const isBig of [false, true]) {
    const tried = new Log(Buffer.from(bytes), isBig);
    if (tried.mend(tried.header)) {
      const mended = new Log(tried.bytes, isBig);
      if (mended.isOne) return { log: mended, found: 'mended' };
    }
  }
  return null;
}

/** Before a database is opened by anybody. @param path of the log @throws the file system's error */
export function mendLog(path: string): LogFound {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) return 'whole';
  const bytes = readPlainFileIfAny(path, MAX_BYTES);
  if (bytes === null || bytes.length < HEADER_BYTES + FRAME_BYTES) return 'whole';
  const head = withHead(bytes);
  if (head === null) return bytes.every((byte) => byte === 0) ? 'whole' : 'lost';
  const found = look(head.log);
  const result = found === 'whole' ? head.found : found;
  if (result === 'mended') writeFileSync(path, head.log.bytes, { flag: 'r+', flush: true });
  return result;
}
