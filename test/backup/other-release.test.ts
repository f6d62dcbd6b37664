/** A backup of a later release is refused with what to do; one of an earlier release is taken. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BackupError } from '../../firmware/backup/backup-error.ts';
import { copyInto } from '../../firmware/backup/copies.ts';
import { makeBackup } from '../../firmware/backup/make.ts';
import { judge, prepareRestore } from '../../firmware/backup/prepare.ts';
import { isReady } from '../../firmware/backup/swap.ts';
import { openSealer } from '../../firmware/store/sealer.ts';
import { temporaryFolder } from '../support.ts';

const test = suite('backups of other releases');

const passphrase = 'seven lamps over the counter';

/** @returns whether it is ready */
async function putBack(version: string, own: string): Promise<boolean> {
  using from = temporaryFolder();
  using into = temporaryFolder();
  writeFileSync(join(from.path, 'extra-info.json'), '{"info":"shop 12"}');
  const about = { version, device: 'TEST0001', madeAt: '2026-11-21T00:00:00.000Z' };
  using made = await makeBackup({ folder: from.path, passphrase, about, sealer: null, copy: copyInto });
  await prepareRestore({
    ...{ folder: into.path, file: made.content, passphrase, version: own, isForced: true, now: 0, judge },
    ...{ sealer: openSealer(join(into.path, 'secret.key'), undefined), override: '--over' },
  });
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

test.run();
