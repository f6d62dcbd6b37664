/** What a backup brings to a device that has gone on since, to another board, to a bank over TLS; and a disk without room for it. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RowFormat, type Values, valuesOf } from '../../../firmware/core/book/row.ts';
import { openFile } from '../../../firmware/core/files/database.ts';
import { SmallDisk } from '../../small-disk.ts';
import { CFT, call, SANDBOX_SETTINGS, setUp, startTestDevice, temporaryFolder } from '../../support.ts';
import { makeCertificates, PASSWORD as PASSWORD_OF_KEY } from '../../terminal/banks/certificates.ts';
import { startFakeBank } from '../../terminal/banks/fake-bank.ts';
import { withFolder } from '../../terminal/banks/support.ts';
import { amounts, formOf, giveBack, leftOf, made, PASSPHRASE, pay, putBack, refused, sell } from './rig.ts';

const test = suite('backups that are taken over');

test('the other device reaches a bank over TLS, with the files that were sent to the first', () =>
  withFolder(async (files) => {
    using first = temporaryFolder();
    using second = temporaryFolder();
    const { certPath, keyPath, caPath } = makeCertificates(files);
    const [cert, key, ca] = ['bank.crt', 'bank.key', 'ca.crt'].map((name) => readFileSync(join(files, name)));
    await using bank = await startFakeBank({ cert, key, ca, requestCert: true, rejectUnauthorized: true });
    let file: Buffer;
    {
      await using device = await startTestDevice({}, first.path);
      const sent: Record<string, string> = {};
      for (const [field, path] of Object.entries({ certPath, keyPath, caPath })) {
        const json = { field, name: basename(path), content: readFileSync(path).toString('base64') };
        const { status, body, text } = await call(`${device.recognition}/console/api/settings/certificates`, { json });
        assert.is(status, 200, text);
        sent[field] = body.path;
      }
      const profile = { ...CFT, ...sent, baseUrl: bank.url, password: PASSWORD_OF_KEY };
      const settings = { ...SANDBOX_SETTINGS, bankProfiles: { shop: profile }, bankProfile: 'shop' };
      await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
      await sell(device, 100);
      file = await made(device);
    }
    {
      await using device = await startTestDevice({}, second.path);
      assert.is((await putBack(device, formOf(file))).status, 200);
    }
    await using device = await startTestDevice({}, second.path);
    await sell(device, 200);
    const sold = bank.sales.map(({ amount }) => amount);
    assert.equal(sold, [100, 200]);
    assert.equal(new Set(bank.callers), new Set(['till']));
  }));

/** Makes the refund something else, as the device would have written it. */
function rewrite(folder: string, values: Values): void {
  using db = openFile(join(folder, 'money.db'));
  const [row = {}] = db.prepare('SELECT * FROM refunds').all();
  new RowFormat(db, 'refunds').put({ ...valuesOf(row), ...values });
}

test('another board never sends an open refund again, nor delivers events that it has not seen', async () => {
  using first = temporaryFolder();
  using second = temporaryFolder();
  let file: Buffer;
  {
    await using device = await startTestDevice({}, first.path);
    await setUp(device);
    await sell(device, 100);
    await pay(device);
    await giveBack(device, 'r1', 30);
    rewrite(first.path, { state: 'unknown', ended_at: null });
    file = await made(device);
  }
  {
    await using device = await startTestDevice({}, second.path);
    assert.is((await putBack(device, formOf(file))).status, 200);
  }
  await using device = await startTestDevice({}, second.path);
  const [{ id }] = (await call(`${device.terminal}/v1/payments`)).body.payments;
  const [refund] = (await call(`${device.terminal}/v1/payments/${id}/refunds`)).body.refunds;
  assert.equal([refund.decided, refund.told], [null, null]);
  assert.is((await call(`${device.sandbox}/sandbox/payments`)).body[0].refunded, 30);
  using ledger = openFile(join(second.path, 'money.db'));
  assert.is(ledger.prepare('SELECT count(*) AS n FROM events').get()?.n, 0);
});

test('newer payments are not lost, unless it is meant, also those that come in before the start', async () => {
  using folder = temporaryFolder();
  let file: Buffer;
  {
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    await sell(device, 100);
    await pay(device);
    file = await made(device);
    assert.is((await putBack(device, formOf(file))).status, 200);
    await sell(device, 200);
  }
  {
    await using device = await startTestDevice({}, folder.path);
    assert.equal(await amounts(device), [100, 200], 'the sale of the last moment is there');
    assert.is((await call(`${device.recognition}/console/api/backups`)).body.last.restored, false);
    const answer = await putBack(device, formOf(file));
    refused(answer, 409, 'Backups.NewerPayments');
    assert.ok(answer.body.newer.payments >= 1);
    const forced = await putBack(device, formOf(file, PASSPHRASE, { overNewerPayments: 'true' }));
    assert.is(forced.status, 200, forced.text);
  }
  await using device = await startTestDevice({}, folder.path);
  assert.equal(await amounts(device), [100]);
  const { last } = (await call(`${device.recognition}/console/api/backups`)).body;
  using kept = openFile(join(folder.path, last.before, 'money.db'));
  assert.is(kept.prepare('SELECT count(*) AS n FROM payments').get()?.n, 2);
});

test('a refund that ended after the backup is not made again: no bank goes back with the device', async () => {
  using folder = temporaryFolder();
  {
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    await sell(device, 100);
    await pay(device);
    const file = await made(device);
    assert.is((await giveBack(device, 'r1', 30)).body.state, 'done');
    assert.is((await putBack(device, formOf(file, PASSPHRASE, { overNewerPayments: 'true' }))).status, 200);
  }
  await using device = await startTestDevice({}, folder.path);
  const bankKnows = async () => (await call(`${device.sandbox}/sandbox/payments`)).body[0].refunded;
  assert.is((await giveBack(device, 'r1', 30)).body.state, 'done');
  assert.is(await bankKnows(), 30);
  assert.is((await giveBack(device, 'r2', 20)).body.state, 'done');
  assert.is(await bankKnows(), 50);
});

test('a disk without room is reported before anything is written, and a payment goes on', async () => {
  using disk = new SmallDisk(200);
  const folder = join(disk.path, 'data');
  await using device = await startTestDevice({}, folder);
  await setUp(device);
  const file = await made(device);
  disk.fill();
  const out = await call(`${device.recognition}/console/api/backups`, { json: { passphrase: PASSPHRASE } });
  refused(out, 507, 'Internal.StorageFull');
  refused(await putBack(device, formOf(file)), 507, 'Internal.StorageFull');
  assert.equal(leftOf(folder), []);
  disk.empty();
  await sell(device, 100);
  assert.is((await putBack(device, formOf(file, PASSPHRASE, { overNewerPayments: 'true' }))).status, 200);
});

test.run();
