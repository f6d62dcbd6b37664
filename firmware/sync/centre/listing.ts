/**
 * Reads the subjects in a server's answer to `STREAM.INFO` in slices: megabytes of JSON would block the process for a
 * tenth of a second.
 */
import { nextTurn } from '../../../drivers/lib/turns.ts';
import { SyncError } from '../errors.ts';

/** Where the subjects in the state begin. The configuration has `subjects`, too, but as a list. */
const SUBJECTS = Buffer.from('"subjects":{');
/** Bytes that are read before the event loop gets a turn: about a millisecond of work. */
const SLICE_BYTES = 32 * 1024;
/** A subject's name, its number of messages, and whether another one follows. */
const PAIR = /"((?:[^"\\]|\\.)*)":\d+([,}])/y;

interface Listing {
  /** The answer without the names: small enough to be parsed at once. */
  readonly rest: Uint8Array;
  readonly names: readonly string[];
}

/** A subject's name. Laneware's have no escapes; others are read because the bucket counts them. */
const nameOf = (text: string): string => (text.includes('\\') ? String(JSON.parse(`"${text}"`)) : text);

/**
 * Reads an answer, and lets the event loop run after each slice.
 * @throws {SyncError} `garbage` where the names do not end
 */
export async function readListing(answer: Uint8Array): Promise<Listing> {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  const found = bytes.indexOf(SUBJECTS);
  if (found < 0) return { rest: answer, names: [] };
  const begin = found + SUBJECTS.length;
  const names: string[] = [];
  for (let at = begin; ; await nextTurn()) {
    const slice = namesIn(bytes.toString('latin1', at, at + SLICE_BYTES));
    if (slice.used === 0) throw new SyncError('garbage', 'the centre lists what is no subject');
    for (const name of slice.names) names.push(name);
    at += slice.used;
    if (slice.isLast) return { rest: Buffer.concat([bytes.subarray(0, begin), bytes.subarray(at - 1)]), names };
  }
}

/** The names that the text holds completely, and the number of characters up to the end of the last. */
function namesIn(text: string): { names: string[]; used: number; isLast: boolean } {
  const names: string[] = [];
  PAIR.lastIndex = 0;
  let used = 0;
  for (;;) {
    const [, name, end] = PAIR.exec(text) ?? [];
    if (name === undefined) return { names, used, isLast: false };
    names.push(nameOf(name));
    used = PAIR.lastIndex;
    if (end === '}') return { names, used, isLast: true };
  }
}
