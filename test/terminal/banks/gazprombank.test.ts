import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UNREPORTED } from '../../../firmware/banks/bank-payment.ts';
import type { RefundOrder } from '../../../firmware/banks/bank-refund.ts';
import { GazprombankBank } from '../../../firmware/banks/dialects/gazprombank.ts';
import { openBank } from '../../../firmware/banks/registry.ts';
import { each, pick } from '../../support.ts';
import { BankBooks, type BankRig, bankContract, onBank } from './contract.ts';
import { bankError, begun, O1, partBack, patient, reportOf, sale } from './support.ts';
import {
  type Asked,
  changed,
  codeId,
  done,
  type Fault,
  honestly,
  instead,
  LONG_NUMBER,
  linkTo,
  lost,
  rewritten,
  startWireBank,
  withNumbers,
} from './wire-bank.ts';

const test = suite('gazprombank');

const PASSWORD = 'password-of-the-shop';
const IDS = { account: '40702810293001099999', merchantId: 'MA0000084118' } as const;

const no = (code: string) => instead(200, { code, message: 'reported by the bank', transactionId: '000000069099' });
const PREPARE = 'POST /merchant/transfer/return/prepare';
const CONFIRM = 'POST /merchant/transfer/return/confirm';
const OPERATION = 'POST /operation/info';
const BLOCK = 'POST /merchant/qrc-block';

type Rig = BankRig<GazprombankBank>;

const withBank = (work: (rig: Rig) => Promise<void>): Promise<void> =>
  onBank(
    BankBooks,
    (path) => `/gpb${path}`,
    (baseUrl, log) => new GazprombankBank({ ...IDS, baseUrl, login: 'LA0000006784', password: PASSWORD, log }),
    work,
  );
const it = each<[Rig]>(test, (run) => () => withBank(run));

/** A refund of a payment that has been paid. */
async function paidBack({ bank, books }: Rig): Promise<(changes?: Partial<RefundOrder>) => RefundOrder> {
  const { ref } = await begun(bank);
  const { trxId } = books.payments.pay(ref.id);
  return (changes = {}) => partBack({ ref, trxId, ...changes });
}

it('a code is registered with the fields and headers of the gateway', async ({ wire, books, bank }) => {
  const { ref, payload } = await begun(bank, { ...O1, ttl: 15 });
  assert.equal([ref, payload], [{ id: books.last.qrcId }, books.last.link]);
  const { headers, json } = wire.asked[0] as Asked;
  assert.equal([headers.login, headers.password], ['LA0000006784', PASSWORD]);
  assert.equal(json, {
    ...IDS,
    templateVersion: '01',
    qrcType: '02',
    amount: '12345',
    currency: 'RUB',
    paymentPurpose: 'Кофе и булочка',
    qrTtl: '15',
  });
  await begun(bank, sale({ purpose: null }));
  assert.not.ok(Object.hasOwn(wire.asked[1]?.json as object, 'paymentPurpose'));
});

const STATUS = 'POST /merchant/qrc-status';
const registered = (data: object, more: object = { code: '000' }) => instead(200, { ...more, data });
/** The honest state of the code, changed. */
const stating = (change: (state: object) => readonly object[]): Fault =>
  rewritten(({ data, ...body }) => ({ ...body, data: change((data as readonly [object])[0]) }));
const stated = (fields: object) => stating((state) => [{ ...state, ...fields }]);

