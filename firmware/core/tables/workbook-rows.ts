/** The rows of one sheet of a workbook. A formula counts by its last value. */
import { inDigits, momentInWords, type TableRow, type UnreadableRow } from './cells.ts';
import { damaged, type Elements, type Parts } from './workbook-parts.ts';
import { LONGEST_CELL, type Style, unescaped } from './workbook-shared.ts';

const MOST_COLUMNS = 256;

/** Most characters of a row. Its cells may all name one shared text, which is in the file only once. */
const LONGEST_ROW = LONGEST_CELL;

interface Reading {
  readonly texts: readonly string[];
  readonly styles: readonly Style[];
  readonly is1904: boolean;
}

interface OpenCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value: string;
  formula: string;
}

/** @param place `AB12` @returns 0 for column A */
function columnAt(place: string): number {
  const letters = /^[A-Z]{1,3}/.exec(place)?.[0] ?? '';
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 0x40, 0) - 1;
}

class RowReader implements Elements {
  readonly rows: (TableRow | UnreadableRow)[] = [];
  readonly #reading: Reading;
  #line = 0;
  #column = -1;
  #cells: string[] = [];
  #characters = 0;
  #cell: OpenCell | null = null;
  #within: 'value' | 'formula' | null = null;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  readonly open = (name: string, { r = '', t = 'n', s = '0' }: Readonly<Record<string, string>>): void => {
    if (name === 'row') {
      this.#line = r === '' ? this.#line + 1 : Number(r);
      this.#column = -1;
      this.#cells = [];
      this.#characters = 0;
    } else if (name === 'c') {
      this.#column = r === '' ? this.#column + 1 : columnAt(r);
      this.#cell = { column: this.#column, type: t, style: Number(s), value: '', formula: '' };
    } else if (name === 'v' || name === 't') this.#within = 'value';
    else if (name === 'f') this.#within = 'formula';
  };

  readonly text = (text: string): void => {
    if (this.#cell === null || this.#within === null) return;
    this.#cell[this.#within] += text;
    if (this.#cell[this.#within].length > LONGEST_CELL)
      throw damaged(`has a cell that is longer than any of Excel's, in line ${this.#line}`);
  };

  readonly close = (name: string): void => {
    if (name === 'v' || name === 't' || name === 'f') this.#within = null;
    else if (name === 'c' && this.#cell !== null) {
      this.#put(this.#cell);
      this.#cell = null;
    } else if (name === 'row' && this.#cells.length > 0) this.rows.push(this.#row());
  };

  #row(): TableRow | UnreadableRow {
    const line = this.#line;
    if (this.#characters <= LONGEST_ROW) return { line, cells: this.#cells };
    return { line, reason: `it has more than ${LONGEST_ROW} characters` };
  }

  #put(cell: OpenCell): void {
    const text = this.#textOf(cell);
    if (text === '') return;
    if (cell.column < 0 || cell.column >= MOST_COLUMNS)
      throw damaged(`has more than ${MOST_COLUMNS} columns in line ${this.#line}`);
    this.#characters += text.length;
    while (this.#cells.length < cell.column) this.#cells.push('');
    this.#cells[cell.column] = text;
  }

  #textOf({ type, style, value, formula }: OpenCell): string {
    const { texts, styles, is1904 } = this.#reading;
    if (value === '') return formula === '' ? '' : `=${formula}`; // no program has calculated the formula yet
    if (type === 's') return texts[Number(value)] ?? '';
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'; // `1` would read as a number or a name
    if (type !== 'n') return unescaped(value);
    const { isDate = false, digits = 0 } = styles[style] ?? {};
    const number = (isDate ? momentInWords(Number(value), is1904) : null) ?? inDigits(value);
    return /^\d+$/.test(number) ? number.padStart(digits, '0') : number;
  }
}

export async function* rowsOf(parts: Parts, part: string, reading: Reading): AsyncGenerator<TableRow | UnreadableRow> {
  const reader = new RowReader(reading);
  for await (const _ of parts.readSheet(part, reader)) yield* reader.rows.splice(0);
  yield* reader.rows.splice(0);
}
