/** Runs one job in a worker thread and gives it its turns at writing. */
import type { AskedWorkerOptions } from '../../../drivers/lib/asked-worker.ts';
import { LostWorker, WorkerThread } from '../../../drivers/lib/asked-worker.ts';
import type { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import type { TaskState } from './package-task-states.ts';
import type { Job, WorkerMessage } from './package-worker.ts';

const WORKER_FILE = new URL('./package-worker.ts', import.meta.url);
/** A worker that needs more has been handed something made to need it. */
const MAX_HEAP_MB = 256;

/** A worker that says nothing for so long hangs: even a slow card does fifty templates in this time. */
const STALL_MS = 5 * 60_000;

/**
 * Settles when the worker is gone, and with it all that it held.
 * @returns the state that it ended in
 * @param limits `signal` ends the worker, and the job is lost; `after` is what the limit of a silence runs on
 * @throws {LostWorker} it ended without a word: it was killed, ran out of memory, or hung
 */
export async function runJob(
  job: Job,
  queue: SerialQueue,
  onProgress: (state: TaskState) => void,
  limits: Pick<AskedWorkerOptions, 'signal' | 'after'>,
): Promise<TaskState> {
  let outcome: TaskState | null = null;
  let turnOver = (): void => undefined;
  const worker = new WorkerThread<'turn', WorkerMessage>(
    WORKER_FILE,
    job,
    { name: `${job.kind} worker`, ...limits },
    { maxOldGenerationSizeMb: MAX_HEAP_MB },
  );
  const giveTurn = async (): Promise<void> => {
    if (worker.isOver) return; // it died while it waited
    const over = new Promise<void>((resolve) => {
      turnOver = resolve;
    });
    worker.post('turn');
    await over;
  };
  try {
    for (;;) {
      const message = await worker.hear(STALL_MS);
      if (message.kind === 'progress') onProgress(message.state);
      else if (message.kind === 'turn') void queue.run(giveTurn);
      else if (message.kind === 'turn-over') turnOver();
      else outcome = message.state;
    }
  } catch (error) {
    // it ends when it has tidied up; what it has done by then is done, however that ends
    if (error instanceof LostWorker && outcome !== null) return outcome;
    throw error;
  } finally {
    await worker.end();
    turnOver();
  }
}
