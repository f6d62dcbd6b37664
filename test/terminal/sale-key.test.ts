/** A sale that a till names by a key: the same key is the same payment, for ever, whatever is lost, killed or sent twice. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DisplayError } from '../../drivers/display/contract.ts';
import { BankError } from '../../firmware/terminal/banks/bank.ts';
import { tellingRepeat } from '../../firmware/terminal/http/v1/sale-routes.ts';
import type { PaymentRow } from '../../firmware/terminal/ledger/payment-row.ts';
import type { Caller } from '../../firmware/terminal/payments/calls/calls.ts';
import type { AskedPayment } from '../../firmware/terminal/payments/sale.ts';
import { until } from '../support.ts';
import {
  asked,
  codes,
  ended,
  type Lane,
  MINUTE_MS,
  NO_POLLS,
  onLane,
  openLane,
  pastTheEnd,
  refusal,
  registered,
  states,
  TestBank,
  unreachable,
} from './harness.ts';

const test = suite('terminal: a sale named by a key');

const DAY_MS = 24 * 60 * MINUTE_MS;
const callerNamed = (till: string | null, gone = new AbortController().signal): Caller => ({
  gone,
  till,
  ownOnly: false,
  whenAnswered: (heard) => {
    if (!gone.aborted) heard();
  },
});

const sell = ({ terminal }: Lane, name: string, asked: AskedPayment = { amount: 100 }, caller = callerNamed(null)) =>
  terminal.showQR(asked, caller, name);
const idOf = async (answer: ReturnType<typeof sell>): Promise<string> => (await answer).orderId;
const stateOf = ({ payments }: Lane, orderId: string) => payments.find(orderId).status.state;
const told = ({ category, member, message, payment }: Awaited<ReturnType<typeof refusal>>) => [
  `${category}.${member}`,
  message,
  payment,
];
const code = ({ category, member }: Awaited<ReturnType<typeof refusal>>) => `${category}.${member}`;

/** The same database in the next process. */
async function restarted(lane: Lane, turn: (lane: Lane) => void = () => undefined): Promise<Lane> {
  await lane.stop();
  turn(lane);
  const { bank, clock, db, refundsDb } = lane;
  return openLane({ bank, clock, db, refundsDb, pacing: NO_POLLS });
}

test(
  'the same key again is the same payment, whose code is shown once more and awaited again',
  onLane(async (l) => {
    const first = await sell(l, 'k', { amount: 100, purpose: 'Apples', ttl: 5 });
    assert.equal([first.isAgain, first.warnings], [false, []]);
    await l.terminal.clearScreen();
    assert.is(l.payments.find(first.orderId).status.awaited, false);
    const again = await sell(l, 'k', { amount: 100, purpose: 'Apples', ttl: 5 });
    assert.equal([again.orderId, again.isAgain, again.warnings], [first.orderId, true, []]);
    assert.ok(l.payments.find(first.orderId).status.awaited);
    assert.is(codes(l.display.drawn).length, 2);
    assert.is(l.bank.registered.length, 1);
  }),
);

test(
  'the same key with anything else is refused, and told what differs: while it is registered, open and ended',
  onLane(async (l) => {
    const asked = { amount: 100, purpose: 'Apples', ttl: 5, profile: 'p' };
    const others: readonly [AskedPayment, string][] = [
      [{ ...asked, amount: 101 }, 'amount'],
      [{ ...asked, purpose: 'Pears' }, 'purpose'],
      [{ ...asked, ttl: 6 }, 'ttl'],
      [{ ...asked, profile: 'q' }, 'profile'],
      [{ ...asked, amount: 1, purpose: null }, 'amount,purpose'],
      [{ amount: 100, purpose: 'Apples', ttl: 5 }, 'profile'],
    ];
    const check = async (payment: string | undefined): Promise<void> => {
      for (const [other, differs] of others) {
        const { parameters, ...error } = await refusal(sell(l, 'k', other));
        assert.is(`${error.category}.${error.member}`, 'Payments.IdConflict');
        assert.equal([String(parameters.differs), parameters.payment], [differs, payment]);
      }
    };
    l.bank.hold();
    const first = sell(l, 'k', asked);
    await registered(l);
    await check(undefined);
    l.bank.release();
    const id = await idOf(first);
    await check(id);
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await ended(l, 'ACCEPTED');
    l.payments.isRead(l.payments.status());
    await check(id);
    assert.is(l.bank.registered.length, 1);
    // a field that is left out is null, and a ttl of 0 is none
    const short = await idOf(sell(l, 'short', { amount: 200 }));
    assert.is(await idOf(sell(l, 'short', { amount: 200, purpose: null, ttl: 0, profile: null })), short);
  }),
);

