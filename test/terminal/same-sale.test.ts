/** The same sale asked for once more: one code as long as one may be paid, and never two charges. */
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError } from '../../firmware/terminal/banks/bank.ts';
import { ERROR_TABLE, type TerminalError } from '../../firmware/terminal/errors.ts';
import type { PaymentFailure } from '../../firmware/terminal/payments/payment.ts';
import { until } from '../support.ts';
import {
  codes,
  MINUTE_MS,
  NO_POLLS,
  onLane,
  openLane,
  PACING,
  pastTheEnd,
  refusal,
  registered,
  states,
  TestBank,
  unreachable,
} from './harness.ts';

const test = suite('terminal: the same sale again');

const memberOf = (note: PaymentFailure | null): string | undefined =>
  note === null ? undefined : ERROR_TABLE.Bank.members[note.code];
/** What a bank may do in place of telling a state: not answer, or not make sense. */
const SILENCES = {
  'does not answer': unreachable,
  'answers 404': () => new BankError('refused', 'the bank refused (HTTP 404)'),
  'answers nonsense': () => new BankError('contradiction', 'the bank told no state of the payment'),
} as const;

const quiet = { pacing: NO_POLLS };
const AN_HOUR_MS = 60 * MINUTE_MS;
/** A moment at which less than half of a ttl of five minutes is left. */
const LATER_MS = 2.5 * MINUTE_MS + 1;

for (const [what, silence] of Object.entries(SILENCES)) {
  test(
    `a bank that ${what}: the same sale gets the same code, and nothing is registered`,
    onLane(async (l) => {
      await l.showQR(100, { purpose: 'milk' });
      l.bank.verdicts.set(l.bankId(0), silence());
      const note = await l.showQR(100, { purpose: 'milk' });
      assert.is(memberOf(note), 'SameCode');
      assert.match(note?.message ?? '', /shown again, for 300 s more/);
      assert.is(l.bank.registered.length, 1);
      const [first, second] = codes(l.display.drawn);
      assert.is(first, second);
      assert.is(l.screen.payment, l.bank.registered[0]?.orderId);
    }, quiet),
  );

  test(
    `a bank that ${what}: another sale goes on, and its answer tells that the one before is unknown`,
    onLane(async (l) => {
      await l.showQR(100);
      l.bank.verdicts.set(l.bankId(0), silence());
      const note = await l.showQR(200);
      assert.is(memberOf(note), 'Unreachable');
      assert.match(note?.message ?? '', /100 kopecks/);
      assert.equal(
        l.ledger.after(0, 10).map(({ status }) => [status.state, status.superseded]),
        [
          ['PENDING', true],
          ['PENDING', false],
        ],
      );
    }, quiet),
  );
}

test(
  'another purpose is another sale, and so is another profile',
  onLane(async (l) => {
    await l.showQR(100, { purpose: 'milk' });
    assert.is(await l.showQR(100, { purpose: 'bread' }), null);
    assert.is(await l.showQR(100), null);
    await l.showQR(100, { profileName: 'other' });
    assert.is(l.bank.registered.length, 4);
  }, quiet),
);

test(
  'a profile of the same name that pays somebody else is another sale',
  onLane(async (l) => {
    const payTo = (merchantId: string) =>
      ({ bankName: 'CFT', accAlias: 'a', extEntityId: 'e', merchantId, password: 'made-up' }) as const;
    await l.showQR(100, { profile: payTo('one') });
    await l.showQR(100, { profile: payTo('two') });
    assert.is(l.bank.registered.length, 2);
    await l.showQR(100, { profile: { ...payTo('two'), password: 'renewed' } });
    assert.is(l.bank.registered.length, 2);
  }, quiet),
);

test(
  'a code that the customer is paying just now is shown again too, while it lives',
  onLane(async (l) => {
    await l.showQR(100);
    l.bank.verdicts.set(l.bankId(0), 'processing');
    assert.is(memberOf(await l.showQR(100)), 'SameCode');
    assert.is(l.bank.registered.length, 1);
  }, quiet),
);

