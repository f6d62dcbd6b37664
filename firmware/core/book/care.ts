/**
 * Jobs on a book that take longer than a till may wait: check it, find rows in its journal, rebuild it, begin its journal
 * anew, copy both to a second medium. A thread with its own connection does one job and ends. Its memory does not grow
 * with the book.
 *
 * A journal has two kinds of files. A beginning (`.rows`) has all rows as they were after one commit. A file of lines
 * (`.log`, and `.packed` once its day has ended) has a line for each later commit, with the rows that it changed; its
 * hash links it to the line before. So a book is rebuilt from the newest beginning that is whole, and the lines after it.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { backup, type DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../drivers/lib/errors.ts';
import {
  hasRemains,
  keepAside,
  migrate,
  newestOf,
  openFile,
  readableFromOf,
  requireKnown,
  syncFile,
  syncFolder,
  transaction,
  whereItCan,
  writeFailure,
} from '../files/index.ts';
import type { CareJob, CareReport, Suspect } from './findings.ts';
import {
  brokenLinks,
  dayOf,
  fileName,
  headIn,
  isWhole,
  type JournalFile,
  journalFiles,
  journalOf,
  lineFiles,
  linesOf,
  packEnded,
  tailOf,
  takeRows,
  writePacked,
} from './journal-files.ts';
import { hashAfter, type Line } from './journal-lines.ts';
import { copyAhead, copyWhole } from './newer-medium.ts';
import { configureBook, putStand, requireForm, requireIntegrity } from './open-book.ts';
import {
  changesOf,
  plainRow,
  type RawRow,
  RowFormat,
  readingRaw,
  selectFrom,
  type TableShape,
  type Values,
  valuesOf,
} from './row.ts';

/** Rows read by one query. */
const ROWS_A_PIECE = 200;
/** The search for rows in a damaged file ends after so many ids in a row that nobody knows. */
const MOST_UNKNOWN_IDS = 10_000;
/** Most damaged rows restored one by one: a file with more damage is rebuilt. */
const MOST_SUSPECTS = 1000;

const DONE: CareReport = {
  isFull: false,
  problem: null,
  isDamaged: false,
  suspects: [],
  breaks: [],
  olderBreaks: [],
  ahead: null,
};

async function runJob(job: CareJob): Promise<CareReport> {
  try {
    if (job.kind === 'check') return check(job);
    if (job.kind === 'seek') return findInJournal(job);
    if (job.kind === 'rebuild') return rebuild(job);
    if (job.kind === 'ahead') return { ...DONE, ahead: copyAhead(job) };
    if (job.kind === 'begin') writeBeginning(job);
    else await copyToSecondMedium(job);
    return DONE;
  } catch (error) {
    return { ...DONE, problem: messageOf(error), isFull: writeFailure(error) === 'full' };
  }
}

/** The files from which a book can be rebuilt. */
interface CurrentFiles {
  /** The newest beginning that is whole; null where none is. */
  readonly begun: JournalFile | null;
  /** This one and the damaged ones after it, the newest last. */
  readonly rows: readonly JournalFile[];
  /** The files of lines from there on. */
  readonly lines: readonly JournalFile[];
}

/** What a damaged beginning has lost is in older files, so these are read from the newest whole beginning on. */
function currentFilesOf(folder: string): CurrentFiles {
  const beginnings = journalFiles(folder).filter(({ kind }) => kind === 'rows');
  const whole = beginnings.findLastIndex(isWhole);
  const begun = beginnings[whole] ?? null;
  const files = lineFiles(folder);
  const first = begun === null ? 0 : files.findLastIndex(({ after }) => after <= begun.after);
  return { begun, rows: beginnings.slice(Math.max(0, whole)), lines: files.slice(Math.max(0, first)) };
}

const formatsOf = (db: DatabaseSync, tables: readonly TableShape[]): ReadonlyMap<string, RowFormat> =>
  new Map(tables.map(({ name }) => [name, new RowFormat(db, name)]));

function* rowsOf(db: DatabaseSync, table: string): Generator<RawRow> {
  const after = readingRaw(db.prepare(`${selectFrom(table)} WHERE id > ? ORDER BY id LIMIT ?`));
  for (let last = 0n; ; ) {
    const rows: RawRow[] = after.all(last, ROWS_A_PIECE);
    yield* rows;
    const end = rows.at(-1)?.id;
    if (typeof end !== 'bigint') return;
    last = end;
  }
}

