import { generateKeyPairSync, verify } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TochkaBank, tochkaLinks, tochkaPurpose } from '../../../firmware/banks/dialects/tochka.ts';
import { TochkaClient } from '../../../firmware/banks/dialects/tochka-client.ts';
import type { PaymentMethod } from '../../../firmware/banks/method.ts';
import { registerWithRetries } from '../../../firmware/banks/registration.ts';
import { each } from '../../support.ts';
import { BankBooks, type BankRig, bankContract, onBank, paidBack } from './contract.ts';
import { bankError, begun, LIMITS, O1, partBack, patient, reportOf, sale } from './support.ts';
import { type Asked, changed, codeId, type Fault, instead, linkTo, lost, rewritten } from './wire-bank.ts';

const test = suite('tochka');

const SITE = 'tochka-site-00';
const TOKEN = 'eyJhbGciOi.token-of-the-shop';
const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });

type Rig = BankRig<TochkaBank>;
interface Way {
  readonly methods?: readonly PaymentMethod[] | null;
  readonly isTest?: boolean;
  readonly siteUid?: string;
}

const withBank = (
  work: (rig: Rig) => Promise<void>,
  { methods = null, isTest = false, siteUid = SITE }: Way = {},
): Promise<void> =>
  onBank(
    BankBooks,
    (path) => `/tochka${path}`,
    (baseUrl, _log, books) => {
      books.keys.set(SITE, KEYS.publicKey);
      const client = new TochkaClient({ baseUrl }, siteUid, TOKEN, KEYS.privateKey);
      return new TochkaBank(client, tochkaLinks(baseUrl, isTest), methods, isTest);
    },
    work,
  );
const it = each<[Rig]>(test, (run) => () => withBank(run));

const REGISTER = `POST /v1.0/sites/${SITE}/sbp/qrc`;
const CODE = `GET /v1.0/sites/${SITE}/sbp/qrc/`;
/** Of the only code, that of its payments. */
const STATE = `GET /v1.0/sites/${SITE}/sbp/qrc/`;
const REFUND = `POST /v1.0/sites/${SITE}/payments/`;
const REFUND_STATE = `GET /v1.0/sites/${SITE}/payments/`;

const error = (code: number, message: string, errorCode: string, words = 'said by the bank') => ({
  ...{ code: String(code), id: 'c397b21a', message },
  Errors: [{ errorCode, message: words, url: 'https://enter.tochka.com/uapi/pay' }],
});
const refused = (code: number, message: string, errorCode: string, words?: string): Fault =>
  instead(code, error(code, message, errorCode, words));
const NO_FEATURE = refused(403, 'OPERATION_FORBIDDEN', 'FEATURE_DISABLED_FOR_MERCHANT_SITE');

/** An answer with other fields in its `Data`. */
const data = (fields: object): Fault =>
  rewritten((body) => ({ ...body, Data: { ...(body.Data as object), ...fields } }));
type Fields = Record<string, unknown>;
/** A list of the payments by a code with other fields in each. */
const paying = (change: (payment: Fields) => object): Fault =>
  rewritten((body) => ({ ...body, Data: (body.Data as Fields[]).map((each) => ({ ...each, ...change(each) })) }));
/** A list of two payments, one of them by another code. */
const besideAnother: Fault = rewritten((body) => {
  const [own] = body.Data as Fields[];
  return { ...body, Data: [own, { ...own, paymentMethod: { ...(own?.paymentMethod as object), qrcId: codeId(9) } }] };
});
const payingBy = (fields: object): Fault =>
  paying(({ paymentMethod }) => ({ paymentMethod: { ...(paymentMethod as object), ...fields } }));
const roubles = (amount: unknown, currency = 'RUB') => ({ amount: { amount, currency } });
const status = (value: string, more: object = {}) => ({
  status: { value, changedDateTime: '2026-11-21T13:53:29+03:00', ...more },
});

const sentTo = (asked: Asked | undefined): Fields => (asked?.json?.Data ?? {}) as Fields;