test(
  'calls of one key at once are one call; a till that hangs up and repeats gets its answer',
  onLane(async (l) => {
    l.bank.hold();
    const hangsUp = new AbortController();
    const first = sell(l, 'k', { amount: 100 }, callerNamed(null, hangsUp.signal));
    await registered(l);
    hangsUp.abort();
    const repeated = [sell(l, 'k'), sell(l, 'k')];
    l.bank.release();
    const answers = await Promise.all([first, ...repeated]);
    assert.is(new Set(answers.map(({ orderId }) => orderId)).size, 1);
    assert.equal(
      answers.map(({ isAgain, warnings }) => [isAgain, warnings]),
      [
        [false, []],
        [true, []],
        [true, []],
      ],
    );
    assert.equal([l.bank.registered.length, codes(l.display.drawn).length], [1, 1]);
    assert.ok(l.payments.find(answers[0]?.orderId ?? '').status.awaited);
  }),
);

test(
  'a till that hangs up before it is answered waits no more, until it repeats',
  onLane(async (l) => {
    l.bank.hold();
    const hangsUp = new AbortController();
    const first = sell(l, 'k', { amount: 100 }, callerNamed(null, hangsUp.signal));
    await registered(l);
    hangsUp.abort();
    l.bank.release();
    const { orderId } = await first;
    assert.is(l.payments.find(orderId).status.awaited, false);
    assert.is(await idOf(sell(l, 'k')), orderId);
    assert.ok(l.payments.find(orderId).status.awaited);
    assert.is(l.bank.registered.length, 1);
  }),
);

test(
  'a call that waits for its turn while its till hangs up is dropped, and leaves the key as new as it was',
  onLane(async (l) => {
    l.bank.hold();
    const first = sell(l, 'one', { amount: 100 });
    await registered(l);
    const hangsUp = new AbortController();
    const waiting = refusal(sell(l, 'two', { amount: 200 }, callerNamed(null, hangsUp.signal)));
    hangsUp.abort();
    l.bank.release();
    await first;
    assert.is((await waiting).payment, null);
    assert.is((await sell(l, 'two', { amount: 200 })).isAgain, false);
    assert.is(l.bank.registered.length, 2);
  }),
);

test(
  'what has ended tells its state, and shows nothing, days later and after another boot too',
  onLane(async (l) => {
    let lane = l;
    const sales: [string, number][] = [];
    for (const [n, verdict] of (['accepted', 'rejected', 'canceled'] as const).entries()) {
      const amount = 100 * (n + 1);
      await sell(lane, verdict, { amount });
      lane.bank.verdicts.set(lane.bankId(n), verdict);
      await ended(lane, verdict.toUpperCase());
      lane.payments.isRead(lane.payments.status());
      sales.push([verdict, amount]);
    }
    const check = async (): Promise<void> => {
      const drawn = lane.display.drawn.length;
      for (const [verdict, amount] of sales) {
        const { orderId, isAgain } = await sell(lane, verdict, { amount });
        assert.equal([stateOf(lane, orderId), isAgain], [verdict.toUpperCase(), true]);
      }
      assert.equal([lane.display.drawn.length, lane.bank.registered.length], [drawn, 3]);
    };
    await check();
    lane.clock.now += 30 * DAY_MS;
    await check();
    lane = await restarted(lane, ({ clock }) => {
      clock.bootId = 'boot-2';
      clock.now = 1; // the clock is set back, too
    });
    await check();
    await lane.stop();
  }),
);

test(
  'past its ttl a code is not shown again: the payment is open as long as the bank has not told',
  onLane(
    async (l) => {
      const id = await idOf(sell(l, 'k'));
      const drawn = codes(l.display.drawn).length;
      l.clock.now += 5 * MINUTE_MS;
      assert.is(await idOf(sell(l, 'k')), id);
      assert.equal([stateOf(l, id), codes(l.display.drawn).length], ['PENDING', drawn]);
    },
    { pacing: NO_POLLS },
  ),
);

