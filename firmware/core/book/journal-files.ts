/**
 * The files of a journal. `.log`: lines as they came, with free room after them. `.packed`: a day that has ended, in
 * frames that can each be read alone. `.rows`: all rows after a commit (a beginning), in frames, too: a book can be
 * rebuilt from the newest of these and the lines after it. Names begin with the number of the commit before, as a clock
 * may be wrong.
 */
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { nextTurn } from '../../../drivers/lib/turns.ts';
import { isOfStorage, readPlainFile, StoreError, syncFolder } from '../files/index.ts';
import type { RowIds } from './findings.ts';
import {
  claimedBy,
  type Head,
  headOf,
  headText,
  type Line,
  linesAfter,
  linkAfter,
  type Place,
} from './journal-lines.ts';
import type { Values } from './row.ts';

/** Characters of text in one frame, about. */
const FRAME_BYTES = 64 * 1024;
/** Largest file that is read: no lane writes more in a day, nor, packed, in all its years. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** Compression level of zstd; high, as packing is done once, off the event loop. */
const LEVEL = 19;
const MAGIC = Buffer.from('LWF1');
const HEAD_BYTES = MAGIC.length + 4;

const KINDS = ['log', 'packed', 'rows'] as const;
export type JournalKind = (typeof KINDS)[number];

export interface JournalFile {
  readonly path: string;
  /** Number of the commit before its beginning; for `.rows` that of the commit it shows. */
  readonly after: number;
  /** Day of its beginning by the device's clock: `2026-11-28`. */
  readonly day: string;
  readonly kind: JournalKind;
}

export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

export const journalOf = (path: string): string => `${path.replace(/\.db$/, '')}.journal`;

export const fileName = (after: number, day: string, kind: JournalKind): string =>
  `${String(after).padStart(12, '0')}-${day}.${kind}`;

const NAME = /^(\d{12,})-(\d{4}-\d{2}-\d{2})\.(log|packed|rows)$/;

/** The files in order. Of a day both packed and unpacked only the packed file. */
export function journalFiles(folder: string): JournalFile[] {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names.flatMap((name) => {
    const [, after, day, end] = NAME.exec(name) ?? [];
    const kind = KINDS.find((each) => each === end);
    if (kind === undefined || day === undefined) return [];
    if (kind === 'log' && names.includes(name.replace(/log$/, 'packed'))) return [];
    return [{ path: join(folder, name), after: Number(after), day, kind }];
  });
}

export const lineFiles = (folder: string): JournalFile[] => journalFiles(folder).filter(({ kind }) => kind !== 'rows');

/** The day of the newest `.rows` file; null where there is none. */
export const newestBeginning = (folder: string): string | null =>
  journalFiles(folder).findLast(({ kind }) => kind === 'rows')?.day ?? null;

/** Whether a journal lacks what was before it: it begins behind the first commit, and no file has all rows of then. */
export function lacksEarlier(folder: string): boolean {
  const files = journalFiles(folder);
  return files.every(({ kind, after }) => kind !== 'rows' && after > 0);
}

/** Lines of text; null for a piece that cannot be read. */
function* textLines({ path, kind }: JournalFile): Generator<string | null> {
  const bytes = bytesOf(path);
  if (bytes === null) {
    yield null;
    return;
  }
  if (kind === 'log') {
    for (const { text } of linesIn(bytes)) yield text;
    return;
  }
  for (const frame of framesOf(bytes)) {
    if (frame === null) yield null;
    else yield* frame.split('\n').slice(0, -1);
  }
}

/**
 * The bytes of a file; null for an unreadable one: a failing disk, a folder or a pipe in its place. The caller reports
 * that as damage.
 */
function bytesOf(path: string): Buffer | null {
  try {
    return readPlainFile(path, MAX_FILE_BYTES);
  } catch (error) {
    if (error instanceof StoreError || isOfStorage(error)) return null;
    throw error;
  }
}

/** Whole lines, each with its end in the log's bytes: damaged text, once decoded, may have more bytes than the log. */
function* linesIn(bytes: Buffer): Generator<{ readonly text: string; readonly end: number }> {
  for (let from = 0; ; ) {
    const end = bytes.indexOf('\n', from) + 1;
    if (end === 0) return;
    yield { text: bytes.toString('utf8', from, end - 1), end };
    from = end;
  }
}

