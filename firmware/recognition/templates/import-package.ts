/**
 * Imports a package: each picture is checked and becomes a hidden row, in small commits; one last commit makes all rows
 * visible.
 */
import type { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { transaction } from '../../core/files/index.ts';
import { byAge } from '../model/template.ts';
import { type CheckedPackage, readCrops, vectorSizes } from './check-package.ts';
import type { OpenPackage } from './open-package.ts';
import { type PackageLine, VECTORS_NAME } from './package-format.ts';
import { IMPORT_STATUS, saveTask, stateOf, type TaskState } from './package-task-states.ts';
import { templateInserter } from './template-rows.ts';
import { VISIBLE } from './templates-database.ts';

/** Templates of one commit: about a megabyte, a few milliseconds. */
const CHUNK_TEMPLATES = 48;

export interface Rules {
  /** The most templates of an item. */
  readonly max: number;
  /** Items that the store deletes from all devices; null where this device is in no store and stores no tombstones. */
  readonly marked: ReadonlySet<string> | null;
}

export interface ImportRequest extends Rules {
  /** Runs work when it is this connection's turn to write. */
  readonly turn: <T>(work: () => T) => Promise<T>;
  readonly onProgress: (done: number, total: number) => void;
}

interface Imported {
  readonly imported: number;
  /** Templates that were there already. */
  readonly known: number;
  /** Templates whose items were full. */
  readonly beyondLimit: number;
  /**
   * Templates that the store has permanently deleted, or whose items it is to delete: synchronisation would remove them
   * at once.
   */
  readonly deleted: number;
}

/** The lines to import, by their place, and how many others are left out for which reason. */
interface Choice extends Pick<Imported, 'known' | 'deleted'> {
  readonly chosen: ReadonlySet<number>;
  /** Number of lines of the package. */
  readonly total: number;
}

/** Chooses the lines that are new, allowed and have room. The order is the same on every device: the oldest first. */
function choose(db: DatabaseSync, lines: readonly PackageLine[], { max, marked }: Rules): Choice {
  const isKnown = db.prepare(`SELECT 1 FROM templates WHERE origin = ? AND sid = ? AND ${VISIBLE}`);
  const countOf = db.prepare(`SELECT count(*) AS count FROM templates WHERE item = ? AND ${VISIBLE}`);
  const fresh = lines.map((line, index) => ({ line, index })).filter(({ line }) => !isKnown.get(line.origin, line.sid));
  const isTombstone = db.prepare('SELECT 1 FROM tombstones WHERE origin = ? AND sid = ?');
  const isDeleted = ({ item, origin, sid }: PackageLine): boolean =>
    marked !== null && (marked.has(item) || isTombstone.get(origin, sid) !== undefined);
  const allowed = fresh.filter(({ line }) => !isDeleted(line));
  const oldestFirst = allowed.toSorted((one, other) => byAge(one.line, other.line));
  const room = new Map<string, number>();
  const chosen = new Set<number>();
  for (const { line, index } of oldestFirst) {
    const left = room.get(line.item) ?? max - Number(countOf.get(line.item)?.count ?? 0);
    if (left > 0) chosen.add(index);
    room.set(line.item, left - 1);
  }
  const { length: total } = lines;
  return { chosen, total, known: total - fresh.length, deleted: fresh.length - allowed.length };
}

/** A template whose vector and picture are read and checked. */
interface Row {
  /** Place of its line in the package. */
  readonly index: number;
  readonly line: PackageLine;
  readonly vector: Buffer;
  readonly crop: Buffer;
}

/**
 * Reads the rows of a package in chunks, also those of templates that are known or have no room: a damaged package is
 * refused whole.
 * @throws {PackageError}
 */
async function* readRows(parts: OpenPackage, checked: CheckedPackage): AsyncGenerator<readonly Row[]> {
  const { lines } = checked;
  let first = 0;
  let vectors: Buffer[] = [];
  for await (const vector of parts.cut(VECTORS_NAME, vectorSizes(lines))) {
    vectors.push(vector);
    if (vectors.length < CHUNK_TEMPLATES && first + vectors.length < lines.length) continue;
    const crops = await readCrops(parts, checked, first, vectors.length);
    yield lines.slice(first, first + vectors.length).map((line, at) => ({
      index: first + at,
      line,
      vector: vectors[at] ?? Buffer.alloc(0),
      crop: crops[at] ?? Buffer.alloc(0),
    }));
    first += vectors.length;
    vectors = [];
  }
}

function insertAll(db: DatabaseSync, batch: number, rows: readonly Row[]): void {
  const insert = templateInserter(db);
  transaction(db, () => {
    for (const { line, vector, crop } of rows)
      insert(batch, { ...line, vector, crop, cropSha256: Buffer.from(line.cropSha256, 'hex') });
  });
}

/** Makes the rows visible; templates that were added or deleted meanwhile take precedence. */
function settle(db: DatabaseSync, batch: number, choice: Choice, { max, marked }: Rules): Imported {
  const without = (others: string): number =>
    Number(db.prepare(`DELETE FROM templates WHERE batch = ? AND (origin, sid) IN (${others})`).run(batch).changes);
  const known = choice.known + without(`SELECT origin, sid FROM templates WHERE ${VISIBLE}`);
  const deleted = choice.deleted + (marked === null ? 0 : without('SELECT origin, sid FROM tombstones'));
  // in each item the visible templates have the first places, those of this import the next, the oldest first: of
  // these, what has no place among `max` is deleted
  db.prepare(
    `DELETE FROM templates WHERE id IN (SELECT id FROM (SELECT id, batch,
      row_number() OVER (PARTITION BY item ORDER BY batch = :batch, sid, origin) AS place
      FROM templates WHERE batch = :batch OR ${VISIBLE}) WHERE batch = :batch AND place > :max)`,
  ).run({ batch, max });
  const imported = Number(db.prepare('SELECT count(*) AS count FROM templates WHERE batch = ?').get(batch)?.count ?? 0);
  return { imported, known, deleted, beyondLimit: choice.total - imported - known - deleted };
}

function publish(db: DatabaseSync, batch: number, choice: Choice, rules: Rules): TaskState {
  return transaction(db, () => {
    const imported = settle(db, batch, choice, rules);
    const state = stateOf(IMPORT_STATUS.completed, describeImport(imported), { ...imported });
    db.prepare("UPDATE batches SET state = 'visible' WHERE id = ?").run(batch);
    saveTask(db, 'import', state);
    return state;
  });
}

function describeImport({ imported, known, beyondLimit, deleted }: Imported): string {
  const parts = [`completed: ${imported} templates imported`];
  if (known > 0) parts.push(`${known} were there already`);
  if (beyondLimit > 0) parts.push(`${beyondLimit} were left out because their items are full`);
  if (deleted > 0)
    parts.push(`${deleted} were left out because they are deleted, or are to be, on all devices of the store`);
  return parts.join(', ');
}

/**
 * Imports a package. When this settles all of it is visible and durable; when it fails, nothing is, and the caller must
 * drop its rows.
 * @returns the state that is stored with it
 */
export async function importPackage(
  db: DatabaseSync,
  parts: OpenPackage,
  checked: CheckedPackage,
  { turn, onProgress, ...rules }: ImportRequest,
): Promise<TaskState> {
  const { lines } = checked;
  const choice = choose(db, lines, rules);
  const batch = await turn(() =>
    Number(db.prepare("INSERT INTO batches (kind, state) VALUES ('import', 'landing')").run().lastInsertRowid),
  );
  // a stream reads the next chunk while one is written
  const chunks: AsyncIterable<readonly Row[]> = Readable.from(readRows(parts, checked), { highWaterMark: 1 });
  let done = 0;
  for await (const rows of chunks) {
    const chosen = rows.filter(({ index }) => choice.chosen.has(index));
    if (chosen.length > 0) await turn(() => insertAll(db, batch, chosen));
    done += rows.length;
    onProgress(done, lines.length);
  }
  return await turn(() => publish(db, batch, choice, rules));
}
