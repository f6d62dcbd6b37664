/**
 * Reads files of items. A large one takes seconds, which no payment may wait for: a thread of its own reads it, one file at a
 * time, since each takes many times its size of memory.
 */

import { LostWorker } from '../../../drivers/lib/asked-worker.ts';
import { readPages } from '../../../drivers/lib/paged-thread.ts';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import { HttpFailure } from '../../core/http/index.ts';
import { isWorkbook, TableError } from '../../core/store/index.ts';
import { ItemError } from '../items/item.ts';
import { illegal } from '../items/item-csv.ts';
import {
  type CheckedFile,
  checkedFile,
  entriesOf,
  type Finding,
  findings,
  type ItemFile,
  type ReadFile,
} from './item-file.ts';

const WORKER_FILE = new URL('./item-file-worker.ts', import.meta.url);
/** What is read here: the start of a thread takes longer. */
const SMALL_BYTES = 16 * 1024;
/** Not how large a workbook unpacks to. */
const isSmall = (bytes: Uint8Array): boolean => bytes.length <= SMALL_BYTES && !isWorkbook(bytes);

/** The largest file takes a slow board many seconds; one that takes longer hangs. */
const READ_LIMIT_MS = 2 * 60_000;
/** The largest file and what is made of it. */
const MAX_HEAP_MB = 192;
const THREAD = {
  name: 'reader of items',
  limitMs: READ_LIMIT_MS,
  maxHeapMb: MAX_HEAP_MB,
  kinds: [HttpFailure, ItemError],
};

async function inThread(file: ItemFile): Promise<CheckedFile> {
  try {
    return await checkedFile(readPages<Finding>(WORKER_FILE, file, THREAD));
  } catch (cause) {
    if (!(cause instanceof LostWorker)) throw cause;
    throw illegal(1, 'slow', `the file ${new TableError('slow').message}`, {}, cause);
  }
}

export class ItemFileReader {
  readonly #queue = new SerialQueue();

  /** @returns entries that are what the schema says, no id twice @throws {HttpFailure} @throws {ItemError} `IllegalFile` */
  async read(file: ItemFile): Promise<ReadFile> {
    return entriesOf(await this.check(file));
  }

  /** Each line of a table by itself. @throws {HttpFailure} @throws {ItemError} `IllegalFile` where it is no table of items */
  async check(file: ItemFile): Promise<CheckedFile> {
    if (isSmall(file.bytes)) return await checkedFile(findings(file));
    return await this.#queue.run(() => inThread(file));
  }
}
