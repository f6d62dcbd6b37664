/** What every bank must do, over HTTP beside a sandbox bank that speaks its interface: payments and their ends. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PACING, refusal, until } from '../harness.ts';
import { CONFORMING, type ConformingBank } from './banks.ts';
import { onRig } from './rig.ts';

const MINUTE_S = 60;
const GRACE_S = PACING.graceMs / 1000;

type Test = ReturnType<typeof suite>;

function endsOfPayments(test: Test, bank: ConformingBank): void {
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
    'late: a payment that the bank accepts after the end of its code is ACCEPTED all the same',
    onRig(bank, async ({ show, rows, pass, ends }) => {
      await show(2);
      pass(lifeS + 1);
      pass(3);
      await ends('ACCEPTED');
      assert.is(rows()[0]?.status.state, 'ACCEPTED');
    }),
  );

  test(
    'late after CANCELED: the next call for the same is refused once, and the payment is pointed out',
    onRig(bank, async ({ show, rows, pass, ends }) => {
      await show(17);
      pass(lifeS + 4);
      await until('a bank that calls it expired, or nothing', () => rows()[0]?.status.state !== 'REJECTED');
      pass(2);
      await ends('ACCEPTED');
    }),
  );
}

function troublesOnTheWay(test: Test, bank: ConformingBank): void {
  test(
    'slow: answers are waited for',
    onRig(bank, async ({ show, payer, spoil, ends }) => {
      spoil(...(['register', 'code', 'state'] as const).map((call) => ({ call, kind: 'delay', ms: 100 }) as const));
      await show();
      payer('pay');
      await ends('ACCEPTED');
    }),
  );

  test(
    'slower than a till waits (30 s): the call fails, nothing is shown, nothing is taken',
    onRig(
      bank,
      async ({ lane, show, rows, book, spoil }) => {
        spoil({ call: 'register', kind: 'delay', times: 10, ms: 30_000 });
        assert.is((await refusal(show())).member, 'Unreachable');
        assert.equal(
          rows().map(({ status }) => status.state),
          ['ERROR'],
        );
        assert.is.not(lane.screen.picture.kind, 'qr');
        assert.ok(book().every(({ charges }) => charges === 0));
      },
      { pacing: { bankDeadlineMs: 700 } },
    ),
  );

  for (const [what, faults] of [
    ['429 with Retry-After', [{ kind: 'too-many', retryAfterS: 0 }]],
    ['429 without Retry-After', [{ kind: 'too-many-untimed' }]],
    ['500', [{ kind: 'error' }]],
    ['a connection that is reset', [{ kind: 'drop-before' }]],
    ['half an answer', [{ kind: 'half' }]],
  ] as const) {
    test(
      `${what}, once for each call: the payment goes on, and is taken once`,
      onRig(bank, async ({ show, payer, book, spoil, ends, rows }) => {
        spoil(
          ...faults.flatMap((fault) => (['register', 'code', 'state'] as const).map((call) => ({ call, ...fault }))),
        );
        await show();
        payer('pay');
        await ends('ACCEPTED');
        assert.equal(rows().length, 1);
        assert.is(
          book().reduce((sum, { charges }) => sum + charges, 0),
          1,
        );
      }),
    );
  }

  test(
    'a lost answer to the registration: the payment is found, or nobody sees the code that was left behind',
    onRig(bank, async ({ show, payer, book, spoil, ends, rows }) => {
      spoil({ call: 'register', kind: 'drop' });
      await show();
      payer('pay');
      await ends('ACCEPTED');
      const made = book();
      if (bank.findsLost) assert.is(made.length, 1, 'the bank has one payment');
      assert.equal(
        made.filter(({ charges }) => charges > 0).map(({ link }) => link),
        [rows()[0]?.payload],
      );
    }),
  );
}

function contradictions(test: Test, bank: ConformingBank): void {
  test(
    'a wrong amount is never ACCEPTED, and never drawn where the state does not tell it',
    onRig(bank, async ({ lane, show, payer, spoil, rows, ends }) => {
      if (!bank.tellsAmount) {
        spoil({ call: 'register', kind: 'other-amount' });
        assert.is((await refusal(show())).member, 'Contradiction');
        assert.is.not(lane.screen.picture.kind, 'qr');
        return;
      }
      await show();
      spoil({ call: 'state', kind: 'other-amount', times: 1_000_000 });
      payer('pay');
      await until('the contradiction', () => lane.payments.status().failure !== null);
      assert.is(rows()[0]?.status.state, 'PENDING');
      assert.match(lane.payments.status().failure?.message ?? '', /another amount/);
      spoil();
      await ends('ACCEPTED');
    }),
  );

  for (const kind of ['other-payment', ...(bank.tellsOrder ? (['other-order'] as const) : [])] as const) {
    test(
      `the state of ${kind === 'other-order' ? 'another order' : 'another payment'} says nothing of this one`,
      onRig(bank, async ({ lane, show, payer, spoil, rows, ends }) => {
        await show();
        spoil({ call: 'state', kind, times: 1_000_000 });
        payer('pay');
        await until('the contradiction', () => lane.payments.status().failure !== null);
        assert.is(rows()[0]?.status.state, 'PENDING');
        assert.match(lane.payments.status().failure?.message ?? '', /another (?:payment|order)/);
        spoil();
        await ends('ACCEPTED');
      }),
    );
  }

  test(
    'the id of an earlier payment for another one is a contradiction, and the first payment is as it was',
    onRig(bank, async ({ show, payer, spoil, rows, ends, book }) => {
      await show();
      payer('pay');
      await ends('ACCEPTED');
      spoil({ call: 'register', kind: 'duplicate', times: 10 });
      assert.is((await refusal(show(0, 500))).member, 'Contradiction');
      assert.equal(
        rows().map(({ status }) => status.state),
        ['ACCEPTED', 'ERROR'],
      );
      assert.is(
        book().reduce((sum, { charges }) => sum + charges, 0),
        1,
      );
    }),
  );

  test(
    'answers out of order: ACCEPTED stays, whatever an older answer says after it',
    onRig(bank, async ({ show, rows, pass, ends }) => {
      await show(14);
      pass(3);
      await ends('ACCEPTED');
      assert.is(rows()[0]?.status.late, false);
    }),
  );
}

function refusedCredentials(test: Test, bank: ConformingBank): void {
  test(
    'a refused credential is told in words, without the secret, and nothing is drawn',
    onRig(bank, async ({ lane, show, spoil }) => {
      spoil({ call: 'register', kind: 'denied', times: 10 });
      const error = await refusal(show());
      assert.is(error.member, 'Refused');
      assert.not.match(error.message, /made-up-secret/);
      assert.is.not(lane.screen.picture.kind, 'qr');
    }),
  );

  test(
    'a credential that is taken no more is known as such, so that another profile of the merchant may be tried; the payment stays open',
    onRig(bank, async ({ show, spoil, payer, rows, ends, pool, profile }) => {
      await show();
      spoil({ call: 'state', kind: 'denied', times: 1000 });
      payer('pay');
      await until('the denial', () => pool.health(profile()).unauthorized !== null);
      assert.is(rows()[0]?.status.state, 'PENDING');
      spoil();
      await ends('ACCEPTED');
    }),
  );
}

for (const bank of CONFORMING) {
  const test = suite(`conformance: ${bank.title}`);
  endsOfPayments(test, bank);
  troublesOnTheWay(test, bank);
  contradictions(test, bank);
  refusedCredentials(test, bank);
  test.run();
}
