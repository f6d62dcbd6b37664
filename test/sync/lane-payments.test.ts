/** Payments of a store's lanes over the real message server: sent after a cut, and by nobody under another's name. */

import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { decodePart, encodePart } from '../../drivers/lib/text.ts';
import { LanePayments } from '../../firmware/payments/reports/lanes/lane-payments.ts';
import { FIRST_PLACE } from '../../firmware/payments/reports/lanes/lane-records.ts';
import { LaneReporter, openLaneSender } from '../../firmware/sync/lane-reporter.ts';
import { suiteNeeding } from '../needing.ts';
import { type TemporaryFolder, temporaryFolder, until } from '../support.ts';
import { TestLane } from '../terminal/lane-rig.ts';
import { intruder } from './intruder.ts';
import { NO_SERVER, startLane } from './real-rig.ts';
import { joinStore, type Lane } from './rig.ts';

const test = suiteNeeding(NO_SERVER, 'synchronisation: payments of lanes');

function openDoor(master: Lane, folder: TemporaryFolder): LanePayments {
  const clock = { wall: Date.now, monotonic: () => performance.now() };
  const payments = new LanePayments({ path: join(folder.path, 'lanes.db'), clock });
  master.sync.line.onServe((connection) =>
    openLaneSender(
      connection,
      (part, batch) => payments.store(decodePart(part) ?? '', batch),
      (error) => {
        throw error;
      },
    ),
  );
  return payments;
}

function reporterOf(lane: Lane, { feed }: TestLane): LaneReporter & AsyncDisposable {
  const own = { serial: lane.serial, clock: { monotonic: () => performance.now() }, log: { warn: () => undefined } };
  const reporter = new LaneReporter(own, feed, lane.sync.line, () => true, 0.01);
  reporter.start();
  return Object.assign(reporter, { [Symbol.asyncDispose]: () => reporter.close() });
}

test('two lanes report, also after the server was killed; another device cannot speak for them', async () => {
  using folder = temporaryFolder();
  await using master = await startLane('M');
  const payments = openDoor(master, folder);
  await master.must('set_sync_master', { upload: true, download: true });
  await until('the master runs', async () => (await master.post('start_sync')).body.code === 0 || null);
  await using one = await startLane('S1');
  await using two = await startLane('S2');
  for (const lane of [one, two]) await joinStore(lane, master);
  using first = new TestLane('S1', folder.path);
  using second = new TestLane('S2', folder.path);
  await using _one = reporterOf(one, first);
  await using _two = reporterOf(two, second);
  const orders = [first.sell(100), second.sell(200)];
  await until('both', () => orders.every((order) => payments.find(order) !== null));
  process.kill(master.sync.serverPid ?? 0, 'SIGKILL');
  orders.push(first.sell(300), second.sell(400));
  await until('all four', () => orders.every((order) => payments.find(order) !== null));
  const lanes = orders.map((order) => payments.find(order)?.lane);
  assert.equal(lanes, ['S1', 'S2', 'S1', 'S2']);

  await using evil = await intruder(master, 'EVIL');
  const forged = JSON.stringify({
    ...(await first.feed.read(FIRST_PLACE)),
    payments: (await first.feed.read(FIRST_PLACE)).payments.map((payment) => ({ ...payment, amount: 1 })),
  });
  for (const part of ['S1', 'M', '*', '>']) {
    const subject = `laneware.lane-payments.${part.length === 1 && part !== 'M' ? part : encodePart(part)}`;
    const answer = await evil.request(subject, forged, { timeout: 500 }).catch(() => null);
    assert.is(answer, null, subject);
  }
  const own = await evil.request(`laneware.lane-payments.${encodePart('EVIL')}`, forged, { timeout: 5000 });
  assert.ok('place' in JSON.parse(own.string()));
  const nonsense = await evil.request(`laneware.lane-payments.${encodePart('EVIL')}`, '{', { timeout: 5000 });
  assert.equal(JSON.parse(nonsense.string()), { refusal: 'this is no report of a lane' });
  assert.equal([payments.find(orders[0] ?? '')?.lane, payments.find(orders[0] ?? '')?.amount], ['S1', 100]);

  await master.sync.shutOut('S2');
  const late = second.sell(500);
  const third = first.sell(600);
  await until('the one that is still of the store', () => payments.find(third) !== null);
  assert.is(payments.find(late), null);
  assert.is(payments.find(orders[1] ?? '')?.amount, 200, 'what it had sent stays');
  payments.close();
});

test.run();
