/**
 * A table whose rows carry checksums, with a journal and copies beside it: what the storage loses or changes is noticed, told by
 * row and put back. Whoever writes to it needs to know nothing of that but to name the rows that a change is about.
 */
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { transaction } from '../database.ts';
import { writeFailure } from '../write-failure.ts';
import { Journal } from './journal.ts';
import { fileBefore, JournalContent } from './journal-content.ts';
import type { KeepJob } from './keep.ts';
import { journalOf, type OpenedTable, openTable, replicasOf, type TableFile } from './open-table.ts';
import { checksumOf, DAMAGED, type RawRow, type Version } from './row.ts';
import { Rows, type RowVerdict, type TableShape } from './rows.ts';
import { Sources } from './sources.ts';

/** Rows that are handled with one commit. */
const ROWS_A_PIECE = 200;

export type Row = Record<string, SQLOutputValue>;
type Values = Readonly<Record<string, SQLInputValue>>;
export type Finding = Exclude<RowVerdict, 'good'>;

/** A row with what became of it; null where it is lost. */
export interface CheckedRow {
  readonly id: number;
  readonly row: Row | null;
  readonly isDamaged: boolean;
}

export class CheckedTable {
  readonly #shape: TableShape;
  /** Null for a database that has nothing beside it. */
  readonly #file: TableFile | null;
  #opened: OpenedTable;
  #rows: Rows;
  #statements = new Map<string, StatementSync>();
  #journal: Journal | null = null;
  /** Number of the last change. */
  #last = 0;
  /** Whether there may be changes that the journal lacks. */
  #isBehind = true;
  #isAtWork = false;
  /** The rows of the change that is under way, and whether each is sound; null when there is none. */
  #changing: Map<string, boolean> | null = null;
  /** What was found of rows since the start, by id. */
  readonly #findings = new Map<number, Finding>();
  /** Rows that were put back as they were at some time, which need not be the last. */
  readonly #doubtful = new Set<number>();

  private constructor(shape: TableShape, file: TableFile | null, opened: OpenedTable) {
    this.#shape = shape;
    this.#file = file;
    this.#opened = opened;
    this.#rows = new Rows(opened.db, shape);
    this.#last = this.#rows.lastChange;
    if (file !== null) this.#begin(file);
  }

  /** Opens what is there, whatever became of it. @throws {Error} of SQLite, where the disk gives or takes nothing */
  static open(file: TableFile): CheckedTable {
    return new CheckedTable(file.shape, file, openTable(file));
  }

  /** A database in memory: its rows are checked, and nothing is kept beside it. */
  static over(db: DatabaseSync, shape: TableShape): CheckedTable {
    return new CheckedTable(shape, null, {
      db,
      tableId: 0,
      journal: JournalContent.NONE,
      known: 0,
      setAside: null,
      isDoubtful: false,
    });
  }

  /** Where a damaged file was set aside, at the start or since; null when it was whole. */
  get setAside(): string | null {
    return this.#opened.setAside;
  }

  get findings(): ReadonlyMap<number, Finding> {
    return this.#findings;
  }

  /** Why the last change is not in the journal yet; null when it is. */
  get journalProblem(): string | null {
    return this.#journal?.problem ?? null;
  }

  get lastId(): number {
    return this.#whole(() => this.#rows.lastId);
  }

  get(sql: string, values: Values = {}): Row | undefined {
    return this.#whole(() => this.#statement(sql).get(values));
  }

  all(sql: string, values: Values = {}): Row[] {
    return this.#whole(() => this.#statement(sql).all(values));
  }

  /** A statement of the work of {@link change}. */
  run(sql: string, values: Values): void {
    this.#statement(sql).run(values);
  }

