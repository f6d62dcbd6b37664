/** The page on which a fresh device is set up, in real Chromium: by the press that tries it, and by the forms. */
import * as assert from 'uvu/assert';
import { call, each, onDevice, rowsOf, SCREEN, startTestDevice, until } from '../support.ts';
import { findNothing } from './audit.ts';
import { browserSuite, button, focused, Gate, live, REFUSED, SEEING, show } from './support.ts';

const { test, browsing } = browserSuite('page of setting up in Chromium');
const it = each(test, onDevice);
/** What a page takes to act upon an answer that it has. */
const ANSWER_READ_MS = 300;

it('a newcomer finds the page first, asks for a payment by one press; the lane links to it', async (device) => {
  await using page = await browsing.open(device.recognition);
  await button(page, 'Set up for testing').waitFor();
  await page.goto(`${device.recognition}/#/lane`);
  await page.getByText('Not set up yet', { exact: true }).waitFor();
  assert.ok(await button(page, 'Show QR code').isDisabled());
  await page.locator('#sales').getByRole('link', { name: 'Set up the bank and display' }).click();
  await button(page, 'Set up for testing').click();
  await page.locator('#display .soft', { hasText: 'Screen or browser: /display' }).waitFor();
  await page.getByRole('heading', { name: 'Ready to take payments' }).waitFor();
  assert.is(await page.locator('#try').count(), 0);
  await button(page, 'Make a test payment').click();
  await page.getByText('Test payment of ₽100.00 succeeded.').waitFor();
  const { payments } = (await call(`${device.terminal}/v1/payments`)).body;
  assert.equal(rowsOf(payments, 'state', 'amount'), [['ACCEPTED', 10_000]]);
  assert.is((await call(`${device.recognition}/console/api/overview`)).body.lateCount, 0);
  await page.locator('.strip .test', { hasText: 'TEST' }).waitFor();
  await page.goto(`${device.recognition}/#/lane`);
  await until('payments can be asked for', () => button(page, 'Show QR code').isEnabled());
  await page.goto('about:blank');
  await page.goto(device.recognition);
  await until('a device that is set up begins with its lane', () => button(page, 'Show QR code').isEnabled());
});

it('a speaker that was found is offered, until something is said', async (device) => {
  await using page = await browsing.open('about:blank');
  const voice = { mode: 'off', speakers: [{ name: 'plughw:CARD=Device,DEV=0', title: 'Device' }] };
  await page.route('**/v1/voice', (route) => route.fulfill({ json: voice }));
  await page.goto(`${device.recognition}/#/welcome/ready`);
  const offer = page.locator('#undone').getByRole('link', { name: 'A speaker was found: have it say what is paid' });
  await offer.waitFor();
  assert.is(await offer.getAttribute('href'), '#/device/voice');
  voice.mode = 'chime';
  await page.reload();
  await page.locator('#undone').getByRole('link', { name: 'First backup' }).waitFor();
  await until('it is offered no more', async () => (await offer.count()) === 0);
});

it('a page that is gone to while a trial is still being set up stays', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/welcome`);
  const gate = await Gate.at(page, '**/console/api/sandbox/setup', 'answer');
  await button(page, 'Set up for testing').click();
  await page.locator('.strip .test', { hasText: 'test bank' }).waitFor();
  await page.goto(`${device.recognition}/#/lane`);
  await page.getByRole('heading', { name: 'Checkout' }).waitFor();
  gate.letGo();
  await until('the answer is there', () => gate.answered === 1);
  await page.waitForTimeout(ANSWER_READ_MS);
  assert.is(await page.evaluate('location.hash'), '#/lane');
});

