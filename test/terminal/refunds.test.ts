/** Refunds: money goes back once, never more than was paid; without an answer it is unknown until the bank reports. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError } from '../../firmware/banks/bank-error.ts';
import type { RefundOrder, RefundReport } from '../../firmware/banks/bank-refund.ts';
import { RowFormat, valuesOf } from '../../firmware/core/book/row.ts';
import { refundAnswer } from '../../firmware/payments/http/v1/refund-schemas.ts';
import type { Refund } from '../../firmware/payments/model/refund.ts';
import { RefundLedger } from '../../firmware/payments/money/refund-ledger.ts';
import { Refunds } from '../../firmware/payments/refunds/refunds.ts';
import { each, fieldsOf } from '../support.ts';
import { MINUTE_MS, NO_POLLS, onLane, openLane, refusal, report, settled, unreachable, until } from './harness.ts';
import { DONE, FindingBank, PENDING, paid, pay, problems, RefundingBank, refundedOf } from './refund-rig.ts';

const test = suite('terminal: refunds');
const it = each(test, paid);

it('a part and then the rest goes back, and the payment says so; nothing is left for a third', async (l, bank, orderId) => {
  const first = await l.refunds.refund({ orderId, tillId: 'a', amount: 400 });
  assert.equal([first.state, first.bankRefundId, refundedOf(l, orderId)], ['done', 'b-1', 400]);
  const rest = await l.refunds.refund({ orderId, tillId: 'b', amount: null });
  assert.equal(
    { amount: rest.amount, refundedBefore: rest.refundedBefore, refunded: refundedOf(l, orderId) },
    { amount: 600, refundedBefore: 400, refunded: 1000 },
  );
  const error = await refusal(l.refunds.refund({ orderId, tillId: 'c', amount: 1 }));
  assert.equal(
    { member: error.member, left: error.extra.left, given: bank.given },
    { member: 'ExceedsPaid', left: 0, given: 1000 },
  );
  const none = await refusal(l.refunds.refund({ orderId, tillId: 'c', amount: null }));
  assert.equal([none.member, l.refunds.of(orderId).length], ['ExceedsPaid', 2]);
  assert.match(bank.orders[0]?.refundId ?? '', /^[A-Za-z0-9-]{1,30}$/);
  assert.equal(fieldsOf(bank.orders, 'paid', 'refundedBefore', 'isRepeated'), [
    [1000, 0, false],
    [1000, 400, false],
  ]);
});

it('a refund keeps how it went back, and its operation: by the bank, or else as it was paid', async (l, bank, orderId) => {
  bank.refundAnswers = [
    PENDING,
    { ...DONE, paidBy: { method: 'sbp', word: 'SBP_REFUND' }, trxId: 'B632' },
    { ...DONE, bankRefundId: 'b-2' },
  ];
  const way = ({ paidBy, trxId }: Refund) => ({ paidBy, trxId });
  const pending = await l.refunds.refund({ orderId, tillId: 'a', amount: 400 });
  assert.equal(way(pending), { paidBy: null, trxId: null });
  const said = await l.refunds.refund({ orderId, tillId: 'a', amount: 400 });
  assert.equal([said.state, way(said)], ['done', { paidBy: { method: 'sbp', word: 'SBP_REFUND' }, trxId: 'B632' }]);
  const paidBy = { method: 'digital-rouble', word: 'CBDC' } as const;
  l.ledger.setTransaction(orderId, { trxId: null, paidAt: null, refunded: null, payer: null, paidBy });
  const unsaid = await l.refunds.refund({ orderId, tillId: 'b', amount: 600 });
  assert.equal(way(unsaid), { paidBy: { method: 'digital-rouble', word: null }, trxId: null });
  assert.equal(l.refunds.of(orderId).map(way), [said, unsaid].map(way));
});

it('a refusal for want of a consent of the shop has a code of its own, and no other has', async (l, bank, orderId) => {
  for (const [reason, code] of [
    ['Возврат отклонён: нет согласия магазина', 'Bank.NoConsent'],
    ['Возврат не согласован', null],
    [null, null],
  ] as const) {
    bank.refundAnswers = [{ state: 'refused', bankRefundId: null, reason }];
    const refund = await l.refunds.refund({ orderId, tillId: `${reason}`, amount: 1 });
    assert.is(refundAnswer(refund).code, code);
  }
  bank.refundAnswers = [{ ...DONE, reason: 'согласие дано' }];
  assert.is(refundAnswer(await l.refunds.refund({ orderId, tillId: 'done', amount: 1 })).code, null);
});

it('a refused refund reads the payment once: what may be gone elsewhere is noted and refused', async (l, bank, orderId) => {
  const make = bank.refund;
  bank.refund = () => Promise.reject(new BankError('refused', 'more than is left'));
  bank.reported = { refunded: 400 };
  assert.is((await l.refunds.refund({ orderId, tillId: 'a', amount: 1000 })).state, 'refused');
  assert.is(refundedOf(l, orderId), 400);
  bank.refund = make;
  assert.match((await refusal(l.refunds.refund({ orderId, tillId: 'b', amount: 400 }))).message, '400 kopecks');
  assert.is((await refusal(l.refunds.refund({ orderId, tillId: 'b', amount: 601 }))).extra.left, 600);
  assert.is((await l.refunds.refund({ orderId, tillId: 'b', amount: 401 })).state, 'done', 'it cannot be that one');
  assert.is(refundedOf(l, orderId), 801);
  assert.is((await refusal(l.refunds.refund({ orderId, tillId: 'c', amount: 200 }))).extra.left, 199);
});

test('a refund by hand, reported with the payment, refuses none that the bank does not have', async () => {
  const bank = new FindingBank();
  await onLane(
    async (l) => {
      bank.reported = { refunded: 700 };
      const orderId = await pay(l);
      assert.is(refundedOf(l, orderId), 700);
      bank.found = DONE; // the book has lost it
      const lost = await refusal(l.refunds.refund({ orderId, tillId: 'a', amount: 200 }));
      assert.equal([lost.member, bank.orders.length], ['NotRefundable', 0]);
      bank.found = unreachable();
      assert.is((await refusal(l.refunds.refund({ orderId, tillId: 'a', amount: 200 }))).member, 'NotRefundable');
      bank.found = null;
      assert.is((await refusal(l.refunds.refund({ orderId, tillId: 'a', amount: 301 }))).extra.left, 300);
      const refund = await l.refunds.refund({ orderId, tillId: 'a', amount: 200 });
      assert.equal(
        { state: refund.state, refundedBefore: refund.refundedBefore, refunded: refundedOf(l, orderId) },
        { state: 'done', refundedBefore: 700, refunded: 900 },
      );
      assert.equal(new Set([...bank.finds, ...bank.orders].map(({ refundId }) => refundId)).size, 1);
      assert.is((await l.refunds.refund({ orderId, tillId: 'b', amount: null })).amount, 100);
    },
    { bank },
  )();
});

it('a refusal of a bank that is silent after it is the refusal', async (l, bank, orderId) => {
  bank.refund = () => Promise.reject(new BankError('refused', 'no'));
  bank.verdicts.set(l.bankId(0), unreachable());
  assert.is((await l.refunds.refund({ orderId, tillId: 'a', amount: 1000 })).state, 'refused');
});

it('a bank that is asked too often has done nothing: refused, unless it may have heard before', async (l, bank, orderId) => {
  const make = bank.refund;
  bank.refund = () =>
    Promise.reject(new BankError('unreachable', 'the bank cannot take the call now', { status: 429 }));
  assert.is((await l.refunds.refund({ orderId, tillId: 'a', amount: 400 })).state, 'refused');
  bank.refund = () => Promise.reject(unreachable());
  assert.is((await l.refunds.refund({ orderId, tillId: 'b', amount: 400 })).state, 'unknown');
  bank.refund = () =>
    Promise.reject(new BankError('unreachable', 'the bank cannot take the call now', { status: 429 }));
  assert.is((await l.refunds.refund({ orderId, tillId: 'b', amount: 400 })).state, 'unknown');
  bank.refund = make;
  assert.is((await l.refunds.refund({ orderId, tillId: 'b', amount: 400 })).state, 'done');
});

it('money gone back by no refund of the ledger: no other is made, for it may be that one', async (l, bank, orderId) => {
  const asked = { orderId, tillId: 'a', amount: 300 };
  await l.refunds.refund(asked);
  l.db.exec('DELETE FROM refunds'); // lost with its file
  for (const each of [asked, { ...asked, tillId: 'b' }]) {
    const error = await refusal(l.refunds.refund(each));
    assert.is(error.member, 'NotRefundable');
    assert.match(error.message, '300 kopecks (3.00 roubles) of this payment have gone back');
  }
  assert.is((await refusal(l.refunds.refund({ ...asked, amount: 701 }))).member, 'ExceedsPaid');
  assert.equal(
    { given: bank.given, orders: bank.orders.length, refunded: refundedOf(l, orderId) },
    { given: 300, orders: 1, refunded: 300 },
  );
});

it('what goes back elsewhere while a refund is undecided is not forgotten when it is done', async (l, bank, orderId) => {
  l.payments.recordRefundedSum(orderId, 400);
  new RowFormat(l.db, 'refunds').put({
    ...{ id: 1, refund_id: 'r', till_id: 'a', order_id: orderId, profile: 'main', bank: 'Sandbox', amount: 300 },
    ...{ refunded_before: 400, created_at: l.clock.wall(), state: 'sent', change_no: 1 },
  });
  assert.is((await l.refunds.refund({ orderId, tillId: 'a', amount: 300 })).state, 'done');
  assert.equal([bank.given, refundedOf(l, orderId)], [300, 700]);
});

it('the same id is the same refund for any caller, at any time; of another sum it is refused', async (l, bank, orderId) => {
  const asked = { orderId, tillId: 'a', amount: 400 };
  const [one, other] = await Promise.all([l.refunds.refund(asked), l.refunds.refund(asked)]);
  assert.equal(one, other);
  assert.is((await refusal(l.refunds.refund({ ...asked, amount: 401 }))).member, 'IdConflict');
  const second = await pay(l);
  assert.is((await refusal(l.refunds.refund({ ...asked, orderId: second }))).member, 'IdConflict');
  assert.is(bank.given, 400);
});

it('the id of a part is not that of all; the id of the rest is, whatever has gone back since', async (l, bank, orderId) => {
  const part = { orderId, tillId: 'a', amount: 400 };
  await l.refunds.refund(part);
  assert.is((await refusal(l.refunds.refund({ ...part, amount: null }))).member, 'IdConflict');
  const rest = { orderId, tillId: 'b', amount: null };
  bank.refundAnswers = [unreachable(), DONE];
  assert.is((await l.refunds.refund(rest)).state, 'unknown');
  const done = await l.refunds.refund(rest);
  assert.equal([done.state, done.amount], ['done', 600]);
  assert.equal(await l.refunds.refund(rest), done);
  assert.equal(await l.refunds.refund({ ...rest, amount: 600 }), done);
  assert.is((await refusal(l.refunds.refund({ ...part, amount: null }))).member, 'IdConflict');
  assert.is(bank.given, 1000);
  const second = await pay(l);
  const all = await l.refunds.refund({ orderId: second, tillId: 'c', amount: 1000 });
  assert.equal(await l.refunds.refund({ orderId: second, tillId: 'c', amount: null }), all, 'all is as much');
});

it('one id for two payments at once: one of them is refunded', async (l, bank, orderId) => {
  const second = await pay(l);
  const outcomes = await Promise.allSettled(
    [orderId, second].map((id) => l.refunds.refund({ orderId: id, tillId: 'a', amount: 1000 })),
  );
  const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.member] : []));
  assert.equal(refused, ['IdConflict']);
  assert.is(bank.given, 1000);
});

it('two refunds of a payment at once wait for each other, and never exceed what was paid', async (l, bank, orderId) => {
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c'].map((tillId) => l.refunds.refund({ orderId, tillId, amount: 400 })),
  );
  assert.equal(fieldsOf(outcomes, 'status'), ['fulfilled', 'fulfilled', 'rejected']);
  assert.equal([bank.given, refundedOf(l, orderId)], [800, 800]);
});

it('a lost answer leaves a refund unknown; it is asked about by itself, with the same id', async (l, bank, orderId) => {
  bank.refundAnswers = [unreachable(), unreachable(), DONE];
  const lost = await l.refunds.refund({ orderId, tillId: 'a', amount: 400 });
  assert.equal([lost.state, lost.reason], ['unknown', 'the bank does not answer']);
  assert.is(refundedOf(l, orderId), 0);
  await until('the end', () => l.refunds.of(orderId)[0]?.state === 'done');
  assert.equal(new Set(bank.orders.map(({ refundId }) => refundId)).size, 1);
  assert.equal(fieldsOf(bank.orders, 'isRepeated', 'refundedBefore'), [
    [false, 0],
    [true, 0],
    [true, 0],
  ]);
  assert.is(refundedOf(l, orderId), 400);
});

it('while the outcome of a refund is open, its amount is not given back again', async (l, bank, orderId) => {
  bank.refundAnswers = [unreachable()];
  await l.refunds.refund({ orderId, tillId: 'a', amount: 400 });
  const error = await refusal(l.refunds.refund({ orderId, tillId: 'b', amount: 400 }));
  assert.equal([error.member, error.extra.refund], ['RefundOpen', 'a']);
  bank.refundAnswers = [DONE];
  assert.is((await l.refunds.refund({ orderId, tillId: 'b', amount: 600 })).refundedBefore, 400);
  assert.equal([bank.given, bank.book.size], [1000, 2]);
});

it('a refusal frees the amount; the same id stays refused, another one may try again', async (l, bank, orderId) => {
  bank.refundAnswers = [{ state: 'refused', bankRefundId: null, reason: 'no money on the account' }];
  const refused = await l.refunds.refund({ orderId, tillId: 'a', amount: 1000 });
  assert.equal([refused.state, refused.reason], ['refused', 'no money on the account']);
  bank.refundAnswers = [DONE];
  assert.is((await l.refunds.refund({ orderId, tillId: 'a', amount: 1000 })).state, 'refused');
  assert.is((await l.refunds.refund({ orderId, tillId: 'b', amount: 1000 })).state, 'done');
  assert.is(bank.given, 1000);
});

it('a first no from the bank has refused; after a lost answer the same words decide nothing', async (l, bank, orderId) => {
  const no = new BankError('refused', 'this refund exists');
  bank.refundAnswers = [no];
  assert.is((await l.refunds.refund({ orderId, tillId: 'a', amount: 400 })).state, 'refused');
  bank.refundAnswers = [unreachable()];
  assert.is((await l.refunds.refund({ orderId, tillId: 'b', amount: 400 })).state, 'unknown');
  bank.refundAnswers = [no];
  assert.is((await l.refunds.refund({ orderId, tillId: 'b', amount: 400 })).state, 'unknown');
  assert.is((await refusal(l.refunds.refund({ orderId, tillId: 'c', amount: 1000 }))).member, 'RefundOpen');
});

it("one that the bank has taken is asked about by the bank's id until it is done", async (l, bank, orderId) => {
  bank.refundAnswers = [PENDING, unreachable(), { ...PENDING, bankRefundId: null }, { ...DONE, bankRefundId: null }];
  const taken = await l.refunds.refund({ orderId, tillId: 'a', amount: 1000 });
  assert.equal([taken.state, taken.endedAt], ['pending', null]);
  for (const state of ['pending', 'pending', 'done'])
    assert.is((await l.refunds.refund({ orderId, tillId: 'a', amount: 1000 })).state, state);
  assert.equal([bank.orders.length, bank.statusOrders.length], [1, 3]);
  assert.equal(fieldsOf(bank.statusOrders, 'bankRefundId'), ['b-1', 'b-1', 'b-1']);
  assert.is(refundedOf(l, orderId), 1000);
});

it("the adapter gets the payment's refused refunds: a refusal may be about one of those", async (l, bank, orderId) => {
  const refused = { state: 'refused', bankRefundId: null, reason: 'no' } as const;
  bank.refundAnswers = [refused];
  await l.refunds.refund({ orderId, tillId: 'a', amount: 300 });
  const other = await pay(l);
  await l.refunds.refund({ orderId: other, tillId: 'b', amount: 200 });
  bank.refundAnswers = [PENDING];
  await l.refunds.refund({ orderId, tillId: 'c', amount: 400 });
  assert.is((await l.refunds.refund({ orderId, tillId: 'c', amount: 400 })).state, 'pending');
  const amounts = ({ amount, refusedAmounts }: RefundOrder) => [amount, refusedAmounts];
  assert.equal(bank.orders.map(amounts), [
    [300, []],
    [200, []],
    [400, [300]],
  ]);
  assert.equal(bank.statusOrders.map(amounts), [[400, [300]]]);
});

test('only what was accepted is refunded, and only by a bank that can', async () => {
  await onLane(async (l) => {
    assert.is((await refusal(l.refunds.refund({ orderId: 'no', tillId: 'a', amount: 1 }))).member, 'NotFound');
    await l.showQR(1000);
    const orderId = l.bank.registered[0]?.orderId ?? '';
    const open = await refusal(l.refunds.refund({ orderId, tillId: 'a', amount: 1 }));
    assert.equal([open.member, open.extra.state], ['NotAccepted', 'PENDING']);
    await report(l, 'accepted');
    const cannot = await refusal(l.refunds.refund({ orderId, tillId: 'a', amount: 1 }));
    assert.equal([cannot.member, cannot.extra.bank], ['NotRefundable', 'Sandbox']);
    assert.match(cannot.message, /^Sandbox gives no money back/);
    await l.showStatic('https://pay.example/static');
    const last = l.ledger.last()?.orderId ?? '';
    const fixed = await refusal(l.refunds.refund({ orderId: last, tillId: 'a', amount: 1 }));
    assert.equal([fixed.member, /static code/.test(fixed.message)], ['NotRefundable', true]);
    assert.equal(l.refunds.of(orderId), []);
  })();
});

it('a payment whose amount the storage has changed is not refunded here', async (l, bank, orderId) => {
  l.db.exec('UPDATE payments SET amount = 900000');
  const error = await refusal(l.refunds.refund({ orderId, tillId: 'a', amount: 900_000 }));
  assert.equal([error.member, bank.orders.length], ['NotRefundable', 0]);
});

test('an undecided refund is taken up after a restart, from any step', async () => {
  const bank = new RefundingBank();
  const first = await openLane({ bank });
  const orderId = await pay(first);
  const asks = ['asked', 'sent', 'unknown'];
  bank.refundAnswers = [unreachable()];
  await first.refunds.refund({ orderId, tillId: 'a', amount: 400 });
  await first.stop();
  for (const state of asks) {
    bank.orders.length = 0;
    const [row = {}] = first.db.prepare('SELECT * FROM refunds').all();
    const past = { ...valuesOf(row), state, refunded_before: 0, ended_at: null, shift: null };
    new RowFormat(first.db, 'refunds').put(past);
    bank.refundAnswers = [DONE];
    const { db } = first;
    const again = await openLane({ bank, db, pacing: NO_POLLS });
    await until(`the end after ${state}`, () => again.refunds.of(orderId)[0]?.state === 'done');
    assert.equal(
      fieldsOf(bank.orders, 'isRepeated'),
      [true], // a ledger that was put back says "asked" of what was sent, too
    );
    assert.is(refundedOf(again, orderId), 400);
    await again.stop();
  }
  assert.equal([bank.book.size, bank.given], [1, 400]);
});

it('a full disk before the bank hears of it: nothing is sent; after it: it is asked about', async (l, bank, orderId) => {
  l.db.exec('PRAGMA query_only = ON');
  const error = await refusal(l.refunds.refund({ orderId, tillId: 'a', amount: 400 }));
  assert.equal([error.category, error.member], ['Internal', 'StorageRefused']);
  assert.is(bank.orders.length, 0);
  l.db.exec('PRAGMA query_only = OFF');
  bank.refund = async (order) => {
    bank.orders.push(order);
    bank.book.set(order.refundId, order.amount);
    if (!order.isRepeated) l.db.exec('PRAGMA query_only = ON');
    return DONE;
  };
  await refusal(l.refunds.refund({ orderId, tillId: 'a', amount: 400 }));
  assert.is(l.refunds.of(orderId)[0]?.state, 'sent');
  l.db.exec('PRAGMA query_only = OFF');
  assert.is((await l.refunds.refund({ orderId, tillId: 'a', amount: 400 })).state, 'done');
  assert.equal(
    { given: bank.given, refunded: refundedOf(l, orderId), orders: bank.orders.length },
    { given: 400, refunded: 400, orders: 2 },
  );
});

it('a refund that stays undecided is reported in /health, with the words of the bank', async (l, bank, orderId) => {
  bank.refundAnswers = [unreachable()];
  await l.refunds.refund({ orderId, tillId: 'a', amount: 400 });
  assert.is(problems(l), '');
  l.clock.now += 11 * 60_000;
  assert.match(problems(l), /^1 refund has no outcome.*4,00.*does not answer/s);
});

it('a refund under way at the bank is in /health after two days: banks book on the next', async (l, bank, orderId) => {
  bank.refundAnswers = [PENDING];
  await l.refunds.refund({ orderId, tillId: 'a', amount: 400 });
  l.clock.now += 48 * 3_600_000;
  assert.is(problems(l), '');
  l.clock.now += 1;
  assert.match(problems(l), /1 refund has no outcome.*4,00/s);
});

it('what refunds lack of the payments is in /health, without what the bank returned by itself', async (l, bank, orderId) => {
  await l.refunds.refund({ orderId, tillId: 'a', amount: 400 });
  bank.refundAnswers = [unreachable()];
  await l.refunds.refund({ orderId, tillId: 'b', amount: 300 });
  l.payments.recordRefundedSum(orderId, 700); // as a process leaves it that ends between the ledgers
  await l.showQR(1000, { purpose: 'given back' });
  l.bank.allowCancel('refunded');
  await l.payments.cancel(l.bank.registered[1]?.orderId ?? '');
  l.clock.now += MINUTE_MS;
  assert.not.match(problems(l), 'ledger of refunds');
  l.db.exec("DELETE FROM refunds WHERE till_id = 'b'");
  l.clock.now += MINUTE_MS;
  assert.match(problems(l), /More of 1 payment was refunded than this device knows.*10,00.*7,00/);
  assert.equal(
    l.refunds.unexplained.map((payment) => payment.orderId),
    [orderId],
  );
  l.clock.now += 7 * 24 * 60 * MINUTE_MS;
  assert.equal(l.refunds.unexplained, []);
});

it('a ledger that fails while a refund is followed up does not end that', async (l, bank, orderId) => {
  bank.refundAnswers = [unreachable(), DONE];
  assert.is((await l.refunds.refund({ orderId, tillId: 'a', amount: 400 })).state, 'unknown');
  await until('an idle display', () => l.screen.isIdle); // only the refund looks for the payment now
  const find = l.ledger.find.bind(l.ledger);
  let failures = 0;
  l.ledger.find = (...asked) => {
    if (failures > 0) return find(...asked);
    failures += 1;
    throw new Error('the disk gives nothing');
  };
  await until('the end', () => l.refunds.of(orderId)[0]?.state === 'done');
  assert.is(failures, 1);
});

it('a bank silent about ten refunds is asked about two at once: its connections are for sales', async (l, bank) => {
  bank.refundAnswers = [unreachable()];
  for (let n = 0; n < 10; n += 1) {
    const orderId = await pay(l);
    assert.is((await l.refunds.refund({ orderId, tillId: `${n}`, amount: 400 })).state, 'unknown');
  }
  const held = Promise.withResolvers<RefundReport>();
  let under = 0;
  bank.refund = () => {
    under += 1;
    return held.promise;
  };
  await l.clock.advance(MINUTE_MS);
  const most = under;
  held.resolve(DONE);
  assert.is(most, 2);
});

/** Counts how often it is asked for one. */
class CountingLedger extends RefundLedger {
  gets = 0;

