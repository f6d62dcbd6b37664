/** What a cell of somebody else's table is: nothing, an amount, a day, a code; and what is none, in words that say what to do. */
import { check, constantFrom, integer, property, tuple } from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  amountCell,
  amountInDigits,
  CellFault,
  type CellOf,
  codeCell,
  textCell,
} from '../../firmware/core/tables/cell.ts';
import { dayCell, isUnclearDay, type WrittenDay } from '../../firmware/core/tables/written-days.ts';

const test = suite('store: cells');

const BLANKS = [' ', '\u00a0', '\u202f', '\u2009', '\u2007', '\t', '\u200b'];
const shown = (cell: string): string => JSON.stringify(cell);
/** The value of a cell, or its words. */
const said = <T>(value: CellOf<T>): T | string | null => (value instanceof CellFault ? value.words : value);

const NOTHING = [
  '',
  ' ',
  '\u00a0',
  '\u200b',
  'NULL',
  'null',
  '(null)',
  '[NULL]',
  '\\N',
  'None',
  'NaN',
  '<NA>',
  'NA',
  'NaT',
].concat(['N/A', 'н/д', '-', '–', '—', '--', '−', 'undefined', 'Неопределено', '(пусто)', '(blank)', '(Leer)']);
for (const cell of NOTHING)
  test(`nothing: ${shown(cell)}`, () => {
    for (const value of [textCell(cell), codeCell(cell), amountCell(cell, String), dayCell(cell)])
      assert.is(value, null);
  });

const FAILED = [
  '#N/A',
  '#Н/Д',
  '#NV',
  '#REF!',
  '#ССЫЛКА!',
  '#BEZUG!',
  '#VALUE!',
  '#ЗНАЧ!',
  '#WERT!',
  '#NAME?',
  '#ИМЯ?',
].concat(
  ['#DIV/0!', '#ДЕЛ/0!', '#NULL!', '#ПУСТО!', '#NUM!', '#ЧИСЛО!', '#ZAHL!', '#SPILL!', '#ÜBERLAUF!', '#GETTING_DATA'],
  ['#ОЖИДАНИЕ_ДАННЫХ', '#DATEN_ABRUFEN', '<Объект не найден> (70:8e2d)'],
  ['Err:502', 'Ошибка:502', 'Fehler:502', '########', '=VLOOKUP(A1;B:C;2)', 'Моло\ufffdко'],
);
for (const cell of FAILED)
  test(`failed: ${shown(cell)}`, () => {
    for (const value of [textCell(cell), codeCell(cell), amountCell(cell, String), dayCell(cell)]) {
      assert.instance(value, CellFault);
      assert.match((value as CellFault).words, /: (correct|open|save|write)|must be a day|must be an amount/);
    }
  });

test('what only looks like nothing is a text', () => {
  for (const text of ['Нет', 'No. 5', '#1 шоколад!', '0', 'Null-Bier', 'NAN', 'Nan', '- Кофе', '#хлеб', '...', "'="])
    assert.is(textCell(text), text);
});

const AMOUNTS: Readonly<Record<string, readonly string[]>> = {
  '1234.56': [
    '1234,56',
    '1 234,56',
    "1'234.56",
    '1’234.56',
    '1,234.56',
    '1.234,56',
    '1234.56 ₽',
    '₽ 1234,56',
    '+1234,56',
  ].concat(
    [
      '1234,56руб.',
      '1234,56 руб',
      '1234.56 р.',
      '1234,56 рублей',
      'RUB 1 234.56',
      '1234.56 RUB',
      '="1234,56"',
      "'1234,56",
    ],
    BLANKS.filter((blank) => blank !== '\u200b').map((blank) => `1${blank}234,56`),
    BLANKS.map((blank) => `${blank}1234,56${blank}₽${blank}`),
  ),
  '-5': [
    '-5',
    '5-',
    '− 5',
    '5−',
    '–5',
    '5 –',
    '(5)',
    '( 5 )',
    '-5 ₽',
    '5- ₽',
    '5 ₽-',
    '-₽5',
    '₽-5',
    '(5 ₽)',
    '(5) руб.',
    '-5 RUB',
  ],
  '0.5': ['0,5', '.5', ',5'],
  '5': ['5', '5 руб.', '005'.slice(2), '5.', '5,', '+5'],
};
for (const [digits, written] of Object.entries(AMOUNTS))
  for (const cell of written)
    test(`the amount ${shown(cell)} is ${digits}`, () => {
      assert.is(said(amountCell(cell, String)), digits);
    });

