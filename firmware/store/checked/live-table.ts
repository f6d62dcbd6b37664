/** A checked table as its database is open now: compares suspect rows with the journal and the copies, and puts them back. */
import type { DatabaseSync } from 'node:sqlite';
import { OwnFile, transaction } from '../database.ts';
import { allSetAside, dropOldest, MOST_KEPT } from '../set-aside.ts';
import { Backups } from './backups.ts';
import { Changes } from './changes.ts';
import type { Findings } from './findings.ts';
import { JournalContent } from './journal-content.ts';
import { journalOf, type OpenedTable, replicasOf, type TableFile } from './open-table.ts';
import { DAMAGED, plainOrNull, plainRow, type RawRow, type Row, type Version } from './row.ts';
import { Rows, type TableShape } from './rows.ts';
import { TableJournal } from './table-journal.ts';

/** Rows that are written into the journal at once. */
const ROWS_A_PIECE = 200;

/** Where a table lies, and what is known of its rows; both outlive what is open. */
interface LiveTableOptions {
  readonly shape: TableShape;
  /** Null for a database that has nothing beside it. */
  readonly file: TableFile | null;
  readonly findings: Findings;
  /** See `ChangesOptions.changed`. */
  readonly changed: (before: Row | null, after: Row) => void;
}

/** A row with what became of it; null where it is lost. */
export interface CheckedRow {
  readonly id: number;
  readonly row: Row | null;
  readonly isDamaged: boolean;
}

export class LiveTable {
  readonly opened: OpenedTable;
  readonly rows: Rows;
  readonly changes: Changes;
  /** Null for a database that has nothing beside it. */
  readonly journal: TableJournal | null;
  readonly #place: OwnFile | null;
  readonly #options: LiveTableOptions;
  /** Whether there may be changes that the journal lacks. */
  #isBehind = true;

  constructor(opened: OpenedTable, options: LiveTableOptions) {
    const { db, known, tableId, journal: found } = opened;
    const { shape, file, changed } = options;
    this.opened = opened;
    this.#options = options;
    this.rows = new Rows(db, shape);
    const last = Math.max(this.rows.lastChange, known);
    this.changes = new Changes({
      db,
      rows: this.rows,
      shape,
      last,
      repair: (row) => this.#repair(row),
      changed: (before, after) => changed(plainOrNull(before), plainRow(after)),
    });
    this.journal = file && new TableJournal({ path: journalOf(file.path), tableId, found, now: file.now() });
    this.#place = file === null ? null : new OwnFile(file.path);
  }

  /** Whether its file is where it was opened, and not deleted, moved or replaced since. */
  get isInPlace(): boolean {
    return this.#place?.isInPlace ?? true;
  }

  get db(): DatabaseSync {
    return this.opened.db;
  }

  /** Compares every row of the journal with it, and begins to record. */
  begin(): void {
    const { shape, findings } = this.#options;
    const { tableId, journal, setAside, isUnconfirmed } = this.opened;
    const content = journal.of(tableId);
    if (setAside !== null) findings.noteMissing(this.db, shape.name, this.rows.lastId, isUnconfirmed);
    // from what was read: a damaged file lies elsewhere by now, and its whole lines are as good as ever
    this.repair([...content.newest.keys()], content);
    this.record([]);
    this.#dropRepaired();
  }

  /** Takes changes into the journal, and before them those that it could not take. @param versions in the order of their changes */
  record(versions: readonly Version[]): void {
    if (this.journal === null) return;
    if (this.#isBehind) this.#catchUp(this.journal);
    else this.journal.append(versions);
    this.#isBehind = this.journal.problem !== null;
  }

  #catchUp(journal: TableJournal): void {
    const { format } = this.rows;
    const isNew = journal.head === 0;
    let hasGap = false;
    for (let last = journal.head; ; ) {
      const rows = this.rows.changedAfter(last, ROWS_A_PIECE);
      const end = rows.at(-1);
      if (end === undefined) break;
      last = Number(end.change_no);
      const good = rows.filter((row) => format.stateOf(row) === 'good');
      hasGap ||= good.length < rows.length;
      journal.append(good.map((row) => format.versionOf(row)));
    }
    // when a damaged row changed last is unknown: what was made of the rows is no source for it
    if (isNew && hasGap) journal.startUnchained();
  }

  /** Whether something is to be found out about it. */
  isSuspect(row: RawRow | undefined): boolean {
    if (row === undefined) return true;
    const state = this.rows.format.stateOf(row);
    if (state !== 'damaged') return state === 'new';
    return row.checksum !== DAMAGED || this.#options.findings.byId.get(Number(row.id)) !== 'damaged';
  }

  /**
   * Checks rows before they are read, and restores what can be.
   * @param found of these ids as they lie in the table; one that is missing there is lost, unless it is put back
   */
  check(ids: readonly number[], found: readonly RawRow[]): CheckedRow[] {
    const byId = new Map(found.map((row) => [Number(row.id), row]));
    const suspects = ids.filter((id) => this.isSuspect(byId.get(id)));
    this.repair(suspects);
    for (const id of suspects) {
      const row = this.rows.byId(id);
      if (row !== undefined) byId.set(id, row);
    }
    return ids.map((id) => {
      const row = byId.get(id);
      return { id, row: plainOrNull(row), isDamaged: row?.checksum === DAMAGED };
    });
  }

  /** Compares rows with the journal and the copies. @returns the ids of those that were put back */
  repair(ids: readonly number[], journal?: JournalContent): number[] {
    if (ids.length === 0) return [];
    const { findings } = this.#options;
    using backups = this.#backups(journal);
    const repair = () => ids.map((id) => [id, this.rows.repair(id, backups)] as const);
    const found = this.db.isTransaction ? repair() : transaction(this.db, repair);
    this.changes.forget();
    for (const [id, verdict] of found) findings.note(id, verdict);
    const repaired = found.flatMap(([id, verdict]) => (verdict === 'repaired' ? [id] : []));
    if (!backups.coverUpTo(this.changes.last)) findings.noteUnconfirmed(repaired);
    return repaired;
  }

  close(): void {
    this.journal?.close();
    this.db.close();
  }

  /** Closes what is set aside as it is. */
  abandon(): void {
    this.journal?.close();
    try {
      this.db.close();
    } catch {
      // nothing of it is needed any more
    }
  }

  #repair(row: RawRow): void {
    if (this.rows.format.stateOf(row) === 'damaged' && this.isSuspect(row)) this.repair([Number(row.id)]);
  }

  /** Files that were set aside hold what is not repaired, or they may go. */
  #dropRepaired(): void {
    const path = this.#options.file?.path ?? null;
    if (path !== null && allSetAside(path).length > MOST_KEPT && this.rows.areAllThere) dropOldest(path);
  }

  #backups(journal?: JournalContent): Backups {
    const { file, shape } = this.#options;
    const { tableId } = this.opened;
    const found = file === null ? JournalContent.NONE : (journal ?? JournalContent.read(journalOf(file.path)));
    const replicas = file === null ? [] : replicasOf(file, tableId);
    return new Backups({ journal: found.of(tableId), replicas, tableId, key: shape.key, rows: this.rows });
  }
}
