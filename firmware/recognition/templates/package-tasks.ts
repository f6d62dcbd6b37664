/**
 * Export and import of packages: a call starts one, a worker runs it, one at a time. Their states are true after a restart.
 */
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AskedWorkerOptions, LostWorker, WorkerThread } from '../../../drivers/lib/asked-worker.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import type { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import { prepareFolder } from '../../core/files/index.ts';
import type { Clock, LogLine } from '../../core/host/index.ts';
import type { DeletionMarks } from '../model/deletion-marks.ts';
import { RecognitionError } from '../model/recognition-error.ts';
import type { OwnModel } from '../model/template.ts';
import type { PackageStore } from './package-store.ts';
import {
  EXPORT_STATUS,
  failedState,
  IMPORT_STATUS,
  loadTask,
  saveTask,
  stateOf,
  type TaskKind,
  type TaskState,
} from './package-task-states.ts';
import type { Job, WorkerMessage } from './package-worker.ts';
import type { Templates } from './templates.ts';

const WORKER_FILE = new URL('./package-worker.ts', import.meta.url);
/** A worker that needs more was given a malicious file. */
const MAX_HEAP_MB = 256;

/** A worker that is silent for longer hangs: even a slow card writes fifty templates in this time. */
const STALL_MS = 5 * 60_000;

/**
 * Runs one job in a worker thread and grants the thread its turns to write. Settles when the worker has ended, and with it
 * its transaction and its open files.
 * @returns the state that it ended in
 * @param limits `signal` ends the worker, and the job is lost; `after` is the timer of the silence limit
 * @throws {LostWorker} it ended without a result: it was killed, ran out of memory, or hung
 */
export async function runJob(
  job: Job,
  queue: SerialQueue,
  onProgress: (state: TaskState) => void,
  limits: Pick<AskedWorkerOptions, 'signal' | 'after'>,
): Promise<TaskState> {
  let outcome: TaskState | null = null;
  let turnOver = (): void => undefined;
  const worker = new WorkerThread<'turn', WorkerMessage>(
    WORKER_FILE,
    job,
    { name: `${job.kind} worker`, ...limits },
    { maxOldGenerationSizeMb: MAX_HEAP_MB },
  );
  const giveTurn = async (): Promise<void> => {
    if (worker.isOver) return; // the worker ended while it waited for the turn
    const over = new Promise<void>((resolve) => {
      turnOver = resolve;
    });
    worker.post('turn');
    await over;
  };
  try {
    for (;;) {
      const message = await worker.hear(STALL_MS);
      if (message.kind === 'progress') onProgress(message.state);
      else if (message.kind === 'turn') void queue.run(giveTurn);
      else if (message.kind === 'turn-over') turnOver();
      else outcome = message.state;
    }
  } catch (error) {
    // after its outcome the worker only cleans up and ends: how it ends does not change the outcome
    if (error instanceof LostWorker && outcome !== null) return outcome;
    throw error;
  } finally {
    await worker.end();
    turnOver();
  }
}

interface PackageTasksOptions {
  readonly templates: Templates;
  readonly packageStore: PackageStore;
  /** Folder where uploads wait for their import. */
  readonly incoming: string;
  readonly clock: Clock;
  readonly serial: string;
  readonly marks: DeletionMarks;
  /** Null where the device has no model. */
  readonly own: OwnModel | null;
  readonly maxPackageBytes: number;
  /** Called when an import became visible; the import counts as completed when the promise settles. */
  readonly onLanded: (batch: number) => Promise<void>;
  readonly log: LogLine;
}

/** A reserved import whose upload is on its way: nothing else may start until this one has ended or is released. */
export interface ImportSlot {
  /** Where the upload is to be written. */
  readonly file: string;
  /** Starts the import; the status is durable when this settles. */
  start(): Promise<void>;
  release(): void;
}

/** How many unknown items a status names. */
const NAMED_ITEMS = 20;

