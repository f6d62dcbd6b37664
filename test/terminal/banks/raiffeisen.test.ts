import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BankRef } from '../../../firmware/banks/bank-payment.ts';
import type { RefundOrder } from '../../../firmware/banks/bank-refund.ts';
import { RaiffeisenBank } from '../../../firmware/banks/dialects/raiffeisen.ts';
import { intendedRef } from '../../../firmware/banks/dialects/raiffeisen-cash-link-orders.ts';
import { each } from '../../support.ts';
import { BankBooks, type BankRig, bankContract, onBank } from './contract.ts';
import { bankError, begun, O1, partBack, patient, reportOf, sale } from './support.ts';
import {
  type Asked,
  changed,
  codeId,
  honestly,
  instead,
  LONG_NUMBER,
  linkTo,
  lost,
  rewritten,
  withNumbers,
} from './wire-bank.ts';

const test = suite('raiffeisenbank');

const KEY = 'secret-key-of-the-shop';

type Rig = BankRig<RaiffeisenBank>;

const withBank = (work: (rig: Rig) => Promise<void>, account?: string): Promise<void> =>
  onBank(
    BankBooks,
    (path) => `/raif${path}`,
    (baseUrl) => {
      const options = { baseUrl, sbpMerchantId: 'MA0000000552', secretKey: KEY };
      return new RaiffeisenBank({ ...options, ...(account !== undefined && { account }) });
    },
    work,
  );
const it = each<[Rig]>(test, (run) => () => withBank(run));

const refundOf = (ref: BankRef, changes: Partial<RefundOrder> = {}): RefundOrder =>
  partBack({ ref, trxId: '23', refundId: 'r1', ...changes });
/** A code that has been paid. */
async function paid({ bank, books }: Rig): Promise<BankRef> {
  const { ref } = await begun(bank);
  books.payments.pay(ref.id);
  return ref;
}
const refundsOf = (books: BankBooks): string[] => books.refunds.of(books.last.qrcId).map(({ refundId }) => refundId);
/** Has the bank and its answers live at another time than this device. */
function liveAt({ wire, books }: Pick<Rig, 'wire' | 'books'>, time: string): void {
  wire.clock = Date.parse(time);
  books.ahead.ms = wire.clock - Date.now();
}

test('a registration has the fields and units of the bank, and ends by the clock of the bank', () =>
  withBank(async ({ wire, books, bank }) => {
    liveAt({ wire, books }, '2031-02-03T21:59:30Z'); // the device is years behind
    const { ref, payload } = await begun(bank, { ...O1, amount: 111_010, ttl: 15 });
    assert.equal(ref, { id: books.last.qrcId, kind: 'code' });
    assert.is(payload, books.last.link);
    const { call, headers, text, json } = wire.asked.at(-1) as Asked;
    assert.is(call, 'POST /api/sbp/v2/qrs');
    assert.is(headers.authorization, `Bearer ${KEY}`);
    assert.equal(json, {
      qrType: 'QRDynamic',
      amount: 1110.1,
      currency: 'RUB',
      order: 'o1',
      sbpMerchantId: 'MA0000000552',
      account: '40700000000000000000',
      additionalInfo: 'Кофе и булочка',
      paymentDetails: 'Кофе и булочка',
      qrExpirationDate: '2031-02-04T01:14:30+03:00',
    });
    assert.match(text, '"amount":1110.1,');
    wire.once(QRS, changed({ qrStatus: undefined }));
    await begun(bank, sale({ amount: 1, purpose: null }));
    assert.match(wire.asked.at(-1)?.text ?? '', '"amount":0.01,');
    assert.not.ok(Object.hasOwn(wire.asked.at(-1)?.json as object, 'paymentDetails'));
  }, '40700000000000000000'));

