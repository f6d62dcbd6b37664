/** The page of the calls, in real Chromium: each port shows its own document, and nothing is fetched from elsewhere. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { violations } from '../console/audit.ts';
import { browserSuite, PHONE, TILL } from '../console/support.ts';
import { call, each, opening, setUp, startTestDevice } from '../support.ts';
import { ROUTERS } from './described.ts';

const { test, browsing } = browserSuite('the page of the calls');
const it = each(test, opening(startTestDevice));

/** A call of each port, which the page must show. */
const SHOWN = { terminal: 'showQR', recognition: 'getResult' } as const;

/** A picture goes to SCREENSHOTS where that names a folder. */
async function photograph(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
}

const operationOf = (page: Page, name: string) => page.locator(`.opblock[id$="-${name}"]`);

/** Of the page's ground, 0 to 255. */
const BRIGHTNESS = `(() => {
  const parts = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number);
  return (parts[0] + parts[1] + parts[2]) / 3;
})()`;

it('each port shows its calls, on till and phone, by day and by night, and fetches nothing', async (device) => {
  for (const router of ROUTERS)
    for (const viewport of [TILL, PHONE])
      for (const colorScheme of ['light', 'dark'] as const) {
        const strangers: string[] = [];
        await browsing.visit('about:blank', { viewport, colorScheme }, async (page) => {
          page.on('request', (request) => {
            if (!/^(data:|blob:)/.test(request.url()) && !request.url().startsWith(device[router]))
              strangers.push(request.url());
          });
          await page.goto(`${device[router]}/reference`);
          const operation = operationOf(page, SHOWN[router]);
          await operation.waitFor({ state: 'visible' });
          await photograph(page, `${router}-${viewport.width}-${colorScheme}`);
          await operation.locator('.opblock-summary').click();
          await operation.locator('.opblock-body').waitFor({ state: 'visible' });
          await operation.scrollIntoViewIfNeeded();
          await photograph(page, `${router}-${viewport.width}-${colorScheme}-open`);
          const width = await page.evaluate<number>('document.documentElement.scrollWidth');
          assert.ok(width <= viewport.width, `${router} is ${width} wide on ${viewport.width}`);
          if (colorScheme === 'dark') assert.ok((await page.evaluate<number>(BRIGHTNESS)) < 80, 'the page is dark');
          await page.waitForLoadState('networkidle');
        });
        assert.equal(strangers, [], 'requests beyond the device');
      }
});

it('axe finds nothing, in light and dark, with a call open as well', async (device) => {
  for (const router of ROUTERS)
    for (const colorScheme of ['light', 'dark'] as const)
      await browsing.visit(`${device[router]}/reference`, { colorScheme }, async (page) => {
        const operation = operationOf(page, SHOWN[router]);
        await operation.waitFor({ state: 'visible' });
        const look = async (what: string) =>
          assert.equal(await violations(page), [], `${router}, ${colorScheme}: ${what}`);
        await look('closed');
        await operation.locator('.opblock-summary').click();
        await operation.locator('.opblock-body').waitFor({ state: 'visible' });
        await look('open');
      });
});

it('a call can be tried out on the page', async (device) => {
  await setUp(device);
  await browsing.visit(`${device.terminal}/reference`, {}, async (page) => {
    const operation = operationOf(page, 'showQR');
    await operation.locator('.opblock-summary').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
  });
  assert.is((await call(`${device.terminal}/v1/payments`)).body.payments.length, 1);
});

it('the page is what the package brought, under a policy that runs no script but ours', async (device) => {
  for (const router of ROUTERS) {
    const page = await fetch(`${device[router]}/reference`);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'.*script-src 'self'; style-src 'self'/);
    assert.not.match(policy, /unsafe|https?:/);
    const assets = [...(await page.text()).matchAll(/(?:src|href)="([^"]+assets[^"]+)"/g)].map(([, path]) => path);
    assert.is(assets.length, 5);
    for (const path of assets) assert.is((await call(device[router] + path)).status, 200, path);
  }
  assert.is((await call(`${device.terminal}/reference/assets/swagger-ui.js`)).status, 404);
});

test.run();
