/**
 * Reads workbooks of Excel (Office Open XML, ECMA-376) in pieces, trusting nothing in them. A formula counts by its
 * last value. Loaded on first use, in a thread of its own.
 */
import { posix } from 'node:path';
import { TextDecoder } from 'node:util';
import sax, { type Tag } from 'sax';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import {
  inDigits,
  isDateFormat,
  momentInWords,
  TableError,
  type TableLine,
  type TableRow,
  type UnreadableRow,
} from './cells.ts';

const damaged = (message?: string): TableError => new TableError('workbook', message);

const MOST_PARTS = 1000;
const MIB = 1024 * 1024;
/** Limits of unpacked parts: sheets, counted together, are read as a stream; other parts are kept in memory. */
const SHEETS_BYTES = 128 * MIB;
const TEXTS_BYTES = 32 * MIB;
const STYLES_BYTES = 16 * MIB;
const OTHER_BYTES = MIB;
/** Deepest nesting of elements; a workbook has eight. */
const DEEPEST = 32;
const MOST_ATTRIBUTES = 256;
const MOST_COLUMNS = 256;
/** Longest cell of Excel, in characters. */
const LONGEST_CELL = 32_767;
/** Most characters of a row. Its cells may all name one shared text, which is in the file only once. */
const LONGEST_ROW = LONGEST_CELL;

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

const DECLARED = /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)["']/;
/** Bytes that a declaration takes at the most. */
const DECLARATION_BYTES = 256;

/**
 * The decoder of a part: by its byte order mark, else by what it declares (XML 1.0, appendix F).
 * @throws {TableError} for an encoding that is not known
 */
function decoderOf(first: Uint8Array): TextDecoder {
  const [one = 0, two = 0] = first;
  if ((one === 0xff && two === 0xfe) || (one === 0x3c && two === 0)) return new TextDecoder('utf-16le');
  if ((one === 0xfe && two === 0xff) || (one === 0 && two === 0x3c)) return new TextDecoder('utf-16be');
  const beginning = Buffer.from(first.subarray(0, DECLARATION_BYTES)).toString('latin1');
  const [, declared = 'utf-8'] = DECLARED.exec(beginning) ?? [];
  if (/^utf-?16/i.test(declared)) return new TextDecoder(); // its bytes say that it is none
  try {
    return new TextDecoder(declared);
  } catch (cause) {
    throw new TableError('workbook', 'is a workbook in an encoding that is not known: save it again as .xlsx', null, {
      cause,
    });
  }
}

/** Receives the elements of a part. */
interface Elements {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

class Parts {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** Bytes left for sheets: many sheets may share one part. */
  #leftBytes = SHEETS_BYTES;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(bytes: Uint8Array): Promise<Parts> {
    const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      lazyEntries: true,
    });
    if (zip.entryCount > MOST_PARTS) throw damaged(`has more than ${MOST_PARTS} parts`);
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry);
    return new Parts(zip, entries);
  }

  /**
   * Reads a part, and yields the size of each piece after its elements were handed over; nothing for a missing part. A
   * part with more bytes than it states is damaged.
   */
  async *read(name: string, most: number, elements: Elements): AsyncGenerator<number> {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) return;
    if (entry.uncompressedSize > most) throw damaged(`unpacks to more than ${most} bytes`);
    // the parser needs its position to notice a name, a comment or an attribute without end
    const xml = sax.parser(true, { position: true });
    let depth = 0;
    let attributes = 0;
    xml.onerror = (error) => {
      throw error;
    };
    xml.onattribute = () => {
      attributes += 1;
      if (attributes > MOST_ATTRIBUTES) throw damaged('has an element with too many attributes');
    };
    xml.ondoctype = () => {
      throw damaged('declares entities, which no workbook does');
    };
    xml.onopentag = (tag) => {
      attributes = 0;
      depth += 1;
      if (depth > DEEPEST) throw damaged('has elements too deep within each other');
      elements.open?.(local(tag.name), (tag as Tag).attributes); // namespaces are not asked for
    };
    xml.onclosetag = (tag) => {
      depth -= 1;
      elements.close?.(local(tag));
    };
    xml.ontext = (text) => elements.text?.(text);
    xml.oncdata = (text) => elements.text?.(text);
    let decoder: TextDecoder | null = null;
    for await (const piece of await this.#zip.openReadStreamPromise(entry)) {
      decoder ??= decoderOf(piece);
      xml.write(decoder.decode(piece, { stream: true }));
      yield piece.length;
    }
    xml.write(decoder?.decode() ?? '');
    xml.close();
  }

  async *readSheet(name: string, elements: Elements): AsyncGenerator<void> {
    for await (const bytes of this.read(name, SHEETS_BYTES, elements)) {
      this.#leftBytes -= bytes;
      if (this.#leftBytes < 0) throw damaged(`unpacks to more than ${SHEETS_BYTES} bytes (its sheets)`);
      yield;
    }
  }

  /** The stated unpacked size of a part. */
  sizeOf(name: string): number {
    return this.#entries.get(name.toLowerCase())?.uncompressedSize ?? 0;
  }

  async readWhole(name: string, most: number, elements: Elements): Promise<void> {
    for await (const _ of this.read(name, most, elements));
  }

  /** Parts that a part refers to, by id, each with the end of its type. @param part empty for the whole workbook */
  async related(part: string): Promise<Map<string, { readonly type: string; readonly part: string }>> {
    const [folder, name] = [posix.dirname(part), posix.basename(part)];
    const found = new Map<string, { type: string; part: string }>();
    await this.readWhole(posix.join(folder, '_rels', `${name}.rels`), OTHER_BYTES, {
      open: (element, { Id = '', Type = '', Target = '' }) => {
        if (element !== 'Relationship') return;
        found.set(Id, {
          type: posix.basename(Type),
          part: posix.resolve('/', folder, Target.replaceAll('\\', '/')).slice(1),
        });
      },
    });
    return found;
  }
}

