/** The events of payments and refunds: each is written with the change that it reports, and in one order. */

import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { putStand } from '../../firmware/core/book/stand.ts';
import { openDatabase } from '../../firmware/core/files/database.ts';
import { EventFeed, GATHER_MS } from '../../firmware/payments/events/event-feed.ts';
import { KEPT_MS, MOST_KEPT, MOST_UNDELIVERED, Outbox } from '../../firmware/payments/events/outbox.ts';
import { paymentEvents, presentEvents, refundEvent } from '../../firmware/payments/model/event-types.ts';
import { type PaymentStatus, REGISTERING } from '../../firmware/payments/model/payment.ts';
import { GIVEN_BACK } from '../../firmware/payments/model/payment-failures.ts';
import type { PaymentRow } from '../../firmware/payments/model/payment-row.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { MONEY_MIGRATIONS } from '../../firmware/payments/money/money-schema.ts';
import { each, fieldsOf, temporaryFolder } from '../support.ts';
import { openFeed } from './event-rig.ts';
import { HandClock, type Lane, NO_POLLS, onLane, openLane, refusal, until } from './harness.ts';
import { failingCommit, flip, NOW, openKept, pay as payInto, WHOLE_FILE } from './ledger-rig.ts';
import { paymentsAfter } from './ledger-rows.ts';
import { paid } from './refund-rig.ts';

const test = suite('terminal: the outbox');
const it = each(test, onLane);
const afterwards = each(test, paid);

const eventsOf = ({ db }: Pick<Lane, 'db'>) =>
  db
    .prepare('SELECT number, type, order_id, body FROM events ORDER BY number')
    .all()
    .map(({ number, type, order_id, body }) => ({
      number: Number(number),
      type: String(type),
      orderId: String(order_id),
      body: JSON.parse(String(body)),
    }));
const typesOf = (l: Pick<Lane, 'db'>): string[] => eventsOf(l).map(({ type }) => type);

const A_ROW = { refunded: 0 } as PaymentRow;
const row = (status: Partial<PaymentStatus>, fields: Partial<PaymentRow> = {}): PaymentRow => ({
  ...A_ROW,
  status: { ...REGISTERING, seen: true, ...status },
  ...fields,
});

it('each listener hears of each commit with events', async (lane) => {
  const heard = [0, 0];
  for (const at of [0, 1]) {
    lane.terminal.outbox.onAppended(() => {
      heard[at] = (heard[at] ?? 0) + 1;
    });
  }
  await lane.showQR(100);
  assert.ok((heard[0] ?? 0) > 0);
  assert.is(heard[0], heard[1]);
});

test('each change of a payment means what it means, and nothing else', () => {
  const open = row({});
  for (const [before, after, types] of [
    [null, open, ['payment.created']],
    [open, open, []],
    [open, row({ superseded: true, awaited: false }), []],
    [row({ seen: false }), open, ['payment.shown']],
    [open, row({ state: 'ACCEPTED', unreported: true }), ['payment.accepted']],
    [open, row({ state: 'ACCEPTED', unreported: true, late: true }), ['payment.accepted', 'payment.late']],
    [row({ state: 'ACCEPTED' }), row({ state: 'ACCEPTED', late: true }), ['payment.late']],
    [row({ state: 'ACCEPTED', late: true }), row({ state: 'ACCEPTED' }), ['payment.acknowledged']],
    [open, row({ state: 'REJECTED' }), ['payment.rejected']],
    [open, row({ state: 'CANCELED' }), ['payment.canceled']],
    [open, row({ state: 'ERROR' }), ['payment.error']],
    [row({ state: 'CANCELED' }), open, ['payment.reopened']],
    [open, row({ state: 'ACCEPTED', late: true, failure: GIVEN_BACK }), ['payment.given_back', 'payment.late']],
    [
      row({ state: 'ACCEPTED', unreported: true }),
      row({ state: 'ACCEPTED', late: true, failure: GIVEN_BACK }),
      ['payment.given_back', 'payment.late'],
    ],
    [row({ state: 'ACCEPTED' }), row({ state: 'ACCEPTED' }, { refunded: 5 }), ['payment.refunded']],
    [row({ state: 'ACCEPTED' }, { refunded: 5 }), row({ state: 'ACCEPTED' }, { refunded: 5 }), []],
  ] as const)
    assert.equal(paymentEvents(before, after), types, JSON.stringify([before, after]));
});

