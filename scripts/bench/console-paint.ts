/**
 * `node scripts/bench/console-paint.ts`: measures from the till's call to the painted picture in Chromium (CHROMIUM or
 * /usr/bin/chromium), on the customer's screen and on the lane's page, with one and with four windows of the console.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { temporaryFolder } from '../../test/support.ts';
import { startBrowser } from './browser.ts';
import { ALONE, post, spread, startFirmware } from './firmware.ts';
import { amountOf } from './quick.ts';
import { sellWith } from './sales.ts';

const ROUNDS = amountOf({ full: 60, quick: 3 });
const WARM_UP = 3;
const LIMIT_MS = 150;
const LOOK_AGAIN_MS = 20;

/** Notes in the page when a new picture has been painted: after the frame that draws it. */
const WATCH = `(() => {
  const picture = document.querySelector('.picture');
  window.painted = [];
  new MutationObserver(() => {
    const { view } = picture.dataset;
    requestAnimationFrame(() => setTimeout(() => window.painted.push([view, performance.timeOrigin + performance.now()])));
  }).observe(picture, { attributeFilter: ['data-view'] });
})()`;

using folder = temporaryFolder();
const firmware = await startFirmware(folder.path, {
  ...ALONE,
  LANEWARE_SANDBOXBANK_ENABLED: 'true',
  LANEWARE_SANDBOXBANK_PORT: '0',
});
await sellWith(firmware.url, { sandbox: { bankName: 'Sandbox' } });

let codes = 0;
/** Pictures that the device can be made to show without a bank. */
const ACTS: readonly (readonly [string, () => Promise<void>])[] = [
  ['success', () => post(`${firmware.url}/displayStatus`, { status: 3 })],
  ['qr', () => post(`${firmware.url}/showInfoQR`, { infoQR: `https://example.org/${'code'.repeat(20)}/${codes++}` })],
  ['failure', () => post(`${firmware.url}/displayStatus`, { status: 4 })],
  ['clear', () => post(`${firmware.url}/displayStatus`, { status: 0 })],
];

async function paintedAt(page: Page, view: string): Promise<number> {
  for (;;) {
    // the page's policy forbids a script that waits inside it
    const at = await page.evaluate<number | undefined>(`window.painted.find(([view]) => view === '${view}')?.[1]`);
    if (at !== undefined) return at;
    await pause(LOOK_AGAIN_MS);
  }
}

async function spans(page: Page, rounds: number): Promise<number[]> {
  const all: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const [view, act] of ACTS) {
      await page.evaluate('window.painted.length = 0');
      const began = performance.timeOrigin + performance.now();
      await act();
      all.push((await paintedAt(page, view)) - began);
    }
  return all;
}

async function measure(browser: Browser, path: string, beside: number): Promise<number[]> {
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 } });
  for (let window = 0; window < beside; window += 1) await (await context.newPage()).goto(`${firmware.recognition}/`);
  const page = await context.newPage();
  await page.goto(`${firmware.recognition}${path}`);
  await page.locator('.picture:not([data-view=lost])').waitFor();
  await page.evaluate(WATCH);
  await spans(page, WARM_UP);
  const taken = await spans(page, ROUNDS);
  await context.close();
  return taken;
}

const browser = await startBrowser();
process.stdout.write(`from the call to the painted picture, asked: p95 under ${LIMIT_MS} ms\n`);
for (const [what, path, beside] of [
  ["the customer's screen", '/display', 0],
  ['the page of the lane', '/', 0],
  ['the same beside three windows', '/', 3],
] as const)
  spread(what, await measure(browser, path, beside));
await browser.close();
await firmware.stop();