it('a time of the bank that no clock shows is none: the own clock is taken', async ({ wire, books, bank }) => {
  for (const time of ['1970-01-01', '2019-12-31T23:59:59Z', '2101-01-01', '+275760-09-13']) {
    wire.clock = Date.parse(time);
    await begun(bank, sale());
    const end = Date.parse(String(wire.asked.at(-1)?.json?.qrExpirationDate));
    assert.ok(Math.abs(end - Date.now() - 5 * 60_000) < 60_000, `${time}: ${new Date(end).toISOString()}`);
  }
  liveAt({ wire, books }, '2100-12-31T23:00:00Z');
  await begun(bank, sale());
  await begun(bank, sale());
  assert.match(String(wire.asked.at(-1)?.json?.qrExpirationDate), /^2101-01-01T02:0/);
});

const INFO = 'GET /api/sbp/v1/qr/';
const QRS = 'POST /api/sbp/v2/qrs';
const REFUND = 'POST /api/sbp/v1/refund';
const ORDERS = 'GET /api/payment/v1/orders/';
const TRANSACTION = { transactionId: 23, transactionDate: '2026-07-11T17:45:13.109227+03:00' };

bankContract<BankBooks, RaiffeisenBank, readonly [status: string, payment: string]>(test, {
  withBank,
  secrets: [KEY],
  register: QRS,
  state: INFO,
  failures: [
    // the bank's own test data: an error with HTTP 200
    [instead(200, { code: 'ERROR.DYNAMIC_QR_WITHOUT_AMOUNT', message: `no ${KEY}` }), 'refused'],
    [instead(200, { code: 'BAD_MESSAGE' }), 'refused'],
    [instead(400, { code: 'SUCCESS' }), 'refused'],
    [instead(200, { qrId: codeId(1) }), 'contradiction'],
    [instead(200, { code: 'SUCCESS', message: 'it is done' }), 'contradiction'],
    [instead(200, { qrId: codeId(1), payload: linkTo(codeId(1), 1) }), 'contradiction'],
    [instead(200, { qrId: codeId(1), payload: linkTo(codeId(2), 12_345) }), 'contradiction'],
    [changed({ qrStatus: 'EXPIRED' }), 'contradiction'],
    [changed({ qrStatus: 'CANCELLED' }), 'contradiction'],
  ],
  put: ({ wire, books: { payments, last } }, [qrStatus, paymentStatus]) => {
    if (qrStatus !== 'NEW') payments.cancel(last.qrcId); // it cannot be taken back any more
    wire.always('GET /api/sbp/v2/qrs/', qrStatus === 'NEW' ? honestly : changed({ qrStatus }));
    wire.always(INFO, changed({ paymentStatus, ...(paymentStatus === 'SUCCESS' && TRANSACTION) }));
  },
  verdicts: [
    [['NEW', 'NO_INFO'], 'pending'],
    [['IN_PROGRESS', 'NO_INFO'], 'processing'],
    [['IN_PROGRESS', 'IN_PROGRESS'], 'processing'],
    [['PAID', 'NO_INFO'], 'processing'],
    [['PAID', 'DECLINED'], 'rejected'],
    [['EXPIRED', 'NO_INFO'], 'canceled'],
    [['EXPIRED', 'SETTLED'], 'processing'],
    [['SOMETHING_NEW', 'NO_INFO'], 'processing'],
  ],
  paid: ['PAID', 'SUCCESS'],
  accepted: {
    amounts: [12_345],
    currencies: ['RUB'],
    orderIds: ['o1'],
    trxId: '23',
    paidAt: Date.parse('2026-07-11T14:45:13.109Z'),
    refunded: null,
    payer: null,
    paidBy: null,
  },
  untrue: [
    ...[123.46, '1', 12_345, 123.454, null, undefined].map((amount) => [changed({ amount })] as const),
    [changed({ order: 'o2' })],
    [changed({ qrId: codeId(2) })],
    [changed({ qrId: null })],
    [changed({ currency: 'USD' })],
  ],
  true: [changed({ amount: '123.450' })],
  long: withNumbers((body) => ({ ...body, transactionId: `#${LONG_NUMBER}` })),
  afterLost: 2,
  codesOf: ({ count }) => count,
  cancels: [
    [['NEW', 'NO_INFO'], 'withdrawn'],
    [['EXPIRED', 'NO_INFO'], 'withdrawn'],
    [['PAID', 'SUCCESS'], 'already-paid'],
    [['PAID', 'NO_INFO'], 'already-paid'],
    [['IN_PROGRESS', 'IN_PROGRESS'], 'already-paid'],
    [['SOMETHING_NEW', 'NO_INFO'], 'already-paid'],
  ],
  refund: [REFUND, (ref) => refundOf(ref)],
  lookedUp: {
    asked: [REFUND, instead(400, {})],
    look: 'GET /api/sbp/v1/refund',
    order: (ref) => refundOf(ref),
  },
});

