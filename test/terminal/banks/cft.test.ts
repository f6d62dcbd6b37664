import { createServer } from 'node:net';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankClient } from '../../../firmware/banks/bank-client.ts';
import { UNREPORTED } from '../../../firmware/banks/bank-payment.ts';
import { CftBank } from '../../../firmware/banks/dialects/cft.ts';
import { freePort, listening } from '../../ports.ts';
import { each } from '../../support.ts';
import { BankBooks, type BankRig, bankContract, type Ending, onBank } from './contract.ts';
import { bankError, begun, IDS, patient, reportOf, sale } from './support.ts';
import { changed, type Fault, instead, linkTo, rewritten } from './wire-bank.ts';

const test = suite('cft bank');

const SECRET = 'pass-of-the-till';

const withBank = (work: (rig: BankRig<CftBank>) => Promise<void>, path = ''): Promise<void> =>
  onBank(
    BankBooks,
    (asked) => asked.replace('/points', ''),
    (url) => new CftBank({ ...IDS, baseUrl: `${url}${path}`, secrets: [SECRET], authsp: 'some-bank.ru' }),
    work,
  );
const it = each<[BankRig<CftBank>]>(test, (run) => () => withBank(run));

const registered = (qrcId: unknown, payload: unknown): Ending => [instead(200, { qrcId, payload }), 'contradiction'];
const STATE = 'GET /qr/state/';
const ofCode = (fields: object): Fault =>
  rewritten(({ qrCode, ...body }) => ({ ...body, qrCode: { ...(qrCode as object), ...fields } }));

