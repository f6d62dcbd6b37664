/** Guesses that a proxy on the device passes on are those of the network: whoever sits at the screen does not wait for them. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, startTestDevice } from '../support.ts';

const test = suite('guesses behind a proxy');

const TECHNICIAN = '739105';
const TOKEN = 'made-up-token-of-the-technician';
const PROXIED = { 'x-forwarded-for': '203.0.113.9' };

async function lockedDevice() {
  const device = await startTestDevice({ LANEWARE_API_TOKEN: TOKEN });
  const ask = (path: string, method: string, json: object, headers: Record<string, string> = {}) =>
    call(device.recognition + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(json),
    });
  assert.is((await ask('/v1/pins/technician', 'PUT', { pin: TECHNICIAN })).status, 200);
  return { device, signIn: (json: object, headers = {}) => ask('/v1/session', 'POST', json, headers) };
}

test('wrong PINs behind a proxy keep nobody waiting at the screen', async () => {
  const { device, signIn } = await lockedDevice();
  await using _ = device;
  for (let pin = 5031; pin < 5036; pin++) assert.is((await signIn({ pin: String(pin) }, PROXIED)).status, 403);
  assert.is((await signIn({ pin: TECHNICIAN }, PROXIED)).status, 429);
  assert.is((await signIn({ pin: TECHNICIAN }, { via: '1.1 shop' })).status, 429, 'whatever the proxy says');
  assert.is((await signIn({ pin: TECHNICIAN })).status, 200);
});

test('nor do wrong tokens', async () => {
  const { device, signIn } = await lockedDevice();
  await using _ = device;
  for (let n = 0; n < 5; n++) assert.is((await signIn({ token: `wrong-token-number-${n}` }, PROXIED)).status, 403);
  const headers = { ...PROXIED, authorization: 'Bearer another-wrong-token' };
  const waits = await call(`${device.terminal}/version`, { headers });
  assert.is(waits.status, 429);
  assert.match(waits.text, 'from a proxy on this machine');
  assert.is((await signIn({ token: TOKEN }, PROXIED)).status, 429);
  assert.is((await signIn({ token: TOKEN })).status, 200);
});

test.run();
