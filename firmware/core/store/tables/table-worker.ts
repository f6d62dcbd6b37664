/** The thread that reads one table. It hands the rows over a page at a time, each when it is asked for. */
import { parentPort, workerData } from 'node:worker_threads';
import { TableError, type TableFault, type TableLine } from './lines.ts';
import { tableRows, textLines } from './table.ts';

export interface TableTask {
  readonly bytes: Uint8Array;
  /** `lines`: its text alone. */
  readonly form: 'table' | 'lines';
}

/** The last page is empty. */
export type Page =
  | readonly TableLine[]
  | { readonly fault: TableFault; readonly message: string; readonly line: number | null };

/** What the receiver does between two breaths of its event loop: a few milliseconds' work, with what it looks up for them. */
const PAGE_ROWS = 64;

const { bytes, form } = workerData as TableTask; // given by the thread that starts it
const rows = form === 'table' ? tableRows(bytes) : textLines(bytes);

async function nextPage(): Promise<Page> {
  const page: TableLine[] = [];
  try {
    while (page.length < PAGE_ROWS) {
      const { value, done } = await rows.next();
      if (done === true) break;
      page.push(value);
    }
    return page;
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    return { fault: error.code, message: error.message, line: error.line };
  }
}

parentPort?.on('message', async () => parentPort?.postMessage(await nextPage()));