const TRX = 'A12930013057370100000546241820D7';

/** Code by code: which of the payments of a list stand for a state. */
const PAYMENTS_OF: Readonly<Record<string, readonly string[]>> = {
  none: [],
  waiting: ['WAITING'],
  new: ['SOMETHING_NEW'],
  declined: ['DECLINED'],
  again: ['DECLINED', 'WAITING'],
  paid: ['COMPLETED'],
};

bankContract<BankBooks, TochkaBank, string>(test, {
  withBank,
  secrets: [TOKEN],
  register: REGISTER,
  state: STATE,
  failures: [
    [refused(500, 'INTERNAL_ERROR', 'CARD_PROCESSING_ERROR'), 'unreachable'],
    [refused(503, 'UNDERLYING_SERVICE_UNAVAILABLE', 'CONNECTION_BROKEN'), 'unreachable'],
    [refused(429, 'OPERATION_RATE_LIMIT', 'OPERATION_RATE_LIMIT'), 'unreachable'],
    [refused(423, 'OPERATION_LOCKED', 'PAYMENT_LOCKED'), 'unreachable'],
    // the bank says itself that such an answer is worth another call
    [instead(400, '<html>Bad Request</html>'), 'unreachable'],
    [instead(404, { error: 'no route' }), 'unreachable'],
    [instead(400, { code: '400', message: 'REQUEST_VALIDATION_ERROR' }), 'unreachable'],
    [instead(400, { message: 'REQUEST_VALIDATION_ERROR', Errors: [] }), 'unreachable'],
    [refused(401, 'INVALID_TOKEN', 'TOKEN_EXPIRED', TOKEN), 'refused'],
    [NO_FEATURE, 'refused'],
    [refused(404, 'ENTITY_NOT_FOUND', 'MERCHANT_SITE_NOT_FOUND'), 'refused'],
    [refused(400, 'REQUEST_VALIDATION_ERROR', 'data.amount'), 'refused'],
    [instead(200, error(400, 'REQUEST_VALIDATION_ERROR', 'data.ttl')), 'refused'],
    [instead(200, { Data: { qrcId: codeId(1) } }), 'contradiction'],
  ],
  put: ({ wire, books }, state) => {
    const { qrcId, amount } = books.last;
    const payment = (value: string) => ({
      ...{ paymentUid: `977639EE-${value}`, createdDateTime: '2026-11-21T13:53:20+03:00', isTest: false, metadata: '' },
      amount: { amount: (amount / 100).toFixed(2), currency: 'RUB' },
      refundedAmount: { amount: value === 'COMPLETED' ? '23.45' : '0.00', currency: 'RUB' },
      paymentMethod: {
        ...{ type: 'SBP', qrcId, merchantQrcId: 'o1' },
        ...(value === 'COMPLETED' && { nspkTransactionId: TRX, payerPhoneNumber: '79001112233', payerName: 'Иван И.' }),
      },
      ...status(value, value === 'DECLINED' ? { reasonCode: 'INSUFFICIENT_FUNDS' } : {}),
    });
    const payments = (PAYMENTS_OF[state] ?? []).map(payment);
    wire.always(`${STATE}${qrcId}/payments`, instead(200, { Data: payments, Links: {}, Meta: { totalPages: 1 } }));
  },
  verdicts: [
    ['none', 'pending'],
    ['waiting', 'processing'],
    ['new', 'processing'],
    ['declined', 'rejected'],
    ['again', 'processing'],
  ],
  paid: 'paid',
  accepted: {
    amounts: [12_345],
    currencies: ['RUB'],
    orderIds: ['o1'],
    trxId: TRX,
    paidAt: Date.parse('2026-11-21T10:53:29Z'),
    refunded: 2_345,
    payer: { bank: null, phone: '***2233' },
    paidBy: { method: 'sbp', word: 'SBP' },
  },
  untrue: [
    [payingBy({ qrcId: codeId(9) }), /another payment/],
    [besideAnother, /another payment/],
    [payingBy({ merchantQrcId: 'o2' }), /another order/],
    [paying(() => roubles('123.46')), /another amount/],
    [paying(() => roubles('12345')), /another amount/],
    [paying(() => roubles(undefined))],
    [paying(() => ({ amount: null }))],
    [paying(() => roubles('123.45', 'USD')), /another currency/],
    [paying(() => ({ isTest: true })), /test payment, without money/],
    [changed({ Data: {} })],
  ],
  true: [
    // none of it fails a sale that has been paid
    payingBy({ type: 'SOMETHING_NEW', qrcId: undefined, merchantQrcId: undefined }),
    payingBy({ type: undefined, nspkTransactionId: undefined, payerPhoneNumber: undefined }),
    paying(() => roubles(123.45)),
    paying(() => ({ refundedAmount: null, isTest: undefined })),
  ],
  long: null,
  afterLost: 1,
  codesOf: ({ count }) => count,
  cancels: [
    ['none', 'not-possible'],
    ['waiting', 'already-paid'],
    ['paid', 'already-paid'],
    ['declined', 'withdrawn'],
  ],
  refund: [REFUND, (ref) => partBack({ ref })],
  lookedUp: {
    asked: [REFUND, refused(400, 'REQUEST_VALIDATION_ERROR', 'data.refundUid')],
    look: REFUND_STATE,
    order: (ref) => partBack({ ref }),
  },
});

