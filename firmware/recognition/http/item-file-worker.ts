/** The thread that reads one large file of items. It hands the entries over a page at a time, each when it is asked for. */
import { parentPort, workerData } from 'node:worker_threads';
import { type FailureKind, HttpFailure } from '../../core/http/index.ts';
import { ItemError, type ItemErrorCode } from '../items/item.ts';
import {
  type CheckedLine,
  type CheckedTable,
  checkItemTable,
  type ItemFile,
  type ReadFile,
  readItemFile,
} from './item-file.ts';

/** Entries that are handed over at once: a millisecond's work for the receiver. */
const PAGE_ENTRIES = 500;

export interface ReadingTask {
  readonly file: ItemFile;
  /** A table is looked through, line by line; else it is read, and refused for the first thing that is wrong. */
  readonly isCheck: boolean;
}

export type PageOrRefusal =
  /** The last one is empty. */
  | { readonly kind: 'page'; readonly read: ReadFile }
  | { readonly kind: 'lines'; readonly lines: readonly CheckedLine[] }
  /** After the last of the lines. */
  | { readonly kind: 'faults'; readonly rest: Omit<CheckedTable, 'lines'> }
  | { readonly kind: 'failure'; readonly failure: FailureKind; readonly message: string; readonly field: string | null }
  | {
      readonly kind: 'item';
      readonly code: ItemErrorCode;
      readonly message: string;
      readonly extra: ItemError['extra'];
    };

function refusalOf(error: unknown): PageOrRefusal {
  if (error instanceof HttpFailure)
    return { kind: 'failure', failure: error.kind, message: error.message, field: error.field };
  if (error instanceof ItemError) return { kind: 'item', code: error.code, message: error.message, extra: error.extra };
  throw error;
}

async function* checkedLines(bytes: Uint8Array): AsyncGenerator<PageOrRefusal> {
  const { lines, ...rest } = await checkItemTable(bytes);
  for (let at = 0; at < lines.length; at += PAGE_ENTRIES)
    yield { kind: 'lines', lines: lines.slice(at, at + PAGE_ENTRIES) };
  yield { kind: 'faults', rest };
}

async function* readEntries(file: ItemFile): AsyncGenerator<PageOrRefusal> {
  const { entries, unread } = await readItemFile(file);
  for (let at = 0; at < entries.length; at += PAGE_ENTRIES)
    yield { kind: 'page', read: { entries: entries.slice(at, at + PAGE_ENTRIES), unread } };
  yield { kind: 'page', read: { entries: [], unread } };
}

async function* answers({ file, isCheck }: ReadingTask): AsyncGenerator<PageOrRefusal> {
  try {
    yield* isCheck ? checkedLines(file.bytes) : readEntries(file);
  } catch (error) {
    yield refusalOf(error);
  }
}

const all = answers(workerData as ReadingTask); // given by the thread that starts it
parentPort?.on('message', async () => parentPort?.postMessage((await all.next()).value));
