/**
 * Opens the book of money (payments, refunds and shifts) with its keeper, and reports whether the book can be written and
 * what was found about its files.
 */
import { join } from 'node:path';
import { messageOf } from '../../../drivers/lib/errors.ts';
import type { Reason } from '../../../drivers/lib/records.ts';
import { catchUp } from '../../core/book/index.ts';
import type { DataDir } from '../../core/files/index.ts';
import { freeBytes, isNotOurs, writeFailure } from '../../core/files/index.ts';
import type { Clock, LogLine, Timekeeper } from '../../core/host/index.ts';
import { reasonOf } from '../model/reason-records.ts';
import { type LedgerListeners, LedgerMaintenance } from './ledger-maintenance.ts';
import { type Described, Money } from './money.ts';

/** With less free the storage counts as full: room for a few hundred payments. */
const LEAST_FREE_BYTES = 1024 * 1024;
/** Pause between test writes of 8 KiB: rare enough for a card even where `/health` is asked for all day. */
const TRY_EVERY_MS = 5 * 60_000;
/** The same pause after a failed write, so that a recovery shows soon. */
const TRY_AGAIN_MS = 2000;

const FULL = reasonOf('storage-full', {});

/** Finds out that the ledger cannot be written before a payment fails for it. */
export class StorageProbe {
  readonly #folder: string;
  readonly #write: () => void;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #problem: Reason | null = null;
  #triedAt = Number.NEGATIVE_INFINITY;

  /**
   * @param folder where the ledger lies @param write makes a durable test write that changes nothing; throws errors of
   * the database
   */
  constructor(folder: string, write: () => void, clock: Pick<Clock, 'monotonic'>) {
    this.#folder = folder;
    this.#write = write;
    this.#clock = clock;
  }

  /** After a failed write: the next reading of `problem` makes a test write. */
  suspect(): void {
    this.#triedAt = Number.NEGATIVE_INFINITY;
  }

  /** Why the ledger cannot be written and what to do, in a sentence; null when it can. */
  get problem(): Reason | null {
    const now = this.#clock.monotonic();
    if (now - this.#triedAt >= (this.#problem === null ? TRY_EVERY_MS : TRY_AGAIN_MS)) {
      this.#triedAt = now;
      this.#problem = this.#try();
    }
    return this.#problem ?? (this.#hasRoom() ? null : FULL);
  }

  #try(): Reason | null {
    try {
      this.#write();
      return null;
    } catch (error) {
      if (writeFailure(error) === 'full') return FULL;
      return reasonOf(isNotOurs(error) ? 'storage-foreign' : 'storage-refused', { detail: messageOf(error) });
    }
  }

  /** True also where the file system does not report its room: then the test write decides. */
  #hasRoom(): boolean {
    try {
      return freeBytes(this.#folder) >= LEAST_FREE_BYTES;
    } catch {
      return true;
    }
  }
}

export interface LedgersOptions {
  readonly dataDir: DataDir;
  /** Serial number: names the device's folder on the medium, which other devices may share. */
  readonly serial: string;
  /** The medium of the second copy; null for none. */
  readonly medium: string | null;
  readonly keptYears: number;
  readonly clock: Timekeeper;
  readonly describe: Described;
  readonly kept: LedgerListeners;
  readonly log: LogLine;
  /** The book of the data folder when left out. */
  readonly openMoney?: ((described: Described) => Money) | undefined;
}

/** Folder of a device on a medium. Characters that FAT refuses in a name, or that lead to another folder, become `_`. */
const folderOf = (medium: string, serial: string): string => join(medium, serial.replaceAll(/[^\p{L}\p{N}-]/gu, '_'));

const secondOf = ({ medium, serial }: Pick<LedgersOptions, 'medium' | 'serial'>): string | null =>
  medium === null ? null : folderOf(medium, serial);

const FILE = 'money.db';

/**
 * Before the ledger is opened: copies from the second medium what the ledger lacks, as where an older image of the card
 * was restored. Without that the till's last calls would be made again.
 */
export async function catchUpLedger({
  dataDir,
  log,
  ...where
}: Pick<LedgersOptions, 'dataDir' | 'medium' | 'serial' | 'log'>): Promise<void> {
  await catchUp({ path: dataDir.file(FILE), secondFolder: secondOf(where) }, log);
}

export class Ledgers {
  readonly money: Money;
  /** Restores rows that are lost, or not as they were written. */
  readonly care: Pick<LedgerMaintenance, 'checkAll' | 'restoreSince' | 'whenRestored' | 'whenSound'>;
  readonly #maintenance: LedgerMaintenance;
  readonly #probe: StorageProbe;

  constructor({ dataDir, serial, medium, keptYears, clock, describe, kept, log, openMoney }: LedgersOptions) {
    const secondFolder = secondOf({ medium, serial });
    const file = { path: dataDir.file(FILE), secondFolder, now: () => clock.wall() };
    this.money = openMoney?.(describe) ?? Money.open(file, describe);
    const { book } = this.money;
    this.#maintenance = new LedgerMaintenance(book, clock, keptYears, kept, log);
    this.care = this.#maintenance;
    this.#probe = new StorageProbe(dataDir.path, () => book.tryWrite(), clock);
  }

  /** Findings about the files and rows, and what to do, in sentences. */
  get problems(): readonly Reason[] {
    return this.#maintenance.problems;
  }

  /** Why no payment can be stored and what to do, in a sentence; null when it can. */
  get storageProblem(): Reason | null {
    return this.#probe.problem;
  }

  /** Call it before anything is sold. */
  async start(): Promise<void> {
    await this.#maintenance.start();
  }

  /** After a failed write: the next reading of `storageProblem` makes a test write. */
  suspectStorage(): void {
    this.#probe.suspect();
  }

  /** Checks every row and restores what it can; run before an export. Never fails. */
  compare(): Promise<void> {
    return this.#maintenance.compare();
  }

  async close(): Promise<void> {
    await this.#maintenance.close();
    this.money.book.close();
  }
}
