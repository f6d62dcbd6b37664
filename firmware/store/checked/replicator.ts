/**
 * Looks after a checked table while it is used: brings its copies up to date, compares all rows once a day and whenever somebody
 * asks, and has put back what was found. The copy on another medium follows in each quiet minute. The one beside the table takes what
 * the journal lets go: until then the journal is the second record, and the card is written once.
 */
import { pause } from '../../../drivers/lib/async.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import type { LogLine } from '../../../drivers/lib/log-line.ts';
import { WorkerThread } from '../../../drivers/lib/worker-thread.ts';
import type { ReplicationJob, ReplicationReport } from './replicate.ts';
import type { CheckedTable } from './table.ts';

const WORKER = new URL('./replication-worker.ts', import.meta.url);
const MINUTE_MS = 60_000;
/** A till that sells without a pause has no quiet minute: after so many the copies are brought up to date anyway. */
const LONGEST_WAIT_MINUTES = 15;
/** All rows are compared this often. */
const COMPARE_EVERY_MINUTES = 24 * 60;
/** A medium that takes longer hangs. */
const LONGEST_JOB_MS = 10 * MINUTE_MS;
/** A thread that waits for a medium which hangs cannot be ended. */
const END_LIMIT_MS = 500;
/** Between one piece of work beside the payments and the next. */
const BREATH_MS = 20;
/** A thread that needs more has been handed something made to need it. */
const MAX_HEAP_MB = 64;

interface ReplicatorOptions {
  readonly table: CheckedTable;
  /** Rows of these ids were put back: they may be other than they were a moment ago. */
  readonly onRepaired: (ids: readonly number[]) => void;
  /** Wall clock in milliseconds. */
  readonly now: () => number;
  readonly log: LogLine;
}

export class Replicator {
  readonly #options: ReplicatorOptions;
  /** Why a copy is not up to date, by its path. */
  readonly #problems = new Map<string, string>();
  /** What is under way, by the path of the copy. */
  readonly #jobs = new Map<string, Promise<void>>();
  readonly #threads = new Set<WorkerThread<never, ReplicationReport>>();
  #timer: NodeJS.Timeout | null = null;
  #minutes = 0;
  #replicatedAt = Number.NEGATIVE_INFINITY;
  /** Number of the last change when the copies were brought up to date, and a minute ago. */
  #replicated = -1;
  #seen = -1;
  /** `lapses` of the table when the copy beside it was last begun. */
  #lapses = '';
  #isOver = false;

  constructor(options: ReplicatorOptions) {
    this.#options = options;
  }

  /** Why copies are not up to date, by their paths. */
  get problems(): ReadonlyMap<string, string> {
    return this.#problems;
  }

  start(): void {
    this.#timer = setInterval(() => void this.passMinute(), MINUTE_MS).unref();
    this.#addChecksums().catch((error: unknown) =>
      this.#options.log('rows without checksums cannot be given any', { reason: messageOf(error) }),
    );
  }

  /** Brings the copies up to date, and compares all rows with them. Never fails: see `problems`. */
  async compare(): Promise<void> {
    await Promise.all(this.#options.table.replicas.map((replica) => this.#begin(replica, true)));
  }

  /** To be called each minute. Ends when the copies that are due then are up to date, or cannot be; never fails. */
  async passMinute(): Promise<void> {
    const { table } = this.#options;
    const isQuiet = table.head === this.#seen;
    this.#seen = table.head;
    this.#minutes += 1;
    const waited = this.#minutes - this.#replicatedAt;
    const isTime = waited >= LONGEST_WAIT_MINUTES || (isQuiet && this.#problems.size === 0);
    const compares = this.#minutes % COMPARE_EVERY_MINUTES === 1;
    // the journal may lack what the copy beside the table lacks too, or is to let go of it
    const isOwnNeeded = table.isJournalLong || table.lapses !== this.#lapses;
    const isNew = table.head !== this.#replicated || this.#problems.size > 0;
    if (!compares && !(isTime && (isNew || isOwnNeeded))) return;
    this.#replicated = table.head;
    this.#replicatedAt = this.#minutes;
    const [own = '', ...others] = table.replicas;
    const due = compares || isOwnNeeded || this.#problems.has(own) ? table.replicas : others;
    await Promise.all(due.map((replica) => this.#begin(replica, compares)));
  }

  /** Ends what is under way; what hangs is not waited for. */
  async close(): Promise<void> {
    this.#isOver = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    const ends = [...this.#threads].map((thread) => thread.end());
    await Promise.race([Promise.all(ends), pause(END_LIMIT_MS)]);
  }

  /** Rows of a release that knows of no checksums. */
  async #addChecksums(): Promise<void> {
    const { table } = this.#options;
    await pause(BREATH_MS);
    while (!this.#isOver && table.addChecksums()) {
      const [copy] = table.replicas;
      // the journal of a large ledger would be as large as that, and be read at each start
      if (copy !== undefined && table.isJournalLong && !this.#problems.has(copy)) await this.#begin(copy, false);
      await pause(BREATH_MS);
    }
  }

  /** One job at a time for each copy. */
  #begin(replica: string, compares: boolean): Promise<void> {
    const before = this.#jobs.get(replica);
    if (before !== undefined) return compares ? before.then(() => this.#begin(replica, true)) : before;
    const job = this.#replicate(replica, compares).finally(() => this.#jobs.delete(replica));
    this.#jobs.set(replica, job);
    return job;
  }

  async #replicate(replica: string, compare: boolean): Promise<void> {
    if (this.#isOver) return;
    const { replicas, lapses } = this.#options.table;
    if (replica === replicas[0]) this.#lapses = lapses;
    try {
      this.#take(
        replica,
        await this.#ask({ ...this.#options.table.description, replica, compare, now: this.#options.now() }),
      );
    } catch (error) {
      if (!this.#isOver) this.#problems.set(replica, messageOf(error));
    }
  }

  /** @throws {LostWorker} */
  async #ask(job: ReplicationJob): Promise<ReplicationReport> {
    const thread = new WorkerThread<never, ReplicationReport>(WORKER, {
      name: 'copy of the ledger',
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
      onLost: () => undefined,
    });
    this.#threads.add(thread);
    try {
      return await thread.hear(LONGEST_JOB_MS);
    } finally {
      this.#threads.delete(thread);
      void thread.end();
    }
  }

  #take(replica: string, { problem, suspects, isDamaged, conflicting }: ReplicationReport): void {
    const { table, onRepaired, log } = this.#options;
    if (problem === null) this.#problems.delete(replica);
    else this.#problems.set(replica, problem);
    if (this.#isOver) return;
    if (conflicting.length > 0) {
      log('a copy knew other payments under the same numbers, and was set aside', { replica, conflicting });
      table.noteConflicts(conflicting);
    }
    if (isDamaged) table.recheck();
    const repaired = table.repair(suspects);
    if (suspects.length > 0) log('rows of the ledger were not as they had been written', { suspects, repaired });
    if (repaired.length > 0) onRepaired(repaired);
    if (problem === null && replica === table.replicas[0]) table.rotateJournal();
  }
}
