/** A till cancels a payment: the outcomes that the bank returns, and the status after each. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CancelOutcome } from '../../firmware/banks/bank-payment.ts';
import { BankPool } from '../../firmware/banks/bank-pool.ts';
import { each } from '../support.ts';
import { poolOf, TestBanks } from './banks/pools.ts';
import {
  codes,
  ended,
  HandClock,
  type Lane,
  NO_POLLS,
  onLane,
  refusal,
  registered,
  states,
  TestBank,
  unreachable,
  until,
} from './harness.ts';

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

it('withdrawn: it can no longer be paid; the code leaves the display, the status is CANCELED', async (l, orderId) => {
  l.bank.allowCancel();
  const { outcome, payment } = await l.payments.cancel(orderId);
  assert.equal([outcome, payment.status.state, payment.status.withdrawn], ['withdrawn', 'CANCELED', true]);
  assert.equal([l.view.shown, l.payments.status().status], [null, 'CANCELED']);
  assert.is((await l.payments.cancel(orderId)).outcome, 'withdrawn');
  assert.is(l.bank.canceled.length, 1, 'the bank is asked once');
});

it('already paid: the status says ACCEPTED, and it is for a look until a till has read so', async (l, orderId) => {
  l.bank.allowCancel('already-paid');
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  const { outcome, payment } = await l.payments.cancel(orderId);
  assert.equal([outcome, payment.status.state, payment.status.late], ['already-paid', 'ACCEPTED', true]);
  l.payments.markHandled(l.payments.status());
  assert.is(l.ledger.queries.lateCount(), 0);
  assert.is((await l.payments.cancel(orderId)).outcome, 'already-paid');
});

it('refunded by the cancellation: paid and gone back, to be looked into, and never CANCELED', async (l, orderId) => {
  l.bank.allowCancel('refunded');
  const { outcome, payment } = await l.payments.cancel(orderId);
  assert.equal([outcome, payment.status.state, payment.refunded], ['refunded', 'ACCEPTED', 1000]);
  assert.is(l.ledger.queries.lateCount(), 1);
  const again = await l.payments.cancel(orderId);
  l.payments.markHandledBy(null, again.payment);
  assert.equal(
    { outcome: again.outcome, lateCount: l.ledger.queries.lateCount(), canceled: l.bank.canceled.length },
    { outcome: 'refunded', lateCount: 1, canceled: 1 },
  );
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
  it(`${name}: the code is off, and the payment followed to its end`, async (l, orderId) => {
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

it('a bank that does not answer: unknown; one that refuses since it was paid: reported as paid', async (l, orderId) => {
  l.bank.cancel = async (): Promise<CancelOutcome> => {
    throw unreachable();
  };
  assert.is((await l.payments.cancel(orderId)).outcome, 'unknown');
  assert.equal(states(l), ['1000 PENDING']);
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  assert.is((await l.payments.cancel(orderId)).outcome, 'already-paid');
});

/** A silent bank, and how long it is given, ms. */
class SilentPool extends BankPool {
  /** What it says where it is not silent. */
  outcome: CancelOutcome | null = null;
  readonly cancels: number[] = [];
  readonly questions: number[] = [];
  readonly bank: TestBank;

  constructor() {
    const bank = new TestBank();
    super(...poolOf(new HandClock(), () => [], new TestBanks(async () => bank)));
    this.bank = bank;
  }

  override async cancel(...[, { deadlineMs }]: Parameters<BankPool['cancel']>): Promise<CancelOutcome> {
    this.cancels.push(deadlineMs);
    if (this.outcome === null) throw unreachable();
    return this.outcome;
  }

  override async ask(...[, { deadlineMs }]: Parameters<BankPool['ask']>): Promise<null> {
    this.questions.push(Math.ceil(deadlineMs / 1000) * 1000); // some of it may have passed
    throw unreachable();
  }
}

test('a silent bank has 10 s to cancel, 3 s where a code is cleared or replaced, 3 s to report', async () => {
  const pool = new SilentPool();
  const real = { pool, profile: { bankName: 'Sandbox' } } as const;
  await onLane(
    async (l) => {
      await l.showQR(1000);
      assert.is((await l.payments.cancel(l.ledger.last()?.orderId ?? '')).outcome, 'unknown');
      assert.equal([pool.cancels.splice(0), pool.questions.splice(0)], [[10_000], [3000]]);
      await l.showQR(2000);
      await l.showQR(3000);
      assert.ok(pool.cancels.splice(0).every((ms) => ms <= 3000));
      pool.questions.length = 0;
      await l.terminal.clearScreen();
      await until('it is asked about', () => pool.questions.length > 0);
      assert.equal([pool.cancels.splice(0), pool.questions.splice(0)], [[3000], [3000]]);
      pool.outcome = 'already-paid';
      await l.payments.cancel(l.ledger.last()?.orderId ?? '');
      assert.equal([pool.cancels.splice(0), pool.questions], [[10_000], [3000]]);
      l.bank.hold();
      const call = refusal(l.showQR(4000));
      await registered(l, 4);
      await l.terminal.clearScreen();
      pool.cancels.length = 0;
      l.bank.release();
      await call;
      assert.equal(pool.cancels, [3000], 'a code that is not shown');
    },
    { bank: pool.bank, real, pacing: NO_POLLS },
  )();
});

test('a static code cannot be cancelled, and an unknown payment is not found', async () => {
  await onLane(async (l) => {
    await l.showStatic('https://pay.example/static');
    assert.is((await l.payments.cancel(l.ledger.last()?.orderId ?? '')).outcome, 'not-possible');
    assert.is((await refusal(l.payments.cancel('unknown'))).member, 'NotFound');
  })();
});

test('a cancellation waits for the call that shows the code; the next call shows another code', async () => {
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
