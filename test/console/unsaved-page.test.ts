/** Each form of the console, in real Chromium: what is typed is asked about before it is lost. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { call, each, onSetUpDevice } from '../support.ts';
import { browserSuite, button, paid, REFUSED, setPin, typePin } from './support.ts';

const { test, browsing } = browserSuite('what is typed and not saved, in Chromium');
const it = each(test, onSetUpDevice);

const FILE = { name: 'some.csv', mimeType: 'text/csv', buffer: Buffer.from('id;name\n7;Tea\n') };

/** A page, what opens the form there, and the field. */
const FORMS: readonly (readonly [hash: string, field: string, open?: (page: Page) => Promise<unknown>])[] = [
  ['lane', '#amount'],
  ['lane', '#purpose'],
  ['payments/1', '#refund'],
  ['items?files=yes', '#package-file'],
  ['items?files=yes', '#table-file'],
  ['teach', '#new-code', (page) => page.getByLabel('Name or PLU').fill('Bananas')],
  ['teach', '#new-name', (page) => page.getByLabel('Name or PLU').fill('Bananas')],
  ['welcome/bank', '#field-userName', (page) => page.getByLabel('Bank name').selectOption('Alfa Bank')],
  ['store', '#master'],
  ['store', '#code'],
  ['device/access', '#new-pin', (page) => button(page, 'Set PIN').first().click()],
  ['device/printed-codes', '#layouts'],
  ['device/bank', '#field-userName', (page) => page.getByLabel('Bank name').selectOption('Alfa Bank')],
  ['device/shop', '#shop-name'],
  ['device/backup', '#backup-passphrase'],
  ['device/backup', '#backup-again'],
  ['device/backup', '#restore-file'],
  ['device/backup', '#restore-passphrase'],
];

const isHeld = (page: Page) => page.evaluate('!dispatchEvent(new Event("beforeunload", { cancelable: true }))');

it('each form asks when something is typed in one of its fields, and not before', async (device) => {
  await paid(device, 45_900);
  await using page = await browsing.open(device.recognition);
  const question = page.getByRole('dialog', { name: 'Leave this page?' });
  for (const [at, [hash, name, open]] of FORMS.entries()) {
    await page.goto(`${device.recognition}/?${at}#/${hash}`);
    await open?.(page);
    const field = page.locator(name);
    await field.waitFor({ state: 'attached' });
    assert.is(await isHeld(page), false, name);
    if ((await field.getAttribute('type')) === 'file') await field.setInputFiles(FILE);
    else await field.fill('12');
    assert.is(await isHeld(page), true, name);
    await page.evaluate('location.hash = "#/device/log"');
    await question.waitFor();
    await button(question, 'Cancel').click();
    await question.waitFor({ state: 'detached' });
    assert.is(new URL(page.url()).hash, `#/${hash}`);
  }
});

it('who stays where something is not saved has the same way back, and the same forward', async (device) => {
  await call(`${device.recognition}/v1/items/7`, { method: 'PUT', json: { name: 'Tea' } });
  // no model looks for what is alike
  await using page = await browsing.open(`${device.recognition}/#/items`, {}, REFUSED);
  const is = (hash: string) => page.waitForURL((url) => url.hash === hash);
  await page.locator('.shelf a').first().click();
  await page.locator('#name').fill('Green tea');
  const question = page.getByRole('dialog', { name: 'Leave this page?' });
  for (const way of ['history.back()', 'location.hash = "#/payments"']) {
    await page.evaluate(way);
    await button(question, 'Cancel').click();
    await question.waitFor({ state: 'detached' });
    await is('#/items/7');
    assert.is(await page.locator('#name').inputValue(), 'Green tea');
  }
  await button(page, 'Save').click();
  await page.getByText('Saved.').waitFor();
  await page.evaluate('history.back()');
  await is('#/items');
  await page.evaluate('history.go(2)');
  await is('#/payments');
});

it('a sign-out asks about what is typed, and asks nothing where nothing is typed', async (device) => {
  await setPin(device, 'technician', '739105');
  const signIn = async (page: Page) => {
    await typePin(page, '739105');
    await page.locator('#amount').waitFor();
  };
  await using page = await browsing.open(device.recognition);
  const out = page.locator('.who > button');
  const question = page.getByRole('dialog', { name: 'Sign out?' });
  await signIn(page);
  await page.locator('#amount').fill('12');
  await out.click();
  await button(question, 'Cancel').click();
  await question.waitFor({ state: 'detached' });
  assert.is(await page.locator('#amount').inputValue(), '12');
  await out.click();
  await button(question, 'Sign out').click();
  await signIn(page);
  assert.is(await page.locator('#amount').inputValue(), '');
  await out.click();
  await page.locator('#sign-in').waitFor();
});

test.run();
