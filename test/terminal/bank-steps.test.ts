/** What banks report beyond a verdict: steps of a registration, transactions, outcomes of a cancellation. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError } from '../../firmware/banks/bank-error.ts';
import { type BankRef, UNREPORTED } from '../../firmware/banks/bank-payment.ts';
import { paymentProblems } from '../../firmware/payments/health.ts';
import type { PaymentRow } from '../../firmware/payments/model/payment-row.ts';
import { csvLine } from '../../firmware/payments/reports/papers/export.ts';
import { each } from '../support.ts';
import {
  ended,
  type Lane,
  onLane,
  openLane,
  pastTheEnd,
  refusal,
  registered,
  report,
  states,
  unreachable,
  until,
} from './harness.ts';
import { paymentsAfter } from './ledger-rows.ts';

const test = suite('terminal: what banks report beyond a verdict');
const it = each(test, onLane);

const rowOf = ({ ledger }: Lane, n: number): PaymentRow => {
  const row = paymentsAfter(ledger, 0, 100)[n];
  if (row === undefined) throw new Error(`there is no payment ${n}`);
  return row;
};

/** A bank that returns the code with a second call, which fails as the test says, and finds orders by our id. */
function takeTwoSteps({ bank }: Lane, failure: () => Error | null): void {
  const whole = bank.begin.bind(bank);
  const refs = new Map<string, BankRef>();
  bank.begin = async (order) => {
    const { ref } = await whole(order);
    refs.set(order.orderId, ref);
    return { ref, code: null };
  };
  bank.find = async ({ orderId, amount }) => {
    const ref = refs.get(orderId);
    if (ref === undefined) return null;
    return {
      ref,
      report: { ...UNREPORTED, verdict: 'pending', ids: [ref.id], amounts: [amount], orderIds: [orderId] },
    };
  };
  bank.code = async (ref, { orderId }) => {
    const error = failure();
    if (error !== null) throw error;
    const payload = `https://pay.example/${orderId}`;
    return { ref: { ...ref, qr: 'Q' }, code: { payload, linkId: null, isPage: true } };
  };
}

it('a code that comes in a second step costs no more commits: the first step is kept with it', async (l) => {
  const head = () => l.ledger.book.head;
  const commitsOf = async (amount: number): Promise<number> => {
    const before = head();
    await l.showQR(amount);
    return head() - before;
  };
  await l.showQR(50);
  const inOne = await commitsOf(60);
  takeTwoSteps(l, () => {
    assert.equal([rowOf(l, 2).ref, rowOf(l, 2).status.seen], [null, false]);
    return null;
  });
  assert.is(await commitsOf(100), inOne);
  assert.equal([rowOf(l, 2).ref, rowOf(l, 2).status.seen], [{ id: l.bankId(2), qr: 'Q' }, true]);
});

it('a payment whose code never came is taken back at the bank, and is an error', async (l) => {
  l.bank.allowCancel();
  takeTwoSteps(l, () => new BankError('refused', 'no code today'));
  assert.match((await refusal(l.showQR(100))).message, /no code today/);
  assert.equal(l.bank.canceled, [l.bankId(0)]);
  assert.equal(states(l), ['100 ERROR']);
});

test('a process that ends between two steps leaves an unseen ERROR, found by our id, taken back', async () => {
  const before = await openLane();
  const { promise, resolve } = Promise.withResolvers<null>();
  takeTwoSteps(before, () => null);
  before.bank.code = async () => {
    await promise;
    throw new BankError('unreachable', 'the process is gone');
  };
  const call = before.showQR(100).catch(() => undefined);
  await registered(before);
  const { bank, clock, db } = before;
  bank.allowCancel();
  const after = await openLane({ bank, clock, db });
  await until('its end', () => rowOf(after, 0).status.state === 'ERROR');
  assert.equal(rowOf(after, 0).ref, { id: before.bankId(0) });
  assert.not(rowOf(after, 0).status.seen);
  assert.equal(bank.canceled, [before.bankId(0)]);
  resolve(null);
  await call;
  await Promise.all([before.stop(), after.stop()]);
});

