/** Files of the device that are read at its start: what is none is refused before it is opened. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isStoreError } from '../../firmware/store/errors.ts';
import { readPlainFile, readPlainFileIfAny } from '../../firmware/store/plain-file.ts';
import { temporaryFolder } from '../support.ts';

const test = suite('plain files');

const A_MOMENT_MS = 50;
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
  assert.is(refusal('/dev/zero'), 'NOT_PLAIN');
});

test('a pipe is not even opened: whoever waits to write to it goes on waiting', async () => {
  using folder = temporaryFolder();
  const pipe = join(folder.path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const writer = spawn('sh', ['-c', 'echo ready; echo x > "$0"', pipe], { stdio: ['ignore', 'pipe', 'ignore'] });
  const exit = once(writer, 'exit');
  await once(writer.stdout, 'data');
  await pause(A_MOMENT_MS);
  assert.is(refusal(pipe), 'NOT_PLAIN');
  await pause(A_MOMENT_MS);
  writer.kill('SIGKILL');
  assert.equal(await exit, [null, 'SIGKILL'], 'the writer found no reader');
});

test.run();
