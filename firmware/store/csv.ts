/**
 * Lines of CSV: RFC 4180 with a byte order mark, and no cell that a spreadsheet would run. Commas are the standard, which other programs
 * read too; Excel with Russian settings prefers semicolons and reads commas through its import dialogue.
 */

/** What a spreadsheet knows UTF-8 by. */
export const CSV_BOM = '\uFEFF';
const END_OF_LINE = '\r\n';

export type Cell = string | number | null;

/**
 * Where a spreadsheet may begin a cell: its separator depends on the country, and ours may be text to it. A formula
 * that already has apostrophes gets one more, so that reading returns what was written.
 */
const CELL_START = /(^|[;|\t\r\n])(?='*[\s"]*[=+\-@\t\r＝＋－＠])/g;

/** A spreadsheet runs a cell that begins like a formula: an apostrophe makes it text. */
const defused = (text: string): string => text.replaceAll(CELL_START, "$1'");

const QUOTED = /[",;|\t\r\n]/;
/** The same, and blanks at an edge, which many a reader passes over where no quotes keep them. */
export const QUOTED_WITH_EDGES = /[",;|\t\r\n]|^\s|\s$/;

function cell(value: Cell, quoted: RegExp): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = defused(value);
  return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a line of cells, with its end. @param quoted texts that are put in quotes */
export const csvRow = (cells: readonly Cell[], quoted = QUOTED): string =>
  cells.map((value) => cell(value, quoted)).join(',') + END_OF_LINE;

const DEFUSED_START = /(^|[;|\t\r\n])'(?='*[\s"]*[=+\-@\t\r＝＋－＠])/g;

/** The text of a cell that was written here. */
export const withoutApostrophes = (text: string): string => text.replaceAll(DEFUSED_START, '$1');
