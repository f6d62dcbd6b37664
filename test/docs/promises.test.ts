/** What a till may rely on: each line of the page names the test that holds it, and that test is there. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rowsOf, testProblem } from './named-tests.ts';
import { read } from './pages.ts';

const test = suite('promises');

const PAGE = 'docs/promises.md';
const HEAD = ['fault', 'promise', 'test'];
/** What the page must speak of, so that no fault is left out when it is written anew. */
const FAULTS = ['killed', 'power cut', 'full disk', 'damaged', 'lost card', 'wrong clock', 'silent bank', 'restored'];

test('each promise names a test that is there under its title', () => {
  const rows = rowsOf(read(PAGE)).filter((row) => row.join() !== HEAD.join());
  const problems = rows.flatMap(([fault = '', promise = '', named = '']) => {
    const problem = testProblem(PAGE, named);
    return problem === null ? [] : [`${fault}: ${promise}: ${problem}`];
  });
  assert.equal(problems, []);
  assert.ok(rows.length >= 25, `${rows.length} promises`);
  for (const fault of FAULTS)
    assert.ok(
      rows.some(([of = '']) => of.includes(fault)),
      fault,
    );
});

test('each call of the page is one of the document', () => {
  const { paths } = JSON.parse(read('firmware/payments/openapi.json'));
  const calls = [...read(PAGE).matchAll(/^## (GET|POST) (\S+)$/gm)];
  assert.ok(calls.length >= 5);
  for (const [, method = '', path = ''] of calls) assert.ok(paths[path]?.[method.toLowerCase()], `${method} ${path}`);
});

test.run();
