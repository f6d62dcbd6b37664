/**
 * Stores lines in files of a limited size, a new one each day, and drops the oldest files beyond a total size and a
 * number of days. A file's name has the number of its first line and the day of its beginning. The lines form a chain,
 * and a list beside them has the files, with the last link of each closed one.
 */

import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import Type from 'typebox';
import { isCode } from '../../../drivers/lib/errors.ts';
import { JsonStore, readPlainFile, readPlainFileAside, syncFolder, whereItCan } from '../files/index.ts';

/**
 * Each line carries a checksum over itself and the checksum of the line before, so that a changed or missing line shows.
 * It is no seal: anyone who can write the files can rewrite them. It shows damage by a card.
 */
const LETTERS = 22;
const LINK = new RegExp(`^(.*),"chain":"([\\w-]{${LETTERS}})"}$`, 's');

const linkOf = (before: string, line: string): string =>
  hash('sha256', `${before}\n${line}`, 'base64url').slice(0, LETTERS);

/** @param lines non-empty JSON objects @param before link of the last line so far, or the name of their file */
function linked(lines: readonly string[], before: string): { readonly lines: string[]; readonly chain: string } {
  let chain = before;
  const made = lines.map((line) => {
    chain = linkOf(chain, line);
    return `${line.slice(0, -1)},"chain":"${chain}"}`;
  });
  return { lines: made, chain };
}

const LINK_SHAPE = `,"chain":"${' '.repeat(LETTERS)}"}`;
/** Most letters of a link's shape that damage to a byte or two spoils. */
const MOST_SPOILT = 2;

/** Whether a line without a valid link had one: a line cut short has nothing like a link at its end. */
function hadLink(line: string): boolean {
  const end = line.slice(-LINK_SHAPE.length);
  const spoilt = [...LINK_SHAPE].filter((letter, at) => letter !== ' ' && letter !== end[at]).length;
  return spoilt <= MOST_SPOILT;
}

/** A line without its link. */
const unlinked = (line: string): string => line.replace(LINK, '$1}');

/**
 * The link that the next line continues: of the last line; where the line of the link `last` is missing, that link, so
 * that the loss shows for ever.
 */
function endOf(lines: readonly string[], name: string, last: string | null): string {
  const links = lines.flatMap((line) => LINK.exec(line)?.[2] ?? []);
  return last !== null && !links.includes(last) ? last : (links.at(-1) ?? name);
}

/**
 * Counts the places where lines were changed or are missing. A line without a link was cut short by a power cut; if
 * more was lost, the next line does not fit.
 * @param name of their file
 * @param last the link that its last line must have; null where unknown
 */
function breaksIn(lines: readonly string[], name: string, last: string | null): number {
  let breaks = 0;
  let before: string | null = name;
  let hasLast = last === null;
  for (const line of lines) {
    const [whole, content, link = ''] = LINK.exec(line) ?? [];
    const isSpoilt = whole === undefined && hadLink(line);
    if (whole === undefined && !isSpoilt) continue;
    const fits: boolean = !isSpoilt && (before === null || link === linkOf(before, `${content}}`));
    if (!fits) breaks += 1;
    before = fits ? link : null; // what is damaged counts once
    hasLast ||= isSpoilt || link === last;
  }
  return breaks + (hasLast ? 0 : 1);
}

const FILE_BYTES = 256 * 1024;
/** Most bytes read of a file, with all lines that may have waited to be written. */
const MAX_READ_BYTES = 16 * FILE_BYTES;
/** Least room that a file takes on the disk: a clock that jumps back and forth begins many files. */
const BLOCK_BYTES = 4096;
const DAY_MS = 86_400_000;
/** Old files dropped at once: a clock that jumps far ahead must not remove all. */
const DROPPED_AT_ONCE = 2;
const NAME_DIGITS = 15;
const NEWLINE = 0x0a;

interface JournalFile {
  readonly path: string;
  /** Number of its first line. */
  readonly first: number;
  /** The day of its beginning: midnight UTC in milliseconds. */
  readonly day: number;
}

/** Name → known link of its last line; null for a file that is not closed. */
const FilesSchema = Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]));
type Files = Record<string, string | null>;

interface Current extends JournalFile {
  readonly handle: FileHandle;
  /** Link of its last line. */
  chain: string;
  bytes: number;
  isSynced: boolean;
}

const dayOf = (wall: number): number => Math.floor(wall / DAY_MS) * DAY_MS;
const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10);

/** Whole lines, without one that was cut short. */
const linesOf = (text: string): string[] =>
  text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean);

/** The text of a file; empty where it was dropped meanwhile. */
async function textOf(path: string): Promise<string> {
  try {
    return (await readPlainFileAside(path, MAX_READ_BYTES)).toString();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return '';
    throw error;
  }
}

export class Journal {
  readonly #folder: string;
  readonly #name: string;
  readonly #maxBytes: number;
  readonly #keptDays: number;
  readonly #pattern: RegExp;
  #current: Current | null = null;
  readonly #list: JsonStore<Files>;

  constructor(folder: string, name: string, maxBytes: number, keptDays: number) {
    this.#folder = folder;
    this.#name = name;
    this.#maxBytes = maxBytes;
    this.#keptDays = keptDays;
    this.#list = JsonStore.open(join(folder, `${name}.files.json`), FilesSchema, {});
    this.#pattern = new RegExp(`^${name}-(\\d{${NAME_DIGITS}})-(\\d{4}-\\d{2}-\\d{2})\\.jsonl$`);
  }

