/** The customer's screen on panels of every size: the code as large as it can be, read from a picture of it, and what is said beside it. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { startFirmware } from '../process.ts';
import {
  call,
  each,
  onSetUpDevice,
  SCREEN,
  setUp,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
  until,
} from '../support.ts';
import { decoded, loadReader } from './decoded.ts';
import { browserSuite } from './support.ts';

const LONG_SYMBOL = { tuning: { pace: { symbolMs: 60_000 } } };

const { test, browsing } = browserSuite('customer display on every panel');
const it = each(test, onSetUpDevice);
test.before(loadReader);

/** Least share of the panel's shorter side that code and quiet zone take together, of a payment such as most are. */
const SIZES = [
  [320, 240, 0.85],
  [480, 320, 0.85],
  [800, 480, 0.9],
  [1024, 600, 0.9],
  [1024, 768, 0.8],
  [1280, 800, 0.9],
  [1100, 900, 0.7],
  [1280, 1024, 0.7],
  [1920, 1080, 0.95],
  [390, 844, 0.9],
  [480, 800, 0.9],
] as const;

const reads = (page: Page, payload: string) =>
  until(`a reader of the panel reads ${payload.slice(0, 40)}`, async () => (await decoded(page)) === payload);
const shown = (page: Page, view: string) => page.locator(`.picture[data-view=${view}]`).waitFor();
const showQR = ({ terminal }: Pick<TestDevice, 'terminal'>, amount: number, purpose: string) =>
  call(`${terminal}/showQR`, { json: { amount, purpose } });
const payloadOf = async (recognition: string): Promise<string> =>
  (await call(`${recognition}/display/state`)).body.payload;

/** Parts that are seen and not whole on the panel, or that lie over one another. */
const ASTRAY = `(() => {
  const boxes = [...document.querySelectorAll('.code, .mark, .amount, .purpose, .left, .how, .hint, .what, .next, .symbol svg')]
    .filter((e) => e.checkVisibility() && e.getBoundingClientRect().width > 0)
    .map((e) => [e.getAttribute('class') ?? e.tagName, e.getBoundingClientRect()]);
  const out = boxes.filter(([, b]) => b.x < -0.5 || b.y < -0.5 || b.right > innerWidth + 0.5 || b.bottom > innerHeight + 0.5);
  const over = boxes.flatMap(([one, a], i) => boxes.slice(i + 1)
    .filter(([, b]) => Math.min(a.right, b.right) - Math.max(a.x, b.x) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.y, b.y) > 1)
    .map(([other]) => one + ' over ' + other));
  return [...out.map(([name]) => name + ' beyond the panel'), ...over];
})()`;

test('panels of every size show a code as large as it can be, and all that is said beside it', async () => {
  await using device = await startTestDevice({}, undefined, LONG_SYMBOL);
  await setUp(device);
  await using page = await browsing.open(`${device.recognition}/display`);
  for (const [width, height, share] of SIZES) {
    const size = `${width} by ${height}`;
    await page.setViewportSize({ width, height });
    for (const [amount, purpose] of [
      [100_000_000, 'Щ'.repeat(140)],
      [100, ''],
      [123_450, 'Чек 1093'],
    ] as const) {
      await showQR(device, amount, purpose);
      await reads(page, await payloadOf(device.recognition));
      assert.equal(await page.evaluate(ASTRAY), [], `${size}, with ${amount} kopecks`);
    }
    const code = await page.locator('.code').boundingBox();
    assert.ok((code?.width ?? 0) / Math.min(width, height) >= share, `${size}: the code is ${code?.width} pixels wide`);
    for (const status of [4, 3, 0]) {
      await call(`${device.terminal}/displayStatus`, { json: { status } });
      await shown(page, ['clear', '', '', 'success', 'failure'][status] ?? '');
      assert.equal(await page.evaluate(ASTRAY), [], `${size}, with the symbol ${status}`);
    }
  }
});

it('forced colours leave the code black on white, on the customer’s screen and the console', async (device) => {
  await showQR(device, 4200, 'Bread');
  const payload = await payloadOf(device.recognition);
  for (const colorScheme of ['light', 'dark'] as const)
    for (const path of ['/display', '/#/lane'])
      await browsing.visit(device.recognition + path, { forcedColors: 'active', colorScheme }, async (page) => {
        await page.locator('.code').scrollIntoViewIfNeeded(); // on the console it stands below the keypad
        await reads(page, payload);
      });
});

