/** The thread that looks after a book. It does one job and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { care } from './care.ts';

parentPort?.postMessage(await care(workerData));
