/** A sale through `/v1`, over HTTP: its key, its answer, and waiting for it to change. */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RowFormat, valuesOf } from '../../firmware/core/book/row.ts';
import { openFile } from '../../firmware/core/files/database.ts';
import { FIELDS_EXAMPLE, SALE_FIELD_NAMES } from '../../firmware/payments/model/sale-fields.ts';
import { MOST_WAITING } from '../../firmware/payments/service/outcome/payment-waits.ts';
import { saleKeyOf } from '../../firmware/payments/service/sale/sale-key.ts';
import {
  type Answer,
  CFT,
  call,
  each,
  onSetUpDevice,
  problem,
  setUp,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
  until,
} from '../support.ts';
import { payNewest, sendProfile, statusOf } from './device-calls.ts';

const test = suite('terminal: a sale by /v1');

const it = each(test, onSetUpDevice);

type At = Pick<TestDevice, 'terminal'>;

/** @param path another one than that of a sale */
const sell = (
  { terminal }: At,
  json: object,
  key = 'sale-1',
  more: object = {},
  path = 'v1/payments',
): Promise<Answer> =>
  call(`${terminal}/${path}`, {
    json,
    headers: { 'content-type': 'application/json', 'idempotency-key': key, ...more },
  });
const showQR = (device: At, json: object, key?: string): Promise<Answer> =>
  key === undefined ? call(`${device.terminal}/showQR`, { json }) : sell(device, json, key, {}, 'showQR');

const atBank = async ({ sandbox }: TestDevice) => (await call(`${sandbox}/sandbox/payments`)).body;
const get = ({ terminal }: At, id: string, query = ''): Promise<Answer> =>
  call(`${terminal}/v1/payments/${id}${query}`);
const find = async ({ terminal }: At, query: string): Promise<number[]> => {
  const { status, body, text } = await call(`${terminal}/v1/payments?${query}`);
  assert.is(status, 200, text);
  return body.payments.map(({ amount }: { amount: number }) => amount);
};
/** What callers of the network send: a program that passes calls on says so. */
const ofNetwork = (token: string) => ({ 'x-forwarded-for': '10.0.0.7', authorization: `Bearer ${token}` });

it('a sale is answered with its payment, code and link; it is waited for and paid', async (device) => {
  const made = await sell(device, { amount: 12345, purpose: 'Apples' });
  assert.is(made.status, 201, made.text);
  const { id, state, payload, link, till, warnings } = made.body;
  assert.equal([state, link, till, warnings], ['PENDING', payload, null, []]);
  assert.is(made.headers.get('location'), `/v1/payments/${id}`);
  const waiting = get(device, id, '?wait=25');
  await payNewest(device);
  assert.is((await waiting).body.state, 'ACCEPTED');
  const again = await sell(device, { amount: 12345, purpose: 'Apples' });
  assert.equal([again.status, again.body.id, again.body.state], [200, id, 'ACCEPTED']);
  assert.is((await atBank(device)).length, 1);
  assert.is((await sell(device, { amount: 12345, purpose: 'Apples' }, 'sale-2')).status, 201);
});

test('a till that waits is answered before the device ends', async () => {
  using folder = temporaryFolder();
  const device = await startTestDevice({}, folder.path);
  await setUp(device);
  const { id } = (await sell(device, { amount: 12345 })).body;
  const waiting = get(device, id, '?wait=25');
  await get(device, id, '?wait=0'); // the call before it has come in
  await device.device.close();
  const { status, body } = await waiting;
  assert.equal([status, body.state], [200, 'PENDING']);
});

