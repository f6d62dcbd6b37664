/** A store reconciled at its master: what its lanes have sent, with any fault on the way, beside one registry of the bank. */

import { copyFileSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packEnded } from '../../firmware/core/book/journal-packing.ts';
import { openFile } from '../../firmware/core/files/database.ts';
import { laneStates } from '../../firmware/features/reconciliation/differences.ts';
import { OwnBooks } from '../../firmware/features/reconciliation/reconciled-books.ts';
import { LanePayments, LaneRefusal } from '../../firmware/payments/reports/lanes/lane-payments.ts';
import { FIRST_PLACE, RECORDS_AT_ONCE } from '../../firmware/payments/reports/lanes/lane-records.ts';
import { each, failed, temporaryFolder } from '../support.ts';
import { seeded } from '../tools/seeded.ts';
import { MORNING, send, TestLane } from './lane-rig.ts';
import { EVENING, kinds, missing, onStore, type Store, sellMany, sold, sums } from './lane-store.ts';
import { paymentsAfter } from './ledger-rows.ts';

const test = suite('terminal: payments of a store’s lanes');
const it = each(test, onStore);

const MINUTE = 60_000;

it('a registry of three lanes agrees to the kopeck, with any answer lost, after a restart too', async (store) => {
  const random = seeded(38);
  sellMany(store.lane(1), 20, random);
  sellMany(store.lane(2), 110, random); // more than one request takes
  await send(store.lane(2), store.payments, () => random() < 0.4);
  store.restart();
  for (const lane of store.lanes) sellMany(lane, 20, random);
  await store.sendAll(() => random() < 0.4);
  const found = await store.reconcile();
  assert.equal([found.differences, missing(found)], [[], []]);
  assert.equal(sums(found), sold(store.lanes));
  assert.is(
    found.payments,
    found.lanes.reduce((count, { payments }) => count + payments, 0),
  );
  assert.is(await store.sendAll(), 0, 'nothing is sent twice');
});

it('more refunds than one request takes are all sent, also where they are exactly two', async (store) => {
  const two = store.lane(2);
  const order = two.sell(100_000);
  for (let n = 0; n < 2 * RECORDS_AT_ONCE; n++) two.refund(order, 1);
  await store.sendAll();
  const found = await store.reconcile();
  assert.equal([found.refunds, kinds(found)], [2 * RECORDS_AT_ONCE, []]);
});

it('payments in which no money moves are set apart, of this device and of the others', async (store) => {
  const [one, two] = [store.lane(1), store.lane(2)];
  for (const lane of [one, two]) {
    lane.refund(lane.sell(700, { merchant: JSON.stringify(['Sandbox', null]) }), 300);
    lane.sell(500, { merchant: 'null' });
  }
  await store.sendAll();
  assert.equal(kinds(await store.reconcile()), [], 'the registry of a test shop agrees');
  for (const lane of store.lanes) lane.lines.length = 0;
  const found = await store.reconcile();
  assert.equal(kinds(found), [
    ['not-in-registry', 'LW1'],
    ['not-in-registry', 'LW2'],
  ]);
  assert.equal(found.tests, { count: 2, sum: 1400 });
});

it('what a lane sent as records of another form comes once more', async (store) => {
  const two = store.lane(2);
  two.sell(700, { merchant: JSON.stringify(['Sandbox', null]) });
  const { payments, ledger, ...batch } = await two.feed.read(FIRST_PLACE);
  const before = payments.map((payment) => ({ ...payment, test: false }));
  store.payments.store('LW2', { ...batch, ledger: `${ledger}0`, payments: before });
  assert.is((await store.reconcile([])).tests.count, 0);
  assert.is(await store.sendAll(), 1);
  assert.is((await store.reconcile([])).tests.count, 1);
});

it('each difference names its lane, and so does its sentence', async (store) => {
  const [one, two, three] = [store.lane(1), store.lane(2), store.lane(3)];
  one.sell(1000);
  two.sell(2000);
  three.sell(3000);
  const rejected = three.sell(4000, { state: 'REJECTED' });
  two.refund(two.sell(5000), 700);
  await store.sendAll();
  one.lines.length = 0;
  two.lines.splice(0, 1, two.lines[0]?.replace('20.00', '21.00') ?? '', two.lines[0] ?? '');
  two.lines.pop();
  three.lines.push(`${rejected};;;;40.00`, 'nobody;;;;9.00');
  const found = await store.reconcile();
  assert.equal(kinds(found), [
    ['other-amount', 'LW2'],
    ['duplicate-line', 'LW2'],
    ['not-accepted', 'LW3'],
    ['not-in-ledger', null],
    ['not-in-registry', 'LW1'],
    ['refund-not-in-registry', 'LW2'],
  ]);
  assert.equal(
    found.lanes.map(({ lane, differences }) => [lane, differences]),
    [
      ['LW1', 1],
      ['LW2', 3],
      ['LW3', 1],
    ],
  );
  const sentences = found.differences.map(({ sentence }) => sentence);
  assert.match(sentences[0] ?? '', /^line 2: payment 1 of lane LW2 is 21\.00 ₽ in the registry/);
  assert.match(sentences[3] ?? '', /"nobody" is in no ledger of the store: ask the bank$/);
});

