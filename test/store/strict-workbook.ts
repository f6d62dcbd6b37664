/**
 * Holds workbooks to ISO/IEC 29500 (ECMA-376): the parts, their types and what is in them by the schemas of the Open XML SDK, and what
 * that leaves out: the order of rows and cells, what they refer to, and how numbers and days are written.
 */
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import sax from 'sax';
import { fromBufferPromise } from 'yauzl';

const TYPES = '[Content_Types].xml';
const MAX_ROW = 1_048_576;
const MAX_COLUMN = 16_384;
const LONGEST_TEXT = 32_767;
/** The last day of the year 9999. */
const LAST_DAY = 2_958_465;
/** The first number of a format that a workbook describes itself. */
const FIRST_OWN_FORMAT = 164;
const NUMBER = /^-?\d+(?:\.\d+)?(?:E[+-]?\d+)?$/i;
const PLACE = /^(?<letters>[A-Z]{1,3})(?<row>[1-9]\d*)$/;

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** Parts by their names, in the order of the file. */
export async function partsOf(workbook: Uint8Array): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(Buffer.from(workbook), { lazyEntries: true });
  const parts = new Map<string, string>();
  for await (const entry of zip.eachEntry())
    parts.set(entry.fileName, (await buffer(await zip.openReadStreamPromise(entry))).toString());
  return parts;
}

/** @throws where it is not well formed */
function rootOf(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const strict = sax.parser(true);
  strict.onopentag = ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  };
  strict.ontext = (text) => {
    for (const element of open) element.text += text;
  };
  strict.onclosetag = () => open.pop();
  strict.write(xml).close();
  return root.children[0] ?? root;
}

const under = (element: Element | undefined, name: string): Element[] =>
  element?.children.filter((child) => child.name === name) ?? [];

/** Rows and columns count from 1; null for what is no place. */
function placeOf(reference = ''): { readonly row: number; readonly column: number } | null {
  const { letters = '', row = '' } = PLACE.exec(reference)?.groups ?? {};
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 0x40, 0);
  return column >= 1 && column <= MAX_COLUMN && Number(row) <= MAX_ROW ? { row: Number(row), column } : null;
}

/** What cells refer to. */
interface Shared {
  /** For each style, whether it shows a day. */
  readonly days: readonly boolean[];
  /** How many texts they share. */
  readonly texts: number;
}

function valueProblem({ attributes, children }: Element, { days, texts }: Shared): string | null {
  const of = (name: string) => children.find((child) => child.name === name)?.text;
  const [value, text] = [of('v'), of('is')];
  if (of('f') !== undefined) return 'is a formula';
  switch (attributes.t ?? 'n') {
    case 'n':
      if (value === undefined) return null;
      if (!NUMBER.test(value)) return `is no number: ${value}`;
      if (days[Number(attributes.s ?? 0)] !== true) return null;
      return Number(value) >= 1 && Number(value) < LAST_DAY + 1 ? null : `is no day: ${value}`;
    case 's':
      return Number(value) < texts ? null : `is text ${value} of ${texts}`;
    case 'inlineStr':
      if (text === undefined || value !== undefined) return 'has no text in itself';
      return text.length > LONGEST_TEXT ? 'is too long' : null;
    default:
      return `is of type ${attributes.t}`;
  }
}

function rowProblems(row: Element, number: number, shared: Shared): string[] {
  let before = 0;
  return under(row, 'c').flatMap((cell) => {
    const place = placeOf(cell.attributes.r);
    const name = `cell ${cell.attributes.r}`;
    if (place === null) return [`${name} is nowhere`];
    if (place.row !== number) return [`${name} is in row ${number}`];
    if (place.column <= before) return [`${name} comes too late`];
    before = place.column;
    const problem = valueProblem(cell, shared);
    return problem === null ? [] : [`${name} ${problem}`];
  });
}

