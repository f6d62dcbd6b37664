/** The page of the store as a technician uses it, in real Chromium. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { freePort } from '../ports.ts';
import { call, startTestDevice, temporaryFolder, until } from '../support.ts';
import { browserSuite, button, REFUSED } from './support.ts';

const { test, browsing } = browserSuite('page of the store in Chromium');

/** Devices that do not wait long for each other. */
const OFTEN = Object.freeze({ tuning: { sync: { intervalMs: 200 } } });
const here = async () => ({ LANEWARE_SYNC_HOST: '127.0.0.1', LANEWARE_SYNC_PORT: String(await freePort()) });

test('a device becomes the master, shows its devices and, at a press, the pairing code', async () => {
  await using device = await startTestDevice(await here());
  // a question for the marks may be under way while the device leaves the store
  await using page = await browsing.open(`${device.recognition}/#/store`, {}, REFUSED);
  await page.getByText('does not share items').waitFor();
  await button(page, 'Make this the master').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make this the master' }).click();
  await page.locator('#devices .chip', { hasText: 'this device' }).waitFor();
  const pairing = () => call(`${device.recognition}/api/get_sync_pairing_code`, { method: 'POST' });
  await until('the server of the store runs', async () => (await pairing()).body.code === 0);
  await button(page, 'Show pairing code').click();
  await page.locator('#pairing code', { hasText: /^[A-Z0-9-]{20,}$/ }).waitFor();
  await page.locator('#pairing [role=timer]', { hasText: /^Valid for \d+:\d\d\./ }).waitFor();
  await button(page, 'Copy: Pairing code').waitFor();
  await page.locator('#devices .nothing', { hasText: 'No other devices yet.' }).waitFor();
  await button(page, 'Leave the store').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave the store' }).click();
  await page.getByText('does not share items').waitFor();
});

test('a pairing code counts down, and leaves the page when its time is over', async () => {
  await using device = await startTestDevice();
  await using page = await browsing.open('about:blank');
  const alone = (await call(`${device.recognition}/console/api/store`)).body;
  await page.route('**/console/api/store', (route) =>
    route.fulfill({ json: { ...alone, role: 'master', masterSN: 'M' } }),
  );
  await page.route('**/console/api/store/marks', (route) => route.fulfill({ json: { marks: [], ended: [] } }));
  await page.route('**/console/api/store/pairing-code', (route) =>
    route.fulfill({ json: { code: 'ABCDE-FGHIJ', seconds: 2, qr: { size: 9, path: 'M4 4h1v1h-1z' } } }),
  );
  await page.goto(`${device.recognition}/#/store`);
  await button(page, 'Show pairing code').click();
  await page.getByText('ABCDE-FGHIJ').waitFor();
  await page.getByText('Valid for 0:01').waitFor();
  await page.getByText('The code has expired').waitFor();
  assert.is(await page.getByText('ABCDE-FGHIJ').count(), 0);
});

test('a slave is paired on its page, sees its master and last success, and reads what is wrong', async () => {
  const port = String(await freePort());
  const asMaster = { LANEWARE_SYNC_HOST: '127.0.0.1', LANEWARE_SYNC_PORT: port, LANEWARE_SERIAL: 'LANE-10' };
  await using master = await startTestDevice(asMaster);
  await using slave = await startTestDevice({ LANEWARE_SERIAL: 'LANE-11' }, undefined, OFTEN);
  await call(`${master.recognition}/api/set_sync_master`, { json: { upload: true, download: true } });
  const pairing = () => call(`${master.recognition}/api/get_sync_pairing_code`, { method: 'POST' });
  const { pairingCode } = await until('the server of the store runs', async () => (await pairing()).body.data);
  const work = async (page: Page) => {
    await page.getByText('Or enter both:').waitFor();
    await button(page, 'Pair').click();
    await page.locator('#master-problem', { hasText: 'Enter the master’s address.' }).waitFor();
    await page.getByLabel('Master’s address').fill(`127.0.0.1:${port}`);
    await button(page, 'Pair').click();
    await page.locator('#code-problem', { hasText: 'Enter the code' }).waitFor();
    await page.getByLabel('Pairing code').fill('WRONG');
    await button(page, 'Pair').click();
    await page.locator('#code-problem', { hasText: 'One of the fields was not accepted' }).waitFor();
    await page.getByLabel('Master’s address').fill(`127.0.0.1:99999`);
    await button(page, 'Pair').click();
    await page.locator('#master-problem', { hasText: 'One of the fields was not accepted' }).waitFor();
    assert.is(await page.locator('#join .problem, #join .outcome').count(), 1, 'it is shown once');
    await page.getByLabel('Master’s address').fill(`127.0.0.1:${port}`);
    await page.getByLabel('Pairing code').fill(pairingCode);
    await page.keyboard.press('Enter');
    await page.getByText(/^This device is paired with the master LANE-10, 127\.0\.0\.1\./).waitFor();
    await page.getByText(/Last synchronised: \d\d:\d\d:\d\d\.$/).waitFor();
    await page.locator('#join').waitFor({ state: 'detached' });
    await call(`${master.recognition}/api/set_sync_standalone`, { method: 'POST' });
    await page.locator('.fault', { hasText: 'The master cannot be reached' }).waitFor();
    await page.getByText(`The master at 127.0.0.1:${port} does not answer. Check that it is on`).waitFor();
  };
  await browsing.visit(`${slave.recognition}/#/store`, {}, work, /status of 400/);
  await using page = await browsing.open(`${master.recognition}/#/store`, { locale: 'ru-RU' });
  await page.getByText('не обменивается товарами').waitFor();
});