it('a lane that has not reported is named, and none of its lines is said to be unknown', async (store) => {
  for (const lane of store.lanes) lane.sell(1000);
  await send(store.lane(2), store.payments);
  const found = await store.reconcile();
  assert.equal(kinds(found), [['lane-missing', null]]);
  assert.equal(missing(found), ['LW3']);
  assert.match(
    found.differences[0]?.sentence ?? '',
    /may be of a lane whose payments may be missing here: LW3 \(last report: never\)/,
  );
  await send(store.lane(3), store.payments);
  assert.equal(kinds(await store.reconcile()), []);
});

it('a lane counts as whole for three minutes after its report, then for what lies before it', async (store) => {
  for (const lane of store.lanes) lane.sell(1000);
  await store.sendAll();
  store.clock.mono += 3 * MINUTE;
  assert.equal(missing(await store.reconcile()), ['LW2', 'LW3'], 'the day is not over');
  store.clock.at += 24 * 60 * MINUTE;
  await store.sendAll();
  store.clock.mono += 3 * MINUTE;
  assert.equal(missing(await store.reconcile()), [], 'what came after that day is no matter');
  store.restart();
  assert.equal(missing(await store.reconcile()), ['LW2', 'LW3'], 'each minute is not worth a write: they report soon');
});

test('a clock of the master that was wrong makes no lane whole', () => {
  const day = { from: MORNING, to: MORNING + 1000, now: EVENING };
  const states = (at: number | null, isNow = false, devices = ['LW2']) =>
    laneStates(at === null ? [] : [{ lane: 'LW2', at, isNow }], devices, day).map(({ isMissing }) => isMissing);
  assert.equal(states(EVENING - 1), [false]);
  assert.equal(states(EVENING + 1), [true], 'a report from the future');
  assert.equal(states(0), [true], 'a report of 1970');
  assert.equal(states(0, true), [false], 'but that was a moment ago');
  assert.equal(states(null), [true], 'a device that has never reported');
  assert.equal(states(MORNING + 999), [true], 'it may have sold since');
  assert.equal(states(MORNING + 1000), [false]);
  assert.equal(states(MORNING - 1, false, []), [false], 'it had left the store before');
  assert.equal(states(MORNING, false, []), [true], 'it left in these days');
});

it('a master that is replaced gets everything again', async (store) => {
  for (const lane of store.lanes) sellMany(lane, 10, seeded(1));
  const before = await store.sendAll();
  store.payments.close();
  store.payments = store.open('another.db');
  assert.equal(missing(await store.reconcile()), ['LW2', 'LW3']);
  assert.is(await store.sendAll(), before);
  assert.equal(sums(await store.reconcile()), sold(store.lanes));
});

it('what a lane has sent stays when it leaves the store', async (store) => {
  for (const lane of store.lanes) lane.sell(1000);
  await store.sendAll();
  store.devices = ['LW2'];
  store.restart();
  const found = await store.reconcile();
  assert.equal(sums(found), sold(store.lanes));
});

it("a record is of the lane that sent it, whatever it says; another lane's payment stays", async (store) => {
  const order = store.lane(2).sell(1000);
  store.lane(2).refund(order, 300);
  await store.sendAll();
  const batch = await store.lane(2).feed.read(FIRST_PLACE);
  const forged = {
    ...batch,
    payments: batch.payments.map((payment) => ({ ...payment, lane: 'LW2', amount: 1, state: 'REJECTED', extra: {} })),
    refunds: batch.refunds.map((refund) => ({ ...refund, lane: 'LW2', amount: 299 })),
  };
  store.payments.store('LW3', forged);
  const found = await store.reconcile();
  assert.equal(sums(found), [
    ['LW1', 0, 0],
    ['LW2', 1000, 300],
    ['LW3', 0, 0],
  ]);
  assert.equal(kinds(found), [['refund-not-in-registry', 'LW3']]);
  const [payment] = batch.payments;
  if (payment === undefined) throw new Error('no payment');
  store.payments.store('LW3', { ...forged, payments: [{ ...payment, amount: 1 }], refunds: [] });
  assert.equal(kinds(await store.reconcile()), [
    ['not-in-registry', 'LW3'],
    ['refund-not-in-registry', 'LW3'],
  ]);
  const own = store.lane(1).sell(5000);
  const [record] = (await store.lane(1).feed.read(FIRST_PLACE)).payments;
  if (record === undefined) throw new Error('no record');
  store.payments.store('LW3', { ...forged, payments: [{ ...record, orderId: own, amount: 1 }], refunds: [] });
  assert.equal(sums(await store.reconcile())[0], ['LW1', 5000, 0], 'nor the master’s own');
});

