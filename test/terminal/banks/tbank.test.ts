/** T-Bank over real HTTP, against a few lines that behave as the bank's own description says. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type BankRef, UNREPORTED } from '../../../firmware/banks/bank-payment.ts';
import type { RefundOrder } from '../../../firmware/banks/bank-refund.ts';
import { TBank } from '../../../firmware/banks/dialects/tbank.ts';
import { tokenOf } from '../../../firmware/banks/dialects/tbank-api.ts';
import { registerWithRetries } from '../../../firmware/banks/registration.ts';
import { TBANK_PASSWORD } from '../../banks/tbank.ts';
import { each } from '../../support.ts';
import { BankBooks, bankContract, type Ending, onBank, type WireRig } from './contract.ts';
import { bankError, LIMITS, partBack, patient, reportOf, sale } from './support.ts';
import { type Asked, changed, done, type Fault, first, instead, linkTo, lost, type Reply } from './wire-bank.ts';

const test = suite('t-bank');

const TERMINAL = 'MadeUpDEMO';
const isProcessing = (state: string) => [state, 'processing'] as const;
const DAY_MS = 86_400_000;
/** What a bank says in place of its honest answer. */
const answering = (body: unknown, status = 200, headers: Record<string, string> = {}) => instead(status, body, headers);

const WHOLE = 12_345;
const HOUR_MS = 3_600_000;

/** What the bank says of a payment in place of what it has in its books. */
interface Said {
  readonly Status?: string;
  readonly Amount?: number;
  /** Kopecks of the last refund, and why the payment system has refused it. */
  readonly last?: number;
  readonly refusal?: string;
}

interface Booked extends Said {
  readonly back?: number;
  readonly OrderId?: string;
}

class Book extends BankBooks {
  /** What a refund of its whole rest, or of a part, first reads. */
  refunding: 'at once' | 'later' = 'at once';
  readonly #said = new Map<string, Said>();

