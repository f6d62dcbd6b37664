/** Lands a package: each picture is checked and becomes a hidden row, in small commits; one commit then makes all of them true. */
import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '../../store/index.ts';
import { byAge } from '../templates/template-name.ts';
import { templateInserter } from '../templates/template-rows.ts';
import { VISIBLE } from '../templates/templates-schema.ts';
import { type CheckedPackage, readCrops, vectorSizes } from './check-package.ts';
import { type PackageLine, VECTORS_NAME } from './format.ts';
import type { OpenPackage } from './open-package.ts';
import { IMPORT_STATUS, saveTask, stateOf } from './task-states.ts';

/** Templates of one commit: about a megabyte, a few milliseconds. */
const CHUNK_TEMPLATES = 48;

export interface LandRequest {
  readonly max: number;
  /** Runs the work when it is this connection's turn to write. */
  readonly turn: <T>(work: () => T) => Promise<T>;
  readonly onProgress: (done: number, total: number) => void;
}

interface Landed {
  readonly imported: number;
  /** They were there already. */
  readonly known: number;
  /** Their items were full. */
  readonly beyondLimit: number;
}

/** Which lines are new and have room, by their place. The order is the same on every device: the oldest first. */
function choose(db: DatabaseSync, lines: readonly PackageLine[], max: number): { chosen: Set<number>; known: number } {
  const isKnown = db.prepare(`SELECT 1 FROM templates WHERE origin = ? AND sid = ? AND ${VISIBLE}`);
  const countOf = db.prepare(`SELECT count(*) AS count FROM templates WHERE item = ? AND ${VISIBLE}`);
  const fresh = lines.map((line, index) => ({ line, index })).filter(({ line }) => !isKnown.get(line.origin, line.sid));
  const oldestFirst = fresh.toSorted((one, other) => byAge(one.line, other.line));
  const room = new Map<string, number>();
  const chosen = new Set<number>();
  for (const { line, index } of oldestFirst) {
    const left = room.get(line.item) ?? max - Number(countOf.get(line.item)?.count ?? 0);
    if (left > 0) chosen.add(index);
    room.set(line.item, left - 1);
  }
  return { chosen, known: lines.length - fresh.length };
}

interface Row {
  readonly line: PackageLine;
  readonly vector: Buffer;
  readonly crop: Buffer;
}

type Waiting = Omit<Row, 'crop'>;

function insertAll(db: DatabaseSync, batch: number, rows: readonly Row[]): void {
  const insert = templateInserter(db);
  transaction(db, () => {
    for (const { line, vector, crop } of rows)
      insert(batch, { ...line, vector, crop, cropSha256: Buffer.from(line.cropSha256, 'hex') });
  });
}

/** What was added elsewhere meanwhile comes first; returns how many rows remain. */
function settle(db: DatabaseSync, batch: number, max: number): number {
  db.prepare(
    `DELETE FROM templates WHERE batch = :batch
      AND (origin, sid) IN (SELECT origin, sid FROM templates WHERE ${VISIBLE})`,
  ).run({ batch });
  db.prepare(
    `DELETE FROM templates WHERE id IN (SELECT id FROM (SELECT id, batch,
      row_number() OVER (PARTITION BY item ORDER BY batch = :batch, sid, origin) AS place
      FROM templates WHERE batch = :batch OR ${VISIBLE}) WHERE batch = :batch AND place > :max)`,
  ).run({ batch, max });
  return Number(db.prepare('SELECT count(*) AS count FROM templates WHERE batch = ?').get(batch)?.count ?? 0);
}

function publish(db: DatabaseSync, batch: number, outcome: (imported: number) => Landed, max: number): void {
  transaction(db, () => {
    const imported = settle(db, batch, max);
    db.prepare("UPDATE batches SET state = 'visible' WHERE id = ?").run(batch);
    const landed = outcome(imported);
    saveTask(db, 'import', stateOf(IMPORT_STATUS.completed, describeLanding(landed), { ...landed }));
  });
}

function describeLanding({ imported, known, beyondLimit }: Landed): string {
  const parts = [`completed: ${imported} templates imported`];
  if (known > 0) parts.push(`${known} were there already`);
  if (beyondLimit > 0) parts.push(`${beyondLimit} were left out because their items are full`);
  return parts.join(', ');
}

/** All of it is visible and durable when this settles; when it fails, nothing is. */
export async function landPackage(
  db: DatabaseSync,
  parts: OpenPackage,
  checked: CheckedPackage,
  { max, turn, onProgress }: LandRequest,
): Promise<void> {
  const { lines } = checked;
  const { chosen, known } = choose(db, lines, max);
  const batch = await turn(() =>
    Number(db.prepare("INSERT INTO batches (kind, state) VALUES ('import', 'landing')").run().lastInsertRowid),
  );
  try {
    let waiting: Waiting[] = [];
    let read = 0;
    const land = async (): Promise<void> => {
      // also those that are known or have no room: a damaged package is refused whole
      const crops = await readCrops(parts, checked, read, waiting.length);
      const rows = waiting
        .map((each, at) => ({ ...each, crop: crops[at] ?? Buffer.alloc(0) }))
        .filter((_, at) => chosen.has(read + at));
      if (rows.length > 0) await turn(() => insertAll(db, batch, rows));
      read += waiting.length;
      waiting = [];
      onProgress(read, lines.length);
    };
    for await (const vector of parts.cut(VECTORS_NAME, vectorSizes(lines))) {
      const line = lines[read + waiting.length];
      if (line !== undefined) waiting.push({ line, vector });
      if (waiting.length === CHUNK_TEMPLATES) await land();
    }
    if (waiting.length > 0) await land();
    const outcome = (imported: number) => ({ imported, known, beyondLimit: lines.length - known - imported });
    await turn(() => publish(db, batch, outcome, max));
  } catch (error) {
    await turn(() => db.prepare("UPDATE batches SET state = 'dropped' WHERE id = ?").run(batch));
    throw error;
  }
}
