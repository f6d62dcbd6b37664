/** The text of a file that people send, in pieces: a workbook of an old Excel, and what is no text, are refused. */
import { LONGEST_LINE, TableError, type TableRow } from './cells.ts';
import { piecesOf } from './table-text.ts';

/** The beginning of `.xls`, and of `.xlsx` with a password. */
const OLD_WORKBOOK = '\u00d0\u00cf\u0011\u00e0';

export const begins = (bytes: Uint8Array, mark: string): boolean =>
  Buffer.from(bytes.subarray(0, mark.length)).toString('latin1') === mark;

/** The text of a file, in pieces. @throws {TableError} */
export function* textOf(bytes: Uint8Array): Generator<string> {
  if (begins(bytes, OLD_WORKBOOK)) throw new TableError('old-workbook');
  let line = 1;
  /** Characters of the line so far, which may have begun in an earlier piece. */
  let length = 0;
  for (const piece of piecesOf(bytes)) {
    if (piece.includes('\0')) throw new TableError('binary');
    for (const [at, part] of piece.split(/\r\n|\r|\n/).entries()) {
      if (at > 0) line += 1;
      length = at > 0 ? part.length : length + part.length;
      if (length > LONGEST_LINE) throw new TableError('too-long', undefined, line);
    }
    yield piece;
  }
}

/** The lines of a text that has no cells, as a statement of an account for 1C. @throws {TableError} */
export function* textLines(bytes: Uint8Array): Generator<TableRow> {
  let line = 0;
  let rest = '';
  for (const piece of textOf(bytes)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      line += 1;
      yield { line, cells: [text] };
    }
  }
  if (rest !== '') yield { line: line + 1, cells: [rest] };
}
