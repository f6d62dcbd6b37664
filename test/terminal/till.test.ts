/** What a till that cannot change sends beside what a call asks for: unknown fields, nulls, a ttl of 0, any purpose. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LogRing } from '../../firmware/core/host/log-ring.ts';
import { MAX_FIELDS_LOGGED } from '../../firmware/core/http/unknown-fields.ts';
import { wantedOf } from '../../firmware/payments/service/sale/sale.ts';
import { call, each, onSetUpDevice, setUp, startTestDevice, type TestDevice, temporaryFolder } from '../support.ts';

const test = suite('terminal: what a till sends beside');

const it = each(test, onSetUpDevice);

const newest = async ({ recognition }: Pick<TestDevice, 'recognition'>) =>
  (await call(`${recognition}/console/api/overview`)).body.payment;

/** Of each payment another: the same one asked for again may be answered with the same code. */
let amount = 0;

/** Asks for a payment and returns what became of its purpose. */
async function purposeOf(device: TestDevice, purpose: unknown): Promise<string | null> {
  const { status, text } = await call(`${device.terminal}/showQR`, { json: { amount: ++amount, purpose } });
  assert.is(status, 200, text);
  return (await newest(device)).purpose;
}

it('unknown fields are ignored, also those that are names of JavaScript', async (device) => {
  for (const more of [
    '"currency":"RUB"',
    '"__proto__":{"amount":7}',
    '"constructor":1',
    '"":[{}]',
    '"toString":null',
  ]) {
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const shown = await call(`${device.terminal}/showInfoQR`, { ...sent, body: `{"infoQR":"x",${more}}` });
    assert.is(shown.text, '{"status":"success"}', more);
    const count = await call(`${device.recognition}/api/set_result_count`, { ...sent, body: `{"count":3,${more}}` });
    assert.is(count.body.code, 0, more);
    const extra = await call(`${device.recognition}/api/set_extra_info`, { ...sent, body: `{"info":"i",${more}}` });
    assert.is(extra.body.code, 0, more);
  }
  assert.equal((await call(`${device.recognition}/api/get_extra_info`)).body.data, { info: 'i' });
});

test('an unknown field of a call is not stored, where the next start would stumble over it', async () => {
  using folder = temporaryFolder();
  const area = { top: 1, left: 2, height: 300, width: 400 };
  {
    await using device = await startTestDevice({}, folder.path);
    await call(`${device.recognition}/api/set_extra_info`, { json: { info: 'lane 4', more: 1 } });
    await call(`${device.recognition}/api/set_calib`, { json: { ...area, more: 1 } });
  }
  await using device = await startTestDevice({}, folder.path);
  assert.is((await call(`${device.recognition}/api/get_extra_info`)).body.data.info, 'lane 4');
  assert.equal((await call(`${device.recognition}/api/get_calib`)).body.data, area);
});

test('an unknown field is in the log once, and there is a limit of them', async () => {
  const lines = new LogRing();
  await using device = await startTestDevice({ LANEWARE_LOG_LEVEL: 'info' }, undefined, { lines });
  await setUp(device);
  for (const amount of [1, 2]) await call(`${device.terminal}/showQR`, { json: { amount, currency: 'RUB' } });
  await call(`${device.terminal}/showInfoQR`, { json: { infoQR: 'x', currency: 'RUB' } });
  const many = Object.fromEntries(Array.from({ length: 2 * MAX_FIELDS_LOGGED }, (_, index) => [`f${index}`, 1]));
  await call(`${device.terminal}/showInfoQR`, { json: { infoQR: 'x', ...many, ['y'.repeat(1000)]: 1 } });
  const logged = lines
    .list({ after: 0, limit: 1000, level: 'info', part: null, text: '"field":' })
    .map(({ details }) => details)
    .toReversed();
  assert.equal(
    logged.filter(({ field }) => field === 'currency').map(({ call }) => call),
    ['/showQR', '/showInfoQR'],
  );
  assert.is(logged.length, MAX_FIELDS_LOGGED);
  assert.ok(logged.every(({ field }) => String(field).length <= 64));
});

