import { pause } from '../../../drivers/lib/async.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import type { Reason } from '../../../drivers/lib/records.ts';
import {
  type Book,
  type CareJob,
  type CareReport,
  journalOf,
  lacksEarlier,
  newestBeginning,
  type Suspect,
} from '../../core/book/index.ts';
import { isStoreError } from '../../core/files/index.ts';
import type { Clock, LogLine } from '../../core/host/index.ts';
import { CareThreads } from './care-threads.ts';
import { ledgerProblems } from './ledger-problems.ts';

const MINUTE_MS = 60_000;
/** Pause between tries to open a book that cannot be opened. */
const TRY_OPENING_EVERY_MS = 5000;
/** A busy till leaves no quiet minute: after this many a due check runs anyway. */
const LONGEST_WAIT_MINUTES = 15;
const CHECK_EVERY_MINUTES = 24 * 60;
/** How often all rows are written to the journal again: each quarter. */
const BEGIN_EVERY_DAYS = 91;
const DAY_MS = 86_400_000;
/** The start waits no longer than this for earlier rows of a journal to be written: the rest is written during sales. */
const BEGIN_WITHIN_MS = 20_000;
/** Pause before another try to rebuild a damaged book. */
const REBUILD_AGAIN_MS = 10_000;
export interface LedgerListeners {
  /** Called when rows were restored: they may differ from what was read before. */
  readonly onRepaired: (payments: readonly number[]) => void;
  /** Called when the book is open after a failed opening or a rebuild. @param isRebuilt whether its events are lost */
  readonly onOpened: (isRebuilt: boolean) => void;
  /** Called once a day, when all rows were compared with the journal, and restored. A failure is logged. */
  readonly onChecked?: () => Promise<void>;
}

export class LedgerMaintenance {
  readonly #book: Book;
  readonly #clock: Pick<Clock, 'wall' | 'certain'>;
  readonly #listeners: LedgerListeners;
  readonly #log: LogLine;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #threads: CareThreads;
  #job: Promise<void> = Promise.resolve();
  #rebuilding: Promise<void> | null = null;
  /** The search for rows that is queued, or under way. */
  #seeking: Promise<void> | null = null;
  #breaks: readonly string[] = [];
  /** Breaks before the newest beginning. */
  #olderBreaks: readonly string[] = [];
  #copyProblem: string | null = null;
  /** Why the book was last rebuilt; null where it was not. */
  #rebuilt: string | null = null;
  #checkProblem: string | null = null;
  #minutes = 0;
  /** The minute from which a full check is due. */
  #checkDue = 0;
  /** Number of the last commit a minute ago. */
  #lastHead = -1;
  /** Number of the last commit when the second medium was last updated. */
  #copiedHead = -1;
  /** Number of the last commit when all rows were last written to the journal. */
  #begunHead = -1;
  /** The value of `Book.lacking` at that time. */
  #begunFor: string | null = null;
  #copiedAt = 0;
  readonly #closing = new AbortController();

