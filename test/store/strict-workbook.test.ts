/** What this device writes as a workbook is right by ISO/IEC 29500, and the check that says so finds each of many faults. */
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SheetCell } from '../../firmware/core/store/csv.ts';
import { workbook } from '../../firmware/core/store/xlsx-writer.ts';
import { partsOf, strictProblems } from './strict-workbook.ts';
import { zipped } from './workbooks.ts';

const test = suite('store: workbooks by the standard');

async function* pieces(...all: SheetCell[][][]): AsyncGenerator<SheetCell[][]> {
  yield* all;
}

const NOON = new Date(2026, 10, 21, 12, 0, 1).getTime();
const BELL = String.fromCharCode(7);
const COLUMNS = ['Номер', 'Оплачен', 'Сумма', 'Назначение'].map((name) => ({ name, width: 12 }));
const LONG_NAME = 'Платежи: 21/11 и ещё очень много [других] слов';
const written = (name: string, columns: typeof COLUMNS, ...all: SheetCell[][][]): Promise<Buffer> =>
  buffer(workbook({ name, columns }, pieces(...all)));

const whole = (): Promise<Buffer> =>
  written(LONG_NAME, COLUMNS, [[1, { timestamp: NOON }, { kopecks: 5 }, `=1+1 <b> a${BELL}b`]], [[2, null, null, 'x']]);

test('what is written is right: without rows, wide, long, with all that a text may hold', async () => {
  const texts = ['=1+1', '+7', '@cmd', '<&>"\'', '  edge  ', 'two\nlines', '_x0041_', 'a\ud800b', '\ufffe', '🍏'];
  const wide = Array.from({ length: 60 }, (_, at) => ({ name: `к${at}`, width: 8 }));
  const all = await Promise.all([
    whole(),
    written('shift-3', COLUMNS),
    written(
      '2026-11-21',
      COLUMNS,
      [[null, null, null, null]],
      [],
      [[-1.5, { timestamp: 0 }, { kopecks: -123_456 }, '']],
    ),
    written(
      'тексты',
      COLUMNS,
      texts.map((text) => [0, null, null, text]),
      [[1, null, null, 'x'.repeat(40_000)]],
    ),
    written('wide', wide, [wide.map((_, at) => ({ kopecks: at }))]),
  ]);
  assert.equal(
    await strictProblems(...all),
    all.map(() => []),
  );
});

const TYPES = '[Content_Types].xml';
const BOOK = 'xl/workbook.xml';
const RELATIONS = 'xl/_rels/workbook.xml.rels';
const STYLES = 'xl/styles.xml';
const SHEET = 'xl/worksheets/sheet1.xml';

type Break = readonly [part: string, now: string | RegExp, then: string];
const BREAKS: Readonly<Record<string, Break>> = {
  'a sheet without a type': [TYPES, /<Override PartName="\/xl\/worksheets[^>]*>/, ''],
  'a sheet of another type': [TYPES, 'worksheet+xml', 'chartsheet+xml'],
  'a type of no part': [TYPES, '</Types>', '<Override PartName="/xl/none.xml" ContentType="application/xml"/></Types>'],
  'a target that is nowhere': [RELATIONS, 'worksheets/sheet1.xml', 'worksheets/sheet2.xml'],
  'a relation of another type': [RELATIONS, '/styles"', '/theme"'],
  'two relations of one id': [RELATIONS, 'rId2', 'rId1'],
  'a sheet of no relation': [BOOK, 'rId1', 'rId9'],
  'a name of 32 characters': [BOOK, /name="[^"]*"/, `name="${'x'.repeat(32)}"`],
  'a name with a colon': [BOOK, /name="[^"]*"/, 'name="a:b"'],
  'a sheet of number 0': [BOOK, 'sheetId="1"', 'sheetId="0"'],
  'no sheet': [BOOK, /<sheets>.*<\/sheets>/, ''],
  'columns after the rows': [SHEET, /(<cols>.*<\/cols>)(.*<\/sheetData>)/s, '$2$1'],
  'columns twice': [SHEET, 'min="2" max="2"', 'min="1" max="2"'],
  'rows out of order': [SHEET, /(<row r="2">.*?<\/row>)(<row r="3">.*?<\/row>)/s, '$2$1'],
  'cells out of order': [SHEET, /(<c r="A2".*?<\/c>)(<c r="B2".*?<\/c>)/, '$2$1'],
  'a cell twice': [SHEET, 'r="B2"', 'r="A2"'],
  'a cell of another row': [SHEET, 'r="B2"', 'r="B7"'],
  'a cell beyond the last column': [SHEET, 'r="D3"', 'r="XFE3"'],
  'a style that is nowhere': [SHEET, 's="3"', 's="4"'],
  'a day as a text': [SHEET, /s="3"><v>[^<]*/, 's="3"><v>2026-11-21'],
  'a day of type d': [SHEET, /s="3"><v>[^<]*/, 's="3" t="d"><v>2026-11-21'],
  'a day before the calendar': [SHEET, /s="3"><v>[^<]*/, 's="3"><v>0.5'],
  'an amount with a comma': [SHEET, '<v>0.05', '<v>0,05'],
  'an amount that is none': [SHEET, '<v>0.05', '<v>NaN'],
  'a shared text that is nowhere': [SHEET, '<c r="A2"><v>1', '<c r="A2" t="s"><v>0'],
  'a text of the cell beside it': [SHEET, /<is>(.*?)<\/is>/, '<v>1</v>'],
  'a text that is too long': [SHEET, '_x0007_', 'x'.repeat(33_000)],
  'a formula': [SHEET, '<v>0.05', '<f>1+1</f><v>0.05'],
  'an illegal character': [SHEET, '_x0007_', BELL],
  'a reference to one': [SHEET, '_x0007_', '&#7;'],
  'an attribute of none': [SHEET, '<row r="2"', '<row r="2" q="1"'],
  'another namespace': [SHEET, 'spreadsheetml/2006', 'spreadsheetml/2007'],
  'a pane that begins nowhere': [SHEET, 'topLeftCell="A2"', 'topLeftCell="2A"'],
  'an end that is cut off': [SHEET, '</worksheet>', ''],
  'fonts after borders': [STYLES, /(<fonts.*<\/fonts>)(.*<\/borders>)/, '$2$1'],
  'a font that is nowhere': [STYLES, 'fontId="1"', 'fontId="2"'],
  'a format that is nowhere': [STYLES, 'numFmtId="164" fontId', 'numFmtId="165" fontId'],
  'a style of cells that is nowhere': [STYLES, 'xfId="0" builtinId', 'xfId="7" builtinId'],
  'a wrong count': [STYLES, 'cellXfs count="4"', 'cellXfs count="5"'],
};

test('a workbook that is broken in one place is found, in each of forty', async () => {
  const parts = await partsOf(await whole());
  const broken = Object.entries(BREAKS).map(([what, [part, now, then]]) => {
    const before = parts.get(part) ?? '';
    const after = before.replace(now, then);
    assert.is.not(after, before, `${what} breaks something`);
    return zipped({ ...Object.fromEntries(parts), [part]: after });
  });
  const same = Object.fromEntries(parts);
  const late = Object.fromEntries([...parts].toReversed());
  const [right, ...found] = await strictProblems(...(await Promise.all([zipped(same), zipped(late), ...broken])));
  assert.equal(right, []);
  const names = ['types at the end', ...Object.keys(BREAKS)];
  assert.equal(
    names.filter((_, at) => found[at]?.length === 0),
    [],
  );
  assert.is(names.length, 40);
});

test.run();
