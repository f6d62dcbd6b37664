/**
 * The thread for jobs on a book that take longer than a till may wait. It has its own connection, does one job and ends.
 * Its memory does not grow with the book.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { writeFailure } from '../files/index.ts';
import { writeBeginning } from './beginning.ts';
import { type CareJob, type CareReport, DONE } from './care-job.ts';
import { check } from './check.ts';
import { findInJournal } from './find-in-journal.ts';
import { copyAhead } from './newer-medium.ts';
import { rebuild } from './rebuild.ts';
import { copyToSecondMedium } from './second-medium.ts';

async function runJob(job: CareJob): Promise<CareReport> {
  try {
    if (job.kind === 'check') return check(job);
    if (job.kind === 'seek') return findInJournal(job);
    if (job.kind === 'rebuild') return rebuild(job);
    if (job.kind === 'ahead') return { ...DONE, ahead: copyAhead(job) };
    if (job.kind === 'begin') writeBeginning(job);
    else await copyToSecondMedium(job);
    return DONE;
  } catch (error) {
    return { ...DONE, problem: messageOf(error), isFull: writeFailure(error) === 'full' };
  }
}

parentPort?.postMessage(await runJob(workerData));
