/** Completes a book's journal, before the book is opened, from a second medium that is newer. */
import { LostWorker, WorkerThread } from '../../../drivers/lib/asked-worker.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { isOfStorage } from '../files/index.ts';
import type { CareJob, CareReport } from './care-job.ts';
import { putAhead } from './newer-medium.ts';

/** The program of the thread for work that takes longer than a till may wait. */
export const CARE_WORKER = new URL('./care.ts', import.meta.url);

/** A slower medium delays no sale: before the next copy to it, the thread looks again whether it is newer. */
const CATCH_UP_MS = 15_000;
const MAX_HEAP_MB = 128;

/**
 * Before a book is opened: completes its journal from a second medium that is newer. Never fails, and takes no longer
 * than {@link CATCH_UP_MS}.
 * @param log called with what was done, or why nothing could be
 */
export async function catchUp(
  { path, secondFolder }: Pick<CareJob, 'path' | 'secondFolder'>,
  log: (message: string, details: Readonly<Record<string, unknown>>) => void,
): Promise<void> {
  if (secondFolder === null) return;
  const unused = { tables: [], migrations: [], now: 0, keptYears: 0, sought: new Map(), since: null, certain: 0 };
  const job: CareJob = { kind: 'ahead', path, secondFolder, ...unused };
  const thread = new WorkerThread<never, CareReport>(
    CARE_WORKER,
    job,
    { name: 'care of the ledger' },
    { maxOldGenerationSizeMb: MAX_HEAP_MB },
  );
  try {
    const { ahead, problem } = await thread.hear(CATCH_UP_MS);
    if (problem !== null) log('the second medium cannot be read', { reason: problem });
    if (ahead === null) return;
    putAhead(path, ahead);
    log('the ledger was older than the second medium, and takes from there what it lacks', { files: ahead.files });
  } catch (error) {
    if (!(error instanceof LostWorker || isOfStorage(error))) throw error;
    log('the second medium cannot be read', { reason: messageOf(error) });
  } finally {
    void thread.end();
  }
}
