/**
 * Reads files of items. A large one takes seconds, which no payment may wait for: a thread of its own reads it, one file at a
 * time, since each takes many times its size of memory.
 */
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import { LostWorker, WorkerThread } from '../../../drivers/lib/worker-thread.ts';
import { HttpFailure } from '../../core/http/index.ts';
import { isWorkbook } from '../../core/store/index.ts';
import { ItemError } from '../items/item.ts';
import {
  type CheckedLine,
  type CheckedTable,
  checkItemTable,
  type Entries,
  type ItemFile,
  type ReadFile,
  readItemFile,
} from './item-file.ts';
import type { PageOrRefusal, ReadingTask } from './item-file-worker.ts';

const WORKER_FILE = new URL('./item-file-worker.ts', import.meta.url);
/** What is read here: the start of a thread takes longer. */
const SMALL_BYTES = 16 * 1024;
/** Not how large a workbook unpacks to. */
const isSmall = (bytes: Uint8Array): boolean => bytes.length <= SMALL_BYTES && !isWorkbook(bytes);
/** The largest file takes a slow board many seconds; one that takes longer hangs. */
const READ_LIMIT_MS = 2 * 60_000;
/** Of JavaScript's own objects: the largest file and what is made of it. */
const MAX_HEAP_MB = 192;

/** @throws what the thread was refused for */
function refuse(answer: PageOrRefusal): never {
  if (answer.kind === 'failure') throw new HttpFailure(answer.failure, answer.message, { field: answer.field ?? '' });
  if (answer.kind === 'item') throw new ItemError(answer.code, answer.message, answer.extra);
  throw new Error(`the reader of items has answered out of turn: ${answer.kind}`);
}

type Ask = () => Promise<PageOrRefusal>;

async function entriesBy(ask: Ask): Promise<ReadFile> {
  const entries: Entries = [];
  for (;;) {
    const answer = await ask();
    if (answer.kind !== 'page') return refuse(answer);
    if (answer.read.entries.length === 0) return { entries, unread: answer.read.unread };
    entries.push(...answer.read.entries);
  }
}

async function tableBy(ask: Ask): Promise<CheckedTable> {
  const lines: CheckedLine[] = [];
  for (;;) {
    const answer = await ask();
    if (answer.kind === 'faults') return { lines, ...answer.rest };
    if (answer.kind !== 'lines') return refuse(answer);
    lines.push(...answer.lines);
  }
}

async function inThread<T>(task: ReadingTask, read: (ask: Ask) => Promise<T>): Promise<T> {
  const thread = new WorkerThread<null, PageOrRefusal>(
    WORKER_FILE,
    task,
    { name: 'reader of items' },
    { maxOldGenerationSizeMb: MAX_HEAP_MB },
  );
  try {
    return await read(() => thread.ask(null, READ_LIMIT_MS));
  } catch (cause) {
    if (!(cause instanceof LostWorker)) throw cause;
    throw new ItemError('IllegalFile', `the file cannot be read: ${cause.message}; nothing was changed`, {}, { cause });
  } finally {
    await thread.end();
  }
}

export class ItemFileReader {
  readonly #queue = new SerialQueue();

  /** @returns entries that are what the schema says, no id twice @throws {HttpFailure} @throws {ItemError} `IllegalFile` */
  async read(file: ItemFile): Promise<ReadFile> {
    if (isSmall(file.bytes)) return await readItemFile(file);
    return await this.#queue.run(() => inThread({ file, isCheck: false }, entriesBy));
  }

  /** Each line of a table by itself. @throws {HttpFailure} @throws {ItemError} `IllegalFile` where it is no table of items */
  async check(bytes: Uint8Array): Promise<CheckedTable> {
    if (isSmall(bytes)) return await checkItemTable(bytes);
    return await this.#queue.run(() => inThread({ file: { kind: 'csv', bytes }, isCheck: true }, tableBy));
  }
}