test('the state of a payment is sent as a whole where earlier events may be missing', () => {
  const open = row({});
  assert.equal(presentEvents(open), ['payment.created', 'payment.shown']);
  assert.equal(presentEvents(row({ state: 'STATIC' })), ['payment.created', 'payment.shown']);
  assert.equal(presentEvents(row({ state: 'CANCELED' })), ['payment.canceled']);
  const late = row({ state: 'ACCEPTED', late: true }, { refunded: 3 });
  assert.equal(presentEvents(late), ['payment.accepted', 'payment.refunded', 'payment.late']);
});

test('a refund has an event when it is asked for and when it is decided', () => {
  assert.is(refundEvent(null, 'asked'), 'refund.created');
  assert.is(refundEvent('asked', 'sent'), null);
  assert.is(refundEvent('sent', 'unknown'), null);
  assert.is(refundEvent('unknown', 'done'), 'refund.done');
  assert.is(refundEvent('pending', 'refused'), 'refund.refused');
  assert.is(refundEvent('refused', 'done'), 'refund.done');
  assert.is(refundEvent('done', 'done'), null);
});

it('a replaced payment is late when it is accepted, until somebody has looked into it', async (l) => {
  await l.showQR(500);
  await l.showQR(700);
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  const [first] = l.bank.registered;
  await until('ACCEPTED', () => l.ledger.find(first?.orderId ?? '')?.status.state === 'ACCEPTED');
  l.payments.acknowledge(first?.orderId ?? '', 'looked into');
  const ofFirst = eventsOf(l).filter(({ orderId }) => orderId === first?.orderId);
  assert.equal(
    ofFirst.map(({ type }) => type),
    ['payment.created', 'payment.shown', 'payment.accepted', 'payment.late', 'payment.acknowledged'],
  );
  assert.is(ofFirst.at(-1)?.body.payment.note, 'looked into');
});

const NO_EVENTS = "CREATE TRIGGER no_events BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no room'); END";

it('a change whose event cannot be written is not made: payment and event are one commit', async (l) => {
  await l.showQR(500);
  const before = eventsOf(l).length;
  const [first] = l.bank.registered;
  l.db.exec(NO_EVENTS);
  assert.throws(
    () => l.ledger.setStatus(first?.orderId ?? '', { ...row({}).status, state: 'ACCEPTED' }, NOW),
    /no room/,
  );
  assert.is(l.ledger.find(first?.orderId ?? '')?.status.state, 'PENDING');
  await refusal(l.showQR(900)).catch(() => undefined);
  assert.equal([paymentsAfter(l.ledger, 0, 10).length, eventsOf(l).length], [1, before]);
  l.db.exec('DROP TRIGGER no_events');
  await l.showQR(900);
  assert.is(typesOf(l).at(before), 'payment.created');
});

test('numbers rise even if the clock is set back, and are never used twice', async () => {
  const clock = new HandClock();
  const l = await openLane({ clock, pacing: NO_POLLS });
  await l.showQR(100);
  clock.now -= 500_000;
  await l.showQR(200);
  const numbers = eventsOf(l).map(({ number }) => number);
  assert.equal(
    numbers,
    [...new Set(numbers)].sort((one, other) => one - other),
  );
  const last = numbers.at(-1) ?? 0;
  l.db.exec('UPDATE events_kept SET lost_to = (SELECT max(number) FROM events); DELETE FROM events');
  await l.showQR(300);
  assert.ok((eventsOf(l)[0]?.number ?? 0) > last);
  clock.now += 3_600_000;
  await l.showQR(400);
  assert.ok((eventsOf(l).at(-1)?.number ?? 0) >= clock.wall(), 'they follow the clock');
  await l.stop();
});

afterwards('a refund stands in the same stream, after what has gone back of its payment', async (l, _bank, orderId) => {
  const before = eventsOf(l).length;
  await l.refunds.refund({ orderId, tillId: 'back-1', amount: 300 });
  const written = eventsOf(l).slice(before);
  assert.equal(
    written.map(({ type, body }) => [type, body.refund?.state, body.payment.refunded]),
    [
      ['refund.created', 'asked', 0],
      ['payment.refunded', undefined, 300],
      ['refund.done', 'done', 300],
    ],
  );
  assert.is(written[2]?.body.refund.id, 'back-1');
});

const describe = ({ orderId, status }: PaymentRow) => ({ id: orderId, state: status.state });

const told = { payment: describe, refund: () => ({}) };

