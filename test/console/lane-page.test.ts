/** The page of the lane as a newcomer, a cashier and a technician use it, in real Chromium. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { hiddenPages } from '../../firmware/core/http/index.ts';
import { FEATURE_PAGES } from '../../firmware/features.ts';
import { SimulatedTime } from '../../firmware/tools/sim/simulated-time.ts';
import { readQr } from '../drivers/display/support.ts';
import { needing } from '../needing.ts';
import { SmallDisk, whyNoSmallDisk } from '../small-disk.ts';
import {
  CFT,
  call,
  each,
  onSetUpDevice,
  SANDBOX_SETTINGS,
  setUp,
  startTestDevice,
  type TestDevice,
  until,
} from '../support.ts';
import { type Broken, type Reply, startWireBank } from '../terminal/banks/wire-bank.ts';
import { withTBank } from '../terminal/tbank.ts';
import { browserSuite, button, focused, PHONE } from './support.ts';

const { test, browsing } = browserSuite('page of the lane in Chromium');
const it = each(test, onSetUpDevice);

const LOST_DISPLAY = {
  ...SANDBOX_SETTINGS,
  deviceConnection: { connectionType: 'Serial', portName: '/dev/no-such-port' },
};

const takesPayments = (page: Page) =>
  until('payments can be asked for', () => button(page, 'Show QR code').isEnabled());
const outcome = (page: Page, text: RegExp) => page.locator('#ask .outcome').filter({ hasText: text }).waitFor();
const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const lastPayment = async ({ recognition }: TestDevice) =>
  (await call(`${recognition}/console/api/overview`)).body.payment;
const inSandbox = ({ sandbox }: TestDevice, link: string, action: string) =>
  call(`${sandbox}/sandbox/payments/${link.split('/').at(-1)}/${action}`, { method: 'POST' });

const ask = async (page: Page, amount: string, purpose = ''): Promise<void> => {
  await page.getByLabel('Amount (roubles)').fill(amount);
  await page.getByLabel('Note (optional)').fill(purpose);
  await button(page, 'Show QR code').click();
};

const bottomOf = (page: Page, part: string) =>
  page.locator(part).evaluate((element) => element.getBoundingClientRect().bottom);

it('on a phone the code that was asked for comes into view, and what is known of its payment', async (device) => {
  await using page = await browsing.open(device.recognition, { viewport: PHONE });
  await takesPayments(page);
  await ask(page, '123,45');
  await outcome(page, /can see the code/);
  const top = () => page.locator('#customer').evaluate((card) => card.getBoundingClientRect().top);
  await until('its head stands below the strip', async () => (await top()) > 0 && (await top()) < PHONE.height / 2);
  assert.ok((await bottomOf(page, '#latest .chip')) < PHONE.height);
});

it('on a till the amount has the focus, the code stands beside it, and the day is summed up', async (device) => {
  const till = { width: 1280, height: 800 };
  await using page = await browsing.open(device.recognition, { viewport: till });
  await takesPayments(page);
  assert.is(await focused(page), 'amount');
  await page.keyboard.type('123,45');
  await page.keyboard.press('Enter');
  await outcome(page, /can see the code/);
  await page.locator('#customer [data-view=qr]').waitFor();
  for (const part of ['#customer .mirror', '#latest .chip'])
    assert.ok((await bottomOf(page, part)) <= till.height, part);
  assert.is(await page.evaluate('scrollY'), 0);
  const today = page.locator('#sales .today');
  assert.match(await today.innerText(), /0 payments today/);
  await inSandbox(device, (await lastPayment(device)).link, 'pay');
  await today.filter({ hasText: '1 payment today, ₽123.45' }).waitFor();
  const { orderId } = await lastPayment(device);
  await call(`${device.terminal}/v1/payments/${orderId}/refunds`, { json: { amount: 345, id: 'a part' } });
  await today.filter({ hasText: '₽3.45 refunded' }).waitFor();
});

it('a cashier’s payment is paid on the linked page, and the field is empty for the next', async (device) => {
  await using page = await browsing.open(device.recognition);
  await takesPayments(page);
  await ask(page, '123,45', 'Receipt 1093');
  await outcome(page, /can see the code/);
  assert.is(await page.getByLabel('Amount (roubles)').inputValue(), '');
  assert.is(plain(await page.locator('#latest .sum').innerText()), '₽123.45');
  await page.locator('#latest .chip', { hasText: 'Waiting for payment' }).waitFor();
  const left = () => page.locator('#latest .left').innerText();
  const first = await left();
  assert.match(first, /^[45]:\d\d left/);
  await until('it grows less by itself', async () => (await left()) < first);
  const mirror = page.locator('#customer .mirror');
  await mirror.locator('[data-view=qr]').waitFor();
  const { link } = await lastPayment(device);
  await until(
    'the small picture shows the code itself',
    async () => (await readQr(await mirror.screenshot())) === link,
  );

  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: /payment page/ }).click();
  const payer = await opened;
  await payer.getByRole('button', { name: /^Pay/ }).click();
  await payer.getByRole('heading', { name: 'Paid' }).waitFor();

  await page.bringToFront();
  await page.locator('#customer .caption', { hasText: 'Success symbol' }).waitFor();
  await page.locator('#latest .chip', { hasText: 'Paid' }).waitFor();
  assert.is(await page.locator('#recent').count(), 0, 'the last stands alone');
  assert.is(await page.getByRole('link', { name: /payment page/ }).count(), 0, 'there is nothing left to pay');
});

it('an invalid amount is refused at its field, with no payment; the keypad types one', async (device) => {
  await using page = await browsing.open(device.recognition);
  await takesPayments(page);
  for (const [typed, sentence] of [
    ['abc', /for example 123\.45/],
    ['1000000,01', /maximum amount is ₽1,000,000\.00/],
  ] as const) {
    await ask(page, typed);
    await page.locator('#amount-problem', { hasText: sentence }).waitFor();
    assert.is(await page.getByLabel('Amount (roubles)').getAttribute('aria-invalid'), 'true');
  }
  assert.is(await lastPayment(device), null);
  await page.getByLabel('Amount (roubles)').fill('');
  assert.is(await page.locator(':focus').getAttribute('id'), 'amount');
  const keypad = page.getByRole('group', { name: 'Keypad' });
  for (const key of ['9', '8', '.', '5', '7']) await keypad.getByText(key, { exact: true }).click();
  await page.getByLabel('Delete the last digit').click();
  await page.keyboard.press('Enter'); // no key of the keypad is pressed again by it
  await until('98,5 is 9850 kopecks', async () => (await lastPayment(device))?.amount === 9850);
});

test('an action’s message goes when it is no longer true', async () => {
  await using device = await startTestDevice({}, undefined, { tuning: { pace: { symbolMs: 60_000 } } });
  await setUp(device);
  await using page = await browsing.open(device.recognition);
  const gone = (what: string) =>
    until(`nothing is said after ${what}`, async () => (await page.locator('#ask .outcome').innerText()) === '');
  await takesPayments(page);
  await ask(page, '10');
  await outcome(page, /can see the code/);
  await inSandbox(device, (await lastPayment(device)).link, 'decline');
  await gone('a decline');

  await button(page, 'Clear display').click();
  await outcome(page, /Display cleared/);
  await call(`${device.terminal}/showQR`, { json: { amount: 1300 } });
  await gone("the till's code");
});

test('one whose bank is silent stays open behind the next one, and is cancelled in its row', () =>
  withTBank(async (device) => {
    await using page = await browsing.open(device.recognition);
    await takesPayments(page);
    await ask(page, '11,03');
    await outcome(page, /can see the code/);
    await ask(page, '12');
    await page.locator('#latest .sum', { hasText: '12' }).waitFor();
    const rows = page.locator('#recent li');
    await rows.getByRole('button', { name: 'Cancel payment' }).click();
    assert.is(await rows.count(), 1, 'the latest is cancelled above');
    await rows.locator('.advice, .outcome.done, .outcome.failed').first().waitFor();
  }));

it('an open payment is canceled where it is shown', async (device) => {
  await using page = await browsing.open(device.recognition);
  await takesPayments(page);
  await ask(page, '31');
  await outcome(page, /can see the code/);
  await button(page, 'Cancel payment').click();
  await page.locator('#latest .chip', { hasText: 'Cancelled' }).waitFor();
  assert.is((await lastPayment(device)).state, 'CANCELED');
});

/** What the page says of the lane as a whole. */
const sales = (page: Page, words: string) => page.locator('#sales', { hasText: words });
/** A cashier's window, by what the device says of its session. */
const asCashier = (page: Page) =>
  page.route('**/console/api/session', (route) =>
    route.fulfill({
      json: {
        ...{ asked: true, role: 'cashier', by: 'pin', till: null, idleSeconds: 600, pins: true, codes: false },
        closed: hiddenPages('till', FEATURE_PAGES),
      },
    }),
  );