test(
  'what could not be registered fails in the same words for ever; another key is another attempt',
  onLane(async (l) => {
    l.bank.failures = [new BankError('refused', 'the bank says no'), new BankError('contradiction', 'that cannot be')];
    const failed = [await refusal(sell(l, 'refused')), await refusal(sell(l, 'odd'))];
    assert.equal(failed.map(code), ['Bank.Refused', 'Bank.Contradiction']);
    for (const [n, name] of ['refused', 'odd'].entries()) {
      const again = await refusal(sell(l, name));
      assert.equal(told(again), told(failed[n] ?? again));
      assert.is(again.payment, l.ledger.ofSale(null, name)?.orderId);
    }
    assert.is(l.bank.registered.length, 2);
    assert.is((await sell(l, 'new')).isAgain, false);
    assert.equal(states(l), [
      [100, 'ERROR'],
      [100, 'ERROR'],
      [100, 'PENDING'],
    ]);
  }),
);

test(
  'a disk that is full while the key is written: the bank hears of nothing, and the same key works once there is room',
  onLane(async (l) => {
    l.ledger.fullFor = ['insert'];
    const { category, member, payment } = await refusal(sell(l, 'k'));
    assert.equal([category, member, payment], ['Internal', 'StorageFull', null]);
    assert.is(l.bank.registered.length, 0);
    l.ledger.fullFor = [];
    assert.is((await sell(l, 'k')).isAgain, false);
  }),
);

test(
  'a disk that is full before the code is shown: the key is used up, and nothing is registered for it again',
  onLane(async (l) => {
    l.bank.allowCancel();
    l.ledger.fullFor = ['intendToShow', 'setStatus'];
    const first = await refusal(sell(l, 'k'));
    assert.equal([code(first), first.payment], ['Internal.StorageFull', l.ledger.ofSale(null, 'k')?.orderId]);
    assert.equal(told(await refusal(sell(l, 'k'))), told(first));
    l.ledger.fullFor = [];
    assert.equal(told(await refusal(sell(l, 'k'))), told(first));
    assert.equal([l.bank.registered.length, codes(l.display.drawn)], [1, []]);
  }),
);

test('a process that ends before it has entered the payment has asked for nothing, and the repetition makes it', async () => {
  const before = await openLane({ pacing: NO_POLLS });
  before.bank.unusable = unreachable(); // what is opened before anything is entered
  await refusal(sell(before, 'k'));
  before.bank.unusable = null;
  const after = await restarted(before);
  assert.is((await sell(after, 'k')).isAgain, false);
  assert.is(after.bank.registered.length, 1);
  await after.stop();
});

test('a process that ends while the bank registers: the repetition tells of it, and the bank hears of it no second time', async () => {
  const before = await openLane({ pacing: NO_POLLS });
  before.bank.hold();
  const cut = sell(before, 'k').catch(() => null);
  await registered(before);
  const rows = before.db.prepare('SELECT count(*) AS n FROM payments WHERE sale_key IS NOT NULL').get();
  assert.is(rows?.n, 1, 'the key is in the ledger before the bank is asked');
  // the process is gone: what it writes afterwards goes nowhere
  const image = new TestBank();
  const { clock } = before;
  const copy = await openLane({ bank: image, clock, db: before.db, pacing: NO_POLLS });
  const error = await refusal(sell(copy, 'k'));
  assert.equal([code(error), error.payment], ['Internal.UnexpectedError', copy.ledger.ofSale(null, 'k')?.orderId]);
  assert.match(error.message, /restarted before the code was shown/);
  assert.is(image.registered.length, 0);
  assert.is((await sell(copy, 'new')).isAgain, false);
  await copy.stop();
  before.bank.release();
  await cut;
  await before.stop();
});

test('a process that ends while the code is shown: it is the same payment in the next one', async () => {
  const before = await openLane({ pacing: NO_POLLS });
  const id = await idOf(sell(before, 'k'));
  const after = await restarted(before);
  assert.is(await idOf(sell(after, 'k')), id);
  assert.equal([after.bank.registered.length, codes(after.display.drawn).at(-1)], [1, `https://pay.example/${id}`]);
  await after.stop();
});