it('a code is asked for with its end, and without methods where the bank is to decide', async (rig) => {
  const { wire, books, bank } = rig;
  const { ref, payload } = await begun(bank);
  assert.equal([ref, payload], [{ id: books.last.qrcId }, books.last.link]);
  const { call, headers, json } = wire.asked[0] as Asked;
  assert.equal([call, headers.authorization], [REGISTER, `Bearer ${TOKEN}`]);
  assert.is(headers.signature, undefined, 'the bank asks for a signature of what moves money');
  assert.equal(json, {
    Data: {
      qrcType: 'DYNAMIC',
      amount: { amount: '123.45', currency: 'RUB' },
      merchantQrcId: 'o1',
      ttl: 5,
      paymentPurpose: 'Кофе и булочка',
    },
  });
  await begun(bank, sale({ amount: 10_000, purpose: null, ttl: 1440 }));
  const { amount, ttl, ...more } = sentTo(wire.asked[1]);
  assert.equal([amount, ttl], [{ amount: '100.00', currency: 'RUB' }, 1440]);
  assert.not.ok(Object.hasOwn(more, 'paymentPurpose'));
});

for (const [methods, sent, said] of [
  [['sbp'], ['SBP'], 'sbp'],
  [['digital-rouble'], ['DIGITAL_RUBLE'], 'digital-rouble'],
  [['sbp', 'digital-rouble'], ['SBP', 'DIGITAL_RUBLE'], 'sbp'],
] as const)
  test(`a profile of ${methods.join(' and ')} says so with each code, and is told what was chosen`, () =>
    withBank(
      async ({ wire, books, bank }) => {
        const { ref } = await begun(bank);
        assert.equal(sentTo(wire.asked[0]).paymentMethods, sent);
        books.payments.pay(books.last.qrcId);
        const { verdict, paidBy, trxId, payer } = await reportOf(bank, ref);
        assert.equal(
          { verdict, method: paidBy?.method, trxId },
          { verdict: 'accepted', method: said, trxId: books.last.trxId },
        );
        assert.is(payer === null, said === 'digital-rouble', 'digital roubles name no payer');
      },
      { methods },
    ));

