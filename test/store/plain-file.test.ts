/** Files of the device that are read at its start: what is none is refused before it is opened. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isStoreError } from '../../firmware/store/errors.ts';
import { readPlainFile, readPlainFileIfAny } from '../../firmware/store/plain-file.ts';
import { temporaryFolder } from '../support.ts';

const test = suite('plain files');

const LIMIT = 100_000;

const refusal = (path: string): string => {
  try {
    readPlainFile(path, LIMIT);
  } catch (error) {
    if (isStoreError(error, 'NOT_PLAIN', 'TOO_LARGE')) return error.code;
    throw error;
  }
  throw new Error(`expected a refusal of ${path}`);
};

test('a file is read as far as the limit, and one byte more is too much, whatever it says of its size', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'file');
  assert.is(readPlainFileIfAny(path, LIMIT), null);
  const bytes = Buffer.from(Array.from({ length: LIMIT }, (_, n) => n % 251));
  writeFileSync(path, bytes);
  assert.ok(readPlainFile(path, LIMIT).equals(bytes));
  writeFileSync(path, Buffer.concat([bytes, bytes.subarray(0, 1)]));
  assert.is(refusal(path), 'TOO_LARGE');
});

test('what is no file is refused by what it is', () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'folder'));
  for (const path of ['/dev/zero', folder.path, join(folder.path, 'folder')])
    assert.is(refusal(path), 'NOT_PLAIN', path);
});

test.run();
