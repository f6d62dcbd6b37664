/** The page that teaches, in real Chromium on a phone: five looks at an item, none of them twice, and one taken back. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { call, each, opening, startTestDevice, type TestDevice, until } from '../support.ts';
import { findNothing } from './audit.ts';
import {
  awaitSight,
  browserSuite,
  button,
  focused,
  learnEmptyTray,
  PHONE,
  REFUSED,
  RU,
  SEEING,
  setPin,
  show,
  templatesOf,
  typePin,
} from './support.ts';

const { test, browsing } = browserSuite('page that teaches in Chromium');
const it = each(test, opening(seeing));

const PINS: Readonly<Record<string, string>> = { technician: '739105', cashier: '916370' };

const turned = (side: number) => {
  const colours = ['#1f63b0', '#e8d23a', '#2c8a4b', '#7a2f86', '#e07b1a', '#19a7a0'];
  return `<g transform="rotate(${side * 15} 640 360)"><rect x="500" y="260" width="280" height="200" fill="#f4f4ee"/><rect x="${510 + side * 20}" y="290" width="120" height="120" fill="${colours[side % colours.length]}"/><text x="520" y="450" font-size="40">TEA</text></g>`;
};

const BANANA =
  '<path d="M500 300 Q640 470 800 300" fill="none" stroke="#e8d23a" stroke-width="80" stroke-linecap="round"/>';

async function seeing(): Promise<TestDevice> {
  const device = await startTestDevice(SEEING);
  await learnEmptyTray(device);
  return device;
}

/** Item 7 is Tea, which lies there. */
async function layTea(device: TestDevice): Promise<void> {
  await call(`${device.recognition}/v1/items/7`, { method: 'PUT', json: { name: 'Tea' } });
  await show(device, turned(0));
}

/** Presses the button, and holds it. */
async function hold(page: Page): Promise<void> {
  await page.getByText('Looks good.').waitFor();
  await page.locator('button.hold').hover();
  await page.mouse.down();
}

/** So many looks of the page later. */
async function later(page: Page, looks: number): Promise<void> {
  for (let look = 0; look < looks; look++)
    await page.waitForResponse((response) => new URL(response.url()).pathname === '/console/api/camera');
}

it('a new item is made and taught: five looks while the button is held, each unlike the others', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/teach`, { viewport: PHONE });
  await page.getByLabel('Name or PLU').fill('4711');
  await page.getByLabel('Name of the new item').fill('Tea');
  await button(page, 'Create and teach 4711').click();
  await page.getByText('The tray is empty: put the item on it.').waitFor();
  assert.is(await page.locator('button.hold.primary').count(), 0, 'it would do nothing now');
  await show(device, turned(0));
  await page.getByText('Looks good.').waitFor();
  const hold = await page.locator('button.hold').boundingBox();
  assert.ok(hold !== null && hold.height >= 88 && hold.width > 200, 'a thumb finds it');
  assert.is(await page.locator('button.hold.primary').count(), 1);
  await page.locator('button.hold').hover();
  await page.mouse.down();
  for (const side of [1, 2, 3, 4]) {
    await until(`look ${side}`, async () => (await page.locator('.pictures li').count()) === side);
    await page.getByText('Same as an earlier picture: turn the item.').waitFor();
    if (side === 1) await later(page, 3);
    assert.is(await templatesOf(device, '4711'), side, 'the same look is not taken twice');
    await show(device, turned(side));
  }
  await page.getByText('Done. Take the item off').waitFor();
  await page.mouse.up();
  assert.is(await templatesOf(device, '4711'), 5);
  await page.getByText('Turn it over and take five more pictures.').waitFor();
  await page.locator('#verdict', { hasText: 'Tea: recognised' }).waitFor();
  assert.is(await page.getByRole('link', { name: 'Open Checkout' }).getAttribute('href'), '#/lane');
  const score = await page.locator('.score').innerText();
  assert.match(score, /Before\s+Recognised 0 of 1 similarity 0%\s+Now\s+Recognised 1 of 1 similarity \d\d/);
  await button(page, 'Delete picture 2').click();
  await page.getByText('Picture deleted.').waitFor();
  assert.is(await templatesOf(device, '4711'), 4);
  assert.is(await page.locator('.pictures li').count(), 4);
  assert.is(await page.locator('button.hold').count(), 1, 'one is wanted again');
  assert.is((await call(`${device.recognition}/v1/recognition`)).body.candidates[0]?.id, '4711');
});

test('a trial is taught by its main button: held, the drawn thing turns and five looks are taken', async () => {
  await using device = await startTestDevice({ ...SEEING, LANEWARE_CAMERA_DRIVER: 'replay' });
  await until('the model', async () => (await call(`${device.recognition}/v1/recognition`)).status === 200);
  await using page = await browsing.open(`${device.recognition}/#/teach`, { viewport: PHONE });
  await button(page, 'Nothing').click();
  await button(page, 'Learn the empty tray').click();
  await button(page, 'Yes, learn it').click();
  await page.getByLabel('Name or PLU').fill('2100');
  await page.getByLabel('Name of the new item').fill('Apples');
  await button(page, 'Create and teach 2100').click();
  await button(page, 'Apple').click();
  await hold(page);
  await page.getByText('Done. Take the item off').waitFor();
  await page.mouse.up();
  assert.is(await templatesOf(device, '2100'), 5);
});