bankContract<BankBooks, GazprombankBank, string>(test, {
  withBank,
  secrets: [PASSWORD],
  register: 'POST /merchant/qrc-data',
  state: STATUS,
  failures: [
    [instead(500, { code: '999', message: PASSWORD }), 'unreachable'],
    [instead(200, { code: '012', message: `the password ${PASSWORD} is wrong` }), 'refused'],
    [instead(200, { code: 0, message: 'a number is no success' }), 'refused'],
    [registered({ qrcId: codeId(1), payload: linkTo(codeId(1), 1) }), 'contradiction'],
    [registered({ qrcId: codeId(2), payload: linkTo(codeId(1), 12_345) }), 'contradiction'],
    [registered({ qrcId: codeId(1) }), 'contradiction'],
    [registered({ qrcId: codeId(1), payload: linkTo(codeId(1), 12_345) }, {}), 'contradiction'],
  ],
  put: ({ wire, books: { payments, last } }, status) => {
    if (status === 'ACCEPTED') payments.pay(last.qrcId);
    wire.always(STATUS, status === 'ACCEPTED' ? honestly : stated({ status }));
    if (status !== 'NOT_STARTED') wire.always(BLOCK, no('017'));
  },
  verdicts: [
    ['NOT_STARTED', 'pending'],
    ['RECEIVED', 'processing'],
    ['IN_PROGRESS', 'processing'],
    ['REJECTED', 'rejected'],
    ['SOMETHING_NEW', 'processing'],
    ['DONE', 'processing'],
  ],
  paid: 'ACCEPTED',
  accepted: ({ last: { trxId } }) => ({ ...UNREPORTED, trxId }),
  untrue: [
    [stating(() => [])],
    [stated({ qrcId: codeId(9) })],
    // an error of its own, or another sum or currency than ours, where it reports them
    ...['RQ05000', '012', 0].map((code) => [stated({ code })] as const),
    [stated({ code: '012', status: 'REJECTED' })],
    [stated({ amount: '12346' })],
    [stated({ amount: '123.45' })],
    [stated({ currency: 'USD' })],
    [stating((state) => [state, { ...state, qrcId: 'x' }])],
    [changed({ data: null })],
  ],
  true: [{ code: '000' }, { code: null }, { amount: 12_345, currency: 'RUB' }, { amount: null }].map(stated),
  long: withNumbers(({ data, ...body }) => ({
    ...body,
    data: [{ ...(data as object[])[0], trxId: `#${LONG_NUMBER}` }],
  })),
  afterLost: 2,
  codesOf: ({ count }) => count,
  cancels: [
    ['NOT_STARTED', 'withdrawn'],
    ['IN_PROGRESS', 'already-paid'],
    ['ACCEPTED', 'already-paid'],
    ['REJECTED', 'not-possible'],
  ],
  refund: null,
});

it('states are asked for at the newer path, by the id of the code', async ({ wire, bank, logged }) => {
  const { ref } = await begun(bank);
  await reportOf(bank, ref);
  assert.equal([wire.calls.slice(1), wire.asked.at(-1)?.json, logged], [[STATUS], { qrcIds: [ref.id] }, []]);
});

test('a profile without login and password sends neither header, and the log names the bank', async () => {
  const logged: string[] = [];
  const old = { body: { code: '000', data: [{ qrcId: codeId(1), status: 'NOT_STARTED' }] } };
  await using wire = await startWireBank(({ call }) => (call.startsWith('PUT') ? old : { status: 404 }));
  const profile = { bankName: 'Gazprombank', ...IDS, baseUrl: wire.url } as const;
  const log = (message: string) => void logged.push(message);
  const bank = await openBank(profile, { cftBaseUrl: null, sandboxBaseUrl: null, log });
  if (bank.kind !== 'online') throw new Error('expected an online bank');
  await bank.tryOut?.(patient());
  await bank.close();
  assert.equal([wire.asked[0]?.headers.login, wire.asked[0]?.headers.password], [undefined, undefined]);
  const said = 'the bank has nothing at POST /merchant/qrc-status: PUT /payment/v1/qrc-status is called in its place';
  assert.equal(logged, [`Gazprombank: ${said}`]);
});

for (const status of [404, 405]) {
  it(`a newer path that answers ${status}: the older one is asked from then on, logged once`, async (rig) => {
    const { wire, books, bank, logged } = rig;
    const { ref } = await begun(bank);
    books.payments.pay(ref.id);
    wire.always(STATUS, instead(status, 'nothing here'));
    for (let times = 0; times < 2; times++) assert.is((await reportOf(bank, ref)).verdict, 'accepted');
    assert.equal(wire.calls.slice(1), [STATUS, 'PUT /payment/v1/qrc-status', 'PUT /payment/v1/qrc-status']);
    assert.is(logged.length, 1);
    assert.match(logged[0] ?? '', /nothing at POST \/merchant\/qrc-status.*PUT \/payment\/v1\/qrc-status/);
  });
}

