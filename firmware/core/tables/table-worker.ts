/** The thread that reads one table. */
import { servePages } from '../../../drivers/lib/paged-thread.ts';
import { TableError } from './cells.ts';
import { textLines } from './plain-text.ts';
import { tableRows } from './table.ts';

export interface TableTask {
  readonly bytes: Uint8Array;
  /** `lines`: only the text's lines. */
  readonly form: 'table' | 'lines';
}

servePages(({ bytes, form }: TableTask) => (form === 'table' ? tableRows(bytes) : textLines(bytes)), [TableError]);