it('a key is required, of 1 to 128 characters of ASCII; the error says so by its name', async (device) => {
  const none = await call(`${device.terminal}/v1/payments`, { json: { amount: 100 } });
  assert.equal([...problem(none), none.body.field], [400, 'RequestParams.InvalidField', 'Idempotency-Key']);
  for (const key of ['', ' ', 'k'.repeat(129), 'ключ', 'é', 'a\tb']) {
    const octets = Buffer.from(key).toString('latin1');
    const answer = await sell(device, { amount: 100 }, octets);
    assert.equal([...problem(answer), answer.body.field], [400, 'RequestParams.InvalidField', 'Idempotency-Key'], key);
    assert.is((await showQR(device, { amount: 100 }, octets)).status, 400, key);
  }
  const { hostname, port } = new URL(device.terminal);
  const twice = connect(Number(port), hostname);
  let refused = '';
  twice.on('data', (chunk) => {
    refused += chunk;
  });
  twice.write(
    `POST /v1/payments HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: 14\r\nIdempotency-Key: k1\r\nidempotency-key: k2\r\n\r\n{"amount":100}`,
  );
  await until('the answer', () => refused.includes('}'));
  twice.destroy();
  assert.ok(refused.startsWith('HTTP/1.1 400') && refused.includes('"field":"Idempotency-Key"'), refused);
  assert.equal(await atBank(device), []);
  const longest = 'k'.repeat(128);
  assert.is((await sell(device, { amount: 100 }, longest)).status, 201);
  assert.is((await sell(device, { amount: 100 }, longest)).status, 200);
  for (const key of ['!', 'a b', '"quoted", and more']) {
    const made = await sell(device, { amount: 200, purpose: key }, key);
    assert.is(made.status, 201, made.text);
  }
});

it('a body with an unknown field, a wrong amount or an unknown profile leaves the key unused', async (device) => {
  for (const [json, field] of [
    [{ amount: 100, currency: 'RUB' }, 'currency'],
    [{ amount: 0 }, 'amount'],
    [{ amount: '100' }, 'amount'],
    [{ amount: 100, profile: '' }, 'profile'],
    [{}, 'amount'],
  ] as const) {
    const answer = await sell(device, json);
    assert.equal([...problem(answer), answer.body.field], [400, 'RequestParams.InvalidField', field]);
  }
  assert.is((await sell(device, { amount: 100, profile: 'unknown' })).status, 400);
  assert.match((await sell(device, { amount: 100, profile: 'x'.repeat(65) })).body.detail, /^profile .*64 characters/);
  assert.is((await sell(device, { amount: 100, profile: 'sandbox' })).status, 201);
});

test('a device that is not set up refuses a sale, and leaves the key unused', async () => {
  await using device = await startTestDevice();
  assert.equal(problem(await sell(device, { amount: 100 })), [409, 'DriverSettings.IsNotConfigured']);
  await setUp(device);
  assert.is((await sell(device, { amount: 100 })).status, 201);
});

it("a refusal names its key's payment; another key is another sale, warned of the unread one", async (device) => {
  const { id } = (await sell(device, { amount: 100 })).body;
  const conflict = await sell(device, { amount: 101 });
  assert.equal(
    [...problem(conflict), conflict.body.payment, conflict.body.differs],
    [409, 'Payments.IdConflict', id, ['amount']],
  );
  const second = await sell(device, { amount: 100 }, 'sale-2');
  assert.is(second.status, 201, second.text);
  await payNewest(device);
  // the list counts as read
  const isPaid = /^laneware_payments_total\{state="ACCEPTED"\} 1$/m;
  await until('ACCEPTED', async () => isPaid.test((await call(`${device.terminal}/metrics`)).text));
  const third = await sell(device, { amount: 100 }, 'sale-3');
  const codes = third.body.warnings.map(({ code }: { code: string }) => code);
  assert.equal([third.status, codes], [201, ['Bank.PreviousPaid']], third.text);
});

it('a failed sale says over HTTP whether its key is used up; a refused one says nothing of it', async (device) => {
  const faults = [{ call: 'register', kind: 'refuse', times: 10 }];
  await call(`${device.sandbox}/sandbox/faults`, { json: { faults } });
  for (const _ of ['first', 'again']) {
    const failed = await sell(device, { amount: 100 });
    assert.equal([...problem(failed), failed.body.repeat], [502, 'Bank.Refused', false]);
  }
  const conflict = await sell(device, { amount: 200 });
  assert.equal([...problem(conflict), 'repeat' in conflict.body], [409, 'Payments.IdConflict', false]);
});

