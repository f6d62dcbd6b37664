import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError, type RefundOrder } from '../../../firmware/terminal/banks/bank.ts';
import { registerWithRetries } from '../../../firmware/terminal/banks/registration.ts';
import { type Confirmation, YooKassaBank } from '../../../firmware/terminal/banks/yookassa/yookassa.ts';
import { each } from '../../support.ts';
import { bankContract, onWire, type WireRig } from './contract.ts';
import { bankError, begun, LIMITS, O1, partBack, patient, sale } from './support.ts';
import { type Asked, changed, codeId, instead, linkTo, lost, type Reply } from './wire-bank.ts';

const test = suite('yookassa');

const KEY = 'secret-key-of-the-shop';
const CREDENTIALS = Buffer.from(`54401:${KEY}`).toString('base64');
const PAGE = 'https://yoomoney.ru/checkout/payments/v2/contract?orderId=2f1';

interface Item {
  readonly id: string;
  status: string;
  readonly [more: string]: unknown;
}

const error = (status: number, code: string, more: object = {}): Reply => ({
  status,
  body: { type: 'error', id: 'e1', code, description: 'reported by the bank', ...more },
});

/** What the bank has in its books, and how it answers by them. */
class Books {
  readonly payments: Item[] = [];
  readonly refunds: Item[] = [];
  /** What was answered to a key, and to what. */
  readonly keys = new Map<string, { readonly text: string; readonly reply: Reply }>();
  /** Whether the shop may ask for `qr`. */
  mayQr = true;
  pageSize = 100;

  answer(asked: Asked): Reply {
    const { call, headers } = asked;
    const [method, target = ''] = call.split(' ');
    const url = new URL(target, 'http://bank');
    assert.is(headers.authorization, `Basic ${CREDENTIALS}`);
    if (method === 'POST') return this.#keyed(asked, url.pathname);
    const id = url.pathname.split('/')[2];
    if (url.pathname === '/refunds') return this.#list(url.searchParams);
    const found = [...this.payments, ...this.refunds].find((each) => each.id === id);
    return found === undefined ? error(404, 'not_found', { parameter: 'payment_id' }) : { body: found };
  }

  #keyed({ headers, text, json = {} }: Asked, path: string): Reply {
    const key = String(headers['idempotence-key']);
    const before = this.keys.get(key);
    if (before !== undefined) {
      return before.text === text ? before.reply : error(400, 'invalid_request', { parameter: 'Idempotence-Key' });
    }
    const reply = path === '/payments' ? this.#pay(json) : this.#refund(json);
    this.keys.set(key, { text, reply });
    return reply;
  }

  #pay(json: Record<string, unknown>): Reply {
    const { type } = json.confirmation as { type: string };
    if (type === 'qr' && !this.mayQr) {
      return error(400, 'invalid_request', { parameter: 'confirmation.type' });
    }
    const id = `p${this.payments.length + 1}`;
    const amount = json.amount as { value: string };
    const kopecks = Math.round(Number(amount.value) * 100);
    const confirmation =
      type === 'qr'
        ? { type, confirmation_data: linkTo(codeId(this.payments.length + 1), kopecks) }
        : { type, confirmation_url: PAGE };
    const payment = { id, status: 'pending', paid: false, amount, metadata: json.metadata, confirmation, test: true };
    this.payments.push(payment);
    return { body: payment };
  }

  #refund(json: Record<string, unknown>): Reply {
    const refund = { id: `r${this.refunds.length + 1}`, status: 'pending', ...json };
    this.refunds.push(refund);
    return { body: refund };
  }

  #list(query: URLSearchParams): Reply {
    const from = Number(query.get('cursor') ?? 0);
    const all = this.refunds.filter((refund) => refund.payment_id === query.get('payment_id'));
    const items = all.slice(from, from + this.pageSize);
    const rest = from + items.length < all.length && { next_cursor: String(from + items.length) };
    return { body: { type: 'list', items, ...rest } };
  }
}

type Rig = WireRig<Books, YooKassaBank>;

const withBank = (work: (rig: Rig) => Promise<void>, confirmation: Confirmation = 'qr'): Promise<void> =>
  onWire(
    new Books(),
    (baseUrl, log) => new YooKassaBank({ baseUrl, shopId: '54401', secretKey: KEY, confirmation, log }),
    work,
  );
const it = each<[Rig]>(test, (run) => () => withBank(run));

