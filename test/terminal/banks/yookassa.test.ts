import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { memberOf } from '../../../drivers/lib/strict-json.ts';
import { BankError } from '../../../firmware/banks/bank-error.ts';
import { type Confirmation, YooKassaBank } from '../../../firmware/banks/dialects/yookassa.ts';
import { registerWithRetries } from '../../../firmware/banks/registration.ts';
import type { SandboxRefund } from '../../../firmware/tools/sandbox-bank/refunds.ts';
import { each } from '../../support.ts';
import { BankBooks, type BankRig, bankContract, type Ending, onBank, paidBack } from './contract.ts';
import { bankError, begun, LIMITS, O1, partBack, patient, sale } from './support.ts';
import { type Asked, changed, codeId, instead, linkTo, lost, type Reply, rewritten } from './wire-bank.ts';

const test = suite('yookassa');

const KEY = 'secret-key-of-the-shop';
const CREDENTIALS = Buffer.from(`54401:${KEY}`).toString('base64');
const PAGE = 'https://yoomoney.ru/checkout/payments/v2/contract?orderId=2f1';

const error = (status: number, code: string, more: object = {}): Reply => ({
  status,
  body: { type: 'error', id: 'e1', code, description: 'reported by the bank', ...more },
});

type Rig = BankRig<YooKassaBank>;

const withBank = (work: (rig: Rig) => Promise<void>, confirmation: Confirmation = 'qr'): Promise<void> =>
  onBank(
    BankBooks,
    (path) => `/yookassa/v3${path.replace('limit=100', 'limit=1')}`, // pages of one refund
    (baseUrl, log) => new YooKassaBank({ baseUrl, shopId: '54401', secretKey: KEY, confirmation, log }),
    work,
  );
const it = each<[Rig]>(test, (run) => () => withBank(run));

/** The shop may not ask for `qr`. */
const forbidQr = ({ wire }: Rig): void =>
  wire.always('POST /payments', (honest, { json }) =>
    memberOf(json?.confirmation, 'type') === 'qr'
      ? error(400, 'invalid_request', { parameter: 'confirmation.type' })
      : honest(),
  );

it('a payment is asked for as the bank has it, and its code is shown', async ({ wire, books, bank, logged }) => {
  const { ref, payload } = await begun(bank);
  assert.equal([ref, payload], [{ id: books.last.bankId }, books.last.link]);
  const { call, headers, json } = wire.asked[0] as Asked;
  assert.equal([call, headers['idempotence-key']], ['POST /payments', 'o1']);
  assert.equal(json, {
    amount: { value: '123.45', currency: 'RUB' },
    capture: true,
    payment_method_data: { type: 'sbp' },
    confirmation: { type: 'qr' },
    description: 'Кофе и булочка',
    metadata: { order_id: 'o1' },
  });
  await begun(bank, sale({ amount: 10_000, purpose: null }));
  assert.match(wire.asked[1]?.text ?? '', '"value":"100.00"');
  assert.not.ok(Object.hasOwn(wire.asked[1]?.json as object, 'description'));
  assert.equal(logged, []);
});

const PAY = 'POST /payments';
const STATE = 'GET /payments/';
const roubles = (value: string, currency = 'RUB') => ({ amount: { value, currency } });
const told429 = { type: 'error', code: 'too_many_requests' };

