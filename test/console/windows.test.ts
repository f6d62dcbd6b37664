/** Several windows of one device, and a device that is killed while they look on, in real Chromium. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { startFirmware } from '../process.ts';
import { call, setUp, startTestDevice, temporaryFolder, until } from '../support.ts';
import { startWire } from '../wire.ts';
import { browserSuite } from './support.ts';

const { test, browsing } = browserSuite('windows of the console');

const PAGES = ['lane', 'payments', 'items', 'teach', 'camera', 'store', 'device', 'integrate', 'welcome'] as const;
/** What a person can do nothing amiss with, whether the device answers or not. */
const HARMLESS = '.languages button, .skip, .rail button, .keypad button, .call button, summary';

/** The devices of these tests have neither camera nor model. */
const NO_CAMERA = /status of 503/;

const live = (page: Page) => page.locator('.shell[data-live=yes]').waitFor();

test('four windows at once stay live on the lane, each with one stream, and calls still get through', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await browsing.visit(`${device.recognition}/`, {}, async (first) => {
    await live(first);
    const context = first.context();
    const streams: string[] = [];
    context.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith('/events')) streams.push(pathname);
    });
    const windows = [first, ...(await Promise.all([1, 2, 3].map(() => context.newPage())))];
    await Promise.all(windows.slice(1).map((page) => page.goto(`${device.recognition}/`)));
    await Promise.all(windows.map(live));
    for (const [index, page] of windows.entries()) {
      await page.getByLabel('Amount, roubles').fill(String(100 + index));
      await page.getByRole('button', { name: 'Show the code' }).click();
      const amount = `₽${100 + index}.00`;
      for (const other of windows) {
        await other.locator('#latest .sum', { hasText: amount }).waitFor();
        await other.locator('#customer [data-view=qr] .amount', { hasText: String(100 + index) }).waitFor();
      }
    }
    await first.getByRole('button', { name: 'Cancel this payment' }).click();
    for (const page of windows) await page.locator('#latest .chip', { hasText: 'Canceled' }).waitFor();
    assert.equal(
      streams,
      ['/v1/overview/events', '/v1/overview/events', '/v1/overview/events'],
      'a window has one stream',
    );
  });
});

for (const hash of PAGES)
  test(`a device killed in mid-action is told on ${hash}, nothing can be done, and all is well again by itself`, async () => {
    using folder = temporaryFolder();
    const first = await startFirmware(folder.path);
    await using _first = first.program;
    await setUp(first.urls);
    await call(`${first.urls.terminal}/showQR`, { json: { amount: 4200, purpose: 'killed' } });
    await browsing.visit(
      `${first.urls.recognition}/#/${hash}`,
      {},
      async (page) => {
        await live(page);
        // a call is under way when it dies: nobody answers it
        await page.route('**/v1/display/clear', () => undefined);
        if (hash === 'lane') await page.getByRole('button', { name: 'Clear the display' }).click();
        await page.unroute('**/v1/display/clear');
        await first.program.kill('SIGKILL');
        await page.locator('.banner', { hasText: 'does not answer' }).waitFor();
        const alive = await page.evaluate<string[]>(
          `[...document.querySelectorAll('main button:enabled')].filter((node) => !node.matches('${HARMLESS}'))
          .map((node) => node.textContent.trim() || node.ariaLabel)`,
        );
        assert.equal(alive, [], 'no button is alive');
        const settings = { LANEWARE_RECOGNITION_PORT: new URL(first.urls.recognition).port };
        const second = await startFirmware(folder.path, { settings });
        await using _second = second.program;
        await live(page);
        await until('the banner is gone', async () => (await page.locator('.banner').count()) === 0);
        if (hash !== 'lane') return;
        await page.getByLabel('Amount, roubles').fill('7');
        await page.getByRole('button', { name: 'Show the code' }).click();
        await page.locator('#latest .sum', { hasText: '₽7.00' }).waitFor();
        await page.locator('#customer [data-view=qr]').waitFor();
      },
      NO_CAMERA,
    );
  });

test('a device that is frozen in the middle of a sale counts as lost, and has made one of it when it goes on', async () => {
  using folder = temporaryFolder();
  const { program, urls } = await startFirmware(folder.path);
  await using _program = program;
  await setUp(urls);
  await browsing.visit(urls.recognition, {}, async (page) => {
    await live(page);
    await page.getByLabel('Amount, roubles').fill('12');
    program.child.kill('SIGSTOP');
    try {
      await page.getByRole('button', { name: 'Show the code' }).click();
      await page.locator('.banner', { hasText: 'does not answer' }).waitFor();
      assert.is(await page.getByRole('button', { name: 'Show the code' }).isEnabled(), false);
    } finally {
      program.child.kill('SIGCONT');
    }
    await live(page);
    await page.locator('#customer [data-view=qr]').waitFor();
    await until('the banner is gone', async () => (await page.locator('.banner').count()) === 0);
    const { payments } = (await call(`${urls.recognition}/v1/payments`)).body;
    assert.equal(
      payments.map(({ amount }: { amount: number }) => amount),
      [1200],
    );
  });
});

test('a window that loses its network takes back the code that it shows, and catches up by itself', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await using wire = await startWire(Number(new URL(device.recognition).port));
  await browsing.visit(`http://127.0.0.1:${wire.port}`, {}, async (page) => {
    await live(page);
    await call(`${device.terminal}/showQR`, { json: { amount: 4200, purpose: 'before' } });
    await page.locator('#customer [data-view=qr]').waitFor();
    wire.hold();
    await page.locator('.banner', { hasText: 'does not answer' }).waitFor();
    assert.is(await page.locator('#customer [data-view=qr]').count(), 0, 'no code that may have gone stale');
    await call(`${device.recognition}/v1/display/clear`, { json: {} });
    wire.letGo();
    await live(page);
    await until('the banner is gone', async () => (await page.locator('.banner').count()) === 0);
    assert.is(await page.locator('#customer [data-view=qr]').count(), 0);
  });
});

test.run();
