/** Earlier payments that turn out paid: which calls they refuse, and how they are reported. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TerminalError } from '../../firmware/payments/model/terminal-error.ts';
import { each } from '../support.ts';
import {
  callerNamed,
  codes,
  MINUTE_MS,
  NO_POLLS,
  onLane,
  openLane,
  PACING,
  refusal,
  registered,
  report,
  restarted,
  states,
  TestBank,
  until,
} from './harness.ts';
import { paymentsAfter } from './ledger-rows.ts';
import { AN_HOUR_MS, memberOf } from './same-sales.ts';

const test = suite('terminal: a sale after others that turned out paid');
const it = each(test, onLane);

it('several that turn out paid are all named, and refused once together', async (l) => {
  await l.showQR(100);
  await l.showQR(200);
  await l.showQR(300);
  for (const n of [0, 1]) l.bank.verdicts.set(l.bankId(n), 'accepted');
  const error = await refusal(l.showQR(400));
  assert.is(error.member, 'PreviousPaid');
  assert.match(error.message, /2 payments.*200 kopecks \(2\.00 roubles\), 100 kopecks \(1\.00 roubles\)/);
  await l.showQR(400);
});

it('what another till asked for and has not read refuses each of the two once', async (l) => {
  const [one, two] = [{ caller: callerNamed('checkout-1') }, { caller: callerNamed('checkout-2') }];
  await l.showQR(100, one);
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  for (const [amount, till] of [
    [200, two],
    [300, one],
  ] as const) {
    assert.is((await refusal(l.showQR(amount, till))).member, 'PreviousPaid');
    await l.showQR(amount, till);
  }
});

it('a call refused after its payment was registered is a failure in the status', async (l) => {
  await l.showQR(100, { caller: callerNamed('checkout-1') });
  l.bank.hold();
  const refused = refusal(l.showQR(200, { caller: callerNamed('checkout-2') }));
  await registered(l, 2);
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await until('the acceptance', () => states(l)[0] === '100 ACCEPTED');
  l.bank.release();
  const { message } = await refused;
  const { status, orderId, failure } = l.payments.status();
  assert.equal({ status, orderId, why: failure?.message }, { status: 'ERROR', orderId: null, why: message });
  assert.equal(states(l), ['100 ACCEPTED', '200 ERROR']);
});

it('they are asked about at once, within one common deadline: a slow bank holds a call up once', async (l) => {
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
});

it('more than fit at once are asked about in turn, none is left out', async (l) => {
  for (let amount = 1; amount <= 20; amount += 1) await l.showQR(amount);
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  assert.match((await refusal(l.showQR(21))).message, /payment of 1 kopeck \(0\.01 roubles\)/);
});

it('paid within ttl and grace it refuses another sale, as its customer may be there; later not', async (l) => {
  for (const [lateMs, member] of [
    [-1, 'PreviousPaid'],
    [0, undefined],
  ] as const) {
    const n = l.bank.registered.length;
    await l.showQR(100, { purpose: `${n}` });
    l.payments.markHandled(l.payments.status());
    l.bank.verdicts.set(l.bankId(n), 'accepted');
    l.clock.now += 5 * MINUTE_MS + PACING.graceMs + lateMs;
    const outcome = await l.showQR(200, { purpose: `${n}` }).then(
      () => undefined,
      (error: TerminalError) => error.member,
    );
    assert.is(outcome, member);
    l.payments.markHandled(l.payments.status());
    for (const { orderId } of l.ledger.queries.late(10)) l.payments.acknowledge(orderId, null);
  }
});

it('a call refused for one before withdraws no other code; what is known paid is not asked for', async (l) => {
  await l.showQR(100);
  await l.showQR(200);
  l.bank.allowCancel();
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  assert.is((await refusal(l.showQR(300, { gone: AbortSignal.abort() }))).member, 'PreviousPaid');
  assert.equal(l.bank.canceled, []);
  const { questions } = l.bank;
  assert.is((await refusal(l.showQR(300))).member, 'PreviousPaid');
  assert.is(l.bank.questions, questions);
});

it('a till that has read ACCEPTED, or only watches the display, may ask the same again at once', async (l) => {
  await l.showQR(100);
  l.payments.markHandled(l.payments.status());
  await report(l, 'accepted');
  l.payments.markHandled(l.payments.status());
  assert.is(await l.showQR(100), null);
  await report(l, 'accepted', 1);
  l.clock.now += AN_HOUR_MS;
  assert.is(await l.showQR(100), null, 'the status of the second was not read');
  assert.is(l.ledger.queries.lateCount(), 0);
  assert.equal(l.ledger.queries.unreported(), []);
});

test('what the display has shown stays known through an orderly restart: no call is refused', async () => {
  const before = await openLane();
  await before.showQR(100);
  await report(before, 'accepted');
  await using after = await restarted(before);
  assert.is(memberOf(await after.showQR(100)), 'PreviousPaid', 'beside the success: no till has read it');
});

it("another order's bank id or code is a contradiction, unshown; one charge is one acceptance", async (l) => {
  l.bank.allowCancel();
  await l.showQR(700);
  await report(l, 'accepted');
  l.payments.markHandled(l.payments.status());
  const first = { bankId: l.bankId(0), payload: codes(l.display.drawn)[0] ?? '' };
  for (const answer of [first, { ...first, payload: 'https://pay.example/new' }, { ...first, bankId: 'new' }]) {
    l.bank.answers = [answer];
    const error = await refusal(l.showQR(700));
    assert.equal([error.status, error.category, error.member], [500, 'Bank', 'Contradiction']);
    assert.is(l.payments.status().status, 'ERROR');
  }
  assert.is(codes(l.display.drawn).length, 1);
  assert.equal(l.bank.canceled, [], 'the first code is not taken out of use for the sake of the second');
  assert.is(states(l).filter((state) => state.endsWith('ACCEPTED')).length, 1);
  assert.is.not(paymentsAfter(l.ledger, 0, 10)[1]?.ref?.id, l.bankId(0));
});

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

test.run();