test(
  'with half of its time left a code is shown again; with less its end is awaited where the bank cannot take it back',
  onLane(async (l) => {
    await l.showQR(100);
    l.clock.now += LATER_MS - 1;
    assert.is(memberOf(await l.showQR(100)), 'SameCode');
    l.clock.now += 1;
    const drawn = l.display.drawn.length;
    const error = await refusal(l.showQR(100));
    assert.equal([error.status, error.category, error.member], [400, 'Bank', 'PreviousOpen']);
    assert.match(error.message, /100 kopecks/);
    const seconds = Number(/in (\d+) s/.exec(error.message)?.[1]);
    assert.is(seconds, 180, 'the rest of its ttl, and grace');
    assert.is(l.bank.registered.length, 1);
    assert.is(l.display.drawn.length, drawn, 'the picture stays as it is');
    assert.is(l.screen.payment, l.bank.registered[0]?.orderId);
    assert.equal([l.payments.status().status, l.payments.status().failure], ['PENDING', null]);
    l.clock.now += seconds * 1000;
    assert.is(await l.showQR(100), null);
    assert.equal(states(l), [
      [100, 'CANCELED'],
      [100, 'PENDING'],
    ]);
  }, quiet),
);

test(
  'with less than half left it is taken back where the bank can, and another code is shown',
  onLane(async (l) => {
    l.bank.allowCancel();
    await l.showQR(100);
    l.clock.now += LATER_MS;
    assert.is(await l.showQR(100), null);
    assert.equal(l.bank.canceled, [l.bankId(0)]);
    assert.equal(states(l), [
      [100, 'CANCELED'],
      [100, 'PENDING'],
    ]);
    l.bank.verdicts.set(l.bankId(0), unreachable());
    assert.is(memberOf(await l.showQR(100)), 'SameCode', 'what the bank has taken back is asked about no more');
    assert.is(l.bank.registered.length, 2);
  }, quiet),
);

test(
  'a code that is taken back comes off before the next is registered, and the customer sees no failure',
  onLane(async (l) => {
    l.bank.allowCancel();
    await l.showQR(100);
    l.clock.now += LATER_MS;
    l.bank.hold();
    const next = l.showQR(100);
    await registered(l, 2);
    assert.is(l.screen.payment, null);
    l.bank.release();
    await next;
    assert.equal(
      l.display.drawn.map(({ kind }) => kind),
      ['qr', 'clear', 'qr'],
    );
  }, quiet),
);

test(
  'where taking it back fails nobody knows: its end is awaited, and an acceptance is told',
  onLane(async (l) => {
    l.bank.allowCancel(() => {
      throw unreachable();
    });
    await l.showQR(100);
    l.clock.now += LATER_MS;
    assert.is((await refusal(l.showQR(100))).member, 'PreviousOpen');
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
    assert.is(l.bank.registered.length, 1);
  }, quiet),
);

test(
  'a code whose time is over, of which the bank is silent: refused until the bank tells, or so late that it is another sale',
  onLane(async (l) => {
    await l.showQR(100);
    l.bank.verdicts.set(l.bankId(0), unreachable());
    pastTheEnd(l);
    const error = await refusal(l.showQR(100));
    assert.equal([error.status, error.category, error.member], [500, 'Bank', 'Unreachable']);
    assert.match(error.message, /not known whether.*100 kopecks.*does not answer/);
    assert.is(l.payments.status().status, 'PENDING');
    l.clock.now += 60 * MINUTE_MS - 2;
    assert.is((await refusal(l.showQR(100))).member, 'Unreachable');
    l.clock.now += 2;
    assert.is(await l.showQR(100), null);
  }, quiet),
);

test(
  'a code whose time is over while the customer is confirming is waited for',
  onLane(async (l) => {
    await l.showQR(100);
    l.bank.verdicts.set(l.bankId(0), 'processing');
    pastTheEnd(l);
    const error = await refusal(l.showQR(100));
    assert.is(error.member, 'PreviousOpen');
    assert.match(error.message, /in 5 s/);
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
  }, quiet),
);

