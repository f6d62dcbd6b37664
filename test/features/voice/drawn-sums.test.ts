/** A million sums, drawn, said by the voice and by the packages. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_AMOUNT_KOPECKS } from '../../../firmware/core/config/index.ts';
import { seeded } from '../../tools/seeded.ts';
import { byN2words, byNumberToWordsRu, heard, inEnglish } from './oracle.ts';

const test = suite('drawn sums');
const SUMS = 1_000_000;
/** The slower package says each of these: it takes longer than all the rest for one sum. */
const EACH_OF_SLOW = 100;

test('a million drawn sums, to the largest that a lane takes, are said as packages say them', () => {
  const draw = seeded(1);
  for (let index = 0; index < SUMS; index++) {
    const kopecks = 1 + Math.floor(draw() * MAX_AMOUNT_KOPECKS);
    const russian = heard('ru', kopecks);
    assert.is(russian, byN2words(kopecks));
    assert.is(heard('en', kopecks), inEnglish(kopecks));
    if (index % EACH_OF_SLOW === 0) assert.is(russian, byNumberToWordsRu(kopecks));
  }
});

test.run();