it('what the bank reports of the money is in ledger and export; what it reported once stays', async (l) => {
  await l.showQR(100);
  l.bank.reported = { trxId: 'A000', paidAt: Date.parse('2026-11-20T09:30:00Z'), refunded: 40 };
  await report(l, 'accepted');
  const payment = rowOf(l, 0);
  assert.equal([payment.trxId, payment.paidAt, payment.refunded], ['A000', Date.parse('2026-11-20T09:30:00Z'), 40]);
  const line = csvLine({ id: 1, payment, isDamaged: false }, () => []);
  assert.ok(line.includes(',A000,2026-11-20T09:30:00.000Z,40,'), line);
  l.ledger.setTransaction(payment.orderId, { ...UNREPORTED, refunded: 10 });
  assert.equal(rowOf(l, 0).refunded, 40, 'money that has gone back does not come again');
  assert.is(rowOf(l, 0).trxId, 'A000');
});

it('the state of another order is no state of this one', async (l) => {
  await l.showQR(100);
  l.bank.reported = { orderIds: ['another'] };
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await until('an answer', () => l.payments.status().failure !== null);
  assert.is(l.payments.status().status, 'PENDING');
  assert.match(l.payments.status().failure?.message ?? '', /another order/);
  l.bank.reported = { orderIds: [rowOf(l, 0).orderId] };
  await ended(l, 'ACCEPTED');
});

it('given back instead of withdrawn: ACCEPTED and refunded, not CANCELED; no till reads paid', async (l) => {
  l.bank.allowCancel('refunded');
  await l.showQR(100);
  await l.showQR(200);
  assert.equal(states(l), ['100 ACCEPTED', '200 PENDING']);
  const { status, refunded } = rowOf(l, 0);
  assert.equal(
    { late: status.late, unreported: status.unreported, refunded },
    { late: true, unreported: false, refunded: 100 },
  );
  const [problem] = paymentProblems(l, l.clock);
  assert.match(String(problem), /paid late, .*1,00.*, refunded/);
});

for (const [what, lose, reported] of [
  ['whose answer is lost', true, { refunded: 100 }],
  ['that a question overtakes', false, { refunded: 100 }],
  ['whose answer is lost, the money on its way', true, { isGoingBack: true }],
] as const) {
  it(`a cancellation ${what}: a refund, never read as paid`, async (l) => {
    await l.showQR(100);
    l.bank.cancel = async () => {
      l.bank.reported = reported;
      l.bank.verdicts.set(l.bankId(0), 'accepted');
      if (lose) throw unreachable();
      return 'already-paid';
    };
    await l.showQR(200);
    assert.equal(states(l), ['100 ACCEPTED', '200 PENDING']);
    const { status, refunded } = rowOf(l, 0);
    assert.equal(
      { late: status.late, unreported: status.unreported, refunded },
      { late: true, unreported: false, refunded: 100 },
    );
    assert.not(l.display.drawn.some((picture) => picture.kind === 'status' && picture.status === 'success'));
  });
}

it('refunded before a till heard of it: an error to the till, after a restart and a look too', async (l) => {
  await l.showQR(100);
  l.bank.reported = { refunded: 100, trxId: 'A1' };
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await until('its end', () => rowOf(l, 0).status.state === 'ACCEPTED');
  for (let n = 0; n < 2; n += 1) {
    const last = l.payments.status();
    assert.is(last.status, 'ERROR');
    assert.match(last.failure?.message ?? '', /gives all of it back.*nothing is paid/);
    l.payments.markHandled(last);
    assert.is(rowOf(l, 0).status.late, n === 0, 'only a person ends the notice');
    l.payments.acknowledge(rowOf(l, 0).orderId, null);
  }
  assert.not(l.display.drawn.some((picture) => picture.kind === 'status'));
});

it('what the bank reports of the money before the end of a payment is kept, too', async (l) => {
  await l.showQR(100);
  l.bank.reported = { trxId: 'A2' };
  await until('its transaction', () => rowOf(l, 0).trxId === 'A2');
  assert.is(rowOf(l, 0).status.state, 'PENDING');
});

it('a registration that contradicts itself is not cancelled: another lane may have it', async (l) => {
  l.bank.allowCancel();
  takeTwoSteps(l, () => new BankError('contradiction', 'another order'));
  await refusal(l.showQR(100));
  assert.equal(l.bank.canceled, []);
});

it('a declined payment that is being paid after the end of its code holds the same sale back', async (l) => {
  await l.showQR(100, { ttl: 1 });
  await report(l, 'rejected');
  pastTheEnd(l, 1);
  l.bank.verdicts.set(l.bankId(0), 'processing');
  assert.is((await refusal(l.showQR(100))).member, 'PreviousOpen');
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
});

test.run();