  override async answer(asked: Asked): Promise<Reply> {
    const { body } = await super.answer(asked);
    return typeof body === 'object'
      ? { body: this.#worded(asked, body as Readonly<Record<string, unknown>>) }
      : { body };
  }

  /** Of the last payment. */
  say(said: Said): void {
    const { bankId } = this.last;
    this.#said.set(bankId, { ...this.#said.get(bankId), ...said });
  }

  /** A payment in a state; what has gone back of it has really gone back. */
  book(Status: string, { back = 0, OrderId = 'order-1', Amount = WHOLE, ...said } = {} as Booked): BankRef {
    const bankId = String(700_001_000 + this.count);
    const isOpen = ['NEW', 'FORM_SHOWED'].includes(Status);
    const { qrcId } = this.payments.register(
      {
        ...{ dialect: 'tbank', merchant: TERMINAL, bankId, orderId: OrderId, amount: Amount, purpose: null },
        ...{ ttlMs: HOUR_MS, coded: Status !== 'NEW' },
      },
      (id) => linkTo(id, Amount),
    );
    if (!isOpen) this.payments.pay(qrcId);
    if (back > 0) this.refunds.refund(this.last, back, null);
    const paid = back === 0 ? 'CONFIRMED' : back === WHOLE ? 'REFUNDED' : 'PARTIAL_REFUNDED';
    this.say({ ...said, ...(!isOpen && Status !== paid && { Status }) });
    return { id: bankId, amount: String(WHOLE) };
  }

  #worded({ call, json }: Asked, body: Readonly<Record<string, unknown>>): object {
    const { last, refusal = '', ...state } = this.#said.get(String(json?.PaymentId)) ?? {};
    switch (call.slice('POST /v2/'.length)) {
      case 'GetState':
        return { ...body, ...state };
      case 'CheckOrder': {
        const { Payments = [] } = body as { Payments?: { PaymentId: string }[] };
        const said = Payments.map((each) => ({ ...each, ...this.#said.get(each.PaymentId) }));
        return { ...body, ...(Payments.length > 0 && { Payments: said }) };
      }
      case 'GetQrState': {
        const isSaid = refusal !== '' || last !== undefined;
        const about = { OrderId: 'order-1', Status: body.Status ?? 'CONFIRMED', Amount: last ?? body.Amount ?? 0 };
        const done = isSaid && { Success: true, ErrorCode: '0', ...about };
        return { ...body, ...done, ...state, QrCancelCode: refusal, QrCancelMessage: refusal && 'Отказ' };
      }
      case 'Cancel': {
        if (this.refunding === 'at once' || body.Success !== true || body.Status === 'CANCELED') return body;
        this.say({ Status: 'ASYNC_REFUNDING' });
        return { ...body, Status: 'ASYNC_REFUNDING' };
      }
      default:
        return body;
    }
  }
}

interface Rig extends WireRig<Book, TBank> {
  /** Methods that the bank was asked for, in their order. */
  methods(): string[];
}

const withBank = (work: (rig: Rig) => Promise<void>, password = TBANK_PASSWORD): Promise<void> =>
  onBank(
    Book,
    (path) => `/tbank${path}`,
    (url) => new TBank({ baseUrl: `${url}/v2/`, terminalKey: TERMINAL, password }),
    async (rig) => {
      rig.wire.isKeeping = true;
      await work({ ...rig, methods: () => rig.wire.calls.map((call) => call.slice('POST /v2/'.length)) });
    },
  );
const it = each<[Rig]>(test, (run) => () => withBank(run));

/** What the bank is believed about a payment. */
const believe = ({ bank }: Rig, ref: BankRef) => reportOf(bank, ref, { orderId: 'order-1', amount: 12_345 });

test("the token is the one of the bank's own example", () => {
  const body = {
    TerminalKey: 'MerchantTerminalKey',
    Amount: 19_200,
    OrderId: '21090',
    Description: 'Подарочная карта на 1000 рублей',
  };
  const password = 'usaf8fw8fsw21g';
  const token = '0024a00af7c350a3a67ca168ce06502aa72772456662e38696d48b56ee9c97d9';
  assert.is(tokenOf(body, password), token);
  assert.is(tokenOf({ ...body, Token: 'of a call before' }, password), token);
  assert.is.not(tokenOf({ ...body, IsRejected: true }, password), token);
});

it('a payment is registered in two steps, by the fields of the bank', async (rig) => {
  const { bank, books, wire, methods } = rig;
  const order = sale({ ttl: 15 });
  const kept: BankRef[] = [];
  const registered = await registerWithRetries(bank, order, (ref) => kept.push(ref), LIMITS);
  const { bankId: PaymentId, link } = books.last;
  assert.equal([registered.ref.id, registered.payload], [PaymentId, link]);
  // known to the ledger before its code is asked for
  assert.is(kept[0]?.id, PaymentId);
  assert.equal(methods(), ['CheckOrder', 'Init', 'GetQr']);
  const { Token: _, RedirectDueDate: due, ...sent } = wire.asked[1]?.json ?? {};
  assert.equal(sent, {
    TerminalKey: TERMINAL,
    Amount: 12_345,
    OrderId: order.orderId,
    Description: order.purpose,
    PayType: 'O',
  });
  const RedirectDueDate = String(due);
  assert.match(RedirectDueDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+03:00$/);
  assert.ok(Math.abs(Date.parse(RedirectDueDate) - Date.now() - 15 * 60_000) < 10_000, RedirectDueDate);
});

it('a payment without a purpose is sent without one; the shortest life outlives the way there', async (rig) => {
  const { bank, wire } = rig;
  await bank.begin(sale({ purpose: null, ttl: 1 }), patient());
  const body = wire.asked.at(-1)?.json ?? {};
  assert.not.ok(Object.hasOwn(body, 'Description'));
  assert.ok(Date.parse(String(body.RedirectDueDate)) > Date.now() + 60_000);
});

bankContract<Book, TBank, string>(test, {
  withBank,
  secrets: [TBANK_PASSWORD],
  register: 'POST /v2/Init',
  state: 'POST /v2/GetState',
  failures: [
    [answering({ Success: false, ErrorCode: '429' }, 429), 'unreachable'],
    [answering({ Success: false, ErrorCode: '9999', Message: 'Внутренняя ошибка' }), 'unreachable'],
    [answering({ Success: true }), 'contradiction'],
    [answering({ Success: true, ErrorCode: '0', Message: 'OK' }), 'contradiction'],
    ...[{ Amount: 12_346 }, { OrderId: 'x' }, { PaymentId: '..' }, { Amount: undefined }].map(
      (fields): Ending => [changed(fields), 'contradiction'],
    ),
  ],
  put: ({ books }, Status) => {
    if (Status === 'CONFIRMED') books.payments.pay(books.last.qrcId);
    books.say({ Status });
  },
  verdicts: [
    ...['NEW', 'FORM_SHOWED'].map((state) => [state, 'pending'] as const),
    ...['SOMETHING_NEW', 'COMPLETING_NEW', 'REVERSING', 'PARTIAL_REVERSED'].map(isProcessing),
    ...['PREAUTHORIZING', 'AUTHORIZING', '3DS_CHECKING', '3DS_CHECKED', 'PAY_CHECKING'].map(isProcessing),
    ...['AUTHORIZED', 'CONFIRMING', 'CONFIRM_CHECKING'].map(isProcessing),
    ...['REFUNDING', 'ASYNC_REFUNDING', 'PARTIAL_REFUNDED', 'REFUNDED'].map((state) => [state, 'accepted'] as const),
    ...['REJECTED', 'AUTH_FAIL', 'ATTEMPTS_EXPIRED'].map((state) => [state, 'rejected'] as const),
    ...['CANCELED', 'DEADLINE_EXPIRED', 'REVERSED'].map((state) => [state, 'canceled'] as const),
  ],
  paid: 'CONFIRMED',
  accepted: ({ last: { trxId } }) => ({
    ...{ ...UNREPORTED, amounts: [12_345], orderIds: ['o1'], trxId, isGoingBack: false },
  }),
  untrue: [
    [changed({ PaymentId: '1' }), /another payment/],
    [changed({ OrderId: 'order-2' }), /another order/],
    [
      changed({ Amount: 12_346 }),
      /another amount than 12345 kopecks \(123\.45 roubles\): 12346 kopecks \(123\.46 roubles\)/,
    ],
    [changed({ Amount: 123.45 }), /another amount/],
    [changed({ Amount: null }), /another amount/],
    [changed({ Status: 'REFUNDED', Amount: 12_346 }), /another amount/],
    [answering({ Success: true, ErrorCode: '0', Status: 'NEW' })],
  ],
  true: [changed({ Success: 'true', ErrorCode: 0 })],
  long: null,
  afterLost: 1,
  codesOf: ({ count }) => count,
  cancels: [],
  refund: ['POST /v2/Cancel', (ref) => refundOrder(ref)],
});

it('while money of a payment goes back, the amount is unknown until all of it has', async (rig) => {
  for (const [state, refunded, isGoingBack] of [
    ['CONFIRMED', null, false],
    ['PARTIAL_REFUNDED', null, false],
    ['REFUNDING', null, true],
    ['ASYNC_REFUNDING', null, true],
    ['REFUNDED', 12_345, false],
  ] as const) {
    const report = await believe(rig, rig.books.book(state));
    assert.equal([report.refunded, report.isGoingBack], [refunded, isGoingBack], state);
  }
});

it('an acceptance does without its RRN where the bank does not report it', async (rig) => {
  const ref = rig.books.book('CONFIRMED');
  for (const [answer, trxId] of [
    [answering({ Success: true, ErrorCode: '0', OrderId: 'order-1', Payments: [] }), null],
    [answering({ Success: false, ErrorCode: '9999' }), null],
    [answering('<html>', 500), null],
    [() => 'silence' as const, null],
  ] as const) {
    rig.wire.once('POST /v2/CheckOrder', answer);
    const report = await believe(rig, ref);
    assert.equal([report.verdict, report.trxId], ['accepted', trxId]);
  }
  const payment = { PaymentId: Number(ref.id), Amount: 12_345, Status: 'CONFIRMED', RRN: '42' };
  const other = { ...payment, PaymentId: '1', RRN: '41' };
  rig.wire.once('POST /v2/CheckOrder', answering({ Success: true, OrderId: 'order-1', Payments: [other, payment] }));
  assert.is((await believe(rig, ref)).trxId, '42');
  const { RRN: Rrn, ...otherwise } = payment;
  rig.wire.once(
    'POST /v2/CheckOrder',
    answering({ Success: true, OrderId: 'order-1', Payments: [{ ...otherwise, Rrn }] }),
  );
  assert.is((await believe(rig, ref)).trxId, '42', 'as the example of the bank has it');
});

it('the source of an accepted payment says how it was paid; an id of SBP does so without it', async (rig) => {
  const ref = rig.books.book('CONFIRMED');
  const state = {
    Success: true,
    ErrorCode: '0',
    PaymentId: ref.id,
    Status: 'CONFIRMED',
    Amount: WHOLE,
    OrderId: 'order-1',
  };
  const listed = { PaymentId: ref.id, Status: 'CONFIRMED', SbpPaymentId: 'A6325081000000010', RRN: '42' };
  for (const [Params, payment, paidBy] of [
    [
      [
        { Key: 'Route', Value: 'ACQ' },
        { Key: 'Source', Value: 'cards' },
      ],
      listed,
      { method: 'card', word: 'cards' },
    ],
    [[{ Key: 'Source', Value: 'DigitalSomething' }], listed, { method: 'unknown', word: 'DigitalSomething' }],
    [undefined, listed, { method: 'sbp', word: null }],
    ['nonsense', listed, { method: 'sbp', word: null }],
    [[null, { Key: 'Source', Value: 7 }], { ...listed, SbpPaymentId: undefined }, null],
  ] as const) {
    rig.wire.once('POST /v2/GetState', answering({ ...state, Params }));
    rig.wire.once('POST /v2/CheckOrder', answering({ Success: true, OrderId: 'order-1', Payments: [payment] }));
    const report = await believe(rig, ref);
    assert.equal([report.paidBy, report.trxId], [paidBy, '42'], JSON.stringify(Params));
  }
});

it('what is left of a payment after a refund is not taken for another payment', async (rig) => {
  const ref = rig.books.book('PARTIAL_REFUNDED');
  rig.books.say({ Amount: 12_000 });
  assert.is((await believe(rig, ref)).verdict, 'accepted');
});

it("of an order's payments the one that may move money is found, with its RRN; no other amount", async (rig) => {
  const { bank, books, wire } = rig;
  const order = sale({ orderId: 'order-1' });
  assert.is(await bank.find(order, patient()), null);
  for (const state of ['CANCELED', 'REJECTED', 'NEW', 'AUTHORIZING', 'CONFIRMED']) {
    const { id } = books.book(state);
    const found = await bank.find(order, patient());
    const trxId = state === 'NEW' ? null : books.last.trxId;
    assert.equal(
      { id: found?.ref.id, trxId: found?.report.trxId, orderIds: found?.report.orderIds },
      { id, trxId, orderIds: ['order-1'] },
      state,
    );
  }
  books.book('NEW', { OrderId: 'order-2', Amount: 500 });
  assert.equal((await bank.find({ ...order, orderId: 'order-2' }, patient()))?.report.amounts, [500]);
  // the bank's manual has the amount of a payment in a list as one that may be left out
  const unsaid = { PaymentId: '7', Status: 'NEW', Success: true, ErrorCode: 0 };
  const list = { Success: true, ErrorCode: '0', OrderId: 'order-1', Payments: [unsaid] };
  wire.once('POST /v2/CheckOrder', answering(list));
  assert.equal((await bank.find(order, patient()))?.report.amounts, []);
});

it('an order that a bank or its gateway cannot report for now is not unknown to the bank', async (rig) => {
  const { bank, books, wire } = rig;
  const order = sale({ orderId: 'order-1' });
  const { id } = books.book('CONFIRMED');
  for (const answer of [
    answering({ Success: false, ErrorCode: '99', Message: 'Попробуйте повторить попытку позже' }),
    answering({ Success: false, ErrorCode: '102', Message: 'Сервис временно недоступен' }),
    answering('<html>not found</html>', 404),
  ]) {
    wire.once('POST /v2/CheckOrder', answer);
    await bankError('unreachable', bank.find(order, patient()));
  }
  assert.is((await bank.find(order, patient()))?.ref.id, id);
  wire.once('POST /v2/CheckOrder', answering({ Success: false, ErrorCode: '335', Message: 'Заказ не найден' }));
  assert.is(await bank.find(order, patient()), null);
});

it('a code of another payment or order is not shown', async ({ bank, wire }) => {
  const order = sale();
  const honest = { Success: true, ErrorCode: '0', PaymentId: '7', OrderId: order.orderId, Amount: 12_345 };
  wire.once('POST /v2/GetQr', answering({ ...honest, Data: linkTo('AD1', 12_345), PaymentId: 8 }));
  await bankError('contradiction', bank.code({ id: '7' }, order, patient()));
  wire.once('POST /v2/GetQr', answering({ ...honest, Data: linkTo('AD1', 12_345), OrderId: 'x' }));
  await bankError('contradiction', bank.code({ id: '7' }, order, patient()));
  for (const OrderId of [order.orderId, undefined, null]) {
    wire.once('POST /v2/GetQr', answering({ ...honest, Data: linkTo('AD1', 12_345), OrderId }));
    assert.is((await bank.code({ id: '7' }, order, patient())).code?.payload, linkTo('AD1', 12_345));
  }
});

test('a wrong password is reported with the two fields to check, and is not in the message', () =>
  withBank(async ({ bank, books, wire }) => {
    const error = await bankError('refused', bank.begin(sale(), patient()));
    assert.is(error.bankCode, '204');
    assert.ok(error.isUnauthorized);
    assert.match(error.message, 'Неверный токен');
    assert.match(error.message, 'terminalKey and password of the bank profile do not belong together');
    assert.is(books.count, 0);
    wire.once('POST /v2/Init', answering({ Success: false, ErrorCode: 'wrong', Message: 'no', Details: 'is wrong' }));
    const refusal = await bankError('refused', bank.begin(sale(), patient()));
    assert.not.match(`${refusal.message} ${refusal.bankCode}`, 'wrong');
    assert.match(refusal.message, 'no: is <PASSWORD>');
  }, 'wrong'));

for (const days of [400, -400]) {
  it(`the code's life is counted from the bank's clock, ${days} days from the device's`, async (rig) => {
    const { bank, books, wire } = rig;
    books.ahead.ms = days * DAY_MS;
    wire.clock = Date.now() + books.ahead.ms;
    await bank.begin(sale({ ttl: 5 }), patient());
    const RedirectDueDate = String(wire.asked.at(-1)?.json?.RedirectDueDate);
    const expected = Date.now() + books.ahead.ms + 5 * 60_000;
    assert.ok(Math.abs(Date.parse(RedirectDueDate) - expected) < 10_000, RedirectDueDate);
  });
}

it("with a wrong clock and no bank's time to read, the error says what code 12 means", async (rig) => {
  const { bank, books, wire } = rig;
  books.ahead.ms = 400 * DAY_MS;
  wire.clock = Number.NaN;
  const error = await bankError('refused', bank.begin(sale(), patient()));
  assert.is(error.bankCode, '12');
  assert.match(error.message, 'Неверный параметр RedirectDueDate');
  assert.match(error.message, 'set the clock of this device');
});

it('only a payment that was not begun is cancelled; for all others nothing is sent', async (rig) => {
  const { bank, books, methods } = rig;
  for (const [states, outcome, calls] of [
    ['NEW FORM_SHOWED', 'withdrawn', ['GetState', 'Cancel']],
    ['AUTHORIZING PAY_CHECKING AUTHORIZED CONFIRMING CONFIRMED PARTIAL_REFUNDED', 'already-paid', ['GetState']],
    ['REFUNDED ASYNC_REFUNDING', 'refunded', ['GetState']],
    ['CANCELED DEADLINE_EXPIRED REJECTED', 'withdrawn', ['GetState']],
    ['SOMETHING_NEW', 'not-possible', ['GetState']],
  ] as const)
    for (const state of states.split(' ')) {
      const before = methods().length;
      assert.is(await bank.cancel(books.book(state), patient()), outcome, state);
      assert.equal(methods().slice(before), calls, state);
    }
});

test('paid between question and cancellation: refunded, and reported as refunded', async () => {
  for (const [refunding, state] of [
    ['at once', 'REFUNDED'],
    ['later', 'ASYNC_REFUNDING'],
  ] as const) {
    await withBank(async (rig) => {
      const { bank, books, wire } = rig;
      books.refunding = refunding;
      const ref = books.book('FORM_SHOWED');
      const pay = () => books.payments.pay(books.last.qrcId);
      wire.once('POST /v2/Cancel', first(pay));
      assert.is(await bank.cancel(ref, patient()), 'refunded');
      assert.equal(
        [(await bank.status(ref, patient())).isGoingBack, books.last.refunded],
        [state !== 'REFUNDED', 12_345],
      );
      assert.is((await believe(rig, ref)).verdict, 'accepted');
      // the same with its answer lost: the state shows it
      const other = books.book('FORM_SHOWED');
      wire.once('POST /v2/Cancel', first(pay, lost));
      assert.is(await bank.cancel(other, patient()), 'refunded');
    });
  }
});

for (const state of ['REVERSED', 'PARTIAL_REFUNDED', 'REFUNDING', 'REVERSING', 'PARTIAL_REVERSED']) {
  it(`a cancellation that ends in ${state} is no withdrawal`, async ({ bank, books, wire }) => {
    const ref = books.book('NEW');
    wire.once('POST /v2/Cancel', answering({ Success: true, ErrorCode: '0', PaymentId: ref.id, Status: state }));
    assert.is(await bank.cancel(ref, patient()), 'refunded');
  });
}

it('what the bank does not say of a cancellation, the state of the payment does', async (rig) => {
  const { bank, books, wire, methods } = rig;
  const cancelled = (answer: Fault, becomes: string) => {
    const ref = books.book('FORM_SHOWED');
    wire.once('POST /v2/Cancel', async (honest, asked) => {
      const reply = await answer(honest, asked);
      books.say({ Status: becomes });
      return reply;
    });
    return bank.cancel(ref, patient());
  };
  const wrongState = answering({ Success: false, ErrorCode: '8', Message: 'Неверный статус транзакции' });
  assert.is(await cancelled(lost, 'CANCELED'), 'withdrawn');
  assert.is(await cancelled(wrongState, 'CONFIRMED'), 'already-paid');
  assert.is(await cancelled(wrongState, 'AUTHORIZING'), 'already-paid');
  assert.is(await cancelled(wrongState, 'FORM_SHOWED'), 'not-possible');
  assert.is(await cancelled(wrongState, 'DEADLINE_EXPIRED'), 'withdrawn');
  assert.is(
    await cancelled(answering({ Success: true, ErrorCode: '0', PaymentId: '1', Status: 'CANCELED' }), 'NEW'),
    'not-possible',
  );
  assert.is(
    await cancelled(() => ({ body: { Success: true, PaymentId: books.last.bankId, Status: 'NEWER' } }), 'CANCELED'),
    'withdrawn',
  );
  // not heard, and still open: it may be cancelled yet
  await bankError(
    'unreachable',
    cancelled(() => 'reset', 'FORM_SHOWED'),
  );
  await bankError('unreachable', cancelled(answering({ Success: false, ErrorCode: '9999' }), 'NEW'));
  await bankError('unreachable', cancelled(answering('', 429), 'NEW'));
  assert.is(methods().filter((method) => method === 'Cancel').length, 10);
});

it('what the bank says of another payment moves no money of this one', async ({ bank, books, wire, methods }) => {
  const ref = books.book('NEW');
  const other = { Success: true, ErrorCode: '0', PaymentId: '1', OrderId: 'order-1', Amount: 12_345 };
  wire.once('POST /v2/GetState', answering({ ...other, Status: 'NEW' }));
  await bankError('contradiction', bank.cancel(ref, patient()));
  wire.once('POST /v2/GetState', answering({ ...other, Status: 'REFUNDED' }));
  const whole = refundOrder(ref, { amount: 12_345, isRepeated: true });
  await bankError('contradiction', bank.refund(whole, patient()));
  assert.equal(methods(), ['GetState', 'GetState']);
  wire.once('POST /v2/Cancel', answering({ ...other, Status: 'REFUNDED' }));
  await bankError('contradiction', bank.refund(refundOrder(ref), patient()));
});

const refundOrder = (ref: BankRef, changes: Partial<RefundOrder> = {}): RefundOrder =>
  partBack({ ref, orderId: 'order-1', ...changes });

it('a part is refunded, then the rest, and what is more than that is refused in words', async (rig) => {
  const { bank, books, methods } = rig;
  const ref = books.book('CONFIRMED');
  assert.is((await bank.refund(refundOrder(ref), patient())).state, 'done');
  const rest = { refundedBefore: 2_345, earlierAmounts: [2_345], amount: 10_000 };
  assert.is((await bank.refund(refundOrder(ref, rest), patient())).state, 'done');
  assert.is((await bank.status(ref, patient())).refunded, 12_345);
  const { state, reason } = await bank.refund(refundOrder(ref, { refundedBefore: 12_345, amount: 1 }), patient());
  assert.is(state, 'refused');
  assert.match(reason ?? '', /Неверный статус транзакции.*bank code 8/);
  assert.equal(methods().filter((method) => method === 'Cancel').length, 3);
});

it('a refused refund of maybe digital roubles names the consent that the shop may lack', async (rig) => {
  const { bank, books, wire } = rig;
  const refusedOf = async (paidBy: RefundOrder['paidBy']): Promise<string> => {
    wire.once('POST /v2/Cancel', answering({ Success: false, ErrorCode: '8', Message: 'Отказ' }));
    const order = refundOrder(books.book('CONFIRMED'), paidBy === undefined ? {} : { paidBy });
    const { state, reason } = await bank.refund(order, patient());
    assert.is(state, 'refused');
    return reason ?? '';
  };
  for (const method of ['digital-rouble', 'unknown'] as const)
    assert.match(await refusedOf({ method, word: 'X' }), /Отказ.*согласие.*«Возвраты по операциям с физлицами»/);
  for (const paidBy of [undefined, null, { method: 'sbp', word: null }, { method: 'card', word: 'cards' }] as const)
    assert.not.match(await refusedOf(paidBy), 'согласие');
});

it('a refund names the payment and an amount, and never a bank that it should go to', async ({ bank, books, wire }) => {
  await bank.refund(refundOrder(books.book('CONFIRMED')), patient());
  assert.equal(Object.keys(wire.asked.at(-1)?.json ?? {}).toSorted(), ['Amount', 'PaymentId', 'TerminalKey', 'Token']);
});

it('two states of one payment in the list of an order say nothing of it', async ({ bank, books, wire }) => {
  const { id: PaymentId } = books.book('CONFIRMED');
  const listing = (...states: readonly string[]) =>
    changed({ Payments: states.map((Status) => ({ PaymentId, Status, Amount: WHOLE, Success: true, ErrorCode: 0 })) });
  const find = () => bank.find({ orderId: 'order-1', amount: WHOLE }, patient());
  wire.once('POST /v2/CheckOrder', listing('CONFIRMED', 'REJECTED'));
  await bankError('contradiction', find());
  wire.once('POST /v2/CheckOrder', listing('CONFIRMED', 'CONFIRMED'));
  assert.is((await find())?.report.verdict, 'accepted');
});

it('words without a refusal refuse nothing: the refund may have been made', async ({ bank, books, wire }) => {
  for (const body of [{ message: 'in work' }, { description: 'in work', code: 'OK' }]) {
    wire.once('POST /v2/Cancel', done({ body }));
    const order = refundOrder(books.book('CONFIRMED'));
    const { message } = await bankError('contradiction', bank.refund(order, patient()));
    assert.match(message, 'in work');
    assert.is((await bank.refund({ ...order, isRepeated: true }, patient())).state, 'done');
    assert.is(books.last.refunded, 2_345);
  }
});

it('a refund whose answer was lost is looked for, and never made twice', async ({ bank, books, wire }) => {
  for (const amount of [2_345, 12_345]) {
    const ref = books.book('CONFIRMED');
    wire.once('POST /v2/Cancel', lost);
    const order = refundOrder(ref, { amount });
    await bankError('unreachable', bank.refund(order, patient()));
    assert.is((await bank.refund({ ...order, isRepeated: true }, patient())).state, 'done');
    assert.is((await bank.refund({ ...order, isRepeated: true }, patient())).state, 'done');
    assert.is(books.last.refunded, amount);
  }
});

it('a first refund is refused, unsent, where money has gone back: an equal sum is not ours', async (rig) => {
  const { bank, books, methods } = rig;
  for (const [amount, back] of [
    [2_345, 2_345],
    [2_345, 1_000],
    [12_345, 12_345],
    [12_345, 1_000],
    [2_345, 12_345],
  ] as const) {
    const order = refundOrder(books.book('CONFIRMED'), { amount });
    books.refunds.refund(books.last, back, null); // somebody has made it in the account at the bank
    const { state, reason } = await bank.refund(order, patient());
    assert.is(state, 'refused');
    assert.match(reason ?? '', 'look in the account at the bank');
    assert.is(books.last.refunded, back);
  }
  // one of ours came before: the last one is of a sum that none of ours has, or all has gone back
  for (const back of [1_500, 11_345]) {
    const order = refundOrder(books.book('PARTIAL_REFUNDED', { back: 1_000 }), {
      refundedBefore: 1_000,
      earlierAmounts: [1_000],
    });
    books.refunds.refund(books.last, back, null);
    assert.is((await bank.refund(order, patient())).state, 'refused');
    assert.is(books.last.refunded, 1_000 + back);
  }
  assert.not.ok(methods().includes('Cancel'));
});

it('a first refund is not sent while money is on its way that no refund of ours explains', async (rig) => {
  const { bank, books, methods } = rig;
  for (const back of [0, 1_000]) {
    const booked = books.book('ASYNC_REFUNDING', { back });
    const order = refundOrder(booked, { refundedBefore: back, earlierAmounts: back === 0 ? [] : [back] });
    assert.is((await bank.refund(order, patient())).state, 'refused', `after ${back}`);
    assert.is(books.last.refunded, back);
  }
  assert.not.ok(methods().includes('Cancel'));
});

it('a first refund waits for what the bank says has gone back: without it nothing was done', async (rig) => {
  const { bank, books, wire, methods } = rig;
  for (const refundedBefore of [0, 1_000]) {
    const booked = books.book(refundedBefore === 0 ? 'CONFIRMED' : 'PARTIAL_REFUNDED', { back: refundedBefore });
    const order = refundOrder(booked, { refundedBefore });
    wire.once('POST /v2/GetState', lost);
    const { state, reason } = await bank.refund(order, patient());
    assert.is(state, 'refused');
    assert.match(reason ?? '', 'nothing was sent');
    assert.is(books.last.refunded, refundedBefore);
  }
  assert.not.ok(methods().includes('Cancel'));
});

it('a refund of the whole payment that the bank never heard of is made by its repetition, once', async (rig) => {
  const { bank, books, wire } = rig;
  const ref = books.book('CONFIRMED');
  wire.once('POST /v2/Cancel', () => 'reset');
  const order = refundOrder(ref, { amount: 12_345 });
  await bankError('unreachable', bank.refund(order, patient()));
  assert.is((await bank.refund({ ...order, isRepeated: true }, patient())).state, 'done');
  assert.is(books.last.refunded, 12_345);
});

it('a lost part is not sent again while the payment reads as before: it may be under way', async (rig) => {
  const { bank, books, wire, methods } = rig;
  const order = refundOrder(books.book('CONFIRMED'));
  wire.once('POST /v2/Cancel', () => 'reset'); // queued: the bank makes it later
  await bankError('unreachable', bank.refund(order, patient()));
  const error = await bankError('unreachable', bank.refund({ ...order, isRepeated: true }, patient()));
  assert.match(error.message, 'look it up in the account at the bank');
  assert.is(methods().filter((method) => method === 'Cancel').length, 1);
  books.refunds.refund(books.last, 2_345, null);
  assert.is((await bank.refund({ ...order, isRepeated: true }, patient())).state, 'done');
  assert.is(books.last.refunded, 2_345);
});

it("after a lost answer an earlier refund's refusal, or the second call's, refuses nothing", async (rig) => {
  const { bank, books, wire, methods } = rig;
  const part = refundOrder(books.book('CONFIRMED', { refusal: 'I05043' }), { isRepeated: true });
  await bankError('unreachable', bank.refund(part, patient()));
  assert.not.ok(methods().includes('Cancel'));
  const whole = { ...part, amount: 12_345 };
  wire.once('POST /v2/Cancel', answering({ Success: false, ErrorCode: '8', Message: 'Неверный статус' }));
  await bankError('refused', bank.refund(whole, patient())); // thrown, not reported: it decides nothing
  assert.is((await bank.refund(whole, patient())).state, 'done');
  assert.is(books.last.refunded, 12_345);
});

it('an answer that says that more or less went back than was asked for is not believed', async (rig) => {
  const { bank, books, wire } = rig;
  for (const [answer, changes] of [
    [{ Status: 'REFUNDED' }, {}],
    [{ Status: 'REFUNDED', NewAmount: 0 }, {}],
    [{ Status: 'PARTIAL_REFUNDED', NewAmount: 0 }, {}],
    [{ Status: 'PARTIAL_REFUNDED', NewAmount: 12_345 }, {}],
    [{ Status: 'PARTIAL_REFUNDED' }, { amount: 12_345 }],
    [{ Status: 'ASYNC_REFUNDING', NewAmount: 0 }, {}],
  ] as const) {
    const ref = books.book('CONFIRMED');
    wire.once('POST /v2/Cancel', answering({ Success: true, ErrorCode: '0', PaymentId: ref.id, ...answer }));
    await bankError('contradiction', bank.refund(refundOrder(ref, changes), patient()));
  }
  for (const [answer, state] of [
    [{ Status: 'PARTIAL_REFUNDED' }, 'done'],
    [{ Status: 'PARTIAL_REFUNDED', NewAmount: '10000' }, 'done'],
    [{ Status: 'ASYNC_REFUNDING', NewAmount: 12_345 }, 'pending'],
    [{ Status: 'ASYNC_REFUNDING', NewAmount: 10_000 }, 'pending'],
  ] as const) {
    const ref = books.book('CONFIRMED');
    wire.once('POST /v2/Cancel', answering({ Success: true, ErrorCode: '0', PaymentId: ref.id, ...answer }));
    assert.is((await bank.refund(refundOrder(ref), patient())).state, state);
  }
});

it('where no state shows which refund was made, nothing is sent and nothing is claimed', async (rig) => {
  const { bank, books, methods } = rig;
  for (const [state, back, changes] of [
    ['PARTIAL_REFUNDED', 4_690, { refundedBefore: 2_345 }],
    ['PARTIAL_REFUNDED', 2_345, { refundedBefore: 2_345 }],
    ['CONFIRMED', 0, { refundedBefore: 2_345 }],
    ['PARTIAL_REFUNDED', 1_000, {}],
    ['REFUNDED', 12_345, {}],
    ['SOMETHING_NEW', 0, {}],
  ] as const) {
    const order = refundOrder(books.book(state, { back }), { isRepeated: true, ...changes });
    const error = await bankError('unreachable', bank.refund(order, patient()));
    assert.match(error.message, 'look it up in the account at the bank');
    assert.is(books.last.refunded, back);
  }
  // `GetQrState` may speak of an earlier one that the payment system refused: a payment that reads as whole is none
  const whole = refundOrder(books.book('CONFIRMED', { back: 2_345 }), { isRepeated: true });
  await bankError('unreachable', bank.refund(whole, patient()));
  assert.not.ok(methods().includes('Cancel'));
  const rest = refundOrder(books.book('REFUNDED', { back: 12_345 }), {
    ...{ isRepeated: true, refundedBefore: 2_345, amount: 10_000 },
  });
  assert.is((await bank.refund(rest, patient())).state, 'done');
});

it('a refund under way is asked about until the payment system has made or refused it', async ({ bank, books }) => {
  books.refunding = 'later';
  for (const [end, refusal, changes, state] of [
    ['REFUNDED', '', { amount: 12_345 }, 'done'],
    ['PARTIAL_REFUNDED', '', {}, 'done'],
    ['CONFIRMED', 'I05043', {}, 'refused'],
    ['CONFIRMED', '', {}, 'pending'],
    // refused once, and made after that
    ['PARTIAL_REFUNDED', 'I05043', {}, 'done'],
    ['PARTIAL_REFUNDED', 'I05043', { refundedBefore: 1_000, amount: 11_345 }, 'refused'],
    ['PARTIAL_REFUNDED', '', { refundedBefore: 1_000, amount: 11_345 }, 'pending'],
  ] as const) {
    const back = 'refundedBefore' in changes ? changes.refundedBefore : 0;
    const order = refundOrder(books.book('CONFIRMED', { back }), changes);
    assert.is((await bank.refund(order, patient())).state, 'pending');
    assert.is((await bank.refund({ ...order, isRepeated: true }, patient())).state, 'pending');
    assert.is((await bank.refundStatus(order, patient())).state, 'pending');
    books.say({ Status: end, refusal });
    const report = await bank.refundStatus(order, patient());
    assert.equal([report.state, report.reason], [state, state === 'refused' ? 'Отказ (I05043)' : null], end);
  }
  const other = refundOrder(books.book('REFUNDED', { back: 12_345 }), { orderId: 'order-2' });
  await bankError('contradiction', bank.refundStatus(other, patient()));
});

it('a refusal or an end that may be of an earlier refund is not taken for that of this one', async (rig) => {
  const { bank, books } = rig;
  const before = { refundedBefore: 1_000 };
  for (const [state, last, refusal, changes, expected] of [
    ['CONFIRMED', 3_000, 'I05043', { refusedAmounts: [3_000] }, 'still reports an earlier refund'],
    ['CONFIRMED', 3_000, 'I05043', {}, 'still reports an earlier refund'],
    ['CONFIRMED', 2_345, 'I05043', { refusedAmounts: [3_000] }, 'refused'],
    ['CONFIRMED', 2_345, 'I05043', { refusedAmounts: [3_000, 2_345] }, 'may be of an earlier refund'],
    ['CONFIRMED', 2_345, '', { refusedAmounts: [2_345] }, 'pending'],
    ['PARTIAL_REFUNDED', 3_000, 'I05043', { ...before, refusedAmounts: [3_000] }, 'still reports an earlier refund'],
    ['PARTIAL_REFUNDED', 2_345, 'I05043', { ...before, refusedAmounts: [3_000] }, 'refused'],
    ['PARTIAL_REFUNDED', 1_000, '', before, 'still reports an earlier refund'],
    ['PARTIAL_REFUNDED', 1_000, '', {}, 'reports another refund'], // made in the account at the bank
    ['PARTIAL_REFUNDED', 2_345, '', before, 'done'],
    ['PARTIAL_REFUNDED', 2_345, '', { refusedAmounts: [2_345] }, 'done'],
  ] as const) {
    const order = refundOrder(books.book(state, { back: 1, last, refusal }), changes);
    const report = await bank.refundStatus(order, patient()).catch((error: Error) => error);
    if ('state' in report) assert.is(report.state, expected, `${state} ${last} ${refusal}`);
    else assert.match(report.message, expected, `${state} ${last} ${refusal}`);
  }
  const other = refundOrder(books.book('CONFIRMED', { last: 3_000, refusal: 'I05043' }));
  const { message } = await bankError('unreachable', bank.refundStatus(other, patient()));
  assert.match(message, 'look up in the account at the bank what became of this one');
});

it('a refusal without an amount is of this refund only where no other was refused', async ({ bank, books, wire }) => {
  const order = refundOrder(books.book('CONFIRMED'));
  const answer = { Success: true, ErrorCode: '0', Status: 'CONFIRMED', OrderId: 'order-1', QrCancelCode: 'I05043' };
  wire.once('POST /v2/GetQrState', answering(answer));
  assert.is((await bank.refundStatus(order, patient())).state, 'refused');
  wire.once('POST /v2/GetQrState', answering(answer));
  await bankError('unreachable', bank.refundStatus({ ...order, refusedAmounts: [1] }, patient()));
});

it('a refusal is reported in the words of the bank, however it writes booleans and codes', async (rig) => {
  const ref = rig.books.book('CONFIRMED');
  rig.wire.once(
    'POST /v2/GetState',
    answering({
      Success: false,
      ErrorCode: '9999',
      Message: 'Неверные параметры.',
      Details: 'Транзакция не найдена.',
    }),
  );
  assert.match((await bankError('refused', believe(rig, ref))).message, 'Неверные параметры.: Транзакция не найдена.');
  for (const answer of [{ Success: 'false' }, { Success: true, ErrorCode: 7 }, { Success: false, ErrorCode: '0' }]) {
    rig.wire.once('POST /v2/GetState', changed(answer));
    await bankError('refused', believe(rig, ref));
  }
});

it('ids of twenty digits that come as numbers are kept digit by digit, and stay distinct', async (rig) => {
  const long = '12345678901234567890';
  const asNumbers: Fault = async (honest) => {
    const text = JSON.stringify((await honest()).body);
    return { body: text.replaceAll(/"PaymentId":"?(\d+)"?/g, `"PaymentId":${long}`) };
  };
  const state = (id: string) =>
    `{"Success":true,"ErrorCode":"0","Status":"NEW","OrderId":"order-1","Amount":12345,"PaymentId":${id}}`;
  rig.wire.once('POST /v2/Init', asNumbers);
  const order = sale({ orderId: 'order-1' });
  const { ref } = await rig.bank.begin(order, patient());
  assert.is(ref.id, long);
  rig.wire.once('POST /v2/GetState', () => ({ body: state(long) }));
  assert.is((await believe(rig, ref)).verdict, 'pending');
  rig.wire.once('POST /v2/GetState', () => ({ body: state('12345678901234567891') }));
  await bankError('contradiction', believe(rig, ref));
  for (const written of ['1.2345678901234567e19', '-12345678901234567890', '12345678901234567890.5']) {
    rig.wire.once('POST /v2/Init', async (honest) => ({
      body: JSON.stringify((await honest()).body).replace(/"PaymentId":"\d+"/, `"PaymentId":${written}`),
    }));
    const begun = await rig.bank.begin(order, patient()).then(
      ({ ref: { id } }) => id,
      () => 'refused',
    );
    assert.ok(begun === 'refused' || begun === written, begun);
  }
});

test.run();
