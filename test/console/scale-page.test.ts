/** The page of a scale in real Chromium: recognised, chosen, taken back, sought, several, dark screens of every size. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { BLUE, halves, RED } from '../recognition/drawn-tray.ts';
import { call, startTestDevice, type TestDevice } from '../support.ts';
import { findNothing } from './audit.ts';
import { browserSuite, button, learnEmptyTray, PHONE, REFUSED, RU, SEEING, show } from './support.ts';

const { test, browsing } = browserSuite('page of a scale in Chromium');

const SCREENS = [
  { width: 1024, height: 600 },
  { width: 1280, height: 800 },
  { width: 600, height: 1024 },
  PHONE,
] as const;
const ITEMS = { red: ['Tomatoes', 19_900, RED], blue: ['Milk', 8990, BLUE] } as const;
const alone = (colours: readonly [string, string]) => halves(480, 200, 300, colours);

async function learned(): Promise<TestDevice> {
  const device = await startTestDevice(SEEING);
  await learnEmptyTray(device);
  for (const [id, [name, price, colours]] of Object.entries(ITEMS)) {
    await call(`${device.recognition}/v1/items/${id}`, { method: 'PUT', json: { name, price, plu: `4${price}` } });
    await show(device, alone(colours));
    for (let times = 0; times < 3; times++)
      await call(`${device.recognition}/v1/items/${id}/templates`, { method: 'POST' });
  }
  await call(`${device.recognition}/v1/items/4011`, { method: 'PUT', json: { name: 'Bananas', price: 12_990 } });
  await show(device, '');
  return device;
}

const open = (page: Page) => page.locator('.scale-page').waitFor();
const sign = (page: Page, text: string) => page.locator('.sign p', { hasText: text }).waitFor();
const one = (page: Page, text: string) => page.locator('.one', { hasText: text }).waitFor();
const tile = (page: Page, name: string) => page.locator('.tiles .tile', { hasText: name });

test('recognised, taken back, chosen by a tap, and sought by its code; the till follows', async () => {
  await using device = await learned();
  const work = async (page: Page) => {
    await sign(page, 'Place an item');
    await show(device, alone(RED));
    await tile(page, 'Tomatoes')
      .or(page.locator('.one', { hasText: 'Tomatoes' }))
      .first()
      .waitFor();
    if ((await page.locator('.one').count()) > 0) await button(page, 'Not this item').click();
    await tile(page, 'Milk').click();
    await one(page, 'Milk');
    await page.locator('.chip', { hasText: 'Chosen' }).waitFor();
    await button(page, 'Not this item').click();
    await button(page, 'Another item').click();
    assert.is(await page.evaluate('document.activeElement.id'), 'sought');
    for (const key of ['4', '0', '1']) await button(page, key).click();
    await tile(page, 'Bananas').click();
    await one(page, 'Bananas');
    const { body } = await call(`${device.recognition}/console/api/recognition/ranks?days=1`);
    const counted = body.positions.reduce((sum: number, count: number) => sum + count, body.none);
    assert.equal([counted, body.none], [2, 1], 'two taps, the second of an item that was not offered');
    await show(device, '');
    await sign(page, 'Place an item');
  };
  await browsing.visit(`${device.recognition}/scale`, {}, work, REFUSED);
});

test('several things: one tile each, each chosen for itself', async () => {
  await using device = await learned();
  await browsing.visit(`${device.recognition}/scale`, {}, async (page) => {
    await show(device, halves(320, 240, 220, RED) + halves(700, 240, 190, BLUE));
    await page.getByText('Several items: tap each one').waitFor();
    assert.is(await page.locator('.tiles .tile').count(), 2);
    for (const name of ['Tomatoes', 'Milk']) {
      await tile(page, name).first().click();
      await button(page, 'Back').waitFor();
      await tile(page, name).first().click();
      await page.locator('.tile.chosen', { hasText: name }).waitFor();
    }
    assert.is(await page.locator('.tile.chosen').count(), 2);
  });
});

test('a screen of any size shows all at once, nothing moves while it is drawn, and axe finds nothing', async () => {
  await using device = await learned();
  await show(device, '<circle cx="640" cy="360" r="150" fill="#2c8a4b"/>');
  for (const viewport of SCREENS)
    await browsing.visit('about:blank', { viewport }, async (page) => {
      await page.addInitScript(
        'window.shift = 0; new PerformanceObserver((list) => { for (const each of list.getEntries()) window.shift += each.value; }).observe({ type: "layout-shift", buffered: true })',
      );
      await page.goto(`${device.recognition}/scale`);
      await page.locator('.tiles .tile').first().waitFor();
      const fits =
        'document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth';
      assert.is(await page.evaluate(fits), true, JSON.stringify(viewport));
      assert.is(await page.evaluate('window.shift'), 0, JSON.stringify(viewport));
      const low =
        "[...document.querySelectorAll('.scale-page button, .scale-page a')].filter((e) => e.getBoundingClientRect().height < 44).length";
      assert.is(await page.evaluate(low), 0);
    });
  await browsing.visit(`${device.recognition}/scale`, {}, async (page) => {
    await page.locator('.tiles .tile').first().waitFor();
    await findNothing(page, 'tiles', null);
    await button(page, 'Another item').click();
    await page.locator('#sought').fill('a');
    await page.locator('.hits .tile').first().waitFor();
    await findNothing(page, 'search', null);
  });
});

test('in Russian, and a device that does not answer leaves nothing to tap', async () => {
  const device = await learned();
  let isGone = false;
  const go = async () => {
    if (!isGone) await device[Symbol.asyncDispose]();
    isGone = true;
  };
  try {
    await show(device, alone(BLUE));
    await browsing.visit(`${device.recognition}/scale`, RU, async (page) => {
      await open(page);
      await tile(page, 'Milk')
        .or(page.locator('.one', { hasText: 'Milk' }))
        .first()
        .waitFor();
      await go();
      await sign(page, 'Смотрим на лоток');
      assert.is(await page.locator('.scale-page .tile').count(), 0);
      await page.locator('.banner').waitFor();
    });
  } finally {
    await go();
  }
});

test.run();
