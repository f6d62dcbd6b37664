/** A worker thread that is asked one question at a time, or gets message by message. */
import { type ResourceLimits, Worker, type WorkerOptions } from 'node:worker_threads';
import { AskedWorker, type AskedWorkerOptions, type Workplace, type WorkplaceEvents } from './asked-worker.ts';

export { LostWorker } from './asked-worker.ts';

function startThread<Question, Answer>(
  file: URL,
  options: WorkerOptions,
  { onAnswer, onFailed, onEnded }: WorkplaceEvents<Answer>,
): Workplace<Question> {
  const worker = new Worker(file, options);
  worker.on('message', onAnswer);
  worker.on('error', onFailed);
  worker.on('exit', (code) => onEnded(`code ${code}`));
  return { post: (message, transfer) => worker.postMessage(message, transfer), stop: () => worker.terminate() };
}

export class WorkerThread<Question, Answer> extends AskedWorker<Question, Answer> {
  /** @param workerData what it begins with */
  constructor(file: URL, workerData: unknown, asked: AskedWorkerOptions, resourceLimits?: ResourceLimits) {
    const options = { workerData, name: asked.name, ...(resourceLimits !== undefined && { resourceLimits }) };
    super((events) => startThread(file, options, events), asked);
  }
}