bankContract<BankBooks, YooKassaBank, readonly [status: string, reason?: string]>(test, {
  withBank,
  secrets: [KEY, CREDENTIALS],
  register: PAY,
  state: STATE,
  failures: [
    [instead(202, { type: 'processing', retry_after: 700 }), 'unreachable', 700],
    [instead(202, ''), 'unreachable'],
    [instead(500, { type: 'error', code: 'internal_server_error' }), 'unreachable'],
    [instead(429, { ...told429, retry_after: 900 }), 'unreachable', 900],
    [instead(429, told429), 'unreachable'],
    [instead(429, { ...told429, retry_after: 1e12 }), 'unreachable', 3_600_000],
    [instead(429, { ...told429, retry_after: 0 }, { 'retry-after': '7' }), 'unreachable', 7000],
    // some of the bank's servers have answered so with HTTP 200
    [instead(200, { type: 'processing', retry_after: 1 }), 'unreachable', 1],
    [instead(401, { type: 'error', code: 'invalid_credentials', description: `${KEY} ${CREDENTIALS}` }), 'refused'],
    [instead(400, { type: 'error', code: 'invalid_request', parameter: 'amount.value' }), 'refused'],
    [instead(200, { status: 'pending' }), 'contradiction'],
    ...[
      roubles('1.00'),
      roubles('123.45', 'USD'),
      { amount: undefined },
      { metadata: { order_id: 'o2' } },
      { confirmation: null },
      { test: true }, // the key is of a shop that takes money
    ].map((fields): Ending => [changed(fields), 'contradiction']),
    ...[{ confirmation: null }, {}].map((fields): Ending => [changed({ status: 'canceled', ...fields }), 'refused']),
  ],
  put: ({ wire }, [status, reason]) => {
    const paid = status === 'succeeded' && {
      paid: true,
      captured_at: '2026-11-21T10:53:29.072Z',
      payment_method: {
        ...{ type: 'sbp', sbp_operation_id: '1027088AE4CB48CB81287833347A8777' },
        payer_bank_details: { bank_id: '100000000111', bic: '044525225' },
      },
      refunded_amount: roubles('23.45').amount,
    };
    wire.always(STATE, changed({ status, cancellation_details: reason && { party: 'x', reason }, ...paid }));
  },
  verdicts: [
    [['pending'], 'pending'],
    [['something_new'], 'processing'],
    [['waiting_for_capture'], 'processing'],
    [['canceled', 'expired_on_confirmation'], 'canceled'],
    [['canceled', 'canceled_by_merchant'], 'canceled'],
    [['canceled', 'insufficient_funds'], 'rejected'],
    [['canceled'], 'rejected'],
  ],
  paid: ['succeeded'],
  accepted: {
    amounts: [12_345],
    currencies: ['RUB'],
    orderIds: ['o1'],
    trxId: '1027088AE4CB48CB81287833347A8777',
    paidAt: Date.parse('2026-11-21T10:53:29.072Z'),
    refunded: 2_345,
    payer: { bank: '100000000111', phone: null },
    paidBy: { method: 'sbp', word: 'sbp' },
  },
  untrue: [
    { id: 'p2' },
    { metadata: { order_id: 'o2' } },
    roubles('123.46'),
    roubles('12345'),
    roubles('123.45', 'USD'),
    { amount: undefined },
    { test: true },
    { paid: false },
  ].map((fields) => [changed(fields)]),
  true: [],
  long: null,
  afterLost: 1,
  codesOf: ({ count }) => count,
  cancels: [
    [['pending'], 'not-possible'],
    [['waiting_for_capture'], 'already-paid'],
    [['succeeded'], 'already-paid'],
    [['canceled'], 'withdrawn'],
  ],
  refund: null,
  lookedUp: { asked: ['POST /refunds', instead(400, {})], look: 'GET /refunds', order: (ref) => partBack({ ref }) },
});

it("a refusal has the bank's field; the same key with another body is refused", async (rig) => {
  const { wire, bank } = rig;
  wire.once(PAY, () => error(400, 'invalid_request', { parameter: 'amount.value' }));
  const { bankCode, message } = await bankError('refused', begun(bank));
  assert.equal(
    [bankCode, message],
    ['invalid_request (amount.value)', 'the bank refused (HTTP 400: reported by the bank)'],
  );
  await begun(bank);
  await bankError('refused', begun(bank, { ...O1, amount: 1_000 }));
});

it('a code must be a link of the payment system, not a page, no matter what the bank calls it', async (rig) => {
  const { wire, bank } = rig;
  for (const confirmation of [
    { type: 'qr', confirmation_data: PAGE },
    { type: 'qr', confirmation_data: linkTo(codeId(1), 1) },
    { type: 'redirect', confirmation_url: PAGE },
  ]) {
    wire.once('POST /payments', changed({ confirmation }));
    await bankError('contradiction', begun(bank, sale()));
  }
});

