/** A bank's registry, or a statement of the account, as it comes by mail: its lines, and why it is refused. */
import { TerminalError } from '../../banks/index.ts';
import {
  plainCell,
  readTable,
  TableError,
  type TableLine,
  type TableRow,
  type UnreadableRow,
} from '../../core/store/index.ts';

/** Lines of a registry: a day of a large shop, weeks of a small one. */
const MAX_LINES = 100_000;

/** A file of a call, line by line, in the call's own words where it is refused. */
async function* linesOf(field: 'file' | 'statement', lines: AsyncIterable<TableLine>): AsyncGenerator<TableLine> {
  try {
    yield* lines;
  } catch (cause) {
    if (!(cause instanceof TableError)) throw cause;
    const reason = field === 'statement' ? 'statement-unknown' : cause.code;
    const parameters = { reason, ...(cause.line !== null && { line: String(cause.line) }) };
    throw TerminalError.invalid(field, cause.message, { cause, parameters });
  }
}

/**
 * Its lines, the first of which may name the columns.
 * @throws {TerminalError} 400 for a file that has none, too many, or is no table that can be read
 */
export async function* registryLines(bytes: Uint8Array): AsyncGenerator<TableRow | UnreadableRow> {
  let count = 0;
  for await (const line of linesOf('file', readTable(bytes))) {
    if ('unread' in line)
      yield { line: 1, reason: `it is of the sheet "${line.unread}", and only the first sheet is read` };
    else if ('reason' in line) yield line;
    else {
      yield { line: line.line, cells: line.cells.map(plainCell) };
      count += 1;
      if (count > MAX_LINES + 1) throw TerminalError.invalid('file', `must have at most ${MAX_LINES} lines`);
    }
  }
  if (count === 0) throw TerminalError.invalid('file', 'must begin with a line that names its columns');
}

/** The lines of a statement. @throws {TerminalError} 400 where it is no text */
export async function* statementLines(bytes: Uint8Array): AsyncGenerator<TableRow> {
  for await (const line of linesOf('statement', readTable(bytes, 'lines'))) if ('cells' in line) yield line;
}
