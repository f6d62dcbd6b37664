/** Lines read from a table, and reasons why one is refused. */
import { CodedError } from '../../../../drivers/lib/errors.ts';

export interface TableRow {
  /** Line of the file, or of the sheet; the first is 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A row that cannot be read. */
export interface UnreadableRow {
  readonly line: number;
  readonly reason: string;
}

/** Another sheet with rows, which is not read. */
export interface UnreadSheet {
  readonly unread: string;
}

export type TableLine = TableRow | UnreadableRow | UnreadSheet;

/** Longest line in characters. With a quote never closed, a line would go on to the end of the file. */
export const LONGEST_LINE = 16 * 1024;

/** Sentences about faults. None repeats bytes of the file, which may hold anything. */
const SENTENCES = {
  'old-workbook': 'is a workbook with a password, or an old one: save it as .xlsx without, and send that',
  page: 'is a page (HTML or XML) with the name of a table: open it in a spreadsheet, save it as .xlsx or CSV, and send that',
  account: 'is a statement of an account for 1C, where a table was expected',
  binary: 'is neither text nor a workbook of Excel (.xlsx): save the table as .xlsx or CSV, and send that',
  'too-long': `has a line of more than ${LONGEST_LINE} characters: is a quotation mark not closed?`,
  workbook: 'is a damaged workbook: open it in a spreadsheet, save it again as .xlsx, and send that',
  slow: 'takes too long or too much memory to read: send a part of it',
} as const;
export type TableFault = keyof typeof SENTENCES;

/** The table cannot be read. The message follows the name of the file. */
export class TableError extends CodedError<TableFault> {
  /** Line of the file, the first is 1; null where the fault is not in one line. */
  readonly line: number | null;

  constructor(code: TableFault, message: string = SENTENCES[code], line: number | null = null, options?: ErrorOptions) {
    super(code, message, options);
    this.line = line;
  }
}