it('a bank is set up by its form: what is missing and what is refused stand at their fields', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/welcome`, {}, /status of 400/);
  await page.getByLabel('Bank name').selectOption('Static');
  await button(page, 'Save').click();
  await page.locator('#field-staticQR-problem', { hasText: 'Required.' }).waitFor();
  await until('the field has the focus', async () => (await focused(page)) === 'field-staticQR');

  await page.getByLabel('Bank name').selectOption('CFT');
  await page.getByLabel('Account alias').fill('A1');
  await page.getByLabel('Company ID').fill('E1');
  await page.getByLabel('Point of sale ID').fill('M1');
  await page.getByLabel('Password').fill('made-up-password');
  await page.getByText('More settings').click();
  await page.getByLabel('Bank address').fill('https://127.0.0.1:9/');
  await page.getByLabel('Client certificate with key', { exact: true }).fill('/no/such/file.pfx');
  await page.getByText('More settings').click();
  await button(page, 'Save').click();
  // what is wrong is not hidden behind a fold
  await until('the folded field has the focus', async () => (await focused(page)) === 'field-pfxPath');
  assert.ok(await page.locator('#field-pfxPath-problem').isVisible());
  assert.is((await call(`${device.recognition}/console/api/settings`)).body.settings.bankProfile, '');

  await page.getByLabel('Bank name').selectOption('Static');
  await page.getByLabel('Content of the code').fill('https://example.org/pay');
  await button(page, 'Save').click();
  await page.locator('#bank .soft', { hasText: 'Static QR code' }).waitFor();
  const { settings } = (await call(`${device.recognition}/console/api/settings`)).body;
  assert.equal(settings.bankProfiles.shop, { bankName: 'Static', staticQR: 'https://example.org/pay' });
  await page.getByRole('link', { name: 'Next' }).click(); // the display is a screen, and there is no camera
  await page.getByText('Step 3 of 5').waitFor();
  await page.getByRole('link', { name: 'Skip' }).click(); // a test sets no zone: all of this process would be in it
  await page.getByRole('heading', { name: 'Ready to take payments' }).waitFor();
  await page.getByText('charge 10 roubles, pay with your phone').waitFor();
  assert.is(await button(page, 'Make a test payment').count(), 0, 'no real money is moved by a press');
  await page.getByRole('link', { name: 'Change: Customer display' }).click();
  await button(page, 'Show a test picture').click();
  await page.getByText('Can you see it?').waitFor();
  assert.is((await call(`${device.recognition}/display/state`)).body.payload, 'LANEWARE TEST');
  await button(page, 'No').click();
  await page.getByText('Check the cable, power and port').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Set up' }).click();
  await page.locator('#ready').getByRole('link', { name: 'Open Checkout' }).waitFor();
  await page.locator('[aria-current=step]', { hasText: 'Step 3 of 5' }).waitFor(); // what was done meanwhile is not opened again
});

it('a secret that is stored stays where nothing is typed, and is never on the page', async (device) => {
  const profile = { bankName: 'Raiffeisenbank', sbpMerchantId: 'MA0000000552', secretKey: 'made-up-secret-key' };
  const settings = { bankProfile: 'shop', bankProfiles: { shop: profile }, deviceConnection: SCREEN };
  const stored = await call(`${device.recognition}/console/api/settings`, {
    method: 'PUT',
    body: JSON.stringify(settings),
    headers: { 'content-type': 'application/json' },
  });
  assert.is(stored.status, 200, stored.text);
  assert.not.match(stored.text, 'made-up-secret-key');
  await using page = await browsing.open(`${device.recognition}/#/welcome/bank`, { locale: 'ru-RU' }, /status of 400/);
  const field = page.getByLabel('Идентификатор точки в СБП');
  await field.waitFor();
  assert.is(await field.inputValue(), 'MA0000000552');
  assert.is(await page.getByLabel('Секретный ключ').inputValue(), '');
  await field.fill('MA0000000553');
  await button(page, 'Сохранить').click();
  // the money would go elsewhere: the secret is asked for again
  await page.locator('#field-secretKey-problem').waitFor();
  assert.not.match(await page.content(), 'made-up-secret-key');
  await field.fill('MA0000000552');
  await button(page, 'Сохранить').click();
  await page.locator('#bank .outcome', { hasText: 'Сохранено' }).waitFor();
});

