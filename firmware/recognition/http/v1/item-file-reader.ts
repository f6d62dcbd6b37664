/**
 * Reads files of items. A large file takes seconds, which no payment may wait for, so a separate thread reads it. It
 * reads one file at a time, because a file takes many times its size of memory.
 */

import { LostWorker } from '../../../../drivers/lib/asked-worker.ts';
import { readPages } from '../../../../drivers/lib/paged-thread.ts';
import { SerialQueue } from '../../../../drivers/lib/serial-queue.ts';
import { HttpFailure } from '../../../core/http/index.ts';
import { isWorkbook, TableError } from '../../../core/tables/index.ts';
import { illegal } from '../../items/item-csv.ts';
import { ItemError } from '../../model/item.ts';
import {
  type CheckedFile,
  checkedFile,
  entriesOf,
  type FileFinding,
  fileFindings,
  type ItemFile,
  type ReadFile,
} from './item-file.ts';

const WORKER_FILE = new URL('./item-file-worker.ts', import.meta.url);
/** A file up to this size is read without a thread: starting one takes longer. */
const SMALL_BYTES = 16 * 1024;
/** Whether a file is small; a workbook may unpack to any size, so it is not. */
const isSmall = (bytes: Uint8Array): boolean => bytes.length <= SMALL_BYTES && !isWorkbook(bytes);

/** The largest file takes a slow board many seconds; a thread that has not ended by then hangs. */
const READ_LIMIT_MS = 2 * 60_000;
/** Room for the largest file and its entries. */
const MAX_HEAP_MB = 192;
const THREAD = {
  name: 'reader of items',
  limitMs: READ_LIMIT_MS,
  maxHeapMb: MAX_HEAP_MB,
  kinds: [HttpFailure, ItemError],
};

async function inThread(file: ItemFile): Promise<CheckedFile> {
  try {
    return await checkedFile(readPages<FileFinding>(WORKER_FILE, file, THREAD));
  } catch (cause) {
    if (!(cause instanceof LostWorker)) throw cause;
    throw illegal(1, 'slow', `the file ${new TableError('slow').message}`, {}, cause);
  }
}

export class ItemFileReader {
  readonly #queue = new SerialQueue();

  /** @returns entries that fit the schema, no id twice @throws {HttpFailure} @throws {ItemError} `IllegalFile` */
  async read(file: ItemFile): Promise<ReadFile> {
    return entriesOf(await this.check(file));
  }

  /**
   * Checks each line of a table separately.
   * @throws {HttpFailure} @throws {ItemError} `IllegalFile` where it is no table of items
   */
  async check(file: ItemFile): Promise<CheckedFile> {
    if (isSmall(file.bytes)) return await checkedFile(fileFindings(file));
    return await this.#queue.run(() => inThread(file));
  }
}