/** Checks each row's checksum, each line's hash, and each row against its newest line. */
function check(job: CareJob): CareReport {
  const { path, tables, migrations } = job;
  const folder = journalOf(path);
  packEnded(folder);
  using db = openFile(path, { readOnly: true });
  try {
    requireIntegrity(db, 'integrity_check'); // the quick one believes indexes
    requireForm(db, migrations);
  } catch (error) {
    return { ...DONE, isDamaged: true, problem: messageOf(error) };
  }
  const formats = formatsOf(db, tables);
  const head = Number(db.prepare('SELECT commit_no FROM book').get()?.commit_no);
  const suspects = new Map<string, Suspect>();
  const suspect = (table: string, id: number, values: Values | null): void => {
    if (suspects.size < MOST_SUSPECTS) suspects.set(`${table} ${id}`, { table, id, values });
  };
  for (const { name } of tables) {
    let next = 1;
    for (const row of rowsOf(db, name)) {
      for (; next < Number(row.id); next += 1) suspect(name, next, null);
      next = Number(row.id) + 1;
      if (formats.get(name)?.isSound(row) !== true) suspect(name, Number(row.id), null);
    }
  }
  const { breaks } = readThrough(
    folder,
    (table, values) => {
      const id = Number(values.id);
      const known = suspects.get(`${table} ${id}`);
      if (Number(known?.values?.change_no ?? 0) > Number(values.change_no)) return;
      const row = known === undefined ? formats.get(table)?.byId(id) : undefined;
      const isOlder = known === undefined && (row === undefined || Number(row.change_no) < Number(values.change_no));
      if (known !== undefined || isOlder) suspect(table, id, values);
    },
    head,
  );
  if (suspects.size === MOST_SUSPECTS)
    return { ...DONE, isDamaged: true, problem: `${MOST_SUSPECTS} rows are damaged` };
  const files = lineFiles(folder);
  const [first] = currentFilesOf(folder).lines;
  const olderBreaks = brokenLinks(files.slice(0, 1 + files.findIndex(({ path }) => path === first?.path)));
  return {
    ...DONE,
    suspects: [...suspects.values()],
    breaks,
    olderBreaks: olderBreaks.filter((each) => !breaks.includes(each)),
  };
}

/**
 * Finds rows in the journal: those that are sought, and those of later commits than `since` that the database lacks, or
 * has otherwise.
 */
function findInJournal({ path, sought, since, tables }: CareJob): CareReport {
  const folder = journalOf(path);
  const found = new Map<string, Suspect>();
  using db = openFile(path, { readOnly: true });
  const formats = formatsOf(db, tables);
  if (since !== null)
    for (const [key, suspect] of newestSince(folder, since)) {
      const row = formats.get(suspect.table)?.byId(suspect.id);
      const isUpToDate = row !== undefined && Number(row.change_no) >= Number(suspect.values?.change_no);
      if (!isUpToDate || formats.get(suspect.table)?.isSound(row) !== true) found.set(key, suspect);
    }
  const missing = new Map([...sought].map(([table, ids]) => [table, new Set(ids)]));
  for (const { table, id } of found.values()) missing.get(table)?.delete(id);
  for (const file of filesByNewestRow(folder)) {
    if ([...missing.values()].every(({ size }) => size === 0)) break;
    const inFile = new Map<string, Suspect>();
    takeRows(file, missing, (table, values) => keepNewest(inFile, table, values));
    for (const { table, id, values } of inFile.values()) {
      if (values !== null) keepNewest(found, table, values);
      // an older version is not enough: the line of the last commit may be damaged, and a beginning may have the row
      if (formats.get(table)?.isOutdated(id, Number(values?.change_no)) !== true) missing.get(table)?.delete(id);
    }
  }
  const unfound = [...missing].flatMap(([table, ids]) =>
    [...ids].filter((id) => !found.has(`${table} ${id}`)).map((id) => ({ table, id, values: null })),
  );
  return { ...DONE, suspects: [...found.values(), ...unfound] };
}

/** The newest version of each row of the commits after one. */
function newestSince(folder: string, since: number): ReadonlyMap<string, Suspect> {
  const files = lineFiles(folder);
  const newest = new Map<string, Suspect>();
  for (const file of files.slice(
    Math.max(
      0,
      files.findLastIndex(({ after }) => after <= since),
    ),
  ))
    for (const line of linesOf(file))
      if (line !== null && line.commit > since)
        for (const [table, of] of Object.entries(line.rows)) for (const values of of) keepNewest(newest, table, values);
  return newest;
}

