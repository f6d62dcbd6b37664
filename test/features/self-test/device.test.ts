/** The self-test of a whole device, over its calls: with a simulated display, frames that are sent, the sandbox bank, and a till. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { qrPath } from '../../../drivers/display/qr-svg.ts';
import { MemoryWire } from '../../../drivers/display/wire/memory-wire.ts';
import { SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import { drawTray } from '../../recognition/drawn-tray.ts';
import { call, problem, SANDBOX_SETTINGS, startTestDevice, type TestDevice, until } from '../../support.ts';
import { payNewest } from '../../terminal/device-calls.ts';

const test = suite('the self-test of a device');

const SERIAL = { ...SANDBOX_SETTINGS, deviceConnection: { connectionType: 'Serial', portName: '/dev/made-up' } };

async function lane(settings: Readonly<Record<string, string>> = {}) {
  const display = new SimulatedDisplay();
  const wire = new MemoryWire(display);
  const device = await startTestDevice(settings, undefined, {
    openDisplay: ({ type }, options) => wire.open(type, options),
  });
  const answer = await call(`${device.terminal}/updateDriverSettings`, { json: { settings: SERIAL } });
  assert.is(answer.status, 200, answer.text);
  return { device, display, [Symbol.asyncDispose]: () => device[Symbol.asyncDispose]() };
}

const path = ({ recognition }: TestDevice, more = '') => `${recognition}/console/api/self-test${more}`;
const state = async (device: TestDevice) => (await call(path(device))).body;
const begin = (device: TestDevice) => call(path(device), { json: { language: 'en' } });
const answer = (device: TestDevice, step: string, said: string) =>
  call(path(device, '/answer'), { method: 'PUT', json: { step, answer: said } });
const asked = (device: TestDevice, step: string) =>
  until(`a question about ${step}`, async () => {
    const now = await state(device);
    return now.step === step && now.asks !== null;
  });

async function show({ recognition }: TestDevice, things: string, shade = 0): Promise<void> {
  const body = new Uint8Array(await drawTray({ things, shade }));
  await call(`${recognition}/camera/frame`, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body });
}

/** The card, as it is printed, on the tray. */
async function card(device: TestDevice): Promise<string> {
  const { text, headers } = await call(path(device, '/card'));
  assert.is(headers.get('content-type'), 'image/svg+xml');
  assert.match(text, 'width="70mm"');
  const drawn = /<path d="([^"]+)"/.exec(text)?.[1] ?? '';
  const { size } = qrPath('LANEWARE TEST CARD');
  return `<g transform="translate(440 160) scale(${400 / size})"><rect width="${size}" height="${size}" fill="#fff"/><path d="${drawn}"/></g>`;
}

test('a technician walks through it; the report is the device’s, and the trail has its start', async () => {
  await using own = await lane({ LANEWARE_CAMERA_DRIVER: 'push' });
  const { device, display } = own;
  assert.equal((await state(device)).stage, 'rest');
  assert.is((await begin(device)).status, 200);
  for (const [step, kind] of [
    ['code', 'qr'],
    ['success', 'status'],
    ['failure', 'status'],
    ['blank', 'clear'],
  ] as const) {
    await asked(device, step);
    assert.is(display.picture.kind, kind);
    await answer(device, step, 'yes');
  }
  await asked(device, 'light');
  await show(device, '');
  await answer(device, 'light', 'yes');
  await asked(device, 'card');
  await show(device, await card(device));
  await answer(device, 'card', 'yes');
  const done = await until('the end', async () => {
    const now = await state(device);
    return now.stage !== 'running' && now;
  });
  assert.equal([done.stage, done.report], ['done', 1]);
  const verdicts = Object.fromEntries(
    done.results.map(({ step, verdict }: { step: string; verdict: string }) => [step, verdict]),
  );
  const found = [verdicts.light, verdicts.card, verdicts.bank, verdicts.lamp];
  assert.equal(found, ['pass', 'pass', 'warn', 'absent'], JSON.stringify(done.results));
  assert.is(display.picture.kind, 'clear');
  const { status, headers, text } = await call(path(device, '/reports/1'));
  assert.equal([status, headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  assert.match(headers.get('content-security-policy') ?? '', "default-src 'none'");
  assert.match(text, 'Self-test report no. 1, device TEST0001');
  assert.equal(problem(await call(path(device, '/reports/2'))), [404, 'Device.NoReport']);
  const { lines } = (await call(`${device.recognition}/console/api/audit`)).body;
  assert.is(lines.filter(({ deed }: { deed: string }) => deed === 'self-test').length, 1);
});

test('light from one side, and a tray without a card', async () => {
  await using own = await lane({ LANEWARE_CAMERA_DRIVER: 'push' });
  const { device } = own;
  await begin(device);
  for (const step of ['code', 'success', 'failure', 'blank']) {
    await asked(device, step);
    await answer(device, step, 'skip');
  }
  await show(device, '', 0.9);
  for (const step of ['light', 'card']) {
    await asked(device, step);
    await answer(device, step, 'yes');
  }
  const { results } = await until('the end', async () => {
    const now = await state(device);
    return now.stage === 'done' && now;
  });
  const of = (name: string) => results.find(({ step }: { step: string }) => step === name);
  assert.equal([of('light').verdict, of('card').verdict], ['warn', 'fail']);
  assert.equal(of('card').says[0].code, 'card-unread');
});

test('a sale ends it before the bank is asked, and sells; while a sale is open none begins', async () => {
  await using own = await lane();
  const { device, display } = own;
  await begin(device);
  await asked(device, 'code');
  const sale = await call(`${device.terminal}/v1/payments`, {
    json: { amount: 12_300 },
    headers: { 'content-type': 'application/json', 'idempotency-key': 'sale-1' },
  });
  assert.is(sale.status, 201, sale.text);
  assert.equal(display.picture, { kind: 'qr', payload: sale.body.payload });
  const broken = await state(device);
  assert.equal([broken.stage, broken.why, broken.reports], ['broken', 'sale', []]);
  assert.equal(problem(await begin(device)), [409, 'Device.SaleRuns']);
  await answer(device, 'code', 'no'); // to what is over
  await payNewest(device);
  await until('the symbol of the outcome', () => display.picture.kind === 'status');
  assert.equal(problem(await begin(device)), [409, 'Device.SaleRuns'], 'the customer still looks at it');
});

test('a device that is stopped in the middle stops with an idle display', async () => {
  await using own = await lane();
  const { device, display } = own;
  await begin(device);
  await asked(device, 'code');
  assert.is(display.picture.kind, 'qr');
  await device[Symbol.asyncDispose]();
  assert.is(display.picture.kind, 'clear');
});

test.run();