const NO_AMOUNT = 'must be an amount, as 1234.56, and is';
const IN_TWO_WAYS = 'which may be a thousand and more, or a fraction: write it as 1234.00, or as 1.23';
const NO_AMOUNTS: readonly (readonly [cell: string, words: string])[] = [
  ...[
    'ten',
    '--5',
    '-5-',
    '-(5)',
    '(5-)',
    '+-5',
    '5 €',
    '$5',
    '5%',
    '1-2',
    '100 руб 50',
    '1 23 456',
    '1E+3',
    '5,-',
    '1.234,-',
    '5.-',
    '5,—',
    '-5,-',
    '.',
    ',',
    '5 5',
  ].map((cell) => [cell, `${NO_AMOUNT} ${shown(cell)}`] as const),
  ...['1,234', '1.500', '-12,000', '1,500 ₽'].map((cell) => [cell, `is ${shown(cell)}, ${IN_TWO_WAYS}`] as const),
];
for (const [cell, words] of NO_AMOUNTS)
  test(`no amount: ${shown(cell)}`, () => {
    assert.is(said(amountCell(cell, String)), words);
  });

const DAYS = [
  ...[
    '2026-11-30',
    '2026-11-30 12:00',
    '2026-11-30T12:00:00.123',
    '2026/11/30',
    '2026.11.30 9:05:01',
    '20261130',
    '20261130120000',
  ],
  ...[
    '30.11.2026',
    '30.11.26',
    '30-11-2026',
    '30/11/2026',
    '11/30/2026',
    '30.11.2026 г.',
    '30.11.2026 12:00',
    '30.11.2026г.',
  ],
  ...[
    '30-ноя-2026',
    '30 ноября 2026 г.',
    '30 ноября 2026 года',
    '30 нояб. 2026',
    '30 ноября 2026 г., 12:00',
    '30-НОЯ-26',
  ],
  ...[
    'понедельник, 30 ноября 2026 г.',
    'Пн, 30.11.2026',
    '30-Nov-2026',
    '30-NOV-26',
    '30 Nov 2026 12:00:00',
    'Nov 30, 2026',
  ],
  ...[
    'November 30, 2026 9:05 PM',
    '30. November 2026',
    '30th'.slice(0, 2).concat(' nov 2026'),
    '11/30/2026 9:05:01 PM',
  ],
  ...[
    '46356',
    '46356.5',
    '46356,75',
    '\u00a030.11.2026\u200b',
    "'30.11.2026",
    '="30.11.2026"',
    '30\u00a0ноября\u202f2026',
  ],
];
for (const cell of DAYS)
  test(`the day ${shown(cell)}`, () => {
    assert.equal(dayCell(cell), { day: '2026-11-30' });
  });

const NOON_IN_MOSCOW = Date.parse('2026-11-30T12:00:00+03:00');
const MOMENTS = [
  ...[
    '2026-11-30T12:00:00+03:00',
    '2026-11-30 12:00:00+03',
    '2026-11-30 04:30-0430',
    '2026-11-30 09:00:00Z',
    '2026-11-30 12:00:00 +0300',
  ],
  ...['2026-11-30 12:00:00.000 MSK', '30.11.2026 12:00 мск', '20261130T090000Z', 'Mon, 30 Nov 2026 12:00:00 +0300'],
  ...[
    'Mon Nov 30 2026 12:00:00 GMT+0300 (Moscow Standard Time)',
    '2026-11-30 09:00:00 UTC',
    'Nov 30, 2026 12:00 PM MSK',
  ],
  ...[String(NOON_IN_MOSCOW), String(NOON_IN_MOSCOW / 1000)],
];
for (const cell of MOMENTS)
  test(`the moment ${shown(cell)}`, () => {
    assert.equal(dayCell(cell), { moment: NOON_IN_MOSCOW });
  });

