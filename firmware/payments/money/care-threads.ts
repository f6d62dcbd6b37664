/** Threads that do the long jobs of a book's care, one each, so that sales continue meanwhile. */
import { LostWorker, WorkerThread } from '../../../drivers/lib/asked-worker.ts';
import { type Book, CARE_WORKER, type CareJob, type CareReport } from '../../core/book/index.ts';
import { type Clock, certainTime } from '../../core/host/index.ts';

const MINUTE_MS = 60_000;
/** A medium on which a job takes longer counts as hanging. */
const LONGEST_JOB_MS = 10 * MINUTE_MS;
/** Memory of the thread: only data made to exhaust it needs more. */
const MAX_HEAP_MB = 128;

export class CareThreads {
  readonly #book: Book;
  readonly #clock: Pick<Clock, 'wall' | 'certain'>;
  readonly #keptYears: number;
  readonly #threads = new Set<WorkerThread<never, CareReport>>();

  constructor(book: Book, clock: Pick<Clock, 'wall' | 'certain'>, keptYears: number) {
    this.#book = book;
    this.#clock = clock;
    this.#keptYears = keptYears;
  }

  /**
   * Has a thread do a job. Never fails: a lost thread is reported as a problem.
   * @param known the breaks of the journal that are known: a lost thread reports them again
   */
  async run(
    { kind, since }: Pick<CareJob, 'kind' | 'since'>,
    known: Pick<CareReport, 'breaks' | 'olderBreaks'>,
  ): Promise<CareReport> {
    const { file, plan, findings } = this.#book;
    const workerData: CareJob | null = file && {
      kind,
      path: file.path,
      secondFolder: file.secondFolder,
      tables: plan.tables,
      migrations: plan.migrations,
      now: this.#clock.wall(),
      certain: certainTime(this.#clock),
      keptYears: this.#keptYears,
      sought: findings.sought,
      since,
    };
    const thread = new WorkerThread<never, CareReport>(
      CARE_WORKER,
      workerData,
      { name: 'care of the ledger' },
      { maxOldGenerationSizeMb: MAX_HEAP_MB },
    );
    this.#threads.add(thread);
    try {
      return await thread.hear(LONGEST_JOB_MS);
    } catch (error) {
      if (!(error instanceof LostWorker)) throw error;
      return {
        problem: error.message,
        isDamaged: false,
        isFull: false,
        suspects: [],
        ...known,
        ahead: null,
      };
    } finally {
      this.#threads.delete(thread);
      void thread.end();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }
}
