import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RESTARTED } from '../../firmware/payments/model/payment-failures.ts';
import { TerminalError } from '../../firmware/payments/model/terminal-error.ts';
import { LONGEST_WAIT_MS } from '../../firmware/payments/service/sale/call-queue.ts';
import { replaced } from '../replaced.ts';
import { call, each, startTestDevice, temporaryFolder } from '../support.ts';
import { type Lane, NO_POLLS, onLane, openLane, refusal, registered, states, unreachable, until } from './harness.ts';
import { paymentsAfter } from './ledger-rows.ts';

const test = suite('terminal: calls that wait');
const it = each(test, onLane);

const quiet = { pacing: NO_POLLS };
const wordOf = ({ payments }: Lane): string => payments.status().status;
const amounts = ({ bank }: Lane): number[] => bank.registered.map(({ amount }) => amount);
const read = ({ payments }: Lane): string => {
  const status = payments.status();
  payments.markHandled(status);
  return status.status;
};

/** A sale that the till knows to be paid. */
async function sell(l: Lane, amount: number): Promise<void> {
  const n = l.bank.registered.length;
  await l.showQR(amount);
  l.bank.verdicts.set(l.bankId(n), 'accepted');
  await refusal(l.showQR(amount));
  assert.is(read(l), 'ACCEPTED');
}

/** A call of a till that has hung up, behind another one. */
async function dropOne(l: Lane, amount = 100): Promise<void> {
  const n = l.bank.registered.length;
  l.bank.hold();
  const both = [l.showQR(amount), refusal(l.showQR(amount + 100, { gone: AbortSignal.abort() }))];
  await registered(l, n + 1);
  l.bank.release();
  await Promise.all(both);
}

it('a call whose tills have hung up before its turn leaves no row, but a failure in the status', async (l) => {
  const gone = new AbortController();
  await sell(l, 50);
  l.bank.hold();
  const first = l.showQR(100);
  const dropped = refusal(l.showQR(200, { gone: gone.signal }));
  const third = l.showQR(300);
  const last = refusal(l.showQR(400, { gone: gone.signal }));
  await registered(l, 2);
  gone.abort();
  assert.is(wordOf(l), 'PENDING');
  l.bank.release();
  await Promise.all([first, third]);
  for (const error of [await dropped, await last]) {
    assert.equal([error.status, error.category, error.member], [400, 'RequestParams', 'InvalidRequest']);
    assert.match(error.message, /hung up/);
  }
  assert.equal(amounts(l), [50, 100, 300]);
  assert.equal(states(l), ['50 ACCEPTED', '100 PENDING', '300 PENDING']);
  const { status, failure } = l.payments.status();
  assert.equal([status, failure?.message], ['ERROR', (await last).message], 'the last call was the one for 400');
  assert.is(l.screen.payment, l.bank.registered[2]?.orderId);
});

it('a call that one till still waits for is answered, though the first of them has hung up', async (l) => {
  const gone = new AbortController();
  l.bank.hold();
  const first = l.showQR(100);
  const joined = [l.showQR(200, { gone: gone.signal }), l.showQR(200)];
  await registered(l);
  gone.abort();
  l.bank.release();
  await Promise.all([first, ...joined]);
  assert.equal(amounts(l), [100, 200]);
  assert.is(wordOf(l), 'PENDING');
});

it('a dropped or refused call that is asked for again comes behind the others, answered', async (l) => {
  await dropOne(l);
  assert.is(await l.showQR(200), null);
  assert.equal([wordOf(l), l.payments.status().orderId], ['PENDING', l.bank.registered[1]?.orderId]);
});

/** A lane whose minutes pass under the test's control. */
const withTimers = (run: (l: Lane, pass: (ms: number) => Promise<void>) => Promise<void>) => async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const l = await openLane(quiet);
  const pass = async (ms: number): Promise<void> => {
    mock.timers.tick(ms);
    for (let n = 0; n < 5; n += 1) await turn();
  };
  try {
    await run(l, pass);
  } finally {
    l.bank.release();
    mock.timers.reset();
    await l.stop();
  }
};
const timed = each(test, withTimers);

