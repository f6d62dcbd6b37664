/** The first page as a technician sees it from another machine: over TLS, for each address that he may type. */
import * as assert from 'uvu/assert';
import { ownAddress } from '../http/network.ts';
import { startTestDevice } from '../support.ts';
import { findNothing } from './audit.ts';
import { browserSuite } from './support.ts';

const TECHNICIAN = 'made-up-token-of-the-technician';
const LAN = {
  LANEWARE_TERMINAL_HOST: '0.0.0.0',
  LANEWARE_RECOGNITION_HOST: '0.0.0.0',
  LANEWARE_API_TOKENS_TECHNICIAN: TECHNICIAN,
};

const { test, browsing } = browserSuite('first page over the network, in Chromium');

test('a page that was typed without https comes over TLS, live, with calls to copy that work from there', async () => {
  await using device = await startTestDevice(LAN);
  const { port } = new URL(device.recognition);
  const terminal = `https://${ownAddress}:${new URL(device.terminal).port}`;
  // what a person does who has compared the fingerprint
  const trusting = { ignoreHTTPSErrors: true };
  await using page = await browsing.open(`http://${ownAddress}:${port}/#/integrate`, trusting);
  await page.locator('#secret').fill(TECHNICIAN);
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-live=yes]');
  assert.is(page.url(), `https://${ownAddress}:${port}/#/integrate`);
  const calls = page.locator('#calls');
  await calls.locator('.certificate').waitFor();
  const words = await calls.innerText();
  assert.match(words, device.device.certificate?.fingerprint ?? 'none');
  assert.match(words, `curl --cacert laneware.pem ${terminal}/showQR -H "Authorization: Bearer …"`);
  assert.ok(await page.getByText('with the till’s token').isVisible());
  assert.not.match(await page.content(), TECHNICIAN);
  assert.is(await page.getByText('Payment terminal calls').getAttribute('href'), `${terminal}/reference`);
});

test('on the device itself the page shows the fingerprint, and calls in plain HTTP without a token', async () => {
  await using device = await startTestDevice(LAN);
  await using page = await browsing.open(`${device.recognition}/#/integrate`);
  await page.waitForSelector('[data-live=yes]');
  const words = await page.locator('#calls').innerText();
  assert.match(words, device.device.certificate?.fingerprint ?? 'none');
  assert.match(words, `curl ${device.terminal}/showQR -H "Content-Type`);
  assert.not.match(words, /Bearer/);
  await findNothing(page, 'a fingerprint', null);
});

test('Access says who reaches the device, and where a fixed address and Wi-Fi are set', async () => {
  for (const [settings, said] of [
    [LAN, ['the network and this device', 'on', 'token required']],
    [{}, ['this device only', 'off', 'no token required']],
  ] as const) {
    await using device = await startTestDevice(settings);
    await using page = await browsing.open(`${device.recognition}/#/device/access`);
    await page.locator('#network').waitFor();
    assert.equal(await page.locator('#network dd').allInnerTexts(), said);
    await page.getByText('Fixed address and Wi-Fi').click();
    await page.getByText('laneware.txt').waitFor();
  }
});

test('a device that listens on loopback alone speaks of no certificate', async () => {
  await using device = await startTestDevice();
  await using page = await browsing.open(`${device.recognition}/#/integrate`);
  await page.waitForSelector('[data-live=yes]');
  assert.not.match(await page.locator('#calls').innerText(), /laneware\.pem|fingerprint/);
});

test.run();
