/** The records of a table in CSV: how its cells are separated, and what stands around them. */
import type { CsvError, Options, Parser } from 'csv-parse';
import {
  type Backslashes,
  backslashesOf,
  isUnclearLine,
  UNCLEAR_BACKSLASH,
  unescaped,
  WITHOUT_BACKSLASHES,
} from './backslashes.ts';
import { LONGEST_LINE } from './cells.ts';
import type { ReadRow } from './cut-rows.ts';
import { beginsWithSeparator, HEAD_LINES, isDrawn, piecesOf } from './table-text.ts';

/** Line ends: lines that a program added above the table may end differently from its own. */
const LINE_ENDS = ['\r\n', '\n', '\r'];
/** How the cells of a text are separated. */
interface Manner {
  readonly separator: string;
  readonly backslashes: Backslashes;
}

const BACKSLASH = 0x5c;
export const mannerOf = (bytes: Uint8Array, separator: string): Manner => ({
  separator,
  backslashes: bytes.includes(BACKSLASH)
    ? backslashesOf([...piecesOf(bytes)].join(''), separator)
    : WITHOUT_BACKSLASHES,
});

/** @param onUnclear called with the number of a record of which a cell is unclear, the first is 0 */
const optionsOf = ({ separator, backslashes }: Manner, onUnclear: (record: number) => void): Options => ({
  bom: true,
  cast(cell, { quoting, records }) {
    if (quoting) return cell;
    const text = unescaped(cell.trim(), backslashes);
    if (text === null) onUnclear(records);
    return text ?? cell;
  },
  delimiter: separator, // with several separators, names that contain another one would be cut
  escape: backslashes.isQuoteEscaped ? '\\' : '"',
  ltrim: true,
  max_record_size: LONGEST_LINE,
  record_delimiter: LINE_ENDS,
  relax_column_count: true,
  relax_quotes: true, // many a program writes ООО "Ромашка" as it is
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  skip_records_with_error: true,
});

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number; readonly records: number };
  readonly raw?: string;
}

/** Reads the records from a parser, and marks those of which a cell is unclear. */
export class Records {
  readonly #manner: Manner;
  readonly #unclear = new Set<number>();
  readonly parser: Parser;

  private constructor(
    manner: Manner,
    skipsFirst: boolean,
    parse: (options: Options) => Parser,
    onSkip: (line: number) => void,
  ) {
    this.#manner = manner;
    this.parser = parse({
      ...optionsOf(manner, (record) => this.#unclear.add(record + 1)),
      from_line: skipsFirst ? 2 : 1,
      info: true,
      raw: manner.backslashes.isQuoteEscaped,
      on_skip: (error) => {
        onSkip(Number((error as CsvError | undefined)?.lines ?? 0));
        return undefined;
      },
    });
  }

  static async begin(beginning: string, manner: Manner, onSkip: (line: number) => void): Promise<Records> {
    const { parse } = await import('csv-parse');
    return new Records(manner, beginsWithSeparator(beginning), parse, onSkip);
  }

  rowOf({ record, info, raw }: Parsed): ReadRow {
    const isUnclear =
      this.#unclear.delete(info.records) || (raw !== undefined && isUnclearLine(raw, this.#manner.separator));
    return { line: info.lines, cells: record, ...(isUnclear && { reason: UNCLEAR_BACKSLASH }) };
  }

  /** The rows that are parsed by now. */
  *read(): Generator<ReadRow> {
    for (let parsed = this.parser.read(); parsed !== null; parsed = this.parser.read()) yield this.rowOf(parsed);
  }
}

/** Removes what stands around cells: quotation marks around a whole line, and lines that a program has drawn. */
export class Lines {
  #manner: Manner = { separator: ';', backslashes: WITHOUT_BACKSLASHES };
  #parse: ((line: string, options: Options) => string[][]) | null = null;
  /** Most cells of a line of the head. */
  #width = 0;
  #count = 0;

  async begin(manner: Manner): Promise<void> {
    this.#manner = manner;
    this.#parse = (await import('csv-parse/sync')).parse;
  }

  *of(row: ReadRow): Generator<ReadRow> {
    if (this.#manner.separator === '|' && isDrawn(row.cells)) return;
    const cells = this.#unquoted(row.cells);
    if (this.#count < HEAD_LINES) this.#width = Math.max(this.#width, cells.length);
    this.#count += 1;
    yield { ...row, cells };
  }

  /** A spreadsheet that kept a line in its first cell saves all of it in quotation marks. */
  #unquoted(cells: readonly string[]): readonly string[] {
    const [line = '', other] = cells;
    if (other !== undefined || !line.includes(this.#manner.separator) || this.#parse === null) return cells;
    const [inner = []] = this.#parse(
      line,
      optionsOf(this.#manner, () => undefined),
    );
    const isTable = this.#count === 0 ? inner.length > 1 : this.#width > 1 && inner.length === this.#width;
    return isTable ? inner : cells;
  }
}