const NO_DAYS = [
  'soon',
  '31.11.2026',
  '2026-02-29',
  '30.13.2026',
  '30.11',
  '11.2026',
  '1234',
  '99999',
  '20261331',
  '30 брюмера 2026',
].concat(['30.11.2026 - 01.12.2026', '30.11.2026 x', '30.11.20261', '30-ноя', '1,5', '26-11-30', '30-11-26']);
for (const cell of NO_DAYS)
  test(`no day: ${shown(cell)}`, () => {
    assert.is(said(dayCell(cell)), `must be a day, as 30.11.2026, and is ${shown(cell)}`);
  });

test('a day with slashes may be two, and is read as the caller says', () => {
  assert.equal(dayCell('11/12/2026'), { day: '2026-12-11' });
  assert.equal(dayCell('11/12/2026', 'month-first'), { day: '2026-11-12' });
  for (const cell of ['11-12-2026', '11-30-2026'])
    assert.equal(dayCell(cell, 'month-first'), { day: cell.replace(/(.*)-(\d{4})/, '$2-$1') });
  assert.equal(dayCell('11.12.2026', 'month-first'), { day: '2026-12-11' });
  assert.equal(['11/12/2026', '11/11/2026', '11/13/2026', '11.12.2026', '11/12/2026 9:05 AM'].map(isUnclearDay), [
    true,
    false,
    false,
    false,
    false,
  ]);
});

const CODES: Readonly<Record<string, readonly string[]>> = {
  51: [
    '51',
    '51.0',
    '51,0',
    '51.00',
    ' 51 ',
    '5\u200b1',
    '5\u00ad1',
    '\u202a51\u202c',
    '\ufeff51',
    "'51",
    '="51"',
    '5.1E+1',
  ],
  '4607001234567': ['4.607001234567E+12', '4,607001234567e+12', '4607001234567.0', '460700\u00ad1234567'],
  'А-51': ['А-51', ' А-51\u200d', 'А\u2060-51'],
};
for (const [code, written] of Object.entries(CODES))
  for (const cell of written)
    test(`the code ${shown(cell)} is ${code}`, () => {
      assert.is(said(codeCell(cell)), code);
    });

test('a text in the quotes of a formula is that text', () => {
  assert.is(textCell('="Хлеб"'), 'Хлеб');
  for (const cell of ['=""', '="NULL"']) assert.is(textCell(cell), null);
  assert.instance(textCell('="#REF!"'), CellFault);
});

test('a code that a spreadsheet has taken for a day is refused, with what to do', () => {
  assert.match(String(said(codeCell('2026-10-01 00:00:00'))), /taken for a day: format the column as text/);
});

test('a code that has lost digits is refused, with what to do', () => {
  for (const cell of ['4.6E+12', '4,60701E+12', '4E+12', '4.6070012345678E+12', '"4.6E+12"'.slice(1, -1)]) {
    const fault = codeCell(cell);
    assert.instance(fault, CellFault, cell);
    assert.is((fault as CellFault).kind, 'rounded');
    assert.match((fault as CellFault).words, /rounded: format the column as text, and write all its digits/);
  }
});

test('in a document a formula is a text, and quotes hold nothing', () => {
  assert.is(textCell('=Сыр', 'document'), '=Сыр');
  assert.is(codeCell('="51"', 'document'), '="51"');
  assert.instance(textCell('#REF!', 'document'), CellFault);
  assert.is(codeCell('51.0\u200b', 'document'), '51');
});