it('an answer about another order or code, before anything is paid, is not believed', async ({ wire, bank }) => {
  const { ref } = await begun(bank);
  for (const [call, fields] of [
    [INFO, { amount: 1 }],
    [INFO, { order: 'o2' }],
    [INFO, { qrId: codeId(2) }],
    ['GET /api/sbp/v2/qrs/', { qrId: codeId(2) }],
  ] as const) {
    wire.once(call, changed(fields));
    await bankError('contradiction', reportOf(bank, ref));
  }
});

it('a payment that comes between the two questions is not taken for a code that has expired', async (rig) => {
  const { wire, books, bank } = rig;
  const { ref } = await begun(bank);
  wire.once(`GET /api/sbp/v2/qrs/${ref.id}`, () => {
    books.payments.pay(ref.id);
    return { body: { qrId: ref.id, qrStatus: 'EXPIRED' } };
  });
  assert.is((await reportOf(bank, ref)).verdict, 'accepted');
});

it('a bank that says of an unpaid code that it has no payment is understood', async ({ wire, bank }) => {
  const { ref } = await begun(bank);
  wire.once('GET /api/sbp/v1/qr/', instead(400, { code: 'ERROR.NOT_FOUND', message: 'QR не был оплачен' }));
  assert.is((await reportOf(bank, ref)).verdict, 'pending');
  const error = await bankError('refused', bank.status({ id: codeId(9), kind: 'code' }, patient()));
  assert.is(error.bankCode, 'ERROR.NOT_FOUND');
});

it('an order that has been paid already is reported as a duplicate', async (rig) => {
  await paid(rig);
  const error = await bankError('refused', begun(rig.bank));
  assert.ok(error.isDuplicate);
  assert.is(error.bankCode, 'ERROR.ORDER_NUMBER_ALREADY_REGISTERED');
});

it('an open code is withdrawn, also when the answer is lost', async ({ wire, books, bank }) => {
  const { ref } = await begun(bank);
  wire.once('DELETE', lost);
  await bankError('unreachable', bank.cancel(ref, patient()));
  assert.is(books.last.state, 'cancelled');
  assert.is(await bank.cancel(ref, patient()), 'withdrawn');
  await bankError('refused', bank.cancel({ id: codeId(9), kind: 'code' }, patient()));
});

it('an answer to a cancellation does not make it withdrawn: the state decides', async ({ wire, books, bank }) => {
  const { ref } = await begun(bank);
  const { id: linkId } = await bank.cashLinks.create('x', patient());
  const onLink = await bank.cashLinks.activate(linkId, sale({ orderId: 'o2' }), patient());
  const silent = [{ body: {} }, { body: { status: 'ok' } }, { body: { code: 'SUCCESS' } }, {}, { status: 204 }];
  for (const reply of silent) {
    for (const each of [ref, onLink]) {
      wire.once('DELETE', () => reply);
      assert.is(await bank.cancel(each, patient()), 'not-possible', JSON.stringify(reply));
    }
  }
  for (const [each, path, changes] of [
    [ref, `GET /api/sbp/v2/qrs/${ref.id}`, { qrId: codeId(9), qrStatus: 'CANCELLED' }],
    [ref, `GET /api/sbp/v1/qr/${ref.id}`, { qrId: codeId(9), paymentStatus: 'DECLINED' }],
    [ref, `GET /api/sbp/v1/qr/${ref.id}`, { qrId: undefined, paymentStatus: 'DECLINED' }],
    [onLink, 'GET /api/payment/v1/orders/o2', { id: 'o9', status: { value: 'CANCELLED' } }],
  ] as const) {
    wire.once('DELETE', () => ({}));
    wire.once(path, changed(changes));
    await bankError('contradiction', bank.cancel(each, patient()));
  }
  for (const { id } of [ref, onLink]) books.payments.pay(books.payments.named(id).qrcId);
  for (const each of [ref, onLink]) {
    wire.once('DELETE', () => ({}));
    assert.is(await bank.cancel(each, patient()), 'already-paid');
  }
});

