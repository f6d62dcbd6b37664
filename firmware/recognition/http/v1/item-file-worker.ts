/** The thread that reads one large file of items. It hands the entries over a page at a time, each when it is asked for. */
import { parentPort, workerData } from 'node:worker_threads';
import { type FailureKind, HttpFailure } from '../../../http/failure.ts';
import { ItemError, type ItemErrorCode } from '../../items/item.ts';
import { type Entries, type ItemFile, readItemFile } from './item-file.ts';

/** Entries that are handed over at once: a millisecond's worth for whoever takes them. */
const PAGE_ENTRIES = 500;

export type PageOrRefusal =
  /** The last one is empty. */
  | { readonly kind: 'page'; readonly entries: Entries }
  | { readonly kind: 'failure'; readonly failure: FailureKind; readonly message: string; readonly field: string | null }
  | {
      readonly kind: 'item';
      readonly code: ItemErrorCode;
      readonly message: string;
      readonly extra: ItemError['extra'];
    };

function* answers(): Generator<PageOrRefusal> {
  let entries: Entries;
  try {
    entries = readItemFile(workerData as ItemFile); // whoever starts it gives one
  } catch (error) {
    if (error instanceof HttpFailure)
      return yield { kind: 'failure', failure: error.kind, message: error.message, field: error.field };
    if (error instanceof ItemError)
      return yield { kind: 'item', code: error.code, message: error.message, extra: error.extra };
    throw error;
  }
  for (let at = 0; at < entries.length; at += PAGE_ENTRIES)
    yield { kind: 'page', entries: entries.slice(at, at + PAGE_ENTRIES) };
  yield { kind: 'page', entries: [] };
}

const all = answers();
parentPort?.on('message', () => parentPort?.postMessage(all.next().value));
