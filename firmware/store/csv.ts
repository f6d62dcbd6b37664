/** Lines of CSV: RFC 4180 with a byte order mark, and no cell that a spreadsheet would run. */

/** What a spreadsheet knows UTF-8 by. */
export const CSV_BOM = '\uFEFF';
const END_OF_LINE = '\r\n';

export type Cell = string | number | null;

/** What a spreadsheet begins a cell at: its separator goes by the country, and ours is text to one that has another. */
const CELL_START = /(^|[;|\t\r\n])(?=[\s"]*[=+\-@\t\r＝＋－＠])/g;

/** A spreadsheet runs a cell that begins like a formula: an apostrophe makes it text. */
const defused = (text: string): string => text.replaceAll(CELL_START, "$1'");

function cell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = defused(value);
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a line of cells, with its end. */
export const csvRow = (cells: readonly Cell[]): string => cells.map(cell).join(',') + END_OF_LINE;

const DEFUSED_START = /(^|[;|\t\r\n])'(?=[\s"]*[=+\-@\t\r＝＋－＠])/g;

/** The text of a cell that was written here. */
export const withoutApostrophes = (text: string): string => text.replaceAll(DEFUSED_START, '$1');