it('a refund goes back once, however often it is asked for and whichever answer is lost', async (rig) => {
  const { wire, books, bank } = rig;
  const ref = await paid(rig);
  wire.once(REFUND, lost);
  await bankError('unreachable', bank.refund(refundOf(ref), patient()));
  const done = { state: 'done', bankRefundId: 'r1', reason: null } as const;
  assert.equal(await bank.refund(refundOf(ref, { isRepeated: true }), patient()), done);
  assert.equal(wire.calls.filter((call) => call === REFUND).length, 1);
  // a device that does not know that it has asked before: the bank refuses, and is asked what it has
  wire.once(REFUND, instead(400, { code: 'ERROR.REFUND_ALREADY_EXISTS', message: 'again' }));
  assert.equal(await bank.refund(refundOf(ref), patient()), done);
  assert.equal(wire.asked.find(({ call }) => call === REFUND)?.json, { amount: 23.45, order: 'o1', refundId: 'r1' });
  assert.equal(await bank.findRefund(refundOf(ref), patient()), done);
  assert.is(await bank.findRefund(refundOf(ref, { refundId: 'never' }), patient()), null);
  wire.once('GET /api/sbp/v1/refund', changed({ refundStatus: 'IN_PROGRESS' }));
  assert.equal(await bank.refundStatus(refundOf(ref), patient()), { ...done, state: 'pending' });
  wire.once('GET /api/sbp/v1/refund', changed({ refundStatus: 'DECLINED' }));
  const declined = { ...done, state: 'refused', reason: 'the bank declined the refund' };
  assert.equal(await bank.refundStatus(refundOf(ref), patient()), declined);
  assert.equal(refundsOf(books), ['r1']);
});

it('a repeated refund that is refused and not there is not refused: the first may be under way', async (rig) => {
  const { wire, books, bank } = rig;
  const ref = await paid(rig);
  wire.once(REFUND, instead(400, { code: 'ERROR.REFUND_INSUFFICIENT_FUNDS', message: 'more than was paid' }));
  await bankError('refused', bank.refund(refundOf(ref, { isRepeated: true }), patient()));
  assert.equal(refundsOf(books), []);
  assert.is((await bank.refund(refundOf(ref, { isRepeated: true }), patient())).state, 'pending');
});

for (const code of ['ERROR.NOT_FOUND', 'ERROR.REFUND_NOT_FOUND']) {
  it(`a lost refund unknown to the bank (${code}) is asked for again by its id`, async (rig) => {
    const { wire, books, bank } = rig;
    const ref = await paid(rig);
    wire.once(REFUND, () => 'reset');
    await bankError('unreachable', bank.refund(refundOf(ref), patient()));
    wire.once('GET /api/sbp/v1/refund', instead(404, { code, message: 'not found' }));
    assert.is((await bank.refund(refundOf(ref, { isRepeated: true }), patient())).state, 'pending');
    assert.equal(refundsOf(books), ['r1']);
    // one that the bank has taken, and lacks later, is not decided by that
    wire.once('GET /api/sbp/v1/refund', instead(404, { code, message: 'not found' }));
    await bankError('refused', bank.refundStatus(refundOf(ref, { bankRefundId: 'r1' }), patient()));
  });
}

