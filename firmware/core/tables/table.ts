/**
 * Reads tables that people have: CSV in any of the usual encodings, with any of the usual separators, exports of 1C,
 * workbooks of Excel.
 */
import type { TableLine } from './cells.ts';
import { rowsOfText } from './csv-rows.ts';
import { begins } from './plain-text.ts';

/** The beginning of `.xlsx`. */
const ZIP = 'PK\u0003\u0004';

export const isWorkbook = (bytes: Uint8Array): boolean => begins(bytes, ZIP);

/** Every row with content, then the names of other sheets. @throws {TableError} */
export async function* tableRows(bytes: Uint8Array): AsyncGenerator<TableLine> {
  if (isWorkbook(bytes)) yield* (await import('./workbook.ts')).sheetRows(bytes);
  else yield* rowsOfText(bytes);
}