function keepNewest(known: Map<string, Suspect>, table: string, values: Values): void {
  const id = Number(values.id);
  const key = `${table} ${id}`;
  if (Number(known.get(key)?.values?.change_no ?? 0) <= Number(values.change_no)) known.set(key, { table, id, values });
}

/** All files of a journal, in the order in which the newest version of a row is found first. */
function filesByNewestRow(folder: string): readonly JournalFile[] {
  const all = journalFiles(folder).toReversed();
  const { rows, lines } = currentFilesOf(folder);
  const newest = [...lines.toReversed(), ...rows.toReversed()];
  const newestPaths = new Set(newest.map(({ path }) => path));
  return [...newest, ...all.filter(({ path }) => !newestPaths.has(path))];
}

/**
 * Reads the newest whole `.rows` file, damaged ones after it, and all lines after it.
 * @param take gets each of their rows: of one row an older version may come after a newer one
 * @param lastOfBook number of the book's last commit, where known
 * @returns the places where lines are missing or unreadable
 */
function readThrough(
  folder: string,
  take: (table: string, values: Values, line: Line) => void,
  lastOfBook = Number.POSITIVE_INFINITY,
) {
  const { begun, rows, lines } = currentFilesOf(folder);
  const breaks: string[] = [];
  const begunAt = begun === null ? null : headIn(begun);
  /** The commits up to this one need no lines: their rows are in the beginning. */
  const covered = begun?.after ?? 0;
  let lastRead = covered;
  /** Of the last line that was read. */
  let hash: string | null = null;
  /** Notes unreadable or missing lines, unless the `.rows` file has their content. */
  const noteBreak = (file: JournalFile, next: number): void => {
    if (next > covered) breaks.push(`${basename(file.path)} behind commit ${lastRead}`);
  };
  const takeAll = (line: Line): void => {
    for (const [table, of] of Object.entries(line.rows)) for (const values of of) take(table, values, line);
  };
  for (const file of rows)
    for (const line of linesOf(file)) {
      if (line === null) noteBreak(file, Number.POSITIVE_INFINITY);
      else takeAll(line);
    }
  for (const [index, file] of lines.entries()) {
    const head = headIn(file);
    const expected: string | null = hash ?? (begun !== null && file.after >= covered ? (begunAt?.hash ?? null) : null);
    if (head !== null && expected !== null && head.hash !== expected) noteBreak(file, head.commit);
    let unreadable = 0;
    for (const line of linesOf(file)) {
      if (line === null) {
        unreadable += 1;
        continue;
      }
      if (unreadable > 0) noteBreak(file, line.commit - 1);
      unreadable = 0;
      hash = line.hash;
      if (line.commit <= (begun?.after ?? -1)) continue;
      lastRead = line.commit;
      takeAll(line);
    }
    // the very last line may be incomplete: being written, or cut short by a power cut
    const next = lines[index + 1];
    if (unreadable > (next === undefined ? 1 : 0)) noteBreak(file, next?.after ?? lastOfBook);
    hash ??= head?.hash ?? null;
  }
  return { breaks: [...new Set(breaks)] };
}

