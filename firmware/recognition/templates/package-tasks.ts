/** Export and import: started by a call, done in a worker, one at a time, with states that a restart does not falsify. */
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../drivers/lib/errors.ts';
import type { Clock, LogLine } from '../../core/host/index.ts';
import { prepareFolder } from '../../core/store/index.ts';
import { RecognitionError } from '../codes.ts';
import { type Outcome, runJob } from './package-job.ts';
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
import type { Job } from './package-worker.ts';
import type { TemplatesFile } from './templates-database.ts';

export interface PackageTasksOptions {
  readonly file: TemplatesFile;
  readonly packageStore: PackageStore;
  /** Folder where uploads wait for their import. */
  readonly incoming: string;
  readonly clock: Clock;
  readonly serial: string;
  readonly maxTemplatesPerItem: number;
  /** Items that the store of this device deletes from all devices; null where it is in none. */
  readonly marked: () => ReadonlySet<string> | null;
  readonly maxPackageBytes: number;
  /** Called when an import became visible; the import counts as completed when it settles. */
  readonly onLanded: (batch: number) => Promise<void>;
  /** Called when an import failed, to give back the room of what it had landed. */
  readonly onFailed: () => Promise<void>;
  readonly log: LogLine;
}

/** An import whose upload is on its way: nothing else may start until it is started or given up. */
export interface ImportSlot {
  /** Where the upload is to be written. */
  readonly file: string;
  /** The status has changed and is durable when this settles. */
  start(): Promise<void>;
  release(): void;
}

/** Unknown items that a status names. */
const NAMED_ITEMS = 20;

const uploadName = (number: number): string => `upload-${number}.zip`;