it('a window that stayed open saves its own part, and leaves what was set elsewhere meanwhile', async (device) => {
  const bankOf = (sbpMerchantId: string) => ({ bankName: 'Raiffeisenbank', sbpMerchantId, secretKey: 'made-up' });
  const set = (shop: string, deviceConnection: object, more: object = {}) =>
    call(`${device.terminal}/updateDriverSettings`, {
      json: { settings: { bankProfile: 'shop', bankProfiles: { shop: bankOf(shop), ...more }, deviceConnection } },
    });
  const now = async () => (await call(`${device.recognition}/console/api/settings`)).body.settings;
  const second = { second: bankOf('MA2') };
  await set('MA1', { connectionType: 'BLE', deviceName: 'QR' });
  await browsing.visit(`${device.recognition}/#/welcome/bank`, {}, async (page) => {
    await page.locator('#field-secretKey').waitFor();
    await set('MA9', { connectionType: 'Screen' }, second);
    await page.locator('#field-secretKey').fill('renewed');
    await button(page, 'Save').click();
    await page.getByText('Saved').first().waitFor();
    assert.equal((await now()).deviceConnection, { connectionType: 'Screen' });
    const { shop, ...others } = (await now()).bankProfiles;
    assert.equal([Object.keys(others), shop.sbpMerchantId], [['second'], 'MA9'], 'the field that was not touched here');
  });
  await using page = await browsing.open(`${device.recognition}/#/welcome/display`);
  await page.locator('#display-kind').selectOption('BLE');
  await page.locator('#field-deviceName').fill('QR');
  await set('MA3', { connectionType: 'Screen' }, second);
  await button(page, 'Save').click();
  await page.getByText('Saved').first().waitFor();
  assert.is((await now()).deviceConnection.connectionType, 'BLE');
  assert.is((await now()).bankProfiles.shop.sbpMerchantId, 'MA3');
});

it('a display whose place is empty is marked as required, until something is typed there', async (device) => {
  await call(`${device.recognition}/console/api/sandbox/setup`, { json: {} });
  await using page = await browsing.open(`${device.recognition}/#/welcome/display`);
  for (const [kind, field] of Object.entries({ Serial: 'field-portName', BLE: 'field-deviceAddress' })) {
    await page.locator('#display-kind').selectOption(kind);
    await page.locator(`#${field}`).fill('  ');
    await page.locator('#display [type=submit]').click();
    await page.locator(`#${field}-problem`, { hasText: 'Required.' }).waitFor();
    await page.locator(`#${field}`).fill('/dev/ttyACM0');
    await page.locator(`#${field}-problem`).waitFor({ state: 'detached' });
  }
});

it('spaces around what is typed are not kept, but in a secret; nothing but spaces is nothing', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/welcome`);
  await page.getByLabel('Bank name').selectOption('Raiffeisenbank');
  const [merchant, secret] = [page.locator('#field-sbpMerchantId'), page.locator('#field-secretKey')];
  await merchant.fill('   ');
  await secret.fill('   ');
  await button(page, 'Save').click();
  for (const name of ['sbpMerchantId', 'secretKey'])
    await page.locator(`#field-${name}-problem`, { hasText: 'Required.' }).waitFor();
  await merchant.fill('  MA1 ');
  await secret.fill(' made up ');
  let sent: unknown = null;
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent = request.postDataJSON().bankProfiles.shop;
  });
  await button(page, 'Save').click();
  await page.locator('#bank .outcome.done').waitFor();
  assert.equal(sent, { bankName: 'Raiffeisenbank', sbpMerchantId: 'MA1', secretKey: ' made up ' });
  assert.is(await merchant.inputValue(), 'MA1');
  const isHeld = await page.evaluate('!dispatchEvent(new Event("beforeunload", { cancelable: true }))');
  assert.is(isHeld, false, 'nothing waits to be saved');
});

it('a test payment that does not end as paid is not said to be', async (device) => {
  await call(`${device.recognition}/console/api/sandbox/setup`, { json: {} });
  await using page = await browsing.open(`${device.recognition}/#/welcome/ready`);
  await page.route('**/v1/payments/*?wait=*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), state: 'REJECTED' } });
  });
  await button(page, 'Make a test payment').click();
  await page.locator('#ready .outcome.failed').waitFor();
  assert.is(await page.getByText('Test payment of').count(), 0);
});