it('a lane whose ledger was put back sends all of it again, and what it has lost stays', async (store) => {
  const folder = temporaryFolder();
  const lane = new TestLane('LW4', folder.path);
  lane.sell(1000);
  lane.close();
  const files = ['LW4.db'];
  for (const file of files) copyFileSync(join(folder.path, file), join(folder.path, `${file}.kept`));
  const later = new TestLane('LW4', folder.path);
  for (let n = 0; n < 3; n++) later.sell(2000);
  await send(later, store.payments);
  later.close();
  using other = temporaryFolder();
  for (const file of files) copyFileSync(join(folder.path, `${file}.kept`), join(other.path, file));
  for (const [restoredAt, sales] of [
    [0, 0], // by hand: the master is ahead
    [EVENING, 5], // as a backup, with more changes since than were lost
  ] as const) {
    const restored = new TestLane('LW4', other.path, restoredAt);
    for (let n = 0; n < sales; n++) restored.sell(3000);
    await send(restored, store.payments);
    const numbers = paymentsAfter(restored.ledger, 0, 100).map(({ orderId }) => store.payments.find(orderId)?.amount);
    assert.equal(numbers, [1000, ...Array.from({ length: sales }, () => 3000)]);
    restored.close();
  }
  const kept = store.payments.acceptedBetween(0, EVENING, 100, null).filter(({ amount }) => amount === 2000);
  assert.is(kept.length, 3);
  folder[Symbol.dispose]();
});

/** What the master has of a lane's sales, and what it should have: kopecks by order. */
const salesAt = (store: Store, orders: readonly string[]) => orders.map((order) => store.payments.find(order)?.amount);

for (const [sales, again] of [
  [1, 'fewer'],
  [3, 'as many'],
  [9, 'more'],
] as const)
  it(`an older card that sells ${again} before it reports: the master gets both histories`, async (store) => {
    const two = store.lane(2);
    const first = two.sell(1000);
    await store.sendAll();
    using image = temporaryFolder();
    cpSync(store.path, image.path, { recursive: true });
    const lost = [two.sell(2000), two.sell(2000), two.sell(2000)];
    two.refund(first, 100);
    await store.sendAll();
    using older = new TestLane('LW2', image.path);
    const sold = Array.from({ length: sales }, () => older.sell(3000));
    older.refund(first, 200); // and the row that was changed last is changed again
    await send(older, store.payments);
    assert.equal(salesAt(store, [first, ...lost, ...sold]), [1000, 2000, 2000, 2000, ...sold.map(() => 3000)]);
    assert.is(store.payments.refundsDoneBetween(0, EVENING).length, 2);
    assert.is(await send(older, store.payments), 0, 'and once');
  });

it('an older book opened while the device runs lacks what was given of the one before', async (store) => {
  using folder = temporaryFolder();
  using image = temporaryFolder();
  using lane = new TestLane('LW4', folder.path);
  const { book } = lane.ledger;
  const copied = (from: string, to: string): void => {
    lane.close();
    rmSync(to, { recursive: true });
    cpSync(from, to, { recursive: true });
    assert.ok(book.tryOpening());
  };
  const first = lane.sell(1000);
  copied(folder.path, image.path);
  const lost = [lane.sell(2000), lane.sell(2000)];
  await send(lane, store.payments);
  copied(image.path, folder.path);
  const sold = [lane.sell(3000), lane.sell(3000)];
  await send(lane, store.payments);
  assert.equal(salesAt(store, [first, ...lost, ...sold]), [1000, 2000, 2000, 3000, 3000]);
});

it('what a lane has sent is not sent again after a restart, nor where its day has ended since', async (store) => {
  using folder = temporaryFolder();
  let now = MORNING;
  const open = () => new TestLane('LW4', folder.path, 0, () => now);
  const sell = async (work: (lane: TestLane) => void): Promise<number> => {
    using lane = open();
    work(lane);
    return await send(lane, store.payments);
  };
  await sell((lane) => void lane.sell(1000));
  assert.is(await sell((lane) => void lane.sell(2000)), 1, 'its place is behind');
  using lane = open();
  lane.sell(3000);
  now += 24 * 60 * MINUTE;
  lane.sell(4000);
  packEnded(join(folder.path, 'LW4.journal'));
  lane.close();
  assert.is(await sell((later) => void later.sell(5000)), 3, 'its place is in a packed file');
});

