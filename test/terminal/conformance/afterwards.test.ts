/** What every bank must do once a code is shown: take it out of use, give money back, be asked by another certificate. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError, type RefundOrder, type RefundReport } from '../../../firmware/terminal/banks/bank.ts';
import type { PaymentRow } from '../../../firmware/terminal/ledger/payment-row.ts';
import { bankError } from '../banks/support.ts';
import { NO_POLLS, refusal, until } from '../harness.ts';
import { CONFORMING, type ConformingBank } from './banks.ts';
import { onRig, type Rig } from './rig.ts';

const LIMITS = { deadlineMs: 10_000, closing: new AbortController().signal };

async function paid({ show, payer, ends, rows }: Rig, kopecks = 0): Promise<PaymentRow> {
  await show(kopecks);
  payer('pay');
  await ends('ACCEPTED');
  const [row] = rows();
  if (row === undefined) throw new Error('there is no payment');
  return row;
}

const orderOf = ({ ref, orderId, trxId, amount }: PaymentRow, changes: Partial<RefundOrder> = {}): RefundOrder => ({
  ref: ref ?? { id: '' },
  orderId,
  trxId,
  paid: amount,
  refundedBefore: 0,
  refundId: 'refund-1',
  amount,
  bankRefundId: null,
  isRepeated: false,
  ...changes,
});

/** Asks until the refund is no longer under way. */
async function settled({ pool, pass }: Rig, payment: PaymentRow, order: RefundOrder): Promise<RefundReport> {
  let report = await pool.refund(payment, order, LIMITS);
  await until('the end of the refund', async () => {
    if (report.state !== 'pending') return true;
    pass(6);
    report = await pool.refundStatus(payment, { ...order, bankRefundId: report.bankRefundId }, LIMITS);
    return report.state !== 'pending';
  });
  return report;
}

type Test = ReturnType<typeof suite>;

function replacedCodes(test: Test, bank: ConformingBank): void {
  test(
    'another sale takes the code out of use where the bank can, and else it is followed: nobody pays twice unheard',
    onRig(
      bank,
      async ({ show, rows, book }) => {
        await show();
        await show(0, 500);
        const [first, second] = book();
        assert.is(first?.state, bank.cancels ? 'cancelled' : 'open');
        assert.is(second?.state, 'open');
        assert.equal(
          rows().map(({ status }) => [status.state, status.withdrawn]),
          [
            [bank.cancels ? 'CANCELED' : 'PENDING', bank.cancels],
            ['PENDING', false],
          ],
        );
      },
      { pacing: NO_POLLS },
    ),
  );

  test(
    'what was paid before it is taken out of use is told to the till, and not given back',
    onRig(
      bank,
      async ({ show, rows, book, payer }) => {
        await show();
        payer('pay');
        assert.is((await refusal(show(0, 500))).member, 'PreviousPaid');
        assert.equal(
          rows().map(({ status }) => status.state),
          ['ACCEPTED'],
        );
        assert.equal(
          book().map(({ charges, refunded }) => [charges, refunded]),
          [[1, 0]],
        );
      },
      { pacing: NO_POLLS },
    ),
  );
}

function cancellations(test: Test, bank: ConformingBank): void {
  test(
    'paid in the very moment of its cancellation: ACCEPTED, told or given back as the bank has it, and never CANCELED',
    onRig(
      bank,
      async ({ show, rows, book }) => {
        await show(21);
        await show(0, 500).catch(() => undefined);
        const [row] = rows();
        const [booked] = book();
        assert.is(row?.status.state, 'ACCEPTED');
        assert.equal([booked?.charges, row?.refunded], [1, booked?.refunded]);
      },
      { pacing: NO_POLLS },
    ),
  );

  test(
    'a cancellation whose answer is lost: the next question tells what has become of the code',
    onRig(bank, async ({ show, rows, ends, book }) => {
      await show(26);
      await show(0, 500);
      assert.is(book()[0]?.state, 'cancelled');
      await ends('CANCELED');
      assert.is(rows().length, 2);
    }),
  );
}