test("a book made anew sends the states of its last day's payments, and what is lost", async () => {
  using folder = temporaryFolder();
  const clock = new HandClock();
  let last = 0;
  {
    await using first = await openKept(folder.path, null, told);
    const outbox = new Outbox(first.payments, clock, describe);
    outbox.begin();
    payInto(first.payments, 1);
    payInto(first.payments, 4);
    last = outbox.last;
  }
  assert.ok(last > 0);
  WHOLE_FILE.zeroed?.(`${folder.path}/money.db`);
  clock.now += 60_000;
  await using money = await openKept(folder.path, null, told);
  const anew = new Outbox(money.payments, clock, describe);
  assert.ok(anew.lostTo > last, 'before it is begun, too');
  anew.begin();
  assert.ok(anew.lostTo > last);
  assert.ok(anew.after(0, 10).every(({ number }) => number > last));
  assert.equal(
    anew.after(0, 10).map(({ type, orderId }) => [type, orderId]),
    [
      ['payment.accepted', 'order-1'],
      ['payment.created', 'order-4'],
      ['payment.shown', 'order-4'],
    ],
  );
  anew.begin();
  assert.is(anew.after(0, 10).length, 3, 'once');
});

test('a book made anew on a full disk reports its last day as soon as there is room', async () => {
  using folder = temporaryFolder();
  const clock = new HandClock();
  {
    await using first = await openKept(folder.path, null, told);
    payInto(first.payments, 1);
  }
  WHOLE_FILE.zeroed?.(`${folder.path}/money.db`);
  await using money = await openKept(folder.path, null, told);
  const outbox = new Outbox(money.payments, clock, describe);
  const problems: string[] = [];
  const feed = new EventFeed(outbox, (problem) => problems.push(problem), 0, 10);
  {
    using _full = failingCommit();
    feed.start();
  }
  assert.equal([problems, outbox.after(0, 10)], [['events cannot be kept'], []]);
  await until('the events', () => outbox.after(0, 10).length > 0);
  feed.close();
  assert.equal(fieldsOf(outbox.after(0, 10), 'type'), ['payment.accepted']);
});

test('an event that the storage has damaged makes the book be made anew, and no payment is lost', async () => {
  using folder = temporaryFolder();
  const clock = new HandClock();
  let place = 0;
  {
    await using first = await openKept(folder.path, null, told);
    new Outbox(first.payments, clock, describe);
    for (let n = 1; n <= 40; n += 1) payInto(first.payments, n);
    const { table } = first.payments;
    table.get('PRAGMA wal_checkpoint(TRUNCATE)');
    const { page } = table.get("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'events'") ?? {};
    const { size } = table.get('SELECT page_size AS size FROM pragma_page_size()') ?? {};
    place = (Number(page) - 1) * Number(size);
  }
  for (let n = 0; n < 40; n += 1) flip(`${folder.path}/money.db`, place + n);
  await using money = await openKept(folder.path, null, told);
  const outbox = new Outbox(money.payments, clock, describe);
  outbox.begin();
  assert.is(paymentsAfter(money.payments, 0, 100).length, 40);
  assert.ok(outbox.after(0, 1000).length >= 40);
});

test('event numbers go on above the kept ones, even with a clock behind, and when all are gone', () => {
  const { db } = openDatabase(':memory:', MONEY_MIGRATIONS, 0);
  db.exec(`INSERT INTO events_kept VALUES (1, 7);
    INSERT INTO events VALUES (${NOW + 1}, ${NOW}, 'payment.shown', 'o', '{"payment":{}}')`);
  putStand((sql) => db.prepare(sql), { commit: 0, hash: '', lastEvent: NOW + 1 });
  const { payments: ledger } = Money.over(db, told);
  const clock = new HandClock();
  clock.now = 0;
  const outbox = new Outbox(ledger, clock, describe);
  assert.equal([outbox.lostTo, outbox.last, outbox.find(NOW + 1)?.type], [7, NOW + 1, 'payment.shown']);
  payInto(ledger, 1);
  assert.ok(outbox.after(NOW + 1, 10).length > 0);
  outbox.prune(outbox.last);
  const { last } = outbox;
  payInto(ledger, 2);
  assert.ok(outbox.last > last && outbox.after(0, 10).every(({ number }) => number > last));
});

/** A feed of so many events, one each hour. */
function filled(count: number, deliveredTo?: number) {
  const opened = openFeed(deliveredTo);
  opened.db.exec(`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})
    INSERT INTO events SELECT n, ${opened.clock.wall()} + n * 3600000, 'payment.shown', 'o', '{"payment":{}}' FROM n`);
  return opened;
}
/** It does what it does at its start. */
async function live(feed: ReturnType<typeof filled>['feed']): Promise<void> {
  feed.start();
  for (let n = 0; n < 300; n += 1) await new Promise((resolve) => setImmediate(resolve));
  feed.close();
}

