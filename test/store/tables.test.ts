/** Tables of somebody else: their letters, their separators, their amounts, and what is no table. */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UNCLEAR_BACKSLASH } from '../../firmware/core/tables/backslashes.ts';
import { amountInDigits, plainCell } from '../../firmware/core/tables/cell.ts';
import { TableError } from '../../firmware/core/tables/cells.ts';
import { CUT } from '../../firmware/core/tables/cut-rows.ts';
import { tableRows } from '../../firmware/core/tables/table.ts';
import { encodingOf, separatorOf } from '../../firmware/core/tables/table-text.ts';
import { readTable } from '../../firmware/core/tables/table-thread.ts';
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
  'koi8-r': bytesIn('koi8-r', ofOneByte),
  'iso-8859-5': bytesIn('iso-8859-5', ofOneByte),
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

const RUSSIAN = readFileSync(new URL('../../docs/ru/README.md', import.meta.url), 'utf8').replaceAll(
  /[^ -~\nА-яЁё]/g,
  '-',
);

test('a text that is broken at one place is not of another encoding, wherever that is', () => {
  const utf8 = Buffer.from(RUSSIAN);
  for (let at = 0; at < utf8.length; at += 197) {
    const broken = Buffer.from(utf8);
    broken[at] = 0xff;
    assert.is(encodingOf(broken), 'utf-8', `byte ${at}`);
  }
  for (const cut of [Buffer.from('я').subarray(0, 1), Buffer.from('₽').subarray(0, 2)])
    assert.is(encodingOf(Buffer.concat([Buffer.from('Молоко'), cut])), 'utf-8');
  assert.is(encodingOf(Buffer.concat([Buffer.from('\ufeff'), Buffer.from([0xcc, 0xee])])), 'utf-8', 'by its mark');
});

test('each line of a Russian text in one byte a letter is known as that', () => {
  for (const encoding of ['windows-1251', 'ibm866', 'koi8-r', 'iso-8859-5'] as const) {
    for (const text of [RUSSIAN, RUSSIAN.toUpperCase(), RUSSIAN.toLowerCase()])
      assert.is(encodingOf(bytesIn(encoding, text)), encoding);
    for (const line of RUSSIAN.split('\n').filter((each) => /[А-яЁё]{4}/.test(each)))
      assert.is.not(encodingOf(bytesIn(encoding, line)), 'utf-8', line);
  }
});

/** Names of goods, as a table with English columns has them. */
const GOODS = 'Молоко,Хлеб бородинский,Сыр российский,Масло сливочное,Картофель,Пакет,Яблоки,Чай чёрный'.split(',');
test('a table of goods with English columns is known by the words in it', () => {
  for (const encoding of ['windows-1251', 'ibm866', 'koi8-r', 'iso-8859-5'])
    for (const names of [GOODS, GOODS.map((name) => name.toUpperCase()), GOODS.map((name) => name.toLowerCase())]) {
      const lines = names.map((name, at) => `${at + 1},${name},${at}9.90`);
      assert.is(encodingOf(bytesIn(encoding, `id,name,price\n${lines.join('\n')}\n`)), encoding, names[0]);
    }
});