it('a typed number is a name: the new item gets the PLU asked for, and none is replaced', async (device) => {
  await call(`${device.recognition}/v1/items/4011`, { method: 'PUT', json: { name: 'Pears', price: 100 } });
  await using page = await browsing.open(`${device.recognition}/#/teach`, { viewport: PHONE });
  await page.getByLabel('Name or PLU').fill('Bananas');
  const name = page.getByLabel('Name of the new item');
  assert.is(await name.inputValue(), 'Bananas');
  assert.is.not(await name.getAttribute('aria-invalid'), 'true', 'nothing is wrong with it');
  const make = button(page, 'Create and teach Bananas');
  await name.fill('B'.repeat(201));
  await page.getByLabel('PLU of the new item').fill('4012');
  await make.click();
  await page.locator('#new-name-problem', { hasText: '200 characters at most, now 201.' }).waitFor();
  assert.is(await focused(page), 'new-name', 'nothing is sent, and nothing is cut unseen');
  await name.fill('Bananas');
  await page.getByLabel('PLU of the new item').fill('');
  await make.click();
  await page.getByText('Enter the PLU used at the till.').waitFor();
  await page.getByLabel('PLU of the new item').fill('4011');
  await make.click();
  await page.getByText('Pears already has this PLU.').waitFor();
  await page.getByLabel('PLU of the new item').fill('4012');
  await make.click();
  await page.locator('.teach-one', { hasText: '4012' }).waitFor();
  await page.goto(`${device.recognition}/#/teach`);
  await page.getByLabel('Name or PLU').fill('bananas');
  await page.getByRole('link', { name: /Bananas\s*4012/ }).waitFor();
  assert.is(await make.count(), 0, 'it is known now');
  const item = async (id: string) => (await call(`${device.recognition}/v1/items/${id}`)).body;
  assert.equal([(await item('4011')).name, (await item('4011')).price], ['Pears', 100]);
  assert.is((await item('4012')).name, 'Bananas');
  assert.is((await call(`${device.recognition}/v1/items/Bananas`)).status, 404);
});

test('an item is found by its code, and not replaced, where hundreds contain the same digits', async () => {
  await using device = await startTestDevice();
  const items = Array.from({ length: 600 }, (_, at) => ({ id: `1${String(at).padStart(4, '0')}9`, name: `Tea ${at}` }));
  await call(`${device.recognition}/v1/catalogue`, { json: { items } });
  const own = { name: 'Onions', price: 4990, barcodes: ['4006381333931'] };
  const path = `${device.recognition}/v1/items/9`;
  await using page = await browsing.open(`${device.recognition}/#/teach`);
  await page.getByLabel('Name or PLU').fill('9');
  await page.getByLabel('Name of the new item').fill('Cucumbers');
  await call(path, { method: 'PUT', json: own });
  await button(page, 'Create and teach 9').click();
  await page.getByText('Onions already has this PLU.').waitFor();
  await page.reload();
  await page.getByLabel('Name or PLU').fill('9');
  await page.getByRole('link', { name: 'Onions 9' }).waitFor();
  assert.is(await page.locator('#choosing .rows li').count(), 8);
  assert.is(await page.getByLabel('Name of the new item').count(), 0);
  const { name, price, barcodes } = (await call(path)).body;
  assert.equal({ name, price, barcodes }, own);
});

