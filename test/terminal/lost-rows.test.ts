/**
 * Rows that the storage has lost while the device runs. No query finds them, so each promise that begins with a look for
 * a row must notice. Oracle: the list of all that the till was told, and the bank's book.
 */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { dayOf, ENVIRONMENT, onRig, openShiftOf, Told } from '../features/backup/money-rig.ts';
import { call, startTestDevice, type TestDevice } from '../support.ts';

const test = suite('lost rows');

interface Shop {
  readonly device: TestDevice;
  readonly told: Told;
  /** What the bank has registered, and what it has given back of each. */
  readonly atBank: () => number[];
  readonly lose: (table: string, which?: string) => void;
}

/** Two sales, a refund, a closed shift, a sale and a refund in the open one. */
const inShop = (work: (shop: Shop) => Promise<void>) =>
  onRig('Gazprombank', async ({ bank, folder, settings }) => {
    const told = new Told();
    await using device = await startTestDevice(ENVIRONMENT, folder);
    await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
    await told.sale(device, bank, 'sale-1');
    const id = await told.sale(device, bank, 'sale-2');
    await told.refund(device, id, 'r1', 20_000);
    await told.close(device, 'close-1');
    const last = await told.sale(device, bank, 'sale-3');
    await told.refund(device, last, 'r2', 30_000);
    const lose = (table: string, which = 'true'): void => {
      using db = openFile(join(folder, 'money.db'));
      db.exec(`DELETE FROM ${table} WHERE ${which}`);
    };
    await work({ device, told, lose, atBank: () => bank.payments.list(99).map(({ refunded }) => refunded) });
  });

for (const which of ['id = 1', 'id = 2', 'id = 3', 'true'])
  test(
    `the key of a paid sale shows no second code (${which})`,
    inShop(async ({ told, lose, atBank, device }) => {
      const before = atBank();
      lose('payments', which);
      await told.repeated(device);
      assert.equal(atBank(), before);
      await told.holds(device);
    }),
  );

for (const which of ['id = 1', 'id = 2', 'true'])
  test(
    `the key of a refund makes none again (${which})`,
    inShop(async ({ told, lose, atBank, device }) => {
      const before = atBank();
      lose('refunds', which);
      await told.repeated(device);
      assert.equal(atBank(), before);
      await told.holds(device);
    }),
  );

for (const which of ['number = 1', 'number = 2', 'true'])
  test(
    `a shift is closed with all that it had (${which})`,
    inShop(async ({ told, lose, device }) => {
      const { open } = told;
      lose('shifts', which);
      assert.equal(await openShiftOf(device), open);
      await told.close(device, 'close-2');
      assert.equal(told.shifts.get('close-2'), { number: 2, totals: open });
      await told.holds(device);
    }),
  );

for (const table of ['payments', 'refunds'])
  test(
    `the day and the open shift have what was in ${table}`,
    inShop(async ({ told, lose, device }) => {
      lose(table, 'id = 2');
      assert.equal([await dayOf(device), await openShiftOf(device)], [told.all, told.open]);
    }),
  );

test.run();
