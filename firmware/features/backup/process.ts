/**
 * The child process of a job, which runs in a thread. A thread in which SQLite works cannot be ended, and its process cannot
 * exit; so the process kills itself when its parent is gone.
 */
import { Worker } from 'node:worker_threads';
import type { Job, Outcome } from './worker.ts';

const WORKER_FILE = new URL('./worker.ts', import.meta.url);
const MAX_HEAP_MB = 128;

const send = (outcome: Outcome): void => void process.send?.(outcome);

process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.once('message', (job: Job) => {
  const thread = new Worker(WORKER_FILE, { workerData: job, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  thread.once('message', send);
  thread.once('error', ({ message }) => send({ kind: 'failed', message, about: {} }));
});
