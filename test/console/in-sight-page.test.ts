/** What a person looks for is in sight, without a search: in real Chromium, on a phone where nothing else is named. */
import type { Locator, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { call, each, onSetUpDevice, setUp, startTestDevice, temporaryFolder, until } from '../support.ts';
import { fillLedger } from '../terminal/filled-ledger.ts';
import {
  awaitSight,
  browserSuite,
  button,
  learnEmptyTray,
  live,
  PHONE,
  paid,
  SEEING,
  settled,
  show,
  TILL,
} from './support.ts';

const { test, browsing } = browserSuite('what is in sight in Chromium');
const it = each(test, onSetUpDevice);

const scrolled = (page: Page) => page.evaluate<number>('scrollY');

/** Between the strip at the top and the bar at the bottom. */
async function isInSight(page: Page, part: Locator): Promise<boolean> {
  const [box, strip, bar] = await Promise.all(
    [part, page.locator('.strip'), page.locator('.rail')].map((one) => one.boundingBox()),
  );
  assert.ok(box && strip && bar);
  return box.y >= strip.y + strip.height && box.y + box.height <= bar.y;
}

test('a page, its part and the way back open at their top, however far a list was scrolled', async () => {
  using folder = temporaryFolder();
  const filled = { createdAt: Date.now(), amount: 51_240, state: 'ACCEPTED' } as const;
  fillLedger(folder.path, Array(30).fill(filled), { bankName: 'Sandbox' });
  await using device = await startTestDevice({}, folder.path);
  await setUp(device);
  await browsing.visit(`${device.recognition}/#/payments`, { viewport: PHONE }, async (page) => {
    const toEnd = async () => {
      await settled(page);
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      assert.ok((await scrolled(page)) > 400);
    };
    await page.locator('#list li').nth(29).waitFor();
    await toEnd();
    await page.getByRole('link', { name: 'Checkout', exact: true }).click();
    await page.locator('#latest').waitFor();
    assert.is(await scrolled(page), 0);
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await page.locator('#list li').nth(29).waitFor();
    await toEnd();
    await page.locator('#list li a').last().click();
    await page.locator('#payment .large').waitFor();
    assert.is(await scrolled(page), 0);
  });
  await using page = await browsing.open(`${device.recognition}/#/device`, { viewport: { width: 1280, height: 800 } });
  await page.locator('#settings a', { hasText: 'Backup' }).click();
  await page.locator('#backup-in').waitFor();
  await settled(page);
  assert.is(await scrolled(page), 0, 'the heading is not under the strip');
});

test('why an item is confused stands above its form, beside a picture of the other one', async () => {
  await using device = await startTestDevice(SEEING);
  await awaitSight(device, '<rect x="500" y="260" width="280" height="200" fill="#f4f4ee"/>');
  for (const id of ['1', '2']) await call(`${device.recognition}/v1/items/${id}/templates`, { method: 'POST' });
  await using page = await browsing.open(`${device.recognition}/#/items/1`, { viewport: PHONE }, /status of 404/);
  const reason = page.locator('.alike', { hasText: 'fewer than five pictures' });
  await reason.waitFor();
  await settled(page);
  const [picture, template] = [await reason.locator('img').getAttribute('src'), /\/v1\/items\/2\/templates\//];
  assert.match(picture ?? '', template);
  assert.ok(await isInSight(page, reason));
});

test('the button that is held to teach is whole, and beside it, on a till, is what it has taken', async () => {
  await using device = await startTestDevice(SEEING);
  await learnEmptyTray(device);
  await show(device, '<rect x="500" y="260" width="280" height="200" fill="#f4f4ee"/>');
  await call(`${device.recognition}/v1/items/7`, { method: 'PUT', json: { name: 'Tea' } });
  const address = `${device.recognition}/#/teach/7`;
  await browsing.visit(address, { viewport: PHONE }, async (page) => {
    await page.locator('.crop canvas').waitFor();
    await settled(page);
    assert.ok(await isInSight(page, page.locator('button.hold')));
  });
  await using page = await browsing.open(address, { viewport: TILL });
  await page.locator('.crop canvas').waitFor();
  await settled(page);
  const hold = await page.locator('button.hold').boundingBox();
  const isAbove = hold && hold.y + hold.height < TILL.height - 150;
  assert.ok(isAbove, 'of a trial, too, whose tray is laid by buttons above it');
  await button(page, 'Take picture').click();
  const picture = page.locator('.pictures li');
  await picture.waitFor();
  await settled(page);
  const box = await picture.boundingBox();
  assert.ok(box && box.y + box.height <= TILL.height);
});

test('the code is asked for on a phone without scrolling, in both languages', async () => {
  await using device = await startTestDevice(SEEING);
  await setUp(device);
  await learnEmptyTray(device);
  for (const [locale, go] of [
    ['en-GB', 'Show QR code'],
    ['ru-RU', 'Показать QR-код'],
  ] as const) {
    await using page = await browsing.open(device.recognition, { viewport: PHONE, locale });
    await live(page);
    await settled(page);
    assert.ok(await isInSight(page, button(page, go)), go);
  }
});

it('that the bank is saved, and that it works, is read without scrolling', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/welcome/bank`, { viewport: PHONE });
  await live(page);
  await page.getByLabel('Bank name').selectOption('Alfa Bank');
  await page.getByLabel('Login', { exact: true }).fill('shop-api');
  await page.getByLabel('Password', { exact: true }).fill('secret');
  await page.locator('summary', { hasText: 'More settings' }).click();
  await page.getByLabel('Bank address').fill(`${device.sandbox}/rbs/payment/rest/`);
  await page.locator('summary', { hasText: 'More settings' }).click();
  await page.evaluate('scrollTo(0, 0)');
  await button(page, 'Save').click();
  const saved = page.getByText('Saved and in use.');
  await saved.waitFor();
  await until('it is seen', () => isInSight(page, saved));
  await page.evaluate('scrollTo(0, 0)');
  await button(page, 'Test the bank').click();
  const works = page.getByText('It works');
  await works.waitFor();
  await until('it is seen', () => isInSight(page, works));
});

it('a difference from the bank is words in lines, with each sum named', async (device) => {
  const id = await paid(device, 4200);
  await using page = await browsing.open(
    `${device.recognition}/#/payments/reconcile`,
    { viewport: PHONE },
    /status of 400/,
  );
  const buffer = Buffer.from(`orderId;sum\n${id};43.00\n`);
  await page.getByLabel('Bank’s report').setInputFiles({ name: 'registry.csv', mimeType: 'text/csv', buffer });
  await button(page, 'Reconcile').click();
  await page.getByLabel('Order ID').selectOption('orderId');
  await page.getByLabel('Amount', { exact: true }).selectOption('sum');
  await button(page, 'Reconcile').click();
  const row = page.locator('.differences tbody tr');
  await row.waitFor();
  const heights = await row.locator('td').evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().height));
  assert.ok(Math.max(...heights) < 60, `${heights} px: no word is broken`);
  const named = await page.evaluate(
    "[...document.querySelectorAll('.differences td.sum')].map((cell) => getComputedStyle(cell, '::before').content)",
  );
  assert.equal(named, ['"In the bank’s report: "', '"In the ledger: "']);
});

test.run();