test('a slave that waits for its pairing does not say that it is paired, in both languages', async () => {
  await using device = await startTestDevice();
  const json = { masterIP: '192.168.1.10', mastersyncPort: 7443, upload: true, download: true };
  await call(`${device.recognition}/api/set_sync_slave`, { json });
  for (const [locale, words] of [
    ['en-GB', 'This device is not paired with the master 192.168.1.10 yet.'],
    ['ru-RU', 'Это устройство ещё не подключено к главному 192.168.1.10.'],
  ] as const) {
    await using page = await browsing.open(`${device.recognition}/#/store`, { locale });
    await page.locator('#store .summary').waitFor();
    assert.is(await page.locator('#store .summary').innerText(), words);
  }
});

test('a master reads on the page of the store what was lost of it, beside what does not work', async () => {
  await using device = await startTestDevice();
  const alone = (await call(`${device.recognition}/console/api/store`)).body;
  const master = { ...alone, role: 'master', paired: true, masterSN: 'M' };
  for (const [locale, reason, words] of [
    ['en-GB', 'sync-devices-damaged', 'The list of paired devices was damaged'],
    ['en-GB', 'sync-marks-lost', 'What was to be deleted on all devices of the store was lost'],
    ['ru-RU', 'sync-devices-damaged', 'Список подключённых устройств повреждён'],
    ['ru-RU', 'sync-marks-lost', 'Потерян список того, что удаляется'],
  ] as const)
    for (const problem of [null, 'made up']) {
      await using page = await browsing.open('about:blank', { locale });
      await page.route('**/console/api/store', (route) => route.fulfill({ json: { ...master, reason, problem } }));
      await page.route('**/console/api/store/marks', (route) => route.fulfill({ json: { marks: [], ended: [] } }));
      await page.goto(`${device.recognition}/#/store`);
      await page.locator('#store .advice', { hasText: words }).waitFor();
      assert.is(await page.locator('#store .advice').count(), problem === null ? 1 : 2);
    }
});

test('a slave names another master, its own that forgot it, or none, in both languages', async () => {
  await using device = await startTestDevice();
  const alone = (await call(`${device.recognition}/console/api/store`)).body;
  const slave = {
    ...alone,
    role: 'slave',
    paired: true,
    masterSN: 'M',
    address: '192.168.1.10:7443',
    problem: 'made up',
  };
  for (const [locale, reason, words] of [
    ['en-GB', 'sync-other-master', 'What answers at 192.168.1.10:7443 is not the master'],
    ['en-GB', 'sync-not-known', 'The master at 192.168.1.10:7443 does not know this device'],
    ['en-GB', 'sync-no-answer', 'The master at 192.168.1.10:7443 does not answer'],
    ['ru-RU', 'sync-no-answer', 'Главное устройство по адресу 192.168.1.10:7443 не отвечает'],
    ['ru-RU', 'sync-other-master', 'По адресу 192.168.1.10:7443 отвечает не то главное устройство'],
    ['ru-RU', 'sync-not-known', 'Главное устройство по адресу 192.168.1.10:7443 не знает этого'],
  ] as const) {
    await using page = await browsing.open('about:blank', { locale });
    await page.route('**/console/api/store', (route) => route.fulfill({ json: { ...slave, reason } }));
    await page.goto(`${device.recognition}/#/store`);
    await page.locator('#store .advice', { hasText: words }).waitFor();
    assert.is(await page.locator('#join .advice').count(), 0, 'the line is not the trouble');
    await page.locator('#join #code').waitFor();
  }
});

