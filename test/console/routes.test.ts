import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import Value from 'typebox/value';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ConsoleStateSchema } from '../../firmware/console/console-view.ts';
import { DisplayStateSchema } from '../../firmware/console/display-view.ts';
import { ROOT } from '../root.ts';
import {
  call,
  each,
  onDevice,
  onSetUpDevice,
  SCREEN,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
  until,
} from '../support.ts';

const ASSETS = '/console/assets/';
const DOCUMENTS: Readonly<Record<string, string>> = {
  '/': 'console/pages/console.html',
  '/display': 'console/pages/display.html',
  '/claim': 'console/pages/claim.html',
  '/scale': 'console/pages/console.html',
};

const test = suite('routes of the pages');
const it = each(test, onDevice);
const ready = each(test, onSetUpDevice);

const fits = (schema: TSchema, value: unknown): void => {
  assert.equal([...Value.Errors(schema, value)], []);
};

async function displayState({ recognition }: TestDevice) {
  const { status, headers, body } = await call(`${recognition}/display/state`);
  assert.is(status, 200);
  assert.is(headers.get('cache-control'), 'no-store');
  fits(DisplayStateSchema, body);
  return body;
}

async function consoleState({ recognition }: TestDevice) {
  const { status, body } = await call(`${recognition}/console/api/overview`);
  assert.is(status, 200);
  fits(ConsoleStateSchema, body);
  return body;
}

const refused = async (answer: ReturnType<typeof call>, sentence: RegExp, code = 'Device.NotFresh'): Promise<void> => {
  const { status, body } = await answer;
  assert.equal([status, body.code], [409, code]);
  assert.match(body.detail, sentence);
};

const askFor = async ({ recognition }: TestDevice, amount: number, more = {}) => {
  const headers = { 'idempotency-key': `till/${amount}` };
  const { status, body } = await call(`${recognition}/v1/payments`, { json: { amount, ...more }, headers });
  assert.is(status, 201, body.detail);
  return body;
};

it('a fresh device shows nothing, has no display, and says what its first step is', async (device) => {
  assert.equal(await displayState(device), {
    code: 0,
    kind: 'clear',
    test: false,
    language: 'both',
    display: { state: 'closed', reason: null },
    sound: null,
  });
  const { settings, payment, recent, terminalUrl } = await consoleState(device);
  assert.equal(settings, { bank: null, sandbox: true, setupRefusal: null, test: false });
  assert.is(payment, null);
  assert.equal(recent, []);
  assert.is(terminalUrl, device.terminal);
  const clear = call(`${device.recognition}/console/api/display/clear`, { method: 'POST' });
  await refused(clear, /not configured/, 'DriverSettings.IsNotConfigured');
});

it('one press sets up the on-screen display and the sandbox bank, once', async (device) => {
  const setup = () => call(`${device.recognition}/console/api/sandbox/setup`, { method: 'POST' });
  const { status, body } = await setup();
  assert.is(status, 200);
  assert.equal(body, { done: true });
  const { settings } = (await call(`${device.terminal}/getDriverSettings`)).body;
  assert.is(settings.bankProfiles[settings.bankProfile].bankName, 'Sandbox');
  assert.is(settings.deviceConnection.connectionType, 'Screen');
  assert.is((await displayState(device)).display.state, 'ready');
  assert.equal((await setup()).body, { done: true }, 'a second press does nothing');
  const bank = { bankName: 'Static', staticQR: 'https://example.org/pay' };
  const json = { settings: { ...settings, bankProfile: 'own', bankProfiles: { ...settings.bankProfiles, own: bank } } };
  assert.is((await call(`${device.terminal}/updateDriverSettings`, { json })).status, 200);
  await refused(setup(), /already set up/);
});

test('without the sandbox bank the press is refused, and nothing is set up', async () => {
  await using device = await startTestDevice({ LANEWARE_SANDBOXBANK_ENABLED: 'false' });
  await refused(
    call(`${device.recognition}/console/api/sandbox/setup`, { method: 'POST' }),
    /sandbox bank does not run/,
  );
  const { settings } = await consoleState(device);
  assert.is(settings.bank, null);
  assert.match(settings.setupRefusal, /sandboxBank\.enabled/);
});

test('stored settings that cannot be read are not written over by the press', async () => {
  using folder = temporaryFolder();
  const profile = { bankName: 'CFT', accAlias: 'A', extEntityId: 'E', merchantId: 'M', password: 'not sealed by us' };
  const settings = { bankProfile: 'shop', bankProfiles: { shop: profile }, deviceConnection: SCREEN };
  writeFileSync(join(folder.path, 'settings.json'), JSON.stringify({ settings }));
  await using device = await startTestDevice({}, folder.path);
  await refused(
    call(`${device.recognition}/console/api/sandbox/setup`, { method: 'POST' }),
    /not fresh.*updateDriverSettings/,
  );
  assert.is((await consoleState(device)).settings.bank, null);
});