test('a clock that is set back in the next boot shows the code no longer than its ttl, and makes no other', async () => {
  const before = await openLane({ pacing: NO_POLLS });
  const id = await idOf(sell(before, 'k'));
  const after = await restarted(before, ({ clock }) => {
    clock.bootId = 'boot-2';
    clock.wall = () => Date.parse('1970-01-02');
  });
  assert.is(await idOf(sell(after, 'k')), id);
  assert.is(after.bank.registered.length, 1);
  await after.stop();
});

test(
  'two tills with credentials of their own never meet in a key',
  onLane(async (l) => {
    const [one, two] = [callerNamed('till'), callerNamed('technician')];
    const first = await sell(l, '1', { amount: 100 }, one);
    const second = await sell(l, '1', { amount: 200 }, two);
    const third = await sell(l, '1', { amount: 300 });
    assert.is(new Set([first, second, third].map(({ orderId }) => orderId)).size, 3);
    assert.is(await idOf(sell(l, '1', { amount: 200 }, two)), second.orderId);
    assert.is(code(await refusal(sell(l, '1', { amount: 200 }, one))), 'Payments.IdConflict');
    assert.equal(
      [first, second, third].map(({ orderId }) => l.payments.find(orderId).till),
      ['till', 'technician', null],
    );
  }),
);

test(
  'of two tills that send one key each for the same at once the second is told of the payment of the first',
  onLane(async (l) => {
    const both = await Promise.allSettled([
      sell(l, '1', { amount: 100 }, callerNamed('till')),
      sell(l, '1', { amount: 100 }, callerNamed('technician')),
    ]);
    const [first, second] = both;
    assert.ok(first.status === 'fulfilled' && second.status === 'rejected');
    assert.equal([second.reason.member, second.reason.parameters], ['SameSaleOpen', { payment: first.value.orderId }]);
    assert.is(l.bank.registered.length, 1);
  }),
);

test(
  'a new key for the same as an open payment is refused by its id; what is given up, replaced or declined is another sale',
  onLane(
    async (l) => {
      const first = await idOf(sell(l, 'k1'));
      const refused = await refusal(sell(l, 'k2'));
      assert.equal(
        [code(refused), refused.parameters, refused.payment],
        ['Payments.SameSaleOpen', { payment: first }, null],
      );
      assert.is(l.payments.status().orderId, first, 'the status speaks of the open one');
      // given up at a bank that takes nothing back: it is followed, and the next one says so
      assert.is((await l.payments.cancel(first)).outcome, 'not-possible');
      const second = await sell(l, 'k2');
      assert.equal(
        second.warnings.map(({ member }) => member),
        ['PreviousOpen'],
      );
      assert.is(stateOf(l, first), 'PENDING');
      // cancelled at a bank that does
      l.bank.allowCancel();
      assert.is((await l.payments.cancel(second.orderId)).outcome, 'withdrawn');
      const third = await sell(l, 'k3');
      assert.equal([third.isAgain, third.warnings], [false, []]);
      // declined
      l.bank.verdicts.set(l.bankId(2), 'rejected');
      const fourth = await sell(l, 'k4');
      assert.is(fourth.isAgain, false);
      // replaced by another sale
      await sell(l, 'other', { amount: 777 });
      assert.is(stateOf(l, fourth.orderId), 'CANCELED');
      assert.is((await sell(l, 'k5')).isAgain, false);
      assert.is(l.bank.registered.length, 6);
    },
    { pacing: NO_POLLS },
  ),
);

test(
  'a payment whose place another sale has taken does not stand in the way of the same with a new key',
  onLane(
    async (l) => {
      const first = await idOf(sell(l, 'k1'));
      await sell(l, 'other', { amount: 777 });
      assert.equal([stateOf(l, first), l.payments.find(first).status.superseded], ['PENDING', true]);
      assert.is((await sell(l, 'k2')).isAgain, false);
    },
    { pacing: NO_POLLS },
  ),
);

