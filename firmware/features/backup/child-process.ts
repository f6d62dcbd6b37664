/** Copies or judges a backup in a child process, which can be killed whatever a file makes SQLite do. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { AskedWorker, LostWorker, type Workplace, type WorkplaceEvents } from '../../../drivers/lib/asked-worker.ts';
import { BackupError } from './backup-error.ts';
import type { BackupJudge } from './prepare.ts';
import type { Job, Outcome } from './worker.ts';

const PROCESS_FILE = new URL('./process.ts', import.meta.url);
/** Limit of one job: a slow card reads and writes a gigabyte in this time. */
const LIMIT_MS = 10 * 60_000;

function startProcess({ onAnswer, onFailed, onEnded }: WorkplaceEvents<Outcome>): Workplace<Job> {
  const child = fork(PROCESS_FILE, {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exiting = Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => undefined);
  child.on('message', (outcome) => onAnswer(outcome as Outcome));
  child.on('error', onFailed);
  child.on('exit', (code, signal) => onEnded(signal ?? `code ${code}`));
  return {
    post: (job) => void child.send(job),
    stop: async () => {
      child.kill('SIGKILL');
      await exiting;
    },
  };
}

async function outcomeOf(job: Job, limitMs: number): Promise<Outcome> {
  const work = new AskedWorker<Job, Outcome>(startProcess, { name: 'process of backups' });
  try {
    return await work.ask(job, limitMs);
  } finally {
    await work.end();
  }
}

type Done = Exclude<Outcome, { readonly kind: 'refused' | 'failed' }>;

/** @throws {LostWorker} also where the process answers to another job */
async function inChild<Kind extends Done['kind']>(
  job: Job,
  kind: Kind,
  limitMs: number,
): Promise<Extract<Done, { readonly kind: Kind }>> {
  const outcome = await outcomeOf(job, limitMs);
  if (outcome.kind === 'refused')
    throw new BackupError(outcome.code, outcome.message, { parameters: outcome.parameters });
  if (outcome.kind === 'failed') throw Object.assign(new Error(outcome.message), outcome.about);
  if (isOfKind(outcome, kind)) return outcome;
  throw new LostWorker(`the process of backups answered ${outcome.kind} to ${job.kind}`);
}

const isOfKind = <Kind extends Done['kind']>(done: Done, kind: Kind): done is Extract<Done, { readonly kind: Kind }> =>
  done.kind === kind;

/** @returns names of damaged documents, which are left out @throws {BackupError} `Busy` @throws as `copyInto` */
export async function copyInChild(folder: string, into: string): Promise<readonly string[]> {
  try {
    return (await inChild({ kind: 'copy', folder, into }, 'copied', LIMIT_MS)).damaged;
  } catch (error) {
    throw error instanceof LostWorker ? new BackupError('Busy', `${error.message}: try again`) : error;
  }
}

/** Refuses a backup as damaged where its judging fails or takes too long. */
async function damagedWhereLost<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof LostWorker)) throw error;
    const what = `the backup could not be judged (${error.message}): send it again, or take another one`;
    throw new BackupError('Damaged', what, { cause: error });
  }
}

/** Judges backups in a child process. @param limitMs for each job */
export const childJudge = (limitMs = LIMIT_MS): BackupJudge => ({
  readList: async (text) => (await damagedWhereLost(inChild({ kind: 'list', text }, 'read', limitMs))).manifest,
  judge: async (judging) => (await damagedWhereLost(inChild({ kind: 'judge', ...judging }, 'judged', limitMs))).lost,
});
