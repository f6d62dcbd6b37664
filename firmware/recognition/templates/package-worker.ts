/**
 * The thread that exports or imports one package, over a separate connection. It writes only in its turn (see
 * `serial-queue.ts`): it asks with `turn`, the process answers, and the thread reports `turn-over`.
 */
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { connect, emptyLog } from '../../core/files/index.ts';
import { recognitionFailure } from '../model/failures.ts';
import type { OwnModel } from '../model/template.ts';
import type { Rules } from './import-package.ts';
import { PackageError } from './package-format.ts';
import { EXPORT_STATUS, failedState, IMPORT_STATUS, stateOf, type TaskState } from './package-task-states.ts';
import { markDamaged } from './templates-database.ts';
import type { WriteRequest } from './write-package.ts';

interface ExportJob extends Omit<WriteRequest, 'onProgress'> {
  readonly kind: 'export';
  readonly database: string;
}

interface ImportJob extends Rules {
  readonly kind: 'import';
  readonly database: string;
  readonly file: string;
  /** Null where the device has no model. */
  readonly own: OwnModel | null;
  /** The most pages of the database. */
  readonly maxPages: number;
  /** The most bytes of the unpacked package. */
  readonly maxBytes: number;
}

export type Job = ExportJob | ImportJob;

export type WorkerMessage =
  | { readonly kind: 'progress'; readonly state: TaskState }
  | { readonly kind: 'turn' }
  | { readonly kind: 'turn-over' }
  /** The state that the job has ended in. */
  | { readonly kind: 'over'; readonly state: TaskState };

const send = (message: WorkerMessage): void => parentPort?.postMessage(message);

function report(status: number, doing: string, done: number, total: number): void {
  send({ kind: 'progress', state: stateOf(status, `${doing}: ${done} of ${total} templates`, { done, total }) });
}

/** Asks for the turn, runs work, and reports that the turn is over. */
async function inTurn<T>(work: () => T): Promise<T> {
  const granted = new Promise<void>((resolve) => parentPort?.once('message', () => resolve()));
  send({ kind: 'turn' });
  await granted;
  try {
    return work();
  } finally {
    send({ kind: 'turn-over' });
  }
}

async function runExport(db: DatabaseSync, { database: _, kind: __, ...request }: ExportJob): Promise<TaskState> {
  // each job loads only the modules that it needs: its thread starts sooner
  const { writePackage } = await import('./write-package.ts');
  const onProgress = (done: number, total: number): void => report(EXPORT_STATUS.preparing, 'preparing', done, total);
  const { templates, items } = await writePackage(db, { ...request, onProgress });
  return stateOf(EXPORT_STATUS.ready, `ready: ${templates} templates of ${items} items`, { templates, items });
}

async function runImport(
  db: DatabaseSync,
  { file, max, marked, own, maxPages, maxBytes }: ImportJob,
): Promise<TaskState> {
  const [{ OpenPackage }, { checkPackage }, { importPackage }] = await Promise.all([
    import('./open-package.ts'),
    import('./check-package.ts'),
    import('./import-package.ts'),
  ]);
  db.exec(`PRAGMA max_page_count = ${maxPages}`);
  const parts = await OpenPackage.open(file, maxBytes);
  try {
    const checked = await checkPackage(parts, own);
    const onProgress = (done: number, total: number): void => report(IMPORT_STATUS.importing, 'importing', done, total);
    onProgress(0, checked.lines.length);
    // each commit is moved into the file before the next one, so that the log stays short
    const turn = <T>(work: () => T): Promise<T> =>
      inTurn(() => {
        const done = work();
        emptyLog(db);
        return done;
      });
    return await importPackage(db, parts, checked, { max, marked, turn, onProgress });
  } finally {
    parts.close();
  }
}

/** The state of a failed job; a failure of the storage is worded as the device words it. */
function failureOf({ kind }: Job, error: unknown): TaskState {
  const words = messageOf(recognitionFailure(error));
  if (kind === 'export') return failedState(kind, `the package could not be made: ${words}`);
  const failed = failedState(kind, `nothing was imported: ${words}`);
  return error instanceof PackageError ? { ...failed, status: IMPORT_STATUS.refused } : failed;
}

async function main(job: Job): Promise<void> {
  const db = connect(job.database);
  try {
    send({ kind: 'over', state: job.kind === 'export' ? await runExport(db, job) : await runImport(db, job) });
  } catch (error) {
    markDamaged(db, error);
    send({ kind: 'over', state: failureOf(job, error) });
  } finally {
    db.close();
  }
  parentPort?.close();
}

await main(workerData);