test(
  'a code that no till waits for is off the display before another one of the same is registered',
  onLane(
    async (l) => {
      const hangsUp = new AbortController();
      l.bank.hold();
      const first = sell(l, 'k1', { amount: 100 }, callerNamed(null, hangsUp.signal));
      await registered(l);
      hangsUp.abort();
      l.bank.release();
      const { orderId } = await first;
      assert.is(l.view.shown, orderId);
      l.bank.hold();
      const second = sell(l, 'k2');
      await registered(l, 2);
      assert.is(l.view.shown, null);
      l.bank.release();
      await second;
    },
    { pacing: NO_POLLS },
  ),
);

test(
  'a change between the look at a payment and the wait is not missed, and nothing is watched in vain',
  onLane(
    async (l) => {
      const payment = l.payments.find(await idOf(sell(l, 'k')));
      const { signal } = new AbortController();
      const isNews = ({ status }: PaymentRow): boolean => status.state !== 'PENDING';
      const { waits, ledger } = l.terminal;
      assert.is((await waits.until(payment, isNews, 5, signal)).status.state, 'PENDING');
      assert.equal([waits.waiting, ledger.changes.watched], [0, 0]);
      // what the caller has looked at is older than the change
      ledger.setStatus(payment.orderId, { ...payment.status, state: 'REJECTED' }, 1);
      assert.is((await waits.until(payment, isNews, 60_000, signal)).status.state, 'REJECTED');
      ledger.setStatus(payment.orderId, payment.status, 1);
      const waiting = waits.until(payment, isNews, 60_000, signal);
      assert.equal([waits.waiting, ledger.changes.watched], [1, 1]);
      ledger.setDrawn(payment.orderId, true); // a change that is none to the till
      await new Promise(setImmediate);
      assert.is(waits.waiting, 1);
      ledger.setStatus(payment.orderId, { ...payment.status, state: 'ACCEPTED' }, 1);
      assert.is((await waiting).status.state, 'ACCEPTED');
      assert.equal([waits.waiting, ledger.changes.watched], [0, 0]);
    },
    { pacing: NO_POLLS },
  ),
);

test(
  'a payment that a bank cannot take back, and that is paid after all, takes the code of the same from the display',
  onLane(async (l) => {
    const first = await idOf(sell(l, 'k1'));
    await l.payments.cancel(first);
    await sell(l, 'k2');
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await asked(l, 6);
    assert.equal([stateOf(l, first), l.payments.find(first).status.late], ['ACCEPTED', true]);
    assert.is(l.view.shown, null);
  }),
);

test(
  'a payment before that turned out paid keeps the next key as new as it was, and is named by its id',
  onLane(
    async (l) => {
      const first = await idOf(sell(l, 'k1'));
      l.bank.verdicts.set(l.bankId(0), 'accepted');
      const refused = await refusal(sell(l, 'k2'));
      assert.equal(
        [code(refused), refused.parameters, refused.payment],
        ['Bank.PreviousPaid', { payments: [first] }, null],
      );
      assert.is((await sell(l, 'k2')).isAgain, false);
      assert.is(l.bank.registered.length, 2);
    },
    { pacing: NO_POLLS },
  ),
);

test(
  'a payment that is paid while its own key is sent again is that answer, and no refusal',
  onLane(
    async (l) => {
      const id = await idOf(sell(l, 'k'));
      const drawn = codes(l.display.drawn).length;
      l.bank.verdicts.set(l.bankId(0), 'accepted');
      const again = await sell(l, 'k');
      assert.equal([again.orderId, again.isAgain, stateOf(l, id)], [id, true, 'ACCEPTED']);
      assert.is(codes(l.display.drawn).length, drawn);
    },
    { pacing: NO_POLLS },
  ),
);

test(
  'a bank that does not tell of a payment for the same keeps another key back: unknown is not unpaid',
  onLane(
    async (l) => {
      const first = await idOf(sell(l, 'k1'));
      pastTheEnd(l);
      l.bank.verdicts.set(l.bankId(0), unreachable());
      const refused = await refusal(sell(l, 'k2'));
      assert.equal([code(refused), refused.parameters], ['Bank.PreviousUnknown', { payment: first }]);
      assert.is(l.bank.registered.length, 1);
      // without a key it is called as ever
      assert.is(code(await refusal(l.showQR(100))), 'Bank.Unreachable');
    },
    { pacing: NO_POLLS },
  ),
);