ready('a payment asked for on the page is one of the terminal, and the display state shows it', async (device) => {
  await askFor(device, 12_345, { purpose: 'Чек № 7', ttl: 3 });
  const state = await displayState(device);
  assert.is(state.kind, 'qr');
  assert.is(state.amount, 12_345);
  assert.is(state.purpose, 'Чек № 7');
  assert.equal(state.display, { state: 'ready', reason: null });
  const { payment, recent } = await consoleState(device);
  assert.is(payment.state, 'PENDING');
  assert.is(payment.onDisplay, true);
  assert.is(payment.link, state.payload);
  assert.ok(payment.leftMs > 0 && payment.leftMs <= 180_000);
  assert.equal(recent, [payment]);
  assert.is((await call(`${device.terminal}/getDynamicQRStatus`)).body.dynamicQRStatus, 'PENDING');
});

ready('clearing takes the code off the display, and out of use at the bank', async (device) => {
  await askFor(device, 100);
  assert.equal((await call(`${device.recognition}/console/api/display/clear`, { method: 'POST' })).body, {
    done: true,
  });
  assert.is((await displayState(device)).kind, 'clear');
  assert.is((await consoleState(device)).payment.onDisplay, false);
  await until('its end', async () => (await consoleState(device)).payment.state === 'CANCELED');
  const { link, leftMs } = (await consoleState(device)).payment;
  assert.equal([link, leftMs], [null, null], 'nothing is left to pay');
});

ready('a late payment is listed until it is acknowledged; what is none cannot be', async (device) => {
  const acknowledge = (orderId: string) =>
    call(`${device.recognition}/v1/payments/${orderId}/acknowledge`, { json: {} });
  await askFor(device, 100);
  const { payment } = await consoleState(device);
  assert.is((await acknowledge(payment.orderId)).body.code, 'Payments.NotLate');
  await call(`${device.recognition}/console/api/sandbox/payments/${payment.orderId}`, { json: { does: 'late' } });
  await until('it is late', async () => (await consoleState(device)).lateCount === 1);
  const { health } = await consoleState(device);
  assert.is((await call(`${device.recognition}/v1/payments?late=true`)).body.payments[0]?.id, payment.orderId);
  assert.is(health.parts.find(({ part }: { part: string }) => part === 'payments').state, 'degraded');
  assert.is((await acknowledge('made-up')).status, 404);
  assert.is((await acknowledge(payment.orderId)).status, 200);
  const after = await consoleState(device);
  assert.is(after.lateCount, 0);
  assert.is(after.health.parts.find(({ part }: { part: string }) => part === 'payments').state, 'ok');
});

it('an absent display is reported with its reason', async (device) => {
  const deviceConnection = { connectionType: 'Serial', portName: '/dev/no-such-port' };
  const settings = { bankProfile: 'sandbox', bankProfiles: { sandbox: { bankName: 'Sandbox' } }, deviceConnection };
  await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
  const lost = async () => {
    const { display } = await displayState(device);
    return display.reason !== null && display.state !== 'ready';
  };
  await until('the link reports why it is lost', lost);
});

test('an idle picture of the configuration is shown, one that no display can hold is left out', async () => {
  for (const [idle, kind] of [
    ['https://example.org/menu', 'qr'],
    ['ж'.repeat(501), 'clear'],
  ] as const) {
    await using device = await startTestDevice({ LANEWARE_TERMINAL_IDLEQR: idle });
    assert.is((await displayState(device)).kind, kind);
  }
});

it('what is no right call gets a code and a sentence: method, path, body, media type, origin', async (device) => {
  const { recognition } = device;
  const foreign = { origin: 'http://evil.example' };
  const text = { origin: recognition, 'content-type': 'text/plain' };
  const json = { 'content-type': 'application/json' };
  for (const [status, answer] of [
    [405, call(`${recognition}/display/events`, { method: 'POST' })],
    [404, call(`${recognition}/console/nothing`)],
    [404, call(`${recognition}/console/assets/..%2frouter.ts`)],
    [404, call(`${recognition}/console/assets/router.ts`)],
    [400, call(`${recognition}/api/delete_item`, { method: 'POST', body: '{', headers: json })],
    [415, call(`${recognition}/api/delete_item`, { method: 'POST', body: '{"id":"1"}', headers: text })],
    [403, call(`${recognition}/display/events`, { headers: foreign })],
  ] as const) {
    const { status: given, body } = await answer;
    assert.is(given, status);
    assert.ok(body.code < 0);
    assert.ok(body.msg.length > 10);
  }
  const setup = `${recognition}/console/api/sandbox/setup`;
  assert.is((await call(setup)).status, 405);
  assert.is((await call(setup, { method: 'POST', headers: foreign })).status, 403);
  assert.is((await consoleState(device)).settings.bank, null);
});

