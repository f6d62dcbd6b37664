/** One judgement of a cell of items, whatever it came in: CSV, a workbook or JSON. Never another column's value, never silence. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { messageOf } from '../../drivers/lib/errors.ts';
import { HttpFailure } from '../../firmware/core/http/call/failure.ts';
import { checkedFile, fileFindings, type ItemFile } from '../../firmware/recognition/http/v1/item-file.ts';
import { tableOf, workbookWith } from '../store/workbooks.ts';

const test = suite('recognition: cells of items');

type Entry = Readonly<Record<string, unknown>>;

/** The entry of a file with one item, or the sentence of its fault without where it stands. */
async function readOne(file: ItemFile): Promise<Entry | string> {
  try {
    const { lines, faults } = await checkedFile(fileFindings(file));
    const [{ entry }] = [lines[0] ?? { entry: {} }];
    return faults[0]?.detail.replace(/^line 2: (.*); nothing was changed$/, '$1') ?? entry;
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    return error.message.replace(/^items\.0\./, '').replace(/^barcodes\.0/, 'barcodes');
  }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** The same cell in a column, as each kind of file has it. */
const FILES: Readonly<Record<string, (field: string, cell: string) => Promise<ItemFile> | ItemFile>> = {
  CSV: (field, cell) => {
    const rows = field === 'id' ? `id;name\n${quoted(cell)};x\n` : `id;${field}\n7;${quoted(cell)}\n`;
    return { kind: 'csv', bytes: Buffer.from(rows), prices: null };
  },
  workbook: async (field, cell) => {
    const rows =
      field === 'id'
        ? [
            ['id', 'name'],
            [escaped(cell), 'x'],
          ]
        : [
            ['id', field],
            ['7', escaped(cell)],
          ];
    return { kind: 'csv', bytes: await workbookWith({ sheets: [tableOf(rows)] }), prices: null };
  },
  JSON: (field, cell) => {
    const value = field === 'barcodes' ? [cell] : cell;
    const item = field === 'id' ? { id: cell } : { id: '7', [field]: value };
    return { kind: 'json', bytes: Buffer.from(JSON.stringify({ items: [item] })), prices: null };
  },
};

const GTIN = '4006381333931';
const ERROR = 'an error of a spreadsheet: correct the formula there, and send the table again';
const SEVERAL = 'holds several codes, and it is not clear where each ends: put a | between them';
const ROUNDED = 'is a number that a spreadsheet has rounded: format the column as text, and write all its digits';

/** What a cell is in each column: the value, or the words behind the name of the column. */
const CELLS: readonly (readonly [field: string, cell: string, value: unknown])[] = [
  ...['NULL', '\\N', '-', '—', 'None', 'NaN'].flatMap(
    (cell) =>
      [
        ['name', cell, null],
        ['plu', cell, null],
        ['barcodes', cell, []],
      ] as const,
  ),
  ...['#N/A', '#Н/Д', '#REF!', '#ЗНАЧ!'].flatMap((cell) =>
    ['id', 'name', 'plu', 'barcodes'].map((field) => [field, cell, `${field} is "${cell}", ${ERROR}`] as const),
  ),
  ...['Молоко, 3%', 'Чай "Лисма"', 'Вода №1', 'Нет'].map((cell) => ['name', cell, cell] as const),
  ...['51', '51.0', '5\u200b1', '\u00ad51', ' 51 '].flatMap(
    (cell) =>
      [
        ['id', cell, '51'],
        ['plu', cell, '51'],
      ] as const,
  ),
  ...['id', 'plu', 'barcodes'].map((field) => [field, '4.6E+12', `${field} ${ROUNDED}`] as const),
  ...[
    [GTIN, `${GTIN}.0`, '4.006381333931E+12', '4 006381 333931', `400638\u200b1333931`],
    [`]E0${GTIN}`, `]E3${GTIN}12`, `]C101${`0${GTIN}`}10A`, `01${`0${GTIN}`}21serial`, `(01)0${GTIN}(10)A`],
    [`https://id.gs1.org/01/0${GTIN}/10/A?17=271231`],
  ]
    .flat()
    .map(
      (cell) => ['barcodes', cell, [cell.includes(`0${GTIN}`) && !cell.startsWith(']E') ? `0${GTIN}` : GTIN]] as const,
    ),
  ['barcodes', '04252614', ['042100005264']],
  ['barcodes', '01234565', ['01234565']],
  ['barcodes', `${GTIN}, 4006381333948`, [GTIN, '4006381333948']],
  ['barcodes', `${GTIN};4006381333948 96385074`, [GTIN, '4006381333948', '96385074']],
  ['barcodes', `${GTIN}, 4006381333940`, `barcodes ${SEVERAL}`],
  ...[`{${GTIN},4006381333948}`, `["${GTIN}", "4006381333948"]`, `['${GTIN}', '4006381333948']`].map(
    (cell) => ['barcodes', cell, [GTIN, '4006381333948']] as const,
  ),
  ...[`${GTIN}+4006381333948`, `${GTIN}.0, 4006381333948.0`].map(
    (cell) => ['barcodes', cell, [GTIN, '4006381333948']] as const,
  ),
  ...[`{${GTIN}}`, '4,006,381,333,931', '4.006.381.333.931', '4-006381-333931'].map(
    (cell) => ['barcodes', cell, [GTIN]] as const,
  ),
  ['barcodes', '978-5-699-12014-7', ['9785699120147']],
  ...[`EAN ${GTIN}`, `${GTIN} и 4006381333948`, `${GTIN}+12`].map(
    (cell) => ['barcodes', cell, `barcodes ${SEVERAL}`] as const,
  ),
  ...['ABC-1, 2', 'A+B', '12-345678', 'LOT 96385074', '1,234', `https://a.example/${GTIN}/x`].map(
    (cell) => ['barcodes', cell, [cell]] as const,
  ),
];

for (const [source, fileOf] of Object.entries(FILES))
  for (const [field, cell, value] of CELLS)
    test(`${source}: ${field} ${JSON.stringify(cell)}`, async () => {
      const read = await readOne(await fileOf(field, cell));
      assert.equal(typeof read === 'string' ? read : read[field], value);
    });

for (const [source, fileOf] of Object.entries(FILES))
  test(`${source}: an id that is nothing is refused`, async () => {
    for (const cell of ['', 'NULL', '-'])
      assert.match(String(await readOne(await fileOf('id', cell))), /^id must /, cell);
  });

const NUMBERS: readonly (readonly [field: string, cell: string, value: unknown])[] = [
  ...['129', '129.0', '129,0', "'129", ' 129 ', '129 ₽'].map((cell) => ['price', cell, 129] as const),
  ...['129,90', '129.90 ₽', '+129,90', '129,9\u00a0руб.'].map((cell) => ['Цена', cell, 12_990] as const),
  ...['1\u202f129,90', '1 129.90', '1,129.90'].map((cell) => ['Цена', cell, 112_990] as const),
  ...['NULL', '-', '\\N'].map((cell) => ['Цена', cell, null] as const),
  ['price', '129,90', 'price must be kopecks, a whole number, and is "129,90"'],
  ['price', '-5', 'price must be kopecks, a whole number, and is "-5"'],
  ['Цена', '(5,00)', 'price must be roubles, as 129,90, and is "(5,00)"'],
  ['Цена', '#ДЕЛ/0!', `price is "#ДЕЛ/0!", ${ERROR}`],
  [
    'Цена',
    '1,500',
    'price is "1,500", which may be a thousand and more, or a fraction: write it as 1234.00, or as 1.23',
  ],
  ['pieceWeight', '65 g', 'pieceWeight must be grams, a whole number, and is "65 g"'],
];

for (const source of ['CSV', 'workbook'])
  for (const [field, cell, value] of NUMBERS)
    test(`${source}: ${field} ${JSON.stringify(cell)}`, async () => {
      const isOf1C = field === 'Цена';
      const text = cell.replaceAll('"', '');
      const rows = isOf1C
        ? [
            ['Код', 'Цена'],
            ['7', text],
          ]
        : [
            ['id', field],
            ['7', text],
          ];
      const bytes =
        source === 'CSV'
          ? Buffer.from(rows.map((row) => row.map(quoted).join(';')).join('\n'))
          : await workbookWith({ sheets: [tableOf(rows)] });
      const read = await readOne({ kind: 'csv', bytes, prices: null });
      assert.equal(typeof read === 'string' ? read : read[isOf1C ? 'price' : field], value);
    });

test('an empty cell too many at the end of each line is a habit of its writer', async () => {
  const { lines, faults } = await checkedFile(
    fileFindings({ kind: 'csv', bytes: Buffer.from('id;name\n7;x;\n8;y;\n'), prices: null }),
  );
  assert.equal([lines.length, faults], [2, []]);
});

test('the name of a column is read as a cell is', async () => {
  const text = '\u200bid\u00a0;"=""plu"""; "name "\n7;8;x\n';
  assert.equal(await readOne({ kind: 'csv', bytes: Buffer.from(text), prices: null }), {
    id: '7',
    plu: '8',
    name: 'x',
  });
});

test('an uncalculated formula is named so, and marks of direction are no part of a code', async () => {
  const read = (text: string) => readOne({ kind: 'csv', bytes: Buffer.from(text), prices: null });
  const formula = await read('id;name\n7;=A1\n');
  assert.match(formula as string, /^name is a formula that was not calculated: open the table in a spreadsheet/);
  assert.equal(await read(`id;barcodes\n7;\u202a${GTIN}\u202c\n`), { id: '7', barcodes: [GTIN] });
});

async function refused(text: string): Promise<void> {
  const said = await checkedFile(fileFindings({ kind: 'csv', bytes: Buffer.from(text), prices: null })).then(
    ({ faults }) => faults[0]?.detail ?? 'nothing',
    messageOf,
  );
  assert.match(said, /cell of it goes on in the next line|separator or a line end in it|backslash in it may be/, text);
}

test('a name cut in two by a line end is refused in any column, and no name is half one', async () => {
  const name = 'Сыр\nтвёрдый';
  for (const text of [
    `id;name;price\n7;${name};100\n8;Чай;200\n`,
    `id;price;plu;name\n7;100;1;${name}\n8;200;2;Чай\n`,
    `id;name\n7;${name}\n8;Чай\n`,
    `id\tname\tprice\tplu\n7\t${name}\n\t100\t1\n`,
    `id\tprice\tname\n7\t100\tСыр\\nтвёрдый\n`,
  ])
    await refused(text);
});

test.run();
