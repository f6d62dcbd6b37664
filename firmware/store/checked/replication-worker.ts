/** The thread that brings a copy of a table up to date. It does one job and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { replicate } from './replicate.ts';

parentPort?.postMessage(replicate(workerData));