timed('a cancellation whose turn does not come in time says that nothing was cancelled', async (l, pass) => {
  await sell(l, 50);
  const { orderId } = l.payments.status();
  l.bank.hold();
  const first = l.showQR(100);
  await pass(0);
  const late = refusal(l.payments.cancel(orderId ?? ''));
  await pass(LONGEST_WAIT_MS);
  assert.match((await late).message, /nothing was cancelled; cancel it again/);
  l.bank.release();
  await first;
});

timed('a call whose turn does not come in time is refused, not begun, and the status says so', async (l, pass) => {
  await sell(l, 50);
  l.bank.hold();
  const first = l.showQR(100);
  await pass(0);
  let refused: unknown = null;
  const second = l.showQR(200).catch((error: unknown) => {
    refused = error;
  });
  await pass(LONGEST_WAIT_MS - 1);
  assert.is(refused, null);
  assert.is(wordOf(l), 'PENDING', 'it has not failed yet');
  await pass(1);
  await second;
  assert.is(l.payments.waiting, 1, 'no update may restart the device: another call is being answered');
  assert.ok(refused instanceof TerminalError);
  assert.equal([refused.status, refused.category, refused.member], [500, 'RequestParams', 'TooMany']);
  assert.equal([wordOf(l), l.payments.status().failure?.message], ['ERROR', refused.message]);
  l.bank.release();
  await first;
  assert.equal(amounts(l), [50, 100]);
  assert.is(paymentsAfter(l.ledger, 0, 10).length, 2);
  assert.equal([wordOf(l), l.payments.status().failure?.message], ['ERROR', refused.message]);
  assert.is(l.screen.payment, l.bank.registered[1]?.orderId, 'the call before it is answered anyway');
  assert.is(await l.showQR(200), null);
  assert.is(wordOf(l), 'PENDING');
});

timed('a call that is refused while the ledger cannot be read is answered with that', async (l, pass) => {
  l.bank.hold();
  const first = l.showQR(100);
  await pass(0);
  const second = l.showQR(200).catch((error: unknown) => error);
  const { last } = l.ledger;
  const unreadable = new Error('disk I/O error');
  l.ledger.last = () => {
    throw unreadable;
  };
  await pass(LONGEST_WAIT_MS);
  assert.is(await second, unreadable);
  l.ledger.last = last;
  l.bank.release();
  assert.is(await first, null);
});

timed('a call that has begun is refused by no clock', async (l, pass) => {
  l.bank.hold();
  const first = l.showQR(100);
  await pass(0);
  await pass(2 * LONGEST_WAIT_MS);
  l.bank.release();
  assert.is(await first, null);
});

for (const [which, before] of [
  ['a new code', async () => null],
  ['a code that is shown again', (l: Lane) => l.showQR(200)],
] as const)
  timed(`refused, payment open: ${which} of the call before is not its outcome`, async (l, pass) => {
    await before(l);
    await l.showQR(100);
    const { orderId } = l.payments.status();
    l.bank.beSilent();
    const other = l.showQR(200);
    await pass(0);
    const again = refusal(l.showQR(100, { ttl: 1 }));
    await pass(LONGEST_WAIT_MS);
    assert.is((await again).member, 'TooMany');
    l.bank.release();
    await other;
    assert.is.not(l.screen.payment, orderId, 'the call before it is answered anyway');
    assert.equal([wordOf(l), l.payments.status().orderId], ['PENDING', orderId]);
    const after = await openLane({ clock: l.clock, db: l.db, ...quiet });
    assert.equal([wordOf(after), after.payments.status().orderId], ['PENDING', orderId]);
    await after.stop();
  });

timed('refused before the call before it has a payment: its failure stays, after a restart too', async (l, pass) => {
  await l.showQR(100);
  l.bank.beSilent();
  const other = l.showQR(200);
  await pass(0);
  const late = refusal(l.showQR(300));
  await pass(LONGEST_WAIT_MS);
  const { message } = await late;
  l.bank.release();
  await other;
  const after = await openLane({ clock: l.clock, db: l.db, ...quiet });
  assert.equal(
    [l, after].map(({ payments }) => payments.status().failure?.message),
    [message, message],
  );
  await after.stop();
});

it("a till that reads a later call's failure has not watched the display: ACCEPTED is reported", async (l) => {
  await dropOne(l);
  assert.is(read(l), 'ERROR');
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await until('the acceptance', () => l.ledger.queries.unreported().length === 1);
  l.clock.now += 3_600_000;
  assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
  assert.is(l.bank.registered.length, 1);
});

