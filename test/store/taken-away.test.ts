/** A file deleted or replaced while the device runs loses no acknowledged record: SQLite writes on to the old one. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, startTestDevice, temporaryFolder } from '../support.ts';
import { openKept, pay, payMany } from '../terminal/ledger-rig.ts';

const test = suite('store: a file that is taken away');

const LOGS = ['', '-wal', '-shm'];

const WAYS: Readonly<Record<string, (path: string) => void>> = {
  'the file is deleted': (path) => rmSync(path),
  'the file and its logs are deleted': (path) => {
    for (const log of LOGS) rmSync(`${path}${log}`, { force: true });
  },
  'the file is moved away': (path) => renameSync(path, `${path}.elsewhere`),
  'an empty one takes its place': (path) => {
    writeFileSync(`${path}.new`, '');
    renameSync(`${path}.new`, path);
  },
};

for (const [way, take] of Object.entries(WAYS)) {
  test(`book of money: ${way}, no payment before or after is lost`, async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'money.db');
    {
      await using kept = await openKept(folder.path);
      payMany(kept.payments, 1, 5);
      take(path);
      assert.throws(() => pay(kept.payments, 6), /gone/, 'nothing is acknowledged into it');
      await kept.keeper.whenRebuilt();
      payMany(kept.payments, 6, 8);
      assert.ok(kept.payments.find('order-1') !== null, 'it goes on at once');
      take(path);
    }
    await using after = await openKept(folder.path);
    for (let n = 1; n <= 8; n += 1) assert.ok(after.payments.find(`order-${n}`) !== null, `order-${n}`);
  });

  test(`items: ${way}, and what would be lost is refused with a remedy`, async () => {
    using folder = temporaryFolder();
    await using device = await startTestDevice({}, folder.path);
    const put = (id: string) =>
      call(`${device.recognition}/v1/items/${id}`, { method: 'PUT', json: { name: 'Apples' } });
    assert.is((await put('before')).status, 201);
    take(join(folder.path, 'items.db'));
    const picture = readFileSync(new URL('../../docs/console.png', import.meta.url));
    for (const refused of [
      await put('after'),
      await call(`${device.recognition}/v1/items/before`, { method: 'PATCH', json: { price: 1 } }),
      await call(`${device.recognition}/v1/items/before`, { method: 'DELETE' }),
      await call(`${device.recognition}/v1/items/before/picture`, {
        method: 'PUT',
        headers: { 'content-type': 'image/png' },
        body: new Uint8Array(picture),
      }),
      await call(`${device.recognition}/v1/catalogue`, { json: { items: [{ id: 'after', name: 'Pears' }] } }),
    ]) {
      assert.equal([refused.status, refused.body.code], [500, 'Internal.StorageRefused'], refused.text);
      assert.match(refused.body.detail, /^items\.db was taken away .*restart the device.*; nothing was changed$/);
    }
    assert.is((await call(`${device.recognition}/v1/items/after`)).status, 404, 'and nothing was');
    const { body } = await call(`${device.recognition}/health`);
    const parts: readonly { part: string; state: string; reason?: string }[] = body.data.parts;
    const own = parts.find(({ part }) => part === 'items');
    assert.is(own?.state, 'failed', JSON.stringify(parts));
    assert.match(own?.reason ?? '', /^The file of items was removed/);
  });
}

test.run();
