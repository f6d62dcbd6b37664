/** The thread that copies databases, or judges those of a backup: this takes seconds, and no payment waits for it. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { BackupError } from './backup-error.ts';
import type { Lost } from './compare.ts';
import { copyInto } from './contents.ts';
import { type Judging, judge } from './prepare.ts';

export type Job =
  | { readonly kind: 'copy'; readonly folder: string; readonly into: string }
  | ({ readonly kind: 'judge' } & Judging);

export type Outcome =
  | { readonly kind: 'done'; readonly lost: Lost }
  /** The failure with its storage code, which messages between threads would lose. */
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly isDamaged: boolean;
      readonly about: { readonly code?: unknown; readonly errcode?: unknown; readonly syscall?: unknown };
    };

function run(job: Job): Lost {
  if (job.kind === 'judge') return judge(job);
  copyInto(job.folder, job.into);
  return {};
}

function outcomeOf(job: Job): Outcome {
  try {
    return { kind: 'done', lost: run(job) };
  } catch (error) {
    const { code, errcode, syscall } = error as { code?: unknown; errcode?: unknown; syscall?: unknown };
    const isDamaged = error instanceof BackupError;
    return { kind: 'failed', message: messageOf(error), isDamaged, about: { code, errcode, syscall } };
  }
}

parentPort?.postMessage(outcomeOf(workerData));