test('a lost display stops the sale beforehand, with one remedy, and its codes folded away', async () => {
  await using device = await startTestDevice();
  await call(`${device.terminal}/updateDriverSettings`, { json: { settings: LOST_DISPLAY } });
  await using page = await browsing.open('about:blank', {}, /status of 5\d\d/);
  await asCashier(page);
  await page.goto(device.recognition);
  await page.locator('.strip .chip.bad', { hasText: 'Sales stopped' }).waitFor();
  await sales(page, 'Cannot take payments').waitFor();
  assert.match(await page.locator('#sales').innerText(), /customer display is not connected/);
  assert.is(await page.locator('#sales :is(a, button)').count(), 1, 'one action');
  await page.locator('#sales').getByRole('button', { name: 'Check power and cable' }).waitFor();
  await takesPayments(page);
  await ask(page, '5');
  await page.locator('#ask .outcome.failed', { hasText: 'Check its cable and power' }).waitFor();
  await page.locator('#latest .chip', { hasText: 'Failed' }).waitFor();
  assert.not.match(await page.locator('main').innerText(), /DeviceNotFound|no-such-port|SerialPort/);
  for (const place of ['#sales', '#ask', '#latest']) {
    await page.locator(place).getByText('For the technician').click();
    await page.locator(`${place} .fault code`, { hasText: 'no-such-port' }).waitFor();
  }
});

