/**
 * Lines of CSV: RFC 4180 with a byte order mark, and no cell that a spreadsheet would run. Commas are the standard,
 * which other programs read, too; Excel with Russian settings expects semicolons, and reads commas through its import
 * dialogue.
 */
import { RUSSIAN } from '../../../drivers/lib/languages.ts';
import { roublesOf } from '../../../drivers/lib/money.ts';

/** The byte order mark by which a spreadsheet recognises UTF-8. */
export const CSV_BOM = '\uFEFF';
const END_OF_LINE = '\r\n';

export type Cell = string | number | null;
/** A cell of a person's spreadsheet, which also knows amounts (kopecks) and timestamps (ms since 1970). */
export type SheetCell = Cell | { readonly kopecks: number } | { readonly timestamp: number };

/** The beginning of a formula, also after quotes, blanks and apostrophes. */
const FORMULA = /[=+\-@\t\r＝＋－＠]/;
const BLANK = /[\s"]/;
/** After these a spreadsheet may begin a cell: its separator depends on the country, and may differ from ours. */
const SEPARATOR = /[,;|\t\r\n]/;

/**
 * For each place, whether a formula begins there, with the characters before it. It goes from the end, over each
 * character once: a pattern with lookahead would scan the same blanks again from each.
 */
function formulasIn(text: string): readonly boolean[] {
  const isFormula: boolean[] = [];
  let [isBare, isMarked] = [false, false];
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text[at] ?? '';
    isBare = FORMULA.test(character) || (isBare && BLANK.test(character));
    isMarked = isBare || (isMarked && character === "'");
    isFormula[at] = isMarked;
  }
  return isFormula;
}

/**
 * Adds an apostrophe to a cell that begins like a formula: a spreadsheet then takes the cell for text. A formula that already
 * has apostrophes gets one more, so that reading returns what was written.
 */
function defused(text: string): string {
  if (!FORMULA.test(text)) return text;
  const isFormula = formulasIn(text);
  let written = isFormula[0] ? "'" : '';
  for (const [at, character] of text.split('').entries()) {
    // the first of all begins one cell, be it a separator or not
    const beginsAfter = SEPARATOR.test(character) && !(at === 0 && isFormula[0]);
    written += character + (beginsAfter && isFormula[at + 1] ? "'" : '');
  }
  return written;
}

const QUOTED = /[",;|\t\r\n]/;
/** The same, and blanks at either end, which many readers drop where they are not in quotes. */
export const QUOTED_WITH_EDGES = /[",;|\t\r\n]|^\s|\s$/;

function cell(value: Cell, quoted: RegExp): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  return inQuotes(defused(value), quoted);
}

const inQuotes = (text: string, quoted: RegExp): string =>
  quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** A line of cells, with its end. @param quoted texts to put in quotes */
export const csvRow = (cells: readonly Cell[], quoted = QUOTED): string =>
  cells.map((value) => cell(value, quoted)).join(',') + END_OF_LINE;

/** A time by the local wall clock: `21.11.2026 10:40:00`. */
const russianTime = (timestamp: number): string => new Date(timestamp).toLocaleString(RUSSIAN).replace(',', '');

/** A cell for Russian Excel. The minus of an amount does not make it a formula. */
function russianCell(value: SheetCell, quoted: RegExp): string {
  if (value === null || typeof value !== 'object') return cell(value, quoted);
  const text = 'kopecks' in value ? roublesOf(value.kopecks).replace('.', ',') : russianTime(value.timestamp);
  return inQuotes(text, quoted);
}

/** A line for Excel with Russian settings: semicolons, roubles with a comma, local time. */
export const russianRow = (cells: readonly SheetCell[], quoted = QUOTED): string =>
  cells.map((value) => russianCell(value, quoted)).join(';') + END_OF_LINE;

/** Takes from the text of a cell the apostrophes that {@link csvRow} has added. */
export function withoutApostrophes(text: string): string {
  const isFormula = formulasIn(text);
  const isAdded = (at: number): boolean =>
    text[at] === "'" && isFormula[at + 1] === true && (at === 0 || SEPARATOR.test(text[at - 1] ?? ''));
  return text
    .split('')
    .filter((_, at) => !isAdded(at))
    .join('');
}