test(
  'the code of another sale is taken back for the one whose key is sent again',
  onLane(
    async (l) => {
      l.bank.allowCancel();
      const first = await idOf(sell(l, 'k1', { amount: 100 }));
      l.bank.cancel = undefined as never; // of this one the bank takes nothing back
      const second = await idOf(sell(l, 'k2', { amount: 200 }));
      l.bank.allowCancel();
      assert.is(await idOf(sell(l, 'k1', { amount: 100 })), first);
      assert.equal([stateOf(l, first), stateOf(l, second)], ['PENDING', 'CANCELED']);
      assert.is(l.view.shown, first);
      assert.is(l.payments.status().orderId, first);
    },
    { pacing: NO_POLLS },
  ),
);

test(
  'a drawing that breaks: the same key draws the code once more, and another one for the same is refused meanwhile',
  onLane(
    async (l) => {
      await sell(l, 'before', { amount: 1 });
      l.display.breaks = true;
      const broken = await refusal(sell(l, 'k'));
      const id = broken.payment ?? '';
      assert.match(broken.message, /the code may have been seen/);
      l.display.breaks = false;
      assert.is(code(await refusal(sell(l, 'k2'))), 'Payments.SameSaleOpen');
      const again = await sell(l, 'k');
      assert.equal([again.orderId, stateOf(l, id)], [id, 'PENDING']);
      assert.is(codes(l.display.drawn).at(-1), `https://pay.example/${id}`);
      l.display.breaks = true;
      assert.equal([(await refusal(sell(l, 'k'))).payment, stateOf(l, id)], [id, 'PENDING']);
      assert.is(l.bank.registered.length, 2);
    },
    { pacing: NO_POLLS },
  ),
);

test(
  'a call that fails beside it leaves the status to the payment whose key is sent again',
  onLane(async (l) => {
    await sell(l, 'k');
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await ended(l, 'ACCEPTED');
    l.payments.failCall(await refusal(l.terminal.showQR({ amount: 1 }, callerNamed(null), 'k')));
    assert.is(l.payments.status().status, 'ERROR');
    await sell(l, 'k');
    assert.is(l.payments.status().status, 'ACCEPTED');
  }),
);

/** What the nine calls are told by the status. */
const status = ({ payments }: Lane): unknown[] => {
  const { status, orderId } = payments.status();
  return [status, orderId];
};

test(
  'the status speaks of the payment whose key was sent last, also where that has ended before or in that moment',
  onLane(
    async (l) => {
      l.bank.allowCancel();
      const first = await idOf(sell(l, 'k1', { amount: 100 }));
      const second = await idOf(sell(l, 'k2', { amount: 200 }));
      assert.equal([(await sell(l, 'k1', { amount: 100 })).isShown, ...status(l)], [false, 'CANCELED', first]);
      l.bank.verdicts.set(l.bankId(1), 'accepted');
      assert.equal([(await sell(l, 'k2', { amount: 200 })).isShown, ...status(l)], [false, 'ACCEPTED', second]);
      l.payments.isRead(l.payments.status());
      l.bank.failures = [new BankError('refused', 'the bank says no')];
      const failed = (await refusal(sell(l, 'k3', { amount: 300 }))).payment;
      const fourth = await idOf(sell(l, 'k4', { amount: 400 }));
      assert.equal(status(l), ['PENDING', fourth]);
      await refusal(sell(l, 'k3', { amount: 300 }));
      assert.equal(status(l), ['ERROR', failed]);
    },
    { pacing: NO_POLLS },
  ),
);

test(
  'a key sent again while its payment is taken back at the bank leaves no call under way',
  onLane(
    async (l) => {
      const id = await idOf(sell(l, 'k'));
      l.bank.verdicts.set(l.bankId(0), 'canceled');
      const { isShown, warnings } = await sell(l, 'k');
      assert.equal([isShown, warnings, ...status(l)], [false, [], 'CANCELED', id]);
    },
    { pacing: NO_POLLS },
  ),
);

