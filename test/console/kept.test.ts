/** Input on a page whose session ends, in real Chromium: restored for the same role only. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { setUp, startTestDevice, type TestDevice } from '../support.ts';
import { browserSuite, button, live, paid, payment, setPin, typePin } from './support.ts';

const { test, browsing } = browserSuite('what is typed when a session ends, in Chromium');

const TECHNICIAN = '739105';
const CASHIER = '4826';
/** What the browser says of calls that are refused meanwhile, or lost, or that need a model. */
const REFUSED = /status of (4|503)|ERR_CONNECTION_REFUSED/;

/** Another PIN ends all sessions of the earlier one. */
async function endSessions(device: TestDevice, page: Page): Promise<string> {
  const pin = '916370';
  await setPin(device, 'technician', pin);
  await page.locator('#sign-in').waitFor();
  assert.is(await page.locator('#page input').count(), 1, 'no field but that of the PIN is there for a stranger');
  return pin;
}
async function signIn(page: Page, pin: string): Promise<void> {
  await typePin(page, pin);
  await live(page);
}
async function startDevice(): Promise<TestDevice> {
  const device = await startTestDevice();
  await setUp(device);
  await setPin(device, 'technician', TECHNICIAN);
  await setPin(device, 'cashier', CASHIER);
  return device;
}
const typedIn = (page: Page, label: string) => page.getByLabel(label).inputValue();

test('nothing is left for a cashier, for the next technician, or after somebody has signed out', async () => {
  await using device = await startDevice();
  await using page = await browsing.open(`${device.recognition}/#/lane`, {}, REFUSED);
  await signIn(page, TECHNICIAN);
  await page.getByLabel('Amount (roubles)').fill('12');
  await page.getByLabel('Note (optional)').fill('Receipt 7');
  const pin = await endSessions(device, page);
  await signIn(page, CASHIER);
  await page.getByLabel('Amount (roubles)').waitFor();
  assert.is(await typedIn(page, 'Amount (roubles)'), '');
  await page.locator('.who button').click();
  await signIn(page, pin);
  await page.getByLabel('Note (optional)').waitFor();
  assert.is(await typedIn(page, 'Note (optional)'), '');
  await page.getByLabel('Note (optional)').fill('Receipt 8');
  await page.goto(`${device.recognition}/#/payments`);
  await button(page, 'Leave').click();
  await page.locator('#list').waitFor();
  await page.goto(`${device.recognition}/#/lane`);
  await page.getByLabel('Note (optional)').waitFor();
  assert.is(await typedIn(page, 'Note (optional)'), '', 'who goes to another page is done, too');
  await page.getByLabel('Note (optional)').fill('Receipt 9');
  await page.locator('.who button').click();
  await button(page.getByRole('dialog', { name: 'Sign out?' }), 'Sign out').click();
  await signIn(page, pin);
  await page.getByLabel('Note (optional)').waitFor();
  assert.is(await typedIn(page, 'Note (optional)'), '');
  await page.getByLabel('Note (optional)').fill('Receipt 10');
  const other = await page.context().newPage();
  await other.goto(`${device.recognition}/#/lane`);
  await other.locator('.who button').click();
  await signIn(page, pin);
  await page.getByLabel('Note (optional)').waitFor();
  assert.is(await typedIn(page, 'Note (optional)'), '', 'nor where another window was left');
});

test('a refund whose answer was lost is the same one for who signs in again', async () => {
  await using device = await startDevice();
  const id = await paid(device, 5000);
  await using page = await browsing.open(`${device.recognition}/#/payments/${id}`, {}, REFUSED);
  await signIn(page, TECHNICIAN);
  let isFirst = true;
  await page.route('**/refunds', async (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    await route.fetch();
    await route.abort('connectionrefused');
  });
  const giveBack = async () => {
    await page.getByRole('button', { name: 'Refund' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click();
  };
  await page.getByLabel('Refund amount (roubles)').fill('20');
  await giveBack();
  await page.locator('.outcome.failed').waitFor();
  const pin = await endSessions(device, page);
  await signIn(page, pin);
  await page.getByLabel('Refund amount (roubles)').waitFor();
  assert.is(await typedIn(page, 'Refund amount (roubles)'), '20');
  await giveBack();
  await page.locator('.outcome.done').waitFor();
  assert.is((await payment(device, id)).refunded, 2000);
});

test.run();
