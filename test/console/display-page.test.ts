/** The customer display as a customer sees it: the display contract of the screen, in real Chromium. */
import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { PAYLOADS, readQr } from '../drivers/display/support.ts';
import { listening } from '../ports.ts';
import { call, each, onSetUpDevice, startTestDevice, type TestDevice, until } from '../support.ts';
import { startWire } from '../wire.ts';
import { browserSuite, PANELS } from './support.ts';

const { test, browsing } = browserSuite('customer display in Chromium');
const it = each(test, onSetUpDevice);

const viewOf = (page: Page) => page.locator('.picture').getAttribute('data-view');
const view = (page: Page, name: string) => until(`the page shows ${name}`, async () => (await viewOf(page)) === name);
const seen = async (page: Page) => readQr(await page.screenshot());
const drawing = (page: Page) => page.locator('.code path').getAttribute('d');

/** Waits until the picture of the page holds exactly this code. */
const reads = (page: Page, payload: string) =>
  until(`a reader of the page reads ${payload.slice(0, 40)}`, async () => (await seen(page)) === payload);

const infoQR = ({ terminal }: TestDevice, text: string) => call(`${terminal}/showInfoQR`, { json: { infoQR: text } });
const showQR = ({ terminal }: TestDevice, amount: number, purpose: string) =>
  call(`${terminal}/showQR`, { json: { amount, purpose } });

it('codes of 1 to 1000 bytes are read from panels of every shape as asked for', async (device) => {
  await using page = await browsing.open(`${device.recognition}/display`);
  for (const viewport of PANELS) {
    await page.setViewportSize(viewport);
    for (const payload of PAYLOADS) {
      await infoQR(device, payload);
      await reads(page, payload);
    }
  }
});

it('a payment has its amount in roubles and its purpose beside the code', async (device) => {
  await using page = await browsing.open(`${device.recognition}/display`);
  for (const [kopecks, words] of [
    [1, '0,01 ₽'],
    [12_345, '123,45 ₽'],
    [100_000_000, '1 000 000,00 ₽'],
  ] as const) {
    await showQR(device, kopecks, 'Заказ 7');
    await until(
      `the amount is ${words}`,
      async () => (await page.locator('.amount').innerText()).replaceAll('\u00a0', ' ') === words,
    );
    assert.is(await page.locator('.purpose').innerText(), 'Заказ 7');
  }
});

it('the outcome is a green check or a red cross, and clear is blank', async (device) => {
  const show = (status: number) => call(`${device.terminal}/displayStatus`, { json: { status } });
  await using page = await browsing.open(`${device.recognition}/display`);
  const colour = (name: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('.${name} circle')).fill`);
  await show(3);
  await view(page, 'success');
  assert.ok(await page.locator('.success').isVisible());
  assert.is(await colour('success'), 'rgb(15, 123, 75)');
  await show(4);
  await view(page, 'failure');
  assert.ok(await page.locator('.failure').isVisible());
  assert.is(await page.locator('.success').isVisible(), false);
  assert.is(await colour('failure'), 'rgb(179, 38, 30)');
  await show(0);
  await view(page, 'clear');
  assert.is(await page.locator('section:visible').count(), 0);
});

it('a device that falls silent without closing anything blanks the page', async (device) => {
  await infoQR(device, 'https://example.org/stale');
  await using wire = await startWire(Number(new URL(device.recognition).port));
  await using page = await browsing.open(`http://127.0.0.1:${wire.port}/display`);
  await reads(page, 'https://example.org/stale');
  wire.hold();
  await view(page, 'lost');
  assert.is(await seen(page), null);
});

test('a page of before an update loads itself anew', async () => {
  await using device = await startTestDevice();
  await using page = await browsing.open('about:blank');
  let version = 0;
  await page.route('**/display/events', (route) => {
    version += 1;
    const body = `event: hello\ndata: {"pages":"${version}","beatMs":2000}\n\n`;
    return route.fulfill({ contentType: 'text/event-stream', body });
  });
  let loads = 0;
  page.on('load', () => loads++);
  await page.goto(`${device.recognition}/display`);
  await until('the page has loaded itself again', () => loads >= 2);
  assert.ok(version >= 2);
});

test('words beside a code are shown without an amount, too; a code without both stands alone', async () => {
  await using device = await startTestDevice();
  const code = { code: 0, kind: 'qr', payload: 'x', qr: { size: 9, path: 'M4 4h1v1h-1z' } };
  for (const purpose of [undefined, 'Яблоки сегодня дешевле']) {
    await using page = await browsing.open('about:blank');
    const server = createServer((_, answer) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' });
      answer.write(`data: ${JSON.stringify({ ...code, purpose })}\n\n`);
    });
    await using events = await listening(server);
    await page.route('**/display/events', (route) => route.continue({ url: events.url }));
    await page.goto(`${device.recognition}/display`);
    await until('the code', () => drawing(page));
    assert.is(await page.locator('.purpose').isVisible(), purpose !== undefined);
    assert.is(await page.locator('.purpose').textContent(), purpose ?? '');
  }
});

test('a screen that was not loaded anew speaks the language of each state', async () => {
  await using device = await startTestDevice();
  await using page = await browsing.open('about:blank');
  const states = (['both', 'en', 'ru'] as const).map((language) => ({
    code: 0,
    kind: 'status',
    status: 'failure',
    language,
  }));
  const asked: (() => void)[] = [];
  const server = createServer(async (_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const state of states) {
      answer.write(`data: ${JSON.stringify(state)}\n\n`);
      await new Promise<void>((next) => asked.push(next));
    }
  });
  await using events = await listening(server);
  await page.route('**/display/events', (route) => route.continue({ url: events.url }));
  await page.goto(`${device.recognition}/display`);
  for (const words of ['Оплата не прошла Payment failed', 'Payment failed', 'Оплата не прошла']) {
    await until(`it says ${words}`, async () => (await page.locator('.failure .what').textContent()) === words);
    asked.pop()?.();
  }
});

test('a state that cannot be drawn leaves no older one on the screen', async () => {
  await using device = await startTestDevice();
  await using page = await browsing.open('about:blank', {}, /TypeError/);
  const code = { code: 0, kind: 'qr', payload: 'x', qr: { size: 9, path: 'M4 4h1v1h-1z' } };
  const events = [code, { ...code, qr: undefined }].map((state) => `data: ${JSON.stringify(state)}\n\n`).join('');
  await page.route('**/display/events', (route) => route.fulfill({ contentType: 'text/event-stream', body: events }));
  const error = page.waitForEvent('pageerror');
  await page.goto(`${device.recognition}/display`);
  assert.match(String(await error), 'TypeError');
  await view(page, 'lost');
  assert.is(await drawing(page), null);
});

test.run();
