import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdirSync, openSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CertificateError, MAX_CERTIFICATE_FILE_BYTES, readCertificateFile } from '../../../firmware/core/tls/pair.ts';
import { each, failed } from '../../support.ts';
import { withFolder } from './support.ts';

const test = suite('files of certificates');
const it = each<[string]>(test, (run) => () => withFolder(run));

/** Threads that Node reads files with by default. */
const READERS = 4;
const A_MOMENT_MS = 50;

const refusal = async (path: string, limitMs?: number) =>
  (await failed(CertificateError, readCertificateFile(path, limitMs))).message;

function makePipe(folder: string, name: string): string {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return path;
}

it('a plain file is read whole, also through a link, and when it says nothing of its size', async (folder) => {
  const path = join(folder, 'a.pem');
  const largest = Buffer.alloc(MAX_CERTIFICATE_FILE_BYTES, 'x');
  writeFileSync(path, largest);
  symlinkSync(path, join(folder, 'link'));
  assert.ok((await readCertificateFile(path)).equals(largest));
  assert.ok((await readCertificateFile(join(folder, 'link'))).equals(largest));
  assert.match((await readCertificateFile('/proc/self/status')).toString(), /^Name:/);
});

it('what is no plain file is refused, also behind a link', async (folder) => {
  const pipe = makePipe(folder, 'pipe');
  mkdirSync(join(folder, 'folder'));
  for (const path of ['/dev/zero', '/dev/ptmx', '/dev/null', pipe, join(folder, 'folder')]) {
    const link = join(folder, `to-${path.replaceAll('/', '-')}`);
    symlinkSync(path, link);
    for (const each of [path, link]) assert.match(await refusal(each), /^is no plain file/, each);
  }
});

it('what is no plain file is not even opened: that has effects with some devices', async (folder) => {
  const pipe = makePipe(folder, 'pipe');
  const writer = spawn('sh', ['-c', 'echo ready; echo x > "$0"', pipe], { stdio: ['ignore', 'pipe', 'ignore'] });
  const exit = once(writer, 'exit');
  await once(writer.stdout, 'data');
  await pause(A_MOMENT_MS); // it waits for a reader now
  await refusal(pipe);
  await pause(A_MOMENT_MS);
  writer.kill('SIGKILL');
  assert.equal(await exit, [null, 'SIGKILL'], 'the writer found no reader');
});

it('a file that is too large is refused, whether it says so or not', async (folder) => {
  const path = join(folder, 'large');
  writeFileSync(path, Buffer.alloc(MAX_CERTIFICATE_FILE_BYTES + 1));
  assert.match(await refusal(path), `has more than ${MAX_CERTIFICATE_FILE_BYTES} bytes`);
  truncateSync(path, 10 * 1024 ** 3);
  assert.match(await refusal(path), 'bytes');
  // of size 0 by its own account, and a megabyte long
  assert.match(await refusal('/proc/kallsyms'), `has more than ${MAX_CERTIFICATE_FILE_BYTES} bytes`);
});

it("a file that is missing, or unreadable for this user, is reported with the system's reason", async (folder) => {
  assert.is(await refusal(join(folder, 'missing')), 'cannot be read (ENOENT)');
  assert.is(await refusal(`${folder}/\u0000`), 'cannot be read (ERR_INVALID_ARG_VALUE)');
  assert.is(await refusal('/proc/self/mem'), 'cannot be read (EIO)');
});

it('a storage that does not answer keeps no caller waiting beyond the limit', async (folder) => {
  const path = join(folder, 'a.pem');
  writeFileSync(path, 'x');
  const pipe = makePipe(folder, 'pipe');
  // every reader of Node waits for somebody to write: a file can be read only after that
  const stuck = Array.from({ length: READERS }, () => open(pipe, 'r'));
  assert.is(await refusal(path, 20), 'could not be read within 0.02 s');
  const writer = openSync(pipe, constants.O_RDWR);
  for (const file of await Promise.all(stuck)) await file.close();
  closeSync(writer);
  assert.is((await readCertificateFile(path)).toString(), 'x');
});

test.run();