  constructor(
    book: Book,
    clock: Pick<Clock, 'wall' | 'certain'>,
    keptYears: number,
    listeners: LedgerListeners,
    log: LogLine,
  ) {
    this.#book = book;
    this.#clock = clock;
    this.#threads = new CareThreads(book, clock, keptYears);
    this.#listeners = listeners;
    this.#log = log;
    book.onDamaged((cause) => {
      log('the ledger is damaged, and is made anew from its journal', { reason: messageOf(cause) });
      this.#rebuilding ??= this.#rebuild(messageOf(cause)).finally(() => {
        this.#rebuilding = null;
      });
    });
    book.onSought(() => {
      this.#checkDue = Math.min(this.#checkDue, this.#minutes); // where one row is damaged others may be
      this.#seeking ??= this.#enqueue(() => this.#seek(null)).finally(() => {
        this.#seeking = null;
      });
    });
  }

  /** Call it before anything is sold: waits until a journal has the earlier rows that it lacks, `BEGIN_WITHIN_MS` at most. */
  async start(): Promise<void> {
    const isLong = new AbortController();
    await Promise.race([this.#beginWhereLacking(), pause(BEGIN_WITHIN_MS, isLong.signal)]);
    isLong.abort();
    this.#timers.push(
      setInterval(() => void this.passMinute(), MINUTE_MS).unref(),
      setInterval(() => this.#tryOpening(), TRY_OPENING_EVERY_MS).unref(),
    );
  }

  /** Ends when a damaged book was rebuilt, or cannot be. */
  async whenRebuilt(): Promise<void> {
    await this.#rebuilding;
  }

  /** Checks the whole book, restores what it can, and updates the second medium; run before an export. Never fails. */
  async compare(): Promise<void> {
    await this.checkAll();
    await this.#enqueue(() => this.#copy());
  }

  /**
   * Runs a reading. Where it meets rows that are not as they were written, it runs once more after the search for their
   * copies.
   * @throws {StoreError} `ROWS_UNSOUND` where no copy has them, and whatever `read` throws
   */
  async whenSound<T>(read: () => T | Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!isUnsound(error)) throw error;
      await this.#seeking;
      return await read();
    }
  }

  /** Checks the whole book and restores what it can. Never fails. */
  async checkAll(): Promise<void> {
    if (this.#book.problem === null) await this.#enqueue(() => this.#check());
  }

  /**
   * Runs a reading. Where it meets rows that are not as they were written, it runs once more after the search for their
   * copies, and reads rows without a copy as they are.
   */
  async whenRestored<T>(read: () => T): Promise<T> {
    try {
      return this.#book.readSound(read);
    } catch (error) {
      if (!isUnsound(error)) throw error;
      await this.#seeking;
      return read();
    }
  }

  /** Restores the rows of later commits than `since` that are lost, or not as the journal has them. Never fails. */
  async restoreSince(since: number): Promise<void> {
    if (this.#book.problem === null) await this.#enqueue(() => this.#seek(since));
  }

  /** Call it each minute. Ends when all due work is done, or cannot be; never fails. */
  async passMinute(): Promise<void> {
    const { head } = this.#book;
    const isQuiet = head === this.#lastHead;
    this.#lastHead = head;
    this.#minutes += 1;
    await this.#beginWhereLacking();
    if (this.#book.problem !== null || (!isQuiet && this.#minutes - this.#copiedAt < LONGEST_WAIT_MINUTES)) return;
    const isBeginningDue = this.#isBeginningDue;
    // a check before a beginning: the files before it still have a whole copy of a damaged row
    if (isBeginningDue || this.#minutes >= this.#checkDue) {
      this.#checkDue = this.#minutes + CHECK_EVERY_MINUTES;
      await this.#enqueue(() => this.#check());
      await this.#notifyChecked();
    }
    if (isBeginningDue) await this.#enqueue(() => this.#begin());
    if (head !== this.#copiedHead) await this.#enqueue(() => this.#copy());
  }

  /** Findings about files and rows, and what to do. */
  get problems(): readonly Reason[] {
    return ledgerProblems(this.#book, {
      rebuilt: this.#rebuilt,
      breaks: [...this.#breaks, ...this.#olderBreaks],
      checkProblem: this.#checkProblem,
      copyProblem: this.#copyProblem,
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const timer of this.#timers) clearInterval(timer);
    await this.#threads.close();
  }

  /** Queues a job: only one runs at a time. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#job = this.#job
      .then(() => (this.#closing.signal.aborted ? undefined : work()))
      .catch((error: unknown) => this.#log('the ledger cannot be looked after', { reason: messageOf(error) }));
    return this.#job;
  }

  get #isBeginningDue(): boolean {
    const { file, head } = this.#book;
    if (file === null || head === this.#begunHead) return false;
    if (this.#isLacking) return true;
    const newest = newestBeginning(journalOf(file.path));
    return newest === null || Math.abs(this.#clock.wall() - Date.parse(newest)) > BEGIN_EVERY_DAYS * DAY_MS;
  }

  async #rebuild(cause: string): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const report = await this.#run('rebuild');
      if (this.#closing.signal.aborted) return;
      if (report.problem === null) {
        this.#breaks = report.breaks;
        this.#book.endRebuild();
        this.#rebuilt = cause;
        if (this.#book.problem === null) this.#listeners.onOpened(true);
        void this.#beginWhereLacking();
        return;
      }
      this.#book.recordRebuildFailure(report.problem, report.isFull);
      this.#log('the ledger cannot be made anew', { reason: report.problem });
      await pause(REBUILD_AGAIN_MS, this.#closing.signal);
    }
  }

  async #check(): Promise<void> {
    const report = await this.#run('check');
    if (report.isDamaged) {
      this.#book.closeDamaged(new Error(report.problem ?? 'it cannot be read as a whole'));
      await this.whenRebuilt();
      return;
    }
    this.#checkProblem = report.problem;
    this.#restore(report.suspects);
    this.#olderBreaks = report.olderBreaks;
    if (report.breaks.length > 0) {
      this.#breaks = [...new Set([...this.#breaks, ...report.breaks])];
      await this.#begin(); // writes all rows again: the break no longer matters
    }
  }

  async #notifyChecked(): Promise<void> {
    try {
      await this.#listeners.onChecked?.();
    } catch (error) {
      this.#log('what follows the check of the ledger has failed', { reason: messageOf(error) });
    }
  }

  /** @param since as in `restoreSince`; null: only the rows that a reader has found */
  async #seek(since: number | null): Promise<void> {
    if (this.#book.file === null || this.#book.problem !== null) return;
    const report = await this.#run('seek', since);
    if (report.problem === null) this.#restore(report.suspects);
    else this.#log('rows of the ledger cannot be looked for', { reason: report.problem });
  }

  #restore(suspects: readonly Suspect[]): void {
    if (suspects.length === 0 || this.#book.problem !== null) return;
    this.#log('rows of the ledger were not as they had been written', { rows: suspects.length });
    const { findings } = this.#book;
    const repaired: number[] = [];
    for (const { table, id, values } of suspects) {
      if (values === null) findings.record(table, id, this.#book.table(table).isThere(id) ? 'damaged' : 'lost');
      else if (this.#book.restore(table, id, values) && table === 'payments') repaired.push(id);
    }
    if (repaired.length > 0) this.#listeners.onRepaired(repaired);
  }

  async #copy(): Promise<void> {
    const { head, file } = this.#book;
    if (file?.secondFolder == null) return;
    if (this.#copiedHead < 0) await this.#catchUp();
    this.#copyProblem = (await this.#run('copy')).problem;
    if (this.#copyProblem === null) this.#copiedHead = head;
    this.#copiedAt = this.#minutes;
  }

  /** A medium that was attached only after the start may be newer than the card, where that is an older image. */
  async #catchUp(): Promise<void> {
    const { ahead } = await this.#run('ahead');
    if (ahead === null || !this.#book.catchUpFrom(ahead)) return;
    this.#log('the ledger was older than the second medium, and has taken from there what it lacked');
    this.#listeners.onOpened(false);
  }

  #tryOpening(): void {
    if (!this.#book.tryOpening()) return;
    this.#log('the ledger, which could not be opened, is open');
    this.#listeners.onOpened(false);
    void this.#beginWhereLacking();
  }

  /** Writes the rows that the journal lacks at once: until then they are in the database alone. */
  async #beginWhereLacking(): Promise<void> {
    if (this.#isLacking) await this.#enqueue(() => this.#begin());
  }

  /** Never fails: a lost thread is reported as a problem. */
  #run(kind: CareJob['kind'], since: number | null = null): Promise<CareReport> {
    return this.#threads.run({ kind, since }, { breaks: this.#breaks, olderBreaks: this.#olderBreaks });
  }

  /** Whether the journal lacks rows: those found missing when it was opened, or earlier ones, as after a restore. */
  get #isLacking(): boolean {
    const { file, head, lacking, problem } = this.#book;
    if (file === null || problem !== null) return false;
    return lacking !== this.#begunFor || (head > 0 && head !== this.#begunHead && lacksEarlier(journalOf(file.path)));
  }

  async #begin(): Promise<void> {
    const { head, lacking } = this.#book;
    this.#checkProblem = (await this.#run('begin')).problem;
    if (this.#checkProblem === null) [this.#begunHead, this.#begunFor] = [head, lacking];
  }
}

/** Whether a reading has met rows that are not as they were written, also as the cause of another error. */
const isUnsound = (error: unknown): boolean =>
  isStoreError(error, 'ROWS_UNSOUND') || (error instanceof Error && isStoreError(error.cause, 'ROWS_UNSOUND'));