/** Ways to write an amount, each of which reads it back. @param kopecks its fraction @param digits its roubles */
const STYLES: readonly ((roubles: string, kopecks: string) => string)[] = [
  (roubles, kopecks) => `${roubles},${kopecks}`,
  (roubles, kopecks) => `${roubles}.${kopecks}`,
  ...[...BLANKS, "'", '’']
    .filter((gap) => gap !== '\u200b')
    .map((gap) => (roubles: string, kopecks: string) => `${roubles.replace(/\B(?=(\d{3})+$)/g, gap)},${kopecks}`),
  (roubles, kopecks) => `${roubles.replace(/\B(?=(\d{3})+$)/g, ',')}.${kopecks}`,
  (roubles, kopecks) => `${roubles.replace(/\B(?=(\d{3})+$)/g, '.')},${kopecks}`,
];
const SIGNED: readonly ((digits: string) => string)[] = [
  (digits) => `-${digits}`,
  (digits) => `${digits}-`,
  (digits) => `\u2212 ${digits}`,
  (digits) => `(${digits})`,
];
const CURRENCIES = ['', ' ₽', '\u00a0руб.', 'р', ' RUB'];

test('an amount that is written in any style is read as itself', () => {
  const { failed, counterexample } = check(
    property(
      tuple(
        integer({ min: 0, max: 10 ** 11 }),
        constantFrom(...STYLES),
        constantFrom(...SIGNED, String),
        constantFrom(...CURRENCIES),
      ),
      ([kopecks, style, sign, currency]) => {
        const [roubles, fraction] = [String(Math.floor(kopecks / 100)), String(kopecks % 100).padStart(2, '0')];
        const isNegative = sign !== String;
        assert.is(
          amountInDigits(`${sign(style(roubles, fraction))}${currency}`),
          `${isNegative ? '-' : ''}${roubles}.${fraction}`,
        );
      },
    ),
    { numRuns: 3000 },
  );
  assert.not(failed, JSON.stringify(counterexample));
});

const RUSSIAN = [
  'января',
  'февраля',
  'марта',
  'апреля',
  'мая',
  'июня',
  'июля',
  'августа',
  'сентября',
  'октября',
  'ноября',
  'декабря',
];
const ENGLISH = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const GERMAN = [
  'Januar',
  'Februar',
  'März',
  'April',
  'Mai',
  'Juni',
  'Juli',
  'August',
  'September',
  'Oktober',
  'November',
  'Dezember',
];
const DAY_MS = 86_400_000;
const SERIAL_OF_1970 = 25_569;
type Parts = readonly [year: string, month: string, day: string];
const DAY_STYLES: readonly ((parts: Parts) => string)[] = [
  ([year, month, day]) => `${year}-${month}-${day}`,
  ([year, month, day]) => `${year}${month}${day}`,
  ([year, month, day]) => `${day}.${month}.${year}`,
  ([year, month, day]) => `${Number(day)}.${Number(month)}.${year.slice(2)} 9:05`,
  ([year, month, day]) => `${day} ${RUSSIAN[Number(month) - 1]} ${year} г.`,
  ([year, month, day]) => `${day}-${RUSSIAN[Number(month) - 1]?.slice(0, 3)}-${year}`,
  ([year, month, day]) => `${day}-${ENGLISH[Number(month) - 1]?.toUpperCase()}-${year.slice(2)}`,
  ([year, month, day]) => `${ENGLISH[Number(month) - 1]} ${Number(day)}, ${year}`,
  ([year, month, day]) => `${Number(day)}. ${GERMAN[Number(month) - 1]} ${year}`,
  (parts) => String(Date.parse(parts.join('-')) / DAY_MS + SERIAL_OF_1970),
];

test('a day that is written in any style is read as itself', () => {
  const first = Date.parse('2020-01-01') / DAY_MS;
  const { failed, counterexample } = check(
    property(tuple(integer({ min: first, max: first + 365 * 30 }), constantFrom(...DAY_STYLES)), ([at, style]) => {
      const day = new Date(at * DAY_MS).toISOString().slice(0, 10);
      const [year = '', month = '', date = ''] = day.split('-');
      assert.equal(dayCell(style([year, month, date])) as WrittenDay, { day });
    }),
    { numRuns: 3000 },
  );
  assert.not(failed, JSON.stringify(counterexample));
});

test.run();
