import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dotRow, dotRows } from '../../firmware/recognition/matching/matrix.ts';
import { judge, toScores } from '../../firmware/recognition/matching/scoring.ts';

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

scoring('of two nearest templates both must be of the best item', () => {
  const rated = (similarity: number, ...templates: number[]) => ({
    similarity,
    templates: Float64Array.from(templates),
  });
  const bounds = { certain: 0.5, margin: 0.1, alike: 0.1, unknown: 0.3 };
  const other = rated(0.4, 0.75);
  assert.is(judge([rated(0.8, 0.9, 0.7), other], bounds).reason, 'templates-disagree');
  assert.ok(judge([rated(0.8, 0.9, 0.76), other], bounds).certain);
});

scoring('a lead that is too small for few templates alone has another reason than a look-alike', () => {
  const bounds = { certain: 0.5, margin: 0.3, alike: 0.1, unknown: 0.3 };
  const verdictOf = (second: number) =>
    judge(
      [0.9, second].map((similarity) => ({ similarity, templates: Float64Array.of(similarity) })),
      bounds,
    );
  const reasons = [0.85, 0.75, 0.65].map(verdictOf);
  assert.equal(
    reasons.map(({ certain, reason }) => [certain, reason]),
    [
      [false, 'look-alikes'],
      [false, 'few-templates'],
      [false, 'few-templates'],
    ],
  );
  assert.ok(verdictOf(0.55).certain);
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