for (const verdict of ['rejected', 'canceled'] as const) {
  test(
    `what the bank calls ${verdict} is asked about once more and then replaced by another code`,
    onLane(async (l) => {
      await l.showQR(100);
      l.bank.verdicts.set(l.bankId(0), verdict);
      const { questions } = l.bank;
      assert.is(await l.showQR(100), null);
      assert.is(l.bank.questions, questions + 1);
      assert.is(l.bank.registered.length, 2);
    }, quiet),
  );

  test(
    `${verdict} and then paid with the same code: the same sale is refused, and not charged twice`,
    onLane(async (l) => {
      await l.showQR(100);
      l.bank.verdicts.set(l.bankId(0), verdict);
      await until(verdict, () => l.payments.status().status !== 'PENDING');
      l.bank.verdicts.set(l.bankId(0), 'accepted');
      assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
      assert.is(l.bank.registered.length, 1);
      assert.is(l.payments.status().status, 'ACCEPTED');
    }),
  );

  test(
    `${verdict}, and now the bank answers 404: its word stands, and another code is shown`,
    onLane(async (l) => {
      await l.showQR(100);
      l.bank.verdicts.set(l.bankId(0), verdict);
      await until(verdict, () => l.payments.status().status !== 'PENDING');
      l.bank.verdicts.set(l.bankId(0), SILENCES['answers 404']());
      assert.is(await l.showQR(100), null);
      assert.is(l.bank.registered.length, 2);
    }),
  );

  for (const [what, silence] of Object.entries(SILENCES).filter(([name]) => name !== 'answers 404')) {
    test(
      `${verdict}, and now the bank ${what}: no other code for the same sale while that one may be paid`,
      onLane(async (l) => {
        await l.showQR(100);
        l.bank.verdicts.set(l.bankId(0), verdict);
        await until(verdict, () => l.payments.status().status !== 'PENDING');
        l.bank.verdicts.set(l.bankId(0), silence());
        const error = await refusal(l.showQR(100));
        assert.equal([error.status, error.category, error.member], [500, 'Bank', 'Unreachable']);
        assert.is(l.bank.registered.length, 1);
        assert.is(await l.showQR(200).then((note) => note?.message ?? null), null, 'another sale goes on');
        pastTheEnd(l);
        assert.is(await l.showQR(100).then((note) => note?.message ?? null), null, 'nobody can pay it any more');
      }),
    );
  }
}

test(
  'declined, but in work at the bank again: the same code, open again',
  onLane(async (l) => {
    await l.showQR(100);
    l.bank.verdicts.set(l.bankId(0), 'rejected');
    await until('REJECTED', () => l.payments.status().status === 'REJECTED');
    l.bank.verdicts.set(l.bankId(0), 'processing');
    assert.is(memberOf(await l.showQR(100)), 'SameCode');
    assert.is(l.payments.status().status, 'PENDING');
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await until('ACCEPTED', () => l.payments.status().status === 'ACCEPTED');
    assert.equal(states(l), [[100, 'ACCEPTED']]);
  }),
);

test(
  'declined and replaced, and then the bank is silent: the call is held back, the other code and its status stay',
  onLane(async (l) => {
    await l.showQR(100);
    l.bank.verdicts.set(l.bankId(0), 'rejected');
    await l.showQR(100);
    for (const n of [0, 1]) l.bank.verdicts.set(l.bankId(n), unreachable());
    assert.is((await refusal(l.showQR(100))).member, 'Unreachable');
    assert.is(l.screen.payment, l.bank.registered[1]?.orderId);
    assert.is(l.payments.status().orderId, l.bank.registered[1]?.orderId);
  }, quiet),
);

test(
  'held back after another sale: the status speaks of the payment that holds it back, not of that one',
  onLane(async (l) => {
    await l.showQR(100);
    l.clock.now += LATER_MS;
    await l.showQR(200);
    l.bank.verdicts.set(l.bankId(1), 'accepted');
    assert.is((await refusal(l.showQR(200))).member, 'PreviousPaid');
    assert.is(l.payments.status().status, 'ACCEPTED');
    assert.is((await refusal(l.showQR(100))).member, 'PreviousOpen');
    assert.is(l.payments.status().status, 'PENDING');
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
    assert.is(l.payments.status().orderId, l.bank.registered[0]?.orderId);
  }, quiet),
);