function* framesOf(bytes: Buffer): Generator<string | null> {
  for (let place = 0; place < bytes.length; ) {
    if (bytes.indexOf(MAGIC, place) !== place) {
      yield null;
      const next = bytes.indexOf(MAGIC, place + 1);
      if (next < 0) return;
      place = next;
    }
    const end =
      place + HEAD_BYTES + (place + HEAD_BYTES <= bytes.length ? bytes.readUInt32LE(place + MAGIC.length) : 0);
    const text = unpacked(bytes.subarray(place + HEAD_BYTES, end));
    yield text;
    place = text === null ? place + 1 : end;
  }
}

function unpacked(frame: Buffer): string | null {
  try {
    return zstdDecompressSync(frame).toString();
  } catch {
    return null; // damaged: the reader of the file reports it
  }
}

/**
 * A file's lines, each linked to the line before; null where something is damaged.
 * @param reading `isWanted` tells by its text whether a line is wanted, and others are neither checked nor parsed; `known`
 * as of `linesAfter`
 */
export function* linesOf(
  file: JournalFile,
  {
    isWanted = () => true,
    known = null,
  }: { readonly isWanted?: (text: string) => boolean; readonly known?: string | null } = {},
): Generator<Line | null> {
  let head: Head | null | undefined;
  let hash = '';
  for (const text of textLines(file)) {
    if (head === undefined) {
      head = text === null ? null : headOf(text);
      hash = head?.hash ?? '';
      if (head === null) yield null;
      continue;
    }
    if (text === null) {
      yield null;
      continue;
    }
    if (!isWanted(text)) {
      hash = claimedBy(text);
      continue;
    }
    const { lines, claimed } = linesAfter(hash, text, known);
    hash = claimed;
    yield* lines;
  }
  if (head === undefined) yield null;
}

/** Places where files that follow each other are damaged, or one between them is missing, as "file behind commit 17". */
export function brokenLinks(files: readonly JournalFile[]): string[] {
  const breaks = new Set<string>();
  let last: Place | null = null;
  /** Whether nothing of the file before could be read: what is missing behind it is named with it. */
  let isUnread = false;
  for (const file of files) {
    const note = (): void => void breaks.add(`${basename(file.path)} behind commit ${last?.commit ?? file.after}`);
    let hash: string | null = null;
    let isTorn = false;
    for (const text of textLines(file)) {
      if (hash === null) {
        const head = text === null ? null : headOf(text);
        if (head === null || (last !== null && head.hash !== last.hash && !isUnread)) note();
        isUnread = head === null;
        hash = head?.hash ?? '';
        last = head ?? last;
        continue;
      }
      const link: ReturnType<typeof linkAfter> = text === null ? { hash, commit: null } : linkAfter(hash, text);
      hash = link.hash;
      if (link.commit === null) isTorn = true;
      else {
        if (isTorn) note();
        [isTorn, isUnread] = [false, false];
        last = { commit: link.commit, hash };
      }
    }
    if (hash === null) {
      note();
      isUnread = true;
    }
  }
  return [...breaks];
}

/** Where a line names the id of a row: texts within it have their quotation marks escaped. */
const ID = /"id":(\d+)[,}]/g;

/** Takes the newest version of some rows out of a file. Only the lines that may hold one are checked and parsed. */
export function takeRows(file: JournalFile, wanted: RowIds, take: (table: string, values: Values) => void): void {
  const ids = new Set([...wanted.values()].flatMap((each) => [...each]));
  const isWanted = (text: string): boolean => [...text.matchAll(ID)].some(([, id]) => ids.has(Number(id)));
  for (const line of linesOf(file, { isWanted }))
    for (const [table, of] of Object.entries(line?.rows ?? {}))
      for (const values of of) if (wanted.get(table)?.has(Number(values.id)) === true) take(table, values);
}

/** Whether nothing of a file is damaged. */
export function isWhole(file: JournalFile): boolean {
  for (const line of linesOf(file)) if (line === null) return false;
  return true;
}

/** The place after which a file continues; null where its head is damaged. */
export function headIn(file: JournalFile): Head | null {
  for (const text of textLines(file)) return text === null ? null : headOf(text);
  return null;
}

/** Characters of a line's hash, and the blank behind it. */
const HASH = 43;

