/**
 * Makes and restores backups while the device runs: one at a time, and never on the thread that payments wait for. The
 * code is loaded on the first request.
 */
import { join } from 'node:path';
import { isOfStorage, readPlainFileIfAny, replaceFile, requireRoom } from '../../core/files/index.ts';
import { BackupError } from './backup-error.ts';
import type { Made } from './make.ts';
import type { IncomingBackup, RestoringDevice } from './prepare.ts';
import { discardReady, isReady, type LastRestore, lastRestore, type Mark } from './swap.ts';

/** The file with the time of the last backup. */
const MADE_FILE = 'backup-made';
const MAX_DATE_BYTES = 64;
/** The parameter by which a caller agrees to lose newer payments. */
const OVERRIDE = 'overNewerPayments=true';

/** Ignores storage errors: `/health` reports them. */
function tolerantOfStorage(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isOfStorage(error)) throw error;
  }
}

export class Backups {
  readonly #home: RestoringDevice;
  readonly #device: string;
  readonly #wall: () => number;
  readonly #restart: (() => void) | null;
  readonly #checkLedger: () => Promise<void>;
  #isBusy = false;

  /**
   * @param device the device's name for people
   * @param wall wall clock, ms
   * @param restart restarts the device; null where a person must
   * @param checkLedger restores rows that the storage has altered: a backup lacks the journal that this needs; never
   * fails
   */
  constructor(
    home: RestoringDevice,
    device: string,
    wall: () => number,
    restart: (() => void) | null,
    checkLedger: () => Promise<void>,
  ) {
    this.#home = home;
    this.#device = device;
    this.#wall = wall;
    this.#restart = restart;
    this.#checkLedger = checkLedger;
  }

  /** Whether the device restarts by itself once a backup is ready. */
  get restartsItself(): boolean {
    return this.#restart !== null;
  }

  /** Time of the last backup that a caller has received (ISO 8601); null where there is none. */
  get lastMade(): string | null {
    const at = readPlainFileIfAny(join(this.#home.folder, MADE_FILE), MAX_DATE_BYTES)?.toString() ?? '';
    return Number.isNaN(Date.parse(at)) ? null : at;
  }

  recordDownload({ about }: Pick<Made, 'about'>): void {
    tolerantOfStorage(() => replaceFile(join(this.#home.folder, MADE_FILE), about.madeAt));
  }

  /** Result of the last restore; null where there was none. */
  get last(): LastRestore | null {
    return lastRestore(this.#home.folder);
  }

  get isReady(): boolean {
    return isReady(this.#home.folder);
  }

  /**
   * Makes a backup; the next can be made once this one is disposed of.
   * @throws {BackupError} `Busy` @throws the file system's error, or SQLite's
   */
  async make(passphrase: string): Promise<Made> {
    const { folder, sealer, version } = this.#home;
    this.#begin();
    try {
      const [{ makeBackup }, { copyInChild }] = await Promise.all([import('./make.ts'), import('./child-process.ts')]);
      await this.#checkLedger();
      const about = { version, device: this.#device, madeAt: new Date(this.#wall()).toISOString() };
      const made = await makeBackup(folder, sealer, passphrase, about, copyInChild);
      return { ...made, [Symbol.dispose]: this.#disposerOf(made) };
    } catch (error) {
      this.#isBusy = false;
      throw error;
    }
  }

  /**
   * Prepares a restore; only the next start changes the device, see `restart`.
   * @param bytes announced size of the upload
   * @throws {BackupError} @throws the file system's error, or SQLite's
   */
  async prepare(incoming: IncomingBackup, bytes: number): Promise<Mark> {
    this.#begin();
    try {
      requireRoom(this.#home.folder, bytes);
      const [{ prepareRestore }, { childJudge }] = await Promise.all([
        import('./prepare.ts'),
        import('./child-process.ts'),
      ]);
      return await prepareRestore(incoming, this.#home, this.#wall(), childJudge(), OVERRIDE);
    } finally {
      this.#isBusy = false;
    }
  }

  restart(): void {
    this.#restart?.();
  }

  /** Discards a prepared restore. @throws the file system's error */
  discard(): void {
    discardReady(this.#home.folder);
  }

  /** Disposes of a backup once: a second call would free the lock of the next backup. */
  #disposerOf(made: Made): () => void {
    let isDisposed = false;
    return () => {
      if (isDisposed) return;
      isDisposed = true;
      this.#isBusy = false;
      tolerantOfStorage(() => made[Symbol.dispose]()); // the next start removes the copies
    };
  }

  #begin(): void {
    if (this.#isBusy)
      throw new BackupError('Busy', 'a backup is being made or restored: wait for its end, then try again');
    this.#isBusy = true;
  }
}