test('a device whose role was damaged is left on its own at a press, and says no more of it', async () => {
  await using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'sync.json'), 'no document');
  await using device = await startTestDevice({}, folder.path);
  await using page = await browsing.open(`${device.recognition}/#/store`);
  await page.getByText('The role in the store was damaged: choose it again.').first().waitFor();
  await button(page, 'Leave it on its own').click();
  await page.getByText('This device is no longer in a store.').waitFor();
  await button(page, 'Leave it on its own').waitFor({ state: 'detached' });
  await page.locator('#store .advice').waitFor({ state: 'detached' });
});

test('deletion everywhere is typed first; its progress outlives a reload, and it can be ended', async () => {
  await using device = await startTestDevice({ ...(await here()), LANEWARE_SERIAL: 'LANE-10' });
  await call(`${device.recognition}/v1/items/7`, { method: 'PUT', json: { name: 'Tea' } });
  await call(`${device.recognition}/api/set_sync_master`, { json: { upload: true, download: true } });
  const marks = async () => (await call(`${device.recognition}/api/get_deletion_all_progress`)).body.data.items;
  await using page = await browsing.open(`${device.recognition}/#/store`);
  await page.locator('#everywhere').getByRole('button', { name: /^Tea/ }).click();
  const dialog = page.getByRole('dialog');
  const yes = dialog.getByRole('button', { name: 'Delete everywhere' });
  assert.ok(await yes.isDisabled(), 'nothing is typed');
  await dialog.getByLabel('Enter 7 to confirm').fill('77');
  assert.ok(await yes.isDisabled(), 'something else is typed');
  assert.equal(await marks(), []);
  await dialog.getByLabel('Enter 7 to confirm').fill('7');
  await yes.click();
  await page.locator('#everywhere .chip', { hasText: '1 of 1 devices' }).waitFor();
  assert.equal(await marks(), [{ id: '7', SNs: ['LANE-10'] }]);
  await page.reload();
  await page.locator('#everywhere').getByRole('button', { name: 'End: 7' }).click();
  await page.getByText('No deletions in progress.').waitFor();
  assert.equal(await marks(), []);
  await button(page, 'Synchronise now').click();
  await page.getByText('Sent: 0, received: 0, deleted: 0. Pictures here: 0.').waitFor();
});

test('a deletion that a restart has ended names who had not deleted it, and is offered again', async () => {
  await using device = await startTestDevice({ ...(await here()), LANEWARE_SERIAL: 'LANE-10' });
  await call(`${device.recognition}/api/set_sync_master`, { json: { upload: true, download: true } });
  const store = (await call(`${device.recognition}/console/api/store`)).body;
  const [own] = store.devices;
  const devices = [own, { ...own, sn: 'LANE-11' }];
  const done = [own.sn];
  let answer = {
    marks: [{ item: '7', done }],
    ended: [
      { item: '8', done },
      { item: '9', done: [own.sn, 'LANE-11'] },
    ],
  };
  await using page = await browsing.open('about:blank');
  await page.route('**/console/api/store', (route) => route.fulfill({ json: { ...store, devices } }));
  await page.route('**/console/api/store/marks', (route) => route.fulfill({ json: answer }));
  await page.route('**/console/api/store/marks/8', (route) => {
    answer = { marks: [{ item: '8', done }], ended: [] };
    return route.fulfill({ json: answer });
  });
  await page.goto(`${device.recognition}/#/store`);
  const everywhere = page.locator('#everywhere');
  await everywhere.getByText('Waiting for: LANE-11 A restart of this device ends the deletion').waitFor();
  await everywhere.getByText('These had not deleted it yet and bring the pictures back: LANE-11').waitFor();
  assert.is(await everywhere.locator('li').filter({ hasText: '9' }).count(), 0, 'all have deleted that one');
  await page.getByRole('button', { name: 'Delete again: 8' }).click();
  await page.getByRole('dialog').getByLabel('Enter 8 to confirm').fill('8');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete everywhere' }).click();
  await page.getByRole('button', { name: 'End: 8' }).waitFor();
  assert.is(await everywhere.getByText('Ended by a restart').count(), 0);
});