it('a refund that the bank refuses has not gone back; one of another amount is not believed', async (rig) => {
  const { wire, bank } = rig;
  const ref = await paid(rig);
  wire.once('POST', instead(400, { code: 'ERROR.REFUND_INSUFFICIENT_FUNDS', message: 'more than was paid' }));
  assert.equal(await bank.refund(refundOf(ref), patient()), {
    state: 'refused',
    bankRefundId: null,
    reason: 'the bank refused (HTTP 400: more than was paid) (bank code ERROR.REFUND_INSUFFICIENT_FUNDS)',
  });
  // a key that the bank does not take is no word of the refund: it is not looked for with the same
  wire.once('POST', instead(401, {}));
  assert.ok((await bankError('refused', bank.refund(refundOf(ref), patient()))).isUnauthorized);
  wire.once('POST', changed({ amount: 1 }));
  await bankError('contradiction', bank.refund(refundOf(ref), patient()));
  assert.is((await bank.refund(refundOf(ref, { refundId: 'r2', isRepeated: true }), patient())).state, 'pending');
});

test('a cash link is made once, and a sale is put on it, followed, and taken off', () =>
  withBank(async ({ wire, books, bank }) => {
    liveAt({ wire, books }, '2031-02-03T10:00:00Z');
    const link = await bank.cashLinks.create('касса 3', patient());
    assert.equal(wire.asked.at(-1)?.json, {
      qrType: 'QRVariable',
      sbpMerchantId: 'MA0000000552',
      account: '4070',
      qrDescription: 'касса 3',
    });
    const ref = await bank.cashLinks.activate(link.id, { ...O1, ttl: 5 }, patient());
    assert.equal(ref, { id: 'o1', kind: 'order', linkId: link.id });
    const { call, json } = wire.asked.at(-1) as Asked;
    assert.is(call, 'POST /api/payment/v1/orders');
    const qr = { id: link.id, additionalInfo: 'Кофе и булочка', paymentDetails: 'Кофе и булочка' };
    assert.equal({ ...json, expirationDate: '' }, { id: 'o1', amount: 123.45, qr, expirationDate: '' });
    assert.match(String(json?.expirationDate), /^2031-02-03T13:05:.*\+03:00$/);
    assert.is((await reportOf(bank, ref)).verdict, 'pending');
    const state = (value: string) =>
      rewritten((body) => ({ ...body, status: { value, date: '2026-12-24T11:15:22.000Z' } }));
    for (const [status, verdict, outcome] of [
      ['PAID', 'accepted', 'already-paid'],
      ['EXPIRED', 'canceled', 'withdrawn'],
      ['SOMETHING_NEW', 'processing', 'already-paid'],
    ] as const) {
      wire.always(ORDERS, state(status));
      assert.is((await reportOf(bank, ref)).verdict, verdict);
      wire.once('DELETE', instead(400, { code: 'ERROR.ORDER_HAS_FINAL_STATUS', message: 'ended' }));
      assert.is(await bank.cancel(ref, patient()), outcome);
    }
    wire.always(ORDERS, state('PAID'));
    for (const amount of [null, undefined]) {
      wire.once('GET /api/payment/v1/orders/o1', changed({ amount }));
      await bankError('contradiction', reportOf(bank, ref));
    }
    assert.is((await reportOf(bank, ref)).paidAt, Date.parse('2026-12-24T11:15:22Z'));
    wire.always(ORDERS, honestly);
    assert.is(await bank.cancel(ref, patient()), 'withdrawn');
    assert.is(books.last.state, 'cancelled');
    assert.is((await bankError('refused', bank.status({ ...ref, id: 'o9' }, patient()))).isUnheardOf, false);
  }, '4070'));

