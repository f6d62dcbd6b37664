/** The pages of the voice in Chromium: its settings, "Say it again" on Checkout, and a browser that waits for a touch. */
import * as assert from 'uvu/assert';
import { call, setUp, startTestDevice, type TestDevice, until } from '../support.ts';
import { browserSuite, button, REFUSED, RU } from './support.ts';

const { test, browsing } = browserSuite('the pages of the voice');

const turnOn = ({ terminal }: TestDevice) => call(`${terminal}/v1/voice`, { method: 'PATCH', json: { mode: 'sum' } });
async function showCode({ terminal }: TestDevice): Promise<void> {
  assert.is((await call(`${terminal}/showQR`, { json: { amount: 25_000, purpose: 'Apples' } })).status, 200);
}
async function pay({ sandbox }: TestDevice): Promise<void> {
  const [{ qrcId }] = (await call(`${sandbox}/sandbox/payments`)).body;
  await call(`${sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' });
}
/** Codes of what is wrong with the voice. An evaluation in a page counts as a touch: until a page waits, only health is asked. */
async function reasonsOf({ terminal }: TestDevice): Promise<readonly string[]> {
  const { parts } = (await call(`${terminal}/health`)).body.health;
  return parts.find(({ part }: { part: string }) => part === 'voice').reasons.map(({ code }: { code: string }) => code);
}
const pageWaits = (device: TestDevice) =>
  until('the page waits for a touch', async () => (await reasonsOf(device)).includes('voice-touch'));

test('a reason is read beside the settings, without a link to the page that is open', async () => {
  await using device = await startTestDevice();
  await turnOn(device);
  await using page = await browsing.open(`${device.recognition}/#/device/voice`, RU, REFUSED);
  const card = page.locator('#voice');
  await card.getByText('ни одна страница не открыта').waitFor();
  assert.is(await card.locator('.reason a').count(), 0);
  await card.getByLabel('Папка со своими записями').fill('/nowhere');
  await button(page, 'Сохранить').click();
  await card.getByRole('alert').waitFor();
  assert.is((await call(`${device.terminal}/v1/voice`)).body.recordings, null);
});

test('Checkout says the last payment again, once the browser may play', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await turnOn(device);
  await using page = await browsing.open(`${device.recognition}/`, RU);
  await pageWaits(device);
  await page.getByText('Коснитесь экрана, чтобы включить звук').waitFor();
  await page.locator('body').click({ position: { x: 5, y: 5 } });
  await page.getByText('Коснитесь экрана, чтобы включить звук').waitFor({ state: 'detached' });
  await until('health that knows', async () => (await reasonsOf(device)).length === 0);
  await showCode(device);
  await pay(device);
  const answer = page.waitForResponse((response) => response.url().endsWith('/v1/voice/again'));
  await button(page, 'Повторить').click();
  assert.is((await answer).status(), 200);
});

test('the customer’s page asks for a touch until it may play, and never over a code', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await turnOn(device);
  await using page = await browsing.open(`${device.recognition}/display`, RU);
  const touch = page.locator('.touch');
  await pageWaits(device);
  await touch.waitFor();
  await showCode(device);
  await touch.waitFor({ state: 'hidden' });
  await pay(device);
  await touch.waitFor();
  await page.locator('body').click();
  await touch.waitFor({ state: 'hidden' });
});

test.run();
