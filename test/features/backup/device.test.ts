/** Backups over `/v1`: another device takes over what one has made, and each fault leaves the device unchanged. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSealer } from '../../../firmware/core/secrets/sealer.ts';
import { OPEN_ON_OTHER_DEVICE } from '../../../firmware/features/backup/other-board.ts';
import { DriverSettings } from '../../../firmware/payments/settings/settings.ts';
import { CFT, call, SANDBOX_SETTINGS, setUp, startTestDevice, temporaryFolder, until } from '../../support.ts';
import { amounts, formOf, leftOf, made, PASSPHRASE, pay, putBack, refused, sell } from './rig.ts';

const test = suite('backups of a device');

test('one device’s payments, settings and secrets are another’s after its start; open ones end', async () => {
  using first = temporaryFolder();
  using second = temporaryFolder();
  let file: Buffer;
  {
    await using device = await startTestDevice({}, first.path);
    const profiles = { ...SANDBOX_SETTINGS.bankProfiles, real: CFT };
    await call(`${device.terminal}/updateDriverSettings`, {
      json: { settings: { ...SANDBOX_SETTINGS, bankProfiles: profiles } },
    });
    await sell(device, 100);
    await pay(device);
    await sell(device, 200);
    const lastMade = async () => (await call(`${device.recognition}/console/api/backups`)).body.lastMade;
    assert.is(await lastMade(), null);
    const before = Date.now();
    file = await made(device);
    await until('it is known', async () => (await lastMade()) !== null);
    assert.ok(Date.parse(await lastMade()) >= before);
    await until('the copies are gone', () => leftOf(first.path).length === 0);
    assert.not(file.includes(CFT.password));
  }
  {
    await using device = await startTestDevice({ LANEWARE_SERIAL: 'TEST0002' }, second.path);
    const { status, body } = await putBack(device, formOf(file));
    assert.is(status, 200, JSON.stringify(body));
    assert.equal(
      { device: body.device, sameBoard: body.sameBoard, restarts: body.restarts, unopened: body.unopened },
      { device: 'TEST0001', sameBoard: false, restarts: false, unopened: 0 },
    );
    assert.equal(await amounts(device), [], 'nothing changes before the start');
    assert.is((await call(`${device.recognition}/console/api/backups`)).body.ready, true);
    refused(await putBack(device, formOf(file)), 409, 'Backups.Busy');
  }
  await using device = await startTestDevice({ LANEWARE_SERIAL: 'TEST0002' }, second.path);
  assert.equal(await amounts(device), [100, 200]);
  const { payments } = (await call(`${device.terminal}/v1/payments?limit=10`)).body;
  const open = payments.find(({ amount }: { amount: number }) => amount === 200);
  assert.is(open.error, OPEN_ON_OTHER_DEVICE);
  const state = (await call(`${device.recognition}/console/api/backups`)).body;
  assert.equal(
    { ready: state.ready, restored: state.last.restored, device: state.last.device },
    { ready: false, restored: true, device: 'TEST0001' },
  );
  assert.is(state.lastMade, null, 'this device has made none');
  assert.not.match(readFileSync(join(second.path, 'settings.json'), 'utf8'), CFT.password);
  const sealer = openSealer(join(second.path, 'secret.key'), undefined);
  assert.equal(new DriverSettings(join(second.path, 'settings.json'), sealer).with('real')?.profile, CFT);
  await sell(device, 300);
  await pay(device);
});

test('on the board that has made it an open payment goes on', async () => {
  using folder = temporaryFolder();
  {
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    await sell(device, 200);
    assert.is((await putBack(device, formOf(await made(device)))).body.sameBoard, true);
  }
  await using device = await startTestDevice({}, folder.path);
  assert.is((await call(`${device.terminal}/getDynamicQRStatus`)).body.dynamicQRStatus, 'PENDING');
  await pay(device);
});

test('wrong passphrase, changed byte, later format, missing field: named, and nothing is left', async () => {
  using folder = temporaryFolder();
  await using device = await startTestDevice({}, folder.path);
  await setUp(device);
  await sell(device, 100);
  const file = await made(device);
  const wrong = await putBack(device, formOf(file, 'another passphrase'));
  refused(wrong, 422, 'Backups.WrongPassphrase');
  assert.is(wrong.body.field, 'passphrase');
  const changed = Buffer.from(file);
  changed[file.length - 5000] = (changed[file.length - 5000] ?? 0) ^ 1;
  refused(await putBack(device, formOf(changed)), 422, 'Backups.Damaged');
  const later = Buffer.from(file.toString('latin1').replace('LANEWARE BACKUP 1', 'LANEWARE BACKUP 9'), 'latin1');
  refused(await putBack(device, formOf(later)), 409, 'Backups.TooNew');
  const without = new FormData();
  without.append('file', new Blob([new Uint8Array(file)]), 'lane.backup');
  const missing = await putBack(device, without);
  assert.equal([missing.status, missing.body.field], [400, 'passphrase']);
  const nameless = `--b\r\ncontent-disposition: form-data; name="passphrase"\r\n\r\n${PASSPHRASE}\r\n--b\r\ncontent-disposition: form-data; name="file"\r\n\r\n`;
  const bare = await call(`${device.recognition}/console/api/backups/restore`, {
    ...{ method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=b' } },
    body: Buffer.concat([Buffer.from(nameless), changed, Buffer.from('\r\n--b--\r\n')]),
  });
  refused(bare, 422, 'Backups.Damaged'); // it was read
  const empty = new FormData();
  empty.append('passphrase', PASSPHRASE);
  const fileless = await putBack(device, empty);
  assert.equal([fileless.status, fileless.body.field], [400, 'file']);
  const short = await call(`${device.recognition}/console/api/backups`, { json: { passphrase: 'short' } });
  assert.equal([short.status, short.body.field], [400, 'passphrase']);
  assert.match(short.body.detail, '10');
  assert.equal(leftOf(folder.path), []);
  assert.is((await call(`${device.recognition}/console/api/backups`)).body.ready, false);
  assert.equal(await amounts(device), [100]);
});

test('a damaged document is named with the backup that lacks it', async () => {
  using folder = temporaryFolder();
  await using device = await startTestDevice({}, folder.path);
  for (const end of ['', '.copy']) writeFileSync(join(folder.path, `shop.json${end}`), '{"a":1}');
  const url = `${device.recognition}/console/api/backups`;
  const { status, headers } = await call(url, { json: { passphrase: PASSPHRASE } });
  assert.equal([status, headers.get('laneware-left-out')], [200, 'shop.json']);
});

test('what keeps a backup from being restored keeps no device from starting, nothing changed', async () => {
  using folder = temporaryFolder();
  {
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    assert.is((await putBack(device, formOf(await made(device)))).status, 200);
  }
  writeFileSync(join(folder.path, 'money.db'), 'damaged meanwhile, and what would be lost is unknown');
  await using device = await startTestDevice({}, folder.path);
  assert.is((await call(`${device.recognition}/console/api/backups`)).body.ready, true);
  assert.is((await call(`${device.terminal}/getDriverSettings`)).body.settings.bankProfiles !== undefined, true);
});

test.run();
