/** A backup from one device, made and put back on the pages: the other one, a process of its own, starts anew, pays and recognises. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { freePort } from '../ports.ts';
import { startFirmware, type Urls } from '../process.ts';
import { SHIPPED_MANIFEST } from '../recognition/fixtures/models.ts';
import { call, pick, setUp, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';
import { englishIn, findNothing } from './audit.ts';
import { browserSuite, button, live, PHONE, REFUSED, show } from './support.ts';

const { test, browsing } = browserSuite('pages of backups in Chromium');

/** A serial number is read, too: it shall have no letters. */
const SEEING = { LANEWARE_SERIAL: '104', LANEWARE_CAMERA_DRIVER: 'push', LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST };
const THING =
  '<rect x="520" y="240" width="220" height="240" fill="#b3302a"/><rect x="520" y="240" width="110" height="120" fill="#1f63b0"/>';
const PASSPHRASE = 'seven lamps over the counter';

async function seesModel({ recognition }: Pick<TestDevice, 'recognition'>): Promise<void> {
  await until('the model', async () => (await call(`${recognition}/v1/recognition`)).status !== 503);
}

async function payOnce({ terminal, sandbox }: Urls, amount: number): Promise<void> {
  assert.is((await call(`${terminal}/showQR`, { json: { amount } })).status, 200);
  const [newest] = (await call(`${sandbox}/sandbox/payments`)).body;
  await call(`${sandbox}/sandbox/payments/${newest.qrcId}/pay`, { method: 'POST' });
  await until(
    'ACCEPTED',
    async () => (await call(`${terminal}/getDynamicQRStatus`)).body.dynamicQRStatus === 'ACCEPTED',
  );
}

/** A device that has sold and knows an item; the backup that its page makes. */
async function fileOfTaught(): Promise<Buffer> {
  await using device = await startTestDevice(SEEING);
  await setUp(device);
  await show(device, '');
  await seesModel(device);
  await call(`${device.recognition}/api/learn_background`, { method: 'POST' });
  await show(device, THING);
  for (let count = 0; count < 3; count++)
    await until(
      'a template',
      async () => (await call(`${device.recognition}/api/add_item_template`, { json: { id: '4011' } })).body.code === 0,
    );
  await payOnce({ ...device }, 45_900);
  const pieces: Buffer[] = [];
  await using page = await browsing.open(`${device.recognition}/#/device/backup`, {
    viewport: PHONE,
    acceptDownloads: true,
  });
  await page.locator('#backup-passphrase').fill('short');
  await page.locator('#backup-again').fill('short');
  await button(page, 'Make a backup').click();
  await page.locator('#backup-passphrase-problem').getByText('At least 10 characters.').waitFor();
  await page.locator('#backup-passphrase').fill(PASSPHRASE);
  await page.locator('#backup-again').fill(`${PASSPHRASE}.`);
  await button(page, 'Make a backup').click();
  await page.getByText('The passphrases do not match.').waitFor();
  await page.locator('#backup-again').fill(PASSPHRASE);
  const coming = page.waitForEvent('download');
  await button(page, 'Make a backup').click();
  const download = await coming;
  assert.match(download.suggestedFilename(), /^laneware-104-.*\.backup$/);
  for await (const piece of await download.createReadStream()) pieces.push(Buffer.from(piece));
  await page.getByText('Done. The file is in your downloads').waitFor();
  assert.is(await page.locator('#backup-passphrase').inputValue(), '', 'the passphrase does not stay on the page');
  return Buffer.concat(pieces);
}