it('showQR names its payment in a header, and takes a key by the same rules or none as ever', async (device) => {
  const plain = await showQR(device, { amount: 100 });
  const id = plain.headers.get('laneware-payment-id') ?? '';
  assert.equal([plain.text, (await get(device, id)).body.amount], ['{"status":"success"}', 100]);
  const same = await showQR(device, { amount: 100 });
  assert.equal([same.headers.get('laneware-payment-id'), same.body.error_code], [id, 5], 'SameCode');
  const keyed = await showQR(device, { amount: 200 }, 'k');
  const keyedId = keyed.headers.get('laneware-payment-id');
  assert.equal([keyed.text, keyedId === id], ['{"status":"success"}', false]);
  const repeated = await showQR(device, { amount: 200 }, 'k');
  assert.equal([repeated.text, repeated.headers.get('laneware-payment-id')], ['{"status":"success"}', keyedId]);
  const conflict = await showQR(device, { amount: 300 }, 'k');
  assert.equal(
    { status: conflict.status, error_category: conflict.body.error_category, error_code: conflict.body.error_code },
    { status: 400, error_category: 'Payments', error_code: 5 },
  );
  // the same table as that of /v1
  const sold = await sell(device, { amount: 200 }, 'k');
  assert.equal([sold.status, sold.body.id], [200, keyedId]);
  await payNewest(device);
  await until('ACCEPTED', async () => (await get(device, keyedId ?? '')).body.state === 'ACCEPTED');
  // no code is on the display: it is no success
  const over = await showQR(device, { amount: 200 }, 'k');
  assert.equal(
    { status: over.status, error_category: over.body.error_category, error_code: over.body.error_code },
    { status: 400, error_category: 'Bank', error_code: 4 },
    'PreviousPaid',
  );
  assert.is(over.headers.get('laneware-payment-id'), keyedId);
  assert.is(await statusOf(device), 'ACCEPTED');
  const taken = (await showQR(device, { amount: 2000 }, 'taken')).headers.get('laneware-payment-id');
  await payNewest(device, 'decline');
  assert.is((await get(device, taken ?? '', '?wait=25')).body.state, 'REJECTED');
  const ended = await showQR(device, { amount: 2000 }, 'taken');
  assert.equal(
    { status: ended.status, error_category: ended.body.error_category, error_code: ended.body.error_code },
    { status: 400, error_category: 'Bank', error_code: 9 },
    'NotShown',
  );
  assert.match(ended.body.error_message, /has ended, REJECTED: no code is shown; take a new key/);
  assert.is(await statusOf(device), 'REJECTED');
  await call(`${device.sandbox}/sandbox/faults`, {
    json: { faults: [{ call: 'register', kind: 'refuse', times: 10 }] },
  });
  const failed = await showQR(device, { amount: 400 });
  assert.equal([failed.status, failed.body.error_category], [500, 'Bank']);
  assert.is((await get(device, failed.headers.get('laneware-payment-id') ?? '')).body.state, 'ERROR');
  assert.is((await showQR(device, { amount: 0 })).headers.get('laneware-payment-id'), null);
});

