/** What a voice says of a sum: both genders, three plurals, and never a zero. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_AMOUNT_KOPECKS } from '../../../firmware/core/config/index.ts';
import { announcement, chimeAlone, sumInPieces } from '../../../firmware/features/voice/announcement.ts';
import { byN2words, byNumberToWordsRu, heard, inEnglish } from './oracle.ts';

const test = suite('what a voice says');
const RUSSIAN = 'ru';
const ENGLISH = 'en';

const SPOKEN: readonly (readonly [kopecks: number, russian: string, english: string])[] = [
  [1, 'одна копейка', 'one kopeck'],
  [50_00, 'пятьдесят рублей', 'fifty roubles'],
  [50, 'пятьдесят копеек', 'fifty kopecks'],
  [1_01, 'один рубль одна копейка', 'one rouble one kopeck'],
  [2_02, 'два рубля две копейки', 'two roubles two kopecks'],
  [11_12, 'одиннадцать рублей двенадцать копеек', 'eleven roubles twelve kopecks'],
  [111_14, 'сто одиннадцать рублей четырнадцать копеек', 'one hundred eleven roubles fourteen kopecks'],
  [1_000_00, 'одна тысяча рублей', 'one thousand roubles'],
  [21_000_00, 'двадцать одна тысяча рублей', 'twenty one thousand roubles'],
  [2_002_00, 'две тысячи два рубля', 'two thousand two roubles'],
  [MAX_AMOUNT_KOPECKS, 'один миллион рублей', 'one million roubles'],
  [
    999_999_99,
    'девятьсот девяносто девять тысяч девятьсот девяносто девять рублей девяносто девять копеек',
    'nine hundred ninety nine thousand nine hundred ninety nine roubles ninety nine kopecks',
  ],
];

for (const [kopecks, russian, english] of SPOKEN)
  test(`${kopecks} kopecks`, () => {
    assert.is(heard(RUSSIAN, kopecks), russian);
    assert.is(heard(ENGLISH, kopecks), english);
  });

/** The sums that one of these says otherwise. */
function otherwise(sums: readonly number[]): string[] {
  return sums
    .flatMap((kopecks) => [
      [heard(RUSSIAN, kopecks), byN2words(kopecks)] as const,
      [heard(RUSSIAN, kopecks), byNumberToWordsRu(kopecks)] as const,
      [heard(ENGLISH, kopecks), inEnglish(kopecks)] as const,
    ])
    .filter(([ours, theirs]) => ours !== theirs)
    .map(([ours, theirs]) => `${ours}: ${theirs}`);
}

test('every whole rouble to 20,000 is said as two packages say it', () => {
  assert.equal(otherwise(Array.from({ length: 20_000 }, (_, index) => (index + 1) * 100)), []);
});

test('every kopeck to 100 roubles is said as two packages say it', () => {
  assert.equal(otherwise(Array.from({ length: 10_000 }, (_, index) => index + 1)), []);
});

test('"paid" comes first, and before it "test" where money is not real', () => {
  const sum = sumInPieces(RUSSIAN, 150);
  assert.equal(announcement(RUSSIAN, 150, { isTest: false }), ['paid', ...sum]);
  assert.equal(announcement(RUSSIAN, 150, { isTest: true }), ['test', 'paid', ...sum]);
  assert.equal(chimeAlone({ isTest: false }), ['chime']);
  assert.equal(chimeAlone({ isTest: true }), ['test', 'chime']);
});

test('what is no sum, or longer than a voice has words for, is refused', () => {
  for (const kopecks of [0, -100, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 100_000_000_000])
    assert.throws(() => sumInPieces(RUSSIAN, kopecks), RangeError);
  assert.is(heard(RUSSIAN, 99_999_999_999), byN2words(99_999_999_999));
});

test.run();
