/** Uncertain answers on the page that teaches, in real Chromium on a phone: chosen, said what they were, and taken back. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { call, startTestDevice, type TestDevice, until } from '../support.ts';
import { browserSuite, button, PHONE, SEEING, show, templatesOf } from './support.ts';

const { test, browsing } = browserSuite('uncertain answers in Chromium');

const pictures = (page: Page) => page.locator('.answers button');

const COLOURS = ['#1f63b0', '#e8d23a', '#2c8a4b', '#7a2f86', '#e07b1a'];
const thing = (n: number) =>
  `<g transform="rotate(${n * 20} 640 360)"><rect x="500" y="260" width="${200 + n * 25}" height="200" fill="${COLOURS[n % COLOURS.length]}"/><circle cx="${560 + n * 15}" cy="330" r="${30 + n * 6}" fill="${COLOURS[(n + 2) % COLOURS.length]}"/></g>`;
const listed = async ({ recognition }: TestDevice) =>
  (await call(`${recognition}/console/api/recognition/uncertain`)).body.answers;

/** A device that was asked what lies there, `count` times, and knew nothing; it has an item called Tea. */
async function unsure(count: number): Promise<TestDevice> {
  const device = await startTestDevice(SEEING);
  await show(device, '');
  // of another speed the same thing looks a little otherwise
  await call(`${device.recognition}/api/set_predict_speed`, { json: { speed: 'fast' } });
  await call(`${device.recognition}/api/learn_background`, { method: 'POST' });
  await until('the model', async () => (await call(`${device.recognition}/v1/recognition`)).status === 200);
  await call(`${device.recognition}/v1/items/7`, { method: 'PUT', json: { name: 'Tea' } });
  for (let n = 0; n < count; n++) {
    await show(device, thing(n));
    await until(`uncertain answer ${n}`, async () => {
      await call(`${device.recognition}/v1/recognition`);
      return (await listed(device)).length === n + 1;
    });
  }
  return device;
}

test('two are chosen and assigned to a found item: both scores are shown, and it can be undone', async () => {
  await using device = await unsure(3);
  await using page = await browsing.open(`${device.recognition}/#/teach`, { viewport: PHONE, hasTouch: true });
  await pictures(page).nth(2).waitFor();
  assert.is(await page.locator('.chosen').count(), 0);
  await pictures(page).nth(0).tap();
  await pictures(page).nth(1).tap();
  await page.getByText('2 pictures selected').waitFor();
  const bar = await page.locator('.chosen').boundingBox();
  const rail = await page.locator('.rail').boundingBox();
  const isLow = bar !== null && rail !== null && bar.y > PHONE.height / 2 && bar.y + bar.height <= rail.y + 1;
  assert.ok(isLow, 'for a thumb');
  await button(page, 'Choose the item').tap();
  await page.getByRole('dialog').getByText('What is on these 2 pictures?').waitFor();
  await page.getByRole('dialog').getByLabel('Name or PLU').fill('te');
  await button(page.getByRole('dialog'), /^Tea 7/).tap();
  await page.getByText('Tea: 2 pictures added').waitFor();
  const score = await page.locator('.score').innerText();
  assert.match(score, /Before\s+Recognised 0 of 2 similarity 0%\s+Now\s+Recognised 2 of 2 similarity (8\d|9\d|100)%/);
  assert.is(await templatesOf(device, '7'), 2);
  assert.is(await pictures(page).count(), 1);
  await page.reload();
  await page.getByText('Tea: 2 pictures added').waitFor();
  await button(page, /^Undo/).tap();
  await pictures(page).nth(2).waitFor();
  assert.is(await templatesOf(device, '7'), 0);
  await page.getByText('Tea: 2 pictures added').waitFor({ state: 'detached' });
});

test('"not this" takes a picture off the list by keyboard, and a code without an item makes one', async () => {
  await using device = await unsure(2);
  await using page = await browsing.open(`${device.recognition}/#/teach`, { viewport: PHONE, locale: 'ru-RU' });
  await pictures(page).first().focus();
  await page.keyboard.press('Space');
  await page.getByText('Выбран 1 снимок').waitFor();
  await button(page, 'Убрать из списка').focus();
  await page.keyboard.press('Enter');
  await page.getByText('1 снимок убран').waitFor();
  assert.is(await pictures(page).count(), 1);
  assert.is(await page.locator('.chosen').count(), 0);
  await pictures(page).first().click();
  await button(page, 'Указать товар').click();
  await page.getByRole('dialog').getByLabel('Название или код (PLU)').fill('4711');
  await button(page, 'Добавить товар «4711»').click();
  await page.getByText('4711: добавлен 1 снимок').waitFor();
  assert.is(await templatesOf(device, '4711'), 1);
});

test('a cashier makes no item of pictures: neither by a name nor by a code', async () => {
  await using device = await unsure(1);
  await using page = await browsing.open(`${device.recognition}/#/teach`);
  await page.route('**/console/api/session', async (route) => {
    const session = await (await route.fetch()).json();
    await route.fulfill({ json: { ...session, closed: { ...session.closed, items: 'a supervisor' } } });
  });
  await page.reload();
  await pictures(page).first().click();
  await button(page, 'Choose the item').click();
  const dialog = page.getByRole('dialog');
  for (const text of ['4711', 'Bananas']) {
    await dialog.getByLabel('Name or PLU').fill(text);
    await dialog.getByText('No item has this name or code.').waitFor();
    assert.is(await dialog.getByRole('button', { name: text }).count(), 0, text);
    await dialog.getByLabel('Name or PLU').fill('7');
    await dialog.getByRole('button', { name: 'Tea 7' }).waitFor();
  }
});

test('another window’s decisions leave this one with its choice; new uncertain ones come live', async () => {
  await using device = await unsure(2);
  await using page = await browsing.open(`${device.recognition}/#/teach`);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await pictures(page).nth(1).click();
  await pictures(page).nth(0).click();
  await pictures(other).nth(0).click();
  await button(other, 'Remove from the list').click();
  await page.getByText('1 picture selected').waitFor();
  await page.getByText('1 picture removed').waitFor();
  assert.is(await pictures(page).count(), 1);
  await show(device, thing(4));
  await call(`${device.recognition}/v1/recognition`);
  await pictures(page).nth(1).waitFor();
});

test('a refusal is shown, nothing is learned, and what was chosen stays chosen', async () => {
  await using device = await unsure(1);
  await using page = await browsing.open(`${device.recognition}/#/teach`, {}, /status of 409/);
  await pictures(page).first().click();
  await call(`${device.recognition}/api/set_learning_mode`, { json: { mode: 0 } });
  await button(page, 'Choose the item').click();
  await button(page.getByRole('dialog'), /^Tea 7/).click();
  await page.getByText('Teaching is off on this device').waitFor();
  assert.is(await templatesOf(device, '7'), 0);
  await page.getByText('1 picture selected').waitFor();
});

test('nothing can be chosen or said while the device does not answer', async () => {
  await using device = await unsure(1);
  await using page = await browsing.open(`${device.recognition}/#/teach`, { viewport: PHONE });
  await pictures(page).first().click();
  await device[Symbol.asyncDispose]();
  await page.locator('.banner').waitFor();
  for (const each of [pictures(page).first(), button(page, 'Choose the item'), button(page, 'Remove from the list')])
    assert.ok(await each.isDisabled());
});

test.run();
