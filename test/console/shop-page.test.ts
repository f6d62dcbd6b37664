/** One clock on the pages, the device's, whatever that of the browser says; and the form that sets its zone. */
import * as assert from 'uvu/assert';
import { call, each, onSetUpDevice, type TestDevice } from '../support.ts';
import { findNothing } from './audit.ts';
import { browserSuite, button, live, PHONE, paid } from './support.ts';

const { test, browsing } = browserSuite('the shop, in Chromium');
const it = each(test, (run: (device: TestDevice) => Promise<void>) => onSetUpDevice(run, { LANEWARE_SERIAL: '104' }));
/** Nine hours ahead of the devices of tests. */
const TOKYO = { timezoneId: 'Asia/Tokyo' };

it('the list, the day and one payment have the time of the device, and say which that is', async (device) => {
  const id = await paid(device, 12_300);
  const { createdAt } = (await call(`${device.terminal}/v1/payments/${id}`)).body;
  const hour = new Date(createdAt).getUTCHours();
  await using page = await browsing.open(`${device.recognition}/#/payments`, TOKYO);
  const shown = await page.locator('#list li time').first().innerText();
  assert.is(Number(/(\d\d):\d\d:\d\d$/.exec(shown)?.[1]), hour, shown);
  await page.getByText('By the device’s clock: UTC').waitFor();
  await page.locator('#list li a').first().click();
  await page.getByRole('heading', { name: new RegExp(`Payment of .*${String(hour).padStart(2, '0')}:`) }).waitFor();
});

it('first set-up offers the browser’s time zone, and saves it with name and address', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/welcome/shop`, { ...TOKYO, viewport: PHONE });
  assert.is(await page.getByLabel('Time zone', { exact: true }).inputValue(), 'Asia/Tokyo');
  const sent: unknown[] = [];
  await page.route('**/console/api/shop', (route) => {
    if (route.request().method() === 'GET') return route.continue();
    sent.push(route.request().postDataJSON()); // a zone would be that of all tests of this process
    return route.fulfill({ json: {} });
  });
  await page.getByLabel('Name of the shop').fill('Р'.repeat(300));
  await page.getByText(/characters at most, now 300/).waitFor(); // nothing is cut unseen
  await page.getByLabel('Name of the shop').fill(' Ромашка ');
  await page.getByLabel('Address').fill('ул. Ленина, 1');
  assert.is(await page.evaluate('!dispatchEvent(new Event("beforeunload", { cancelable: true }))'), true);
  await button(page, 'Save').click();
  await page.locator('.outcome.done').waitFor();
  assert.is(await page.evaluate('!dispatchEvent(new Event("beforeunload", { cancelable: true }))'), false);
  assert.equal(sent, [{ name: 'Ромашка', address: 'ул. Ленина, 1', zone: 'Asia/Tokyo' }]);
  await page.goto(`${device.recognition}/#/device/shop`);
  await live(page);
  await page.locator('#shop #zone').waitFor();
  await findNothing(page, 'the shop');
});

test.run();