it('a profile no longer set up: the payment is returned, its code not shown; a fixed code is', async (device) => {
  const { id } = (await sell(device, { amount: 100 })).body;
  // another profile, and another merchant under the name of that one
  for (const name of ['p', 'sandbox']) {
    assert.is((await sendProfile(device, CFT, name)).status, 200);
    await call(`${device.terminal}/showInfoQR`, { json: { infoQR: 'opening hours' } });
    const again = await sell(device, { amount: 100 });
    assert.equal([again.status, again.body.id, again.body.state], [200, id, 'PENDING'], name);
    assert.equal(
      again.body.warnings.map((warning: { code: string }) => warning.code),
      ['Bank.NotShown'],
    );
    const old = await showQR(device, { amount: 100 }, 'sale-1');
    assert.equal([old.status, old.body.error_code], [400, 9], old.text);
    assert.is((await call(`${device.recognition}/display/state`)).body.payload, 'opening hours', name);
  }
  const staticQR = 'https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G?type=01&bank=100000000007&crc=0C8A';
  assert.is((await sendProfile(device, { bankName: 'Static', staticQR })).status, 200);
  const fixed = await sell(device, { amount: 200 }, 'fixed');
  assert.equal([fixed.status, fixed.body.state, fixed.body.link], [201, 'STATIC', staticQR]);
  await call(`${device.terminal}/clearScreen`, { method: 'POST' });
  const repeated = await sell(device, { amount: 200 }, 'fixed');
  assert.equal([repeated.status, repeated.body.id], [200, fixed.body.id]);
  assert.is((await get(device, fixed.body.id, '?wait=25')).body.state, 'STATIC', 'it never changes');
});

it('a till that has lost the answer finds its payment by the key, and by its name for the sale', async (device) => {
  const sale = { amount: 100, reference: 'receipt 4711' };
  const { id, reference } = (await sell(device, sale, 'k-1')).body;
  assert.is(reference, 'receipt 4711');
  assert.is((await sell(device, { amount: 200 }, 'k-2')).body.reference, null);
  assert.equal((await sell(device, sale, 'k-1')).body.id, id);
  const conflict = await sell(device, { ...sale, reference: 'receipt 4712' }, 'k-1');
  assert.equal([...problem(conflict), conflict.body.differs], [409, 'Payments.IdConflict', ['reference']]);
  assert.equal(await find(device, 'key=k-1'), [100]);
  assert.equal(await find(device, 'key=k-2&state=ACCEPTED'), []);
  assert.equal(await find(device, 'key=k-3'), []);
  assert.equal(await find(device, 'reference=receipt%204711'), [100]);
  const ofTill = await call(`${device.terminal}/v1/payments?key=k-1`, { headers: ofNetwork('none') });
  assert.equal(ofTill.body.payments.length, 1, 'an open device has one credential');
  assert.equal(problem(await sell(device, { amount: 1, reference: 'x'.repeat(129) }, 'k-4')), [
    400,
    'RequestParams.InvalidField',
  ]);
  await call(`${device.terminal}/exportToCSV`, { json: { path: join(device.dataDir, 'all.csv') } });
  const [head = '', first = ''] = readFileSync(join(device.dataDir, 'all.csv'), 'utf8').split('\r\n');
  assert.match(head, /,till,reference,/);
  assert.match(first, /,receipt 4711,/);
});

it('each field that a till says is in the answer, in events, and in what its key stands for', async (device) => {
  const sale = { amount: 100, ...FIELDS_EXAMPLE };
  const { body } = await sell(device, sale);
  assert.is((await sell(device, sale)).body.id, body.id);
  await payNewest(device);
  using db = openFile(join(device.dataDir, 'money.db'), { readOnly: true });
  const events = db
    .prepare('SELECT body FROM events')
    .all()
    .map((row) => JSON.parse(String(row.body)));
  assert.is.not(events.length, 0);
  for (const name of SALE_FIELD_NAMES) {
    const said = FIELDS_EXAMPLE[name];
    assert.equal([body[name], (await get(device, body.id)).body[name]], [said, said], name);
    for (const { payment } of events) assert.is(payment[name], said, `${name} of an event`);
    const { status, body: conflict } = await sell(device, { ...sale, [name]: 'another' });
    assert.equal([status, conflict.differs], [409, [name]]);
    assert.is((await sell(device, { amount: 100 }, `without ${name}`)).body[name], null);
  }
});

