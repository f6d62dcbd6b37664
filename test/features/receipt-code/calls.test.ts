/** The calls of a receipt's code on a whole device: what is refused and in which words, who may call, what is answered and shown. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Answer,
  call,
  each,
  onSetUpDevice,
  problem,
  setUp,
  startTestDevice,
  type TestDevice,
} from '../../support.ts';
import { by, sellByQR, sellPaid, sendProfile, showQR } from '../../terminal/device-calls.ts';

const test = suite('feature: receipt code, its calls');
const it = each(test, onSetUpDevice);

const LINK = 'https://receipt.example/v1/1204?fp=2841905512';

const put = ({ terminal }: Pick<TestDevice, 'terminal'>, id: string, json: object, headers = {}): Promise<Answer> =>
  call(`${terminal}/v1/payments/${id}/receipt/code`, { method: 'PUT', json, headers });
const remove = ({ terminal }: Pick<TestDevice, 'terminal'>, id: string, headers = {}): Promise<Answer> =>
  call(`${terminal}/v1/payments/${id}/receipt/code`, { method: 'DELETE', headers });
const display = async ({ recognition }: TestDevice) => (await call(`${recognition}/display/state`)).body;

it('a link that is none, a code to pay by, and what is too long are refused by name', async (device) => {
  const id = await sellByQR(device, 1000);
  const { payload: own } = (await call(`${device.terminal}/v1/payments/${id}`)).body;
  for (const [payload, words] of [
    ['', /payload/],
    ['http://receipt.example/1', /begins with https:/],
    ['HTTPS://receipt.example/1', /begins with https:/],
    ['https:receipt.example', /begins with https:/],
    ['https://\\evil.example', /begins with https:/],
    ['https://[', /begins with https:/],
    ['javascript:alert(1)', /begins with https:/],
    ['tel:+79990000000', /begins with https:/],
    ['WIFI:S:shop;;', /begins with https:/],
    ['https://anna:1234@receipt.example/', /user name/],
    [' https://receipt.example/1', /blank/],
    ['https://receipt.example/\n1', /control/],
    ['https://receipt.example/\ud800', /whole characters/],
    ['https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G', /to pay by/],
    ['QR.NSPK.RU/AS100001ORTF4GAF80KPJ53K186D9A3G', /to pay by/],
    ['https://qr.nsp%6B.ru/AS100001ORTF4GAF80KPJ53K186D9A3G', /to pay by/],
    ['https://qr.nspk\u3002ru/AS100001ORTF4GAF80KPJ53K186D9A3G', /to pay by/],
    ['ST00012|Name=Shop|PersonalAcc=40702810000000000001|Sum=12300', /to pay by/],
    [own ?? 'https://qr.nspk.ru/', /to pay by/],
    [`https://receipt.example/${'a'.repeat(300)}`, /300/],
    [`https://receipt.example/${'ы'.repeat(140)}`, /300 bytes.*it has 304: send a shorter link/],
  ] as const) {
    const answer = await put(device, id, { payload });
    assert.equal([...problem(answer), answer.body.field], [400, 'RequestParams.InvalidField', 'payload'], payload);
    assert.match(answer.body.detail, words);
  }
  assert.is((await display(device)).payload, undefined);
});

it('words that hide or turn others are refused, and so is a time out of its limits', async (device) => {
  const id = await sellByQR(device, 1000);
  for (const [field, value] of [
    ...[
      '',
      ' ',
      'two\nlines',
      'turned \u202e',
      'hidden\u200b',
      'turned \u061c',
      '\u00ad',
      'half \ud83d',
      'a'.repeat(81),
    ].map((words) => ['words', words]),
    ...[4, 121, 5.5, -1, '40'].map((seconds) => ['holdSeconds', seconds]),
  ] as const) {
    const answer = await put(device, id, { payload: LINK, [String(field)]: value });
    assert.equal([...problem(answer), answer.body.field], [400, 'RequestParams.InvalidField', field], String(value));
  }
  const more = await put(device, id, { payload: LINK, more: 1 });
  assert.equal(problem(more), [400, 'RequestParams.InvalidField']);
  const markup = '<img src=x onerror=alert(1)> & "Щ" 🧾';
  assert.is((await put(device, id, { payload: LINK, words: markup })).body.words, markup, 'text is text');
});

it('an open payment and the one after it refuse a receipt, each with its code', async (device) => {
  const id = await sellByQR(device, 1000);
  await showQR(device, 2000);
  assert.equal(problem(await put(device, id, { payload: LINK })), [409, 'ReceiptCodes.DisplayInUse']);
  assert.is((await display(device)).amount, 2000);
  await sellByQR(device, 3000);
  assert.equal(problem(await put(device, id, { payload: LINK })), [409, 'ReceiptCodes.Passed']);
  assert.equal(problem(await put(device, 'unknown', { payload: LINK })), [404, 'Payments.NotFound']);
  assert.equal(problem(await remove(device, 'unknown')), [404, 'Payments.NotFound']);
});

it('a till shows it with words, hears until when, repeats it, and takes it off; so does a sale', async (device) => {
  const id = await sellByQR(device, 1000);
  const first = await put(device, id, { payload: LINK, words: 'Спасибо', holdSeconds: 120 });
  const { until, secondsLeft, ...rest } = first.body;
  assert.equal(rest, { payment: id, shown: true, payload: LINK, words: 'Спасибо' }, first.text);
  assert.ok(secondsLeft > 60 && secondsLeft <= 120);
  assert.ok(Math.abs(Date.parse(until) - Date.now() - secondsLeft * 1000) < 10_000);
  const { payload, receipt, amount, leftMs } = await display(device);
  assert.equal([payload, receipt, amount, leftMs], [LINK, { words: 'Спасибо' }, undefined, undefined]);
  const again = await put(device, id, { payload: LINK, words: 'Спасибо', holdSeconds: 120 });
  assert.ok(again.status === 200 && again.body.secondsLeft <= secondsLeft);
  const off = { payment: id, shown: false };
  for (const _ of [1, 2]) assert.equal((await remove(device, id)).body, off);
  assert.is((await display(device)).kind, 'clear');
  const bare = await put(device, id, { payload: 't=20261121T0930&s=10.00&fn=7381440900&i=1204&fp=2841905512&n=1' });
  assert.equal([bare.status, bare.body.words], [200, null]);
  await showQR(device, 2000);
  const now = await display(device);
  assert.equal([now.amount, now.receipt], [2000, undefined]);
});

test('a fixed code that was paid has a receipt, once the till has cleared the display', async () => {
  await using device = await startTestDevice();
  const staticQR = 'https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G?type=01';
  await sendProfile(device, { bankName: 'Static', staticQR });
  const id = (await showQR(device, 1000)).headers.get('laneware-payment-id') ?? '';
  assert.equal(problem(await put(device, id, { payload: LINK })), [409, 'ReceiptCodes.DisplayInUse']);
  await call(`${device.terminal}/clearScreen`, { method: 'POST' });
  assert.is((await put(device, id, { payload: LINK })).status, 200);
});

test('a till shows the receipts of its own payments alone; without a token nobody does', async () => {
  const tills = [
    { name: 'checkout-1', token: 'made-up-token-of-till-1' },
    { name: 'checkout-2', token: 'made-up-token-of-till-2' },
  ];
  await using device = await startTestDevice({ LANEWARE_API_TILLS: JSON.stringify(tills) });
  await setUp(device);
  const [own, other] = tills.map(({ token }) => by(token));
  const { id } = await sellPaid(device, { amount: 1000 }, { ...own, 'idempotency-key': 'sale-1' });
  assert.is((await put(device, id, { payload: LINK }, { 'x-forwarded-for': '192.0.2.1' })).status, 401);
  assert.equal(problem(await put(device, id, { payload: LINK }, other)), [404, 'Payments.NotFound']);
  assert.is((await put(device, id, { payload: LINK }, own)).status, 200);
  assert.equal(problem(await remove(device, id, other)), [404, 'Payments.NotFound']);
  assert.is((await display(device)).payload, LINK);
});

test.run();