it('a lane whose journal does not reach back to what it has sent sends all of it again', async (store) => {
  using folder = temporaryFolder();
  const lane = new TestLane('LW4', folder.path);
  const first = lane.sell(1000);
  await send(lane, store.payments);
  const second = lane.sell(2000);
  lane.close();
  rmSync(join(folder.path, 'LW4.journal'), { recursive: true });
  using later = new TestLane('LW4', folder.path);
  assert.is(await send(later, store.payments), 2);
  assert.equal(salesAt(store, [first, second]), [1000, 2000]);
});

it('a lane that is ahead, or has another ledger, gets its place, and nothing is taken', async (store) => {
  const lane = store.lane(2);
  const first = FIRST_PLACE;
  lane.refund(lane.sell(1000), 300);
  await store.sendAll();
  const here = store.payments.store('LW2', await lane.feed.read(null));
  const order = lane.sell(2000);
  const batch = await lane.feed.read(here);
  assert.equal(store.payments.store('LW2', { ...batch, after: { ...here, payments: here.payments + 1 } }), here);
  assert.equal(store.payments.store('LW2', { ...batch, after: { ...here, refunds: here.refunds + 1 } }), here);
  assert.equal(store.payments.store('LW2', { ...batch, ledger: 'another' }), first);
  assert.is(store.payments.find(order), null);
  assert.equal(store.payments.store('LW2', batch), batch.to);
  assert.is(store.payments.find(order)?.amount, 2000);
  assert.equal((await lane.feed.read({ ...batch.to, payments: lane.ledger.book.head + 1 })).after, first);
  assert.equal((await lane.feed.read({ ...batch.to, refunds: lane.ledger.book.head + 1 })).after, first);
});

it('refunds of this device are none of another lane’s payment of the same name', (store) => {
  const lane = store.lane(1);
  const order = lane.sell(1000);
  lane.refund(order, 300);
  const books = new OwnBooks({ lane: 'LW1', ledger: lane.ledger, refunds: lane.refunds });
  const payment = books.find(order);
  if (payment === null) throw new Error('no payment');
  assert.equal([books.refundsOf(payment).length, books.refundsOf({ ...payment, lane: 'LW3' }).length], [1, 0]);
});

it('a row that no master takes keeps back none behind it', async (store) => {
  const lane = store.lane(2);
  lane.sell(1000);
  const order = lane.sell(2000);
  lane.ledger.recordRef(order, { id: 'x'.repeat(5000) });
  const last = lane.sell(3000);
  await store.sendAll();
  assert.equal([store.payments.find(order), store.payments.find(last)?.amount], [null, 3000]);
});

/** A lane with what another one has kept: a board that takes its place with its backup, or the same board under another name. */
function heir({ serial: of, folder }: TestLane, serial: string): TestLane {
  using db = openFile(join(folder, `${of}.db`));
  db.exec(`VACUUM INTO '${join(folder, `${serial}.db`)}'`);
  return new TestLane(serial, folder, 1);
}

it('a lane whose place another board takes, with its backup, is counted once', async (store) => {
  const two = store.lane(2);
  two.sell(1000, { by: 'code' });
  two.sell(2000, { by: 'rrn' });
  const order = two.sell(3000);
  two.refund(order, 300);
  two.sell(5000, { state: 'REJECTED' });
  await store.sendAll();
  using four = heir(two, 'LW4');
  two.sell(7000, { by: 'code' }); // after the backup: the new board has never seen it
  await store.sendAll();
  store.devices = ['LW3', 'LW4'];
  four.sell(400);
  four.refund(order, 20);
  await send(four, store.payments);
  const found = await store.reconcile([...store.lanes, four]);
  assert.equal(kinds(found), []);
  assert.equal(
    [found.payments, found.refunds, sums(found).map(([, taken, returned]) => [taken, returned])],
    [
      5,
      2,
      [
        [0, 0],
        [13_000, 320],
        [0, 0],
        [400, 0],
      ],
    ],
  );
});

