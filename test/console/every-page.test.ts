/** Every page and the states that matter, light and dark, in both languages, on a phone, a till and a desktop: by axe, by width, by language. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { freePort } from '../ports.ts';
import { drawTray } from '../recognition/drawn-tray.ts';
import { SHIPPED_MANIFEST } from '../recognition/fixtures/models.ts';
import { call, setUp, startTestDevice, type TestDevice, until } from '../support.ts';
import { englishIn, overflowing, SCHEMES, SIZES, violations } from './audit.ts';
import { browserSuite } from './support.ts';

const { test, browsing } = browserSuite('every page');

/** A serial number is read, too: it shall have no letters. */
const NAMELESS = { LANEWARE_SERIAL: '104' };
const SEEING = {
  ...NAMELESS,
  LANEWARE_CAMERA_DRIVER: 'push',
  LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST,
  LANEWARE_TERMINAL_SYMBOLMS: '600000',
};
const THING =
  '<rect x="520" y="240" width="220" height="240" fill="#b3302a"/><rect x="520" y="240" width="110" height="120" fill="#1f63b0"/>';
/** What the browser says of a call that is refused, where the page tells it itself. */
const REFUSED = /status of (4|5)\d\d/;

const sandbox = async ({ sandbox: bank }: TestDevice, deed: string): Promise<void> => {
  const [newest] = (await call(`${bank}/sandbox/payments`)).body;
  await call(`${bank}/sandbox/payments/${newest.qrcId}/${deed}`, { method: 'POST' });
};
const show = ({ recognition }: TestDevice, things: string) =>
  drawTray({ things }).then((jpeg) =>
    call(`${recognition}/camera/frame`, {
      method: 'PUT',
      headers: { 'content-type': 'image/jpeg' },
      body: new Uint8Array(jpeg),
    }),
  );
const lastOf = async ({ recognition }: TestDevice) => (await call(`${recognition}/v1/overview`)).body.payment;

/** Sales with every end, a thing on the tray that is known, and a sale that is open. */
async function busyDevice(more: Readonly<Record<string, string>> = {}): Promise<TestDevice> {
  const device = await startTestDevice({ ...SEEING, ...more });
  await setUp(device);
  await show(device, '');
  await until('the model', async () => (await call(`${device.recognition}/v1/recognition`)).status === 200);
  await call(`${device.recognition}/api/learn_background`, { method: 'POST' });
  for (const deed of ['pay', 'decline'] as const) {
    await call(`${device.terminal}/showQR`, { json: { amount: 45_900, purpose: 'Чек 1090' } });
    const { orderId } = await lastOf(device);
    await sandbox(device, deed);
    await until(`the sale ends: ${deed}`, async () => {
      const { payment } = (await call(`${device.recognition}/v1/overview`)).body;
      return payment.orderId === orderId && payment.state !== 'PENDING';
    });
  }
  await call(`${device.terminal}/showQR`, { json: { amount: 123_450, purpose: 'Чек 1093' } });
  await show(device, THING);
  return device;
}

/** All that is wrong with a page as it stands, each with where it was seen. */
async function problemsOf(page: Page, choose: (language: 'en' | 'ru') => Promise<void>): Promise<string[]> {
  const found: string[] = [];
  for (const language of ['en', 'ru'] as const) {
    await choose(language);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const where = `${language} ${size.width} ${colorScheme}`;
        found.push(...(await violations(page)).map((problem) => `${where}: ${problem}`));
      }
    }
    found.push(...(await overflowing(page)).map((problem) => `${language}: ${problem}`));
    if (language === 'ru') found.push(...(await englishIn(page)));
  }
  return found;
}

const inConsole = (page: Page) => async (language: 'en' | 'ru') => {
  await page.locator(`.languages [lang=${language}]`).click();
  await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' });
};
/** What is asked for when a page opens has come. */
const settled = (page: Page) => page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined);

const HASHES = ['lane', 'payments', 'items', 'teach', 'camera', 'store', 'device', 'integrate', 'welcome'] as const;