it('a call in work reads PENDING, not the state of the payment before; on a new device too', async (l) => {
  assert.is(wordOf(l), 'EMPTY');
  l.bank.hold();
  const first = l.showQR(10);
  assert.is(wordOf(l), 'PENDING');
  l.bank.release();
  await first;
  await sell(l, 100);
  l.bank.beSilent();
  const next = l.showQR(200);
  assert.equal(l.payments.status(), { status: 'PENDING', failure: null, orderId: null, till: null });
  l.bank.release();
  await next;
  assert.is(l.payments.status().orderId, l.bank.registered.at(-1)?.orderId);
});

it('that a restart would end what waits is written once, and again with the call before', async (l) => {
  await sell(l, 50);
  const kept: string[] = [];
  const keep = l.ledger.recordFailedCall.bind(l.ledger);
  using _ = replaced(l.ledger, 'recordFailedCall', (failed) => {
    kept.push(failed.message);
    keep(failed);
  });
  l.bank.hold();
  const calls = [l.showQR(100), l.showQR(200), l.showQR(300)];
  await registered(l, 2);
  assert.equal(kept, [RESTARTED.message, RESTARTED.message]);
  l.bank.release();
  await Promise.all(calls);
});

it('what failed before the ledger was readable stays, whatever the last process has kept there', async (l) => {
  l.bank.unusable = unreachable();
  await refusal(l.showQR(100));
  l.ledger.recordFailedCall({ category: 'Bank', code: 1, message: 'of the process before' });
  l.payments.recover(); // as when the ledger can be read at last
  assert.match(l.payments.status().failure?.message ?? '', /does not answer/);
});

/** What a kill leaves is the database as it is; the process that was killed is ended when that was looked at. */
async function killed(before: Lane, look: (after: Lane) => Promise<void>): Promise<void> {
  const after = await openLane({ clock: before.clock, db: before.db, ...quiet });
  for (const [bankId, verdict] of before.bank.verdicts) after.bank.verdicts.set(bankId, verdict);
  try {
    await look(after);
  } finally {
    await after.stop();
    before.bank.release();
    await before.stop();
  }
}

const FAILURES: Readonly<Record<string, (l: Lane) => Promise<unknown>>> = {
  'had no payment for want of the bank': async (l) => {
    l.bank.unusable = unreachable();
    await refusal(l.showQR(300));
  },
  'was dropped while it waited': (l) => dropOne(l, 200),
  'was waiting for its turn': async (l) => {
    l.bank.hold();
    l.showQR(200).catch(() => undefined);
    l.showQR(300).catch(() => undefined);
    await registered(l, 2);
  },
};

for (const [what, fail] of Object.entries(FAILURES))
  test(`killed after a call that ${what}: ERROR until the next payment`, async () => {
    const before = await openLane(quiet);
    await sell(before, 100);
    await fail(before);
    await killed(before, async (after) => {
      assert.is(wordOf(after), 'ERROR');
      await after.showQR(400).catch(() => after.showQR(400));
      assert.is(wordOf(after), 'PENDING');
      await killed(after, async (again) => {
        assert.equal([wordOf(again), again.ledger.last()?.amount], ['PENDING', 400]);
      });
    });
  });

test('killed while the same was asked for again: PENDING, of the code that may still be paid', async () => {
  const before = await openLane(quiet);
  await before.showQR(100);
  before.bank.beSilent();
  before.showQR(100).catch(() => undefined);
  await turn();
  await killed(before, async (after) => {
    assert.equal([wordOf(after), after.payments.status().orderId], ['PENDING', before.bank.registered[0]?.orderId]);
  });
});

test('without settings, or with a ledger that cannot be read, a device says not configured', async () => {
  using folder = temporaryFolder();
  symlinkSync('/proc/self/mem', join(folder.path, 'money.db')); // whose every read fails
  await using device = await startTestDevice({}, folder.path);
  const { status, body } = await call(`${device.terminal}/showQR`, { json: { amount: 100 } });
  assert.equal(
    { status, error_category: body.error_category, error_code: body.error_code },
    { status: 400, error_category: 'DriverSettings', error_code: 1 },
  );
});

test.run();
