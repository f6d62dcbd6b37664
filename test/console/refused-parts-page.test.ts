/** A browser that refuses to keep anything, in real Chromium: by its settings, and part by part, in each way that browsers do it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { call, setUp, startTestDevice, type TestDevice, temporaryFolder, UNTIL_LIMIT_MS } from '../support.ts';
import { HASHES, PAGE_SCRIPTS, readPage } from './pages.ts';
import { browserSuite, button, CHROMIUM, FLAGS, live, REFUSED, sell, setPin, typePin } from './support.ts';

const { test, browsing } = browserSuite('a browser that keeps nothing');

/** The one script of the pages that may use what a browser may refuse. */
const PARTS = 'core/pages/app/browser-parts.js';
const REFUSABLE =
  /\b(?:localStorage|sessionStorage|indexedDB|BroadcastChannel|SharedWorker|serviceWorker|cookieStore|document\.cookie|navigator\.(?:storage|locks)|caches\.)/;

/** What a page meets, by what the browser does; a script that runs before the page's own. */
const throws = (name: string): string =>
  `Object.defineProperty(window, '${name}', { configurable: true, get() { throw new DOMException('denied', 'SecurityError'); } });`;
const method = (name: string): string =>
  `Storage.prototype.${name} = () => { throw new DOMException('full', 'QuotaExceededError'); };`;
const REFUSALS: Readonly<Record<string, string>> = {
  'is denied': ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore'].map(throws).join('\n'),
  'is not there':
    "for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) Object.defineProperty(window, name, { value: null });",
  'cannot be read': method('getItem'),
  'is full': method('setItem'),
  'knows no other window': 'delete window.BroadcastChannel;',
  'denies other windows':
    "window.BroadcastChannel = class { constructor() { throw new DOMException('denied', 'SecurityError'); } };",
  'denies cookies and workers': `Object.defineProperty(Document.prototype, 'cookie', { get() { throw new DOMException('denied', 'SecurityError'); }, set() { throw new DOMException('denied', 'SecurityError'); } });
    delete Navigator.prototype.serviceWorker;`,
};

let device: TestDevice;
test.before(async () => {
  device = await startTestDevice();
  await setUp(device);
});
test.after(async () => device[Symbol.asyncDispose]());

const drawnIn = async (page: Page, language: 'EN' | 'RU'): Promise<string> => {
  await button(page, language).click();
  await page.locator(`.languages [lang=${language.toLowerCase()}][aria-pressed=true]`).first().waitFor();
  return page.locator('h1').innerText();
};

for (const [what, script] of Object.entries(REFUSALS))
  test(`storage that ${what}: the console draws, and changes its language`, async () => {
    await using page = await browsing.open('about:blank', {}, REFUSED);
    await page.addInitScript(script);
    await page.goto(`${device.recognition}/#/lane`);
    await live(page);
    assert.not.equal(await drawnIn(page, 'RU'), await drawnIn(page, 'EN'));
  });

/** Chromium whose settings refuse all cookies, as a policy does: with them all that it keeps for a page. */
async function withoutCookies(): Promise<BrowserContext & AsyncDisposable> {
  const folder = temporaryFolder();
  mkdirSync(join(folder.path, 'Default'));
  writeFileSync(
    join(folder.path, 'Default', 'Preferences'),
    JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } }),
  );
  const context = await chromium.launchPersistentContext(folder.path, {
    executablePath: CHROMIUM,
    args: FLAGS,
    locale: 'en-GB',
  });
  context.setDefaultTimeout(UNTIL_LIMIT_MS);
  const end = async (): Promise<void> => {
    await context.close();
    folder[Symbol.dispose]();
  };
  return Object.assign(context, { [Symbol.asyncDispose]: end });
}

test('with cookies blocked every document draws, and each asks not to be translated', async () => {
  await using context = await withoutCookies();
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error}`));
  const look = async (url: string, shown: string) => {
    await page.goto('about:blank');
    await page.goto(url);
    await page.locator(shown).first().waitFor();
    assert.is(await page.evaluate<boolean>('document.documentElement.translate'), false, url);
  };
  await look(`${device.recognition}/#/lane`, '.shell[data-live=yes] h1');
  assert.match(
    await page.evaluate<string>('(() => { try { return String(localStorage); } catch (e) { return e.name; } })()'),
    /SecurityError/,
  );
  for (const hash of HASHES) await look(`${device.recognition}/#/${hash}`, 'h1');
  await sell(device, 45_900);
  const { link } = (await call(`${device.recognition}/console/api/overview`)).body.payment;
  for (const [url, shown] of [
    [`${device.recognition}/claim`, '#claim'],
    [`${device.recognition}/display`, '.picture[data-view=qr]'],
    [link, '.amount'],
    [`${device.terminal}/errors`, 'h1'],
    [`${device.terminal}/errors/Payments.RefundLimit`, 'h1'],
    [`${device.terminal}/v1/reports/day?format=html`, 'h1'],
    [`${device.terminal}/reference`, '.opblock'],
    [`${device.recognition}/reference`, '.opblock'],
  ] as const)
    await look(url, shown);
  assert.equal(faults, []);
});

test('who signs in there is told what to allow, and stays at the PIN', async () => {
  await using guarded = await startTestDevice();
  await setPin(guarded, 'technician', '739105');
  await using context = await withoutCookies();
  const page = await context.newPage();
  await page.goto(`${guarded.recognition}/#/lane`);
  await typePin(page, '739105');
  await page.getByText('This browser refuses cookies and cannot stay signed in').waitFor();
  assert.is(await page.locator('#sign-in').count(), 1);
});

test('no script of a page uses such a part but by the one that holds it', () => {
  const own = PAGE_SCRIPTS.filter((file) => REFUSABLE.test(readPage(file)));
  assert.equal(own, [PARTS]);
});

test('nor does a document that brings its own script', () => {
  const documents = ['firmware/tools/sandbox-bank/pay-page.ts', 'firmware/core/http/reference/reference.js'];
  for (const file of documents)
    assert.not.match(readFileSync(join(import.meta.dirname, '../..', file), 'utf8'), REFUSABLE, file);
});

test.run();
