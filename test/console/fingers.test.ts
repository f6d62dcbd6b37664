/** What a finger on a phone can hit: each page of the console, in real Chromium. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { call, SANDBOX_SETTINGS, startTestDevice } from '../support.ts';
import { browserSuite, PHONE } from './support.ts';

const { test, browsing } = browserSuite("pages under a phone's fingers");

const LOST_DISPLAY = {
  ...SANDBOX_SETTINGS,
  deviceConnection: { connectionType: 'Serial', portName: '/dev/no-such-port' },
};

/** What can be pressed and is lower than the tip of a finger, but for links within a sentence. */
const SMALL = `[...document.querySelectorAll('a, button, input:not([type=range], [type=checkbox], [type=radio]), select, summary, label:has(> input)')]
  .filter((e) => e.checkVisibility() && !(e.matches('a') && e.closest('p, li.text, td, dd') !== null && getComputedStyle(e).display === 'inline'))
  .filter((e) => e.getBoundingClientRect().height < 44).map((e) => e.outerHTML.slice(0, 200))`;

/** Whether what has the focus lies behind one of the two bars, of what has room between them. @returns what it is */
const HIDDEN = `(() => {
  const { activeElement: e } = document;
  if (e === document.body || e.closest('.strip, .rail, .skip') !== null) return null;
  const [own, strip, rail] = [e, document.querySelector('.strip'), document.querySelector('.rail')].map((each) => each.getBoundingClientRect());
  const low = rail.top > innerHeight / 2 ? rail.top : innerHeight;
  if (own.height > low - strip.bottom || (own.top > strip.bottom - 1 && own.bottom < low + 1)) return null;
  return e.id || e.textContent.slice(0, 40);
})()`;
const STEPS = 30;
const SECTIONS = ['health', 'updates', 'access', 'backup', 'log'].map((name) => `#/device/${name}`);

test('what has the focus is in sight between the bars, on a phone and at four times the size', async () => {
  await using device = await startTestDevice();
  await call(`${device.terminal}/updateDriverSettings`, { json: { settings: LOST_DISPLAY } });
  const hidden: string[] = [];
  for (const viewport of [
    { width: 320, height: 568 },
    { width: 640, height: 480 },
  ])
    for (const hash of ['payments', 'device', 'device/access', 'welcome', 'store']) {
      const work = async (page: Page) => {
        await page.locator('main h1 + *').first().waitFor();
        for (let step = 0; step < STEPS; step += 1) {
          await page.keyboard.press('Tab');
          const what = await page.evaluate<string | null>(HIDDEN);
          if (what !== null) hidden.push(`${hash} ${viewport.width}: ${what}`);
        }
      };
      await browsing.visit(`${device.recognition}/#/${hash}`, { viewport }, work, /status of 503/);
    }
  assert.equal(hidden, []);
});

test('all that is pressed on a phone is as large as a finger, and nothing is cut', async () => {
  await using device = await startTestDevice();
  await call(`${device.terminal}/updateDriverSettings`, { json: { settings: LOST_DISPLAY } });
  for (const amount of [100, 200]) await call(`${device.terminal}/showQR`, { json: { amount } });
  const work = async (page: Page) => {
    const links = page.locator('nav a');
    await links.first().waitFor();
    const pages = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''));
    assert.ok(pages.length >= 8, pages.join());
    const small: Record<string, string[]> = {};
    for (const address of [...pages, ...SECTIONS, '#/welcome']) {
      await page.goto(`${device.recognition}/${address}`);
      await page.locator('main h1 + *').first().waitFor();
      const found = await page.evaluate<string[]>(SMALL);
      if (found.length > 0) small[address] = found;
    }
    assert.equal(small, {});
  };
  // there is no camera, and no display
  await browsing.visit(device.recognition, { viewport: PHONE }, work, /status of 503/);
});

test.run();
