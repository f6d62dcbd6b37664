/** The first page as a technician sees it from another machine: over TLS, for each address that he may type. */
import { request } from 'node:https';
import * as assert from 'uvu/assert';
import { ownAddress } from '../http/network.ts';
import { freePort } from '../ports.ts';
import { startFirmware } from '../process.ts';
import { startTestDevice, temporaryFolder } from '../support.ts';
import { findNothing } from './audit.ts';
import { browserSuite, button, REFUSED } from './support.ts';

const TECHNICIAN = 'made-up-token-of-the-technician';
const LAN = {
  LANEWARE_TERMINAL_HOST: '0.0.0.0',
  LANEWARE_RECOGNITION_HOST: '0.0.0.0',
  LANEWARE_API_TOKENS_TECHNICIAN: TECHNICIAN,
};

/** Of a call from the network, whoever has signed the certificate; null where nobody listens. */
const statusFrom = (url: string) =>
  new Promise<number | null>((resolve) => {
    request(url, { rejectUnauthorized: false }, (response) => resolve(response.resume().statusCode ?? null))
      .once('error', () => resolve(null))
      .end();
  });

const { test, browsing } = browserSuite('first page over the network, in Chromium');

test('a page opened without https comes over TLS, live, with calls to copy that work from there', async () => {
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

test('on the device itself the page shows the fingerprint, and plain HTTP calls with no token', async () => {
  await using device = await startTestDevice(LAN);
  await using page = await browsing.open(`${device.recognition}/#/integrate`);
  await page.waitForSelector('[data-live=yes]');
  const words = await page.locator('#calls').innerText();
  assert.match(words, device.device.certificate?.fingerprint ?? 'none');
  assert.match(words, `curl ${device.terminal}/showQR -H "Content-Type`);
  assert.not.match(words, /Bearer/);
  await findNothing(page, 'a fingerprint', null);
});

test('Access shows who reaches the device and where, and opens and closes it to the network', async () => {
  using folder = temporaryFolder();
  const [terminal, recognition] = [await freePort(), await freePort()];
  const settings = { LANEWARE_TERMINAL_PORT: String(terminal), LANEWARE_RECOGNITION_PORT: String(recognition) };
  const { program, urls } = await startFirmware(folder.path, { settings });
  await using _program = program;
  await using page = await browsing.open(`${urls.recognition}/#/device/access`, {}, REFUSED);
  const network = page.locator('#network');
  await network.getByText('The device takes calls from itself alone.').waitFor();
  await page.locator('#access', { hasText: 'a token lets nobody in until you open it' }).waitFor();
  await network.getByText('Fixed address and Wi-Fi').click();
  await network.getByText('laneware.txt').waitFor();
  await button(page, 'Open to the network').click();
  await button(page.getByRole('dialog'), 'Open to the network').click();
  await network.locator('dd', { hasText: `https://${ownAddress}:${terminal}` }).waitFor();
  assert.equal(await network.locator('dd').allInnerTexts(), [
    `https://${ownAddress}:${terminal}`,
    `https://${ownAddress}:${recognition}`,
    'on',
    'token required',
  ]);
  assert.is(await page.getByText('a token lets nobody in').count(), 0);
  assert.is(await statusFrom(`https://${ownAddress}:${terminal}/v1/payments`), 401, 'nobody comes in without a token');
  await button(page, 'Close to the network').click();
  await button(page.getByRole('dialog'), 'Close to the network').click();
  await network.getByText('The device takes calls from itself alone.').waitFor();
  assert.is(await statusFrom(`https://${ownAddress}:${terminal}/v1/payments`), null);
});

test('a device of which one port is open says which, and is opened or closed whole', async () => {
  using folder = temporaryFolder();
  const [terminal, recognition] = [await freePort(), await freePort()];
  const settings = {
    LANEWARE_TERMINAL_PORT: String(terminal),
    LANEWARE_RECOGNITION_PORT: String(recognition),
    LANEWARE_TERMINAL_HOST: '0.0.0.0',
    LANEWARE_API_TOKENS_TILL: 'made-up-token-of-the-till',
  };
  const { program, urls } = await startFirmware(folder.path, { settings });
  await using _program = program;
  await using page = await browsing.open(`${urls.recognition}/#/device/access`, {}, REFUSED);
  const network = page.locator('#network');
  await network.getByText('One port is open').waitFor();
  const open = [`https://${ownAddress}:${terminal}`, 'on the device alone', 'on', 'token required'];
  assert.equal(await network.locator('dd').allInnerTexts(), open);
  await findNothing(page, 'a device of which one port is open', null);
  await button(page, 'Open to the network').click();
  await button(page.getByRole('dialog'), 'Open to the network').click();
  await network.locator('dd', { hasText: `https://${ownAddress}:${recognition}` }).waitFor();
  await button(page, 'Close to the network').waitFor();
  assert.is(await button(page, 'Open to the network').count(), 0);
});

test('a new token stays in sight until its own button is pressed, whatever key is', async () => {
  await using device = await startTestDevice(LAN);
  await using page = await browsing.open(`${device.recognition}/#/device/access`);
  const row = page.locator('#access li', { hasText: 'Till' });
  await row.getByRole('button', { name: 'Create a token' }).click();
  const token = await page.locator('#new-token').innerText();
  assert.match(await page.getByRole('dialog').innerText(), /For tills\s+https?:\/\/\S+:\d+/);
  for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
  // the browser closes it for a moment, whatever the page says
  await page.getByRole('dialog').waitFor();
  assert.is(await page.locator('#new-token').innerText(), token);
  await button(page, 'I have saved it').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a device that listens on loopback alone speaks of no certificate', async () => {
  await using device = await startTestDevice();
  await using page = await browsing.open(`${device.recognition}/#/integrate`);
  await page.waitForSelector('[data-live=yes]');
  assert.not.match(await page.locator('#calls').innerText(), /laneware\.pem|fingerprint/);
});

test.run();
