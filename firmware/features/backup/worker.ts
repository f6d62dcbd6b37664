/**
 * The thread of one job: copies a device's files, reads a manifest, or judges a backup. `process.ts` explains why it is
 * a thread.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { BackupError } from './backup-error.ts';
import type { Lost } from './compare.ts';
import { copyInto } from './copies.ts';
import { type JudgedBackup, judge } from './judge.ts';
import { type Manifest, manifestOf } from './make.ts';

export type Job =
  | { readonly kind: 'copy'; readonly folder: string; readonly into: string }
  | { readonly kind: 'list'; readonly text: Uint8Array }
  | ({ readonly kind: 'judge' } & JudgedBackup);

export type Outcome =
  | { readonly kind: 'copied'; readonly damaged: readonly string[] }
  | { readonly kind: 'read'; readonly manifest: Manifest }
  | { readonly kind: 'judged'; readonly lost: Lost }
  | ({ readonly kind: 'refused' } & Pick<BackupError, 'code' | 'message' | 'parameters'>)
  /** A failure with its codes, which an error loses when it is posted as a message. */
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly about: { readonly code?: unknown; readonly errcode?: unknown; readonly syscall?: unknown };
    };

async function run(job: Job): Promise<Outcome> {
  if (job.kind === 'copy') return { kind: 'copied', damaged: await copyInto(job.folder, job.into) };
  if (job.kind === 'list') return { kind: 'read', manifest: manifestOf(Buffer.from(job.text)) };
  return { kind: 'judged', lost: await judge(job) };
}

async function outcomeOf(job: Job): Promise<Outcome> {
  try {
    return await run(job);
  } catch (error) {
    if (error instanceof BackupError)
      return { kind: 'refused', code: error.code, message: error.message, parameters: error.parameters };
    const { code, errcode, syscall } = error as { code?: unknown; errcode?: unknown; syscall?: unknown };
    return { kind: 'failed', message: messageOf(error), about: { code, errcode, syscall } };
  }
}

parentPort?.postMessage(await outcomeOf(workerData));
