/** The requirements of SBP: each names its source, and a test that is there under its name. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rowsOf, testProblem } from './named-tests.ts';
import { read } from './pages.ts';

const test = suite('requirements of SBP');

const PAGE = 'docs/acceptance/sbp.md';
const HEAD = ['requirement', 'source', 'how it is met', 'test'];
const SOURCE = /^\[[^\]]{8,}\]\(https:\/\/[^)]+\)$/;

/** What a row lacks; null where it lacks nothing. */
function problemOf([requirement = '', source = '', met = '', named = '', ...more]: readonly string[]): string | null {
  if (more.length > 0 || met === '') return `${requirement}: it has not four cells`;
  const isSourced = source === 'the same' || SOURCE.test(source);
  if (!isSourced) return `${requirement}: its source has no address`;
  const problem = testProblem(PAGE, named);
  return problem === null ? null : `${requirement}: ${problem}`;
}

const ROW = [
  'A',
  '[B: its title](https://b.example)',
  'C',
  '[ttl](../../test/terminal/ttl.test.ts): by /v1 an hour is taken',
] as const;

test('a row without a source, a file or a test of that name is found', () => {
  const [requirement, source, met, named] = ROW;
  assert.is(problemOf(ROW), null);
  assert.match(problemOf([requirement, 'B', met, named]) ?? '', 'no address');
  assert.match(problemOf([requirement, source, met, 'none']) ?? '', 'no test');
  assert.match(problemOf([requirement, source, met, named.replaceAll('ttl', 'gone')]) ?? '', 'not there');
  assert.match(problemOf([requirement, source, met, named.replace('an hour', 'two hours')]) ?? '', 'has no test');
  assert.match(problemOf([requirement, source, met]) ?? '', 'no test');
  assert.match(problemOf([...ROW, 'E']) ?? '', 'four cells');
});

test('each requirement has its source and its test', () => {
  const [head, ...rows] = rowsOf(read(PAGE));
  assert.equal(head, HEAD);
  assert.equal(
    rows.map(problemOf).filter((problem) => problem !== null),
    [],
  );
  assert.ok(rows.length >= 40, `${rows.length} rows`);
});

test.run();