const refundOf = (changes: Partial<RefundOrder> = {}): RefundOrder => partBack({ ref: { id: 'p1' }, ...changes });
it('a payment is asked for as the bank has it, and its code is shown', async ({ wire, bank, logged }) => {
  const { ref, payload } = await begun(bank);
  assert.equal(ref, { id: 'p1' });
  assert.is(payload, linkTo(codeId(1), 12_345));
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
const STATE = 'GET /payments/p1';
const roubles = (value: string, currency = 'RUB') => ({ amount: { value, currency } });
const told429 = { type: 'error', code: 'too_many_requests' };

bankContract<Books, YooKassaBank, readonly [status: string, reason?: string]>(test, {
  withBank,
  secrets: [KEY, CREDENTIALS],
  register: PAY,
  state: STATE,
  after500: 1800,
  failures: [
    [instead(202, { type: 'processing', retry_after: 700 }), 'unreachable', 700],
    [instead(202, ''), 'unreachable', 1800],
    [instead(500, { type: 'error', code: 'internal_server_error' }), 'unreachable', 1800],
    [instead(429, { ...told429, retry_after: 900 }), 'unreachable', 900],
    [instead(429, told429), 'unreachable'],
    // some of the bank's servers have answered so with HTTP 200
    [instead(200, { type: 'processing', retry_after: 1 }), 'unreachable', 1],
    [instead(401, { type: 'error', code: 'invalid_credentials', description: `${KEY} ${CREDENTIALS}` }), 'refused'],
    [instead(400, { type: 'error', code: 'invalid_request', parameter: 'amount.value' }), 'refused'],
    [instead(200, { status: 'pending' }), 'contradiction'],
  ],
  put: ({ payments }, [status, reason]) => {
    const paid = status === 'succeeded' && {
      captured_at: '2026-11-21T10:53:29.072Z',
      payment_method: {
        ...{ type: 'sbp', sbp_operation_id: '1027088AE4CB48CB81287833347A8777' },
        payer_bank_details: { bank_id: '100000000111', bic: '044525225' },
      },
      refunded_amount: roubles('23.45').amount,
    };
    Object.assign(payments.at(-1) ?? {}, { status, cancellation_details: reason && { party: 'x', reason }, ...paid });
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
  },
  untrue: [
    { id: 'p2' },
    { metadata: { order_id: 'o2' } },
    roubles('123.46'),
    roubles('12345'),
    roubles('123.45', 'USD'),
    { amount: undefined },
  ].map((fields) => [changed(fields)]),
  true: [],
  long: null,
  afterLost: 1,
  codesOf: ({ payments }) => payments.length,
  cancels: [
    [['pending'], 'not-possible'],
    [['waiting_for_capture'], 'already-paid'],
    [['succeeded'], 'already-paid'],
    [['canceled'], 'withdrawn'],
  ],
  refund: null,
  lookedUp: { asked: ['POST /refunds', instead(400, {})], look: 'GET /refunds', order: (ref) => refundOf({ ref }) },
});

it('a registration for another order, amount or currency is not believed, and one that has ended is refused', async ({
  wire,
  bank,
}) => {
  const { ref } = await begun(bank);
  wire.once(STATE, changed({ id: 'p2' }));
  await bankError('contradiction', bank.cancel(ref, patient()));
  for (const fields of [
    { amount: { value: '1.00', currency: 'RUB' } },
    { amount: { value: '123.45', currency: 'USD' } },
    { amount: undefined },
    { metadata: { order_id: 'o2' } },
    { confirmation: null },
  ]) {
    wire.once('POST /payments', changed(fields));
    await bankError('contradiction', begun(bank, sale()));
  }
  for (const fields of [{ confirmation: null }, {}]) {
    wire.once('POST /payments', changed({ status: 'canceled', ...fields }));
    await bankError('refused', begun(bank, sale()));
  }
});

it('a refusal is reported with the field that the bank names, and the same key with another body is refused', async ({
  wire,
  bank,
}) => {
  wire.once(PAY, () => error(400, 'invalid_request', { parameter: 'amount.value' }));
  const { bankCode, message } = await bankError('refused', begun(bank));
  assert.equal(
    [bankCode, message],
    ['invalid_request (amount.value)', 'the bank refused (HTTP 400: reported by the bank)'],
  );
  await begun(bank);
  await bankError('refused', begun(bank, { ...O1, amount: 1_000 }));
});

it('a code must be a link of the payment system, not a page, no matter what the bank calls it', async ({
  wire,
  bank,
}) => {
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

it('a shop without permission for codes gets the page of the bank, which is logged once, and codes are not asked for again', async ({
  wire,
  books,
  bank,
  logged,
}) => {
  books.mayQr = false;
  const { ref, payload } = await begun(bank);
  assert.equal([ref.id, payload], ['p1', PAGE]);
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

it('a page that was registered while its answer was lost is the same page again', async ({
  wire,
  books,
  bank,
  logged,
}) => {
  books.mayQr = false;
  let calls = 0;
  wire.once('POST /payments', (honest) => {
    calls += 1;
    wire.once('POST /payments', lost);
    return honest();
  });
  const { ref } = await registerWithRetries(bank, O1, () => undefined, LIMITS);
  assert.equal([calls, ref.id, books.payments.length, logged.length], [1, 'p1', 1, 1]);
});

it('a refusal of something else is none of the page', async ({ wire, bank, logged }) => {
  wire.once('POST /payments', () => error(403, 'forbidden', { parameter: 'confirmation' }));
  await bankError('refused', begun(bank));
  assert.equal([wire.asked.length, logged.length], [1, 0]);
});

test('a profile may ask for the page at once', () =>
  withBank(async ({ wire, bank, logged }) => {
    assert.is((await begun(bank)).payload, PAGE);
    assert.equal([wire.asked.length, logged.length], [1, 0]);
  }, 'redirect'));

it('nothing is sent to take an open payment back: the bank is asked whether it has been paid', async ({
  wire,
  bank,
}) => {
  const { ref } = await begun(bank);
  await bank.cancel(ref, patient());
  assert.equal(wire.calls.slice(1), [STATE]);
});

it('a refund that the bank has no more under its id is looked for in the list, and not decided where it is not there', async ({
  wire,
  books,
  bank,
}) => {
  const { bankRefundId, state } = await bank.refund(refundOf(), patient());
  assert.is(state, 'pending');
  for (const given of [bankRefundId, 'r-unknown']) {
    wire.once('GET /refunds/', instead(404, { type: 'error', code: 'not_found', parameter: 'refund_id' }));
    assert.is((await bank.refundStatus(refundOf({ bankRefundId: given }), patient())).state, 'pending');
  }
  books.refunds.length = 0;
  await bankError('contradiction', bank.refundStatus(refundOf({ bankRefundId }), patient()));
  wire.once('GET /refunds/', instead(403, { type: 'error', code: 'forbidden' }));
  await bankError('refused', bank.refundStatus(refundOf({ bankRefundId }), patient()));
});

it('a refund goes back once, also after the day in which the key is known', async ({ wire, books, bank }) => {
  await begun(bank);
  const other = { payment_id: 'p1', status: 'succeeded', amount: { value: '1.00', currency: 'RUB' } };
  books.refunds.push({ id: 'r0', ...other, metadata: { refund_id: 'refund-0' } }, { id: 'r00', ...other });
  wire.once('POST /refunds', lost);
  await bankError('unreachable', bank.refund(refundOf(), patient()));
  const { headers, json } = wire.asked.at(-1) as Asked;
  assert.is(headers['idempotence-key'], 'refund-1');
  assert.equal(json, {
    payment_id: 'p1',
    amount: { value: '23.45', currency: 'RUB' },
    metadata: { refund_id: 'refund-1' },
  });
  books.keys.clear(); // a day later
  books.pageSize = 1;
  const pending = { state: 'pending', bankRefundId: 'r3', reason: null } as const;
  assert.equal(await bank.refund(refundOf({ isRepeated: true }), patient()), pending);
  assert.is(books.refunds.length, 3);
  const refund = books.refunds[2] as Item;
  refund.status = 'succeeded';
  assert.equal(await bank.refundStatus(refundOf(), patient()), { ...pending, state: 'done' });
  assert.equal(await bank.refundStatus(refundOf({ bankRefundId: 'r3' }), patient()), { ...pending, state: 'done' });
  assert.is(wire.calls.at(-1), 'GET /refunds/r3');
  Object.assign(refund, { status: 'canceled', cancellation_details: { party: 'x', reason: 'general_decline' } });
  assert.equal(await bank.refundStatus(refundOf(), patient()), {
    ...pending,
    state: 'refused',
    reason: 'the bank canceled the refund (general_decline)',
  });
  await bankError('contradiction', bank.refundStatus(refundOf({ refundId: 'never' }), patient()));
  assert.is((await bank.findRefund(refundOf(), patient()))?.state, 'refused', 'whose answer was lost, by the list');
  assert.is(await bank.findRefund(refundOf({ refundId: 'never' }), patient()), null);
  assert.is(books.refunds.length, 3);
});

it('a refund that is refused has not gone back; a report for another payment or amount is not believed', async ({
  wire,
  books,
  bank,
}) => {
  await begun(bank);
  wire.once('POST /refunds', () => error(400, 'invalid_request', { parameter: 'amount' }));
  const { state, reason } = await bank.refund(refundOf(), patient());
  assert.is(state, 'refused');
  assert.match(reason ?? '', 'reported by the bank');
  assert.is(books.refunds.length, 0);
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
