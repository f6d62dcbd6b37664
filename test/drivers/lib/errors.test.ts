import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CodedError, codeOf, isCode } from '../../../drivers/lib/errors.ts';

const test = suite('errors');

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

test('a failure of the system is reported by its name', () => {
  const error = thrownBy(() => readFileSync('/nonexistent/file'));
  assert.is(codeOf(error), 'ENOENT');
  assert.ok(isCode(error, 'ENOENT'));
  assert.ok(isCode(error, 'EISDIR', 'ENOENT'));
  assert.not(isCode(error, 'EISDIR', 'ELOOP'));
});

for (const [what, thrown] of [
  ['an error without a code', new Error('ENOENT')],
  ['a code that is a number', new DOMException('gone', 'AbortError')],
  ['what is no error', { code: 'ENOENT' }],
  ['nothing', undefined],
] as const)
  test(`${what} has no such name`, () => {
    assert.is(codeOf(thrown), null);
    assert.not(isCode(thrown, 'ENOENT'));
  });

test('a failure with a code has the name of its own class, its code and its cause', () => {
  class KettleError extends CodedError<'dry' | 'cold'> {}
  const cause = new Error('no water');
  const error = new KettleError('dry', 'fill it', { cause });
  assert.ok(error instanceof CodedError && error instanceof Error);
  assert.equal([error.name, error.code, error.message, error.cause], ['KettleError', 'dry', 'fill it', cause]);
  assert.not(Object.hasOwn(new KettleError('cold', 'heat it'), 'cause'));
});

test.run();