it('an order that the bank never confirmed is unheard of; one that it refuses to report is not', async (rig) => {
  const { wire, bank } = rig;
  const { id: linkId } = await bank.cashLinks.create('x', patient());
  const ref = intendedRef('o1', linkId);
  for (const call of [bank.status(ref, patient()), bank.cancel(ref, patient())]) {
    const { isUnheardOf, bankCode } = await bankError('refused', call);
    assert.equal([isUnheardOf, bankCode], [true, 'ORDER_NOT_FOUND']);
  }
  wire.once('GET /api/payment/v1/orders/o1', instead(404, { code: 'ERROR.NOT_FOUND', message: 'no such path' }));
  assert.is((await bankError('refused', bank.status(ref, patient()))).isUnheardOf, false);
  await bank.cashLinks.activate(linkId, O1, patient());
  assert.is((await reportOf(bank, ref)).verdict, 'pending');
  // the bank's own reason not to cancel is reported, and says nothing about the state
  wire.once('DELETE', instead(400, { code: 'ERROR.NOT_NOW', message: 'later' }));
  assert.is((await bankError('refused', bank.cancel(ref, patient()))).bankCode, 'ERROR.NOT_NOW');
});

it('a sale whose answer was lost is found on the link; another sale, or link, is none of ours', async (rig) => {
  const { wire, books, bank } = rig;
  const { id: linkId } = await bank.cashLinks.create('x', patient());
  wire.once('POST /api/payment/v1/orders', lost);
  await bankError('unreachable', bank.cashLinks.activate(linkId, O1, patient()));
  assert.is((await bank.cashLinks.activate(linkId, O1, patient())).id, 'o1');
  assert.is(books.count, 1);
  // the same id for another amount, and one that has ended
  await bankError('contradiction', bank.cashLinks.activate(linkId, { ...O1, amount: 1 }, patient()));
  books.payments.cancel(books.last.qrcId);
  await bankError('refused', bank.cashLinks.activate(linkId, O1, patient()));
  wire.once('POST /api/payment/v1/orders', instead(400, { code: 'ERROR.LINK_IS_BUSY', message: 'busy' }));
  const busy = await bankError('refused', bank.cashLinks.activate(linkId, sale(), patient()));
  assert.is(busy.bankCode, 'ERROR.LINK_IS_BUSY');
  wire.once('POST /api/payment/v1/orders', changed({ qr: { id: 'other' } }));
  await bankError('contradiction', bank.cashLinks.activate(linkId, sale(), patient()));
  for (const fields of [{ id: 'other' }, { amount: 7.77 }, { amount: 'much' }]) {
    wire.once('POST /api/payment/v1/orders', changed(fields));
    await bankError('contradiction', bank.cashLinks.activate(linkId, sale(), patient()));
  }
  for (const amount of [null, undefined]) {
    wire.once('POST /api/payment/v1/orders', changed({ amount }));
    await bank.cashLinks.activate(linkId, sale(), patient());
  }
  const ref = { id: 'o1', kind: 'order', linkId };
  wire.once('GET /api/payment/v1/orders/o1', changed({ qr: { id: 'other' } }));
  await bankError('contradiction', bank.status(ref, patient()));
  wire.once('GET /api/payment/v1/orders/o1', changed({ amount: 1 }));
  await bankError('contradiction', reportOf(bank, ref));
});

it('a sale on a cash link is refunded by its own path, once', async ({ wire, books, bank }) => {
  const { id: linkId } = await bank.cashLinks.create('x', patient());
  const ref = await bank.cashLinks.activate(linkId, O1, patient());
  books.payments.pay(books.last.qrcId);
  const before = wire.calls.length;
  wire.once('POST', lost);
  await bankError('unreachable', bank.refund(refundOf(ref), patient()));
  assert.is((await bank.refund(refundOf(ref, { isRepeated: true }), patient())).state, 'done');
  const path = '/api/payments/v1/orders/o1/refunds/r1';
  assert.equal(wire.calls.slice(before), [`POST ${path}`, `GET ${path}`]);
  assert.equal(wire.asked[before]?.json, { amount: 23.45 });
  assert.equal(refundsOf(books), ['r1']);
});

test.run();