bankContract<BankBooks, CftBank, string>(test, {
  withBank,
  secrets: [SECRET],
  register: 'POST /qr',
  state: STATE,
  failures: [
    [instead(409, { error: 'another amount' }), 'refused'],
    [instead(200, 'x'.repeat(2_000_000)), 'contradiction'],
    [instead(200, {}), 'contradiction'],
    registered('Q1', undefined),
    registered(undefined, linkTo('Q1', 12_345)),
    registered(7, linkTo('7', 12_345)),
    registered('..', 'http://127.0.0.1/pay/..'),
    registered('a b', linkTo('Q1', 12_345)),
    registered('Q1', ''),
    registered('Q1', linkTo('Q1', 12_346)),
    registered('Q1', linkTo('Q2', 12_345)),
    registered('Q1', 'https://example.org/Q1'),
  ],
  put: ({ wire }, status) => wire.always(STATE, changed({ payStatus: { status, sndPhoneMasked: '+7 9** ***-45-67' } })),
  verdicts: [
    ['NTST', 'pending'],
    ['RCVD', 'processing'],
    ['ACTC', 'processing'],
    ['RJCT', 'rejected'],
    ['SOMETHING_NEW', 'processing'],
    ['', 'processing'],
  ],
  paid: 'ACWP',
  accepted: { ...UNREPORTED, payer: { bank: null, phone: '***4567' } },
  untrue: [
    [changed({ qrCode: undefined }), /without the id of the payment/],
    [changed({ qrCode: null }), /without the id of the payment/],
    [ofCode({ qrcId: null }), /without the id of the payment/],
    [ofCode({ qrcId: 'Q2' }), /another payment/],
    [changed({ qrcId: 'Q2' }), /another payment/],
    [
      rewritten((body) => JSON.parse(JSON.stringify(body).replace(/"AD\w+"/, (id) => id.toLowerCase()))),
      /another payment/,
    ],
    [changed({ amount: 1 }), /another amount than 12345 kopecks \(123\.45 roubles\): 1 kopeck \(0\.01 roubles\)/],
    [changed({ amount: 12_345, sum: 12_346 }), /another amount/],
    ...['123.45', 123.45, { value: 12_345 }].map((amount) => [changed({ amount }), /another amount/] as const),
    [ofCode({ sum: 5 }), /another amount/],
    [changed({ payStatus: { status: 'ACWP', amount: 0 } }), /another amount/],
    [changed({ cur: 'USD' }), /another currency/],
    [changed({ currency: '' }), /another currency/],
    ...[{}, { payStatus: 'ACWP' }, { payStatus: { status: 7 } }, { qrCode: [] }].map(
      (body) => [instead(200, body)] as const,
    ),
    [
      instead(200, '{"payStatus":{"status":"RJCT","status":"ACWP"},"qrCode":{"qrcId":"Q1"}}'),
      /^the bank's answer holds "status" twice$/,
    ],
    // not quoted
    [instead(200, SECRET), /^the bank's answer is no JSON$/],
  ],
  true: [
    rewritten((body) => ({ ...body, ...(body.qrCode as object), amount: 12_345, cur: 'RUB' })),
    changed({ sum: '12345', currency: 643, amount: null }),
    changed({ payStatus: { status: 'ACWP', amount: 12_345 } }),
    ofCode({ sum: 12_345, cur: 'RUR' }),
    rewritten(({ qrCode, ...body }) => ({ ...body, ...(qrCode as object) })),
  ],
  long: null,
  afterLost: 1,
  codesOf: ({ count }) => count,
  cancels: [],
  refund: null,
});

test("the register call has the interface's fields, units and headers, below the address's path", () =>
  withBank(async ({ wire, bank }) => {
    await begun(bank, sale({ orderId: 'order-7', ttl: 15 }));
    await begun(bank, sale({ orderId: 'order-8', purpose: null }));
    await begun(bank, sale({ purpose: 'half \ud83d, whole \ud83d\ude00' }));
    const [first, second, third] = wire.asked;
    const { authsp, 'idempotency-key': key, 'content-type': type } = first?.headers ?? {};
    assert.equal([first?.call, authsp, key, type], ['POST /points/qr', 'some-bank.ru', 'order-7', 'application/json']);
    assert.equal(first?.json, {
      ...IDS,
      amount: 12_345,
      paymentPurpose: 'Кофе и булочка',
      qrcType: '02',
      expDt: 15,
      localExpDt: 900,
    });
    assert.not.ok(Object.hasOwn(second?.json ?? {}, 'paymentPurpose'));
    assert.is(third?.json?.paymentPurpose, 'half \ufffd, whole \ud83d\ude00');
  }, '/points/'));

it('a state without an operation yet is pending', async ({ wire, bank }) => {
  const { ref } = await begun(bank);
  wire.once('GET', changed({ payStatus: null }));
  assert.is((await reportOf(bank, ref)).verdict, 'pending');
  await bankError('refused', bank.status({ id: 'AD10000NOBODY' }, patient()));
});

test('a bank whose port has no listener is unreachable, with the reason', async () => {
  const bank = new CftBank({ ...IDS, baseUrl: `http://127.0.0.1:${await freePort()}` });
  const error = await bankError('unreachable', bank.status({ id: 'Q1' }, patient()));
  assert.match(error.message, 'ECONNREFUSED');
  await bank.close();
});

/** A bank that tears each connection down once it has answered one call there. @param run with its address */
async function onTearingBank(body: string, run: (url: string, connections: () => number) => Promise<void>) {
  const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: keep-alive\r\n\r\n`;
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    let requests = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      requests += 1;
      // the second request meets a connection that is being torn down, as after an idle time
      if (requests === 1) socket.write(head + body);
      else socket.resetAndDestroy();
    });
  });
  await using closing = await listening(server);
  await run(closing.url, () => connections);
}

test('a kept connection that the bank has closed meanwhile costs nothing: the call is sent again', () =>
  onTearingBank(JSON.stringify({ payStatus: { status: 'NTST' } }), async (url, connections) => {
    const bank = new CftBank({ ...IDS, baseUrl: url });
    try {
      assert.is((await bank.status({ id: 'Q1' }, patient())).verdict, 'pending');
      assert.is((await bank.status({ id: 'Q1' }, patient())).verdict, 'pending');
      assert.is(connections(), 2);
    } finally {
      await bank.close();
    }
  }));

test('what must not happen twice goes out on its own connection, which no bank has closed', () =>
  onTearingBank('{}', async (url, connections) => {
    const client = new BankClient({ baseUrl: url });
    const call = (isOnce: boolean) =>
      client.call({ method: 'POST', path: '/', isOnce }, { shape: Type.Object({}), otherwise: 'nothing' }, patient());
    try {
      for (const isOnce of [false, true, true]) assert.equal(await call(isOnce), {});
      assert.is(connections(), 3);
    } finally {
      client.close();
    }
  }));

it('a wait that the bank asks for is passed on, in seconds or as a date, whatever our clock', async (rig) => {
  const { wire, bank } = rig;
  for (const [headers, expected] of [
    [{ 'retry-after': 'Thu, 01 Jan 1998 00:01:30 GMT', date: 'Thu, 01 Jan 1998 00:01:00 GMT' }, 30_000],
    [{ 'retry-after': 'Thu, 01 Jan 1998 00:01:00 GMT', date: 'Thu, 01 Jan 1998 00:01:30 GMT' }, null],
    [{ 'retry-after': '9'.repeat(400) }, 3_600_000],
    ...['0', '-5', '3.5', '1e9', 'soon', '5, 60', ''].map((text) => [{ 'retry-after': text }, null] as const),
  ] as const) {
    wire.once('GET', instead(429, { error: 'slow down' }, headers));
    const { retryAfterMs } = await bankError('unreachable', bank.status({ id: 'Q1' }, patient()));
    assert.is(retryAfterMs, expected, JSON.stringify(headers));
  }
});

it("a refusal carries the bank's own words: short, on one line, without the password", async ({ wire, bank }) => {
  wire.once('POST', instead(403, { error: `key ${SECRET}\r\nis bad ${'x'.repeat(1000)}`, errorCode: 'AUTH_7' }));
  const { bankCode, message } = await bankError('refused', begun(bank));
  assert.is(bankCode, 'AUTH_7');
  assert.match(message, 'key <PASSWORD> is bad xxx');
  assert.ok(message.length < 300 && !/[\r\n]/.test(message));
});

it("a refusal that comes with HTTP 200 or 201 carries the bank's own words too", async ({ wire, bank }) => {
  const { ref } = await begun(bank);
  for (const [body, text, code] of [
    [{ error: 'MERCHANT_BLOCKED' }, 'MERCHANT_BLOCKED', null],
    [{ error: 'E1', message: 'the point of sale is blocked' }, 'E1: the point of sale is blocked', null],
    [{ errorCode: 7, errorMessage: 'no such account' }, 'no such account', '7'],
    [{ error: { code: 'E2', message: 'too many codes' } }, 'too many codes', 'E2'],
    [{ errors: [{ code: 'E3', description: 'wrong amount' }] }, 'wrong amount', 'E3'],
    [{ code: '005', message: 'closed for the night' }, 'closed for the night', '005'],
    [{ code: 'E4' }, '', 'E4'],
    [{ error: `bad ${SECRET}`, code: SECRET }, 'bad <PASSWORD>', '<PASSWORD>'],
    [{ error: 'E5', qrcId: 'Q1', payload: linkTo('Q1', 12_345) }, 'E5', null],
    [{ error: 'E6', payStatus: { status: 'ACWP' }, qrCode: { qrcId: ref.id } }, 'E6', null],
    [{ error: { text: 1 } }, '', null],
  ] as const) {
    for (const status of [200, 201])
      for (const call of [() => begun(bank), () => reportOf(bank, ref)]) {
        wire.once('', instead(status, body));
        const { message, bankCode } = await bankError('refused', call());
        assert.is(message, `the bank refused (HTTP ${status}${text === '' ? '' : `: ${text}`})`);
        assert.is(bankCode, code);
      }
  }
});

it('an error that is empty, and a code beside a good answer, are no refusal', async ({ wire, bank, books }) => {
  for (const error of [null, '', false, 0, {}]) {
    const fine = changed({ error, code: '000', message: 'OK' });
    wire.once('POST', fine);
    const { ref } = await begun(bank);
    books.payments.pay(ref.id);
    wire.once('GET', fine);
    assert.is((await reportOf(bank, ref)).verdict, 'accepted');
  }
});

it('an error page of a proxy is reported by its status alone', async ({ wire, bank }) => {
  wire.once('GET', instead(502, '<html>Bad gateway</html>'));
  const { message } = await bankError('unreachable', bank.status({ id: 'Q1' }, patient()));
  assert.match(message, 'HTTP 502');
  assert.not.match(message, 'html');
});

test.run();
