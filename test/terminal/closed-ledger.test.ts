/**
 * A ledger that cannot be opened at the start: a file that fails, another program's lock. The device starts, refuses payments with the
 * storage's error, says so in /health, and goes on as soon as the ledger can be opened.
 */
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { each, inFolder, startTestDevice } from '../support.ts';
import { goesOn, isRefused, REFUSED, sell, status } from './closed-ledger.ts';

const test = suite('a ledger that cannot be opened');
const it = each(test, inFolder);

it('before the first sale the status calls the last payment unknown, and does not deny it', async (folder) => {
  await sell(folder.path);
  rmSync(join(folder.path, 'money.db'));
  symlinkSync('/proc/self/mem', join(folder.path, 'money.db'));
  await using device = await startTestDevice({}, folder.path);
  const { status: http, body } = await status(device);
  assert.equal([http, body.error_category, body.dynamicQRStatus], [500, 'Internal', undefined]);
  assert.match(body.error_message, /the outcome of the last payment cannot be read/);
});

it('a read error (EIO): payments are refused, and taken as soon as the file can be read', async (folder) => {
  const qrcId = await sell(folder.path);
  const path = join(folder.path, 'money.db');
  renameSync(path, `${path}.real`);
  symlinkSync('/proc/self/mem', path); // a plain file whose every read fails with EIO
  await using device = await startTestDevice({}, folder.path);
  await isRefused(device, REFUSED);
  rmSync(path);
  renameSync(`${path}.real`, path);
  await goesOn(device, qrcId);
});

it("another program's lock: payments are refused, and taken as soon as it is gone", async (folder) => {
  const qrcId = await sell(folder.path);
  const other = openFile(join(folder.path, 'money.db'));
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  await using device = await startTestDevice({}, folder.path);
  await isRefused(device, REFUSED);
  other.close();
  await goesOn(device, qrcId);
});

test.run();