test(
  'what its till has cancelled is never shown again for its key, whatever its bank says: told, and late when it is paid',
  onLane(
    async (l) => {
      const id = await idOf(sell(l, 'k'));
      await sell(l, 'k');
      assert.is((await l.payments.cancel(id)).outcome, 'not-possible');
      const drawn = l.display.drawn.length;
      const again = await sell(l, 'k');
      assert.equal(
        [again.isShown, again.warnings.map(({ member }) => member), ...status(l)],
        [false, ['NotShown'], 'PENDING', id],
      );
      assert.match(String(again.warnings[0]?.message), /has been cancelled/);
      await l.payments.redraw();
      assert.equal([codes(l.display.drawn.slice(drawn)), l.payments.find(id).status.awaited], [[], false]);
      const second = await idOf(sell(l, 'k2'));
      await sell(l, 'k');
      assert.is(l.view.shown, second, 'the code of the same sale stays on the display');
      l.bank.verdicts.set(l.bankId(0), 'accepted');
      await refusal(sell(l, 'k3'));
      assert.equal([stateOf(l, id), l.payments.find(id).status.late], ['ACCEPTED', true]);
    },
    { pacing: NO_POLLS },
  ),
);

test('what was cancelled stays so in the next process', async () => {
  const before = await openLane({ pacing: NO_POLLS });
  const id = await idOf(sell(before, 'k'));
  await before.payments.cancel(id);
  const after = await restarted(before);
  const again = await sell(after, 'k');
  assert.equal([again.orderId, again.isShown, codes(after.display.drawn)], [id, false, []]);
  await after.stop();
});

test(
  'a display that fails for a key sent again leaves the payment awaited: another key for the same is refused',
  onLane(
    async (l) => {
      const id = await idOf(sell(l, 'k'));
      l.display.breaks = true;
      const broken = await refusal(tellingRepeat(l.terminal, sell(l, 'k')));
      assert.equal([broken.payment, broken.parameters.repeat, ...status(l)], [id, true, 'PENDING', id]);
      assert.ok(l.payments.find(id).status.awaited);
      l.display.breaks = false;
      const other = await refusal(sell(l, 'k2'));
      assert.equal(
        [code(other), other.parameters, l.bank.registered.length],
        ['Payments.SameSaleOpen', { payment: id }, 1],
      );
      assert.ok((await sell(l, 'k')).isShown);
    },
    { pacing: NO_POLLS },
  ),
);

test(
  'a key sent again that is refused for its turn leaves the status to its payment',
  onLane(
    async (l) => {
      l.bank.unusable = null;
      const id = await idOf(sell(l, 'k'));
      await sell(l, 'other', { amount: 7 });
      l.bank.unusable = unreachable();
      assert.is(code(await refusal(sell(l, 'k'))), 'Bank.Unreachable');
      assert.equal(status(l), ['PENDING', id]);
    },
    { pacing: NO_POLLS },
  ),
);

test(
  'a ttl or a profile that was left out, or is left out now, is named alone as what differs',
  onLane(async (l) => {
    const differs = async (key: string, other: AskedPayment) => (await refusal(sell(l, key, other))).parameters.differs;
    await sell(l, 'plain', { amount: 100 });
    assert.equal(await differs('plain', { amount: 100, ttl: 5 }), ['ttl']);
    assert.equal(await differs('plain', { amount: 100, profile: 'p' }), ['profile']);
    await sell(l, 'full', { amount: 200, ttl: 6, profile: 'p' });
    assert.equal(await differs('full', { amount: 200, profile: 'p' }), ['ttl']);
    assert.equal(await differs('full', { amount: 200, ttl: 6 }), ['profile']);
  }),
);

test(
  'what is open for the same without a key, or for another credential, is not to be sent again by its key',
  onLane(async (l) => {
    await l.showQR(100);
    assert.match((await refusal(sell(l, 'k'))).message, /wait for it by its id/);
    await sell(l, 'own', { amount: 200 }, callerNamed('till'));
    const of = async (till: string) => (await refusal(sell(l, 'k', { amount: 200 }, callerNamed(till)))).message;
    assert.match(await of('technician'), /wait for it by its id/);
    assert.match(await of('till'), /with its own Idempotency-Key/);
  }),
);

test(
  'a payment that another sale has replaced, and that its bank does not take back, is no open payment of the same sale',
  onLane(
    async (l) => {
      const first = await idOf(sell(l, 'k1'));
      await sell(l, 'other', { amount: 777 });
      assert.is(stateOf(l, first), 'PENDING');
      const { isAgain, warnings } = await sell(l, 'k2');
      assert.equal([isAgain, warnings.map(({ member }) => member)], [false, ['PreviousOpen']]);
    },
    { pacing: NO_POLLS },
  ),
);