it('a path is given up only where the other has answered', async ({ wire, bank, logged }) => {
  const { ref } = await begun(bank);
  wire.once(STATUS, instead(404, ''));
  wire.once('PUT', instead(404, ''));
  await bankError('refused', bank.status(ref, patient()));
  for (const fault of [instead(500, ''), instead(403, ''), instead(200, { code: '007', message: 'no' })]) {
    wire.once(STATUS, fault);
    await bank.status(ref, patient()).catch(() => undefined);
  }
  assert.is((await reportOf(bank, ref)).verdict, 'pending');
  assert.is(wire.calls.filter((call) => call.startsWith('PUT')).length, 1);
  assert.equal(logged, []);
});

it('a code that the bank does not know is reported as such, in its words', async ({ wire, bank }) => {
  const { ref } = await begun(bank);
  const data = [{ qrcId: ref.id, code: 'RQ05000', message: `no such code for ${PASSWORD}` }];
  wire.once(STATUS, changed({ data }));
  const error = await bankError('refused', reportOf(bank, ref));
  assert.equal(
    [error.bankCode, error.message],
    ['RQ05000', 'the bank returned no state of the code (no such code for <PASSWORD>)'],
  );
});

it('two states of one code in one answer say nothing of it, whichever comes first', async (rig) => {
  const { wire, bank } = rig;
  const { ref } = await begun(bank);
  const saying = (...states: readonly object[]) =>
    changed({ data: states.map((state) => ({ qrcId: ref.id, code: 'RQ00000', ...state })) });
  const [paid, open] = [{ status: 'ACCEPTED', trxId: 'A1' }, { status: 'NOT_STARTED' }];
  for (const states of [
    [paid, open],
    [open, paid],
    [paid, { ...paid, trxId: 'B2' }],
    [open, { status: null }],
  ]) {
    wire.once(STATUS, saying(...states));
    await bankError('contradiction', bank.status(ref, patient()));
  }
  wire.once(STATUS, saying(paid, paid));
  assert.is((await bank.status(ref, patient())).verdict, 'accepted');
});

it('a numeric error code is reported like any other, in the words of the bank alone', async ({ wire, bank }) => {
  wire.once('POST /merchant/qrc-data', instead(200, { code: 12, message: 'busy', description: 'of the field' }));
  const { bankCode, message } = await bankError('refused', begun(bank));
  assert.equal([bankCode, message], ['12', 'the bank refused (HTTP 200: busy)']);
});

it('a code is withdrawn by the code of a success alone', async ({ wire, bank }) => {
  const { ref } = await begun(bank);
  wire.once(BLOCK, lost);
  await bankError('unreachable', bank.cancel(ref, patient()));
  wire.always(BLOCK, no('017')); // blocked already, but the bank does not say so
  assert.is(await bank.cancel(ref, patient()), 'not-possible');
  wire.once(BLOCK, instead(200, {}));
  await bankError('contradiction', bank.cancel(ref, patient()));
  wire.once(STATUS, changed({ data: [{ qrcId: 'x', status: 'ACCEPTED' }] }));
  await bankError('contradiction', bank.cancel(ref, patient()));
});

