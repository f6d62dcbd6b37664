/**
 * Lines of CSV: RFC 4180 with a byte order mark, and no cell that a spreadsheet would run. Commas are the standard, which other programs
 * read too; Excel with Russian settings prefers semicolons and reads commas through its import dialogue.
 */
import { RUSSIAN } from '../../../drivers/lib/languages.ts';
import { roublesOf } from '../../../drivers/lib/money.ts';

/** What a spreadsheet knows UTF-8 by. */
export const CSV_BOM = '\uFEFF';
const END_OF_LINE = '\r\n';

export type Cell = string | number | null;
/** For a person's spreadsheet, an amount and a timestamp are what they are: kopecks, ms since 1970. */
export type SheetCell = Cell | { readonly kopecks: number } | { readonly timestamp: number };

/** What a formula begins with, also after quotes, blanks and apostrophes. */
const FORMULA = /[=+\-@\t\r＝＋－＠]/;
const BLANK = /[\s"]/;
/** Where a spreadsheet may begin a cell: its separator depends on the country, and ours may be text to it. */
const SEPARATOR = /[,;|\t\r\n]/;

/**
 * At which places a formula begins, with what stands before it. From the end on, each character once: a pattern that looks ahead
 * looks over the same blanks again from each of them.
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
 * A spreadsheet runs a cell that begins like a formula: an apostrophe makes it text. A formula that already has apostrophes gets
 * one more, so that reading returns what was written.
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
/** The same, and blanks at an edge, which many a reader passes over where no quotes keep them. */
export const QUOTED_WITH_EDGES = /[",;|\t\r\n]|^\s|\s$/;

function cell(value: Cell, quoted: RegExp): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  return inQuotes(defused(value), quoted);
}

const inQuotes = (text: string, quoted: RegExp): string =>
  quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Returns a line of cells, with its end. @param quoted texts that are put in quotes */
export const csvRow = (cells: readonly Cell[], quoted = QUOTED): string =>
  cells.map((value) => cell(value, quoted)).join(',') + END_OF_LINE;

/** By the local wall clock: `21.11.2026 10:40:00`. */
const russianTime = (timestamp: number): string => new Date(timestamp).toLocaleString(RUSSIAN).replace(',', '');

/** The minus of an amount makes it no formula. */
function russianCell(value: SheetCell, quoted: RegExp): string {
  if (value === null || typeof value !== 'object') return cell(value, quoted);
  const text = 'kopecks' in value ? roublesOf(value.kopecks).replace('.', ',') : russianTime(value.timestamp);
  return inQuotes(text, quoted);
}

/** The same as Excel with Russian settings opens it: semicolons, roubles with a comma, local time. */
export const russianRow = (cells: readonly SheetCell[], quoted = QUOTED): string =>
  cells.map((value) => russianCell(value, quoted)).join(';') + END_OF_LINE;

/** The text of a cell that was written here. */
export function withoutApostrophes(text: string): string {
  const isFormula = formulasIn(text);
  const isAdded = (at: number): boolean =>
    text[at] === "'" && isFormula[at + 1] === true && (at === 0 || SEPARATOR.test(text[at - 1] ?? ''));
  return text
    .split('')
    .filter((_, at) => !isAdded(at))
    .join('');
}