it('time that is left runs down beside the code, and goes with it', async (device) => {
  await using page = await browsing.open(`${device.recognition}/display`);
  const left = () => page.locator('.time').innerText();
  await call(`${device.terminal}/showQR`, { json: { amount: 100, ttl: 2 } });
  await shown(page, 'qr');
  const first = await left();
  assert.match(first, /^(2:00|1:5\d)$/);
  await until('the time runs', async () => (await left()) !== first);
  await call(`${device.terminal}/showInfoQR`, { json: { infoQR: 'no payment' } });
  await reads(page, 'no payment');
  assert.is(await page.locator('.left').isVisible(), false);
});

test('a sandbox is marked on every picture, and a bank is not', async () => {
  await using device = await startTestDevice({}, undefined, LONG_SYMBOL);
  await setUp(device);
  const status = (value: number) => call(`${device.terminal}/displayStatus`, { json: { status: value } });
  const marked = 'ТЕСТ TEST';
  await using page = await browsing.open(`${device.recognition}/display`);
  for (const [view, act] of [
    ['clear', () => status(0)],
    ['success', () => status(3)],
    ['failure', () => status(4)],
    ['qr', () => showQR(device, 500, 'x')],
  ] as const) {
    await act();
    await shown(page, view);
    const mark = page.locator('.mark strong:visible');
    assert.is(await mark.count(), 1, view);
    assert.is((await mark.textContent())?.trim(), marked, view);
  }
  const shop = { bankName: 'Static', staticQR: 'https://example.org/pay' };
  await call(`${device.terminal}/clearScreen`, { method: 'POST' });
  await call(`${device.terminal}/updateDriverSettings`, {
    json: { settings: { bankProfile: 'shop', bankProfiles: { shop }, deviceConnection: SCREEN } },
  });
  await until('the mark is gone', async () => (await page.locator('.mark:visible').count()) === 0);
});

test('the screen speaks what the device is set to, and what its address asks for', async () => {
  await using device = await startTestDevice({ LANEWARE_TERMINAL_DISPLAYLANGUAGE: 'en' }, undefined, LONG_SYMBOL);
  await setUp(device);
  await call(`${device.terminal}/displayStatus`, { json: { status: 4 } });
  const failed = { ru: 'Оплата не прошла', en: 'Payment failed' };
  const next = { ru: /новый код на кассе/, en: /new code/ };
  for (const [query, languages] of [
    ['', ['en']],
    ['?lang=ru', ['ru']],
    ['?lang=both', ['ru', 'en']],
    ['?lang=tlh', ['en']],
  ] as const)
    await browsing.visit(`${device.recognition}/display${query}`, {}, async (page) => {
      await shown(page, 'failure');
      const said = await page.locator('.failure').innerText();
      for (const language of ['ru', 'en'] as const) {
        const isSpoken = (languages as readonly string[]).includes(language);
        assert.is(said.includes(failed[language]), isSpoken, `${query} ${language}`);
        assert.is(next[language].test(said), isSpoken, `what to do, ${query} ${language}`);
      }
    });
});

test('a symbol stands still for people who want no motion, and never draws itself by strokes', async () => {
  await using device = await startTestDevice({}, undefined, LONG_SYMBOL);
  await setUp(device);
  await call(`${device.terminal}/displayStatus`, { json: { status: 4 } });
  const style = (page: Page, of: string) =>
    page.evaluate<string[]>(`(({ animationName, strokeDasharray }) => [animationName, strokeDasharray])(
      getComputedStyle(document.querySelector('${of}')))`);
  for (const [reducedMotion, name] of [
    ['no-preference', 'appear'],
    ['reduce', 'none'],
  ] as const)
    await browsing.visit(`${device.recognition}/display`, { reducedMotion }, async (page) => {
      await shown(page, 'failure');
      assert.is((await style(page, '.failure svg'))[0], name);
      assert.equal(await style(page, '.failure path'), ['none', 'none']);
    });
});

test('a killed device leaves no code on the screen, and its return shows the present one', async () => {
  using folder = temporaryFolder();
  const first = await startFirmware(folder.path);
  await using _first = first.program;
  await setUp(first.urls);
  await showQR(first.urls, 4200, 'kept');
  const payload = await payloadOf(first.urls.recognition);
  await using page = await browsing.open(`${first.urls.recognition}/display`);
  await reads(page, payload);
  await first.program.kill('SIGKILL');
  await shown(page, 'lost');
  assert.is(await decoded(page), null);
  assert.is(await page.locator('.code path').getAttribute('d'), null, 'nothing of the code is left in the page');
  assert.match(await page.locator('.lost').innerText(), 'Обратитесь к кассиру');
  const port = new URL(first.urls.recognition).port;
  const second = await startFirmware(folder.path, { settings: { LANEWARE_RECOGNITION_PORT: port } });
  await using _second = second.program;
  await until('a code is back', async () => (await decoded(page)) !== null);
  assert.is(await decoded(page), await payloadOf(second.urls.recognition));
});

test.run();