it('a refund is a draft first, and confirmed once, no matter which answers are lost', async (rig) => {
  const { wire, books, bank } = rig;
  const refundOf = await paidBack(rig);
  const { trxId, qrcId } = books.last;
  wire.once(PREPARE, lost);
  await bankError('unreachable', bank.refund(refundOf(), patient()));
  const prepared = await bank.refund(refundOf({ isRepeated: true }), patient());
  assert.equal([prepared.state, prepared.reason], ['pending', null]);
  assert.equal(wire.asked.at(-1)?.json, { transactionId: trxId, amount: '2345', currency: 'RUB' });

  const { bankRefundId } = prepared;
  assert.is(await bank.findRefund(refundOf({ bankRefundId }), patient()), null, 'a draft gives nothing back');
  assert.is(await bank.findRefund(refundOf(), patient()), 'unreported', 'a book that lost the id cannot say that');
  assert.equal(books.refunds.of(qrcId), [], 'to look for it does not confirm it');
  wire.once(CONFIRM, lost);
  await bankError('unreachable', bank.refundStatus(refundOf({ bankRefundId }), patient()));
  for (const [status, state] of [
    ['IN_PROGRESS', 'pending'],
    ['ERROR_CHECK', 'pending'],
    ['INCOMPLETE', 'pending'],
    ['PERFORMED', 'done'],
    ['CANCELLED', 'refused'],
    ['ERROR', 'refused'],
  ] as const) {
    wire.always(OPERATION, changed({ status }));
    const report = await bank.refundStatus(refundOf({ bankRefundId }), patient());
    assert.equal([report.state, report.bankRefundId], [state, bankRefundId]);
    assert.equal(await bank.findRefund(refundOf({ bankRefundId }), patient()), report);
    assert.equal(await bank.refund(refundOf({ bankRefundId, isRepeated: true }), patient()), report);
    assert.is(report.reason, state === 'refused' ? `the bank ended the refund as ${status}` : null);
  }
  assert.is(wire.calls.filter((call) => call === CONFIRM).length, 1, 'asked for once, too');
  assert.equal(pick(books.refunds.of(qrcId), 'amount'), [2_345]);
});

it('a refused draft is a refusal, even after a lost one, which is never confirmed', async (rig) => {
  const { wire, books, bank } = rig;
  const refundOf = await paidBack(rig);
  wire.once(PREPARE, lost);
  await bankError('unreachable', bank.refund(refundOf(), patient()));
  for (const order of [refundOf({ isRepeated: true }), refundOf()]) {
    wire.once(PREPARE, no('042'));
    const { state, bankRefundId, reason } = await bank.refund(order, patient());
    assert.equal([state, bankRefundId], ['refused', null]);
    assert.match(reason ?? '', /bank code 042/);
  }
  wire.once(PREPARE, instead(401, {}));
  assert.ok((await bankError('refused', bank.refund(refundOf({ isRepeated: true }), patient()))).isUnauthorized);
  for (const [fault, code] of [
    [instead(503, {}), 'unreachable'],
    [instead(200, '{'), 'contradiction'],
  ] as const) {
    wire.once(PREPARE, fault);
    await bankError(code, bank.refund(refundOf({ isRepeated: true }), patient()));
  }
  assert.is(books.last.refunded, 0);
});

it('a confirmation that is refused settles nothing by itself: the bank is asked what it has', async (rig) => {
  const { wire, bank } = rig;
  const refundOf = await paidBack(rig);
  const { bankRefundId } = await bank.refund(refundOf(), patient());
  wire.once(CONFIRM, instead(200, { code: '030', message: 'busy' }));
  const error = await bankError('unreachable', bank.refundStatus(refundOf({ bankRefundId }), patient()));
  assert.match(error.message, /not confirmed the refund yet: .*busy.*030/);
  wire.once(CONFIRM, done({ body: { code: '021', message: 'reported by the bank' } })); // by the confirmation before
  assert.is((await bank.refundStatus(refundOf({ bankRefundId }), patient())).state, 'done');
  wire.once(OPERATION, changed({ transactionId: 'another' }));
  await bankError('contradiction', bank.refundStatus(refundOf({ bankRefundId }), patient()));
});

it('a confirmation is not sent again where a kept connection breaks', async (rig) => {
  const { wire, bank } = rig;
  const refundOf = await paidBack(rig);
  wire.isKeeping = true;
  const { bankRefundId } = await bank.refund(refundOf(), patient());
  wire.once(CONFIRM, lost);
  await bankError('unreachable', bank.refundStatus(refundOf({ bankRefundId }), patient()));
  assert.equal(wire.calls.slice(2), [OPERATION, CONFIRM]);
});

it('a refund needs the transaction of the payment, which is asked for where it is not known', async (rig) => {
  const { wire, books, bank } = rig;
  const { ref } = await begun(bank);
  const order = partBack({ ref, trxId: null });
  await bankError('refused', bank.refund(order, patient()));
  const { trxId } = books.payments.pay(ref.id);
  await bank.refund(order, patient());
  assert.is(wire.asked.at(-1)?.json?.transactionId, trxId);
  await bankError('refused', bank.refundStatus(order, patient()));
});

test.run();
