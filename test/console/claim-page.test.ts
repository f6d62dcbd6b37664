/** From the code on the display to the console, on a phone that has nothing but its camera. */
import * as assert from 'uvu/assert';
import { ownAddress } from '../http/network.ts';
import { secureCall } from '../http/secure.ts';
import { call, each, opening, startTestDevice, type TestDevice, until } from '../support.ts';
import { browserSuite, drawn, PANELS, PHONE, setPin } from './support.ts';

const LAN = { LANEWARE_TERMINAL_HOST: '0.0.0.0', LANEWARE_RECOGNITION_HOST: '0.0.0.0', LANEWARE_API_CLAIM: 'true' };
const { test, browsing } = browserSuite('page of the claim, in Chromium');
const OF_THE_PHONE = { viewport: PHONE, ignoreHTTPSErrors: true };

const unclaimed = (): Promise<TestDevice> => startTestDevice(LAN, undefined, { firstDisplays: [] });

const shown = ({ recognition }: TestDevice) =>
  until('a code', async () => {
    const { body } = await call(`${recognition}/display/state`);
    return body.claim && { link: body.payload, code: body.claim.code };
  });

const it = each(test, opening(unclaimed));

it('the photographed link makes a token at one press, and the console opens with it', async (device) => {
  const { link, code } = await shown(device);
  const signIn = /401/; // makes a browser send its credentials
  await using page = await browsing.open(link, OF_THE_PHONE, signIn);
  assert.is(await page.locator('[name=code]').inputValue(), code);
  assert.not.match(page.url(), code, 'it stays in no history');
  assert.equal(await page.getByRole('heading').allInnerTexts(), ['Technician’s token']);
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.locator('#made').waitFor(); // hidden until then
  const token = (await page.locator('#made code').innerText()).trim();
  assert.match(token, /^([0-9A-Z]{4}-){5}[0-9A-Z]{4}$/);
  assert.not.ok(await page.locator('#claim').isVisible());
  const base = `https://${ownAddress}:${new URL(device.recognition).port}`;
  const headers = { authorization: `Bearer ${token}` };
  assert.is((await secureCall(`${base}/health`, { headers })).status, 200);
  await page.getByRole('link', { name: 'Open the console' }).click();
  await page.waitForSelector('[data-live=yes]');
  await page.goto(`${new URL(page.url()).origin}/#/device/access`);
  await page.locator('#audit').getByRole('button', { name: 'Show' }).click();
  await page.locator('#audit li').first().waitFor(); // a technician's call
});

it('a code is typed in any spelling, a wrong one is refused, and an own token is taken', async (device) => {
  const { code, link } = await shown(device);
  const own = 'a-made-up-token-of-my-own';
  const [page] = link.split('#');
  await using phone = await browsing.open(page, OF_THE_PHONE, /401|403|400/);
  const press = () => phone.getByRole('button', { name: 'Create token' }).click();
  await press();
  await phone.locator('#code-problem', { hasText: 'Enter the code' }).waitFor();
  await phone.locator('[name=code]').focus();
  await phone.keyboard.insertText('0000-0000 '.repeat(9));
  await press();
  await phone.locator('#code-problem', { hasText: / characters at most, now 90\./ }).waitFor();
  await phone.locator('[name=code]').fill('0000-0000');
  await press();
  await phone.getByText('Wrong code. Check the display again').waitFor();
  await phone.locator('[name=code]').fill(code.toLowerCase().replace('-', ' '));
  await phone.locator('[name=token]').fill('short');
  await press();
  await phone.getByText('Use 16 to 128 Latin letters').waitFor();
  await phone.locator('[name=token]').fill(own);
  await press();
  await phone.locator('#made').waitFor();
  assert.is(await phone.locator('#made code').innerText(), own);
});

it('panels of every shape show code and address whole', async (device) => {
  const { code } = await shown(device);
  await using page = await browsing.open(`${device.recognition}/display`);
  await page.waitForSelector('.picture[data-view=qr]');
  for (const viewport of PANELS) {
    await page.setViewportSize(viewport);
    await drawn(page);
    assert.is(await page.locator('.amount').innerText(), code);
    assert.match(await page.locator('.purpose').innerText(), `${ownAddress}:`);
    assert.ok(
      await page.evaluate(
        "document.querySelector('.amount').scrollWidth <= document.querySelector('.words').clientWidth",
      ),
    );
    for (const part of ['.amount', '.purpose', '.code']) {
      const box = await page.locator(part).first().boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= viewport.width, part);
      assert.ok(box !== null && box.y >= 0 && box.y + box.height <= viewport.height, part);
    }
  }
});

it('a lost PIN is set anew with the code and signs in; a wrong field is named before that', async (device) => {
  const { recognition } = device;
  await setPin(device, 'technician', '739105');
  const { code } = await shown(device);
  await using page = await browsing.open(`${recognition}/#/device`, OF_THE_PHONE, /status of 422/);
  await page.getByText('Forgot your PIN?').waitFor();
  await page.getByRole('link', { name: 'Technician: set a new PIN' }).click();
  const save = page.getByRole('button', { name: 'Set PIN and sign in' });
  await save.click();
  await page.getByText('Enter the code from the display.').waitFor();
  await page.getByText('Enter a PIN of at least four digits.').waitFor();
  await page.getByLabel('Code on the display').fill(code);
  await page.getByLabel('PIN', { exact: true }).fill('1234');
  await save.click();
  await page.getByText('This PIN is too easy to guess.').waitFor();
  assert.is(await page.getByLabel('Code on the display').inputValue(), code, 'nothing is lost');
  await page.getByLabel('PIN', { exact: true }).fill('916370');
  await page.keyboard.press('Enter');
  await page.locator('.shell[data-live=yes] .who', { hasText: 'Technician' }).waitFor();
});

test.run();