/** An escape for a character that XML cannot hold, or for a text that looks like one: ECMA-376, 22.9.2.19. */
const ESCAPED = /_x([0-9a-f]{4})_/gi;
const unescaped = (text: string): string =>
  text.replaceAll(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

async function textsOf(parts: Parts, part: string): Promise<string[]> {
  const texts: string[] = [];
  let text = '';
  let isText = false;
  let isPhonetic = false;
  await parts.readWhole(part, TEXTS_BYTES, {
    open: (name) => {
      if (name === 'si') text = '';
      if (name === 'rPh') isPhonetic = true;
      isText = name === 't' && !isPhonetic;
    },
    text: (more) => {
      if (isText) text += more;
      if (text.length > LONGEST_CELL) throw damaged("has a text that is longer than any of Excel's");
    },
    close: (name) => {
      isText = false;
      if (name === 'rPh') isPhonetic = false;
      if (name === 'si') texts.push(unescaped(text));
    },
  });
  return texts;
}

/** How a style shows a number. */
interface Style {
  readonly isDate: boolean;
  /** Digits at the least, with zeros before them: `00000` of a PLU. */
  readonly digits: number;
}

const ZEROS = /^(0{2,})(?:;|$)/;
const styleOf = (id: number, code: string | undefined): Style => ({
  isDate: isDateFormat(id, code),
  digits: ZEROS.exec(code ?? '')?.[1]?.length ?? 0,
});

/** The styles of cells; none in a workbook with an absurd number of them. */
async function stylesOf(parts: Parts, part: string): Promise<Style[]> {
  if (parts.sizeOf(part) > STYLES_BYTES) return [];
  const formats = new Map<number, Style>();
  const used: number[] = [];
  let isOfCells = false;
  await parts.readWhole(part, STYLES_BYTES, {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'numFmt') formats.set(Number(numFmtId), styleOf(Number(numFmtId), formatCode));
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'xf' && isOfCells) used.push(Number(numFmtId));
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return used.map((id) => formats.get(id) ?? styleOf(id, undefined));
}

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
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'; // no number, and no name 1
    if (type !== 'n') return unescaped(value);
    const { isDate = false, digits = 0 } = styles[style] ?? {};
    const number = (isDate ? momentInWords(Number(value), is1904) : null) ?? inDigits(value);
    return /^\d+$/.test(number) ? number.padStart(digits, '0') : number;
  }
}

async function* rowsOf(parts: Parts, part: string, reading: Reading): AsyncGenerator<TableRow | UnreadableRow> {
  const reader = new RowReader(reading);
  for await (const _ of parts.readSheet(part, reader)) yield* reader.rows.splice(0);
  yield* reader.rows.splice(0);
}

async function* readSheets(bytes: Uint8Array): AsyncGenerator<TableLine> {
  const parts = await Parts.open(bytes);
  const main = [...(await parts.related('')).values()].find(({ type }) => type === 'officeDocument');
  if (main === undefined) throw damaged('is a ZIP file, and no workbook of Excel (.xlsx)');
  const related = await parts.related(main.part);
  const partOf = (type: string): string => [...related.values()].find((each) => each.type === type)?.part ?? '';
  const sheets: { name: string; part: string }[] = [];
  let is1904 = false;
  await parts.readWhole(main.part, OTHER_BYTES, {
    open: (element, attributes) => {
      if (element === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (element !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') return;
      const [, id = ''] = Object.entries(attributes).find(([name]) => local(name) === 'id') ?? [];
      sheets.push({ name: attributes.name ?? '', part: related.get(id)?.part ?? '' });
    },
  });
  const [texts, styles] = [await textsOf(parts, partOf('sharedStrings')), await stylesOf(parts, partOf('styles'))];
  let isRead = false;
  for (const { name, part } of sheets) {
    let hasRows = false;
    for await (const row of rowsOf(parts, part, { texts, styles, is1904 })) {
      hasRows = true;
      yield isRead ? { unread: name } : row;
      if (isRead) break;
    }
    isRead ||= hasRows;
  }
}

/** The rows with content of the first visible sheet, then the names of other sheets with rows. @throws {TableError} */
export async function* sheetRows(bytes: Uint8Array): AsyncGenerator<TableLine> {
  try {
    yield* readSheets(bytes);
  } catch (cause) {
    throw cause instanceof TableError ? cause : new TableError('workbook', undefined, null, { cause });
  }
}
