/**
 * `node scripts/bench/console-load.ts [ADDRESS…]`: measures the bytes that Chromium (CHROMIUM or /usr/bin/chromium)
 * loads of each console page, cold and again, and the time until it is usable, with the processor slowed down four
 * times. Two addresses, as of two releases, are measured in turns.
 */
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { temporaryFolder } from '../../test/support.ts';
import { startBrowser } from './browser.ts';
import { ms, p50, post, startFirmware } from './firmware.ts';
import { amountOf } from './quick.ts';

const ROUNDS = amountOf({ full: 5, quick: 1 });
const SLOWER = 4;
const QUIET_MS = 500;
const PAGES = ['lane', 'payments', 'items', 'teach', 'camera', 'store', 'device', 'integrate', 'welcome'] as const;
const LOCALES = ['en-GB', 'ru-RU'] as const;

interface Load {
  readonly requests: number;
  readonly bytes: number;
  readonly paintedMs: number;
  readonly usableMs: number;
  readonly shift: number;
}

/** Counts bytes from the network, headers included; nothing from the browser's cache. */
function count(session: CDPSession) {
  const bytes = new Map<string, number>();
  const add = (request: string, more: number) => bytes.set(request, (bytes.get(request) ?? 0) + more);
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (!response.fromDiskCache) add(requestId, response.encodedDataLength);
  });
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => add(requestId, encodedDataLength));
  // small answers come together with their headers, and are counted only at the end
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    bytes.set(requestId, Math.max(bytes.get(requestId) ?? 0, encodedDataLength)),
  );
  return () => {
    const came = [...bytes.values()].filter((own) => own > 0);
    return { requests: came.length, bytes: came.reduce((sum, own) => sum + own, 0) };
  };
}

const SHIFT = `window.shift = 0;
new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shift += value; })
  .observe({ type: 'layout-shift', buffered: true })`;
const PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN";
/** Notes, on the page's clock, when the page has drawn the device's first data. */
const USABLE = `new MutationObserver((_, all) => {
  if (document.querySelector('.shell[data-live=yes] [data-settled=yes] > :nth-child(2)') === null) return;
  all.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.usableMs = performance.now(); }));
}).observe(document, { childList: true, subtree: true, attributes: true })`;

async function load(context: BrowserContext, url: string): Promise<Load> {
  const page: Page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const counted = count(session);
  await page.addInitScript(`${SHIFT}; ${USABLE}`);
  await page.goto(url);
  while (!(await page.evaluate('window.usableMs'))) await page.waitForTimeout(QUIET_MS);
  await page.waitForTimeout(QUIET_MS);
  const [paintedMs, usableMs, shift] = await page.evaluate<[number, number, number]>(
    `[${PAINTED}, window.usableMs, window.shift]`,
  );
  const came = counted();
  await page.close();
  return { ...came, paintedMs, usableMs, shift };
}

async function measure(browser: Browser, url: string, locale: string): Promise<readonly [Load, Load]> {
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, locale });
  try {
    const cold = await load(context, url);
    return [cold, await load(context, url)];
  } finally {
    await context.close();
  }
}

const worded = (loads: readonly Load[]): string => {
  const of = (figure: keyof Load) => p50(loads.map((each) => each[figure]));
  const size = `${of('requests')} requests, ${(of('bytes') / 1024).toFixed(1)} KiB`;
  return `${size.padEnd(26)} painted ${ms(of('paintedMs'))}, usable ${ms(of('usableMs'))}, shift ${of('shift').toFixed(3)}`;
};

using folder = temporaryFolder();
const given = process.argv.slice(2).filter((word) => word.startsWith('http'));
const own =
  given.length > 0
    ? null
    : await startFirmware(folder.path, { LANEWARE_SANDBOXBANK_ENABLED: 'true', LANEWARE_SANDBOXBANK_PORT: '0' });
const addresses = own === null ? given : [own.recognition];
if (own !== null) await post(`${own.recognition}/console/api/sandbox/setup`, null);
const browser = await startBrowser();
for (const page of PAGES)
  for (const locale of LOCALES) {
    const all = addresses.map((address) => ({ address, cold: [] as Load[], again: [] as Load[] }));
    for (let round = 0; round < ROUNDS; round += 1)
      for (const { address, cold, again } of all) {
        const [first, second] = await measure(browser, `${address}/#/${page}`, locale);
        cold.push(first);
        again.push(second);
      }
    for (const { address, cold, again } of all)
      process.stdout.write(`${page} ${locale} ${address}\n  cold   ${worded(cold)}\n  again  ${worded(again)}\n`);
  }
await browser.close();
await own?.stop();
