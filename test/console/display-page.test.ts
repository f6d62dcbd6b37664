/** The customer display as a customer sees it: the display contract of the screen, in real Chromium. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { PAYLOADS, readQr } from '../drivers/display/support.ts';
import { call, setUp, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';
import { browserSuite, PANELS } from './support.ts';

const { test, browsing } = browserSuite('customer display in Chromium');

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

for (const viewport of PANELS) {
  test(`codes of 1 to 1000 bytes are read from a panel of ${viewport.width} by ${viewport.height} as asked for`, async () => {
    await using device = await startTestDevice();
    await setUp(device);
    await browsing.visit(`${device.recognition}/display`, { viewport }, async (page) => {
      for (const payload of PAYLOADS) {
        await infoQR(device, payload);
        await reads(page, payload);
      }
    });
  });

  test(`the longest amount and purpose leave the code readable on ${viewport.width} by ${viewport.height}`, async () => {
    await using device = await startTestDevice();
    await setUp(device);
    await browsing.visit(`${device.recognition}/display`, { viewport }, async (page) => {
      await showQR(device, 100_000_000, 'Щ'.repeat(140));
      await reads(page, (await call(`${device.recognition}/display/state`)).body.payload);
      for (const part of ['.code', '.amount', '.left', '.mark:visible']) {
        const box = await page.locator(part).first().boundingBox();
        assert.ok(box, part);
        assert.ok(box.x >= 0 && box.y >= 0, `${part} begins on the panel`);
        assert.ok(box.x + box.width <= viewport.width, `${part} ends on the panel`);
        assert.ok(box.y + box.height <= viewport.height, `${part} ends on the panel`);
      }
    });
  });
}

test('a payment has its amount in roubles and its purpose beside the code', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await browsing.visit(`${device.recognition}/display`, {}, async (page) => {
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
});

test('the outcome is a green check or a red cross, and clear is blank', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  const show = (status: number) => call(`${device.terminal}/displayStatus`, { json: { status } });
  await browsing.visit(`${device.recognition}/display`, {}, async (page) => {
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
});

test('markup in a purpose is shown as it is, and nothing of it runs', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  const purpose = '<img src=x onerror="document.title=1"><script>document.title=2</script><b>&amp;</b>';
  await browsing.visit(`${device.recognition}/display`, {}, async (page) => {
    await showQR(device, 100, purpose);
    await view(page, 'qr');
    assert.is(await page.locator('.purpose').textContent(), purpose);
    assert.is(await page.locator('.purpose *').count(), 0);
    assert.is(await page.title(), 'Экран покупателя');
  });
});

test('two panels show the same code', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await browsing.visit(`${device.recognition}/display`, {}, async (page) => {
    const other = await page.context().newPage();
    await other.goto(`${device.recognition}/display`);
    await infoQR(device, 'https://example.org/both');
    await reads(page, 'https://example.org/both');
    await reads(other, 'https://example.org/both');
  });
});

test('a lost device blanks the page at once, and its return brings the present picture', async () => {
  using folder = temporaryFolder();
  let device = await startTestDevice({}, folder.path);
  try {
    await setUp(device);
    await showQR(device, 4200, 'kept');
    const { payload } = (await call(`${device.recognition}/display/state`)).body;
    await browsing.visit(`${device.recognition}/display`, {}, async (page) => {
      await reads(page, payload);
      const port = new URL(device.recognition).port;
      await device[Symbol.asyncDispose]();
      await view(page, 'lost');
      assert.is(await seen(page), null);
      assert.is(await drawing(page), null, 'nothing of the code is left in the page');
      device = await startTestDevice({ LANEWARE_RECOGNITION_PORT: port }, folder.path);
      await reads(page, payload);
      await call(`${device.terminal}/clearScreen`, { method: 'POST' });
      await view(page, 'clear');
    });
  } finally {
    await device[Symbol.asyncDispose]();
  }
});

/** A network that can fall silent without breaking a connection. */
async function silentNetwork(target: string): Promise<AsyncDisposable & { url: string; silence(): void }> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(Number(new URL(target).port), '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => isSilent || to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    silence: () => {
      isSilent = true;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

test('a device that falls silent without closing anything blanks the page', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await infoQR(device, 'https://example.org/stale');
  await using network = await silentNetwork(device.recognition);
  await browsing.visit(`${network.url}/display`, {}, async (page) => {
    await reads(page, 'https://example.org/stale');
    network.silence();
    await view(page, 'lost');
    assert.is(await seen(page), null);
  });
});

test('a page of before an update loads itself anew', async () => {
  await using device = await startTestDevice();
  await browsing.visit('about:blank', {}, async (page) => {
    let version = 0;
    await page.route('**/display/events', (route) => {
      version += 1;
      const body = `event: hello\ndata: {"pages":"${version}","beatMs":2000}\n\n`;
      return route.fulfill({ contentType: 'text/event-stream', body });
    });
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.goto(`${device.recognition}/display`);
    await until('the page has loaded itself again', () => loads >= 2);
    assert.ok(version >= 2);
  });
});

test('a state that cannot be drawn leaves no older one on the screen', async () => {
  await using device = await startTestDevice();
  await browsing.visit(
    'about:blank',
    {},
    async (page) => {
      const code = { code: 0, kind: 'qr', payload: 'x', qr: { size: 9, path: 'M4 4h1v1h-1z' } };
      const events = [code, { ...code, qr: undefined }].map((state) => `data: ${JSON.stringify(state)}\n\n`).join('');
      await page.route('**/display/events', (route) =>
        route.fulfill({ contentType: 'text/event-stream', body: events }),
      );
      const error = page.waitForEvent('pageerror');
      await page.goto(`${device.recognition}/display`);
      assert.match(String(await error), 'TypeError');
      await view(page, 'lost');
      assert.is(await drawing(page), null);
    },
    /TypeError/,
  );
});

test('an idle code of the configuration is what an idle display shows', async () => {
  await using device = await startTestDevice({ LANEWARE_TERMINAL_IDLEQR: 'https://example.org/menu' });
  await setUp(device);
  await browsing.visit(`${device.recognition}/display`, {}, async (page) => {
    await reads(page, 'https://example.org/menu');
    assert.is(await page.locator('.words').isVisible(), false);
  });
});

test.run();