it('each type of payment has its method, and its id of the operation', async ({ wire, books, bank }) => {
  const { ref } = await begun(bank);
  books.payments.pay(books.last.qrcId);
  for (const [type, method, id] of [
    ['SBP', 'sbp', 'nspkTransactionId'],
    ['SBP_TOKEN', 'sbp', 'nspkTransactionId'],
    ['SBP_CASH_REGISTER_QRC', 'sbp', 'nspkTransactionId'],
    ['SBP_CUSTOMER_PRESENTED_QR', 'sbp', 'nspkTransactionId'],
    ['DIGITAL_RUBLE', 'digital-rouble', 'operationId'],
    ['DIGITAL_RUBLE_CASH_REGISTER_QRC', 'digital-rouble', 'operationId'],
    ['CARD', 'card', 'rrn'],
    ['SAVED_CARD', 'card', 'rrn'],
    ['PAY_BY_A_LATER_LAW', 'unknown', 'rrn'],
  ] as const) {
    wire.once(
      STATE,
      paying(() => ({ paymentMethod: { type, [id]: '003235873473' } })),
    );
    const { verdict, paidBy, trxId } = await reportOf(bank, ref);
    assert.equal([verdict, paidBy, trxId], ['accepted', { method, word: type }, '003235873473'], type);
  }
});

it("a link of the id alone is shown where the bank names that id; its answer's amount counts", async (rig) => {
  const { wire, books, bank } = rig;
  const bare: Fault = rewritten((body) => {
    const { qrcId } = body.Data as { qrcId: string };
    return { ...body, Data: { ...(body.Data as object), payload: `https://qr.nspk.ru/${qrcId}` } };
  });
  wire.once(REGISTER, bare);
  const { ref, payload } = await begun(bank);
  const { qrcId } = books.last;
  assert.equal([ref, payload], [{ id: qrcId, link: 'no-amount' }, `https://qr.nspk.ru/${qrcId}`]);
  books.payments.pay(qrcId);
  assert.is((await reportOf(bank, ref)).verdict, 'accepted');
  wire.once(
    STATE,
    paying(() => roubles('1.00')),
  );
  await bankError('contradiction', reportOf(bank, ref));
  for (const link of [`https://qr.nspk.ru/${codeId(7)}`, linkTo(codeId(7), 12_345), 'https://platiqr.ru/?uuid=1']) {
    wire.once(REGISTER, data({ payload: link }));
    await bankError('contradiction', begun(bank, sale()));
  }
  wire.once(REGISTER, data({ qrcId: codeId(3), payload: linkTo(codeId(3), 12_345) }));
  assert.is((await begun(bank, sale())).payload, linkTo(codeId(3), 12_345));
  wire.once(REGISTER, data({ qrcId: codeId(3), payload: linkTo(codeId(3), 1) }));
  await bankError('contradiction', begun(bank, sale()));
});

it('a code of another order, or of a site of tests, is not shown', async ({ wire, bank }) => {
  for (const fields of [{ merchantQrcId: 'o2' }, { isTest: true }, { qrcId: '' }, { payload: null }]) {
    wire.once(REGISTER, data(fields));
    await bankError('contradiction', begun(bank, sale()));
  }
});

test('a profile of a site of tests takes no code that takes money', () =>
  withBank(
    async ({ wire, bank }) => {
      assert.match((await bankError('contradiction', begun(bank))).message, /payment of money .* leave out its mode/);
      wire.once(REGISTER, data({ isTest: true }));
      await begun(bank, sale());
    },
    { isTest: true },
  ));

it('a code whose answer was lost is found by our id, paid or not, and no second one is made', async (rig) => {
  const { wire, books, bank } = rig;
  wire.once(REGISTER, lost);
  const { ref } = await registerWithRetries(bank, O1, () => undefined, LIMITS);
  assert.equal([ref.id, books.count], [books.last.qrcId, 1]);
  const calls = wire.calls.map((call) => call.replace(ref.id, 'ID'));
  assert.equal(calls, [
    REGISTER,
    `${CODE}o1?qrcIdType=MERCHANT`,
    `${CODE}ID/payments?qrcIdType=NSPK&page=1`,
    `${CODE}ID?qrcIdType=NSPK`,
  ]);
  // the first call has come late: the bank refuses the second, and has the first
  await begun(bank, sale({ orderId: 'o2' }));
  const again = await begun(bank, sale({ orderId: 'o2' }));
  assert.equal([again.ref.id, books.count], [books.last.qrcId, 2]);
  assert.is(await bank.find?.({ orderId: 'o3', amount: 1 }, patient()), null);
});