test(
  'held back while another sale is open: the status does not go on speaking of that one',
  onLane(async (l) => {
    await l.showQR(100);
    l.clock.now += LATER_MS;
    await l.showQR(200);
    assert.is((await refusal(l.showQR(100))).member, 'PreviousOpen');
    assert.equal([l.payments.status().status, l.payments.status().orderId], ['PENDING', l.bank.registered[0]?.orderId]);
  }, quiet),
);

test(
  'held back for what was declined: the status is ERROR, not the ACCEPTED of the customer before, who bought the same',
  onLane(async (l) => {
    await l.showQR(100);
    l.bank.verdicts.set(l.bankId(0), 'rejected');
    await l.showQR(100);
    l.bank.verdicts.set(l.bankId(1), 'accepted');
    await refusal(l.showQR(100));
    assert.is(l.payments.status().status, 'ACCEPTED');
    l.payments.isRead(l.payments.status());
    l.bank.verdicts.set(l.bankId(0), unreachable());
    assert.is((await refusal(l.showQR(100))).member, 'Unreachable');
    const { status, failure } = l.payments.status();
    assert.equal([status, memberOf(failure)], ['ERROR', 'Unreachable']);
  }, quiet),
);

test(
  'declined, replaced by another code, and then paid all the same: the other code comes off, and the next call is told',
  onLane(async (l) => {
    await l.showQR(100);
    l.bank.verdicts.set(l.bankId(0), 'rejected');
    await l.showQR(100);
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await l.showQR(200).catch(() => undefined);
    assert.equal(l.screen.picture, { kind: 'status', status: 'success' });
    assert.is(l.payments.status().status, 'ACCEPTED');
    assert.is(l.bank.registered.length, 2);
  }, quiet),
);

test('whoever has paid by the code before is not asked to pay by the one that is shown', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const l = await openLane();
  const pass = async (ms: number): Promise<void> => {
    l.clock.now += ms;
    mock.timers.tick(ms);
    for (let n = 0; n < 5; n += 1) await turn();
  };
  try {
    await l.showQR(100);
    l.bank.verdicts.set(l.bankId(0), 'rejected');
    await pass(PACING.pollFirstMs);
    await l.showQR(100);
    assert.is(l.screen.payment, l.bank.registered[1]?.orderId);
    for (let seconds = 0; seconds < 20; seconds += 1) await pass(1000);
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await pass(1000); // it is asked about as an open one is
    assert.equal(l.screen.picture, { kind: 'status', status: 'success' });
    assert.is(l.payments.status().status, 'PENDING', 'of the one that was shown');
    assert.is(l.ledger.lateCount(), 1);
  } finally {
    mock.timers.reset();
    await l.stop();
  }
});

test(
  'a drawing that broke: the same sale gets the same code, whether the bank answers or not, and the status is PENDING again',
  onLane(async (l) => {
    for (const verdict of ['pending', unreachable()] as const) {
      l.display.breaks = true;
      await refusal(l.showQR(100));
      // one that was shown whole before stays open
      assert.is(l.payments.status().status, verdict === 'pending' ? 'ERROR' : 'PENDING');
      l.display.breaks = false;
      l.bank.verdicts.set(l.bankId(0), verdict);
      assert.is(memberOf(await l.showQR(100)), 'SameCode');
      assert.is(l.bank.registered.length, 1);
      assert.is(l.payments.status().status, 'PENDING');
    }
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    pastTheEnd(l);
    assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
  }, quiet),
);

test(
  'a code that cannot be drawn again is not awaited, but may still be paid, and is drawn by the next call',
  onLane(async (l) => {
    await l.showQR(100);
    l.display.unplug();
    assert.is((await refusal(l.showQR(100))).category, 'SerialPort');
    assert.is(l.payments.status().status, 'PENDING');
    assert.not(l.ledger.last()?.status.awaited);
    l.display.replug();
    assert.is(memberOf(await l.showQR(100)), 'SameCode');
    assert.is(l.payments.status().status, 'PENDING');
  }, quiet),
);