it('an item that was learned and has no name is in the list, before those with one', async (device) => {
  for (let id = 100; id < 110; id++)
    await call(`${device.recognition}/v1/items/${id}`, { method: 'PUT', json: { name: `Tea ${id}` } });
  await show(device, turned(0));
  for (const id of ['999', '105']) await call(`${device.recognition}/v1/items/${id}/templates`, { method: 'POST' });
  await using page = await browsing.open(`${device.recognition}/#/teach`, { viewport: PHONE }, /status of 404/);
  const rows = page.locator('#choosing .rows li');
  await rows.filter({ hasText: /No name\s*999\s*1 picture/ }).waitFor();
  assert.match(await rows.first().innerText(), /999/);
  assert.is(await rows.count(), 8);
  await page.getByLabel('Name or PLU').fill('105');
  await page.getByRole('link', { name: /Tea 105/ }).waitFor();
  await rows.filter({ hasText: '999' }).waitFor({ state: 'detached' });
  assert.is(await rows.count(), 1, 'one with a name stands there once');
  await page.getByLabel('Name or PLU').fill('99');
  await page.getByRole('link', { name: /No name\s*999/ }).click();
  await page.locator('#collecting').waitFor();
});

it('an unlike look is set aside with its picture while the button is held; a press adds it', async (device) => {
  await layTea(device);
  await using page = await browsing.open(`${device.recognition}/#/teach/7`, { viewport: PHONE }, /status of 409/);
  const aside = page.locator('#collecting .advice canvas');
  await hold(page);
  await page.getByText('1 of 5').waitFor();
  await show(device, BANANA);
  await aside.first().waitFor();
  await page.getByText('It looks different. If it is the same item, keep it').waitFor();
  assert.ok((await aside.first().boundingBox())?.height, 'it is seen');
  assert.is(await templatesOf(device, '7'), 1, 'nothing was learned of it');
  await show(device, turned(1));
  await page.getByText('2 of 5').waitFor();
  await page.mouse.up();
  assert.is(await aside.count(), 1, 'it is set aside once');
  await show(device, BANANA);
  await button(page, 'Keep it: it is Tea').click();
  await page.getByText('3 of 5').waitFor();
  await aside.first().waitFor({ state: 'detached' });
  assert.is(await templatesOf(device, '7'), 3);
  assert.is(await page.locator('.pictures li img').count(), 3);
});

it('what was set aside is discarded at a press', async (device) => {
  await show(device, turned(0));
  await call(`${device.recognition}/v1/items/7/templates`, { method: 'POST' });
  await call(`${device.recognition}/v1/items/7`, { method: 'PUT', json: { name: 'Tea' } });
  await show(device, BANANA);
  await using page = await browsing.open(`${device.recognition}/#/teach/7`, { viewport: PHONE }, /status of 409/);
  await hold(page);
  const aside = page.locator('#collecting .advice canvas');
  await aside.first().waitFor();
  await page.mouse.up();
  await button(page, 'Discard').click();
  await aside.first().waitFor({ state: 'detached' });
  assert.is(await templatesOf(device, '7'), 1);
});

test('a new device learns the empty tray before anything is taught: a bare tray is no item', async () => {
  await using device = await startTestDevice(SEEING);
  await awaitSight(device);
  await call(`${device.recognition}/v1/items/777`, { method: 'PUT', json: { name: 'Tea' } });
  for (const path of ['teach', 'teach/777']) {
    await using page = await browsing.open(`${device.recognition}/#/${path}`, { viewport: PHONE });
    await button(page, 'Learn the empty tray').waitFor();
    assert.is(await page.locator('button.hold, #choosing, #uncertain').count(), 0, 'nothing can be taught yet');
  }
  await using page = await browsing.open(`${device.recognition}/#/teach/777`, RU);
  await button(page, 'Запомнить пустой лоток').click();
  await button(page, 'Да, запомнить').click();
  await page.getByText('Лоток пуст: положите товар.').waitFor();
  assert.ok(await button(page, 'Сделать снимок').isDisabled());
  assert.is(await templatesOf(device, '777'), 0);
});

test('who may not learn the tray is told who may', async () => {
  await using device = await startTestDevice(SEEING);
  await awaitSight(device);
  for (const person of ['technician', 'cashier']) await setPin(device, person, PINS[person] ?? '');
  await using page = await browsing.open(`${device.recognition}/#/teach`, { viewport: PHONE }, REFUSED);
  await typePin(page, PINS.cashier ?? '');
  await page.getByText('A supervisor or a technician learns the empty tray first').waitFor();
  assert.is(await button(page, 'Learn the empty tray').count(), 0);
});

it('the last step of setting up is done when three items are known', async (device) => {
  const learn = async (side: number): Promise<void> => {
    await show(device, turned(side));
    const { status, text } = await call(`${device.recognition}/v1/items/${side}/templates`, { method: 'POST' });
    assert.is(status, 201, text);
  };
  for (const side of [1, 2]) await learn(side);
  await using page = await browsing.open(`${device.recognition}/#/welcome`);
  await page.locator('#teach', { hasText: 'Items taught: 2.' }).waitFor();
  assert.is(await page.locator('#teach .tick.done').count(), 0);
  await learn(3);
  await page.locator('#teach .tick.done').waitFor();
});

