/** Runs one job in a worker thread and gives it its turns at writing. */
import { Worker } from 'node:worker_threads';
import type { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import type { Job, WorkerMessage } from './worker.ts';

export type Outcome = Extract<WorkerMessage, { readonly kind: 'exported' | 'imported' | 'failed' }>;

/** The worker ended without a word: it was killed, or ran out of memory. */
export class JobLostError extends Error {
  readonly code = 'JOB_LOST';
}

const WORKER_FILE = new URL('./worker.ts', import.meta.url);
/** A worker that needs more has been handed something made to need it. */
const MAX_HEAP_MB = 256;

/** A worker that says nothing for so long hangs: even a slow card does fifty templates in this time. */
const STALL_MS = 5 * 60_000;

export interface JobOptions {
  readonly queue: SerialQueue;
  readonly onProgress: (status: number, msg: string) => void;
  /** Ends the worker; the job is then lost. */
  readonly signal: AbortSignal;
  readonly stallMs?: number;
}

/** @throws {JobLostError} */
export function runJob(job: Job, { queue, onProgress, signal, stallMs = STALL_MS }: JobOptions): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER_FILE, {
      workerData: job,
      name: job.kind,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    let outcome: Outcome | null = null;
    let failure: unknown;
    let turnOver = (): void => undefined;
    const stop = (): void => void worker.terminate();
    signal.addEventListener('abort', stop);
    const stall = setTimeout(stop, stallMs);
    const giveTurn = (): Promise<void> =>
      queue.run(
        () =>
          new Promise<void>((over) => {
            turnOver = over;
            worker.postMessage('turn');
            if (worker.threadId === -1) over(); // it died while it waited
          }),
      );
    worker.on('message', (message: WorkerMessage) => {
      stall.refresh();
      if (message.kind === 'progress') onProgress(message.status, message.msg);
      else if (message.kind === 'turn') void giveTurn();
      else if (message.kind === 'turn-over') turnOver();
      else outcome = message;
    });
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', (code) => {
      clearTimeout(stall);
      signal.removeEventListener('abort', stop);
      turnOver();
      if (outcome !== null) resolve(outcome);
      else reject(new JobLostError(`the ${job.kind} ended with code ${code}`, { cause: failure }));
    });
  });
}