const onDisk = needing(whyNoSmallDisk(), 'a disk that is full', test);

onDisk('a full disk stops the sale beforehand, and sends a cashier to the technician', async () => {
  using disk = new SmallDisk(64);
  await using device = await startTestDevice({}, join(disk.path, 'device'));
  await setUp(device);
  await using page = await browsing.open('about:blank');
  await asCashier(page);
  await page.goto(device.recognition);
  await sales(page, 'Ready to take payments').waitFor();
  disk.fill();
  await sales(page, 'Cannot take payments').waitFor();
  assert.match(await page.locator('#sales').innerText(), /No space left on the device.*Call the technician\./s);
  assert.is(await page.locator('#sales :is(a, button)').count(), 0);
  disk.empty();
  await sales(page, 'Ready to take payments').waitFor();
});

test('a silent bank stops the sale beforehand, and no longer once it answers', async () => {
  const time = new SimulatedTime(1);
  let reply: Reply | Broken = 'reset';
  await using bank = await startWireBank(() => reply);
  await using device = await startTestDevice({}, undefined, { time });
  const main = { ...CFT, baseUrl: bank.url };
  const settings = { ...SANDBOX_SETTINGS, bankProfile: 'main', bankProfiles: { main } };
  assert.is((await call(`${device.terminal}/updateDriverSettings`, { json: { settings } })).status, 200);
  const asked = (times: number) => until('the bank is asked', () => bank.calls.length >= times);
  await using page = await browsing.open('about:blank');
  await asCashier(page);
  await page.goto(device.recognition);
  await sales(page, 'Ready to take payments').waitFor();
  time.advance(60_000);
  await asked(1);
  assert.is(await sales(page, 'Cannot take payments').count(), 0, 'one question may be lost');
  await until('it is asked again', async () => {
    time.advance(10_000);
    return (await sales(page, 'Cannot take payments').count()) > 0;
  });
  assert.match(await page.locator('#sales').innerText(), /The bank is not answering/);
  assert.is(await page.locator('#sales :is(a, button)').count(), 1, 'one action');
  assert.is(await lastPayment(device), null, 'none was asked for');
  reply = { status: 404, body: { error: 'QRC_NOT_FOUND' } };
  time.advance(10_000);
  await sales(page, 'Ready to take payments').waitFor();
});

