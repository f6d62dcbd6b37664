/**
 * What a second medium, a restored backup and an older image of the card mean for each other. Oracle: the list of all
 * that the till was told, and the bank's book.
 */
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, startTestDevice, type TestDevice, until } from '../../support.ts';
import { ENVIRONMENT, onRig, paid, reasonsOf, Told } from './money-rig.ts';
import { amounts, formOf, made, PASSPHRASE, putBack } from './rig.ts';

const test = suite('backups, images of the card and a second medium');

const FORCED = { overNewerPayments: 'true' };

/** A medium beside the device, and the settings that name it. */
function mediumOf(folder: string): { readonly medium: string; readonly environment: Record<string, string> } {
  const medium = `${folder}-medium`;
  mkdirSync(medium);
  return { medium, environment: { ...ENVIRONMENT, LANEWARE_TERMINAL_LEDGERCOPYDIR: medium } };
}

/** Brings the copy on the medium up to date. */
const copied = async ({ terminal }: TestDevice): Promise<void> =>
  assert.is((await call(`${terminal}/exportToCSV`, { json: { path: 'all.csv' } })).status, 200);

const asideIn = (medium: string): string[] =>
  readdirSync(medium, { recursive: true })
    .map(String)
    .filter((name) => /money\.journal\.other-[^/]*$/.test(name));

for (const name of ['Gazprombank', 'Sber'])
  test(
    `${name}: an older image makes no refund again, nor shows a second code of a paid sale`,
    onRig(name, async ({ bank, folder, settings }) => {
      const { medium, environment } = mediumOf(folder);
      const image = `${folder}-image`;
      const told = new Told();
      {
        await using device = await startTestDevice(environment, folder);
        await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
        await told.sale(device, bank, 'sale-1');
      }
      cpSync(folder, image, { recursive: true });
      {
        await using device = await startTestDevice(environment, folder);
        const id = told.sales.get('sale-1') ?? '';
        await told.refund(device, id, 'r1', 20_000);
        await told.sale(device, bank, 'sale-2');
        await told.close(device, 'close-1');
        await told.sale(device, bank, 'sale-3');
        await copied(device);
      }
      const atBank = (): unknown => bank.payments.list(9).map(({ refunded }) => refunded);
      const before = atBank();
      rmSync(folder, { recursive: true });
      cpSync(image, folder, { recursive: true });
      await using device = await startTestDevice(environment, folder);
      await told.holds(device);
      assert.equal(atBank(), before);
      await told.sale(device, bank, 'sale-4');
      await copied(device);
      assert.equal([asideIn(medium), await reasonsOf(device)], [[], []]);
    }),
  );

test(
  'a restore is not undone by the second medium, nor by its record of the same backup',
  onRig('Gazprombank', async ({ bank, folder, settings }) => {
    const { medium, environment } = mediumOf(folder);
    let file: Buffer;
    {
      await using device = await startTestDevice(environment, folder);
      await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
      await paid(device, bank, 'sale-1');
      file = await made(device);
    }
    for (const round of [1, 2]) {
      await using device = await startTestDevice(environment, folder);
      const before = await amounts(device);
      await call(`${device.terminal}/showQR`, { json: { amount: 200 } }); // without a key: the restore loses it
      await copied(device);
      assert.is((await amounts(device)).length, before.length + 1);
      assert.is((await putBack(device, formOf(file, PASSPHRASE, FORCED))).status, 200, `round ${round}`);
    }
    await using device = await startTestDevice(environment, folder);
    assert.equal(await amounts(device), [100_000]);
    await copied(device);
    assert.equal(await amounts(device), [100_000]);
    assert.is(asideIn(medium).length, 2, 'the medium keeps what the restores have taken away');
  }),
);

test(
  'a restored book outlives its database’s loss at once: the journal has all before a sale',
  onRig('Gazprombank', async ({ bank, folder, settings }) => {
    const told = new Told();
    {
      await using device = await startTestDevice(ENVIRONMENT, folder);
      await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
      const id = await told.sale(device, bank, 'sale-1');
      await told.refund(device, id, 'r1', 20_000);
      await told.close(device, 'close-1');
      const file = await made(device);
      assert.is((await putBack(device, formOf(file))).status, 200);
    }
    {
      await using _restored = await startTestDevice(ENVIRONMENT, folder);
    }
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `money.db${end}`), { force: true });
    await using device = await startTestDevice(ENVIRONMENT, folder);
    const id = told.sales.get('sale-1') ?? '';
    await until('the book', async () => (await call(`${device.terminal}/v1/payments/${id}`)).status === 200);
    await told.holds(device);
  }),
);

test.run();
