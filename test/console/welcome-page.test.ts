/** The page on which a fresh device is set up, in real Chromium: by the press that tries it, and by the forms. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { call, each, onDevice, until } from '../support.ts';
import { browserSuite, button } from './support.ts';

const { test, browsing } = browserSuite('page of setting up in Chromium');
const it = each(test, onDevice);

it('a newcomer finds the page first, presses once, and can ask for a payment; the lane leads to it as well', async (device) => {
  await browsing.visit(device.recognition, {}, async (page) => {
    await button(page, 'Set up for testing').waitFor();
    await page.goto(`${device.recognition}/#/lane`);
    await page.getByText('Not set up yet').waitFor();
    assert.ok(await button(page, 'Show QR code').isDisabled());
    await page.locator('#ask').getByRole('link', { name: 'Set up' }).click();
    await button(page, 'Set up for testing').click();
    await page.locator('#display .soft', { hasText: 'A screen on this device' }).waitFor();
    assert.is(await page.locator('#try').count(), 0);
    await page.locator('.strip .test', { hasText: 'TEST' }).waitFor();
    await page.goto(`${device.recognition}/#/lane`);
    await until('payments can be asked for', () => button(page, 'Show QR code').isEnabled());
    await page.goto('about:blank');
    await page.goto(device.recognition);
    await until('a device that is set up begins with its lane', () => button(page, 'Show QR code').isEnabled());
  });
});

it('a bank is set up by its form: what is missing and what is refused stand at their fields', async (device) => {
  const work = async (page: Page) => {
    await page.getByLabel('Bank name').selectOption('Static');
    await button(page, 'Save').first().click();
    await page.locator('#field-staticQR-problem', { hasText: 'Required.' }).waitFor();
    const focused = () => page.evaluate<string>('document.activeElement.id');
    await until('the field has the focus', async () => (await focused()) === 'field-staticQR');

    await page.getByLabel('Bank name').selectOption('CFT');
    await page.getByLabel('Account alias').fill('A1');
    await page.getByLabel('Company ID').fill('E1');
    await page.getByLabel('Point of sale ID').fill('M1');
    await page.getByLabel('Password').fill('made-up-password');
    await page.getByLabel('Bank address').fill('https://127.0.0.1:9/');
    await page.getByLabel('Client certificate with key', { exact: true }).fill('/no/such/file.pfx');
    await button(page, 'Save').first().click();
    await page.locator('#field-pfxPath-problem').waitFor();
    assert.is((await call(`${device.recognition}/console/api/settings`)).body.settings.bankProfile, '');

    await page.getByLabel('Bank name').selectOption('Static');
    await page.getByLabel('Content of the code').fill('https://example.org/pay');
    await button(page, 'Save').first().click();
    await page.locator('#bank .soft', { hasText: 'In use: Static.' }).waitFor();
    const { settings } = (await call(`${device.recognition}/console/api/settings`)).body;
    assert.equal(settings.bankProfiles.shop, { bankName: 'Static', staticQR: 'https://example.org/pay' });
    await button(page, 'Show a test picture').click();
    await page.getByText('Can you see it?').waitFor();
    assert.is((await call(`${device.recognition}/display/state`)).body.payload, 'LANEWARE TEST');
    await button(page, 'No').click();
    await page.getByText('Check the cable, the power').waitFor();
  };
  await browsing.visit(`${device.recognition}/#/welcome`, {}, work, /status of 400/);
});

it('a secret that is stored stays where nothing is typed, and is never on the page', async (device) => {
  const profile = { bankName: 'Raiffeisenbank', sbpMerchantId: 'MA0000000552', secretKey: 'made-up-secret-key' };
  const settings = {
    bankProfile: 'shop',
    bankProfiles: { shop: profile },
    deviceConnection: { connectionType: 'Screen' },
  };
  const stored = await call(`${device.recognition}/console/api/settings`, {
    method: 'PUT',
    body: JSON.stringify(settings),
    headers: { 'content-type': 'application/json' },
  });
  assert.is(stored.status, 200, stored.text);
  assert.not.match(stored.text, 'made-up-secret-key');
  const work = async (page: Page) => {
    const field = page.getByLabel('Идентификатор точки в СБП');
    await field.waitFor();
    assert.is(await field.inputValue(), 'MA0000000552');
    assert.is(await page.getByLabel('Секретный ключ').inputValue(), '');
    await field.fill('MA0000000553');
    await button(page, 'Сохранить').first().click();
    // the money would go elsewhere: the secret is asked for again
    await page.locator('#field-secretKey-problem').waitFor();
    assert.not.match(await page.content(), 'made-up-secret-key');
    await field.fill('MA0000000552');
    await button(page, 'Сохранить').first().click();
    await page.locator('#bank .outcome', { hasText: 'Сохранено' }).waitFor();
  };
  await browsing.visit(`${device.recognition}/#/welcome`, { locale: 'ru-RU' }, work, /status of 400/);
});

test.run();