it('the end says what is not done yet, each with its way, and no longer what is', async (device) => {
  await call(`${device.recognition}/console/api/sandbox/setup`, { json: {} });
  await using page = await browsing.open(`${device.recognition}/#/welcome/ready`);
  const left = page.locator('#undone a');
  await left.filter({ hasText: 'First backup' }).waitFor();
  const hrefs = () => left.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  const without = ['#/device/access', '#/device/backup'];
  assert.equal((await hrefs()).slice(-2), without);
  const passphrase = 'seven lamps over the counter';
  assert.is((await call(`${device.recognition}/console/api/backups`, { json: { passphrase } })).status, 200);
  await page.reload();
  await left.filter({ hasText: 'PINs' }).waitFor();
  await until('the backup is done', async () => !(await hrefs()).includes('#/device/backup'));
});

it('what a bank has said of an earlier form is not said of the one that stands there', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/welcome`);
  await page.getByLabel('Bank name').selectOption('Static');
  await page.locator('#field-staticQR').fill('https://example.org/pay');
  const gate = await Gate.at(page, '**/console/api/settings/bank-test');
  await button(page, 'Test the bank').click();
  await until('it is asked', () => gate.count === 1);
  await page.locator('#field-staticQR').fill('https://example.org/other');
  gate.letGo();
  await page.getByText('The form has changed. Test again.').waitFor();
  assert.is(await page.getByText('A static code is shown without the bank.').count(), 0);
});

it('after a bank was chosen the test bank can be had again, and the settings of the other stay', async (device) => {
  const bank = { bankName: 'Static', staticQR: 'https://example.org/pay' };
  const json = { bankProfile: 'shop', bankProfiles: { shop: bank }, deviceConnection: SCREEN };
  await call(`${device.recognition}/console/api/settings`, { method: 'PUT', json });
  await using page = await browsing.open(`${device.recognition}/#/welcome/bank`);
  await button(page, 'Use the test bank').click();
  await button(page.getByRole('dialog'), 'Use the test bank').click();
  await page.locator('#bank .soft', { hasText: 'Test bank' }).waitFor();
  const { settings } = (await call(`${device.recognition}/console/api/settings`)).body;
  assert.is(settings.bankProfile, 'sandbox');
  assert.equal(settings.bankProfiles.shop, bank);
  assert.is(await button(page, 'Use the test bank').count(), 0);
});

it('one step is open at a time; each can be skipped, and the end says what is missing', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/welcome`);
  await live(page);
  const open = page.locator('[aria-current=step]');
  await open.getByText('Step 1 of 5').waitFor();
  assert.is(await page.getByRole('link', { name: 'Open: Customer display' }).count(), 0, 'it needs the bank first');
  const skip = page.getByRole('link', { name: 'Skip' });
  await skip.click();
  await open.getByText('Step 3 of 5').waitFor();
  await skip.click();
  await page.getByRole('heading', { name: 'Not ready to take payments yet' }).waitFor();
  assert.is(await open.count(), 0);
  assert.is(await page.locator('#ready .primary').count(), 0);
  await page.getByRole('link', { name: 'Set up the bank first.' }).click();
  await open.getByText('Step 1 of 5').waitFor();
  assert.is(await open.count(), 1);
  await page.getByRole('link', { name: 'Restore from a backup' }).click();
  await page.locator('#restore-file').waitFor();
  await page.getByRole('link', { name: 'Back to the steps' }).click();
  await page.locator('#bank-name').waitFor();
});

it('a bank asks for what it needs, the rest folded; typed text waits while another is shown', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/welcome`);
  const bank = page.getByLabel('Bank name');
  await bank.selectOption('Alfa Bank');
  const seen = async () => await page.locator('#bank input:visible').evaluateAll((all) => all.map(({ id }) => id));
  assert.equal(await seen(), ['field-userName', 'field-password']);
  await page.getByLabel('Login', { exact: true }).fill('shop-api');
  await bank.selectOption('Static');
  await page.getByLabel('Content of the code').fill('https://example.org/pay');
  await bank.selectOption('Alfa Bank');
  assert.is(await page.getByLabel('Login', { exact: true }).inputValue(), 'shop-api');
  await page.getByText('More settings').click();
  assert.is((await seen()).length, 10);
});