test(
  'a full disk when a code is to be shown again: the call fails, the code comes off, and nothing is registered',
  onLane(async (l) => {
    await l.showQR(100);
    l.ledger.fullFor = ['setStatus'];
    assert.is((await refusal(l.showQR(100))).member, 'StorageFull');
    assert.is(l.screen.payment, null);
    assert.is(l.payments.status().status, 'ERROR');
    l.ledger.fullFor = [];
    assert.is(memberOf(await l.showQR(100)), 'SameCode');
    assert.is(l.bank.registered.length, 1);
  }, quiet),
);

test(
  'after clearScreen the same sale gets the same code, and its acceptance is in time',
  onLane(async (l) => {
    await l.showQR(100);
    l.payments.giveUp();
    await l.view.clear();
    assert.is(memberOf(await l.showQR(100)), 'SameCode');
    assert.is(l.screen.payment, l.bank.registered[0]?.orderId);
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await until('ACCEPTED', () => l.payments.status().status === 'ACCEPTED');
    assert.is(l.ledger.lateCount(), 0);
  }),
);

test(
  'clearScreen while a code is about to be shown again: it is not drawn, and given up, but may still be paid',
  onLane(async (l) => {
    await l.showQR(100);
    l.display.connecting();
    const again = refusal(l.showQR(100));
    await until('a question about it', () => l.bank.questions > 0);
    const clearing = l.view.clear();
    l.display.replug();
    await clearing;
    assert.match((await again).message, /cleared/);
    assert.is(codes(l.display.drawn).length, 1);
    assert.is(l.payments.status().status, 'PENDING');
    assert.not(l.ledger.last()?.status.awaited);
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
    assert.is(l.ledger.lateCount(), 1);
  }, quiet),
);

test(
  'a code that is shown again is the one that the status speaks of, though others came after it, and these are replaced',
  onLane(async (l) => {
    await l.showQR(100);
    await l.showQR(200);
    await l.showQR(100);
    assert.is(l.screen.payment, l.bank.registered[0]?.orderId);
    assert.equal(
      l.ledger.after(0, 10).map(({ amount, status }) => [amount, status.superseded]),
      [
        [100, false],
        [200, true],
      ],
    );
    l.bank.verdicts.set(l.bankId(1), 'accepted');
    await until('a late acceptance', () => l.ledger.lateCount() === 1);
    assert.is(l.payments.status().status, 'PENDING');
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await until('ACCEPTED', () => l.payments.status().status === 'ACCEPTED');
    assert.is(l.ledger.late(10)[0]?.amount, 200);
  }),
);

test('that stays so through a restart, and the right code is put back', async () => {
  const before = await openLane({ pacing: NO_POLLS });
  await before.showQR(100);
  await before.showQR(200);
  await before.showQR(100);
  const { orderId } = before.bank.registered[0] ?? {};
  await until('a note of the display', () => before.ledger.last()?.drawn);
  await before.stop();
  const after = await openLane({ bank: before.bank, clock: before.clock, db: before.db, pacing: NO_POLLS });
  assert.is(after.ledger.last()?.orderId, orderId);
  assert.is(after.screen.payment, orderId);
  assert.is(memberOf(await after.showQR(100)), 'SameCode');
  assert.is(after.bank.registered.length, 2);
  await after.stop();
});

test('killed between the intent to show a code again and its first byte: nothing is drawn, it is followed and shown again', async () => {
  const before = await openLane({ pacing: NO_POLLS });
  await before.showQR(100);
  await before.view.clear();
  await before.showQR(200);
  before.display.connecting();
  before.showQR(100).catch(() => undefined);
  await until('the intent', () => before.ledger.last()?.amount === 100);
  // what a kill leaves: the database as it is now
  const after = await openLane({ bank: before.bank, clock: before.clock, db: before.db });
  assert.is(after.screen.picture.kind, 'clear');
  assert.equal([after.payments.status().status, after.ledger.last()?.amount], ['PENDING', 100]);
  assert.is(memberOf(await after.showQR(100)), 'SameCode');
  after.bank.verdicts.set(after.bankId(0), 'accepted');
  await until('ACCEPTED', () => after.payments.status().status === 'ACCEPTED');
  before.display.replug();
  await before.stop();
  await after.stop();
});