/** What a text of the pages names of them; `from` its own path. */
function namedIn(text: string, from: string): string[] {
  const imported = [
    ...text.matchAll(/^(?:(?:import|export)\b[^;'`]*\bfrom|import) '([^'\n]+)'|(?:=>|void) import\('([^'\n]+)'\)/gm),
  ];
  const whole = [...text.matchAll(/"(\/console\/assets\/[^"$]+)"/g)];
  return [...imported, ...whole].map(([, path = '', late = path]) => new URL(late, `http://device${from}`).pathname);
}

it('a clone serves each page’s sources as they are, uncached, and runs only our scripts', async (device) => {
  const found = new Map<string, Awaited<ReturnType<typeof call>>>();
  const visit = async (path: string): Promise<void> => {
    if (found.has(path)) return;
    const answer = await call(device.recognition + path);
    found.set(path, answer);
    assert.is(answer.status, 200, path);
    for (const other of namedIn(answer.text, path)) await visit(other);
  };
  for (const path of ['/', '/display', '/claim', '/scale']) await visit(path);
  for (const language of ['en', 'ru']) await visit(`${ASSETS}words/${language}.js`);
  for (const late of ['preact.js', 'qr.js', 'recognition/pages/css/on-scale.css', 'console/pages/picture/picture.js'])
    assert.ok(found.has(`/console/assets/${late}`), late);
  assert.ok(found.size > 150, `${found.size} files`);
  for (const [path, { headers, text }] of found) {
    assert.is(headers.get('cache-control'), 'no-store', path);
    assert.is(headers.get('x-content-type-options'), 'nosniff');
    assert.is(headers.get('referrer-policy'), 'same-origin');
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, "default-src 'none'");
    assert.match(policy, "script-src 'self'");
    assert.match(policy, "frame-ancestors 'none'");
    assert.not.match(policy, 'unsafe');
    if (/preact|qr|assets\/(?:words\/|languages\.|features\.|limits\.|remedies\.)/.test(path)) continue;
    assert.is(text, readFileSync(join(ROOT, 'firmware', DOCUMENTS[path] ?? path.slice(ASSETS.length)), 'utf8'));
    assert.not.match(text, /(?:inner|outer)HTML|AdjacentHTML|document\.write/, `${path}: markup in a text stays text`);
  }
  for (const [path, type] of [
    ['samples/pay.php', 'text/plain; charset=utf-8'],
    ['console/pages/console.js', 'text/javascript; charset=utf-8'],
  ] as const) {
    const { status, headers } = await call(device.recognition + ASSETS + path);
    assert.equal([status, headers.get('content-type')], [200, type]);
  }
});

it('nothing but the pages is served under their addresses', async (device) => {
  for (const path of [
    ...['', '.', 'nothing.js', 'main.ts', '..%2fpackage.json', '%2e%2e/package.json', '%2fetc%2fpasswd'],
    ...['console/router.ts', 'console/composed.js', 'core/http/reference/try-out.js', 'words/de.js', 'words/'],
    ...['app', 'app/', 'nothing.js', 'app%00.js', 'app/.'].map((name) => `console/pages/${name}`),
    ...[
      '../composed.js',
      '..%2fcomposed.js',
      '%2e%2e/composed.js',
      '%2e%2e%2fcomposed.js',
      'app/..%2f..%2fcomposed.js',
    ].map((name) => `console/pages/${name}`),
    ...['samples/..%2f..%2fpackage.json', 'samples/', 'samples', '0000000000000000/console/pages/console.js'],
  ])
    assert.is((await call(device.recognition + ASSETS + path)).status, 404, path);
});

it('what seldom changes is sent once to a browser', async (device) => {
  for (const path of ['/console/api/openapi.json', '/console/api/settings/forms']) {
    const { headers, status, text } = await call(device.recognition + path);
    assert.equal([status, headers.get('content-encoding')], [200, 'gzip']);
    const again = await call(device.recognition + path, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    assert.equal([again.status, again.text], [304, '']);
    const other = await call(device.recognition + path, { headers: { 'if-none-match': 'W/"other"' } });
    assert.equal([other.status, other.text], [200, text]);
  }
});

test.run();