test('a backup of one device, restored on another’s Welcome page, pays and recognises there', async () => {
  const buffer = await fileOfTaught();
  using folder = temporaryFolder();
  const [terminal, recognition, bank] = [await freePort(), await freePort(), await freePort()];
  const settings = {
    ...SEEING,
    LANEWARE_SERIAL: '105',
    LANEWARE_TERMINAL_PORT: String(terminal),
    LANEWARE_RECOGNITION_PORT: String(recognition),
    LANEWARE_SANDBOXBANK_PORT: String(bank),
  };
  const { program, urls } = await startFirmware(folder.path, { settings });
  await using _ = program;
  const file = { name: 'lane.backup', mimeType: 'application/octet-stream', buffer };
  await using page = await browsing.open(`${urls.recognition}/#/welcome/restore`, { viewport: PHONE }, REFUSED);
  await page.locator('#restore-file').setInputFiles(file);
  await page.locator('#restore-passphrase').fill('another passphrase');
  await button(page, 'Restore').click();
  await page.locator('#restore-passphrase-problem').getByText('Wrong passphrase. Nothing was changed.').waitFor();
  await findNothing(page, 'refused', null);
  await page.locator('#restore-passphrase').fill(PASSPHRASE);
  await button(page, 'Restore').click();
  const restored = page.locator('#last-restore', { hasText: 'Last restored: backup of device 104' });
  await restored.waitFor({ timeout: 60_000 });
  await live(page);
  await findNothing(page, 'restored', null);
  await page.locator('.languages [lang=ru]').click();
  await page.getByText('Последнее восстановление: копия устройства 104').waitFor();
  assert.equal(await englishIn(page), []);
  assert.is(program.child.exitCode, null, 'the same process, not restarted');
  const at = { ...urls };
  assert.equal(pick((await call(`${at.terminal}/v1/payments`)).body.payments, 'amount'), [45_900]);
  await payOnce(at, 12_300);
  await show(at, '');
  await show(at, THING);
  await until('it is recognised', async () => {
    await show(at, THING);
    const { body } = await call(`${at.recognition}/api/get_result`);
    return JSON.stringify(body).includes('4011');
  });
});

/** Has the page speak Russian. @returns the title of the window at the moment in which its heading is Russian */
const titleAtTurn = (page: Page): Promise<string> =>
  page.evaluate(`new Promise((resolve) => {
    const seen = new MutationObserver(() => resolve(document.title));
    seen.observe(document.querySelector('h1'), { characterData: true, childList: true, subtree: true });
    document.querySelector('.languages [lang=ru]').click();
  })`);

test('a backup that comes shorter than its size says is not kept, and the page says so', async () => {
  await using device = await startTestDevice({ LANEWARE_SERIAL: '107' });
  await using page = await browsing.open(`${device.recognition}/#/device/backup`, { acceptDownloads: true });
  let downloads = 0;
  page.on('download', () => downloads++);
  const headers = { 'content-length': '100' };
  await page.route('**/console/api/backups', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ headers, body: 'half of it' }) : route.continue(),
  );
  for (const field of ['#backup-passphrase', '#backup-again']) await page.locator(field).fill(PASSPHRASE);
  await button(page, 'Make a backup').click();
  const outcome = page.locator('#backup-out .outcome');
  await outcome.waitFor();
  assert.match((await outcome.textContent()) ?? '', 'The file did not arrive complete. Try again.');
  assert.is(downloads, 0);
});

test('a backup that is older than the device asks first, and says what would vanish', async () => {
  await using device = await startTestDevice({ LANEWARE_SERIAL: '106' });
  await setUp(device);
  const response = await fetch(`${device.recognition}/console/api/backups`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ passphrase: PASSPHRASE }),
  });
  const buffer = Buffer.from(await response.arrayBuffer());
  await payOnce({ ...device }, 100);
  await using page = await browsing.open(`${device.recognition}/#/device/backup`, {}, REFUSED);
  await page.locator('#restore-file').setInputFiles({ name: 'x.backup', mimeType: 'a/b', buffer });
  await page.locator('#restore-passphrase').fill(PASSPHRASE);
  await button(page, 'Restore').click();
  await page.getByRole('dialog').getByText('This device has payments (1) and refunds (0)').waitFor();
  await findNothing(page, 'what would vanish', null);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.is((await call(`${device.recognition}/console/api/backups`)).body.ready, false);
  await button(page, 'Restore').click();
  await button(page, 'Restore anyway').click();
  // nothing restarts a device of a test
  await page.getByText('The backup is complete. Restart the device').waitFor();
  assert.is((await call(`${device.recognition}/console/api/backups`)).body.ready, true);
  await page.reload();
  await page.getByText('A backup was uploaded and is ready to be restored.').waitFor();
  await findNothing(page, 'one that is ready', null);
  assert.is(await titleAtTurn(page), 'Устройство · Laneware');
  await page.getByText('Копия загружена и готова к восстановлению.').waitFor();
  assert.equal(await englishIn(page), []);
  await button(page, 'Восстановить').click();
  await page.getByText('Копия цела. Перезагрузите устройство').waitFor();
  await page.reload();
  await button(page, 'Не восстанавливать').click();
  await page.locator('#restore-file').waitFor({ state: 'attached' });
  assert.is((await call(`${device.recognition}/console/api/backups`)).body.ready, false);
});

test.run();