function sheetProblems(sheet: Element, shared: Shared): string[] {
  const problems: string[] = [];
  let last = 0;
  for (const { attributes } of under(under(sheet, 'cols')[0], 'col')) {
    const [min, max] = [Number(attributes.min), Number(attributes.max)];
    if (!(min > last && max >= min && max <= MAX_COLUMN)) problems.push(`columns ${min} to ${max} are out of order`);
    last = max;
  }
  for (const pane of under(under(under(sheet, 'sheetViews')[0], 'sheetView')[0], 'pane'))
    if (placeOf(pane.attributes.topLeftCell) === null) problems.push('the pane begins nowhere');
  let before = 0;
  for (const row of under(under(sheet, 'sheetData')[0], 'row')) {
    const number = Number(row.attributes.r);
    if (!(number > before && number <= MAX_ROW)) problems.push(`row ${row.attributes.r} is out of order`);
    before = number;
    problems.push(...rowProblems(row, number, shared));
  }
  return problems;
}

const REFERRED: Readonly<Record<string, string>> = {
  fontId: 'fonts',
  fillId: 'fills',
  borderId: 'borders',
  xfId: 'cellStyleXfs',
};

function styleProblems(styles: Element, formats: ReadonlyMap<number, string>): string[] {
  const lists = new Map(styles.children.map((list) => [list.name, list]));
  const counts = styles.children.filter(
    ({ attributes, children }) => attributes.count !== undefined && Number(attributes.count) !== children.length,
  );
  const users = ['cellStyleXfs', 'cellXfs', 'cellStyles'].flatMap((name) => lists.get(name)?.children ?? []);
  const lost = users.flatMap(({ attributes }) => {
    const indexes = Object.entries(REFERRED).filter(([field]) => attributes[field] !== undefined);
    const missing = indexes.filter(
      ([field, list]) => !(Number(attributes[field]) < (lists.get(list)?.children.length ?? 0)),
    );
    const format = Number(attributes.numFmtId ?? 0);
    const isFormatLost = format >= FIRST_OWN_FORMAT && !formats.has(format);
    return [...missing.map(([field]) => field), ...(isFormatLost ? ['numFmtId'] : [])];
  });
  return [
    ...counts.map(({ name }) => `${name} has another number of children than its count`),
    ...lost.map((field) => `a style has a ${field} that is nowhere`),
  ];
}

function ownProblems(parts: ReadonlyMap<string, string>): string[] {
  const roots = new Map([...parts].map(([name, xml]) => [name, rootOf(xml)]));
  const styles = roots.get('xl/styles.xml');
  const numFmts = under(styles && under(styles, 'numFmts')[0], 'numFmt').map(({ attributes }) => attributes);
  const formats = new Map(numFmts.map(({ numFmtId, formatCode = '' }) => [Number(numFmtId), formatCode]));
  const xfs = under(styles && under(styles, 'cellXfs')[0], 'xf');
  const shared = {
    days: xfs.map(({ attributes }) => /[dy]/.test(formats.get(Number(attributes.numFmtId)) ?? '')),
    texts: under(roots.get('xl/sharedStrings.xml'), 'si').length,
  };
  const [first] = parts.keys();
  const typed = under(roots.get(TYPES), 'Override').map(({ attributes }) => attributes.PartName ?? '');
  return [
    ...(first === TYPES ? [] : [`${TYPES} is not in front, where readers of streams need it`]),
    ...typed.filter((name) => !parts.has(name.slice(1))).map((name) => `${name} has a type and is nowhere`),
    ...(styles === undefined ? [] : styleProblems(styles, formats)),
    ...[...roots].flatMap(([name, root]) => (name.startsWith('xl/worksheets/') ? sheetProblems(root, shared) : [])),
  ];
}

function ownProblemsOrBroken(parts: ReadonlyMap<string, string>): string[] {
  try {
    return ownProblems(parts);
  } catch (error) {
    return [`is not well formed: ${(error as Error).message}`];
  }
}

/** What is wrong with each of some workbooks, in words; nothing for those that are right. */
export async function strictProblems(...workbooks: readonly Uint8Array[]): Promise<string[][]> {
  const sdk = new Worker(new URL('./open-xml-sdk.ts', import.meta.url), { workerData: workbooks });
  const [bySchema] = (await once(sdk, 'message')) as [string[][]];
  await sdk.terminate();
  const own = await Promise.all(workbooks.map(async (workbook) => ownProblemsOrBroken(await partsOf(workbook))));
  return own.map((problems, at) => [...problems, ...(bySchema[at] ?? [])]);
}
