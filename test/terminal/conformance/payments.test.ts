/** What every bank must do, over HTTP beside a sandbox bank that speaks its interface: payments and their ends. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_POLLS, PACING, until } from '../harness.ts';
import { CONFORMING, type ConformingBank } from './banks.ts';
import { onRig } from './rig.ts';

const MINUTE_S = 60;
const GRACE_S = PACING.graceMs / 1000;

type Test = ReturnType<typeof suite>;

function conform(test: Test, bank: ConformingBank): void {
  const lifeS = bank.ttl * MINUTE_S;

  test(
    'pay: the code is shown once it is in the ledger, and ACCEPTED is what the bank took, once',
    onRig(bank, async ({ show, rows, book, payer, ends }) => {
      await show();
      const [shown] = rows();
      assert.equal([shown?.status.state, shown?.status.seen], ['PENDING', true]);
      payer('pay');
      await ends('ACCEPTED');
      const [paid] = rows();
      const [booked] = book();
      assert.equal([booked?.amount, booked?.charges, booked?.state], [paid?.amount, 1, 'paid']);
      assert.equal([paid?.status.late, paid?.refunded], [false, 0]);
      assert.is(paid?.payload, booked?.link);
    }),
  );

  test(
    'decline: REJECTED, and nothing was taken',
    onRig(bank, async ({ show, book, payer, ends }) => {
      await show();
      payer('decline');
      await ends('REJECTED');
      assert.equal(
        book().map(({ charges }) => charges),
        [0],
      );
    }),
  );

  test(
    'expiry: the code lives at the bank as long as the ledger says, and CANCELED comes after it',
    onRig(bank, async ({ show, rows, book, pass, ends }) => {
      await show();
      pass(lifeS - 5);
      assert.equal(
        book().map(({ state }) => state),
        ['open'],
      );
      assert.is(rows()[0]?.status.state, 'PENDING');
      pass(10 + GRACE_S);
      assert.equal(
        book().map(({ state }) => state),
        ['expired'],
      );
      await ends('CANCELED');
    }),
  );

  test(
    'another sale takes the code out of use where the bank can, and else it is followed: no second payment goes unreported',
    onRig(
      bank,
      async ({ show, rows, book }) => {
        await show();
        await show(0, 500);
        assert.equal(
          book().map(({ state }) => state),
          [bank.cancels ? 'cancelled' : 'open', 'open'],
        );
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

  if (bank.cancels)
    test(
      'paid in the very moment of its cancellation: ACCEPTED, reported or refunded as the bank has it, and never CANCELED',
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

  if (bank.refunds)
    test(
      'a refund of the whole whose answer is lost gives the money back once',
      onRig(bank, async ({ show, rows, book, payer, ends, spoil, lane, pass }) => {
        await show();
        payer('pay');
        await ends('ACCEPTED');
        const [payment] = rows();
        spoil({ call: 'refund', kind: 'drop' });
        const asked = { orderId: payment?.orderId ?? '', tillId: 'a', amount: null };
        await lane.refunds.refund(asked);
        spoil();
        await until('its end', async () => {
          pass(6);
          return (await lane.refunds.refund(asked)).state === 'done';
        });
        assert.equal(
          book().map(({ refunded }) => refunded),
          [payment?.amount],
        );
        assert.is(rows()[0]?.refunded, payment?.amount);
      }),
    );
}

for (const bank of CONFORMING) {
  const test = suite(`conformance: ${bank.title}`);
  conform(test, bank);
  test.run();
}
