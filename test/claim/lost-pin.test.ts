/** A technician who has lost his PIN stands at the device: the code on its display sets another one, and nothing else does. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, call, setUp, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';

const lost = suite('a lost PIN');
const LAN = {
  LANEWARE_TERMINAL_HOST: '0.0.0.0',
  LANEWARE_RECOGNITION_HOST: '0.0.0.0',
  LANEWARE_API_CLAIM: 'true',
};
const OLD = '739105';
const NEW = '916370';
const CASHIER = '4826';

const start = (folder?: string, settings = {}): Promise<TestDevice> =>
  startTestDevice({ ...LAN, ...settings }, folder, { firstDisplays: [] });

async function setPin({ recognition }: TestDevice, person: string, pin: string): Promise<void> {
  const { status, text } = await call(`${recognition}/console/api/pins/${person}`, { method: 'PUT', json: { pin } });
  assert.is(status, 200, text);
}

/** A device with PINs. */
async function locked(folder?: string, settings = {}): Promise<TestDevice> {
  const device = await start(folder, settings);
  await setPin(device, 'technician', OLD);
  await setPin(device, 'cashier', CASHIER);
  return device;
}

/** What the display shows. */
const shown = ({ recognition }: TestDevice): Promise<string> =>
  until('a code', async () => (await call(`${recognition}/display/state`)).body.claim?.code);

/** As a page of the device does. */
const asPage = ({ recognition }: TestDevice, path: string, json?: object, cookie = ''): Promise<Answer> =>
  call(recognition + path, {
    ...(json && { json }),
    headers: { origin: recognition, cookie, ...(json && { 'content-type': 'application/json' }) },
  });

const replace = (device: TestDevice, code: string, pin: string, cookie = '') =>
  asPage(device, '/console/api/claim/pin', { code, pin }, cookie);
const signIn = (device: TestDevice, pin: string) => asPage(device, '/console/api/session', { pin });
const cookieIn = ({ headers }: Answer): string => headers.get('set-cookie')?.split(';')[0] ?? '';
const roleOf = async (device: TestDevice, cookie: string): Promise<string | null> =>
  (await asPage(device, '/console/api/session', undefined, cookie)).body.role;

lost('the code sets a new PIN and signs in, ends the old one’s sessions, and works once', async () => {
  using folder = temporaryFolder();
  {
    await using device = await locked(folder.path);
    const technician = cookieIn(await signIn(device, OLD));
    const cashier = cookieIn(await signIn(device, CASHIER));
    const code = await shown(device);
    const done = await replace(device, code.toLowerCase(), NEW);
    assert.equal([done.status, done.body.role, done.body.by], [200, 'technician', 'pin'], done.text);
    assert.is(done.headers.get('cache-control'), 'no-store');
    assert.is(await roleOf(device, cookieIn(done)), 'technician');
    assert.is(await roleOf(device, technician), null, 'the session of the old PIN has ended');
    assert.is(await roleOf(device, cashier), 'cashier');
    assert.is((await signIn(device, OLD)).body.code, 'SignIn.WrongPin');
    assert.is((await replace(device, code, '285193')).body.code, 'Claim.NoCode');
    const { lines } = (await call(`${device.recognition}/console/api/audit`)).body;
    const [line] = lines.filter(({ deed }: { deed: string }) => deed === 'pin-set');
    assert.equal([line.what, line.outcome], [{ person: 'technician', by: 'code' }, 'done']);
    assert.not.match(JSON.stringify(lines), NEW);
    assert.not.match(JSON.stringify(lines), code);
  }
  await using device = await start(folder.path);
  assert.is((await signIn(device, NEW)).body.role, 'technician', 'it outlives a restart');
});

lost('who is signed in at that browser is not any more', async () => {
  await using device = await locked();
  const cashier = cookieIn(await signIn(device, CASHIER));
  await replace(device, await shown(device), NEW, cashier);
  assert.is(await roleOf(device, cashier), null);
});

lost('a PIN that is not taken leaves the code good', async () => {
  await using device = await locked();
  const code = await shown(device);
  assert.is((await replace(device, code, '1234')).body.code, 'SignIn.EasyPin');
  assert.is((await replace(device, code, CASHIER)).body.code, 'SignIn.PinInUse');
  assert.is((await replace(device, code, 'abcd')).body.field, 'pin');
  assert.is(await shown(device), code);
  assert.is((await replace(device, code, NEW)).status, 200);
});

lost('of two people at once one sets it', async () => {
  await using device = await locked();
  const code = await shown(device);
  const both = await Promise.all([replace(device, code, NEW), replace(device, code, '285193')]);
  assert.equal(both.map(({ status }) => status).toSorted(), [200, 409]);
  const [right, wrong] = both[0].status === 200 ? [NEW, '285193'] : ['285193', NEW];
  assert.is((await signIn(device, wrong)).body.code, 'SignIn.WrongPin');
  assert.is((await signIn(device, right)).status, 200);
});

lost('guessed codes cost pauses, those for a token and for a PIN together, and change nothing', async () => {
  await using device = await locked();
  const code = await shown(device);
  const wrong = (n: number) => `000${n}-${code.endsWith('0000') ? '1111' : '0000'}`;
  for (let n = 0; n < 4; n += 1) assert.is((await replace(device, wrong(n), NEW)).body.code, 'Claim.WrongCode');
  const token = await asPage(device, '/console/api/claim', { code: wrong(4) });
  assert.is(token.body.code, 'Claim.WrongCode');
  const slowed = await replace(device, code, NEW);
  assert.equal([slowed.status, slowed.body.code, slowed.headers.get('retry-after')], [429, 'Claim.TooManyTries', '1']);
  assert.is((await signIn(device, OLD)).status, 200);
  const { lines } = (await call(`${device.recognition}/console/api/audit`)).body;
  const refused = lines.filter(({ what }: { what: { call?: string } }) => what.call === 'POST /console/api/claim/pin');
  assert.ok(refused.length > 0 && refused.every(({ outcome }: { outcome: string }) => outcome === 'refused'));
});

lost('wrong PINs from there keep no one waiting who has the code', async () => {
  await using device = await locked();
  const code = await shown(device);
  for (let pin = 5031; pin < 5036; pin++) await signIn(device, String(pin));
  assert.is((await signIn(device, OLD)).status, 429);
  const done = await replace(device, code, NEW);
  assert.is(await roleOf(device, cookieIn(done)), 'technician');
});

lost('a payment on the display ends the code, and the PIN stays', async () => {
  await using device = await locked();
  await setUp(device);
  const code = await shown(device);
  const paid = await call(`${device.terminal}/showQR`, { json: { amount: 100 } });
  assert.is(paid.status, 200, paid.text);
  assert.is((await replace(device, code, NEW)).body.code, 'Claim.NoCode');
  assert.is((await call(`${device.recognition}/display/state`)).body.amount, 100);
  assert.is((await signIn(device, OLD)).status, 200);
});

lost('a device that shows no codes says so before anybody tries', async () => {
  for (const [settings, codes] of [
    [{}, true],
    [{ LANEWARE_API_CLAIM: 'false', LANEWARE_API_TOKEN: 'made-up-token-of-the-technician' }, false],
  ] as const) {
    await using device = await locked(undefined, settings);
    assert.is((await asPage(device, '/console/api/session')).body.codes, codes);
    if (codes) continue;
    assert.is((await replace(device, '0000-0000', NEW)).body.code, 'Claim.NoCode');
    assert.is((await signIn(device, OLD)).status, 200);
  }
});

lost.run();