/** Rebuilds the database from the journal, the sound rows of the damaged file, and what the second medium has. */
function rebuild(job: CareJob): CareReport {
  const { path, secondFolder, tables, migrations, now } = job;
  const unfinished = `${path}.rebuilding`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(unfinished + suffix, { force: true });
  const folder = journalOf(path);
  const second = secondFolder === null ? null : join(secondFolder, basename(folder));
  const other = second !== null && whereItCan(() => isOfOneBook(folder, second)) === true ? second : null;
  const needed = Math.max(0, ...[folder, ...(other === null ? [] : [other])].map(readableFromIn));
  requireKnown(folder, needed, newestOf(migrations));
  const db = openFile(unfinished);
  let breaks: readonly string[];
  try {
    configureBook(db);
    migrate(db, migrations, { isWayBackOpen: () => true, ...(needed > 0 && { readableFrom: needed }) });
    const formats = formatsOf(db, tables);
    const put = (table: string, values: Values): void => putIfNewer(formats.get(table), values);
    breaks = transaction(db, () => {
      const there = other !== null && !isComplete(folder) ? readThrough(other, put) : { breaks: [] };
      const here = readThrough(folder, put);
      for (const file of [path, ...(other === null ? [] : [join(dirname(other), basename(path))])])
        for (const { name } of tables) salvageRows(file, name, formats.get(name));
      setPlace(db, tables, [folder, ...(other === null ? [] : [other])]);
      return (lineFiles(folder).length === 0 ? there : here).breaks;
    });
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
  syncFile(unfinished);
  if (hasRemains(path)) keepAside(path, now);
  renameSync(unfinished, path);
  syncFolder(dirname(path));
  return { ...DONE, breaks };
}

/** The schema that a release must know to read all lines of a journal. */
function readableFromIn(folder: string): number {
  let newest = 0;
  readThrough(folder, (_table, _values, { readableFrom }) => {
    newest = Math.max(newest, readableFrom);
  });
  return newest;
}

/** Whether a book can be rebuilt from its journal alone. */
function isComplete(folder: string): boolean {
  const { begun, lines } = currentFilesOf(folder);
  if (lines.length === 0 || (begun === null && lines[0]?.after !== 0)) return false;
  return readThrough(folder, () => undefined).breaks.length === 0;
}

/**
 * Whether two journals share a line, or this one has no lines. Else the other one may be another device's, whose rows
 * must not come into this book.
 */
function isOfOneBook(folder: string, other: string): boolean {
  const own = new Set(hashesIn(lineFiles(folder)));
  for (const hash of hashesIn(lineFiles(other))) if (own.has(hash)) return true;
  return own.size === 0;
}

function* hashesIn(files: readonly JournalFile[]): Generator<string> {
  for (const file of files) {
    const head = headIn(file);
    if (head !== null && head.commit > 0) yield head.hash;
    for (const line of linesOf(file)) if (line !== null) yield line.hash;
  }
}

function putIfNewer(format: RowFormat | undefined, values: Values): void {
  const row = format?.byId(Number(values.id));
  if (row === undefined || Number(row.change_no) <= Number(values.change_no)) format?.put(values);
}

/** Saves rows of a damaged file that are sound and newer than in the journal. @throws {Error} of the new file only */
function salvageRows(path: string, table: string, format: RowFormat | undefined): void {
  const db = existsSync(path) ? unlessDamaged(() => openFile(path)) : undefined;
  try {
    const isRead = db !== undefined && unlessDamaged(() => holdsRows(db, table)) === true;
    const byId =
      unlessDamaged(() => isRead && readingRaw(db.prepare(`SELECT * FROM ${table} WHERE id = ?`))) || undefined;
    for (let id = 1, unknownIds = 0; byId !== undefined && unknownIds < MOST_UNKNOWN_IDS; id += 1) {
      const row = unlessDamaged(() => byId.get(id));
      const present = format?.byId(id);
      unknownIds = row === undefined && present === undefined ? unknownIds + 1 : 0;
      if (row === undefined || format?.isWhole(row) !== true) continue;
      if (present === undefined || Number(present.change_no) < Number(row.change_no))
        format.put(valuesOf(plainRow(row)));
    }
  } finally {
    db?.close();
  }
}

/** Whether the rows of a table lie in the file: a view, or a computed column, could be read for ever. */
function holdsRows(db: DatabaseSync, table: string): boolean {
  const kept = db.prepare(
    "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND sql LIKE 'CREATE TABLE %'",
  );
  if (kept.get(table) === undefined) return false;
  return db.prepare('SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden <> 0').get(table) === undefined;
}

function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined; // this file or page is damaged, the next one may not be
  }
}

/** Sets from where the new database goes on: the journal's last line, or a later commit of which rows were found. */
function setPlace(db: DatabaseSync, tables: readonly TableShape[], folders: readonly string[]): void {
  const tails = folders.flatMap((folder) => tailOf(folder) ?? []);
  const [tail] = tails;
  const newest = Math.max(
    ...tables.map(({ name }) =>
      Number(db.prepare(`SELECT coalesce(max(change_no), 0) AS n FROM ${changesOf(name)}`).get()?.n),
    ),
    tail?.commit ?? 0,
  );
  const lastEvent = Math.max(0, ...tails.map((each) => each.lastEvent));
  putStand((sql) => db.prepare(sql), { commit: newest, hash: tail?.hash ?? '', lastEvent });
}

