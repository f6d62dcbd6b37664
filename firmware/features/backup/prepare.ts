/** A backup on its way into a device: unpacked beside, judged, and made ready for the next start. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Sealer } from '../../core/store/index.ts';
import { BackupError } from './backup-error.ts';
import { checkDatabases, isNothing, type Lost, lostBy, lostInWords } from './compare.ts';
import { asOfAnotherBoard } from './foreign.ts';
import { beforeOf, isReady, type Mark, makeReady, UNPACKING } from './swap.ts';
import { unpack } from './unpack.ts';

/** What is slow of it, here or in a thread. */
export interface Judging {
  readonly folder: string;
  readonly unpacked: string;
  readonly isOwn: boolean;
  /** What the device would lose is not looked for: its ledger may be damaged. */
  readonly isForced: boolean;
  readonly now: number;
}

/** @returns what the device would lose @throws {BackupError} `Damaged` @throws {Error} of SQLite */
export function judge({ folder, unpacked, isOwn, isForced, now }: Judging): Lost {
  checkDatabases(unpacked);
  const lost = isForced ? {} : lostBy(folder, unpacked);
  if (!isOwn) asOfAnotherBoard(unpacked, now);
  return lost;
}

interface PrepareOptions {
  readonly folder: string;
  readonly file: AsyncIterable<Uint8Array>;
  readonly passphrase: string;
  readonly sealer: Sealer;
  readonly version: string;
  /** Also where newer payments or refunds would be lost from the device's view. */
  readonly isForced: boolean;
  /** Wall clock, ms. */
  readonly now: number;
  readonly judge: (judging: Judging) => Promise<Lost> | Lost;
  readonly override: string;
}

function mustLoseNothing(lost: Lost, madeAt: string, override: string): void {
  if (isNothing(lost)) return;
  throw new BackupError(
    'NewerPayments',
    `the device has ${lostInWords(lost)} that the backup of ${madeAt} does not know: nothing was changed. ${override} restores it anyway, and keeps what is there beside it`,
    { parameters: { newer: lost, madeAt } },
  );
}

/** Nothing is changed by it: the next start does. @throws {BackupError} @throws the file system's error, or SQLite's */
export async function prepareRestore(options: PrepareOptions): Promise<Mark> {
  const { folder, isForced, now, override } = options;
  if (isReady(folder)) throw new BackupError('Busy', 'a backup is to be put back already: the next start does it');
  const unpacked = join(folder, UNPACKING);
  rmSync(unpacked, { recursive: true, force: true });
  try {
    mkdirSync(unpacked, { mode: 0o700 });
    const { about, manifest, isOwn } = await unpack({ ...options, into: unpacked });
    const lost = await options.judge({ folder, unpacked, isOwn, isForced, now });
    mustLoseNothing(lost, about.madeAt, override);
    const mark: Mark = {
      ...about,
      ...{ isOwn, isForced, unopened: manifest.unopened, at: now, before: beforeOf(now) },
      files: manifest.files.map(({ name }) => name),
    };
    makeReady(folder, mark);
    return mark;
  } catch (error) {
    rmSync(unpacked, { recursive: true, force: true });
    throw error;
  }
}
