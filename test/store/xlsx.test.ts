/** Workbooks: what is written opens elsewhere, what is read is trusted in nothing. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isDateFormat, TableError, type TableRow, type UnreadSheet } from '../../firmware/core/tables/cells.ts';
import type { SheetCell } from '../../firmware/core/tables/csv.ts';
import { sheetRows } from '../../firmware/core/tables/workbook.ts';
import { columnName, workbook } from '../../firmware/core/tables/xlsx-writer.ts';
import { bytesIn } from './letters.ts';
import { partsOf, strictProblems, type TestSheet, tableOf, workbookWith, zipped } from './workbooks.ts';

const test = suite('store: workbooks');

async function* pieces(...all: SheetCell[][][]): AsyncGenerator<SheetCell[][]> {
  yield* all;
}

const NOON = new Date(2026, 10, 21, 12, 0, 1).getTime();
const BELL = String.fromCharCode(7);
const COLUMNS = ['Номер', 'Оплачен', 'Сумма', 'Назначение'].map((name) => ({ name, width: 12 }));
const LONG_NAME = 'Платежи: 21/11 и ещё очень много [других] слов';
const written = (...all: SheetCell[][][]): Promise<Buffer> =>
  buffer(workbook({ name: LONG_NAME, columns: COLUMNS }, pieces(...all)));
const rowsOf = async (bytes: Uint8Array): Promise<(TableRow | UnreadSheet)[]> =>
  await Readable.from(sheetRows(bytes)).toArray();
const cellsOf = async (bytes: Uint8Array): Promise<(readonly string[])[]> =>
  (await rowsOf(bytes)).map((row) => ('cells' in row ? row.cells : [row.unread]));

test('amounts are numbers, moments are local, texts are as they were', async () => {
  const texts = ['=1+1', '+7', '-5', '@cmd', 'a&b <c> "d"', '  edge  ', 'two\nlines', 'Яблоки “Ёж”'];
  const bytes = await written(texts.map((text, at) => [at, { timestamp: NOON }, { kopecks: 123_456 }, text]));
  const [head, ...rows] = await cellsOf(bytes);
  assert.equal(head, ['Номер', 'Оплачен', 'Сумма', 'Назначение']);
  assert.equal(
    rows,
    texts.map((text, at) => [String(at), '2026-11-21 12:00:01', '1234.56', text]),
  );
  const { size, ...odd } = { size: 40_000, bell: `a${BELL}b`, escape: '_x0041_', half: 'a\ud800b' };
  const [, ...oddRows] = await cellsOf(await written([[...Object.values(odd)], ['x'.repeat(size)]]));
  assert.equal(oddRows[0], [`a${BELL}b`, '_x0041_', 'a\ufffdb']);
  assert.is(oddRows[1]?.[0]?.length, 32_767);
});

test('written files meet the standard: without rows, wide, in pieces, with any text a cell holds', async () => {
  const texts = ['=1+1', '<&>"\'', '  edge  ', 'two\nlines', '_x0041_', 'a\ud800b', '\ufffe', '🍏', `a${BELL}b`];
  const wide = Array.from({ length: 60 }, (_, at) => ({ name: `к${at}`, width: 8 }));
  const inPieces = await written(
    [[null, null, null, null]],
    [],
    [[-1.5, { timestamp: NOON }, { kopecks: -123_456 }, '']],
  );
  const right = await Promise.all([
    written(),
    inPieces,
    written(
      texts.map((text) => [0, { timestamp: 0 }, null, text]),
      [[1, null, null, 'x'.repeat(40_000)]],
    ),
    buffer(workbook({ name: 'wide', columns: wide }, pieces([wide.map((_, at) => ({ kopecks: at }))]))),
  ]);
  const wrong = [await workbookWith({ sheets: [tableOf([['a']])] }), await zipped({ 'word.xml': '<a/>' })];
  const problems = await strictProblems(...right, ...wrong);
  assert.equal(problems.slice(0, right.length), [[], [], [], []]);
  assert.ok(problems.slice(right.length).every(({ length }) => length > 0));
  assert.equal(await rowsOf(inPieces), [
    { line: 1, cells: COLUMNS.map(({ name }) => name) },
    { line: 3, cells: ['-1.5', '2026-11-21 12:00:01', '-1234.56'] },
  ]);
});

/** What styles refer to, by their places in a list. */
const REFERRED = { fontId: 'fonts', fillId: 'fills', borderId: 'borders', xfId: 'cellStyleXfs' } as const;