test(
  'a code that is not on the present printed code is not shown for its key',
  onLane(
    async (l) => {
      await sell(l, 'k');
      const drawn = l.display.drawn.length;
      Object.assign(l.bank, { isOnPresentCode: () => false });
      const { isShown, warnings } = await sell(l, 'k');
      assert.equal([isShown, warnings.map(({ member }) => member)], [false, ['NotShown']]);
      assert.is(l.display.drawn.length, drawn);
    },
    { pacing: NO_POLLS },
  ),
);

test(
  'a payment that is paid while its code is drawn once more, and the drawing breaks, has not failed',
  onLane(async (l) => {
    const id = await idOf(sell(l, 'k'));
    l.display.show = async () => {
      l.bank.verdicts.set(l.bankId(0), 'accepted');
      await until('ACCEPTED', () => stateOf(l, id) === 'ACCEPTED');
      throw new DisplayError('serial', 'lost', 'the link broke');
    };
    const { orderId, isShown } = await sell(l, 'k');
    assert.equal([orderId, isShown, ...status(l)], [id, false, 'ACCEPTED', id]);
  }),
);

test(
  'a symbol on the display tells nothing to a till that names its sale by a key',
  onLane(async (l) => {
    const id = await idOf(sell(l, 'k1'));
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await until('the symbol', () => l.display.drawn.some(({ kind }) => kind === 'status'));
    const refused = await refusal(sell(l, 'other', { amount: 700 }));
    assert.equal([code(refused), refused.parameters], ['Bank.PreviousPaid', { payments: [id] }]);
  }),
);

test(
  'what has been paid and given back is told as an error, and is read by nobody',
  onLane(async (l) => {
    const id = await idOf(sell(l, 'k'));
    l.bank.told = { refunded: 100 };
    l.bank.verdicts.set(l.bankId(0), 'accepted');
    await ended(l, 'ERROR');
    const payment = l.payments.find(id);
    l.payments.isReadBy(null, payment);
    assert.equal([payment.status.state, l.payments.find(id).status.late], ['ACCEPTED', true]);
    assert.is(await idOf(sell(l, 'k')), id);
  }),
);

test(
  'an acceptance counts as read where the credential that asked for it is told',
  onLane(
    async (l) => {
      const id = await idOf(sell(l, 'k', { amount: 100 }, callerNamed('till')));
      l.bank.verdicts.set(l.bankId(0), 'accepted');
      await sell(l, 'k', { amount: 100 }, callerNamed('till'));
      l.payments.isReadBy('technician', l.payments.find(id));
      assert.ok(l.payments.find(id).status.untold);
      l.payments.isReadBy('till', l.payments.find(id));
      assert.is(l.payments.find(id).status.untold, false);
    },
    { pacing: NO_POLLS },
  ),
);

test(
  'a row that the storage has damaged is refused, and makes no second payment; also where it has lost its key',
  onLane(
    async (l) => {
      const id = await idOf(sell(l, 'k'));
      l.db.exec('DROP TRIGGER payments_unchecked'); // the storage asks no trigger
      l.db.exec('UPDATE payments SET amount = amount + 1');
      const damaged = await refusal(sell(l, 'k'));
      assert.equal([code(damaged), damaged.payment], ['Payments.Damaged', id]);
      l.db.exec("UPDATE payments SET sale_key = 'j'");
      const lost = await refusal(sell(l, 'k'));
      assert.equal([code(lost), lost.payment], ['Payments.Damaged', id]);
      assert.is(l.bank.registered.length, 1);
    },
    { pacing: NO_POLLS },
  ),
);

test('the order id follows from the key: a ledger that is lost makes no second order of a sale at the bank', async () => {
  const orderIds: string[] = [];
  for (const _ of [1, 2]) {
    const l = await openLane({ pacing: NO_POLLS });
    for (const [name, till] of [
      ['k', null],
      ['k', 'till'],
      ['k2', null],
    ] as const)
      orderIds.push(await idOf(sell(l, name, { amount: orderIds.length + 1 }, callerNamed(till))));
    await l.stop();
  }
  assert.equal(orderIds.slice(0, 3), orderIds.slice(3));
  assert.is(new Set(orderIds).size, 3);
  for (const id of orderIds) assert.match(id, /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

test.run();
