/** A backup of a later release is refused with what to do; one of an earlier release is taken; one that holds more than it lists is refused. */

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSealer } from '../../../firmware/core/secrets/sealer.ts';
import { BackupError } from '../../../firmware/features/backup/backup-error.ts';
import { childJudge } from '../../../firmware/features/backup/child-process.ts';
import { copyInto } from '../../../firmware/features/backup/copies.ts';
import { encoded, makeBackup } from '../../../firmware/features/backup/make.ts';
import { prepareRestore, unpack } from '../../../firmware/features/backup/prepare.ts';
import { sealFile } from '../../../firmware/features/backup/sealed-stream.ts';
import { isReady } from '../../../firmware/features/backup/swap.ts';
import { featureDatabases } from '../../../firmware/features.ts';
import { failed, temporaryFolder } from '../../support.ts';

const test = suite('backups of other releases');

const passphrase = 'seven lamps over the counter';

/** @returns whether it is ready */
async function putBack(version: string, own: string): Promise<boolean> {
  using from = temporaryFolder();
  using into = temporaryFolder();
  writeFileSync(join(from.path, 'extra-info.json'), '{"info":"shop 12"}');
  const about = { version, device: 'TEST0001', madeAt: '2026-11-21T00:00:00.000Z' };
  using made = await makeBackup(from.path, null, passphrase, about, copyInto);
  const sealer = openSealer(join(into.path, 'secret.key'), undefined);
  const incoming = { file: made.content, passphrase, isForced: true };
  await prepareRestore(
    incoming,
    { folder: into.path, sealer, version: own, databases: featureDatabases },
    0,
    childJudge(),
    '--over',
  );
  assert.ok(existsSync(join(into.path, 'restore-ready', 'extra-info.json')));
  return isReady(into.path);
}

test('a later release is refused, with any option', async () => {
  try {
    await putBack('0.10.0', '0.9.1');
    assert.unreachable();
  } catch (error) {
    assert.instance(error, BackupError);
    assert.is((error as BackupError).code, 'TooNew');
    assert.match((error as BackupError).message, /made by release 0\.10\.0, and this device runs 0\.9\.1: update it/);
  }
});

test('an earlier release, and the same, are taken', async () => {
  assert.ok(await putBack('0.9.1', '0.10.0'));
  assert.ok(await putBack('0.9.1', '0.9.1'));
});

test('bytes beyond the list refuse the whole file, and what is unpacked is for its owner alone', async () => {
  const info = Buffer.from('{"info":"shop 12"}');
  const about = { version: '0.1.0', device: 'TEST0001', madeAt: '2026-11-21T00:00:00.000Z' };
  const files = [{ name: 'extra-info.json', bytes: info.length }];
  const manifest = encoded({ board: '', files, secrets: [], unopened: 0 });
  for (const more of ['', '}']) {
    using into = temporaryFolder();
    const plain = Buffer.concat([manifest, info, Buffer.from(more)]);
    const { content } = await sealFile(passphrase, about, { plain: Readable.from([plain]), plainBytes: plain.length });
    const sealer = openSealer(join(into.path, 'secret.key'), undefined);
    const unpacked = unpack(
      { file: content, passphrase },
      into.path,
      { sealer, version: '0.1.0' },
      childJudge().readList,
    );
    if (more !== '') assert.match((await failed(BackupError, unpacked)).message, 'longer than its list says');
    else {
      await unpacked;
      const path = join(into.path, 'extra-info.json');
      assert.equal([readFileSync(path), statSync(path).mode & 0o777], [info, 0o600]);
    }
  }
});

test.run();
