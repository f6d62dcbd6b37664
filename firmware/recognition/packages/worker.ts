/**
 * The thread that exports or imports one package, with a connection of its own. It writes only when it was given the turn
 * (see `serial-queue.ts`): it asks with `turn`, the process answers, and it says when it is over.
 */
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { connect } from '../../store/index.ts';
import { recognitionFailure } from '../failures.ts';
import { markDamaged } from '../templates/templates-database.ts';
import type { OpenPackage } from './open-package.ts';
import { EXPORT_STATUS, IMPORT_STATUS, type TaskCounts } from './task-states.ts';
import type { WriteRequest, Written } from './write-package.ts';

interface ExportJob extends Omit<WriteRequest, 'onProgress'> {
  readonly kind: 'export';
  readonly database: string;
}

interface ImportJob {
  readonly kind: 'import';
  readonly database: string;
  readonly file: string;
  /** Templates that an item may have. */
  readonly max: number;
  /** Pages that the database may grow to. */
  readonly maxPages: number;
  /** To which the package may unpack. */
  readonly maxBytes: number;
}

export type Job = ExportJob | ImportJob;

export type WorkerMessage =
  | { readonly kind: 'progress'; readonly status: number; readonly msg: string; readonly counts: TaskCounts }
  | { readonly kind: 'turn' }
  | { readonly kind: 'turn-over' }
  | { readonly kind: 'exported'; readonly written: Written }
  | { readonly kind: 'imported' }
  | { readonly kind: 'failed'; readonly status: number; readonly msg: string };

const say = (message: WorkerMessage): void => parentPort?.postMessage(message);

function report(status: number, doing: string, done: number, total: number): void {
  say({ kind: 'progress', status, msg: `${doing}: ${done} of ${total} templates`, counts: { done, total } });
}

/** Asks for the turn, works, gives it back. */
async function inTurn<T>(work: () => T): Promise<T> {
  const granted = new Promise<void>((resolve) => parentPort?.once('message', () => resolve()));
  say({ kind: 'turn' });
  await granted;
  try {
    return work();
  } finally {
    say({ kind: 'turn-over' });
  }
}

async function runExport({ database, kind: _, ...request }: ExportJob): Promise<void> {
  // each job loads what it needs alone: a thread starts sooner for it
  const { writePackage } = await import('./write-package.ts');
  const db = connect(database);
  try {
    const written = await writePackage(db, {
      ...request,
      onProgress: (done, total) => report(EXPORT_STATUS.preparing, 'preparing', done, total),
    });
    say({ kind: 'exported', written });
  } catch (error) {
    markDamaged(db, error);
    say({ kind: 'failed', status: EXPORT_STATUS.failed, msg: `the package could not be made: ${wordsOf(error)}` });
  } finally {
    db.close();
  }
}

/** A large import leaves a large log behind, which would take room and time at every start. */
async function shortenLog(db: DatabaseSync): Promise<void> {
  try {
    await inTurn(() => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
  } catch {
    // the import is what it is; the log is shortened by a later one, or at the next start
  }
}

async function runImport(job: ImportJob): Promise<void> {
  const [{ OpenPackage }, { PackageError }, { checkPackage }, { landPackage }] = await Promise.all([
    import('./open-package.ts'),
    import('./format.ts'),
    import('./check-package.ts'),
    import('./land-package.ts'),
  ]);
  let parts: OpenPackage | null = null;
  const db = connect(job.database);
  try {
    db.exec(`PRAGMA max_page_count = ${job.maxPages}`);
    parts = await OpenPackage.open(job.file, job.maxBytes);
    const checked = await checkPackage(parts);
    report(IMPORT_STATUS.importing, 'importing', 0, checked.lines.length);
    await landPackage(db, parts, checked, {
      max: job.max,
      turn: inTurn,
      onProgress: (done, total) => report(IMPORT_STATUS.importing, 'importing', done, total),
    });
    say({ kind: 'imported' });
  } catch (error) {
    markDamaged(db, error);
    const status = error instanceof PackageError ? IMPORT_STATUS.refused : IMPORT_STATUS.failed;
    say({ kind: 'failed', status, msg: `nothing was imported: ${wordsOf(error)}` });
  } finally {
    parts?.close();
    await shortenLog(db);
    db.close();
  }
}

/** In the words of the device where the store failed. */
const wordsOf = (error: unknown): string => messageOf(recognitionFailure(error));

async function main(job: Job): Promise<void> {
  if (job.kind === 'export') await runExport(job);
  else await runImport(job);
  parentPort?.close();
}

await main(workerData);
