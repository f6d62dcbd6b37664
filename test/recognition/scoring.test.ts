import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dotRow, dotRows } from '../../firmware/recognition/matching/matrix.ts';
import { toScores } from '../../firmware/recognition/matching/scoring.ts';

const scoring = suite('scoring');
const cosine = fc.double({ min: -1, max: 1, noNaN: true });

scoring('scores are positive, sum to 1 and keep the order of the similarities', () => {
  fc.assert(
    fc.property(
      fc.array(cosine, { minLength: 1, maxLength: 5 }),
      fc.double({ min: 0.01, max: 10, noNaN: true }),
      (list, heat) => {
        const similarities = list.toSorted((one, other) => other - one);
        const scores = toScores(similarities, heat);
        assert.ok(Math.abs(scores.reduce((sum, score) => sum + score, 0) - 1) < 1e-9);
        assert.ok(scores.every((score, at) => score >= 0 && score <= (scores[at - 1] ?? 1)));
      },
    ),
  );
});

scoring('a colder temperature trusts the best item more', () => {
  const [hot = 0, cold = 0] = [1, 0.01].map((temperature) => toScores([0.9, 0.85, 0.2], temperature)[0]);
  assert.ok(hot < 0.5 && cold > 0.98, `${hot}, ${cold}`);
});

scoring('one item has the score 1, none has none', () => {
  assert.equal(toScores([-0.3], 0.05), [1]);
  assert.equal(toScores([], 0.05), []);
});

scoring('rows give the same bits one by one and together, and those of the plain sum', () => {
  const values = (length: number) => fc.array(cosine, { minLength: length, maxLength: length });
  const matrix = fc.integer({ min: 1, max: 11 }).chain((count) => fc.tuple(values(7), values(7 * count)));
  fc.assert(
    fc.property(matrix, ([query, flat]) => {
      const [vector, rows] = [Float32Array.from(query), Float32Array.from(flat)];
      const count = rows.length / 7;
      const out = new Float64Array(count + 2).fill(9);
      dotRows(vector, rows, count, out);
      for (let row = 0; row < count; row++) {
        const plain = vector.reduce((sum, value, at) => sum + value * (rows[row * 7 + at] ?? 0), 0);
        assert.is(out[row], plain);
        assert.is(dotRow(vector, rows, row), plain);
      }
      assert.equal([...out.slice(count)], [9, 9], 'rows beyond the count are not touched');
    }),
  );
});

scoring.run();