test('after another boot a code is shown again as long as the wall clock gives it half its time', async () => {
  for (const [offMs, member] of [
    [MINUTE_MS, 'SameCode'],
    [3 * MINUTE_MS, 'PreviousOpen'],
  ] as const) {
    const before = await openLane({ pacing: NO_POLLS });
    await before.showQR(100);
    await before.stop();
    before.clock.bootId = 'boot-2';
    before.clock.now += offMs;
    const after = await openLane({ bank: before.bank, clock: before.clock, db: before.db, pacing: NO_POLLS });
    const outcome = await after.showQR(100).then(memberOf, (error: { member: string }) => error.member);
    assert.is(outcome, member);
    assert.is(after.bank.registered.length, 1);
    await after.stop();
  }
});

test(
  'paid while its code was about to be shown again: it is not shown, and the call is told so',
  onLane(async (l) => {
    await l.showQR(100);
    l.payments.giveUp();
    await l.view.clear();
    l.display.connecting();
    const again = refusal(l.showQR(100));
    await until('the intent', () => l.ledger.last()?.status.awaited === true);
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await until('ACCEPTED', () => l.payments.status().status === 'ACCEPTED');
    l.display.replug();
    assert.is((await again).member, 'PreviousPaid');
    assert.is(codes(l.display.drawn).length, 1);
  }),
);

test(
  'declined while its code was about to be shown again: it is not drawn',
  onLane(async (l) => {
    await l.showQR(100);
    l.display.connecting();
    const again = refusal(l.showQR(100));
    await until('a question about it', () => l.bank.questions > 0);
    l.bank.verdicts.set(l.bankId(0), 'rejected');
    await until('REJECTED', () => l.payments.status().status === 'REJECTED');
    l.display.replug();
    assert.match((await again).message, /the bank has ended the payment/);
    assert.is(codes(l.display.drawn).length, 1);
  }),
);

test(
  'a till that repeats its call while the first is in flight does not count as watching the display',
  onLane(async (l) => {
    l.bank.hold();
    const both = [l.showQR(100), l.showQR(100)];
    await registered(l);
    l.bank.release();
    await Promise.all(both);
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await until('ACCEPTED', () => l.payments.status().status === 'ACCEPTED');
    l.clock.now += AN_HOUR_MS;
    assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
    assert.is(l.bank.registered.length, 1);
  }),
);

for (const [symbolMs, dueMs] of [
  [20, 5000],
  [8000, 8000],
] as const)
  test(
    `the same again while the symbol of success has just appeared (${symbolMs} ms) is a repetition, and refused; another sale is not`,
    onLane(
      async (l) => {
        const paid = async (n: number) => {
          l.bank.verdicts.set(l.bankId(n), 'accepted');
          await until('ACCEPTED', () => l.payments.status().status === 'ACCEPTED');
        };
        await l.showQR(100);
        await paid(0);
        l.clock.now += dueMs - 1;
        assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
        l.payments.isRead(l.payments.status());
        await l.showQR(100);
        await paid(1);
        assert.is(await l.showQR(200), null);
        await paid(2);
        l.clock.now += dueMs;
        assert.is(await l.showQR(200), null);
        assert.is(l.ledger.lateCount(), 0);
      },
      { symbolMs },
    ),
  );

test(
  'two tills that ask for the same at once share one code, and both are told; one after the other is told too',
  onLane(async (l) => {
    l.bank.hold();
    const both = [l.showQR(100), l.showQR(100)];
    const other = l.showQR(100, { ttl: 7 });
    await registered(l);
    l.bank.release();
    assert.equal((await Promise.all([...both, other])).map(memberOf), ['SameCode', 'SameCode', 'SameCode']);
    assert.is(l.bank.registered.length, 1);
  }, quiet),
);