it('the code of another payment is not shown in the place of one that was found', async ({ wire, books, bank }) => {
  const { ref } = await begun(bank);
  wire.once(`${CODE}${ref.id}?`, data({ qrcId: codeId(7), payload: linkTo(codeId(7), 12_345) }));
  await bankError('contradiction', bank.code(ref, O1, patient()));
  assert.equal((await bank.code(ref, O1, patient())).code?.payload, books.last.link);
});

it('the amount of an unpaid code is read from its link, as the bank says it nowhere else', async (rig) => {
  const { wire, books, bank } = rig;
  const { ref } = await begun(bank);
  assert.equal((await bank.find(O1, patient()))?.report.amounts, []);
  wire.once(`${CODE}o1`, data({ payload: linkTo(books.last.qrcId, 99_900) }));
  const found = await bank.find(O1, patient());
  assert.equal([found?.ref, found?.report.amounts], [ref, [99_900]]);
  books.payments.pay(books.last.qrcId);
  assert.equal((await bank.find(O1, patient()))?.report.amounts, [12_345]);
});

it('a customer who was declined and has paid then has paid', async ({ wire, books, bank }) => {
  const { ref } = await begun(bank);
  books.payments.decline(books.last.qrcId);
  const paid: Fault = rewritten((body) => {
    const [first] = body.Data as Fields[];
    const by = (nspkTransactionId: string) => ({ ...(first?.paymentMethod as Fields), nspkTransactionId });
    const second = { ...first, ...status('COMPLETED'), paymentUid: 'second', paymentMethod: by(TRX) };
    return { ...body, Data: [{ ...first, paymentMethod: by('declined') }, second] };
  });
  wire.always(STATE, paid);
  const report = await reportOf(bank, ref);
  assert.equal([report.verdict, report.ids, report.trxId], ['accepted', [ref.id, ref.id], TRX]);
  await bank.refund(partBack({ ref }), patient());
  assert.ok(wire.calls.includes(`${REFUND}second/refunds`), 'what is given back is the one that was paid');
});

it('a code that nobody has paid may be said to have no payment, and stays open', async ({ wire, bank }) => {
  const { ref } = await begun(bank);
  wire.once(STATE, refused(404, 'ENTITY_NOT_FOUND', 'PAYMENT_NOT_FOUND'));
  const { verdict, ids } = await reportOf(bank, ref);
  assert.equal([verdict, ids], ['pending', [ref.id]]);
  wire.once(STATE, refused(404, 'ENTITY_NOT_FOUND', 'QR_CODE_NOT_FOUND'));
  await bankError('refused', reportOf(bank, ref));
});

it('a payment on a later page counts, too', async ({ wire, books, bank }) => {
  const { ref } = await begun(bank);
  books.payments.decline(books.last.qrcId);
  const path = `${STATE}${ref.id}/payments?qrcIdType=NSPK&page=`;
  wire.always(`${path}1`, changed({ Meta: { totalPages: 2 } }));
  wire.always(
    `${path}2`,
    paying(() => status('COMPLETED')),
  );
  assert.is((await reportOf(bank, ref)).verdict, 'accepted');
});

it('what the bank has not switched on has words of its own, and is no matter of the token', async (rig) => {
  const { wire, bank } = rig;
  wire.once(REGISTER, NO_FEATURE);
  const { message, bankCode, isUnauthorized } = await bankError('refused', begun(bank));
  assert.match(message, 'the bank has not switched this on for the site: ask its manager for it (said by the bank)');
  assert.equal([bankCode, isUnauthorized], ['OPERATION_FORBIDDEN (FEATURE_DISABLED_FOR_MERCHANT_SITE)', false]);
});

test('a site that the bank does not know is no order that it does not know', () =>
  withBank(
    async ({ bank }) => {
      assert.ok((await bankError('refused', begun(bank))).isUnauthorized);
      assert.ok((await bankError('refused', bank.find(O1, patient()))).isUnauthorized);
    },
    { siteUid: 'unknown-site' },
  ));

