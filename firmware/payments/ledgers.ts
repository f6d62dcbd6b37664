/** What is kept of payments, refunds and shifts: the book of money, what was found of its files, and whether it can be written. */
import { join } from 'node:path';
import type { Reason } from '../../drivers/lib/records.ts';
import type { LogLine, Timekeeper } from '../core/host/index.ts';
import type { DataDir } from '../core/store/index.ts';
import { BookKeeper, type Kept } from './money/book-keeper.ts';
import { takeOverEarlier } from './money/earlier-files.ts';
import { type Described, Money } from './money/money.ts';
import { StorageProbe } from './money/storage-probe.ts';

export interface LedgersOptions {
  readonly dataDir: DataDir;
  /** Serial number: its folder on the medium, which other devices may use, too. */
  readonly serial: string;
  /** The medium of the second copy; null for none. */
  readonly medium: string | null;
  readonly keptYears: number;
  readonly clock: Timekeeper;
  readonly describe: Described;
  readonly kept: Kept;
  readonly log: LogLine;
  /** That of the data folder when left out. */
  readonly openMoney?: ((described: Described) => Money) | undefined;
}

/** Folder of a device on a medium. Characters that FAT refuses in a name, or that lead to another folder, become `_`. */
const folderOf = (medium: string, serial: string): string => join(medium, serial.replaceAll(/[^\p{L}\p{N}-]/gu, '_'));

export class Ledgers {
  readonly money: Money;
  readonly #keeper: BookKeeper;
  readonly #probe: StorageProbe;

  constructor({ dataDir, serial, medium, keptYears, clock, describe, kept, log, openMoney }: LedgersOptions) {
    const secondFolder = medium === null ? null : folderOf(medium, serial);
    const prepare = (): void => takeOverEarlier(dataDir.path, clock.wall());
    const file = { path: dataDir.file('money.db'), secondFolder, now: () => clock.wall(), prepare };
    this.money = openMoney?.(describe) ?? Money.open(file, describe);
    const { book } = this.money;
    this.#keeper = new BookKeeper(book, clock, keptYears, kept, log);
    this.#probe = new StorageProbe(dataDir.path, () => book.tryWrite(), clock);
  }

  /** What was found of the files and rows, and what to do, in sentences. */
  get problems(): readonly Reason[] {
    return this.#keeper.problems;
  }

  /** Why no payment can be kept and what to do, in a sentence; null when it can. */
  get storageProblem(): Reason | null {
    return this.#probe.problem;
  }

  start(): void {
    this.#keeper.start();
  }

  /** Something could not be written: the next question for the storage is answered by a try. */
  suspectStorage(): void {
    this.#probe.suspect();
  }

  /** Looks at every row, and puts back what can be; for an export. Never fails. */
  compare(): Promise<void> {
    return this.#keeper.compare();
  }

  async close(): Promise<void> {
    await this.#keeper.close();
    this.money.book.close();
  }
}