test('the digest of a sale stays the same for ever: all of its fields, those left out null', () => {
  const digest = (...said: unknown[]) => hash('sha256', JSON.stringify(said), 'base64url');
  assert.is(saleKeyOf('k', { amount: 100, purpose: 'Milk' }).body, digest(100, 'Milk', null, null, null));
  assert.is(saleKeyOf('k', { amount: 100, reference: '' }).body, digest(100, null, null, null, null));
  assert.is(saleKeyOf('k', { amount: 100, reference: 'r' }).body, digest(100, null, null, null, 'r'));
});

it('who waits is answered by the change, at once after one, or else when the time is over', async (device) => {
  const { id } = (await sell(device, { amount: 100 })).body;
  assert.is((await get(device, id, '?wait=0')).body.state, 'PENDING');
  assert.is((await get(device, id, '?wait=1')).body.state, 'PENDING');
  assert.is((await get(device, id, '?wait=25&state=ACCEPTED')).body.state, 'PENDING', 'another state is known');
  const waiting = [get(device, id, '?wait=25'), get(device, id, '?wait=25&state=PENDING')];
  await payNewest(device, 'decline');
  assert.equal(
    (await Promise.all(waiting)).map(({ body }) => body.state),
    ['REJECTED', 'REJECTED'],
  );
  assert.is((await get(device, id, '?wait=25&state=REJECTED')).body.state, 'REJECTED', 'it has ended');
  for (const query of ['wait=26', 'wait=-1', 'wait=', 'wait=x', 'wait=1.5', 'state=PAID', 'wait=1&wait=2', 'until=1'])
    assert.equal(problem(await get(device, id, `?${query}`)), [400, 'RequestParams.InvalidField'], query);
  assert.equal(problem(await get(device, 'unknown', '?wait=25')), [404, 'Payments.NotFound']);
});

test('a caller that hangs up waits no more; waits are limited; a closing device lets all go', async () => {
  let last: Promise<Answer | null>;
  {
    await using device = await startTestDevice();
    await setUp(device);
    const { id } = (await sell(device, { amount: 100 })).body;
    const hangUp = new AbortController();
    const waiting = Array.from({ length: MOST_WAITING }, () =>
      fetch(`${device.terminal}/v1/payments/${id}?wait=25`, { signal: hangUp.signal }).then(
        () => 'answered',
        () => 'hung up',
      ),
    );
    const refused = await until('the refusal', async () => {
      const answer = await get(device, id, '?wait=1');
      return answer.status === 503 ? answer : null;
    });
    assert.equal([...problem(refused), refused.headers.get('retry-after')], [503, 'RequestParams.TooMany', '1']);
    assert.equal([(await get(device, id)).status, (await get(device, id, '?wait=0')).status], [200, 200]);
    hangUp.abort();
    assert.equal(new Set(await Promise.all(waiting)), new Set(['hung up']));
    await until('places', async () => (await get(device, id, '?wait=1')).status === 200);
    last = get(device, id, '?wait=25').catch(() => null);
    await call(`${device.terminal}/version`); // it waits by then
  }
  const answer = await last;
  assert.ok(answer === null || answer.body.state === 'PENDING');
});

