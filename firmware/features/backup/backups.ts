/**
 * Backups of the device that runs: one at a time, and none of it on the thread that payments wait for. What makes them and puts them
 * back is loaded when somebody asks for it.
 */
import { join } from 'node:path';
import { LostWorker, WorkerThread } from '../../../drivers/lib/worker-thread.ts';
import { isOfStorage, readPlainFileIfAny, replaceFile, type Sealer } from '../../core/store/index.ts';
import { BackupError } from './backup-error.ts';
import type { Lost } from './compare.ts';
import { mustHaveRoom } from './copies.ts';
import type { Made } from './make.ts';
import type { Judging } from './prepare.ts';
import { discardReady, isReady, type LastRestore, lastRestore, type Mark } from './swap.ts';
import type { Job, Outcome } from './worker.ts';

const WORKER_FILE = new URL('./worker.ts', import.meta.url);
const MAX_HEAP_MB = 128;
/** A slow card reads and writes a gigabyte in this time. */
const LIMIT_MS = 10 * 60_000;
/** When the last one was made. */
const MADE_FILE = 'backup-made';
const MAX_DATE_BYTES = 64;
/** How a caller says that newer payments may go. */
const OVERRIDE = 'overNewerPayments=true';

async function inThread(job: Job): Promise<Lost> {
  const thread = new WorkerThread<null, Outcome>(
    WORKER_FILE,
    job,
    { name: 'thread of backups' },
    { maxOldGenerationSizeMb: MAX_HEAP_MB },
  );
  try {
    const outcome = await thread.hear(LIMIT_MS);
    if (outcome.kind === 'done') return outcome.lost;
    if (outcome.isDamaged) throw new BackupError('Damaged', outcome.message);
    throw Object.assign(new Error(outcome.message), outcome.about);
  } catch (error) {
    if (error instanceof LostWorker) throw new BackupError('Busy', `${error.message}: try again`);
    throw error;
  } finally {
    await thread.end();
  }
}

/** A disk that fails is in `/health`. */
function tolerantOfStorage(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isOfStorage(error)) throw error;
  }
}

interface BackupsOptions {
  readonly folder: string;
  readonly sealer: Sealer;
  readonly version: string;
  /** As people know the device. */
  readonly device: string;
  /** Wall clock, ms. */
  readonly wall: () => number;
  /** Restarts the device; null where a person must. */
  readonly restart: (() => void) | null;
}

export class Backups {
  readonly #options: BackupsOptions;
  #isAtWork = false;

  constructor(options: BackupsOptions) {
    this.#options = options;
  }

  /** Whether the device restarts by itself once a backup is ready. */
  get restartsItself(): boolean {
    return this.#options.restart !== null;
  }

  /** When the last backup was made that a caller has (ISO 8601); null where none was. */
  get lastMade(): string | null {
    const at = readPlainFileIfAny(join(this.#options.folder, MADE_FILE), MAX_DATE_BYTES)?.toString() ?? '';
    return Number.isNaN(Date.parse(at)) ? null : at;
  }

  noteTaken({ about }: Pick<Made, 'about'>): void {
    tolerantOfStorage(() => replaceFile(join(this.#options.folder, MADE_FILE), about.madeAt));
  }

  /** What the last restore has come to; null where there was none. */
  get last(): LastRestore | null {
    return lastRestore(this.#options.folder);
  }

  get isReady(): boolean {
    return isReady(this.#options.folder);
  }

  /**
   * The next one can be made once this one is disposed of.
   * @throws {BackupError} `Busy` @throws the file system's error, or SQLite's
   */
  async make(passphrase: string): Promise<Made> {
    const { folder, sealer, version, device, wall } = this.#options;
    this.#begin();
    try {
      const { makeBackup } = await import('./make.ts');
      const about = { version, device, madeAt: new Date(wall()).toISOString() };
      const copy = async (from: string, into: string): Promise<void> =>
        void (await inThread({ kind: 'copy', folder: from, into }));
      const made = await makeBackup({ folder, passphrase, about, sealer, copy });
      return { ...made, [Symbol.dispose]: this.#endingOnce(made) };
    } catch (error) {
      this.#isAtWork = false;
      throw error;
    }
  }

  /**
   * Nothing is changed yet: the next start does, see `restart`.
   * @param bytes that are announced
   * @throws {BackupError} @throws the file system's error, or SQLite's
   */
  async prepare(
    file: AsyncIterable<Uint8Array>,
    {
      passphrase,
      isForced,
      bytes,
    }: { readonly passphrase: string; readonly isForced: boolean; readonly bytes: number },
  ): Promise<Mark> {
    const { folder, sealer, version, wall } = this.#options;
    this.#begin();
    try {
      mustHaveRoom(folder, bytes);
      const { prepareRestore } = await import('./prepare.ts');
      return await prepareRestore({
        ...{ folder, file, passphrase, sealer, version, isForced, now: wall(), override: OVERRIDE },
        judge: (judging: Judging) => inThread({ kind: 'judge', ...judging }),
      });
    } finally {
      this.#isAtWork = false;
    }
  }

  restart(): void {
    this.#options.restart?.();
  }

  /** What is ready does not take its place. @throws the file system's error */
  discard(): void {
    discardReady(this.#options.folder);
  }

  /** A second time it would end the next one. */
  #endingOnce(made: Made): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#isAtWork = false;
      tolerantOfStorage(() => made[Symbol.dispose]()); // the next start clears them away
    };
  }

  #begin(): void {
    if (this.#isAtWork)
      throw new BackupError('Busy', 'a backup is being made or restored: wait for its end, then try again');
    this.#isAtWork = true;
  }
}