test('windows-1251 words that say little prove no other encoding, however often they come', () => {
  for (const word of ['СБП', 'оплата', 'РУБ', 'кг', 'шт', 'да', 'МИР', 'ИНН', 'рис', 'возврат'])
    for (const count of [1, 1000])
      assert.is(encodingOf(bytesIn('windows-1251', `type;sum\n${`${word};1\n`.repeat(count)}`)), 'windows-1251', word);
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
  'a | between cells': ['id|name|price\n1|Сыр, 45%|100\n2|Масло; 82%|200\n', '|'],
  'a | between the barcodes of a cell is none': ['id;barcodes\n1;2|3\n4;5|6\n7;8|9\n', ';'],
  'lines that stand in quotes as a whole': ['"a,b,c"\n"1,2,""x,y"""\n', ','],
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
  'quotes that MySQL escapes': [
    'a;b\n"ООО \\"Ромашка\\" №1";"1"\n"C:\\\\x";\\N\n',
    [
      ['a', 'b'],
      ['ООО "Ромашка" №1', '1'],
      ['C:\\x', '\\N'],
    ],
  ],
  'a backslash at the end of a cell': [
    'a;b\n"C:\\";"x"\n',
    [
      ['a', 'b'],
      ['C:\\', 'x'],
    ],
  ],
  'lines in quotes as a whole': [
    '"a;b"\r\n"1;""x; y"""\r\n"2;z"\r\n',
    [
      ['a', 'b'],
      ['1', 'x; y'],
      ['2', 'z'],
    ],
  ],
  'some lines in quotes as a whole, as Excel saves what it kept in one cell': [
    'a,b\n"1,""x, y"""\n2,z\n',
    [
      ['a', 'b'],
      ['1', 'x, y'],
      ['2', 'z'],
    ],
  ],
  'one column of names with separators in them': ['a\n"x;y"\n', [['a'], ['x;y']]],
  'what mysql --batch and COPY of PostgreSQL escape': [
    'a\tb\tc\n1\tСыр\\tтвёрдый\\nкруглый\tC:\\\\new\n2\t\\N\tx\n',
    [
      ['a', 'b', 'c'],
      ['1', 'Сыр\tтвёрдый\nкруглый', 'C:\\new'],
      ['2', '\\N', 'x'],
    ],
  ],
  'backslashes that are signs of the text': [
    'a\tb\n1\tC:\\new\\temp\\dir\n2\tСыр 1\\2\\t\n3\tx\\\n',
    [
      ['a', 'b'],
      ['1', 'C:\\new\\temp\\dir'],
      ['2', 'Сыр 1\\2\\t'],
      ['3', 'x\\'],
    ],
  ],
  'a backslash that may be either': [
    'a\tb\n1\tC:\\new\n2\tx\n3\ty\\\n',
    [['a', 'b'], { line: 2, reason: UNCLEAR_BACKSLASH }, ['2', 'x'], { line: 4, reason: UNCLEAR_BACKSLASH }],
  ],
  'a separator and a line end that a backslash escapes': [
    'a;b;c\n1;Сыр\\; твёрдый;3\n2;\\N;C:\\\\x\n3;Сыр\\\nтвёрдый;4\n',
    [
      ['a', 'b', 'c'],
      { line: 2, reason: UNCLEAR_BACKSLASH },
      ['2', '\\N', 'C:\\x'],
      { line: 4, reason: UNCLEAR_BACKSLASH },
    ],
  ],
  'another escape where quotation marks are escaped': [
    'a;b\n"ООО \\"Ромашка\\" №1";"x"\n"C:\\new";"y"\n',
    [['a', 'b'], ['ООО "Ромашка" №1', 'x'], { line: 3, reason: UNCLEAR_BACKSLASH }],
  ],
  'backslashes in UTF-16': [
    Buffer.from('\ufeffa\tb\n1\tx\\\\y\\n\n', 'utf16le'),
    [
      ['a', 'b'],
      ['1', 'x\\y\n'],
    ],
  ],
  'a name that a line end cuts in two, or in three': [
    'id;name;price;unit\n1;Сыр\nтвёрдый;100;кг\n2;Чай;200;шт\n3;Кофе\nв\nзёрнах;300;шт\n',
    [['id', 'name', 'price', 'unit'], { line: 2, reason: CUT }, ['2', 'Чай', '200', 'шт'], { line: 5, reason: CUT }],
  ],
  'a name that a line end cuts in the middle of three columns': [
    'id;name;price\n1;Сыр\nтвёрдый;100\n2;Чай;200\n',
    [['id', 'name', 'price'], { line: 2, reason: CUT }, ['2', 'Чай', '200']],
  ],
  'rows whose last cells a spreadsheet left out': [
    'id;name;price\n1;Сыр\n2;Чай\n3;Кофе;100\n4;Хлеб\n',
    [
      ['id', 'name', 'price'],
      ['1', 'Сыр'],
      ['2', 'Чай'],
      ['3', 'Кофе', '100'],
      ['4', 'Хлеб'],
    ],
  ],
  'what psql prints': [
    ' id | name \n----+------\n  1 | x\n  2 | y; z\n(2 rows)\n',
    [
      ['id', 'name'],
      ['1', 'x'],
      ['2', 'y; z'],
    ],
  ],
  'what mysql prints': [
    '+----+------+\n| id | name |\n+----+------+\n|  1 | x    |\n+----+------+\n',
    [
      ['', 'id', 'name', ''],
      ['', '1', 'x', ''],
    ],
  ],
  'a character that the file ends within': [
    Buffer.concat([Buffer.from('a;b\n1;Молоко'), Buffer.from('я').subarray(0, 1)]),
    [
      ['a', 'b'],
      ['1', 'Молоко\ufffd'],
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
