/**
 * Reads the rows of CSV, in any of the usual encodings and with any of the usual separators; a damaged row becomes a line
 * with its reason.
 */
import { TableError, type TableFault, type TableLine, type TableRow, type UnreadableRow } from './cells.ts';
import { Lines, mannerOf, Records } from './csv-records.ts';
import { CutRows, type ReadRow } from './cut-rows.ts';
import { textOf } from './plain-text.ts';
import { HEAD_LINES, separatorOf } from './table-text.ts';

/** Beginnings of texts that are no tables. */
const NO_TABLES: readonly (readonly [beginning: RegExp, fault: TableFault])[] = [
  [/^\ufeff?\s*<[!?a-z]/i, 'page'],
  [/^\ufeff?\s*1CClientBankExchange/, 'account'],
];

/**
 * Records as they are parsed. The first piece shows the separator, so the parser is made when it is there.
 * @param onSkip called with the line of invalid CSV
 */
async function* recordsOf(bytes: Uint8Array, onSkip: (line: number) => void): AsyncGenerator<ReadRow> {
  let records: Records | null = null;
  const lines = new Lines();
  for (const piece of textOf(bytes)) {
    const noTable = records === null ? NO_TABLES.find(([beginning]) => beginning.test(piece)) : undefined;
    if (noTable !== undefined) throw new TableError(noTable[1]);
    if (records === null) {
      const manner = mannerOf(bytes, separatorOf(piece));
      await lines.begin(manner);
      records = await Records.begin(piece, manner, onSkip);
    }
    records.parser.write(piece);
    for (const row of records.read()) yield* lines.of(row);
  }
  if (records === null) return;
  records.parser.end();
  for await (const parsed of records.parser) yield* lines.of(records.rowOf(parsed));
}

/**
 * The rows; those that cannot be read, as lines with the reason. A row is yielded once the next one is parsed: only then
 * it is known whether the parser skipped records between them, and whether the file ends within the row.
 */
export async function* rowsOfText(bytes: Uint8Array): AsyncGenerator<TableLine> {
  /** Lines of records that the parser skipped, which no answer has named yet. */
  const skipped: number[] = [];
  // the parser notices an open quotation mark where the record ends, perhaps thousands of lines below it
  const unreadableAfter = ({ line }: TableRow): UnreadableRow => ({
    line: line + 1,
    reason: 'a quotation mark in it is stray or not closed',
  });
  const cutRows = new CutRows();
  /** Most cells of a line of the head: a whole row has as many. */
  let columns = 0;
  let last: ReadRow | null = null;
  let count = 0;
  for await (const row of recordsOf(bytes, (line) => skipped.push(line))) {
    // the parser is a piece ahead of what is read from it
    const skippedBefore = skipped.splice(0, skipped.filter((line) => line < row.line).length);
    // without the line that names the columns the table counts as empty
    if (last === null && skippedBefore.length > 0) return;
    if (count < HEAD_LINES && row.reason === undefined) columns = Math.max(columns, row.cells.length);
    if (last !== null) yield* cutRows.push(last, columns);
    if (last !== null && skippedBefore.length > 0) yield* [...cutRows.flush(), unreadableAfter(last)];
    last = row;
    count += 1;
  }
  if (last === null) return;
  const isHalf = last.cells.length < columns && !/[\r\n]/.test(String.fromCharCode(bytes.at(-1) ?? 0));
  yield* cutRows.push(isHalf ? { ...last, reason: 'the file ends within it: ask for the whole file' } : last, columns);
  yield* cutRows.flush();
  if (skipped.length > 0) yield unreadableAfter(last);
}
