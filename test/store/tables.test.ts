/** Tables of somebody else: their letters, their separators, their amounts, and what is no table. */
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { amountInDigits, plainCell } from '../../firmware/core/store/tables/cell.ts';
import { TableError } from '../../firmware/core/store/tables/cells.ts';
import { encodingOf, separatorOf, tableRows } from '../../firmware/core/store/tables/table.ts';
import { readTable } from '../../firmware/core/store/tables/table-thread.ts';
import { bytesIn } from './letters.ts';
import { tableOf, workbookWith } from './workbooks.ts';

const test = suite('store: tables');

const TEXT = 'Номер заказа;Сумма, руб.;Тип;Ёлка\r\nLW1;1\u00a0234,56;Оплата;съешь ещё этих мягких булок\r\n';
const ofOneByte = TEXT.replace('\u00a0', ' ');
const ENCODED: Readonly<Record<string, Uint8Array>> = {
  'utf-8': Buffer.from(TEXT),
  'utf-16le': Buffer.from(`\ufeff${TEXT}`, 'utf16le'),
  'utf-16be': Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16(),
  'windows-1251': bytesIn('windows-1251', ofOneByte),
  ibm866: bytesIn('ibm866', ofOneByte),
};

for (const [encoding, bytes] of Object.entries(ENCODED))
  test(`${encoding} is known by its bytes`, () => {
    assert.is(encodingOf(bytes), encoding);
    assert.match(new TextDecoder(encodingOf(bytes)).decode(bytes), /^Номер заказа;Сумма, руб/);
  });

test('windows-1251 that has little but amounts with spaces that do not break is no cp866', () => {
  const spaces = Array.from({ length: 50 }, () => 0xa0);
  assert.is(encodingOf(Uint8Array.of(0xd2, 0x3b, ...spaces)), 'windows-1251');
  assert.is(encodingOf(Uint8Array.from(spaces)), 'windows-1251', 'nor has it a letter at all');
});

const SEPARATED: Readonly<Record<string, readonly [text: string, separator: string]>> = {
  'a comma is a comma': ['a,b,c\n1,2,3\n', ','],
  'a head alone': ['a,b\n', ','],
  'decimal commas are none': ['a;b\n1,5;2,5\n1,5;2,5\n', ';'],
  'commas in each line may be words': ['Sum, roubles;Fee, roubles\n1,5;2,5\n', ';'],
  'a title with commas does not count for the table': ['Реестр, за день, рублей\na;b;c;d\n1;2;3;4\n', ';'],
  'commas within quotes do not count': ['a;b\n"x, y, z, w";1\n', ';'],
  tabs: ['a\tb\n1\t2\n', '\t'],
  'Excel says so itself': ['sep=,\na;b;c,d\n', ','],
  'behind the mark of UTF-8, too': ['\ufeffSEP=;\r\na,b,c;d\n', ';'],
};
for (const [name, [text, separator]] of Object.entries(SEPARATED))
  test(`separators: ${name}`, () => {
    assert.is(separatorOf(text), separator);
  });

const NO_AMOUNTS = [
  "1,234 | 1,500 | 1.500 ₽ | -12,000 | 100 50 | 100 руб 50 | 100р.50 | 5RUB5 | 1'50 | 1 234 56 | 1234 567",
  "1 234'567 | 1,23,4.5 | 12,34.5 | 1.234.56",
].flatMap((line) => line.split(' | '));
const AMOUNTS: readonly (readonly [written: string, digits: string | null])[] = [
  ['1234.56', '1234.56'],
  ['1234,5', '1234.5'],
  ['1 234,56', '1234.56'],
  ['1\u00a0234\u202f567,00 ₽', '1234567.00'],
  ["1'234.56", '1234.56'],
  ['1’234.56', '1234.56'],
  ['1,234.56', '1234.56'],
  ['1.234,56', '1234.56'],
  ['1,234,567.89', '1234567.89'],
  ['1.234.567', '1234567'],
  ['(5,00)', '-5.00'],
  ['(1 234,56 руб.)', '-1234.56'],
  ['-5', '-5'],
  ['\u22125,00', '-5.00'],
  ['1,234.500', '1234.500'],
  ['1234.500', '1234.500'],
  ['0,500', '0.500'],
  ['RUB 1 500', '1500'],
  ['(5,00) ₽', '-5.00'],
  ['-₽5', '-5'],
  ['1, 50', null],
  ...NO_AMOUNTS.map((written) => [written, null] as const),
];
for (const [written, digits] of AMOUNTS)
  test(`the amount ${written} is ${digits ?? 'none'}`, () => {
    assert.is(amountInDigits(written), digits);
  });