  override get(refundId: string): Refund {
    this.gets += 1;
    return super.get(refundId);
  }
}

it('a question that waited while the bank reported the outcome is not asked any more', async (l, _bank, orderId) => {
  const ledger = new CountingLedger(l.ledger.book, () => null);
  const held = Promise.withResolvers<RefundReport>();
  const orders: RefundOrder[] = [];
  const refunds = new Refunds({
    clock: l.clock,
    refunds: ledger,
    payments: l.ledger,
    recordRefundedSum: (id, kopecks) => l.payments.recordRefundedSum(id, kopecks),
    banks: {
      ask: async () => null,
      canRefund: async () => true,
      refund: async (_payment, order) => {
        orders.push(order);
        if (!order.isRepeated) throw unreachable();
        return held.promise;
      },
      refundStatus: () => held.promise,
      findRefund: async () => 'unreported' as const,
    },
    deadlineMs: 1000,
    random: () => 0.5,
    log: () => undefined,
    backoff: { minMs: 200, maxMs: 400 },
  });
  const asked = { orderId, tillId: 'a', amount: 400 };
  assert.is((await refunds.refund(asked)).state, 'unknown');
  const again = refunds.refund(asked); // holds the turn
  await until('the bank', () => orders.length === 2);
  const gets = ledger.gets;
  await until('the question that waits', () => ledger.gets > gets);
  held.resolve(DONE);
  assert.is((await again).state, 'done');
  await refunds.close(); // waits for all that has begun
  assert.equal([orders.length, ledger.get(orders[0]?.refundId ?? '').state], [2, 'done']);
});