test('deleting everything is typed first, counts who is done, and reaches a device that was away', async () => {
  const asMaster = { ...(await here()), LANEWARE_SERIAL: 'LANE-10' };
  await using master = await startTestDevice(asMaster, undefined, OFTEN);
  await using slave = await startTestDevice({ LANEWARE_SERIAL: 'LANE-11' }, undefined, OFTEN);
  const store = async ({ recognition }: { recognition: string }) =>
    (await call(`${recognition}/console/api/store`)).body;
  await call(`${master.recognition}/console/api/store`, { json: {} });
  const pairing = () => call(`${master.recognition}/console/api/store/pairing-code`, { method: 'POST' });
  const { code } = await until('the server of the store runs', async () => {
    const { status, body } = await pairing();
    return status === 200 && body;
  });
  const json = { host: '127.0.0.1', port: Number(asMaster.LANEWARE_SYNC_PORT), code };
  await call(`${slave.recognition}/console/api/store/master`, { method: 'PUT', json });
  await until('the slave is there', async () => (await store(slave)).lastSuccess !== null);
  await using page = await browsing.open(`${master.recognition}/#/store`);
  assert.is(await button(page, 'Delete everything everywhere…').isVisible(), false);
  await page.getByText('Advanced').click();
  await button(page, 'Delete everything everywhere…').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^All 2 devices of this store delete/).waitFor();
  const yes = dialog.getByRole('button', { name: 'Delete everything' });
  assert.ok(await yes.isDisabled(), 'nothing is typed');
  await dialog.getByLabel('Enter LANE-10 to confirm').fill('LANE-11');
  assert.ok(await yes.isDisabled(), 'another device is typed');
  assert.is((await store(master)).wipe, null);
  await dialog.getByLabel('Enter LANE-10 to confirm').fill('LANE-10');
  await yes.click();
  await page.locator('#wipe .chip', { hasText: 'Done on 2 of 2 devices' }).waitFor();
  const first = (await store(master)).wipe.id;
  await call(`${slave.recognition}/console/api/store`, { method: 'DELETE' });
  await page.reload();
  await button(page, 'Delete everything everywhere…').click();
  await dialog.getByLabel('Enter LANE-10 to confirm').fill('LANE-10');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('#wipe .chip', { hasText: 'Done on 1 of 2 devices' }).waitFor();
  await page.getByText('Waiting for: LANE-11').waitFor();
  assert.is.not((await store(master)).wipe.id, first, 'it is another one');
  await page.locator('#devices').getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.locator('#wipe .chip', { hasText: '1 of 1 devices' }).waitFor();
});

test('a deletion of everything without an answer is repeated as the same one until reported', async () => {
  await using master = await startTestDevice({ ...(await here()), LANEWARE_SERIAL: 'LANE-10' }, undefined, OFTEN);
  await call(`${master.recognition}/console/api/store`, { json: {} });
  await using page = await browsing.open(`${master.recognition}/#/store`, {}, /ERR_FAILED/);
  const sent: string[] = [];
  let isReached = false;
  await page.route('**/console/api/store/wipes/*', async (route) => {
    sent.push(route.request().url());
    if (isReached) await route.fetch();
    await route.abort();
  });
  const send = async () => {
    const before = sent.length;
    await button(page, 'Delete everything everywhere…').click();
    await page.getByRole('dialog').getByLabel('Enter LANE-10 to confirm').fill('LANE-10');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await until('it is sent', () => sent.length > before);
    await page.locator('#wipe .outcome.failed').waitFor();
  };
  await page.getByText('Advanced').click();
  await send();
  isReached = true;
  await send();
  await page.locator('#wipe .chip', { hasText: '1 of 1 devices' }).waitFor();
  await send();
  const [lost, again, another] = sent;
  assert.is(again, lost);
  assert.is.not(another, lost);
});

test('a code that the camera does not see is reported, and the page pairs by one that it sees', async () => {
  const port = String(await freePort());
  const asMaster = { LANEWARE_SYNC_HOST: '127.0.0.1', LANEWARE_SYNC_PORT: port, LANEWARE_SERIAL: 'LANE-10' };
  await using master = await startTestDevice(asMaster);
  await using slave = await startTestDevice({ LANEWARE_SERIAL: 'LANE-11', LANEWARE_CAMERA_DRIVER: 'push' });
  await call(`${master.recognition}/api/set_sync_master`, { json: { upload: true, download: true } });
  const pairing = () => call(`${master.recognition}/api/get_sync_pairing_code`, { method: 'POST' });
  await until('the server of the store runs', async () => (await pairing()).body.code === 0);
  await using page = await browsing.open(`${slave.recognition}/#/store`, {}, /status of (409|503)/);
  await button(page, 'Scan with the camera').click();
  await page.getByText('No picture from the camera yet').or(page.locator('#join .outcome.failed')).first().waitFor();
  const other = await page.context().newPage();
  await other.goto(`${master.recognition}/#/store`);
  await button(other, 'Show pairing code').click();
  // what a phone that is held before the camera shows: the page of the master as it is drawn
  const shot = await other.locator('.pairing-qr').screenshot({ type: 'jpeg' });
  await call(`${slave.recognition}/camera/frame`, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: new Uint8Array(shot),
  });
  await button(page, 'Scan with the camera').click();
  await page.getByText(/^This device is paired with the master LANE-10/).waitFor();
  await page.locator('#join').waitFor({ state: 'detached' });
});

test.run();
