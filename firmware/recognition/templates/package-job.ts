/** Runs one job in a worker thread and gives the thread its turns to write. */
import type { AskedWorkerOptions } from '../../../drivers/lib/asked-worker.ts';
import { LostWorker, WorkerThread } from '../../../drivers/lib/asked-worker.ts';
import type { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import type { TaskState } from './package-task-states.ts';
import type { Job, WorkerMessage } from './package-worker.ts';

const WORKER_FILE = new URL('./package-worker.ts', import.meta.url);
/** A worker that needs more was given a malicious file. */
const MAX_HEAP_MB = 256;

/** A worker that is silent for longer hangs: even a slow card writes fifty templates in this time. */
const STALL_MS = 5 * 60_000;

/**
 * Settles when the worker and all that it held are gone.
 * @returns the state that it ended in
 * @param limits `signal` ends the worker, and the job is lost; `after` is the timer of the silence limit
 * @throws {LostWorker} it ended without a result: it was killed, ran out of memory, or hung
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
