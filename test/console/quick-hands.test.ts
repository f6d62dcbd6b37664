/** Hands that are quicker than the device: a key held down, a second file, a word typed while it works, in real Chromium. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { call, each, onSetUpDevice, startTestDevice, temporaryFolder, until } from '../support.ts';
import { browserSuite, button, drawn, Gate, live, paid, payment, play, sell } from './support.ts';

const { test, browsing } = browserSuite('hands that are quicker than the device');
const it = each(test, onSetUpDevice);

it('Enter held down at the amount of a refund asks, and does not answer its own question', async (device) => {
  const id = await paid(device, 5000);
  await using page = await browsing.open(`${device.recognition}/#/payments/${id}`);
  await live(page);
  await page.getByLabel('Refund amount (roubles)').fill('20');
  await page.keyboard.down('Enter');
  const question = page.getByRole('dialog');
  await question.waitFor();
  for (let repeat = 0; repeat < 5; repeat++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  assert.is(await question.count(), 1, 'the question stands');
  assert.equal((await payment(device, id)).refunds, []);
  await page.keyboard.press('Enter');
  await page.locator('.outcome.done').waitFor();
  assert.is((await payment(device, id)).refunds.length, 1);
});

test('a table chosen while another is looked through is the one that is shown and taken', async () => {
  using folder = temporaryFolder();
  const file = (name: string, text: string): string => {
    const path = join(folder.path, name);
    writeFileSync(path, text);
    return path;
  };
  await using device = await startTestDevice();
  await using page = await browsing.open(`${device.recognition}/#/items?files=yes`);
  const field = page.getByLabel('Table (.xlsx or CSV)');
  const gate = await Gate.at(page, '**/v1/catalogue/check');
  await field.setInputFiles(file('one.csv', 'id,name\n1,Tea\n'));
  await until('it is looked through', () => gate.count === 1);
  await field.setInputFiles(file('two.csv', 'id,name\n2,Coffee\n3,Salt\n'));
  gate.letGo();
  await button(page, 'Import 2 items').click();
  await page.getByText('Table imported.').waitFor();
  assert.is((await call(`${device.recognition}/v1/items/1`)).status, 404);
  assert.is((await call(`${device.recognition}/v1/items/3`)).status, 200);
});

const registryOf = (id: string, sum: string) => ({
  name: `${sum}.csv`,
  mimeType: 'text/csv',
  buffer: Buffer.from(`id заказа;Сумма\n${id};${sum}\n`),
});

it('a comparison goes when another day is chosen, and is not shown there when it comes late', async (device) => {
  const id = await paid(device, 5000);
  await using page = await browsing.open(`${device.recognition}/#/payments/reconcile`);
  const result = page.locator('#reconcile .chip');
  await page.getByLabel('Bank’s report').setInputFiles(registryOf(id, '43.00'));
  await button(page, 'Reconcile').click();
  await result.waitFor();
  await page.locator('#day').fill('2026-11-01');
  await result.waitFor({ state: 'detached' });
  const gate = await Gate.at(page, '**/v1/reconciliations');
  await button(page, 'Reconcile').click();
  await until('it is compared', () => gate.count === 1);
  await page.locator('#day').fill('2026-11-02');
  gate.letGo();
  await until('the next can be compared', () => button(page, 'Reconcile').isEnabled());
  assert.is(await result.count(), 0, 'nothing is said of the day that stands there');
});

it("a bank's file chosen while another is compared does not get the differences of that one", async (device) => {
  const id = await paid(device, 5000);
  const registry = (sum: string) => registryOf(id, sum);
  await using page = await browsing.open(`${device.recognition}/#/payments/reconcile`);
  const gate = await Gate.at(page, '**/v1/reconciliations');
  const field = page.getByLabel('Bank’s report');
  const result = page.locator('#reconcile .chip');
  await field.setInputFiles(registry('43.00'));
  await button(page, 'Reconcile').click();
  await until('it is compared', () => gate.count === 1);
  await field.setInputFiles(registry('50.00'));
  gate.letGo();
  await until('the next can be compared', () => button(page, 'Reconcile').isEnabled());
  assert.is(await result.count(), 0, 'nothing is said of the file that stands there');
  await button(page, 'Reconcile').click();
  await result.waitFor();
  assert.match(await result.innerText(), /^0 differences/);
});