test('events go when they are a week old, and what is gone is known', async () => {
  const { clock, outbox, feed } = filled(1200);
  clock.now += 1000 * 3_600_000 + KEPT_MS;
  await live(feed);
  assert.equal([outbox.after(0, 1)[0]?.number, outbox.countAfter(0)], [1000, 201]);
  assert.ok(outbox.lostTo >= 999);
});

test('an event that was dated by a clock which was behind takes no younger ones with it', async () => {
  const { clock, outbox, feed, write } = filled(10);
  const wall = clock.wall;
  clock.wall = () => wall() - 2 * KEPT_MS;
  write('while the clock was behind');
  clock.wall = wall;
  await live(feed);
  assert.is(outbox.countAfter(0), 11);
});

test('how many wait is counted once, piece by piece, and not with each question', () => {
  const { db, outbox, write } = filled(10_000, 0);
  let pieces = 1;
  for (; outbox.pruneOutdated(0); pieces += 1);
  assert.ok(pieces >= 5, `${pieces} pieces`);
  db.exec('DELETE FROM events WHERE number <= 9000'); // what is counted is read no more
  assert.equal(
    [0, 4, 5000, 10_000, 1e15].map((number) => outbox.countAfter(number)),
    [10_000, 9996, 5000, 0, 0],
  );
  write('one more');
  assert.equal([outbox.countAfter(5000), outbox.countAfter(outbox.last)], [5001, 0]);
  outbox.prune(7000);
  assert.equal([outbox.countAfter(0), outbox.countAfter(9000)], [3001, 1001]);
});

test('old events go in small pieces', () => {
  const { clock, db, outbox } = filled(1000);
  clock.now += 5000 * 3_600_000;
  const count = (): number => Number(db.prepare('SELECT count(*) AS count FROM events').get()?.count);
  for (let [before, isMore] = [count(), true]; isMore; before = count()) {
    isMore = outbox.pruneOutdated(outbox.last);
    assert.ok(before - count() <= 100, `${before - count()} at once`);
  }
  assert.is(count(), 0);
});

test('a follower hears of all events, however many come at once', async () => {
  const { outbox, feed, write } = filled(0);
  const read: number[] = [];
  const leave = feed.follow(() => {
    for (let page = feed.read(read.at(-1) ?? 0, 50); page.length > 0; page = feed.read(read.at(-1) ?? 0, 50))
      read.push(...page.map(({ number }) => number));
  });
  const all = (): number[] => outbox.after(0, 10_000).map(({ number }) => number);
  const areTold = () => until('all events', () => read.length === all().length);
  for (let n = 0; n < 1300; n += 1) write(`${n}`);
  await areTold();
  assert.equal(read, all());
  leave();
  feed.close();
});

test('followers are called after the call that has written, once for all that it wrote', async () => {
  const { feed, write } = openFeed(undefined, GATHER_MS);
  let woken = 0;
  const leave = feed.follow(() => {
    woken += 1;
  });
  const gone = feed.follow(() => assert.unreachable('a follower that has left gets nothing'));
  write('one');
  write('two');
  await turn();
  assert.is(woken, 0, 'the call is answered first');
  gone();
  await until('it is called', () => woken > 0);
  assert.is(woken, 1);
  leave();
  feed.close();
});

test('the events of a nested change follow from the state before the outer change', () => {
  const { ledger, outbox } = filled(0);
  const { last } = outbox;
  payInto(ledger, 4); // stays open
  const orderId = ledger.last()?.orderId ?? '';
  ledger.setStatus(orderId, row({ state: 'ACCEPTED' }).status, NOW, {
    trxId: 'T',
    paidAt: null,
    refunded: 100,
    payer: null,
    paidBy: null,
  });
  assert.equal(
    outbox.after(last, 10).map(({ type }) => type),
    ['payment.created', 'payment.shown', 'payment.accepted', 'payment.refunded'],
  );
});

test('more than a number of them are not kept', async () => {
  const { outbox, feed } = filled(MOST_KEPT + 700);
  await live(feed);
  assert.is(outbox.countAfter(0), MOST_KEPT);
});

test('what an address has not taken yet stays, however old', async () => {
  const { clock, outbox, feed } = filled(1200, 300);
  clock.now += 5000 * 3_600_000;
  await live(feed);
  assert.is(outbox.after(0, 1)[0]?.number, 301);
});

test('of what no address has taken more are kept, but not all', async () => {
  const { outbox, feed } = filled(MOST_UNDELIVERED + 700, 300);
  await live(feed);
  assert.is(outbox.countAfter(0), MOST_UNDELIVERED);
});

test.run();
