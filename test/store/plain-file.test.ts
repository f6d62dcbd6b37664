/** Files of the device that are read at its start: what is none is refused before it is opened. */
import fs, { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { mock } from 'node:test';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { StoreError } from '../../firmware/core/files/errors.ts';
import { readPlainFile, readPlainFileIfAny } from '../../firmware/core/files/plain-file.ts';
import { temporaryFolder, thrown } from '../support.ts';

const test = suite('plain files');

const LIMIT = 100_000;

const refusal = (path: string): string => thrown(StoreError, () => readPlainFile(path, LIMIT)).code;

test('a file is read as far as the limit, and one byte more is too much, for any reported size', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'file');
  assert.is(readPlainFileIfAny(path, LIMIT), null);
  const bytes = Buffer.from(Array.from({ length: LIMIT }, (_, n) => n % 251));
  writeFileSync(path, bytes);
  assert.ok(readPlainFile(path, LIMIT).equals(bytes));
  writeFileSync(path, Buffer.concat([bytes, bytes.subarray(0, 1)]));
  assert.is(refusal(path), 'TOO_LARGE');
});

test('what is no file is not even opened: a process at the other end of a pipe would notice', () => {
  using folder = temporaryFolder();
  const opened = mock.method(fs, 'openSync');
  syncBuiltinESMExports();
  try {
    for (const path of ['/dev/zero', folder.path]) assert.is(refusal(path), 'NOT_PLAIN', path);
    assert.is(opened.mock.callCount(), 0);
  } finally {
    opened.mock.restore();
    syncBuiltinESMExports();
  }
});

test.run();