/** Writes all rows as they are now into a `.rows` file, and removes files older than the law requires. */
function writeBeginning({ path, tables, now, certain, keptYears }: CareJob): void {
  const folder = journalOf(path);
  using db = openFile(path, { readOnly: true });
  db.exec('BEGIN');
  const book = db.prepare('SELECT commit_no, hash FROM book').get();
  const head = { kind: 'rows', commit: Number(book?.commit_no), hash: String(book?.hash) } as const;
  writePacked(join(folder, fileName(head.commit, dayOf(now), 'rows')), head, rowLines(db, tables, head.hash));
  db.exec('COMMIT');
  removeOldFiles(folder, certain, keptYears);
}

function* rowLines(db: DatabaseSync, tables: readonly TableShape[], before: string): Generator<string> {
  let hash = before;
  const readableFrom = readableFromOf(db);
  for (const { name } of tables) {
    const format = new RowFormat(db, name);
    for (const row of rowsOf(db, name)) {
      if (!format.isSound(row)) continue;
      const json = `{"s":${readableFrom},${JSON.stringify(name)}:${format.textOf(row)}}`;
      hash = hashAfter(hash, json);
      yield `${hash} ${json}\n`;
    }
  }
}

const YEAR_MS = 366 * 86_400_000;

function removeOldFiles(folder: string, certain: number, keptYears: number): void {
  const { rows, lines } = currentFilesOf(folder);
  const needed = new Set([...rows, ...lines].map(({ path }) => path));
  const newest = rows.at(-1);
  const begun = journalFiles(folder).findLast(({ kind, path }) => kind === 'rows' && path !== newest?.path);
  const before = begun ?? lines.at(-1);
  if (before === undefined) return;
  // a clock that is years ahead takes no years of the journal
  const latest = Math.min(certain, Date.parse(before.day) + YEAR_MS);
  const oldest = dayOf(latest - keptYears * YEAR_MS);
  for (const { path, day } of journalFiles(folder)) if (day < oldest && !needed.has(path)) rmSync(path);
}

/** Updates the journal on the second medium, and once a day a copy of the database there. */
async function copyToSecondMedium({ path, secondFolder, now }: CareJob): Promise<void> {
  if (secondFolder === null) return;
  const folder = journalOf(path);
  const other = join(secondFolder, basename(folder));
  // the folder of an absent medium is not made: it would lie on the card
  if (!existsSync(secondFolder)) mkdirSync(secondFolder, { mode: 0o700 });
  const database = join(secondFolder, basename(path));
  if (!endsInOurLine(folder, other)) for (const theirs of [other, database]) keepAside(theirs, now, 'other');
  mkdirSync(other, { recursive: true, mode: 0o700 });
  for (const file of journalFiles(folder)) {
    const target = join(other, basename(file.path));
    if (file.kind === 'log') appendNewLines(file, target);
    else if (!existsSync(target)) copyWhole(file.path, target);
    else if (statSync(target).size !== statSync(file.path).size && isWhole(file)) copyWhole(file.path, target);
    if (file.kind === 'packed') rmSync(target.replace(/packed$/, 'log'), { force: true });
  }
  const isOld = !existsSync(database) || dayOf(statSync(database).mtimeMs) !== dayOf(now);
  if (!isOld) return;
  using db = openFile(path, { readOnly: true });
  await backup(db, `${database}.tmp`);
  syncFile(`${database}.tmp`);
  renameSync(`${database}.tmp`, database);
}

/** Whether the journal on the second medium ends in a line of this one: any other may be its book's only record. */
function endsInOurLine(folder: string, other: string): boolean {
  const there = tailOf(other);
  if (there === null) return journalFiles(other).length === 0;
  for (const file of lineFiles(folder).toReversed()) {
    if (file.after > there.commit) continue;
    const head = headIn(file);
    if (head?.commit === there.commit && head.hash === there.hash) return true;
    for (const line of linesOf(file)) if (line?.commit === there.commit) return line.hash === there.hash;
  }
  return false;
}

/** Appends a log's new lines to its copy. A copy that differs (damage, a line taken back) is written anew. */
function appendNewLines(file: JournalFile, to: string): void {
  const bytes = readFileSync(file.path);
  const lines = bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1);
  const done = existsSync(to) ? readFileSync(to) : Buffer.alloc(0);
  const isOther = !lines.subarray(0, done.length).equals(done);
  if (isOther && isWhole(file)) rmSync(to);
  else if (done.length >= lines.length) return;
  appendFileSync(to, existsSync(to) ? lines.subarray(done.length) : lines);
  syncFile(to);
}

parentPort?.postMessage(await runJob(workerData));
