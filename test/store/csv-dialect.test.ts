/** What a CSV file of somebody else is written in: its letters, its separator, its amounts. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { amountInDigits, encodingOf, separatorOf } from '../../firmware/core/store/csv-dialect.ts';
import { bytesIn } from './letters.ts';

const test = suite('the dialects of CSV');

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
  assert.is(encodingOf(Uint8Array.of(0xd2, 0x3b, ...Array.from({ length: 50 }, () => 0xa0))), 'windows-1251');
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
  ['1,234', null],
  ['1,500', null],
  ['1.500 ₽', null],
  ['-12,000', null],
  ['100 50', null],
  ['100 руб 50', null],
  ['100р.50', null],
  ['5RUB5', null],
  ["1'50", null],
  ['1 234 56', null],
  ['1234 567', null],
  ["1 234'567", null],
  ['1, 50', '1. 50'],
  ['1,23,4.5', null],
  ['12,34.5', null],
  ['1.234.56', null],
];
for (const [written, digits] of AMOUNTS)
  test(`the amount ${written} is ${digits ?? 'none'}`, () => {
    assert.is(amountInDigits(written), digits);
  });

test.run();
