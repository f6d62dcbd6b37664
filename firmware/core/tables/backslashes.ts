/**
 * Backslashes in the text of a table. MySQL (`mysql --batch`, `INTO OUTFILE`) and PostgreSQL (`COPY`) escape characters
 * with them; for a spreadsheet a backslash is a character as any other.
 * Source: dev.mysql.com/doc/refman/8.4/en/select-into.html, postgresql.org/docs/17/sql-copy.html.
 */

/** What an escape stands for, by the character after its backslash. `0` is missing: a name holds no NUL. */
const ESCAPED: Readonly<Record<string, string>> = {
  '\\': '\\',
  '"': '"',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
const ESCAPES = /\\([\s\S]?)/g;
/** What a database writes into a cell without a value. */
const NULL = '\\N';

/** How the writer of a text uses backslashes. */
export interface Backslashes {
  /** Whether a backslash stands before a quotation mark within a cell in quotation marks. */
  readonly isQuoteEscaped: boolean;
  /** What a backslash is in a cell without quotation marks: text, the beginning of an escape, or either. */
  readonly outside: 'text' | 'escape' | 'unclear';
}

export const WITHOUT_BACKSLASHES: Backslashes = { isQuoteEscaped: false, outside: 'text' };

interface Escape {
  /** The character after the backslash; empty at the end of the text. */
  readonly escaped: string;
  /** The character after that; empty at the end of the text. */
  readonly next: string;
  /** Whether it is a whole cell, and stands for no value. */
  readonly isNull: boolean;
}

const isCellEnd = (character: string, separator: string): boolean =>
  character === '' || character === '\r' || character === '\n' || character === separator;

function* escapesIn(text: string, separator: string): Generator<Escape> {
  for (const { 0: found, 1: escaped = '', index } of text.matchAll(ESCAPES)) {
    const next = text.charAt(index + found.length);
    const isCell = isCellEnd(text.charAt(index - 1), separator) && isCellEnd(next, separator);
    yield { escaped, next, isNull: found === NULL && isCell };
  }
}

/** @param text the whole table: what one line leaves unclear, another line may show */
export function backslashesOf(text: string, separator: string): Backslashes {
  let isQuoteEscaped = false;
  let isText = false;
  let isEscape = false;
  for (const { escaped, next, isNull } of escapesIn(text, separator)) {
    // the quotation mark may be the end of its cell, whose text ends in a backslash
    if (escaped === '"') isQuoteEscaped ||= next !== '"' && !isCellEnd(next, separator);
    else if (isNull || escaped === '\\') isEscape = true;
    else isText ||= !(escaped in ESCAPED || escaped === '0' || isCellEnd(escaped, separator));
  }
  return { isQuoteEscaped, outside: isText ? 'text' : isEscape ? 'escape' : 'unclear' };
}

/** The text of a cell without quotation marks, its escapes resolved; null where it is unclear. */
export function unescaped(cell: string, { outside }: Backslashes): string | null {
  if (outside === 'text' || !cell.includes('\\') || cell === NULL) return cell;
  if (outside === 'unclear') return null;
  let isClear = true;
  const text = cell.replaceAll(ESCAPES, (_, escaped: string) => {
    isClear &&= escaped in ESCAPED; // an escaped separator or line end is not: the parser has ended the cell there
    return ESCAPED[escaped] ?? '';
  });
  return isClear ? text : null;
}

/** Whether a line whose quotation marks are escaped holds another escape, of which the parser would drop the backslash. */
export const isUnclearLine = (line: string, separator: string): boolean =>
  [...escapesIn(line, separator)].some(
    ({ escaped, isNull }) => !isNull && escaped !== '\\' && escaped !== '"' && !isCellEnd(escaped, separator),
  );

export const UNCLEAR_BACKSLASH =
  'a backslash in it may be a sign or begin another one (\\n, \\t): put the cell in quotation marks, or send the table as .xlsx';
