/**
 * Writes a workbook of one sheet (Office Open XML, ECMA-376) while it is sent: memory does not grow with its rows.
 * Texts stay texts, never formulas. Loaded on first use.
 */
import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { roublesOf } from '../../../drivers/lib/money.ts';
import { escaped } from '../../../drivers/lib/text.ts';
import type { SheetCell } from './csv.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DOCUMENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
/** Longest text of a cell. */
const LONGEST_TEXT = 32_767;
/** Longest name of a sheet. */
const LONGEST_NAME = 31;
const NOT_IN_NAMES = /[[\]:*?/\\]/g;
/** Styles, by their place in `cellXfs`. */
const [BOLD, MONEY, TIMESTAMP] = [1, 2, 3];
/** Days from the beginning of a spreadsheet's calendar to 1970. */
const DAYS_TO_1970 = 25_569;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const CONTENT_TYPES = `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${DOCUMENT}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${DOCUMENT}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${DOCUMENT}.styles+xml"/></Types>`;
const RELATIONS = `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;
const WORKBOOK_RELATIONS = `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`;
const FONT = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy\\ hh:mm:ss"/></numFmts><fonts count="2"><font>${FONT}</font><font><b/>${FONT}</font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

const workbookOf = (name: string): string =>
  `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escaped(name.replaceAll(NOT_IN_NAMES, ' ').slice(0, LONGEST_NAME))}" sheetId="1" r:id="rId1"/></sheets></workbook>`;

/** What is escaped: texts that look like an escape of the format, and characters that XML cannot hold. */
const TO_ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)|(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu;
const escapeOf = (sign: string): string => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
const textOf = (text: string): string =>
  escaped(text.slice(0, LONGEST_TEXT).toWellFormed().replaceAll(TO_ESCAPE, escapeOf));

/** A timestamp in a spreadsheet's calendar, by the local wall clock. */
function serialOf(timestamp: number): number {
  const local = timestamp - new Date(timestamp).getTimezoneOffset() * MINUTE_MS;
  return Math.floor(local / 1000) / (DAY_MS / 1000) + DAYS_TO_1970;
}

/** `A`, `Z`, `AA`. @param index 0 for the first */
export const columnName = (index: number): string =>
  (index < 26 ? '' : columnName(Math.floor(index / 26) - 1)) + String.fromCharCode(0x41 + (index % 26));

function cellOf(value: SheetCell, place: string, style: number): string {
  if (value === null || value === '') return '';
  if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`;
  if (typeof value === 'string')
    return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${textOf(value)}</t></is></c>`;
  if ('kopecks' in value) return `<c r="${place}" s="${MONEY}"><v>${roublesOf(value.kopecks)}</v></c>`;
  return `<c r="${place}" s="${TIMESTAMP}"><v>${serialOf(value.timestamp)}</v></c>`;
}

const rowOf = (cells: readonly SheetCell[], row: number, style = 0): string =>
  `<row r="${row}">${cells.map((value, index) => cellOf(value, `${columnName(index)}${row}`, style)).join('')}</row>`;

/** The name of a sheet, and its columns, with widths in characters. */
interface SheetHead {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly width: number }[];
}

async function* sheetOf({ columns }: SheetHead, pieces: AsyncIterable<readonly SheetCell[][]>): AsyncGenerator<string> {
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const names = columns.map(({ name }) => name);
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>${rowOf(names, 1, BOLD)}`;
  let row = 1;
  for await (const piece of pieces) {
    const first = row + 1;
    row += piece.length;
    yield piece.map((cells, at) => rowOf(cells, first + at)).join('');
  }
  yield '</sheetData></worksheet>';
}

/** Writes the workbook into a stream. @param pieces rows below the head; an error of theirs ends the stream */
export function workbook(head: SheetHead, pieces: AsyncIterable<readonly SheetCell[][]>): Readable {
  const zip = new ZipFile();
  const parts: Readonly<Record<string, string>> = {
    '[Content_Types].xml': CONTENT_TYPES,
    '_rels/.rels': RELATIONS,
    'xl/workbook.xml': workbookOf(head.name),
    'xl/_rels/workbook.xml.rels': WORKBOOK_RELATIONS,
    'xl/styles.xml': STYLES,
  };
  for (const [name, xml] of Object.entries(parts)) zip.addBuffer(Buffer.from(xml), name);
  const sheet = Readable.from(sheetOf(head, pieces), { objectMode: false });
  const sent = zip.outputStream.pipe(new PassThrough());
  sheet.once('error', (error) => sent.destroy(error));
  sent.once('close', () => sheet.destroy());
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml');
  zip.end();
  return sent;
}
