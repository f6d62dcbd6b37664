/** What is kept of payments and of refunds: both ledgers, what became of their files, and whether they can be written. */
import type { LogLine, Reason, Timekeeper } from '../host/index.ts';
import type { DataDir } from '../store/index.ts';
import type { BookPlace } from './ledger/checked-book.ts';
import { LastNumbers } from './ledger/last-numbers.ts';
import { Ledger } from './ledger/ledger.ts';
import { LedgerRecovery } from './ledger/ledger-recovery.ts';
import { StorageProbe } from './ledger/storage-probe.ts';
import { RefundLedger } from './refunds/refund-ledger.ts';
import { ShiftBook } from './reports/shift-book.ts';

export interface LedgersOptions {
  readonly dataDir: DataDir;
  /** Where second copies lie; null for none. */
  readonly secondFolder: string | null;
  readonly clock: Timekeeper;
  /** Payments of these ids were put back as they were. */
  readonly onPaymentsRepaired: (ids: readonly number[]) => void;
  /** The ledger could not be opened before, and is open now. */
  readonly onPaymentsOpened: () => void;
  /** Refunds were put back, or can be read at last. */
  readonly onRefunds: () => void;
  /** Shifts were put back, or can be read at last. */
  readonly onShifts: () => void;
  readonly log: LogLine;
  /** That of the data folder when left out. */
  readonly payments?: Ledger | undefined;
  /** That of the data folder when left out. */
  readonly refunds?: RefundLedger | undefined;
}

const WORDS = Object.freeze({
  payments: { ledger: 'the ledger', row: 'payment', rows: 'payments' },
  refunds: { ledger: 'the ledger of refunds', row: 'refund', rows: 'refunds' },
  shifts: { ledger: 'the book of shifts', row: 'shift', rows: 'shifts' },
});

export class Ledgers {
  readonly payments: Ledger;
  readonly refunds: RefundLedger;
  readonly shifts: ShiftBook;
  readonly #paymentsRecovery: LedgerRecovery;
  readonly #recoveries: readonly LedgerRecovery[];
  readonly #lastNumbers: LastNumbers;
  readonly #probe: StorageProbe;

  constructor(options: LedgersOptions) {
    const { dataDir, secondFolder, clock, onRefunds, onShifts, log } = options;
    const place = (name: string): BookPlace => ({ path: dataDir.file(name), secondFolder, now: () => clock.wall() });
    this.payments = options.payments ?? Ledger.open(place('ledger.db'));
    this.refunds = options.refunds ?? RefundLedger.open(place('refunds.db'));
    this.shifts = ShiftBook.open(place('shifts.db'));
    const about = (name: string) => ({ path: dataDir.file(name), clock, log });
    this.#paymentsRecovery = new LedgerRecovery({
      ...about('ledger.db'),
      ledger: this.payments,
      words: WORDS.payments,
      onRepaired: options.onPaymentsRepaired,
      onOpened: options.onPaymentsOpened,
    });
    const refundsRecovery = new LedgerRecovery({
      ...about('refunds.db'),
      ledger: this.refunds,
      words: WORDS.refunds,
      onRepaired: onRefunds,
      onOpened: onRefunds,
    });
    const shiftsRecovery = new LedgerRecovery({
      ...about('shifts.db'),
      ledger: this.shifts,
      words: WORDS.shifts,
      onRepaired: onShifts,
      onOpened: onShifts,
    });
    this.#recoveries = [this.#paymentsRecovery, refundsRecovery, shiftsRecovery];
    const books = [
      { name: 'ledger.db', book: this.payments, words: WORDS.payments },
      { name: 'refunds.db', book: this.refunds, words: WORDS.refunds },
      { name: 'shifts.db', book: this.shifts, words: WORDS.shifts },
    ];
    this.#lastNumbers = new LastNumbers({ path: dataDir.file('last-numbers.json'), books, clock, log });
    this.#probe = new StorageProbe({ folder: dataDir.path, write: () => this.payments.table.tryWrite(), clock });
  }

  /** What became of the files and rows, and what to do, in sentences. */
  get problems(): readonly Reason[] {
    return [...this.#recoveries.flatMap(({ problems }) => problems), ...this.#lastNumbers.problems];
  }

  /** Why no payment can be kept and what to do, in a sentence; null when it can. */
  get storageProblem(): Reason | null {
    return this.#probe.problem;
  }

  start(): void {
    for (const recovery of this.#recoveries) recovery.start();
    this.#lastNumbers.start();
  }

  /** Something could not be written: the next question for the storage is answered by a try. */
  suspectStorage(): void {
    this.#probe.suspect();
  }

  /** Looks at every payment, and puts back what can be; for an export. Never fails. */
  comparePayments(): Promise<void> {
    return this.#paymentsRecovery.compare();
  }

  async close(): Promise<void> {
    await Promise.all(this.#recoveries.map((recovery) => recovery.close()));
    this.#lastNumbers.close();
    this.payments.close();
    this.refunds.close();
    this.shifts.close();
  }
}
