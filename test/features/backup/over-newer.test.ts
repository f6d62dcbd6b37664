/** A restore over newer payments: what a till asks for again has happened, so nothing is refunded or paid twice, at no bank. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../../firmware/core/files/database.ts';
import { call, startTestDevice } from '../../support.ts';
import { AMOUNT, ENVIRONMENT, giveBack, keyed, onRig, paid, sell } from './money-rig.ts';
import { formOf, made, PASSPHRASE, putBack, refused } from './rig.ts';

const test = suite('backups that are put back over newer payments');

for (const name of ['Tinkoff', 'Gazprombank', 'YooKassa', 'Raiffeisenbank', 'Tochka', 'Sber'])
  test(
    `${name}: a refund that was made after the backup is not made again, nor a sale paid`,
    onRig(name, async ({ bank, folder, settings }) => {
      let id = '';
      {
        await using device = await startTestDevice(ENVIRONMENT, folder);
        await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
        id = await paid(device, bank, 'sale-1');
        assert.is((await giveBack(device, id, 'r1', 20_000)).state, 'done');
        const file = await made(device);
        assert.is((await giveBack(device, id, 'r2', 30_000)).state, 'done');
        await paid(device, bank, 'sale-2');
        const forced = await putBack(device, formOf(file, PASSPHRASE, { overNewerPayments: 'true' }));
        assert.is(forced.status, 200, forced.text);
        await paid(device, bank, 'sale-3'); // after the backup was looked at
      }
      await using device = await startTestDevice(ENVIRONMENT, folder);
      assert.is((await giveBack(device, id, 'r2', 30_000)).state, 'done');
      const refunded = () => bank.payments.list(9).map(({ refunded }) => refunded);
      assert.equal(refunded(), [0, 0, 50_000]);
      assert.is((await call(`${device.terminal}/v1/payments/${id}`)).body.refunded, 50_000);
      for (const key of ['sale-2', 'sale-3']) assert.is((await sell(device, key)).body.state, 'ACCEPTED', key);
      assert.is(bank.payments.list(9).length, 3, 'no second code');
      assert.is((await giveBack(device, id, 'r3', 50_000)).state, 'done');
      assert.equal(refunded(), [0, 0, 100_000]);
      await paid(device, bank, 'sale-4');
      const { parts } = (await call(`${device.terminal}/health`)).body.health;
      const ledger = parts.find(({ part }: { part: string }) => part === 'ledger');
      assert.equal(ledger?.reasons, [], JSON.stringify(parts));
    }),
  );

test(
  'a backup has the payments as they were sold, whatever the storage has made of them',
  onRig('Gazprombank', async ({ bank, folder, settings }) => {
    await using device = await startTestDevice(ENVIRONMENT, folder);
    await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
    const id = await paid(device, bank, 'sale-1');
    {
      using db = openFile(join(folder, 'money.db'));
      db.exec('UPDATE payments SET amount = amount + 5000');
    }
    await made(device);
    using db = openFile(join(folder, 'money.db'));
    const row = db.prepare('SELECT amount FROM payments WHERE order_id = ?').get(id);
    assert.is(row?.amount, AMOUNT);
  }),
);

test(
  'an older backup, then a newer one: a refund undecided or unknown in both is not made again',
  onRig('Gazprombank', async ({ bank, folder, settings }) => {
    let id = '';
    const files: Buffer[] = [];
    {
      await using device = await startTestDevice(ENVIRONMENT, folder);
      await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
      id = await paid(device, bank, 'sale-1');
      files.push(await made(device));
      bank.faults.set([{ call: 'refund', kind: 'drop', times: 1000 }]);
      const asked = keyed('r1', { amount: 20_000 });
      const { body } = await call(`${device.terminal}/v1/payments/${id}/refunds`, asked);
      assert.is(body.state, 'unknown');
      files.push(await made(device));
      bank.faults.set([]);
      assert.is((await giveBack(device, id, 'r1', 20_000)).state, 'done');
      const [older = Buffer.alloc(0)] = files;
      assert.is((await putBack(device, formOf(older, PASSPHRASE, { overNewerPayments: 'true' }))).status, 200);
    }
    {
      await using device = await startTestDevice(ENVIRONMENT, folder);
      const [, newer = Buffer.alloc(0)] = files;
      refused(await putBack(device, formOf(newer)), 409, 'Backups.NewerPayments');
      assert.is((await putBack(device, formOf(newer, PASSPHRASE, { overNewerPayments: 'true' }))).status, 200);
    }
    await using device = await startTestDevice(ENVIRONMENT, folder);
    assert.is((await giveBack(device, id, 'r1', 20_000)).state, 'done');
    assert.is(bank.payments.list(1)[0]?.refunded, 20_000);
    assert.is((await call(`${device.terminal}/v1/payments/${id}`)).body.refunded, 20_000);
  }),
);

test(
  'a sale that is kept takes the place of no other sale of the backup',
  onRig('Sber', async ({ bank, folder, settings }) => {
    const forced = { overNewerPayments: 'true' };
    let newer: Buffer;
    {
      await using device = await startTestDevice(ENVIRONMENT, folder);
      await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
      const older = await made(device);
      await call(`${device.terminal}/showQR`, { json: { amount: AMOUNT } }); // without a key: that restore loses it
      newer = await made(device);
      assert.is((await putBack(device, formOf(older, PASSPHRASE, forced))).status, 200);
    }
    {
      await using device = await startTestDevice(ENVIRONMENT, folder);
      await paid(device, bank, 'sale-1');
      assert.is((await putBack(device, formOf(newer, PASSPHRASE, forced))).status, 200);
    }
    await using device = await startTestDevice(ENVIRONMENT, folder);
    assert.is((await call(`${device.terminal}/v1/payments`)).body.payments.length, 2);
  }),
);

test.run();