/** The text of a file in pieces that end with a line; none where it cannot be read. */
function* piecesOf({ path, kind }: JournalFile): Generator<string> {
  const bytes = bytesOf(path);
  if (bytes === null) return;
  if (kind === 'log') yield bytes.toString('latin1');
  else for (const frame of framesOf(bytes)) if (frame !== null) yield frame;
}

/**
 * The hash of a journal up to a commit, as its line claims it; null where no file has that line. Others get a turn
 * between the pieces of a file.
 */
export async function hashAt(folder: string, commit: number): Promise<string | null> {
  const file = lineFiles(folder).findLast(({ after }) => after <= commit);
  if (file === undefined) return null;
  if (file.after === commit) return headIn(file)?.hash ?? null;
  const wanted = ` {"n":${commit},`;
  for (const piece of piecesOf(file)) {
    const at = piece.indexOf(wanted);
    if (at >= HASH) return piece.slice(at - HASH, at);
    await nextTurn();
  }
  return null;
}

/** The end of a journal. */
export interface Tail extends Place {
  /** Number of the last event; new events get higher numbers. */
  readonly lastEvent: number;
  /** The log for the next line, and the place in it; null where a new one must begin. */
  readonly log: { readonly file: JournalFile; readonly end: number } | null;
}

/** The end of a journal; null for an unreadable or missing one. */
export function tailOf(folder: string): Tail | null {
  const files = lineFiles(folder);
  for (const [index, file] of files.toReversed().entries()) {
    const found = file.kind === 'log' ? tailOfLog(file) : tailOfLines(file);
    if (found === null) continue;
    return index === 0 ? found : { ...found, log: null };
  }
  return null;
}

function tailOfLines(file: JournalFile): Tail | null {
  let [place, lastEvent]: [Place | null, number] = [headIn(file), 0];
  for (const line of linesOf(file)) if (line !== null) [place, lastEvent] = [line, line.lastEvent];
  return place === null ? null : { commit: place.commit, hash: place.hash, lastEvent, log: null };
}

/** The end of a log. An incomplete last line was cut short by a power cut: the next line overwrites it. */
function tailOfLog(file: JournalFile): Tail | null {
  const bytes = bytesOf(file.path);
  if (bytes === null) return null;
  const [first, ...others] = linesIn(bytes);
  const head = headOf(first?.text ?? '');
  let place: Place | null = head;
  let [hash, lastEvent, end, unsound] = [head?.hash ?? '', 0, first?.end ?? 0, 0];
  for (const { text, end: behind } of others) {
    const { lines, claimed } = linesAfter(hash, text);
    hash = claimed;
    unsound += 1;
    const line = lines.at(-1) ?? null;
    if (line === null) continue;
    [place, lastEvent, end, unsound] = [line, line.lastEvent, behind, 0];
  }
  if (place === null) return null;
  const isWhole = head !== null && unsound <= 1;
  return { commit: place.commit, hash: place.hash, lastEvent, log: isWhole ? { file, end } : null };
}

/** Writes lines in frames into a file that gets its name when complete. @throws the file system's error */
export function writePacked(path: string, head: Head, lines: Iterable<string>): void {
  const unfinished = `${path}.tmp`;
  const handle = openSync(unfinished, 'w', 0o600);
  try {
    let text = headText(head);
    for (const line of lines) {
      text += line;
      if (text.length < FRAME_BYTES) continue;
      writeFrame(handle, text);
      text = '';
    }
    if (text !== '') writeFrame(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(unfinished, path);
  syncFolder(dirname(path));
}

function writeFrame(handle: number, text: string): void {
  const frame = zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
  const length = Buffer.alloc(4);
  length.writeUInt32LE(frame.length);
  writeSync(handle, Buffer.concat([MAGIC, length, frame]));
}

/** Packs the logs of ended days, except damaged ones: a person may want to look into those. */
export function packEnded(folder: string): void {
  const logs = lineFiles(folder).filter(({ kind }) => kind === 'log');
  for (const file of logs.slice(0, -1)) {
    const texts = [...textLines(file)];
    const head = headOf(texts[0] ?? '');
    if (head === null || !isWhole(file)) continue;
    const packed = file.path.replace(/log$/, 'packed');
    writePacked(
      packed,
      head,
      texts.slice(1).map((text) => `${text}\n`),
    );
    rmSync(file.path);
  }
}