test('the step of the camera is done when the empty tray is learned', async () => {
  await using device = await startTestDevice(SEEING);
  await awaitSight(device);
  await using page = await browsing.open(`${device.recognition}/#/welcome`);
  const mark = page.locator('#camera .tick');
  const looked = page.waitForResponse((response) => new URL(response.url()).pathname === '/console/api/camera');
  await page.reload();
  await looked;
  await mark.filter({ hasText: '4' }).waitFor();
  await page.locator('#camera a').click();
  await page.getByText('learn the empty tray').waitFor();
  await page.locator('#camera').getByRole('link', { name: 'Open Camera' }).click();
  await button(page, 'Learn the empty tray').click();
  await button(page, 'Yes, learn it').click();
  await page.getByText('Empty tray learned').first().waitFor();
  await page.getByRole('link', { name: 'Set up', exact: true }).click();
  await mark.filter({ hasText: '✓' }).waitFor();
});

it('no look is taken once the button or its key is let go, or while learning is locked', async (device) => {
  await call(`${device.recognition}/v1/items/7`, { method: 'PUT', json: { name: 'Чай' } });
  await show(device, turned(0));
  await using page = await browsing.open(`${device.recognition}/#/teach`, RU, /status of 409/);
  await page.getByRole('link', { name: /Чай/ }).click();
  await page.getByText('Хорошо видно.').waitFor();
  assert.is(await templatesOf(device, '7'), 0, 'the button is not held');
  await page.locator('button.hold').focus();
  await page.keyboard.down('Space');
  await page.locator('.pictures li').waitFor();
  await page.keyboard.up('Space');
  await show(device, turned(3));
  await page.getByText('Хорошо видно.').waitFor();
  assert.is(await templatesOf(device, '7'), 1);
  await call(`${device.recognition}/api/set_learning_mode`, { json: { mode: 0 } });
  await button(page, 'Сделать снимок').click();
  await page.getByText('Обучение на этом устройстве выключено').waitFor();
  assert.is(await templatesOf(device, '7'), 1);
  await show(device, '');
  await page.getByText('Лоток пуст: положите товар.').waitFor();
  assert.ok(await button(page, 'Сделать снимок').isDisabled());
  await findNothing(page, 'pictures of an item', null, (problem) => problem.includes('TEST0001'));
});

it('a camera lost midway is reported and goes on; looks learned count without their pictures', async (device) => {
  await layTea(device);
  await using page = await browsing.open(
    `${device.recognition}/#/teach/7`,
    { viewport: PHONE },
    /status of 503|ERR_FAILED/,
  );
  await page.getByText('Looks good.').waitFor();
  let isShown = false;
  await page.route(/\/templates\/.*\/picture/, (route) => (isShown ? route.continue() : route.abort()));
  await page.locator('button.hold').hover();
  await page.mouse.down();
  await page.getByText('1 of 5').waitFor();
  await page.getByText('Same as an earlier picture: turn the item.').waitFor();
  const lost = { code: 'Camera.Lost', detail: 'the camera is lost' };
  await page.route('**/console/api/camera', (route) => route.fulfill({ status: 503, json: lost }));
  await page.locator('#collecting .problem', { hasText: 'Health says why' }).waitFor();
  assert.is(await page.locator('.crop').count(), 0, 'no picture of before');
  await show(device, turned(1));
  assert.is(await templatesOf(device, '7'), 1);
  isShown = true;
  await page.mouse.up(); // the message moves the button away
  await page.unroute('**/console/api/camera');
  await hold(page);
  await page.getByText('2 of 5').waitFor();
  await page.mouse.up();
  assert.is(await page.locator('#collecting .problem').count(), 0);
  assert.is(await templatesOf(device, '7'), 2);
});

it('a device that goes away lets go of the button, and nothing can be pressed', async (device) => {
  await layTea(device);
  await using page = await browsing.open(`${device.recognition}/#/teach/7`, { viewport: PHONE });
  await hold(page);
  await page.locator('.pictures li').waitFor();
  await device[Symbol.asyncDispose]();
  await page.locator('.banner').waitFor();
  assert.ok(await page.locator('button.hold').isDisabled());
  assert.is(await page.locator('button.hold').getAttribute('aria-pressed'), 'false');
  assert.is(await page.locator('.crop').count(), 0, 'no picture of before');
  assert.ok(await button(page, 'Take picture').isDisabled());
});

test.run();