test('beyond the schema: types come first, styles refer to existing ones, columns are in order', async () => {
  const parts = await partsOf(await written());
  const [types = '', sheet = '', styles = ''] = [
    '[Content_Types].xml',
    'xl/worksheets/sheet1.xml',
    'xl/styles.xml',
  ].map((name) => parts.get(name) ?? '');
  assert.is([...parts.keys()][0], '[Content_Types].xml', 'where readers of streams need them');
  for (const [, name = ''] of types.matchAll(/PartName="\/([^"]+)"/g)) assert.ok(parts.has(name), name);
  const counts = new Map<string, number>();
  for (const [, list = '', count, items = ''] of styles.matchAll(/<(\w+s) count="(\d+)">(.*?)<\/\1>/g)) {
    const item = list.endsWith('Xfs') ? 'xf' : list.slice(0, -1);
    counts.set(list, items.match(new RegExp(`<${item}[ >]`, 'g'))?.length ?? 0);
    assert.is(counts.get(list), Number(count), list);
  }
  for (const [field, list] of Object.entries(REFERRED))
    for (const [, at] of styles.matchAll(new RegExp(` ${field}="(\\d+)"`, 'g')))
      assert.ok(Number(at) < Number(counts.get(list)), `${field} ${at} of ${list}`);
  const own = [...styles.matchAll(/ numFmtId="(1\d\d)"/g)].map(([, id]) => id);
  assert.equal(own, ['164', '164'], 'a format that the workbook describes, and its use');
  assert.equal(
    [...sheet.matchAll(/<col min="(\d+)" max="(\d+)"/g)].map(([, min, max]) => `${min} ${max}`),
    ['1 1', '2 2', '3 3', '4 4'],
  );
  assert.match(sheet, ' topLeftCell="A2" ');
});

