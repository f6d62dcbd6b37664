/** A copy of a table: the newest version of each row, as text. It takes only rows whose checksum is right, so that no damage travels. */
import { existsSync } from 'node:fs';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { openFile, transaction } from '../database.ts';
import { isObstructed, makeWay, setAside } from '../set-aside.ts';
import { writeFailure } from '../write-failure.ts';
import { isWhole, type Version } from './row.ts';

const SCHEMA = `CREATE TABLE IF NOT EXISTS versions (
    id INTEGER PRIMARY KEY, change_no INTEGER NOT NULL, checksum TEXT NOT NULL, text TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS versions_change ON versions (change_no);`;

const versionOf = (row: Record<string, SQLOutputValue>): Version => ({
  id: Number(row.id),
  change: Number(row.change_no),
  checksum: String(row.checksum),
  text: String(row.text),
});

export const tableIdOf = (db: DatabaseSync): number =>
  Number(db.prepare('PRAGMA application_id').get()?.application_id);

/** @returns null where it belongs to another table @throws {Error} of SQLite */
function openToWrite(path: string, tableId: number): DatabaseSync | null {
  const db = openFile(path);
  try {
    db.exec(SCHEMA);
    if (tableIdOf(db) === 0) db.exec(`PRAGMA application_id = ${tableId}`);
    if (tableIdOf(db) === tableId) return db;
  } catch (error) {
    db.close();
    throw error;
  }
  db.close();
  return null;
}

export class Replica implements Disposable {
  readonly #db: DatabaseSync;

  private constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /**
   * For writing. It is made where it is absent; what is there and is no copy of this table is set aside.
   * @throws {Error} of SQLite, where nothing can be written
   */
  static open(path: string, tableId: number, now: number): Replica {
    makeWay(path, now);
    try {
      const db = openToWrite(path, tableId);
      if (db !== null) return new Replica(db);
    } catch (error) {
      if (writeFailure(error) !== 'damaged') throw error;
    }
    setAside(path, now);
    const made = openToWrite(path, tableId);
    if (made === null) throw new Error(`${path} was taken by another table`);
    return new Replica(made);
  }

  /** For reading; null where there is none that can be read. */
  static find(path: string): Replica | null {
    let db: DatabaseSync | null = null;
    try {
      if (!existsSync(path) || isObstructed(path)) return null;
      db = openFile(path, { readOnly: true });
      const replica = new Replica(db);
      void replica.head;
      return replica;
    } catch {
      db?.close();
      return null; // there is no second source then, and the next write to it reports why
    }
  }

  get tableId(): number {
    return tableIdOf(this.#db);
  }

  /** Number of the last change that it has; it has all those before. 0 when it is empty. @throws {Error} of SQLite */
  get head(): number {
    // a damaged number must not pass for the last one
    const newest = this.#db.prepare('SELECT * FROM versions ORDER BY change_no DESC').iterate();
    for (const row of newest) if (isWhole(versionOf(row))) return Number(row.change_no);
    return 0;
  }

  get lastId(): number {
    return Number(this.#db.prepare('SELECT max(id) AS id FROM versions').get()?.id ?? 0);
  }

  /** Null where there is none, or none that is whole. @throws {Error} of SQLite */
  find(id: number): Version | null {
    const row = this.#db.prepare('SELECT * FROM versions WHERE id = ?').get(id);
    const version = row === undefined ? null : versionOf(row);
    return version !== null && isWhole(version) ? version : null;
  }

  /** The next rows after an id, in order. @throws {Error} of SQLite */
  after(id: number, limit: number): Version[] {
    return this.#db.prepare('SELECT * FROM versions WHERE id > ? ORDER BY id LIMIT ?').all(id, limit).map(versionOf);
  }

  /** In one commit. @throws {Error} of SQLite */
  take(versions: readonly Version[]): void {
    const put = this.#db.prepare('INSERT OR REPLACE INTO versions (id, change_no, checksum, text) VALUES (?, ?, ?, ?)');
    transaction(this.#db, () => {
      for (const { id, change, checksum, text } of versions) put.run(id, change, checksum, text);
    });
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}