test("a page must be the bank's own, or of this machine where the bank is", async () => {
  const shown = async (page: string): Promise<boolean> => {
    let isShown = false;
    await withBank(async ({ wire, bank }) => {
      wire.once('POST /payments', changed({ confirmation: { type: 'redirect', confirmation_url: page } }));
      isShown = await begun(bank).then(
        () => true,
        (failure: unknown) => !(failure instanceof BankError && failure.code === 'contradiction'),
      );
    }, 'redirect');
    return isShown;
  };
  for (const page of [PAGE, 'https://pay.yookassa.ru/x', 'http://127.0.0.1:8080/pay/x', 'http://localhost/x']) {
    assert.ok(await shown(page), page);
  }
  for (const page of [
    'http://yoomoney.ru/x',
    'https://yoomoney.ru@evil.example/x',
    'https://a:b@yoomoney.ru/x',
    'https://evil.example/yoomoney.ru/',
    'https://notyoomoney.ru/x',
    'https://yoomoney.ru.evil.example/x',
    'https://yoomoney.ru:8443/x',
    'https:\\\\yoomoney.ru/x',
    'http://127.0.0.1@evil.example/x',
    'http://127.0.0.1.evil.example/x',
    'ftp://127.0.0.1/x',
    'javascript:alert(1)',
    '',
  ]) {
    assert.not.ok(await shown(page), page);
  }
});

it("without permission for codes a shop gets the bank's page, logged once, and asks no more", async (rig) => {
  const { wire, books, bank, logged } = rig;
  forbidQr(rig);
  const { ref, payload } = await begun(bank);
  assert.equal([ref.id, payload], [books.last.bankId, books.last.link]);
  const keys = () => wire.asked.map(({ headers }) => headers['idempotence-key']);
  assert.equal(keys(), ['o1', 'o1-page']);
  assert.equal(wire.asked[1]?.json?.confirmation, {
    type: 'redirect',
    return_url: 'https://yookassa.ru/',
  });
  await begun(bank, sale({ orderId: 'o2' }));
  assert.equal(keys(), ['o1', 'o1-page', 'o2-page']);
  assert.is(logged.length, 1);
  assert.match(logged[0] ?? '', /does not let this shop ask for codes.*page.*Ask the manager/);
});

it('a page that was registered while its answer was lost is the same page again', async (rig) => {
  const { wire, books, bank, logged } = rig;
  forbidQr(rig);
  let calls = 0;
  wire.once('POST /payments', (honest) => {
    calls += 1;
    wire.once('POST /payments', lost);
    return honest();
  });
  const { ref } = await registerWithRetries(bank, O1, () => undefined, LIMITS);
  assert.equal(
    { calls, id: ref.id, count: books.count, logged: logged.length },
    { calls: 1, id: books.last.bankId, count: 1, logged: 1 },
  );
});

it('a refusal of something else is none of the page', async ({ wire, bank, logged }) => {
  wire.once('POST /payments', () => error(403, 'forbidden', { parameter: 'confirmation' }));
  await bankError('refused', begun(bank));
  assert.equal([wire.asked.length, logged.length], [1, 0]);
});

test('a profile may ask for the page at once', () =>
  withBank(async ({ wire, books, bank, logged }) => {
    assert.is((await begun(bank)).payload, books.last.link);
    assert.equal([wire.asked.length, logged.length], [1, 0]);
  }, 'redirect'));

it('nothing is sent to take an open payment back: the bank is asked whether it has been paid', async (rig) => {
  const { wire, bank } = rig;
  const { ref } = await begun(bank);
  wire.once(STATE, changed({ id: 'p2' }));
  await bankError('contradiction', bank.cancel(ref, patient()));
  await bank.cancel(ref, patient());
  assert.equal(wire.calls.slice(1), [STATE + ref.id, STATE + ref.id]);
});

it('a refund whose id the bank has lost is looked for in the list, and undecided if absent', async (rig) => {
  const { wire, bank } = rig;
  const refundOf = await paidBack(rig);
  const { bankRefundId, state } = await bank.refund(refundOf(), patient());
  assert.is(state, 'done');
  wire.always('GET /refunds/', instead(404, { type: 'error', code: 'not_found', parameter: 'refund_id' }));
  for (const given of [bankRefundId, 'r-unknown'])
    assert.is((await bank.refundStatus(refundOf({ bankRefundId: given }), patient())).state, 'done');
  wire.always('GET /refunds?', instead(200, { type: 'list', items: [] }));
  await bankError('contradiction', bank.refundStatus(refundOf({ bankRefundId }), patient()));
  wire.once('GET /refunds/', instead(403, { type: 'error', code: 'forbidden' }));
  await bankError('refused', bank.refundStatus(refundOf({ bankRefundId }), patient()));
});

