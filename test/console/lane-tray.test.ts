/** What the page of the lane says of the tray, in real Chromium. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { drawTray } from '../recognition/drawn-tray.ts';
import { SHIPPED_MANIFEST } from '../recognition/fixtures/models.ts';
import { call, startTestDevice, type TestDevice, until } from '../support.ts';
import { browserSuite, button, learnEmptyTray, live, show } from './support.ts';

const { test, browsing } = browserSuite('tray on the page of the lane in Chromium');

const PUSHED = { LANEWARE_CAMERA_DRIVER: 'push' };
const SEEING = { ...PUSHED, LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST };
const THING =
  '<rect x="520" y="240" width="220" height="240" fill="#b3302a"/><rect x="520" y="240" width="110" height="120" fill="#1f63b0"/>';

const lane = ({ recognition }: TestDevice) => `${recognition}/#/lane`;
const tray = (page: Page) => page.locator('#tray');

test('a lane without a camera has no tray on its page', async () => {
  await using device = await startTestDevice();
  await using page = await browsing.open(lane(device));
  await live(page);
  assert.is(await tray(page).count(), 0);
});

test('items come and go with price and picture, and none are shown once the device is gone', async () => {
  await using device = await startTestDevice(SEEING);
  await learnEmptyTray(device);
  await using page = await browsing.open(lane(device));
  await tray(page).locator('.sign.empty').waitFor();
  await show(device, THING);
  await tray(page).locator('.sign.unknown', { hasText: 'Not recognised' }).waitFor();
  assert.is(await tray(page).locator('.asks').innerText(), '', 'said once');
  assert.is(await tray(page).locator('.tile').count(), 0);
  await call(`${device.recognition}/v1/items/4711`, { method: 'PUT', json: { name: 'Tea', price: 12_990 } });
  const jpeg = { headers: { 'content-type': 'image/jpeg' }, body: new Uint8Array(await drawTray({ things: THING })) };
  const put = await call(`${device.recognition}/v1/items/4711/picture`, { method: 'PUT', ...jpeg });
  assert.ok(put.status < 300, put.text);
  await call(`${device.recognition}/v1/items/4711/templates`, { method: 'POST' });
  await show(device, '');
  await tray(page).locator('.sign.empty').waitFor();
  await show(device, THING);
  await page.locator('#tray .one .tile', { hasText: /Tea[\s\S]*4711/ }).waitFor();
  await tray(page).locator('.one .chip', { hasText: 'Recognised' }).waitFor();
  assert.match(await tray(page).locator('.price').innerText(), '129.90');
  const image = tray(page).locator('img');
  await until('its picture', async () => (await image.evaluate(({ naturalWidth }) => naturalWidth)) > 0);
  await button(tray(page), 'Not this item').click();
  await button(tray(page), 'Another item').click();
  await page.locator('#sought').fill('4711');
  await show(device, '');
  await tray(page).locator('.sign.empty').waitFor();
  await show(device, THING);
  await tray(page).locator('.tile', { hasText: 'Tea' }).waitFor();
  assert.is(await page.locator('#sought').count(), 0, 'what was sought for one thing is not kept for the next');
  await device[Symbol.asyncDispose]();
  await page.locator('.banner').waitFor();
  assert.is(await tray(page).locator('.tile').count(), 0, 'nothing of before is said');
});

test('an unknown state of the tray is shown as such, with the way to the reason', async () => {
  await using device = await startTestDevice({ ...PUSHED, LANEWARE_MODEL_MANIFEST: 'null' });
  await using page = await browsing.open(lane(device), { locale: 'ru-RU' }, /status of 503/);
  await tray(page).locator('.advice', { hasText: 'Лоток не виден' }).waitFor();
  assert.is(await tray(page).getByRole('link', { name: 'Камера' }).getAttribute('href'), '#/camera');
});

test('without a camera buttons put a drawn thing on the tray, and take it away', async () => {
  await using device = await startTestDevice({ ...SEEING, LANEWARE_CAMERA_DRIVER: 'replay' });
  const lies = async () => (await call(`${device.recognition}/console/api/camera/drawn-tray`)).body.thing;
  await using page = await browsing.open(lane(device));
  await tray(page).locator('.on-scale').waitFor();
  await button(tray(page), 'Orange').click();
  await tray(page).locator('button[aria-pressed=true]', { hasText: 'Orange' }).waitFor();
  assert.is(await lies(), 'orange');
  await button(tray(page), 'Nothing').click();
  await tray(page).locator('button[aria-pressed=true]', { hasText: 'Nothing' }).waitFor();
  const learned = await call(`${device.recognition}/console/api/camera/empty-tray`, { method: 'PUT' });
  assert.is(learned.status, 200, learned.text);
  await tray(page).locator('.sign.empty').waitFor();
  assert.is(await lies(), 'nothing');
});

test.run();