it('a question about typed text goes with the way back, and saved text raises none', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/welcome`);
  const lane = page.getByRole('navigation').getByRole('link', { name: 'Checkout' });
  const question = page.getByRole('dialog', { name: 'Leave this page?' });
  await page.getByLabel('Bank name').selectOption('Alfa Bank');
  await page.getByLabel('Login', { exact: true }).fill('shop-api');
  await lane.click();
  await question.waitFor();
  await page.goBack();
  await question.waitFor({ state: 'detached' });
  assert.is(await page.getByLabel('Login', { exact: true }).inputValue(), 'shop-api');
  await lane.click();
  await button(page, 'Leave').click();
  await page.locator('#ask').waitFor();
  assert.match(page.url(), /#\/lane$/);
  await page.goto(`${device.recognition}/#/welcome`);
  await page.getByLabel('Bank name').selectOption('Static');
  await page.getByLabel('Content of the code').fill('https://example.org/pay');
  await button(page, 'Save').click();
  await page.locator('#bank .outcome.done').waitFor();
  await lane.click();
  await page.locator('#ask').waitFor();
});

it('a display that is gone and a bank that does not answer are named at their steps', async (device) => {
  const put = (bank: object, deviceConnection: object) =>
    call(`${device.recognition}/console/api/settings`, {
      method: 'PUT',
      json: { bankProfile: 'shop', bankProfiles: { shop: bank }, deviceConnection },
    });
  await put({ bankName: 'Sandbox' }, { connectionType: 'Serial', portName: '/dev/no-such-port' });
  await using page = await browsing.open(`${device.recognition}/#/welcome/ready`);
  await page.getByRole('heading', { name: 'Not ready to take payments yet' }).waitFor();
  await page.locator('#display .soft', { hasText: 'Serial or USB. No answer.' }).waitFor();
  await page.locator('#ready').getByRole('link', { name: 'Customer display' }).click();
  await page.getByText('Step 2 of 5').waitFor();
  const unreachable = { bankName: 'Alfa Bank', userName: 'x', password: 'y', baseUrl: 'http://127.0.0.1:9/' };
  await put(unreachable, { connectionType: 'Screen' });
  await page.locator('#bank .soft', { hasText: /^Alfa-Bank \(login\)\. *$/ }).waitFor();
  await call(`${device.terminal}/showQR`, { json: { amount: 100 } });
  await page.locator('#bank .soft', { hasText: 'Alfa-Bank (login). Sales stopped.' }).waitFor();
  await page.goto(`${device.recognition}/#/welcome/ready`);
  await page.getByRole('heading', { name: 'Not ready to take payments yet' }).waitFor();
  await page.locator('#ready').getByRole('link', { name: 'Sales stopped' }).click();
  await page.locator('#health').waitFor();
});

test('the step of the display, and those to come, are as every page is to be', async () => {
  await using device = await startTestDevice({ ...SEEING, LANEWARE_SERIAL: '104' });
  await call(`${device.recognition}/console/api/sandbox/setup`, { json: {} });
  await using page = await browsing.open(`${device.recognition}/#/welcome/display`);
  await page.getByRole('link', { name: 'Open: First items' }).waitFor();
  await page.getByLabel('Display type').waitFor();
  await findNothing(page, 'the step of the display', undefined);
});

test('the same question stands before an item and the area of the tray are left', async () => {
  await using device = await startTestDevice(SEEING);
  await show(device, '');
  await call(`${device.recognition}/v1/items/7`, { method: 'PUT', json: { name: 'Tea' } });
  await using page = await browsing.open(`${device.recognition}/#/items/7`, {}, REFUSED);
  const leave = async (isAsked: boolean) => {
    await page.getByRole('navigation').getByRole('link', { name: 'Store' }).click();
    if (isAsked) await button(page, 'Leave').click();
    await page.locator('h1', { hasText: 'Store' }).waitFor();
  };
  await page.getByLabel('Name').fill('Tea');
  await leave(false);
  await page.goto(`${device.recognition}/#/items/7`);
  await page.getByLabel('Name').fill('Green tea');
  await leave(true);
  await page.goto(`${device.recognition}/#/camera`);
  await show(device, '');
  await button(page, 'Change area').click();
  await leave(true);
});

test.run();