test("the bank's refund id follows from payment and till's id, even after the ledger is lost", async () => {
  const bank = new RefundingBank();
  await onLane(
    async (l) => {
      bank.refundAnswers = [{ state: 'refused', bankRefundId: null, reason: 'no' }];
      const [one = '', other = ''] = [await pay(l), await pay(l)];
      for (const [orderId, tillId] of [
        [one, 'a'],
        [one, 'a'],
        [other, 'a'],
        [one, 'b'],
      ] as const) {
        await l.refunds.refund({ orderId, tillId, amount: 400 });
        l.db.exec('DELETE FROM refunds');
      }
      const [first, again, ofAnother, another] = bank.orders.map(({ refundId }) => refundId);
      assert.is(first, again);
      assert.is(new Set([first, ofAnother, another]).size, 3);
    },
    { bank },
  )();
});

for (const [amount, reported] of [
  [1000, { refunded: 1000 }],
  [300, { isGoingBack: true }],
] as const)
  test(`our refund of ${amount} in an earlier answer is no money returned by the bank itself`, async () => {
    const bank = new RefundingBank();
    await onLane(
      async (l) => {
        await l.showQR(1000, { purpose: 'first' });
        const orderId = bank.registered[0]?.orderId ?? '';
        bank.beSilent();
        const answerOfBefore = bank.release;
        const { questions } = bank;
        await until('the question', () => bank.questions > questions);
        bank.beSilent();
        bank.release();
        bank.verdicts.set(l.bankId(0), 'accepted');
        bank.allowCancel('already-paid');
        await l.payments.cancel(orderId); // which asks the bank, and tells no till
        assert.is(l.ledger.find(orderId)?.status.state, 'ACCEPTED');
        await l.refunds.refund({ orderId, tillId: 'a', amount });
        bank.reported = reported;
        answerOfBefore();
        l.clock.now += MINUTE_MS;
        await settled();
        const payment = l.ledger.find(orderId);
        assert.equal([payment?.status.failure, payment?.refunded], [null, amount]);
      },
      { bank },
    )();
  });

test.run();