for (const [kind, start] of [
  ['busy', () => busyDevice()],
  ['fresh', () => startTestDevice(NAMELESS)],
] as const)
  for (const hash of HASHES)
    test(`#/${hash} of a ${kind} device`, async () => {
      await using device = await start();
      const work = async (page: Page) => {
        await page.locator('.shell[data-live=yes]').waitFor();
        await settled(page);
        assert.equal(await problemsOf(page, inConsole(page)), []);
      };
      await browsing.visit(`${device.recognition}/#/${hash}`, {}, work, REFUSED);
    });

test('one payment, a refused amount, and a device that is lost', async () => {
  const device = await busyDevice();
  const { orderId } = await lastOf(device);
  const work = async (page: Page) => {
    await page.locator('.shell[data-live=yes]').waitFor();
    await settled(page);
    assert.equal(await problemsOf(page, inConsole(page)), [], 'one payment');
    await page.goto(`${device.recognition}/#/lane`);
    await page.locator('#amount').fill('abc');
    await page.keyboard.press('Enter');
    await page.locator('#amount-problem').waitFor();
    assert.equal(await problemsOf(page, inConsole(page)), [], 'a refused amount');
    await device[Symbol.asyncDispose]();
    await page.locator('.banner').waitFor();
    assert.equal(await problemsOf(page, inConsole(page)), [], 'a lost device');
  };
  await browsing.visit(`${device.recognition}/#/payments/${orderId}`, {}, work, REFUSED);
});

/** In light and dark, on a phone, a till and a desktop, without what a dialog keeps from being pressed. */
async function violationsNow(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const size of SIZES)
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      found.push(...(await violations(page)));
    }
  return [...found, ...(await overflowing(page))];
}

test('uncertain answers: chosen, asked what they are, and learned; and the store of a master', async () => {
  await using device = await busyDevice({
    LANEWARE_SYNC_HOST: '127.0.0.1',
    LANEWARE_SYNC_PORT: String(await freePort()),
  });
  await until('an uncertain answer', async () => {
    await call(`${device.recognition}/v1/recognition`);
    return (await call(`${device.recognition}/v1/recognition/uncertain`)).body.answers[0];
  });
  const work = async (page: Page) => {
    await page.locator('.answers button').first().click();
    await page.locator('.chosen').waitFor();
    assert.equal(await problemsOf(page, inConsole(page)), [], 'chosen');
    await page.locator('.chosen .primary').click();
    await page.locator('dialog #assigned').fill('4711');
    await page.locator('dialog .rows + button').waitFor();
    assert.equal(await violationsNow(page), [], 'which item');
    await page.locator('dialog .rows + button').click();
    await page.locator('.score').waitFor();
    assert.equal(await problemsOf(page, inConsole(page)), [], 'learned');
    await call(`${device.recognition}/api/set_sync_master`, { json: { upload: true, download: true } });
    await until('the store works', async () => {
      const { problem, lastSuccess } = (await call(`${device.recognition}/api/get_sync_status`)).body.data;
      return problem === null && lastSuccess !== null;
    });
    await page.goto(`${device.recognition}/#/store`);
    await page.locator('#everywhere').waitFor();
    assert.equal(await problemsOf(page, inConsole(page)), [], 'a master');
  };
  await browsing.visit(`${device.recognition}/#/teach`, {}, work, REFUSED);
});

test('a question that is asked before a deed, and all the ways of a phone', async () => {
  await using device = await startTestDevice(NAMELESS);
  await setUp(device);
  for (const locale of ['en-GB', 'ru-RU'])
    await browsing.visit(`${device.recognition}/#/store`, { locale, viewport: SIZES[0] }, async (page) => {
      await page.locator('.shell[data-live=yes]').waitFor();
      await page.locator('.rail .more').click();
      await page.locator('.rail.wide').waitFor();
      assert.equal(await violationsNow(page), [], `all the ways, ${locale}`);
      await page
        .getByRole('button', { name: /^(Become|Стать|Сделать)/ })
        .first()
        .click();
      await page.locator('dialog[open]').waitFor();
      assert.equal(await violationsNow(page), [], `a question, ${locale}`);
      if (locale === 'ru-RU') assert.equal(await englishIn(page), []);
    });
});

