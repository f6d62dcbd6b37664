/**
 * Reads files of items. A large one takes seconds, which no payment may wait for: a thread of its own reads it, one file at a
 * time, since each takes many times its size of memory.
 */
import { SerialQueue } from '../../../../drivers/lib/serial-queue.ts';
import { LostWorker, WorkerThread } from '../../../../drivers/lib/worker-thread.ts';
import { HttpFailure } from '../../../http/failure.ts';
import { ItemError } from '../../items/item.ts';
import { type Entries, type ItemFile, readItemFile } from './item-file.ts';
import type { PageOrRefusal } from './item-file-worker.ts';

const WORKER_FILE = new URL('./item-file-worker.ts', import.meta.url);
/** What is read here: the start of a thread takes longer. */
const SMALL_BYTES = 16 * 1024;
/** The largest file takes a slow board many seconds; one that takes longer hangs. */
const READ_LIMIT_MS = 2 * 60_000;
/** Of JavaScript's own objects: the largest file and what is made of it. */
const MAX_HEAP_MB = 192;

function entriesOf(answer: PageOrRefusal): Entries {
  switch (answer.kind) {
    case 'page':
      return answer.entries;
    case 'failure':
      throw new HttpFailure(answer.failure, answer.message, { field: answer.field ?? '' });
    case 'item':
      throw new ItemError(answer.code, answer.message, answer.extra);
  }
}

async function readInThread(file: ItemFile): Promise<Entries> {
  const thread = new WorkerThread<null, PageOrRefusal>(WORKER_FILE, {
    name: 'reader of items',
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  try {
    const entries: Entries = [];
    for (;;) {
      const page = entriesOf(await thread.ask(null, READ_LIMIT_MS));
      if (page.length === 0) return entries;
      entries.push(...page);
    }
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
  async read(file: ItemFile): Promise<Entries> {
    if (file.bytes.length <= SMALL_BYTES) return readItemFile(file);
    return await this.#queue.run(() => readInThread(file));
  }
}