test('the purpose is sent in the letters and signs that the bank takes', () => {
  for (const [purpose, sent] of [
    ['Кофе и булочка', 'Кофе и булочка'],
    ['Ёлка «Зелёная» — 2 шт.', 'Елка "Зеленая" - 2 шт.'],
    ['Чек №5\u00a0[1]', 'Чек №5 [1]'],
    ['Сыр \u{1F9C0} 300 г', 'Сыр  300 г'],
    ['и\u0306од', 'йод'],
    ['\u{1F9C0}', null],
    ['', null],
    [null, null],
  ] as const)
    assert.is(tochkaPurpose(purpose), sent, `${purpose}`);
});

it('a refund is signed over its bytes, and goes by the payment, part after part', async (rig) => {
  const { wire, books, bank } = rig;
  const refundOf = await paidBack(rig);
  const report = await bank.refund(refundOf(), patient());
  const { call, headers, text, json } = wire.asked.at(-1) as Asked;
  assert.is(call, `${REFUND}${books.last.bankId}/refunds`);
  assert.ok(verify('sha256', Buffer.from(text), KEYS.publicKey, Buffer.from(String(headers.signature), 'base64')));
  assert.equal(json, { Data: { refundUid: 'refund-1', amount: { amount: '23.45', currency: 'RUB' } } });
  assert.equal([report.state, report.reason], ['done', null]);
  assert.equal([report.bankRefundId, report.paidBy], ['refund-1', { method: 'sbp', word: 'SBP' }]);
  assert.match(report.trxId ?? '', /^[0-9A-F]{32}$/, 'its own operation, and not that of the payment');
  assert.is((await bank.refund(refundOf({ refundId: 'refund-2', amount: 10_000 }), patient())).state, 'done');
  assert.is(books.last.refunded, 12_345);
  const more = await bank.refund(refundOf({ refundId: 'refund-3', amount: 1 }), patient());
  assert.equal([more.state, more.reason?.includes('REFUND_AMOUNT_EXCEEDS_PAYMENT_AMOUNT')], ['refused', true]);
});

test('a refund in digital roubles says so, and names an operation of their platform', () =>
  withBank(
    async (rig) => {
      const refundOf = await paidBack(rig);
      const { paidBy, trxId } = await rig.bank.refund(refundOf(), patient());
      assert.equal(paidBy, { method: 'digital-rouble', word: 'DIGITAL_RUBLE' });
      assert.match(trxId ?? '', /^[0-9A-F]{32}$/);
    },
    { methods: ['digital-rouble'] },
  ));

it('a refund whose answer was lost is looked up, and given once, however often it is asked for', async (rig) => {
  const { wire, books, bank } = rig;
  const refundOf = await paidBack(rig);
  wire.once(REFUND, lost);
  await bankError('unreachable', bank.refund(refundOf(), patient()));
  const before = wire.calls.filter((call) => call.startsWith(REFUND)).length;
  assert.is((await bank.refund(refundOf({ isRepeated: true }), patient())).state, 'done');
  assert.is(wire.calls.filter((call) => call.startsWith(REFUND)).length, before, 'not sent again');
  assert.is((await bank.findRefund(refundOf(), patient()))?.state, 'done');
  assert.is(await bank.findRefund(refundOf({ refundId: 'never' }), patient()), null);
  await bankError('contradiction', bank.refundStatus(refundOf({ refundId: 'never' }), patient()));
  assert.is(books.last.refunded, 2_345);
});

it("of two payments by one code the ledger's is given back, wherever it stands; else none", async (rig) => {
  const { wire, books, bank } = rig;
  const refundOf = await paidBack(rig);
  const uid = books.last.bankId;
  const { trxId } = await reportOf(bank, refundOf().ref);
  const twice: Fault = rewritten((body) => {
    const [own] = body.Data as Fields[];
    const paymentMethod = { ...(own?.paymentMethod as Fields), nspkTransactionId: TRX };
    return { ...body, Data: [{ ...own, paymentUid: 'other', paymentMethod }, own] };
  });
  wire.always(STATE, twice);
  const asked = () => wire.calls.filter((call) => call.startsWith(REFUND));
  await bankError('contradiction', bank.refund(refundOf(), patient()));
  assert.equal(asked(), []);
  assert.is((await bank.refund(refundOf({ trxId }), patient())).state, 'done');
  assert.equal(asked(), [`${REFUND}${uid}/refunds`]);
});

