/** A device that answers slowly, in real Chromium: each page says that something is still to come. */
import * as assert from 'uvu/assert';
import { each, onSetUpDevice, until } from '../support.ts';
import { browserSuite, Gate, PHONE, TILL } from './support.ts';

const { test, browsing } = browserSuite('slow answers in Chromium');
const it = each(test, onSetUpDevice);

const PAGES = [
  ...['lane', 'payments', 'payments/totals', 'payments/shifts', 'payments/reconcile', 'payments/1'],
  ...['items', 'teach', 'store', 'welcome', 'integrate'],
  ...['device', 'device/health', 'device/access', 'device/backup', 'device/updates', 'device/log'],
];
/** What a page asks when it opens, but for who is signed in and how the device is. */
const ANSWERS = /\/(?:v1|console\/api)\/(?!session|overview)/;

it('a page whose answers are late says beside its title that it loads, until they come', async (device) => {
  for (const [at, hash] of PAGES.entries()) {
    await using page = await browsing.open(
      'about:blank',
      { viewport: at % 2 === 0 ? TILL : PHONE },
      /status of (404|503)/,
    );
    const gate = await Gate.at(page, ANSWERS, 'call', () => true);
    await page.goto(`${device.recognition}/#/${hash}`);
    const loading = page.locator('.loading', { hasText: 'Loading…' });
    await loading.waitFor();
    await until(`${hash}: it is seen though the page is drawn without them`, () =>
      page.locator('.page[data-settled=yes]').isVisible(),
    );
    assert.ok(await loading.isVisible(), hash);
    assert.ok(gate.count > 0, hash);
    gate.letGo();
    await loading.waitFor({ state: 'detached' });
  }
});

test.run();
