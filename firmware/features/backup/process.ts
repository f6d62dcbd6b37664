/**
 * The process around the thread. A thread in which SQLite is at work cannot be ended, and keeps its process from ending:
 * this one kills itself as soon as who has started it is gone.
 */
import { Worker } from 'node:worker_threads';
import type { Job, Outcome } from './worker.ts';

const WORKER_FILE = new URL('./worker.ts', import.meta.url);
const MAX_HEAP_MB = 128;

const say = (outcome: Outcome): void => void process.send?.(outcome);

process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.once('message', (job: Job) => {
  const thread = new Worker(WORKER_FILE, { workerData: job, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  thread.once('message', say);
  thread.once('error', ({ message }) => say({ kind: 'failed', message, about: {} }));
});
