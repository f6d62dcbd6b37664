/**
 * Backslashes of a text of cells. MySQL (`mysql --batch`, `INTO OUTFILE`) and PostgreSQL (`COPY`) escape with them; to a spreadsheet
 * they are signs as any other. Source: dev.mysql.com/doc/refman/8.4/en/select-into.html, postgresql.org/docs/17/sql-copy.html.
 */

/** What a backslash and a letter are for, where they escape. `\\0` is missing: a name holds no NUL. */
const MEANT: Readonly<Record<string, string>> = {
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
/** What a database writes for nothing, as a cell of its own. */
const NULL = '\\N';

/** How the writer of a text uses backslashes. */
export interface Backslashes {
  /** One stands before a quotation mark within a cell in quotation marks. */
  readonly isQuoteEscaped: boolean;
  /** In a cell without quotation marks: a sign, the beginning of an escape, or it may be either. */
  readonly outside: 'sign' | 'escape' | 'unclear';
}

export const WITHOUT_BACKSLASHES: Backslashes = { isQuoteEscaped: false, outside: 'sign' };

interface Escape {
  readonly sign: string;
  /** What follows; empty at the end of the text. */
  readonly next: string;
  /** A cell of its own that says nothing. */
  readonly isNull: boolean;
}

const isEnd = (sign: string, separator: string): boolean =>
  sign === '' || sign === '\r' || sign === '\n' || sign === separator;

function* escapesIn(text: string, separator: string): Generator<Escape> {
  for (const { 0: found, 1: sign = '', index } of text.matchAll(ESCAPES)) {
    const next = text.charAt(index + found.length);
    const isCell = isEnd(text.charAt(index - 1), separator) && isEnd(next, separator);
    yield { sign, next, isNull: found === NULL && isCell };
  }
}

/** @param text all of it: what one line leaves open another one shows */
export function backslashesOf(text: string, separator: string): Backslashes {
  let isQuoteEscaped = false;
  let hasOther = false;
  let isEscaped = false;
  for (const { sign, next, isNull } of escapesIn(text, separator)) {
    // at the end of a cell it may be a backslash of the text
    if (sign === '"') isQuoteEscaped ||= next !== '"' && !isEnd(next, separator);
    else if (isNull || sign === '\\') isEscaped = true;
    else hasOther ||= !(sign in MEANT || sign === '0' || isEnd(sign, separator));
  }
  return { isQuoteEscaped, outside: hasOther ? 'sign' : isEscaped ? 'escape' : 'unclear' };
}

/** What a cell without quotation marks says; null where that is unclear. */
export function unescaped(cell: string, { outside }: Backslashes): string | null {
  if (outside === 'sign' || !cell.includes('\\') || cell === NULL) return cell;
  if (outside === 'unclear') return null;
  let isClear = true;
  const text = cell.replaceAll(ESCAPES, (_, sign: string) => {
    isClear &&= sign in MEANT; // a separator or a line end that was escaped has ended the cell
    return MEANT[sign] ?? '';
  });
  return isClear ? text : null;
}

/** Whether a line whose quotation marks are escaped holds another escape, of which the parser would drop the backslash. */
export const isUnclearLine = (line: string, separator: string): boolean =>
  [...escapesIn(line, separator)].some(
    ({ sign, isNull }) => !isNull && sign !== '\\' && sign !== '"' && !isEnd(sign, separator),
  );

export const UNCLEAR_BACKSLASH =
  'a backslash in it may be a sign or begin another one (\\n, \\t): put the cell in quotation marks, or send the table as .xlsx';
