/** A code that is shown again for the same sale: drawings that break, kills, full disks and payments in between. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { each } from '../support.ts';
import {
  codes,
  MINUTE_MS,
  NO_POLLS,
  onLane,
  openLane,
  pastTheEnd,
  refusal,
  restarted,
  unreachable,
  until,
} from './harness.ts';
import { paymentsAfter } from './ledger-rows.ts';
import { memberOf } from './same-sales.ts';

const test = suite('terminal: a code shown again');
const it = each(test, onLane);

it('a drawing that broke: the same sale gets its code and PENDING, even with a silent bank', async (l) => {
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
});

it('a code that fails to be redrawn is not awaited, may be paid, and is drawn by the next call', async (l) => {
  await l.showQR(100);
  l.display.unplug();
  assert.is((await refusal(l.showQR(100))).category, 'SerialPort');
  assert.is(l.payments.status().status, 'PENDING');
  assert.not(l.ledger.last()?.status.awaited);
  l.display.replug();
  assert.is(memberOf(await l.showQR(100)), 'SameCode');
  assert.is(l.payments.status().status, 'PENDING');
});

it('a full disk when a code is to be shown again: it fails, comes off, nothing is registered', async (l) => {
  await l.showQR(100);
  l.ledger.fullFor = ['setStatus'];
  assert.is((await refusal(l.showQR(100))).member, 'StorageFull');
  assert.is(l.screen.payment, null);
  assert.is(l.payments.status().status, 'ERROR');
  l.ledger.fullFor = [];
  assert.is(memberOf(await l.showQR(100)), 'SameCode');
  assert.is(l.bank.registered.length, 1);
});

it('clearScreen before a code is shown again: not drawn, given up, but may still be paid', async (l) => {
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
  assert.is(l.ledger.queries.lateCount(), 1);
});

it("a code shown again is the status's, though others came after it, and these are replaced", async (l) => {
  await l.showQR(100);
  await l.showQR(200);
  await l.showQR(100);
  assert.is(l.screen.payment, l.bank.registered[0]?.orderId);
  assert.equal(
    paymentsAfter(l.ledger, 0, 10).map(({ amount, status }) => [amount, status.superseded]),
    [
      [100, false],
      [200, true],
    ],
  );
  l.bank.verdicts.set(l.bankId(1), 'accepted');
  await until('a late acceptance', () => l.ledger.queries.lateCount() === 1);
  assert.is(l.payments.status().status, 'PENDING');
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await until('ACCEPTED', () => l.payments.status().status === 'ACCEPTED');
  assert.is(l.ledger.queries.late(10)[0]?.amount, 200);
});

test('that stays so through a restart, and the right code is put back', async () => {
  const before = await openLane({ pacing: NO_POLLS });
  await before.showQR(100);
  await before.showQR(200);
  await before.showQR(100);
  const { orderId } = before.bank.registered[0] ?? {};
  await until('a note of the display', () => before.noted.endsWith(` ${orderId}`));
  await using after = await restarted(before, { pacing: NO_POLLS });
  assert.is(after.ledger.last()?.orderId, orderId);
  assert.is(after.screen.payment, orderId);
  assert.is(memberOf(await after.showQR(100)), 'SameCode');
  assert.is(after.bank.registered.length, 2);
});

test('killed before the first byte of a code shown again: not drawn, followed, and shown again', async () => {
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
    await using after = await restarted(before, { pacing: NO_POLLS });
    const outcome = await after.showQR(100).then(memberOf, (error: { member: string }) => error.member);
    assert.is(outcome, member);
    assert.is(after.bank.registered.length, 1);
  }
});

it('paid before its code was shown again: it is not shown, and the call is refused with it', async (l) => {
  await l.showQR(100, { gone: AbortSignal.abort() }); // no till awaits it
  l.display.connecting();
  const again = refusal(l.showQR(100));
  await until('the intent', () => l.ledger.last()?.status.awaited === true);
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await until('ACCEPTED', () => l.payments.status().status === 'ACCEPTED');
  l.display.replug();
  assert.is((await again).member, 'PreviousPaid');
  assert.is(codes(l.display.drawn).length, 1);
});

it('declined while its code was about to be shown again: it is not drawn', async (l) => {
  await l.showQR(100);
  l.display.connecting();
  const again = refusal(l.showQR(100));
  await until('a question about it', () => l.bank.questions > 0);
  l.bank.verdicts.set(l.bankId(0), 'rejected');
  await until('REJECTED', () => l.payments.status().status === 'REJECTED');
  l.display.replug();
  assert.match((await again).message, /the bank has ended the payment/);
  assert.is(codes(l.display.drawn).length, 1);
});

it('its code leaves the display when another turns out paid, and who has paid sees so', async (l) => {
  await l.showQR(100, { purpose: 'milk' });
  await l.showQR(100);
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
  assert.equal(l.screen.picture, { kind: 'status', status: 'success' });
});

test.run();
