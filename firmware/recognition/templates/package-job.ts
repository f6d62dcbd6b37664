/** Runs one job in a worker thread and gives it its turns at writing. */
import type { after } from '../../../drivers/lib/async.ts';
import type { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import { LostWorker, WorkerThread } from '../../../drivers/lib/worker-thread.ts';
import type { TaskState } from './package-task-states.ts';
import type { Job, WorkerMessage } from './package-worker.ts';

export type Outcome = Extract<WorkerMessage, { readonly kind: 'exported' | 'imported' | 'failed' }>;

const WORKER_FILE = new URL('./package-worker.ts', import.meta.url);
/** A worker that needs more has been handed something made to need it. */
const MAX_HEAP_MB = 256;

/** A worker that says nothing for so long hangs: even a slow card does fifty templates in this time. */
const STALL_MS = 5 * 60_000;

export interface JobOptions {
  readonly queue: SerialQueue;
  readonly onProgress: (state: TaskState) => void;
  /** Ends the worker; the job is then lost. */
  readonly signal: AbortSignal;
  /** What the limit of a silence runs on; the machine's time when left out. */
  readonly after?: typeof after;
}

/**
 * Settles when the worker is gone, and with it all that it held.
 * @throws {LostWorker} it ended without a word: it was killed, ran out of memory, or hung
 */
export async function runJob(job: Job, { queue, onProgress, ...threadOptions }: JobOptions): Promise<Outcome> {
  let outcome: Outcome | null = null;
  let turnOver = (): void => undefined;
  const worker = new WorkerThread<'turn', WorkerMessage>(WORKER_FILE, {
    name: `${job.kind} worker`,
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    ...threadOptions,
  });
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
      else outcome = message;
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