test(
  'every payment that may have been paid is asked about, not the last one alone; a static code in between hides none',
  onLane(async (l) => {
    await l.showQR(10_000);
    await l.showQR(100);
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    assert.match((await refusal(l.showQR(10_000))).message, /the payment of 10000 kopecks \(100\.00 roubles\)/);
    assert.is(l.bank.registered.length, 2);
    assert.is(l.payments.status().status, 'ACCEPTED');

    await l.showQR(300);
    await l.showStatic('https://pay.example/static');
    l.bank.verdicts.set(l.bankId(2), 'accepted');
    assert.match((await refusal(l.showQR(300))).message, /the payment of 300 kopecks/);
    assert.is(l.bank.registered.length, 3);
  }, quiet),
);

test(
  'several that turn out paid are all named, and refused once together',
  onLane(async (l) => {
    await l.showQR(100);
    await l.showQR(200);
    await l.showQR(300);
    for (const n of [0, 1]) l.bank.verdicts.set(l.bankId(n), 'accepted');
    const error = await refusal(l.showQR(400));
    assert.is(error.member, 'PreviousPaid');
    assert.match(error.message, /2 payments.*200 kopecks \(2\.00 roubles\), 100 kopecks \(1\.00 roubles\)/);
    await l.showQR(400);
  }, quiet),
);

test(
  'they are asked about at once, within one common deadline: a slow bank holds a call up once',
  onLane(async (l) => {
    const amounts = [1, 2, 3, 4, 5, 6];
    for (const amount of amounts) await l.showQR(amount);
    const { promise, resolve } = Promise.withResolvers<void>();
    let asked = 0;
    const status = l.bank.status.bind(l.bank);
    l.bank.status = async (bankId) => {
      asked += 1;
      if (asked === amounts.length) resolve();
      await promise;
      return status(bankId);
    };
    await l.showQR(7);
    assert.is(asked, amounts.length);
  }, quiet),
);

test(
  'more than fit at once are asked about in turn, none is left out',
  onLane(async (l) => {
    for (let amount = 1; amount <= 20; amount += 1) await l.showQR(amount);
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    assert.match((await refusal(l.showQR(21))).message, /payment of 1 kopeck \(0\.01 roubles\)/);
  }, quiet),
);

test(
  'what was paid within its ttl and grace refuses another sale too, as its customer may stand there; later it does not',
  onLane(async (l) => {
    for (const [lateMs, member] of [
      [-1, 'PreviousPaid'],
      [0, undefined],
    ] as const) {
      const n = l.bank.registered.length;
      await l.showQR(100, { purpose: `${n}` });
      l.payments.isRead(l.payments.status());
      l.bank.verdicts.set(l.bankId(n), 'accepted');
      l.clock.now += 5 * MINUTE_MS + PACING.graceMs + lateMs;
      const outcome = await l.showQR(200, { purpose: `${n}` }).then(
        () => undefined,
        (error: TerminalError) => error.member,
      );
      assert.is(outcome, member);
      l.payments.isRead(l.payments.status());
      for (const { orderId } of l.ledger.late(10)) l.payments.acknowledge(orderId);
    }
  }, quiet),
);

test(
  'a call that is refused for a payment before takes no other code out of use, and one that is known to be paid is not asked about',
  onLane(async (l) => {
    await l.showQR(100);
    await l.showQR(200);
    l.bank.allowCancel();
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    assert.is((await refusal(l.showQR(300, { gone: AbortSignal.abort() }))).member, 'PreviousPaid');
    assert.equal(l.bank.canceled, []);
    const { questions } = l.bank;
    assert.is((await refusal(l.showQR(300))).member, 'PreviousPaid');
    assert.is(l.bank.questions, questions);
  }, quiet),
);

test(
  'an acceptance that was found before the call, and that no till has read, refuses it too',
  onLane(async (l) => {
    await l.showQR(100);
    l.payments.isRead(l.payments.status());
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await until('ACCEPTED', () => l.payments.status().status === 'ACCEPTED');
    assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
  }),
);