  /**
   * One change, kept whole or not at all; what is begun within another becomes part of it.
   * @param keys of all rows that `work` inserts or changes
   * @throws {Error} of SQLite; nothing has changed then
   */
  change(keys: readonly string[], work: () => void): void {
    if (this.#changing === null) this.#record(this.#whole(() => this.#changed(keys, work)));
    else this.#workOn(keys, work, this.#changing);
  }

  /** The next rows after an id, in order, each checked; what can be put back is, and one that is lost has its place. */
  checked(after: number, limit: number): CheckedRow[] {
    const found = this.#whole(() => this.#rows.after(after, limit));
    const ids = upTo(after, Number(found.at(-1)?.id ?? after), limit);
    const byId = new Map(found.map((row) => [Number(row.id), row]));
    const suspects = ids.filter((id) => this.#isSuspect(byId.get(id)));
    this.#judge(suspects);
    for (const id of suspects) {
      const row = this.#rows.byId(id);
      if (row !== undefined) byId.set(id, row);
    }
    return ids.map((id) => {
      const row = byId.get(id);
      return { id, row: row === undefined ? null : plain(row), isDamaged: row?.checksum === DAMAGED };
    });
  }

  /** Looks at some rows, and puts back what can be. */
  verify(ids: readonly number[]): void {
    this.#judge(this.#whole(() => ids.filter((id) => this.#isSuspect(this.#rows.byId(id)))));
  }

  /** Compares rows that somebody suspects with the journal and the copies. Answers which were put back. */
  judge(ids: readonly number[]): number[] {
    return this.#whole(() => this.#judge(ids));
  }

  /** Opens the file again, as somebody suspects it, and makes it anew where it is damaged. */
  recheck(): void {
    if (this.#file !== null) this.#reopen(this.#file);
  }

  /** Where the copies lie; the first is beside the database. */
  get replicas(): readonly string[] {
    return this.#file === null ? [] : replicasOf(this.#file, this.#opened.tableId);
  }

  /** The files that lie beside the database. */
  get beside(): readonly string[] {
    if (this.#file === null) return [];
    const journal = journalOf(this.#file.path);
    return [journal, fileBefore(journal), ...this.replicas.slice(0, 1)];
  }

  /** What a thread needs to find it. */
  get description(): Pick<KeepJob, 'path' | 'shape' | 'tableId'> {
    return { path: this.#file?.path ?? ':memory:', shape: this.#shape, tableId: this.#opened.tableId };
  }

  /** Number of the last change. */
  get head(): number {
    return this.#last;
  }

  /** Gives checksums to rows of a release that knows of none. Answers whether there may be more of them. */
  adopt(): boolean {
    const { name, key } = this.#shape;
    const rows = this.all(`SELECT ${key} AS key FROM ${name} WHERE change_no IS NULL LIMIT ${ROWS_A_PIECE}`);
    const keys = rows.map((row) => String(row.key));
    if (keys.length > 0) this.change(keys, () => undefined);
    return keys.length > 0;
  }

  /** Ids of rows that were put back, though nothing tells whether they had changed since; each is told once. */
  takeDoubtful(): number[] {
    const ids = [...this.#doubtful];
    this.#doubtful.clear();
    return ids;
  }

  /** Begins a new file of the journal where it has grown long. The copies must have what is in it. */
  turnJournal(): void {
    if (this.#journal?.isLong) this.#journal.turn();
  }

  /** Writes to the disk and changes nothing. @throws {Error} of SQLite when it cannot */
  tryWrite(): void {
    const { db } = this.#opened;
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    db.exec(`PRAGMA user_version = ${version}`); // its page is written although it is the same
  }

  close(): void {
    this.#journal?.close();
    this.#opened.db.close();
  }

  /** Answers what the rows have become, in the order of the changes. */
  #changed(keys: readonly string[], work: () => void): Version[] {
    const sound = new Map<string, boolean>();
    this.#changing = sound;
    try {
      return transaction(this.#opened.db, () => {
        this.#workOn(keys, work, sound);
        const sealed = [...sound].flatMap(([key, isSound]) => (isSound ? (this.#seal(key) ?? []) : []));
        return sealed.sort((one, other) => one.change - other.change);
      });
    } finally {
      this.#changing = null;
    }
  }

  /** @param sound of the rows of this change, which may get a right checksum afterwards: a damaged one must not */
  #workOn(keys: readonly string[], work: () => void, sound: Map<string, boolean>): void {
    for (const key of keys) if (!sound.has(key)) sound.set(key, this.#unseal(key));
    work();
  }

  /** Does something with the database; where that turns out to be damaged, it is made anew before. */
  #whole<T>(work: () => T): T {
    if (this.#isAtWork) return work(); // within another, which begins anew from its own beginning
    this.#isAtWork = true;
    try {
      return work();
    } catch (error) {
      if (this.#file === null || writeFailure(error) !== 'damaged') throw error;
      this.#reopen(this.#file);
      return work();
    } finally {
      this.#isAtWork = false;
    }
  }

  #reopen(file: TableFile): void {
    this.#journal?.close();
    closeDamaged(this.#opened.db);
    this.#opened = openTable(file, true);
    this.#begin(file);
  }

  /** Compares what was opened with the journal. */
  #begin(file: TableFile): void {
    const { db, tableId, journal, known, setAside } = this.#opened;
    const content = journal.of(tableId);
    this.#rows = new Rows(db, this.#shape);
    this.#statements = new Map();
    this.#last = Math.max(this.#rows.lastChange, known);
    this.#journal = new Journal({ path: journalOf(file.path), tableId, found: journal, now: file.now() });
    if (setAside !== null) this.#survey();
    // from what was read: a damaged file lies elsewhere by now, and its whole lines are as good as ever
    this.#judge([...content.newest.keys()], content);
    this.#record([]);
  }

  /** After the file was made anew: what it lacks, and what nothing vouches for. */
  #survey(): void {
    const { name } = this.#shape;
    const rows = this.#opened.db.prepare(`SELECT id, checksum FROM ${name} ORDER BY id`).all();
    let next = 1;
    for (const { id, checksum } of rows) {
      for (; next < Number(id); next += 1) this.#findings.set(next, 'lost');
      next = Number(id) + 1;
      if (checksum === DAMAGED) this.#findings.set(Number(id), 'damaged');
      if (this.#opened.isDoubtful) this.#doubtful.add(Number(id));
    }
  }

  #statement(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#opened.db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Whether something is to be found out about it. */
  #isSuspect(row: RawRow | undefined): boolean {
    if (row === undefined) return true;
    if (this.#rows.format.stateOf(row) !== 'damaged') return false;
    return row.checksum !== DAMAGED || this.#findings.get(Number(row.id)) !== 'damaged';
  }

  #judge(ids: readonly number[], journal?: JournalContent): number[] {
    if (ids.length === 0) return [];
    using sources = this.#sources(journal);
    const judge = () => ids.map((id) => [id, this.#rows.judge(id, sources)] as const);
    const { db } = this.#opened;
    const found = db.isTransaction ? judge() : transaction(db, judge);
    for (const [id, verdict] of found) if (verdict !== 'good') this.#findings.set(id, verdict);
    const repaired = found.flatMap(([id, verdict]) => (verdict === 'repaired' ? [id] : []));
    if (!sources.tellAllUpTo(this.#last)) for (const id of repaired) this.#doubtful.add(id);
    return repaired;
  }

  #sources(journal?: JournalContent): Sources {
    const file = this.#file;
    if (file === null) return new Sources(JournalContent.NONE, [], 0);
    const { tableId } = this.#opened;
    const content = journal ?? JournalContent.read(journalOf(file.path));
    return new Sources(content.of(tableId), replicasOf(file, tableId), tableId);
  }

  /** Before a row is changed. False where it is damaged for good. */
  #unseal(key: string): boolean {
    const row = this.#rows.byKey(key);
    if (row === undefined) return true;
    if (this.#isSuspect(row)) this.#judge([Number(row.id)]);
    if (this.#rows.byKey(key)?.checksum === DAMAGED) return false;
    this.#last += 1;
    this.run(this.#updates, { key, change: this.#last, checksum: null });
    return true;
  }

  /** After a row was changed; null where there is none. */
  #seal(key: string): Version | null {
    const row = this.#rows.byKey(key);
    if (row === undefined) return null;
    if (row.change_no === null) this.#last += 1;
    const change = row.change_no === null ? this.#last : Number(row.change_no);
    const text = this.#rows.format.textOf({ ...row, change_no: BigInt(change) });
    const checksum = checksumOf(text);
    this.run(this.#updates, { key, change, checksum });
    return { id: Number(row.id), change, checksum, text };
  }

  get #updates(): string {
    const { name, key } = this.#shape;
    return `UPDATE ${name} SET change_no = :change, checksum = :checksum WHERE ${key} = :key`;
  }

  /** Takes changes into the journal, and before them those that it could not take. */
  #record(versions: readonly Version[]): void {
    const journal = this.#journal;
    if (journal === null) return;
    if (!this.#isBehind) journal.append(versions);
    else for (const piece of this.#changedSince(journal.head)) journal.append(piece);
    this.#isBehind = journal.problem !== null;
  }

  *#changedSince(change: number): Generator<Version[]> {
    for (let last = change; ; ) {
      const rows = this.#rows.changedAfter(last, ROWS_A_PIECE);
      const end = rows.at(-1);
      if (end === undefined) return;
      last = Number(end.change_no);
      yield rows
        .filter((row) => this.#rows.format.stateOf(row) === 'good')
        .map((row) => this.#rows.format.versionOf(row));
    }
  }
}

/** Every id behind one up to another, at most `limit`. */
function upTo(after: number, last: number, limit: number): number[] {
  return Array.from({ length: Math.min(last - after, limit) }, (_, n) => after + 1 + n);
}

const plain = (row: RawRow): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );

function closeDamaged(db: DatabaseSync): void {
  try {
    db.close();
  } catch {
    // it is set aside as it is
  }
}
