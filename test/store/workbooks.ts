/** Workbooks for tests, made part by part: whole ones, and such as no program should trust. */

import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
const relations = (...all: string[]): string => `<Relationships>${all.join('')}</Relationships>`;

export async function zipped(parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, part] of Object.entries(parts)) zip.addBuffer(Buffer.from(part), name);
  zip.end();
  return await buffer(zip.outputStream.pipe(new PassThrough()));
}

/** Parts by their names, in the order of the file. */
export async function partsOf(workbook: Buffer): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(workbook, { lazyEntries: true });
  const parts = new Map<string, string>();
  for await (const entry of zip.eachEntry())
    parts.set(entry.fileName, (await buffer(await zip.openReadStreamPromise(entry))).toString());
  return parts;
}

export interface TestSheet {
  readonly name: string;
  /** Elements `row`. */
  readonly rows: string;
  readonly state?: 'hidden';
}

export interface TestWorkbook {
  readonly sheets: readonly TestSheet[];
  /** Elements `si`. */
  readonly texts?: string;
  /** Formats by their numbers, and the format of each style. */
  readonly formats?: Readonly<Record<number, string>>;
  readonly styles?: readonly number[];
  readonly is1904?: boolean;
  readonly others?: Readonly<Record<string, string | Buffer>>;
}

/** As another program writes it: with a prefix on the elements of the workbook, and absolute targets. */
export function workbookWith({
  sheets,
  texts = '',
  formats = {},
  styles = [0],
  is1904 = false,
  others = {},
}: TestWorkbook) {
  const listed = sheets.map(
    ({ name, state = 'visible' }, at) => `<x:sheet name="${name}" sheetId="${at + 1}" state="${state}" r:id="s${at}"/>`,
  );
  const codes = Object.entries(formats).map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`);
  return zipped({
    '_rels/.rels': relations(relation('r', 'officeDocument', '/book/main.xml')),
    'book/main.xml': `<x:workbook xmlns:x="${MAIN}" xmlns:r="${OFFICE}"><x:workbookPr date1904="${is1904}"/><x:sheets>${listed.join('')}</x:sheets></x:workbook>`,
    'book/_rels/main.xml.rels': relations(
      ...sheets.map((_, at) => relation(`s${at}`, 'worksheet', `sheets/${at}.xml`)),
      relation('t', 'sharedStrings', '/book/texts.xml'),
      relation('f', 'styles', 'styles.xml'),
    ),
    'book/texts.xml': `<sst xmlns="${MAIN}">${texts}</sst>`,
    'book/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sheets.map(({ rows }, at) => [
        `book/sheets/${at}.xml`,
        `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...others,
  });
}

/** A sheet of texts. */
export const tableOf = (rows: readonly (readonly string[])[], name = 'Реестр'): TestSheet => ({
  name,
  rows: rows
    .map((cells) => `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`)
    .join(''),
});

/** What the Open XML SDK has against each of some workbooks, by ISO/IEC 29500 (ECMA-376); nothing for those that are right. */
export async function strictProblems(...workbooks: readonly Uint8Array[]): Promise<string[][]> {
  const sdk = new Worker(new URL('./open-xml-sdk.ts', import.meta.url), { workerData: workbooks });
  const [problems] = await once(sdk, 'message');
  await sdk.terminate();
  return problems;
}