test('a warning is yellow, with the first and a link to the rest; what stops the sale is above', async () => {
  await using device = await startTestDevice({ LANEWARE_CAMERA_DRIVER: 'push' });
  await setUp(device);
  await using page = await browsing.open(device.recognition);
  await page.locator('#sales.open', { hasText: 'Ready to take payments' }).waitFor();
  await page.locator('.strip .chip.open', { hasText: 'Check later' }).waitFor();
  await page.locator('#sales').getByRole('link', { name: 'more message' }).waitFor();
  await call(`${device.terminal}/updateDriverSettings`, { json: { settings: LOST_DISPLAY } });
  await page.locator('#sales.bad', { hasText: 'customer display is not connected' }).waitFor();
});

it('the last payment is refunded in place; before there is one, the keypad is linked there', async (device) => {
  await using page = await browsing.open(device.recognition, { viewport: PHONE });
  await takesPayments(page);
  assert.ok(await page.getByText('No payments yet').isVisible());
  assert.ok((await bottomOf(page, '#amount')) < PHONE.height - 100, 'the amount is on the first screen');
  await button(page, 'New payment').click();
  await until('the keypad', async () => (await page.locator(':focus').getAttribute('id')) === 'amount');
  await ask(page, '77');
  await outcome(page, /can see the code/);
  await inSandbox(device, (await lastPayment(device)).link, 'pay');
  await page.locator('#latest .chip', { hasText: 'Paid' }).waitFor();
  const { orderId } = await lastPayment(device);
  assert.not.match(await page.locator('main').innerText(), new RegExp(orderId));
  await page.locator('#latest').getByRole('link', { name: 'Refund' }).click();
  await page.locator('#payment').getByLabel('Amount').waitFor();
  assert.ok(page.url().endsWith(`#/payments/${orderId}`));
});

it('“Pay late” is late for a payment that was asked for on this page, too', async (device) => {
  await using page = await browsing.open(device.recognition, {}, /ERR_ABORTED/);
  await takesPayments(page);
  await ask(page, '56');
  await outcome(page, /can see the code/);
  await button(page, 'Pay late').click();
  await page.locator('#recent .advice', { hasText: '1 payment' }).waitFor();
  const { orderId } = await lastPayment(device);
  assert.is((await call(`${device.terminal}/v1/payments/${orderId}?wait=0`)).body.late, true);
});

it('a lost device leaves nothing stale and no live button, and its banner is in sight', async (device) => {
  await using page = await browsing.open(device.recognition, { viewport: PHONE });
  await takesPayments(page);
  await ask(page, '55', 'Receipt 1094');
  await outcome(page, /can see the code/);
  await page.locator('#customer .caption', { hasText: 'QR code for ₽55.00' }).waitFor();
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await device[Symbol.asyncDispose]();
  await page.locator('.strip .chip', { hasText: 'No answer' }).waitFor();
  assert.is(await page.locator('main .chip.good, main .chip.open').count(), 0, 'nothing is green or waiting');
  assert.is(await page.locator('#latest .chip').innerText(), 'Not known yet');
  assert.is(await page.locator('#latest .left').count(), 0);
  assert.is(await page.getByRole('link', { name: /payment page/ }).count(), 0, 'nothing can be paid now');
  assert.is(await page.locator('#sales.rest').innerText(), 'No answer');
  assert.is(await page.locator('#customer .caption span').innerText(), '');
  await page.locator('#customer [data-view=lost]').waitFor();
  assert.is(await page.locator('#customer .code path').getAttribute('d'), null, 'nothing of the code is left');
  assert.is(await page.locator('#ask .outcome').innerText(), '');
  assert.ok(await button(page, 'Show QR code').isDisabled());
  assert.ok(await button(page, 'Clear display').isDisabled());
  const banner = await page.locator('.banner').boundingBox();
  assert.ok(banner !== null && banner.y >= 0 && banner.y < PHONE.height, 'the banner is seen where the page is');
});

test.run();
