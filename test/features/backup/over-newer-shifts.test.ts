/**
 * A restore over newer payments, and the shifts that were closed since: what a till was told stays, and ledger, day and
 * shifts have the same money. Oracle: the list of all that the till was told.
 */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../../firmware/core/files/database.ts';
import { call, startTestDevice, until } from '../../support.ts';
import { dayOf, ENVIRONMENT, onRig, paid, reasonsOf, Told } from './money-rig.ts';
import { formOf, made, PASSPHRASE, putBack } from './rig.ts';

const test = suite('backups that are put back over newer shifts');

const FORCED = { overNewerPayments: 'true' };

for (const name of ['Gazprombank', 'Raiffeisenbank'])
  test(
    `${name}: shifts closed after the backup are kept, with number, key and money`,
    onRig(name, async ({ bank, folder, settings }) => {
      const told = new Told();
      {
        await using device = await startTestDevice(ENVIRONMENT, folder);
        await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
        const id = await told.sale(device, bank, 'sale-1');
        await told.close(device, 'close-1');
        await told.sale(device, bank, 'sale-2');
        const file = await made(device);
        await told.sale(device, bank, 'sale-3');
        await told.refund(device, id, 'r1', 15_000);
        await told.close(device, 'close-2');
        await told.close(device, 'close-3');
        const last = await told.sale(device, bank, 'sale-4');
        await told.refund(device, last, 'r2', 20_000);
        const forced = await putBack(device, formOf(file, PASSPHRASE, FORCED));
        assert.is(forced.status, 200, forced.text);
        await told.sale(device, bank, 'sale-5'); // after the backup was looked at
      }
      {
        await using device = await startTestDevice(ENVIRONMENT, folder);
        await told.holds(device);
        assert.equal(await reasonsOf(device), []);
        await told.sale(device, bank, 'sale-6');
        await told.close(device, 'close-4');
        await told.sale(device, bank, 'sale-7');
        await told.holds(device);
      }
      await using device = await startTestDevice(ENVIRONMENT, folder);
      await told.holds(device);
    }),
  );

test(
  'a paid sale without a key goes with the shift that has counted it',
  onRig('Gazprombank', async ({ bank, folder, settings }) => {
    const told = new Told();
    {
      await using device = await startTestDevice(ENVIRONMENT, folder);
      await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
      const file = await made(device);
      await told.sale(device, bank, 'sale-1');
      await call(`${device.terminal}/showQR`, { json: { amount: 700 } });
      bank.payments.pay(bank.payments.list(1)[0]?.qrcId ?? '');
      const newest = async () => (await call(`${device.terminal}/v1/payments`)).body.payments[0];
      await until('it is paid', async () => (await newest()).state === 'ACCEPTED');
      await told.close(device, 'close-1');
      assert.is((await putBack(device, formOf(file, PASSPHRASE, FORCED))).status, 200);
    }
    await using device = await startTestDevice(ENVIRONMENT, folder);
    await told.repeated(device);
    assert.is((await dayOf(device)).accepted, told.all.accepted + 700);
    assert.equal(await reasonsOf(device), []);
  }),
);

test(
  'a restore says what it cannot keep: a damaged row of a newer shift',
  onRig('Gazprombank', async ({ bank, folder, settings }) => {
    const told = new Told();
    {
      await using device = await startTestDevice(ENVIRONMENT, folder);
      await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
      await paid(device, bank, 'sale-1');
      const file = await made(device);
      await told.sale(device, bank, 'sale-2');
      await told.close(device, 'close-1');
      assert.is((await putBack(device, formOf(file, PASSPHRASE, FORCED))).status, 200);
    }
    {
      using db = openFile(join(folder, 'money.db'));
      db.exec("UPDATE payments SET amount = amount + 1 WHERE sale_key = 'sale-2'");
    }
    await using device = await startTestDevice(ENVIRONMENT, folder);
    assert.ok((await reasonsOf(device)).includes('ledger-unbalanced'));
  }),
);

test.run();