it('payments are found by state, profile, days, by page; what has gone back is no acceptance', async (device) => {
  for (const [n, action] of (['pay', 'decline', null] as const).entries()) {
    const { id } = (await sell(device, { amount: 100 * (n + 1) }, `${n}`)).body;
    if (action === null) continue;
    await payNewest(device, action);
    assert.is((await get(device, id, '?wait=25')).body.state, action === 'pay' ? 'ACCEPTED' : 'REJECTED');
  }
  assert.equal(await find(device, 'state=ACCEPTED'), [100]);
  assert.equal(await find(device, 'state=REJECTED&profile=sandbox'), [200]);
  assert.equal(await find(device, 'state=PENDING&amount=300'), [300]);
  assert.equal(await find(device, 'profile=other'), []);
  assert.equal(await find(device, 'profile=sandbox&limit=2'), [300, 200]);
  const { cursor } = (await call(`${device.terminal}/v1/payments?profile=sandbox&limit=2`)).body;
  const rest = (await call(`${device.terminal}/v1/payments?profile=sandbox&limit=2&cursor=${cursor}`)).body;
  assert.equal(
    { payments: rest.payments.length, amount: rest.payments[0].amount, cursor: rest.cursor },
    { payments: 1, amount: 100, cursor: null },
  );
  const day = (days: number): string => {
    const date = new Date(Date.now() + days * 86_400_000);
    return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-');
  };
  assert.equal(await find(device, `from=${day(-1)}&to=${day(1)}`), [300, 200, 100]);
  assert.equal(await find(device, `from=${day(-1)}&to=${day(1)}&state=ACCEPTED`), [100]);
  assert.equal(await find(device, 'from=2020-02-01&to=2020-02-29'), []);
  for (const [query, field] of [
    [`from=${day(0)}`, 'to'],
    [`to=${day(0)}`, 'from'],
    ['from=2020-02-02&to=2020-02-01', 'to'],
    ['from=2020-01-01&to=2020-03-01', 'to'],
    ['from=yesterday&to=2020-03-01', 'from'],
    ['state=PAID', 'state'],
    [`day=${day(0)}&from=${day(0)}&to=${day(0)}`, 'day'],
  ] as const) {
    const answer = await call(`${device.terminal}/v1/payments?${query}`);
    assert.equal([...problem(answer), answer.body.field], [400, 'RequestParams.InvalidField', field], query);
  }
  using db = openFile(join(device.dataDir, 'money.db'));
  const [paid = {}] = db.prepare('SELECT * FROM payments WHERE amount = 100').all();
  new RowFormat(db, 'payments').put({ ...valuesOf(paid), error_category: 'Bank', error_code: 7 });
  assert.equal([await find(device, 'state=ACCEPTED'), await find(device, 'state=ERROR')], [[], [100]]);
});

test(
  'a payment of a silent bank shows the silence, its reason and start, until it is reported',
  onSetUpDevice(
    async (device) => {
      const { body: sale } = await sell(device, { amount: 5003, ttl: 7 });
      assert.equal([sale.silence, Date.parse(sale.expiresAt) - Date.parse(sale.createdAt)], [null, 7 * 60_000]);
      const at = `${device.terminal}/v1/payments/${sale.id}`;
      const open = await until('the silence', async () => {
        const { body } = await call(at);
        return body.silence === null ? null : body;
      });
      assert.equal([open.state, open.error, open.silence.code], ['PENDING', null, 'Bank.Unreachable']);
      assert.match(open.silence.detail, /the bank/);
      assert.ok(Date.parse(open.silence.since) >= Date.parse(sale.createdAt), open.silence.since);
      const [listed] = (await call(`${device.terminal}/v1/payments?limit=1`)).body.payments;
      assert.is(listed.silence.since, open.silence.since);
      const again = await sell(device, { amount: 5003, ttl: 7 });
      assert.equal([again.status, again.body.silence.code], [200, 'Bank.Unreachable'], again.text);
      const { body } = await call(`${at}/cancel`, { method: 'POST' });
      assert.equal([body.outcome, body.payment.state, body.payment.silence], ['withdrawn', 'CANCELED', null]);
    },
    {},
    { tuning: { pace: { bankDeadlineMs: 1000 } } },
  ),
);

test(
  'a person at the page has the bank asked before the next question was due',
  onSetUpDevice(
    async (device) => {
      const { body: sale } = await sell(device, { amount: 5000 });
      await payNewest(device);
      const check = () =>
        call(`${device.recognition}/console/api/payments/${sale.id}/check`, { method: 'POST' }).then(
          ({ body }) => body,
        );
      assert.equal(await check(), { asked: true });
      await until(
        'ACCEPTED',
        async () => (await call(`${device.terminal}/v1/payments/${sale.id}`)).body.state === 'ACCEPTED',
      );
      assert.equal(await check(), { asked: false });
    },
    {},
    { tuning: { pace: { askingSpeed: 1 / 3600 } } },
  ),
);

test.run();