const linesOf = async (file: string | Uint8Array): Promise<unknown[]> => {
  const lines = await Readable.from(tableRows(Buffer.from(file))).toArray();
  return lines.map((line) => ('cells' in line ? line.cells : line));
};

const TABLE = [
  ['a', 'b'],
  ['1', 'x'],
];
const WRITTEN: Readonly<Record<string, readonly [file: string | Uint8Array, lines: unknown]>> = {
  'what DOS ends a text with': ['a;b\r\n1;x\r\n\x1a', TABLE],
  'records of one length': [`a;b\r\n1;x\r\n${'\0'.repeat(500)}`, TABLE],
  'two marks of UTF-8': ['\ufeff\ufeffa;b\n1;x\n', TABLE],
  'tabs of 1C in UTF-16': [Buffer.from('\ufeffa\tb\r\n1\tx\r\n', 'utf16le'), TABLE],
  'lines and cells that say nothing': ['\r\n a ; "b"\n\n;\n\u00a01\u00a0; x\n;;;\n', TABLE],
  'short and long lines': ['a;b;c\n1\n1;2;3;;\n', [['a', 'b', 'c'], ['1'], ['1', '2', '3', '', '']]],
  'quotes within a cell, and around all of it': [
    'a;b\n"ООО "Ромашка"";Чай "Лисма"\n="007";"=""008"""\n',
    [
      ['a', 'b'],
      ['"ООО "Ромашка""', 'Чай "Лисма"'],
      ['="007"', '="008"'],
    ],
  ],
  'a quote that is never closed': [
    'a;b\n1;"x\n',
    [['a', 'b'], { line: 2, reason: 'a quotation mark in it is stray or not closed' }],
  ],
};
test('a quote that is not closed hides no line above it, however far the lines below it go', async () => {
  const below = '2;y\n'.repeat(20_000);
  assert.equal(await linesOf(`a;b\n1;x\n1;"x\n${below}`), [
    ...TABLE,
    { line: 3, reason: 'a quotation mark in it is stray or not closed' },
  ]);
  assert.equal(await linesOf(`"a;b\n${below}`), []);
});

for (const [name, [file, lines]] of Object.entries(WRITTEN))
  test(`tables: ${name}`, async () => {
    assert.equal(await linesOf(file), lines);
  });

test('what is no table is refused in words that hold nothing of it', async () => {
  for (const [file, code] of [
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'old-workbook'],
    ['\ufeff <!DOCTYPE html><html><table><tr><td>secret', 'page'],
    ['<?xml version="1.0"?><Workbook><Worksheet>secret', 'page'],
    ['1CClientBankExchange\r\nВерсияФормата=1.03\r\n', 'account'],
    [Buffer.from('secret\0\u0001binary'), 'binary'],
    [Buffer.from('a;b\r\n', 'utf16le'), 'binary'],
    [`a\n${'secret'.repeat(5000)}`, 'too-long'],
    ['PK\u0003\u0004secret', 'workbook'],
  ] as const) {
    const bytes = Buffer.from(file);
    for (const lines of [tableRows(bytes), readTable(bytes)]) {
      const refusal: unknown = await Readable.from(lines)
        .toArray()
        .catch((error: unknown) => error);
      assert.instance(refusal, TableError, code);
      assert.is((refusal as TableError).code, code);
      assert.not.match((refusal as TableError).message, /secret/);
    }
  }
});

test('a thread reads as long as it may, and ends with who reads', async () => {
  const rows = Array.from({ length: 2000 }, (_, at) => [String(at), 'x']);
  const bytes = await workbookWith({ sheets: [tableOf(rows)] });
  assert.equal(
    (await Readable.from(readTable(bytes)).toArray()).map((line) => 'cells' in line && line.cells),
    rows,
  );
  for await (const line of readTable(bytes)) {
    assert.equal(line, { line: 1, cells: ['0', 'x'] });
    break;
  }
  const slow: unknown = await readTable(bytes, 'table', 1)
    .next()
    .catch((error: unknown) => error);
  assert.is(slow instanceof TableError && slow.code, 'slow');
});

test('a code is what was meant to be kept as it is', () => {
  for (const [cell, code] of [
    ['="00042"', '00042'],
    ["'00042", '00042'],
    ["'a", "'a"],
    ['\u200b\u00a0LW1\u2009\ufeff', 'LW1'],
    ['\u0418\u0306', '\u0419'],
  ] as const)
    assert.is(plainCell(cell), code);
});

test.run();