function noRefunds(test: Test, bank: ConformingBank): void {
  test(
    'a refund is refused in words',
    onRig(bank, async (rig) => {
      const payment = await paid(rig);
      await bankError('refused', rig.pool.refund(payment, orderOf(payment), LIMITS));
    }),
  );
}

function refunds(test: Test, bank: ConformingBank): void {
  test(
    'a refund of the whole, asked for twice, gives the money back once',
    onRig(bank, async (rig) => {
      const payment = await paid(rig);
      const order = orderOf(payment);
      const report = await settled(rig, payment, order);
      assert.is(report.state, 'done');
      const again = await rig.pool.refund(
        payment,
        { ...order, isRepeated: true, bankRefundId: report.bankRefundId },
        LIMITS,
      );
      assert.is.not(again.state, 'refused');
      assert.equal(
        rig.book().map(({ refunded }) => refunded),
        [payment.amount],
      );
    }),
  );

  test(
    'two refunds of parts are two; more than was paid is refused',
    onRig(bank, async (rig) => {
      const payment = await paid(rig);
      const [one, other] = [3000, 2000];
      assert.is((await settled(rig, payment, orderOf(payment, { amount: one }))).state, 'done');
      const second = orderOf(payment, { amount: other, refundId: 'refund-2', refundedBefore: one });
      assert.is((await settled(rig, payment, second)).state, 'done');
      assert.equal(
        rig.book().map(({ refunded }) => refunded),
        [one + other],
      );
      const tooMuch = orderOf(payment, { refundId: 'refund-3', refundedBefore: one + other });
      const outcome = await rig.pool.refund(payment, tooMuch, LIMITS).catch((error: unknown) => error);
      assert.ok(outcome instanceof Error || (outcome as RefundReport).state === 'refused');
      assert.equal(
        rig.book().map(({ refunded }) => refunded),
        [one + other],
      );
    }),
  );

  test(
    'a refund whose answer is lost is not made twice by the call that repeats it',
    onRig(bank, async (rig) => {
      const payment = await paid(rig);
      rig.spoil({ call: 'refund', kind: 'drop' });
      const order = orderOf(payment);
      const lost = await rig.pool.refund(payment, order, LIMITS).catch((error: unknown) => error);
      rig.spoil();
      const bankRefundId = lost instanceof Error ? null : (lost as RefundReport).bankRefundId;
      const again = await settled(rig, payment, { ...order, bankRefundId, isRepeated: true });
      assert.is(again.state, 'done');
      assert.equal(
        rig.book().map(({ refunded }) => refunded),
        [payment.amount],
      );
    }),
  );

  test(
    'a refund that the bank refuses leaves the money where it is',
    onRig(bank, async (rig) => {
      const payment = await paid(rig, 18);
      const outcome = await settled(rig, payment, orderOf(payment)).catch((error: unknown) => error);
      assert.ok(outcome instanceof Error || (outcome as RefundReport).state === 'refused');
      assert.equal(
        rig.book().map(({ refunded }) => refunded),
        [0],
      );
    }),
  );

  test(
    'a refund that takes its time is pending, then done',
    onRig(bank, async (rig) => {
      const payment = await paid(rig, 19);
      const order = orderOf(payment);
      const told = await settled(rig, payment, order).catch((error: unknown) => error);
      // a gateway without a word for it tells nothing, until it is sent again
      const isUntold = told instanceof BankError && told.code === 'unreachable';
      if (isUntold) rig.pass(6);
      const last = isUntold ? await settled(rig, payment, { ...order, isRepeated: true }) : (told as RefundReport);
      assert.is(last.state, 'done');
      assert.equal(
        rig.book().map(({ refunded }) => refunded),
        [payment.amount],
      );
    }),
  );
}

for (const bank of CONFORMING) {
  const test = suite(`conformance, afterwards: ${bank.title}`);
  replacedCodes(test, bank);
  if (bank.cancels) cancellations(test, bank);
  if (bank.refunds) refunds(test, bank);
  else noRefunds(test, bank);
  test.run();
}