it('a board under another name is the same lane: what it learns later counts', async (store) => {
  const two = store.lane(2);
  const order = two.sell(1000, { state: 'PENDING' });
  await store.sendAll();
  using four = heir(two, 'LW4');
  const payment = four.ledger.find(order);
  if (payment === null) throw new Error('no payment');
  four.ledger.setStatus(order, { ...payment.status, state: 'ACCEPTED' }, MORNING);
  four.lines.push(`${order};;;;10.00`);
  await send(four, store.payments);
  assert.equal(kinds(await store.reconcile([four])), [
    ['not-accepted', 'LW2'],
    ['not-in-registry', 'LW4'],
  ]);
  store.devices = ['LW3', 'LW4'];
  assert.equal(kinds(await store.reconcile([four])), []);
});

it('a lane explains nothing of another one that belongs to the store', async (store) => {
  const two = store.lane(2);
  const order = two.sell(1000);
  await store.sendAll();
  const { refunds: _none, ...copy } = await two.feed.read(FIRST_PLACE);
  const made = {
    ...{ number: 1, refundId: 'made', tillId: 'made', orderId: order, profile: 'main', amount: 300 },
    ...{ state: 'done', bankRefundId: 'atTheBank', trxId: null, at: MORNING },
  };
  store.payments.store('LW3', { ...copy, to: { ...copy.to, payments: 1, refunds: 1 }, refunds: [made] });
  two.lines.push(`${order};;;atTheBank;-3.00`); // made in the account at the bank
  assert.equal(kinds(await store.reconcile()), [
    ['refund-not-in-ledger', 'LW2'],
    ['refund-not-in-registry', 'LW3'],
  ]);
});

it('a lane that names another one’s refund before that has reported it hides it from nobody', async (store) => {
  const two = store.lane(2);
  two.refund(two.sell(1000), 300);
  const { refunds, ...batch } = await two.feed.read(FIRST_PLACE);
  store.payments.store('LW3', { ...batch, payments: [], refunds });
  await store.sendAll();
  const found = await store.reconcile();
  assert.equal([kinds(found), sums(found)[1]], [[['refund-not-in-registry', 'LW3']], ['LW2', 1000, 300]]);
});

it('of a lane so many bytes are kept; more is refused by name, and the others go on', async (store) => {
  const [two, three] = [store.lane(2), store.lane(3)];
  two.refund(two.sell(1000), 300);
  three.sell(1000);
  await store.sendAll();
  store.payments.close();
  const bytes = (lane: string): number => {
    const db = openFile(join(store.path, 'lanes.db'));
    const row = db.prepare('SELECT bytes FROM sizes WHERE lane = :lane').get({ lane });
    db.close();
    return Number(row?.bytes);
  };
  const [before, limit] = [bytes('LW2'), bytes('LW2') + 1000];
  const open = (mostBytes: number) =>
    new LanePayments({ path: join(store.path, 'lanes.db'), clock: store.clock, mostBytes });
  store.payments = open(limit);
  two.ledger.acknowledge(two.ledger.byId(1)?.orderId ?? '', 'seen', 1);
  await send(two, store.payments);
  assert.is(bytes('LW2'), before, 'what is sent again takes no more');
  for (let n = 0; n < 20; n++) two.sell(1000);
  assert.is(
    (await failed(LaneRefusal, send(two, store.payments))).message,
    'of one lane the master keeps 0 MiB of payments, and lane LW2 sends more',
  );
  assert.is(bytes('LW2'), before, 'nothing of it is kept');
  const grown = await two.feed.read(FIRST_PLACE);
  const [first] = grown.payments;
  if (first === undefined) throw new Error('no record');
  const long = { ...grown, payments: [{ ...first, payload: 'x'.repeat(2000) }], refunds: [] };
  assert.throws(() => store.payments.store('LW2', long), /LW2/, 'nor where a record that it has grows');
  three.sell(2000);
  await send(three, store.payments);
  const found = await store.reconcile();
  assert.equal([sums(found)[2], missing(found)], [['LW3', 3000, 0], []]);
  store.clock.mono += 3 * MINUTE;
  assert.equal(missing(await store.reconcile()), ['LW2', 'LW3']);
  store.payments.close();
  store.payments = open(limit + 20_000);
  await store.sendAll();
  assert.equal(sums(await store.reconcile()), sold(store.lanes));
  assert.is(bytes('LW2') > limit, true);
});

it('a file that is damaged is set aside, and filled again by the lanes', async (store) => {
  for (const lane of store.lanes) sellMany(lane, 10, seeded(2));
  await store.sendAll();
  store.payments.close();
  writeFileSync(join(store.path, 'lanes.db'), Buffer.alloc(20_000, 'no database '));
  assert.equal(missing(await store.reconcile()), ['LW2', 'LW3']);
  await store.sendAll();
  assert.equal(sums(await store.reconcile()), sold(store.lanes));
});

test.run();