export class PackageTasks {
  readonly #options: PackageTasksOptions;
  readonly #states: Record<TaskKind, TaskState>;
  readonly #closing = new AbortController();
  #busy: TaskKind | null = null;
  #uploads = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(options: PackageTasksOptions) {
    this.#options = options;
    this.#states = { export: loadTask(options.file.db, 'export'), import: loadTask(options.file.db, 'import') };
    prepareFolder(options.incoming, () => true);
  }

  /** A package that is gone from the store is not offered any more. */
  get exportState(): TaskState {
    const state = this.#states.export;
    if (state.filename === null || this.#options.packageStore.find(state.filename) !== null) return state;
    return stateOf(EXPORT_STATUS.none, 'the package was removed to make room');
  }

  get importState(): TaskState {
    return this.#states.import;
  }

  /**
   * @param items null exports all
   * @param unknown items that were asked for and are not there: named in the status
   * @throws {RecognitionError} `taskRunning`
   */
  async startExport(items: readonly string[] | null, unknown: readonly string[]): Promise<void> {
    this.#take('export');
    const more = unknown.length > NAMED_ITEMS ? ` and ${unknown.length - NAMED_ITEMS} more` : '';
    const named = unknown.slice(0, NAMED_ITEMS).join(', ');
    const leftOut = unknown.length === 0 ? '' : `; unknown items left out: ${named}${more}`;
    if (items?.length === 0) {
      await this.#end('export', failedState('export', `none of these items is known${leftOut}`));
      return;
    }
    await this.#begin('export', stateOf(EXPORT_STATUS.preparing, `preparing the package${leftOut}`));
    this.#running = this.#guard('export', this.#export(items, leftOut));
  }

  /** @throws {RecognitionError} `taskRunning` */
  reserveImport(): ImportSlot {
    this.#take('import');
    this.#uploads += 1;
    const file = join(this.#options.incoming, uploadName(this.#uploads));
    let isStarted = false;
    return {
      file,
      start: async () => {
        isStarted = true;
        await this.#begin('import', stateOf(IMPORT_STATUS.checking, 'checking the package'));
        this.#running = this.#guard('import', this.#import(file));
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

  async #export(items: readonly string[] | null, leftOut: string): Promise<void> {
    const { packageStore, serial, clock } = this.#options;
    const database = this.#options.file.location;
    const now = clock.wall();
    const name = packageStore.nameFor(serial, now);
    const file = await packageStore.begin(name);
    const job = { kind: 'export', database, file, items, serial, now } as const;
    const outcome = await this.#run({ ...job, maxBytes: packageStore.packageBytes }, leftOut);
    if (outcome === null) return;
    if (outcome.kind !== 'exported') {
      packageStore.abandon(name);
      return await this.#end('export', outcome.kind === 'failed' ? outcome.state : failedState('export', ''));
    }
    packageStore.finish(name);
    const { templates, items: count } = outcome.written;
    const msg = `ready: ${templates} templates of ${count} items${leftOut}`;
    const ready = stateOf(EXPORT_STATUS.ready, msg, { templates, items: count });
    await this.#end('export', { ...ready, filename: name });
  }

  async #import(file: string): Promise<void> {
    const { maxTemplatesPerItem, marked, maxPackageBytes, onLanded, onFailed } = this.#options;
    const { location: database, maxPages } = this.#options.file;
    const limits = { max: maxTemplatesPerItem, marked: marked(), maxBytes: maxPackageBytes, maxPages };
    const outcome = await this.#run({ kind: 'import', database, file, ...limits });
    if (outcome === null) return;
    await rm(file, { force: true }); // hundreds of megabytes: freeing them takes a while
    const published = this.#published();
    if (published !== null) {
      await onLanded(published.batch);
      this.#states.import = published.state;
      this.#busy = null;
    } else if (outcome.kind === 'failed') {
      await onFailed();
      await this.#end('import', outcome.state);
    }
  }

  /** What was imported, even if the worker died: it stores this state with the templates, in one commit. */
  #published(): { readonly state: TaskState; readonly batch: number } | null {
    const { db } = this.#options.file;
    const state = loadTask(db, 'import');
    if (state.status !== IMPORT_STATUS.completed) return null;
    const row = db.prepare("SELECT max(id) AS batch FROM batches WHERE kind = 'import'").get();
    return { state, batch: Number(row?.batch ?? 0) };
  }

  /** Null when the device is closing. A worker that is lost counts as failed. @param more behind each `msg` */
  async #run(job: Job, more = ''): Promise<Outcome | null> {
    const { signal } = this.#closing;
    const onProgress = (state: TaskState): void => {
      this.#states[job.kind] = { ...state, msg: state.msg + more };
    };
    try {
      return await runJob(job, this.#options.file.queue, onProgress, { signal });
    } catch (error) {
      if (signal.aborted) return null;
      this.#options.log('a package worker was lost', { err: error, job: job.kind });
      const state = failedState(job.kind, 'the task was ended by an unexpected error: see the log');
      return { kind: 'failed', state };
    }
  }

  /** A task that fails unexpectedly still ends, and says so. */
  async #guard(kind: TaskKind, task: Promise<void>): Promise<void> {
    try {
      await task;
    } catch (error) {
      this.#options.log('a task ended by an unexpected error', { err: error, task: kind });
      await this.#end(kind, failedState(kind, `the ${kind} failed: ${messageOf(error)}`));
    }
  }

  #take(kind: TaskKind): void {
    if (this.#busy !== null)
      throw new RecognitionError('taskRunning', `an ${this.#busy} is running: wait until it is over`);
    this.#busy = kind;
  }

  async #begin(kind: TaskKind, state: TaskState): Promise<void> {
    try {
      await this.#save(kind, state);
    } catch (error) {
      this.#busy = null;
      throw error;
    }
  }

  /** The task is over even if that cannot be written down: then the next start says that it was interrupted. */
  async #end(kind: TaskKind, state: TaskState): Promise<void> {
    try {
      await this.#save(kind, state);
    } catch (error) {
      this.#options.log('the end of a task could not be stored', { err: error, task: kind });
      this.#states[kind] = state;
    } finally {
      this.#busy = null;
    }
  }

  async #save(kind: TaskKind, state: TaskState): Promise<void> {
    const { file } = this.#options;
    await file.write(() => saveTask(file.db, kind, state));
    this.#states[kind] = state;
  }
}
