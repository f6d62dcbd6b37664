/** Reads the items of a generator that runs in a thread of its own, a page at a time, within a time limit. */
import { parentPort, workerData } from 'node:worker_threads';
import { WorkerThread } from './asked-worker.ts';
import { weightOf } from './weight.ts';

/** Items of a page: the receiver processes one in a turn of its event loop, in a few milliseconds, with its look-ups. */
const PAGE_ITEMS = 64;
const KIB = 1024;
/** Bytes from which a page takes no further item: it is copied in the same turn. */
const PAGE_BYTES = 64 * KIB;
/** Most bytes of an item, or of a refusal. What a thread has sent no longer counts against its memory limit. */
const ITEM_BYTES = 4 * PAGE_BYTES;
/** Most bytes of all items: many times those of the largest file that a call takes. */
const ALL_BYTES = 256 * KIB * KIB;

/** Errors that arrive with their class; any other loses the thread. */
type Kinds = readonly (abstract new (...parameters: never) => Error)[];

interface Refusal {
  readonly kind: number;
  readonly message: string;
  readonly fields: object;
}

/** The last page is empty. */
type Page<Item> = readonly Item[] | Refusal;

/** @throws {Error} above the limit */
function limitedWeight(value: unknown): number {
  const bytes = weightOf(value, ITEM_BYTES);
  if (bytes > ITEM_BYTES) throw new Error(`it would send more than ${ITEM_BYTES} bytes at once`);
  return bytes;
}

/**
 * Called by the thread: makes items from its input, and hands them over on demand. A thread whose item, or all of
 * whose items, are too large is lost.
 */
export function servePages<Input, Item>(
  read: (input: Input) => AsyncIterator<Item> | Iterator<Item>,
  kinds: Kinds,
): void {
  const items = read(workerData as Input); // given by the thread that starts it
  let leftBytes = ALL_BYTES;
  const nextPage = async (): Promise<Page<Item>> => {
    const page: Item[] = [];
    const began = leftBytes;
    try {
      while (page.length < PAGE_ITEMS && began - leftBytes < PAGE_BYTES) {
        const { value, done } = await items.next();
        if (done === true) break;
        leftBytes -= limitedWeight(value);
        page.push(value);
      }
      if (leftBytes < 0) throw new Error(`it would send more than ${ALL_BYTES} bytes in all`);
      return page;
    } catch (error) {
      const kind = kinds.findIndex((each) => error instanceof each);
      if (!(error instanceof Error) || kind < 0) throw error;
      const refusal = { kind, message: error.message, fields: { ...error } };
      limitedWeight(refusal);
      return refusal;
    }
  };
  parentPort?.on('message', async () => parentPort?.postMessage(await nextPage()));
}

export interface PagedThreadOptions {
  /** Its name in errors. */
  readonly name: string;
  /** Time limit of the thread in all. */
  readonly limitMs: number;
  /** Limit of JavaScript's own objects. */
  readonly maxHeapMb: number;
  readonly kinds: Kinds;
}

/**
 * Starts the thread and reads its items; it ends with the last item, or with the generator. @throws {LostWorker}
 * @throws the thread's errors of `kinds`
 */
export async function* readPages<Item>(
  file: URL,
  input: unknown,
  { name, limitMs, maxHeapMb, kinds }: PagedThreadOptions,
): AsyncGenerator<Item> {
  const thread = new WorkerThread<null, Page<Item>>(file, input, { name }, { maxOldGenerationSizeMb: maxHeapMb });
  try {
    for (let leftMs = limitMs; ; ) {
      const began = performance.now();
      const page = await thread.ask(null, leftMs);
      leftMs = Math.max(1, leftMs - (performance.now() - began));
      if ('kind' in page)
        throw Object.assign(Object.setPrototypeOf(new Error(page.message), kinds[page.kind]?.prototype), page.fields);
      if (page.length === 0) return;
      yield* page;
    }
  } finally {
    await thread.end();
  }
}