  /** A number above that of every line so far, even if files were lost. @throws the file system's error */
  next(numberOf: (line: string) => number | null): number {
    const newest = this.#files().at(-1);
    if (newest === undefined) return 1;
    const lines = linesOf(readPlainFile(newest.path, MAX_READ_BYTES).toString());
    const last = lines.findLast((line) => numberOf(line) !== null) ?? '';
    return Math.max(newest.first + lines.length, (numberOf(last) ?? 0) + 1);
  }

  /**
   * Appends lines; they survive the process.
   * @param first number of the first of them @param certain the time that has certainly passed: old files are dropped by it
   * @throws the file system's error; nothing, a part or all of them was written
   */
  async append(lines: readonly string[], first: number, wall: number, certain = wall): Promise<void> {
    try {
      const current = await this.#file(first, wall, certain);
      const { lines: chained, chain } = linked(lines, current.chain);
      const bytes = Buffer.from(chained.map((line) => `${line}\n`).join(''));
      await current.handle.appendFile(bytes);
      current.chain = chain;
      current.bytes += bytes.length;
      current.isSynced = false;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Makes appended lines survive a power cut, too. @throws the file system's error */
  async sync(): Promise<void> {
    const current = this.#current;
    if (current === null || current.isSynced) return;
    try {
      await current.handle.datasync();
      current.isSynced = true;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Drops old files, a few at a time. @param certain the time that has certainly passed, ms @throws the file system's error */
  async dropOld(certain: number): Promise<void> {
    const end = certain - this.#keptDays * DAY_MS;
    const files = this.#files();
    // the age of a file is that of the next file: the clock may have been wrong when the file itself was begun
    const old = files.filter((_, at) => (files[at + 1]?.day ?? Number.POSITIVE_INFINITY) < end);
    for (const { path } of old.slice(0, DROPPED_AT_ONCE)) await this.#drop(path);
  }

  /** Lines of files that may contain some before number `before`: newest file first, within each the newest line last. */
  async *newestFirst(before: number): AsyncGenerator<readonly string[]> {
    for (const { path, first } of this.#files().reverse())
      if (first < before) yield linesOf(await textOf(path)).map(unlinked);
  }

  async close(): Promise<void> {
    const current = this.#current;
    this.#current = null;
    if (current === null) return;
    await current.handle.close();
    this.#writeList({ ...this.#list.value, [basename(current.path)]: current.chain });
  }

  /** In how many places lines were changed or are missing. @throws the file system's error */
  async breaks(): Promise<number> {
    const paths = this.#files().map(({ path }) => path);
    const missing = Object.keys(this.#list.value).filter((name) => !paths.some((path) => basename(path) === name));
    let breaks = missing.length;
    for (const path of paths) {
      const name = basename(path);
      const lines = linesOf(await textOf(path));
      // a file may be missing on the list after a failed write, and an old one may be dropped meanwhile
      const last = this.#list.value[name] ?? null;
      if (existsSync(path)) breaks += breaksIn(lines, name, last);
    }
    return breaks;
  }

  /** Drops a file: from the list before the disk, as a listed file that is missing is reported. */
  async #drop(path: string): Promise<void> {
    const { [basename(path)]: _, ...rest } = this.#list.value;
    this.#writeList(rest);
    await unlink(path);
  }

  /** Writes the list. No line fails with it: the removal of an unlisted file is not noticed, and that is all. */
  #writeList(files: Files): void {
    whereItCan(() => this.#list.write(files));
  }

  /** The files, oldest first. */
  #files(): JournalFile[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .flatMap((name) => {
        const [, first, date] = this.#pattern.exec(name) ?? [];
        const day = Date.parse(date ?? '');
        return Number.isNaN(day) ? [] : [{ path: join(this.#folder, name), first: Number(first), day }];
      })
      .sort((one, other) => one.first - other.first);
  }

  /** The file to write to: the newest, as long as it is not full and of this day. */
  async #file(first: number, wall: number, certain: number): Promise<Current> {
    const day = dayOf(wall);
    const current = this.#current ?? (await this.#reopened());
    if (current !== null && current.bytes < FILE_BYTES && day === current.day) return current;
    await this.close();
    await this.#makeRoom();
    const path = join(this.#folder, `${this.#name}-${String(first).padStart(NAME_DIGITS, '0')}-${dateOf(day)}.jsonl`);
    const handle = await open(path, 'a', 0o600);
    this.#current = { path, first, day, handle, bytes: 0, isSynced: true, chain: basename(path) };
    syncFolder(this.#folder);
    this.#writeList({ ...this.#list.value, [basename(path)]: null });
    await this.dropOld(certain);
    return this.#current;
  }

  /** The newest file of an earlier process; a line cut short at its end becomes a line of its own. */
  async #reopened(): Promise<Current | null> {
    const folder = this.#folder;
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) syncFolder(dirname(folder));
    const newest = this.#files().at(-1);
    if (newest === undefined) return null;
    const content = await readPlainFileAside(newest.path, MAX_READ_BYTES); // throws for a pipe, on which `open` would wait
    const handle = await open(newest.path, 'a', 0o600);
    const name = basename(newest.path);
    const chain = endOf(linesOf(content.toString()), name, this.#list.value[name] ?? null);
    this.#current = { ...newest, handle, bytes: content.length, isSynced: true, chain };
    if (content.length > 0 && content.at(-1) !== NEWLINE) await handle.appendFile('\n');
    return this.#current;
  }

  async #makeRoom(): Promise<void> {
    let total = FILE_BYTES;
    for (const { path } of this.#files().reverse()) {
      total += Math.max(statSync(path).size, BLOCK_BYTES);
      if (total > this.#maxBytes) await this.#drop(path);
    }
  }
}
