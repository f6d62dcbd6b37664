/** Reads tables in threads: a small table may be made to take minutes, and no payment may wait for that. */

import { LostWorker } from '../../../drivers/lib/asked-worker.ts';
import { readPages } from '../../../drivers/lib/paged-thread.ts';
import { TableError, type TableLine } from './cells.ts';
import type { TableTask } from './table-worker.ts';

const WORKER_FILE = new URL('./table-worker.ts', import.meta.url);
/** Time limit: the largest file takes a slow board a minute; a slower thread hangs. */
const READ_LIMIT_MS = 2 * 60_000;
/** Memory of the thread: for the texts of the largest workbook. */
const MAX_HEAP_MB = 192;

/** The rows of a table, read on demand. @param limitMs for the thread in all @throws {TableError} */
export async function* readTable(
  bytes: Uint8Array,
  form: TableTask['form'] = 'table',
  limitMs = READ_LIMIT_MS,
): AsyncGenerator<TableLine> {
  const options = { name: 'reader of tables', limitMs, maxHeapMb: MAX_HEAP_MB, kinds: [TableError] };
  try {
    yield* readPages<TableLine>(WORKER_FILE, { bytes, form }, options);
  } catch (cause) {
    if (!(cause instanceof LostWorker)) throw cause;
    throw new TableError('slow', undefined, null, { cause });
  }
}