it('two payments by one code: the report is about one, and says what was paid beyond it', async (rig) => {
  const { wire, bank } = rig;
  const refundOf = await paidBack(rig);
  assert.is((await reportOf(bank, refundOf().ref)).paidAgain, undefined);
  const listing = (...values: readonly string[]): Fault =>
    rewritten((body) => ({
      ...body,
      Data: values.map((value, n) => ({ ...(body.Data as Fields[])[0], paymentUid: `${n}`, ...status(value) })),
    }));
  for (const [values, more] of [
    [['COMPLETED', 'COMPLETED'], 12_345],
    [['DECLINED', 'COMPLETED', 'COMPLETED', 'COMPLETED'], 24_690],
    [['COMPLETED', 'DECLINED', 'WAITING'], undefined],
  ] as const) {
    wire.once(STATE, listing(...values));
    const { verdict, paidAgain } = await reportOf(bank, refundOf().ref);
    assert.equal([verdict, paidAgain], ['accepted', more], values.join());
  }
});

it('that an id is taken says nothing of the refund that has it', async (rig) => {
  const { wire, books, bank } = rig;
  const refundOf = await paidBack(rig);
  assert.is((await bank.refund(refundOf(), patient())).state, 'done');
  // the first has come later than the question for it
  wire.once(REFUND_STATE, refused(404, 'ENTITY_NOT_FOUND', 'REFUND_NOT_FOUND'));
  assert.is((await bank.refund(refundOf({ isRepeated: true }), patient())).state, 'pending');
  assert.is((await bank.refundStatus(refundOf(), patient())).state, 'done');
  assert.is(books.last.refunded, 2_345);
});

it('a refund that waits is asked about, and one that is declined says why', async (rig) => {
  const { wire, bank } = rig;
  const refundOf = await paidBack(rig);
  wire.once(REFUND, data(status('WAITING')));
  assert.is((await bank.refund(refundOf(), patient())).state, 'pending');
  wire.once(REFUND_STATE, data(status('A_NEW_STATE')));
  assert.is((await bank.refundStatus(refundOf(), patient())).state, 'pending');
  const declined = status('DECLINED', { reasonCode: 'PAYER_BANK_TIMEOUT', reasonMessage: 'Истекло время' });
  wire.once(REFUND_STATE, data({ ...declined, refundMethodResult: null }));
  assert.equal(await bank.refundStatus(refundOf(), patient()), {
    state: 'refused',
    bankRefundId: 'refund-1',
    reason: 'the bank declined the refund (PAYER_BANK_TIMEOUT: Истекло время)',
    paidBy: null,
    trxId: null,
  });
  for (const fields of [{ refundUid: 'refund-2' }, roubles('1.00'), roubles('23.45', 'USD')]) {
    wire.once(REFUND_STATE, data(fields));
    await bankError('contradiction', bank.refundStatus(refundOf(), patient()));
  }
});

it("a refund not switched on is refused in its own words; another signer's key decides nothing", async (rig) => {
  const { wire, books, bank } = rig;
  const refundOf = await paidBack(rig);
  wire.once(REFUND, NO_FEATURE);
  const { state, reason } = await bank.refund(refundOf(), patient());
  assert.is(state, 'refused');
  assert.match(reason ?? '', 'ask its manager for it');
  books.keys.set(SITE, generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey);
  const refusal = await bankError('refused', bank.refund(refundOf({ refundId: 'refund-2' }), patient()));
  assert.ok(refusal.isUnauthorized, 'nothing was done, and nothing is said of the refund');
  assert.is(books.last.refunded, 0);
});

test.run();