test(
  'a till that has read ACCEPTED, or that only watches the display, may ask for the same again at once',
  onLane(async (l) => {
    await l.showQR(100);
    l.payments.isRead(l.payments.status());
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await until('ACCEPTED', () => l.payments.status().status === 'ACCEPTED');
    l.payments.isRead(l.payments.status());
    assert.is(await l.showQR(100), null);
    l.bank.verdicts.set(l.bankId(1), 'accepted');
    await until('ACCEPTED', () => l.payments.status().status === 'ACCEPTED');
    l.clock.now += AN_HOUR_MS;
    assert.is(await l.showQR(100), null, 'nobody has asked for the status of the second');
    assert.is(l.ledger.lateCount(), 0);
    assert.equal(l.ledger.untold(), []);
  }),
);

test('what the display has shown stays known through an orderly restart', async () => {
  const before = await openLane();
  await before.showQR(100);
  before.bank.verdicts.set(before.bankId(0), 'accepted');
  await until('ACCEPTED', () => before.payments.status().status === 'ACCEPTED');
  await before.stop();
  const after = await openLane({ bank: before.bank, clock: before.clock, db: before.db });
  assert.is(await after.showQR(100), null);
  await after.stop();
});

test(
  "the bank's id, or the code, of another order is a contradiction: nothing is shown, and one charge is one acceptance",
  onLane(async (l) => {
    l.bank.allowCancel();
    await l.showQR(700);
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await until('ACCEPTED', () => l.payments.status().status === 'ACCEPTED');
    l.payments.isRead(l.payments.status());
    const first = { bankId: l.bankId(0), payload: codes(l.display.drawn)[0] ?? '' };
    for (const answer of [first, { ...first, payload: 'https://pay.example/new' }, { ...first, bankId: 'new' }]) {
      l.bank.answers = [answer];
      const error = await refusal(l.showQR(700));
      assert.equal([error.status, error.category, error.member], [500, 'Bank', 'Contradiction']);
      assert.is(l.payments.status().status, 'ERROR');
    }
    assert.is(codes(l.display.drawn).length, 1);
    assert.equal(l.bank.canceled, [], 'the first code is not taken out of use for the sake of the second');
    assert.is(states(l).filter(([, state]) => state === 'ACCEPTED').length, 1);
    assert.is.not(l.ledger.after(0, 10)[1]?.ref?.id, l.bankId(0));
  }),
);

test(
  'the same id for the same order, as a repeated registration gets it, is right',
  onLane(async (l) => {
    l.bank.failures = [unreachable()];
    await l.showQR(700);
    assert.is(l.bank.registered.length, 2);
    assert.is(l.payments.status().status, 'PENDING');
  }),
);

test('an id that is given again after a restart is a contradiction as well', async () => {
  const bank = new TestBank();
  const before = await openLane({ bank });
  await before.showQR(700);
  await before.stop();
  const after = await openLane({
    bank,
    clock: before.clock,
    db: before.db,
    pacing: { ...NO_POLLS, graceMs: PACING.graceMs },
  });
  bank.answers = [{ bankId: after.bankId(0), payload: 'https://pay.example/other' }];
  assert.is((await refusal(after.showQR(900))).member, 'Contradiction');
  await after.stop();
});

test(
  'its code is about to be shown again when another payment turns out paid, and the till has hung up: ERROR, not PENDING',
  onLane(async (l) => {
    await l.showQR(100, { purpose: 'milk' });
    await l.showQR(100);
    l.display.connecting();
    const { view } = l;
    const ready = view.ready.bind(view);
    view.ready = () => {
      l.bank.verdicts.set(l.bankId(0), 'accepted');
      return ready();
    };
    const gone = new AbortController();
    const again = refusal(l.showQR(100, { gone: gone.signal }));
    await until('the acceptance', () => states(l)[0]?.[1] === 'ACCEPTED');
    gone.abort();
    l.display.replug();
    assert.is((await again).member, 'PreviousPaid');
    assert.is(l.payments.status().status, 'ERROR');
    assert.equal(states(l)[1], [100, 'PENDING'], 'whoever has scanned its code may still pay');
  }),
);

test(
  'its code is on the display when another payment turns out paid: it comes off, and who has paid sees so',
  onLane(async (l) => {
    await l.showQR(100, { purpose: 'milk' });
    await l.showQR(100);
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
    assert.equal(l.screen.picture, { kind: 'status', status: 'success' });
  }, quiet),
);

test.run();
