/** An acceptance that no till reads is late after a while, so that a person hears of it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { each } from '../support.ts';
import { type Lane, MINUTE_MS, onLane, refusal, restarted, until } from './harness.ts';
import { memberOf } from './same-sales.ts';

const test = suite('terminal: paid, and no till has read it');
const it = each(test, onLane);
const UNREAD_MS = 2 * MINUTE_MS;

async function paid(l: Lane, amount = 100): Promise<void> {
  await l.showQR(amount);
  l.bank.verdicts.set(l.bankId(l.bank.registered.length - 1), 'accepted');
  await until('ACCEPTED', () => l.ledger.last()?.status.state === 'ACCEPTED');
}

it('after two minutes it is late, and not before; a till that reads it then knows', async (l) => {
  await paid(l);
  await l.clock.advance(UNREAD_MS - 1000);
  assert.is(l.ledger.queries.lateCount(), 0);
  await l.clock.advance(1000);
  assert.is(l.ledger.queries.lateCount(), 1);
  l.payments.markHandled(l.payments.status());
  assert.is(l.ledger.queries.lateCount(), 0);
});

it('one that was read in time is not late', async (l) => {
  await paid(l);
  l.payments.markHandled(l.payments.status());
  await l.clock.advance(UNREAD_MS);
  assert.is(l.ledger.queries.lateCount(), 0);
});

it('a till that only watches the display is not refused for it, however late it goes on', async (l) => {
  await paid(l);
  await l.clock.advance(UNREAD_MS);
  assert.is(memberOf(await l.showQR(200)), 'PreviousPaid', 'beside the success: somebody is to look into it');
  assert.is(l.bank.registered.length, 2);
});

it('of many that are late the last three are named, and how many more there are', async (l) => {
  for (const amount of [100, 200, 300, 400, 500]) {
    await paid(l, amount);
    await l.clock.advance(UNREAD_MS);
  }
  const note = await l.showQR(600);
  const said = /^500 kopecks .*, 400 kopecks .*, 300 kopecks \(3\.00 roubles\) and 2 payments more were accepted late/;
  assert.match(note?.message ?? '', said);
});

it('a till that asks while it is open, then no more, is refused once: it watches no display', async (l) => {
  await l.showQR(100);
  l.payments.markHandled(l.payments.status());
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await until('ACCEPTED', () => l.ledger.last()?.status.state === 'ACCEPTED');
  await using after = await restarted(l);
  await after.clock.advance(UNREAD_MS);
  assert.is(after.ledger.queries.lateCount(), 1, 'the process after it counts anew');
  assert.is((await refusal(after.showQR(100))).member, 'PreviousPaid');
});

it("what only the display had shown at the process's end is late at once, and refuses no call", async (l) => {
  await paid(l);
  await using after = await restarted(l);
  assert.is(after.ledger.queries.lateCount(), 1);
  assert.is(memberOf(await after.showQR(100)), 'PreviousPaid');
});

test(
  'where tills only watch the display, nothing is late for want of a reader',
  onLane(
    async (l) => {
      await paid(l);
      await l.clock.advance(60 * MINUTE_MS);
      assert.is(l.ledger.queries.lateCount(), 0);
      assert.is(await l.showQR(100), null);
    },
    { unreadMs: 0 },
  ),
);

test.run();