it('a refund goes back once, also after the day in which the key is known', async (rig) => {
  const { wire, books, bank } = rig;
  const refundOf = await paidBack(rig);
  const { bankId: payment_id } = books.last;
  wire.once('POST /refunds', lost);
  await bankError('unreachable', bank.refund(refundOf(), patient()));
  const { headers, json } = wire.asked.at(-1) as Asked;
  assert.is(headers['idempotence-key'], 'refund-1');
  assert.equal(json, {
    payment_id,
    amount: { value: '23.45', currency: 'RUB' },
    metadata: { refund_id: 'refund-1' },
  });
  const [{ bankId: bankRefundId }] = books.refunds.of(books.last.qrcId) as [SandboxRefund];
  await bank.refund(refundOf({ refundId: 'refund-0', amount: 100 }), patient());
  books.refunds.refund(books.last, 100, null); // in the account at the bank: it carries no id of ours
  const way = { paidBy: { method: 'sbp', word: 'sbp' }, trxId: `R${bankRefundId}` } as const;
  const done = { state: 'done', bankRefundId, reason: null, ...way } as const;
  const before = wire.calls.length;
  assert.equal(await bank.refund(refundOf({ isRepeated: true }), patient()), done);
  const looked = wire.calls.slice(before).map((call) => call.split('?')[0]);
  assert.equal(looked, ['GET /refunds', 'GET /refunds', 'GET /refunds'], 'not sent again: the key may be forgotten');
  const listed = (fields: object) =>
    rewritten(({ items, ...body }) => ({
      ...body,
      items: (items as object[]).map((item) => ({ ...item, ...fields })),
    }));
  wire.always('GET /refunds?', listed({ status: 'pending' }));
  assert.equal(await bank.refundStatus(refundOf(), patient()), { ...done, state: 'pending' });
  assert.equal(await bank.refundStatus(refundOf({ bankRefundId }), patient()), done);
  assert.is(wire.calls.at(-1), `GET /refunds/${bankRefundId}`);
  const declined = { status: 'canceled', cancellation_details: { party: 'x', reason: 'general_decline' } };
  wire.always('GET /refunds?', listed(declined));
  assert.equal(await bank.refundStatus(refundOf(), patient()), {
    ...done,
    state: 'refused',
    reason: 'the bank canceled the refund (general_decline)',
  });
  await bankError('contradiction', bank.refundStatus(refundOf({ refundId: 'never' }), patient()));
  assert.is((await bank.findRefund(refundOf(), patient()))?.state, 'refused', 'whose answer was lost, by the list');
  assert.is(await bank.findRefund(refundOf({ refundId: 'never' }), patient()), null);
  assert.is(books.last.refunded, 2_545);
});

it('a refused refund has not gone back; a report of another payment or amount is not believed', async (rig) => {
  const { wire, books, bank } = rig;
  const refundOf = await paidBack(rig);
  wire.once('POST /refunds', () => error(400, 'invalid_request', { parameter: 'amount' }));
  const { state, reason } = await bank.refund(refundOf(), patient());
  assert.is(state, 'refused');
  assert.match(reason ?? '', 'reported by the bank');
  assert.is(books.last.refunded, 0);
  for (const fields of [
    { payment_id: 'p2' },
    { amount: { value: '23.46', currency: 'RUB' } },
    { amount: { value: '23.45', currency: 'USD' } },
  ]) {
    wire.once('POST /refunds', changed(fields));
    await bankError('contradiction', bank.refund(refundOf(), patient()));
  }
  // what is refused while the list cannot be seen is not known
  wire.once('POST /refunds', instead(401, { type: 'error', code: 'invalid_credentials' }));
  wire.once('GET /refunds', instead(401, { type: 'error', code: 'invalid_credentials' }));
  await bankError('refused', bank.refund(refundOf(), patient()));
});

test.run();