test('columns have the letters of a spreadsheet', () => {
  assert.equal([0, 25, 26, 51, 52, 701, 702].map(columnName), ['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
});

test('what a workbook cannot go on with ends the stream', async () => {
  const broken = async function* (): AsyncGenerator<SheetCell[][]> {
    yield [[1]];
    throw new Error('the ledger is gone');
  };
  const message = await buffer(workbook({ name: 'a', columns: COLUMNS }, broken())).catch(
    (error: Error) => error.message,
  );
  assert.is(message, 'the ledger is gone');
});

test('cells are read as Excel shows them, in whichever way they are written', async () => {
  const rows = `<row r="3"><c r="B3" t="s"><v>0</v></c><c r="C3" t="s"><v>1</v></c><c r="E3"><v>123.45000000000002</v></c></row>
    <row r="4"><c r="A4" s="1"/></row>
    <row r="9"><c><v>12345678901234567890</v></c><c><v>-1E3</v></c><c t="str"><f>A1&amp;"x"</f><v>made</v></c><c><f>SUM(A1:A9)</f></c>
    <c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c s="1"><v>46347.5</v></c><c s="2"><v>46347.500011574</v></c><c s="3"><v>46347.5</v></c><c t="d"><v>2026-11-21T12:00:00</v></c></row>`;
  const texts =
    '<si><t>plain</t></si><si><r><t>in </t></r><r><rPr><b/></rPr><t>two</t></r><rPh sb="0" eb="1"><t>read aloud</t></rPh></si>';
  const formats = { 164: 'dd\\.mm\\.yyyy\\ hh:mm', 165: '#,##0.00\\ &quot;руб. в день&quot;;[Red]-0.00' };
  const book = { sheets: [{ name: 'a', rows }], texts, formats, styles: [0, 14, 164, 165] };
  assert.equal(await rowsOf(await workbookWith(book)), [
    { line: 3, cells: ['', 'plain', 'in two', '', '123.45'] },
    {
      line: 9,
      cells: [
        ...['12345678901234567890', '-1000', 'made', '=SUM(A1:A9)', 'TRUE', '#N/A'],
        ...['2026-11-21 12:00:00', '2026-11-21 12:00:01', '46347.5', '2026-11-21T12:00:00'],
      ],
    },
  ]);
  const since1904 = {
    sheets: [{ name: 'a', rows: '<row><c s="1"><v>44885.5</v></c></row>' }],
    styles: [0, 22],
    is1904: true,
  };
  assert.equal(await cellsOf(await workbookWith(since1904)), [['2026-11-21 12:00:00']]);
});

test('a code keeps the zeros that its cell shows', async () => {
  const rows =
    '<row><c s="1"><v>42</v></c><c s="1"><v>123456</v></c><c s="2"><v>7</v></c><c s="1"><v>1.5</v></c><c><v>42</v></c></row>';
  const formats = { 164: '00000', 165: '0000000000000;@' };
  const bytes = await workbookWith({ sheets: [{ name: 'a', rows }], formats, styles: [0, 164, 165] });
  assert.equal(await cellsOf(bytes), [['00042', '123456', '0000000000007', '1.5', '42']]);
});

test('a part is read in its declared encoding, and found by a target with a backslash', async () => {
  const sheet = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><worksheet><sheetData><row><c t="inlineStr"><is><t>Молоко</t></is></c></row></sheetData></worksheet>`;
  const encoded: Readonly<Record<string, Buffer>> = {
    'windows-1251': Buffer.from(bytesIn('windows-1251', sheet('windows-1251'))),
    'UTF-8': Buffer.from(`\ufeff${sheet('utf-8')}`),
    'UTF-16': Buffer.from(`\ufeff${sheet('UTF-16')}`, 'utf16le'),
    'UTF-16 without its mark': Buffer.from(sheet('UTF-16'), 'utf16le'),
    'UTF-16, the other way round': Buffer.from(`\ufeff${sheet('UTF-16')}`, 'utf16le').swap16(),
    'UTF-8 that says it is UTF-16': Buffer.from(sheet('UTF-16')),
  };
  const withPart = (part: string | Buffer) =>
    workbookWith({ sheets: [{ name: 'a', rows: '' }], others: { 'book/sheets/0.xml': part } });
  for (const [name, part] of Object.entries(encoded))
    assert.equal(await cellsOf(await withPart(part)), [['Молоко']], name);
  const refusal: unknown = await cellsOf(await withPart(sheet('x-unknown'))).catch((error: unknown) => error);
  assert.match((refusal as Error).message, /in an encoding that is not known/);
  const parts = await partsOf(await workbookWith({ sheets: [tableOf([['x']])] }));
  const backslashed = [...parts].map(([part, text]) => [
    part,
    text.replaceAll(/Target="[^"]*"/g, (target) => target.replaceAll('/', '\\')),
  ]);
  assert.equal(await cellsOf(await zipped(Object.fromEntries(backslashed))), [['x']]);
});

test('formats of dates are known from those of amounts', () => {
  for (const code of ['dd.mm.yyyy', 'yyyy\\-mm\\-dd', '[h]:mm', '[$-419]d mmm yyyy;@', 'hh:mm AM/PM'])
    assert.ok(isDateFormat(164, code), code);
  for (const code of ['General', '0.00', '#,##0.00\\ _р_.', '[Red]0', '0.00" dmy"', '0.00E+00', '[$₽-419]# ##0'])
    assert.not(isDateFormat(164, code), code);
  assert.equal(
    [14, 22, 45, 57].map((id) => isDateFormat(id, undefined)),
    [true, true, true, true],
  );
  assert.equal(
    [0, 2, 4, 10, 49].map((id) => isDateFormat(id, undefined)),
    [false, false, false, false, false],
  );
});

test('a format costs no more than its letters, however often and by whomever it is named', async () => {
  const hostile = '['.repeat(60_000);
  const rows = '<row><c s="1"><v>46347.5</v></c></row>';
  const styles = Array.from({ length: 1000 }, () => 164);
  assert.equal(
    await cellsOf(await workbookWith({ sheets: [{ name: 'a', rows }], formats: { 164: hostile }, styles })),
    [['46347.5']],
  );
  const long = `${'[Red]'.repeat(50)}dd`;
  assert.ok(isDateFormat(164, long));
  assert.not(isDateFormat(164, `${long}${long}`), 'longer than any program writes');
});

test('the first visible sheet that holds anything is read, and others that do are named', async () => {
  const empty: TestSheet = { name: 'empty', rows: '<row><c s="0"/></row>' };
  const hidden: TestSheet = { ...tableOf([['secret']], 'hidden'), state: 'hidden' };
  const bytes = await workbookWith({
    sheets: [hidden, empty, tableOf([['a'], ['b']], 'first'), empty, tableOf([['c'], ['d']], 'second')],
  });
  assert.equal(await rowsOf(bytes), [{ line: 1, cells: ['a'] }, { line: 2, cells: ['b'] }, { unread: 'second' }]);
});

test('part names in other letters, and more styles than anybody makes, keep no table unread', async () => {
  const rows =
    '<row><c s="1"><v>46347.5</v></c><c t="str"><v>a_x000A_b</v></c><c><v>1.2345678901234567E+19</v></c></row>';
  const blanks = Buffer.alloc(17 * 1024 * 1024, ' ');
  const bytes = await workbookWith({
    sheets: [{ name: 'a', rows }],
    others: { 'book/styles.xml': blanks },
  });
  for (let at = bytes.indexOf('sheets/0.xml'); at >= 0; at = bytes.indexOf('sheets/0.xml'))
    bytes.write('Sheets/0.XML', at);
  assert.equal(await cellsOf(bytes), [['46347.5', 'a\nb', '1.2345678901234567E+19']]);
});

test('a workbook that is no such, or would fill the memory, is refused in words', async () => {
  const one = tableOf([['a']]);
  const sheet = (rows: string) => workbookWith({ sheets: [{ name: 'a', rows }] });
  const blanks = Buffer.alloc(33 * 1024 * 1024, ' ');
  const endless = 'x'.repeat(1024 * 1024);
  const attributes = Array.from({ length: 257 }, (_, at) => `a${at}=""`);
  const wide = { name: 'a', rows: ' '.repeat(65 * 1024 * 1024) };
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`part-${at}`, '']));
  const whole = await workbookWith({ sheets: [one] });
  const liar = await workbookWith({ sheets: [one], others: { 'book/texts.xml': blanks } });
  const size = Buffer.alloc(4);
  size.writeUInt32LE(blanks.length);
  for (let at = liar.indexOf(size); at >= 0; at = liar.indexOf(size)) liar.writeUInt32LE(1000, at);
  const entities = '<!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;</a>';
  for (const [what, bytes, message] of [
    [
      'a bomb of texts',
      await workbookWith({ sheets: [one], others: { 'book/texts.xml': blanks } }),
      /^unpacks to more/,
    ],
    ['a bomb that says it is none', liar, /^is a damaged workbook: open it/],
    ['parts without end', await workbookWith({ sheets: [one], others: many }), /^has more than 1000 parts/],
    ['elements without end', await sheet('<a>'.repeat(100)), /^has elements too deep/],
    [
      'entities',
      await workbookWith({ sheets: [one], others: { 'book/sheets/0.xml': entities } }),
      /^declares entities/,
    ],
    [
      'a cell without end',
      await sheet(`<row><c t="str"><v>${'x'.repeat(32_768)}</v></c></row>`),
      /^has a cell that is/,
    ],
    [
      'columns without end',
      await sheet('<row r="7"><c r="IW7"><v>1</v></c></row>'),
      /^has more than 256 columns in line 7/,
    ],
    ['columns of no letters', await sheet('<row r="7"><c r="7"><v>1</v></c></row>'), /^has more than 256 columns/],
    ...(await Promise.all(
      Object.entries({
        'an attribute': `<row a="${endless}"/>`,
        'a name': `<${endless}/>`,
        'a comment': `<!--${endless}-->`,
        'an instruction': `<?a ${endless}?>`,
        'an entity': `<row>&${endless};</row>`,
      }).map(
        async ([what, rows]) => [`${what} without end`, await sheet(rows), /^is a damaged workbook: open it/] as const,
      ),
    )),
    ['attributes without end', await sheet(`<row ${attributes.join(' ')}/>`), /^has an element with too many attr/],
    ['sheets without end', await workbookWith({ sheets: [wide, wide] }), /^unpacks to more/],
    ['no workbook', await zipped({ 'word.xml': '<a/>' }), /^is a ZIP file, and no workbook/],
    ['a cut file', whole.subarray(0, whole.length - 40), /^is a damaged workbook: open it/],
    ['no XML', await sheet('<row><c></row>'), /^is a damaged workbook: open it/],
  ] as const) {
    const refusal = await rowsOf(bytes).catch((error: unknown) => error);
    assert.instance(refusal, TableError, what);
    assert.match((refusal as Error).message, message, what);
  }
  assert.equal((await cellsOf(await sheet('<row><c r="IV1"><v>1</v></c></row>')))[0]?.length, 256);
});

test.run();