export class PackageTasks {
  readonly #options: PackageTasksOptions;
  readonly #states: Record<TaskKind, TaskState>;
  readonly #closing = new AbortController();
  #busy: TaskKind | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(options: PackageTasksOptions) {
    this.#options = options;
    const { db } = options.templates.file;
    this.#states = { export: loadTask(db, 'export'), import: loadTask(db, 'import') };
    prepareFolder(options.incoming, () => true);
  }

  /** The export's state; a package that was removed from the store is no longer offered. */
  get exportState(): TaskState {
    const state = this.#states.export;
    if (state.filename === null || this.#options.packageStore.find(state.filename) !== null) return state;
    return stateOf(EXPORT_STATUS.none, 'the package was removed to make room');
  }

  get importState(): TaskState {
    return this.#states.import;
  }

  /**
   * Starts an export; the status names missing items.
   * @param items null exports all
   * @throws {RecognitionError} `Packages.Running`
   */
  async startExport(items: readonly string[] | null): Promise<void> {
    this.#reserve('export');
    const known = new Set(items === null ? [] : this.#options.templates.reader.items().map(({ id }) => id));
    const unknown = [...new Set(items)].filter((item) => !known.has(item));
    const more = unknown.length > NAMED_ITEMS ? ` and ${unknown.length - NAMED_ITEMS} more` : '';
    const named = unknown.slice(0, NAMED_ITEMS).join(', ');
    const leftOut = unknown.length === 0 ? '' : `; unknown items left out: ${named}${more}`;
    const chosen = items?.filter((item) => known.has(item)) ?? null;
    const preparing = stateOf(EXPORT_STATUS.preparing, `preparing the package${leftOut}`);
    await this.#start('export', preparing, () => this.#export(chosen, leftOut));
  }

  /** @throws {RecognitionError} `Packages.Running` */
  reserveImport(): ImportSlot {
    this.#reserve('import');
    const file = join(this.#options.incoming, 'upload.zip');
    let isStarted = false;
    return {
      file,
      start: async () => {
        isStarted = true;
        const checking = stateOf(IMPORT_STATUS.checking, 'checking the package');
        await this.#start('import', checking, () => this.#import(file));
      },
      release: () => {
        rmSync(file, { force: true });
        if (!isStarted) this.#busy = null;
      },
    };
  }

  /** Ends a running task; the next start reports that it was interrupted. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #export(items: readonly string[] | null, leftOut: string): Promise<TaskState> {
    if (items?.length === 0) return failedState('export', `none of these items is known${leftOut}`);
    const { packageStore, serial, clock, templates } = this.#options;
    const { location: database } = templates.file;
    const now = clock.wall();
    const filename = packageStore.nameFor(serial, now);
    const file = await packageStore.begin(filename);
    const job = { kind: 'export', database, file, items, serial, now, maxBytes: packageStore.packageBytes } as const;
    const state = await this.#run(job, leftOut);
    if (state.status === EXPORT_STATUS.ready) {
      packageStore.finish(filename);
      return { ...state, filename };
    }
    packageStore.abandon(filename);
    return state;
  }

  async #import(file: string): Promise<TaskState> {
    const { templates, marks, own, maxPackageBytes: maxBytes, onLanded } = this.#options;
    const { db, location: database, maxPages } = templates.file;
    const limits = {
      max: templates.max,
      marked: templates.leavesTombstones ? marks.items() : null,
      own,
      maxBytes,
      maxPages,
    };
    const ended = await this.#run({ kind: 'import', database, file, ...limits });
    await rm(file, { force: true }); // hundreds of megabytes: freeing them takes a while
    // the stored state counts, even if the worker was lost: one commit holds it and the templates
    const stored = loadTask(db, 'import');
    if (stored.status !== IMPORT_STATUS.completed) {
      await templates.file.dropLandings();
      return ended;
    }
    const row = db.prepare("SELECT max(id) AS batch FROM batches WHERE kind = 'import'").get();
    await onLanded(Number(row?.batch));
    return stored;
  }

  /**
   * Runs a job; a lost worker counts as a failure, unless the device is closing.
   * @param more added to each `msg`
   * @throws {LostWorker}
   */
  async #run(job: Job, more = ''): Promise<TaskState> {
    const withMore = (state: TaskState): TaskState => ({ ...state, msg: state.msg + more });
    const onProgress = (state: TaskState): void => {
      this.#states[job.kind] = withMore(state);
    };
    const { signal } = this.#closing;
    try {
      return withMore(await runJob(job, this.#options.templates.file.queue, onProgress, { signal }));
    } catch (error) {
      if (signal.aborted) throw error;
      this.#options.log('a package worker was lost', { err: error, job: job.kind });
      return failedState(job.kind, 'the task was ended by an unexpected error: see the log');
    }
  }

  #reserve(kind: TaskKind): void {
    if (this.#busy !== null)
      throw new RecognitionError('Packages.Running', `an ${this.#busy} is running: wait until it is over`);
    this.#busy = kind;
  }

  /** @param state while the task runs, durable when this settles @param task returns the state that it ends in */
  async #start(kind: TaskKind, state: TaskState, task: () => Promise<TaskState>): Promise<void> {
    try {
      await this.#save(kind, state);
    } catch (error) {
      this.#busy = null;
      throw error;
    }
    this.#running = this.#runTask(kind, task);
  }

  /** Runs a task; an unexpected failure still ends it with a message, unless the device is closing. */
  async #runTask(kind: TaskKind, task: () => Promise<TaskState>): Promise<void> {
    const state = await task().catch((error: unknown) => {
      if (this.#closing.signal.aborted) return null;
      this.#options.log('a task ended by an unexpected error', { err: error, task: kind });
      return failedState(kind, `the ${kind} failed: ${messageOf(error)}`);
    });
    if (state === null) return;
    try {
      await this.#save(kind, state);
    } catch (error) {
      // the task has ended even if this cannot be stored: the next start then reports it as interrupted
      this.#options.log('the end of a task could not be stored', { err: error, task: kind });
      this.#states[kind] = state;
    } finally {
      this.#busy = null;
    }
  }

  async #save(kind: TaskKind, state: TaskState): Promise<void> {
    const { file } = this.#options.templates;
    await file.write(() => saveTask(file.db, kind, state));
    this.#states[kind] = state;
  }
}