test('who is there, a page that is not the cashier’s, and the lane as a cashier sees it', async () => {
  await using device = await startTestDevice(NAMELESS);
  await setUp(device);
  const work = async (page: Page) => {
    await page.locator('.shell[data-live=yes]').waitFor();
    await page.locator('#pins button').first().click();
    await page.locator('dialog[open]').waitFor();
    assert.equal(await violationsNow(page), [], 'a new PIN');
    for (const [person, pin] of [
      ['technician', '739105'],
      ['cashier', '4826'],
    ])
      await call(`${device.recognition}/v1/pins/${person}`, { method: 'PUT', json: { pin } });
    await page.locator('#sign-in').waitFor();
    assert.equal(await problemsOf(page, inConsole(page)), [], 'who is there');
    await page.locator('#secret').fill('5031');
    await page.keyboard.press('Enter');
    await page.locator('.outcome.failed').waitFor();
    assert.equal(await problemsOf(page, inConsole(page)), [], 'a wrong PIN');
    await page.locator('.other').click();
    assert.equal(await problemsOf(page, inConsole(page)), [], 'with a token');
    await page.locator('.other').click();
    await page.locator('#secret').fill('4826');
    await page.keyboard.press('Enter');
    await page.locator('#closed').waitFor();
    assert.equal(await problemsOf(page, inConsole(page)), [], 'not the cashier’s');
    await page.goto(`${device.recognition}/#/lane`);
    await page.locator('#ask').waitFor();
    assert.equal(await problemsOf(page, inConsole(page)), [], 'a cashier’s lane');
  };
  await browsing.visit(`${device.recognition}/#/device`, {}, work, REFUSED);
});

test("the customer's screen, in each state", async () => {
  const device = await startTestDevice({ LANEWARE_TERMINAL_SYMBOLMS: '600000' });
  await setUp(device);
  const status = (value: number) => call(`${device.terminal}/displayStatus`, { json: { status: value } });
  const states = {
    clear: () => status(0),
    success: () => status(3),
    failure: () => status(4),
    qr: () => call(`${device.terminal}/showQR`, { json: { amount: 123_450, purpose: 'Чек 1093' } }),
    lost: () => device[Symbol.asyncDispose](),
  };
  await browsing.visit(`${device.recognition}/display`, {}, async (page) => {
    for (const [view, act] of Object.entries(states)) {
      await act();
      await page.locator(`.picture[data-view=${view}]`).waitFor();
      // its language is of its address, and a lost one cannot be loaded anew
      const choose = async (language: 'en' | 'ru') => {
        await page.evaluate(`document.querySelector('.picture').dataset.language = '${language}'`);
      };
      assert.equal(await problemsOf(page, choose), [], view);
    }
  });
});

test("the payer's page, open, paid, declined and unknown", async () => {
  await using device = await startTestDevice(NAMELESS);
  await setUp(device);
  // a till that has not heard of the last one is told of that first
  const ask = () =>
    until('a link', async (): Promise<string | null> => {
      await call(`${device.terminal}/showQR`, { json: { amount: 123_450, purpose: 'Чек 1093' } });
      return (await lastOf(device)).link;
    });
  const work = async (page: Page) => {
    const choose = async (language: 'en' | 'ru') => {
      await page.goto(`${page.url().split('?')[0]}?lang=${language}`);
    };
    for (const deed of ['none', 'pay', 'decline', 'unknown'] as const) {
      const link = await ask();
      if (deed === 'pay' || deed === 'decline') await sandbox(device, deed);
      await page.goto(deed === 'unknown' ? `${device.sandbox}/pay/AD1` : link);
      assert.equal(await problemsOf(page, choose), [], deed);
    }
  };
  await browsing.visit('about:blank', {}, work, REFUSED);
});

test('the page of the claim', async () => {
  await using device = await startTestDevice(NAMELESS);
  await browsing.visit(`${device.recognition}/claim`, {}, async (page) => {
    await page.locator('#claim').waitFor();
    assert.equal(await problemsOf(page, inConsole(page)), []);
    await page.locator('#claim button[type=submit]').click();
    await page.locator('#code-problem').waitFor();
    assert.equal(await problemsOf(page, inConsole(page)), [], 'without a code');
  });
});

test.run();