it('null is absent: of the fields that may be left out, and of no other', async (device) => {
  assert.is(await purposeOf(device, null), null);
  const { terminal, recognition } = device;
  assert.is((await call(`${terminal}/showQR`, { json: { amount: 1, ttl: null, purpose: null } })).status, 200);
  for (const [path, json] of [
    ['export_template', { ids: null }],
    ['get_rank_statistics', { id: null, from: null, to: null }],
  ] as const) {
    const { status, body } = await call(`${recognition}/api/${path}`, { json });
    assert.is(status, 200, `${path}: ${body.msg}`);
  }
  const slave = { masterIP: '127.0.0.1', mastersyncPort: null, pairingCode: null, upload: true, download: true };
  assert.is((await call(`${recognition}/api/set_sync_slave`, { json: slave })).body.code, 0);
  await call(`${recognition}/api/set_sync_standalone`, { method: 'POST' });
  for (const [url, json] of [
    [`${terminal}/showQR`, { amount: null }],
    [`${terminal}/showInfoQR`, { infoQR: null }],
    [`${terminal}/displayStatus`, { status: null }],
    [`${recognition}/api/delete_item`, { id: null }],
  ] as const)
    assert.is((await call(url, { json })).status, 400, url);
});

it('a ttl of 0 is the default, as one that is left out', async (device) => {
  const left = async (ttl?: number) => {
    assert.is((await call(`${device.terminal}/showQR`, { json: { amount: ++amount, ttl } })).status, 200);
    return Math.ceil((await newest(device)).leftMs / 60_000);
  };
  assert.is(await left(7), 7);
  assert.is(await left(0), 5);
  assert.is(await left(), 5);
});

it('a purpose that is too long is clipped, within no character', async (device) => {
  assert.is(await purposeOf(device, 'x'.repeat(140)), 'x'.repeat(140));
  assert.is(await purposeOf(device, 'x'.repeat(141)), 'x'.repeat(140));
  assert.is(await purposeOf(device, 'я'.repeat(3000)), 'я'.repeat(140));
  assert.is(await purposeOf(device, '🍏'.repeat(140)), '🍏'.repeat(140), 'a character of two halves is one');
  assert.is(await purposeOf(device, `${'🍏'.repeat(140)}x`), '🍏'.repeat(140));
  const family = '👨‍👩‍👧‍👦'; // one character of seven code points
  assert.is(await purposeOf(device, `${'x'.repeat(138)}${family}`), 'x'.repeat(138));
  assert.is(await purposeOf(device, `${'x'.repeat(139)}e\u0301`), 'x'.repeat(139));
  assert.is(await purposeOf(device, `${'x'.repeat(139)} ${'y'.repeat(9)}`), 'x'.repeat(139), 'no space at its end');
  assert.is(await purposeOf(device, family.repeat(99)), family.repeat(20));
});

it('a purpose with line breaks, control characters and halves of characters is cleaned', async (device) => {
  assert.is(await purposeOf(device, 'Apples\r\n2 kg\tred\u0000\u0085\u2028!'), 'Apples 2 kg red !');
  assert.is(
    await purposeOf(device, 'Pay \u202e001\u202c or \u2066100\u2069'),
    'Pay 001 or 100',
    'nothing turns the letters round',
  );
  assert.is(await purposeOf(device, '\r\nApples\n'), 'Apples');
  assert.is(await purposeOf(device, 'a\ud800b\udc00'), 'a\ufffdb\ufffd');
  assert.is(await purposeOf(device, '  two  spaces '), '  two  spaces ', 'what is clean stays as it came');
  assert.is(await purposeOf(device, '\u0000\n\t'), null);
  assert.is(await purposeOf(device, ''), null);
});

test('no half of a character reaches a bank', () => {
  assert.ok(wantedOf({ amount: 1, purpose: 'a\ud800b' }, 60, 'refuse').purpose?.isWellFormed());
});

test.run();
