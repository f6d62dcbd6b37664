/** A till cancels a payment: the outcomes that the bank returns, and the status after each. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CancelOutcome } from '../../firmware/terminal/banks/bank.ts';
import { each } from '../support.ts';
import { codes, ended, type Lane, NO_POLLS, onLane, refusal, registered, states, unreachable } from './harness.ts';

const test = suite('terminal: a payment that the till cancels');

const shown = (run: (lane: Lane, orderId: string) => Promise<void>) =>
  onLane(
    async (l) => {
      await l.showQR(1000);
      await run(l, l.bank.registered[0]?.orderId ?? '');
    },
    { pacing: NO_POLLS },
  );
const it = each(test, shown);

it('withdrawn: it can no longer be paid, the code is off the display, and the status is CANCELED', async (l, orderId) => {
  l.bank.allowCancel();
  const { outcome, payment } = await l.payments.cancel(orderId);
  assert.equal([outcome, payment.status.state, payment.status.withdrawn], ['withdrawn', 'CANCELED', true]);
  assert.equal([l.view.shown, l.payments.status().status], [null, 'CANCELED']);
  assert.is((await l.payments.cancel(orderId)).outcome, 'withdrawn');
  assert.is(l.bank.canceled.length, 1, 'the bank is asked once');
});

it('already paid: the status says ACCEPTED, and somebody looks into it until a till has read so', async (l, orderId) => {
  l.bank.allowCancel('already-paid');
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  const { outcome, payment } = await l.payments.cancel(orderId);
  assert.equal([outcome, payment.status.state, payment.status.late], ['already-paid', 'ACCEPTED', true]);
  l.payments.isRead(l.payments.status());
  assert.is(l.ledger.lateCount(), 0);
  assert.is((await l.payments.cancel(orderId)).outcome, 'already-paid');
});

it('refunded by the cancellation: paid and gone back, to be looked into, and never CANCELED', async (l, orderId) => {
  l.bank.allowCancel('refunded');
  const { outcome, payment } = await l.payments.cancel(orderId);
  assert.equal([outcome, payment.status.state, payment.refunded], ['refunded', 'ACCEPTED', 1000]);
  assert.is(l.ledger.lateCount(), 1);
  const again = await l.payments.cancel(orderId);
  l.payments.isReadBy(null, again.payment);
  assert.equal([again.outcome, l.ledger.lateCount(), l.bank.canceled.length], ['refunded', 1, 1]);
  assert.is((await refusal(l.refunds.refund({ orderId, tillId: 'a', amount: null }))).member, 'NotRefundable');
});

it('an error that is none of the bank is not taken for its answer', async (l, orderId) => {
  l.bank.cancel = async () => {
    throw new TypeError('not of the bank');
  };
  const failure = await l.payments.cancel(orderId).catch((error: unknown) => error);
  assert.instance(failure, TypeError);
});

for (const [name, prepare] of Object.entries<(l: Lane) => void>({
  'a bank that cannot': () => undefined,
  'a bank that says that it cannot': (l) => l.bank.allowCancel('not-possible'),
})) {
  it(`${name}: the code is off the display, and the payment is followed to its end`, async (l, orderId) => {
    prepare(l);
    const { outcome, payment } = await l.payments.cancel(orderId);
    assert.equal([outcome, payment.status.state, payment.status.awaited], ['not-possible', 'PENDING', false]);
    assert.is(l.view.shown, null);
    l.bank.allowCancel('already-paid');
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await l.payments.cancel(orderId);
    await ended(l, 'ACCEPTED');
  });
}

it('a bank that does not answer: the outcome is unknown; one that refuses since it has been paid: reported as paid', async (l, orderId) => {
  l.bank.cancel = async (): Promise<CancelOutcome> => {
    throw unreachable();
  };
  assert.is((await l.payments.cancel(orderId)).outcome, 'unknown');
  assert.equal(states(l), [[1000, 'PENDING']]);
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  assert.is((await l.payments.cancel(orderId)).outcome, 'already-paid');
});

test('a static code cannot be cancelled, and an unknown payment is not found', async () => {
  await onLane(async (l) => {
    await l.showStatic('https://pay.example/static');
    assert.is((await l.payments.cancel(l.ledger.last()?.orderId ?? '')).outcome, 'not-possible');
    assert.is((await refusal(l.payments.cancel('unknown'))).member, 'NotFound');
  })();
});

test('a cancellation waits for the call that shows the code, and the next call shows another code', async () => {
  await onLane(
    async (l) => {
      l.bank.allowCancel();
      l.bank.hold();
      const call = l.showQR(1000);
      await registered(l);
      const cancelled = l.payments.cancel(l.bank.registered[0]?.orderId ?? '');
      l.bank.release();
      await call;
      assert.is((await cancelled).outcome, 'withdrawn');
      await l.showQR(1000);
      assert.is(new Set(codes(l.display.drawn)).size, 2);
    },
    { pacing: NO_POLLS },
  )();
});

test.run();
