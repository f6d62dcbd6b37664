/** Picks that contradict, on the page that teaches: for who looks after the goods, and nothing of it for a cashier. */
import * as assert from 'uvu/assert';
import { call, startTestDevice, type TestDevice } from '../support.ts';
import { browserSuite, learnEmptyTray, REFUSED, SEEING, setPin, show, typePin } from './support.ts';

const { test, browsing } = browserSuite('picks that contradict, in Chromium');

const [TECHNICIAN, CASHIER] = ['739105', '916370'];
const dear = (left: number) =>
  `<rect x="${left}" y="240" width="220" height="240" fill="#b3302a"/><rect x="${left}" y="240" width="110" height="120" fill="#1f63b0"/>`;

/** Mangoes that were certain were sold as onions. */
async function contradicted(): Promise<TestDevice> {
  const device = await startTestDevice(SEEING);
  const ask = (path: string, json: object, method = 'POST') => call(`${device.recognition}${path}`, { method, json });
  await learnEmptyTray(device);
  await ask('/v1/items/4961', { name: 'Mangoes', price: 59_900 }, 'PUT');
  await ask('/v1/items/4093', { name: 'Onions', price: 4_990 }, 'PUT');
  for (let turn = 0; turn < 6; turn++) {
    await show(device, dear(520 + 5 * turn));
    await ask('/v1/items/4961/templates', {});
  }
  const { certain, id } = (await call(`${device.recognition}/v1/recognition`)).body;
  assert.ok(certain);
  assert.is((await ask(`/v1/recognition/${id}/feedback`, { item: '4093' })).status, 200);
  return device;
}

test('a certain answer and the pick show prices and a picture; a cashier sees none of it', async () => {
  await using device = await contradicted();
  await using page = await browsing.open(`${device.recognition}/#/teach`);
  const row = page.locator('#contradictions li');
  await row.filter({ hasText: /Recognised:\s*Mangoes\s*₽599.00\s*Sold as:\s*Onions\s*₽49.90/ }).waitFor();
  await row.locator('img').waitFor();
  await setPin(device, 'technician', TECHNICIAN);
  await setPin(device, 'cashier', CASHIER);
  await using own = await browsing.open(`${device.recognition}/#/teach`, {}, REFUSED);
  await typePin(own, CASHIER);
  await own.locator('#uncertain').waitFor();
  assert.is(await own.locator('#contradictions').count(), 0);
});

test.run();