it('a list asked for before a payment, and answered after it, does not hide the payment', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/payments`);
  await live(page);
  await page.locator('#list').waitFor();
  let asked = 0;
  const gate = await Gate.at(page, '**/v1/payments?*', 'answer', () => ++asked === 1);
  const id = await sell(device, 5000);
  await until('the list is asked for', () => asked > 0);
  await play(device, id, 'pay');
  const state = page.locator('#list .chip');
  await state.filter({ hasText: 'Paid' }).waitFor();
  gate.letGo();
  await until('the late answer is there', () => gate.answered === 1);
  await drawn(page);
  assert.is(await state.innerText(), 'Paid');
});

test('a bank that is saved is tested again only when what was saved has been read back', async () => {
  await using device = await startTestDevice();
  await using page = await browsing.open(`${device.recognition}/#/welcome`);
  await page.getByLabel('Bank name').selectOption('Raiffeisenbank');
  await page.locator('#field-sbpMerchantId').fill('MA000001');
  await page.locator('#field-secretKey').fill('made-up');
  let read = 0;
  const isReadBack = (method: string) => method === 'GET' && ++read > 1; // it is read before it is written, too
  const gate = await Gate.at(page, '**/console/api/settings', 'call', isReadBack);
  await page.locator('#bank [type=submit]').click();
  await page.locator('#bank .soft', { hasText: 'Raiffeisenbank' }).waitFor();
  await until('it is read', () => gate.count > 0);
  assert.is(await button(page, 'Test the bank').isEnabled(), false);
  assert.is(await page.locator('#field-sbpMerchantId').inputValue(), 'MA000001', 'the form is not emptied meanwhile');
  gate.letGo();
  await page.locator('#bank .outcome.done', { hasText: 'Saved' }).waitFor();
  await until('it can be tested', () => button(page, 'Test the bank').isEnabled());
  assert.is(await page.locator('#field-sbpMerchantId').inputValue(), 'MA000001');
});

test('what is typed of an item while it is saved is not lost', async () => {
  await using device = await startTestDevice();
  await call(`${device.recognition}/v1/items/7`, { method: 'PUT', json: { name: 'Tea' } });
  await using page = await browsing.open(`${device.recognition}/#/items/7`, {}, /503/);
  const gate = await Gate.at(page, '**/v1/items/7');
  await page.getByLabel('Name').fill('Green tea');
  await button(page, 'Save').click();
  await until('it is saved', () => gate.count === 1);
  await page.getByLabel('Price').fill('99.90');
  gate.letGo();
  await page.locator('#naming .outcome.done').waitFor();
  assert.is(await page.getByLabel('Price').inputValue(), '99.90');
  await until('the name of now', async () => (await page.getByLabel('Name').inputValue()) === 'Green tea');
});

it('the next sale’s amount, typed while the device answers the last, is not lost', async (device) => {
  await using page = await browsing.open(device.recognition);
  await until('it can be asked', () => button(page, 'Show QR code').isEnabled());
  const gate = await Gate.at(page, '**/v1/payments');
  await page.getByLabel('Amount (roubles)').fill('55');
  await page.getByLabel('Note (optional)').fill('Receipt 1');
  await button(page, 'Show QR code').click();
  await until('it is asked', () => gate.count === 1);
  await page.getByLabel('Amount (roubles)').fill('66');
  gate.letGo();
  await page.locator('#ask .outcome.done').waitFor();
  assert.is(await page.getByLabel('Amount (roubles)').inputValue(), '66');
  assert.is(await page.getByLabel('Note (optional)').inputValue(), '', 'what was sent is gone');
});

test.run();
