/** Texts for a terminal: what a device sent cannot order the terminal about, and rows stand in columns. */
import { stripVTControlCharacters } from 'node:util';

const ESCAPE = '\u001b';
/** Our own colours, bold and their ends: text of a device has none. */
const OWN_TONE = `${ESCAPE}\\[(?:1|22|30|31|32|33|39|49|90|107)m`;
const CONTROLS = new RegExp(`(${OWN_TONE})|(?![\\n\\t])\\p{Cc}`, 'gu');

/** The text without control characters, except our own colours: a device, or an impostor, may have sent any. */
export const printable = (text: string): string => text.replace(CONTROLS, (_, own?: string) => own ?? '\ufffd');

/** Lines of a table, each column as wide as its longest text; the last is not padded. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (cell = ''): number => stripVTControlCharacters(cell).length;
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column]))));
  const padded = (cell: string, column: number): string => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell));
  return rows.map((row) => row.map(padded).join('  ').trimEnd());
}
