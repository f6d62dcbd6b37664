/** Reads tables in a thread of their own: a small one may be made to take minutes, which no payment may wait for. */
import { LostWorker, WorkerThread } from '../../../../drivers/lib/worker-thread.ts';
import { TableError, type TableLine } from './lines.ts';
import type { Page, TableTask } from './table-worker.ts';

const WORKER_FILE = new URL('./table-worker.ts', import.meta.url);
/** The largest file takes a slow board a minute; one that takes longer hangs. */
const READ_LIMIT_MS = 2 * 60_000;
/** Of JavaScript's own objects: the texts of the largest workbook. */
const MAX_HEAP_MB = 192;

/**
 * The rows as they are asked for; the thread ends with the last, or with the generator.
 * @param limitMs that the thread may take in all
 * @throws {TableError}
 */
export async function* readTable(
  bytes: Uint8Array,
  form: TableTask['form'] = 'table',
  limitMs = READ_LIMIT_MS,
): AsyncGenerator<TableLine> {
  const thread = new WorkerThread<null, Page>(
    WORKER_FILE,
    { bytes, form },
    { name: 'reader of tables' },
    { maxOldGenerationSizeMb: MAX_HEAP_MB },
  );
  try {
    for (let leftMs = limitMs; ; ) {
      const began = performance.now();
      const page = await thread.ask(null, leftMs);
      leftMs = Math.max(1, leftMs - (performance.now() - began));
      if ('fault' in page) throw new TableError(page.fault, page.message, page.line);
      if (page.length === 0) return;
      yield* page;
    }
  } catch (cause) {
    if (!(cause instanceof LostWorker)) throw cause;
    throw new TableError('slow', undefined, null, { cause });
  } finally {
    await thread.end();
  }
}
