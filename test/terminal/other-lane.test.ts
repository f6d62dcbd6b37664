/** At the master of a store: calls about a payment that another lane has taken name that lane. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LanePayments } from '../../firmware/payments/reports/lanes/lane-payments.ts';
import { call, startTestDevice, temporaryFolder } from '../support.ts';
import { send, TestLane } from './lane-rig.ts';

const test = suite('terminal: payments of another lane');

test("a master names the lane of another lane's payment in each call; a lone device knows none", async () => {
  using folder = temporaryFolder();
  using lane = new TestLane('LW2', folder.path);
  const order = lane.sell(1000);
  const payments = new LanePayments({
    path: join(folder.path, 'lanes.db'),
    clock: { wall: () => 1, monotonic: () => 1 },
  });
  await send(lane, payments);
  payments.close();
  await using device = await startTestDevice({}, folder.path);
  const at = (path: string, method = 'GET', json?: unknown) =>
    call(`${device.terminal}/v1/payments/${path}`, {
      method,
      headers: { 'idempotency-key': 'made-up-key', ...(json !== undefined && { 'content-type': 'application/json' }) },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
  const calls = [
    () => at(order),
    () => at(`${order}/refunds`),
    () => at(`${order}/refunds`, 'POST', { amount: 1000 }),
    () => at(`${order}/refunds/made-up-key`),
    () => at(`${order}/cancel`, 'POST', {}),
    () => at(`${order}/receipt`, 'PUT', { state: 'printed' }),
    () => at(`${order}/acknowledge`, 'POST', { note: 'seen' }),
  ];
  const answers = async (): Promise<unknown[]> =>
    await Promise.all(calls.map((each) => each().then(({ status, body }) => [status, body.code, body.lane])));
  assert.equal(
    await answers(),
    calls.map(() => [404, 'Payments.NotFound', undefined]),
  );
  await call(`${device.recognition}/api/set_sync_master`, { json: { upload: true, download: true } });
  assert.equal(
    await answers(),
    calls.map(() => [404, 'Payments.OfOtherLane', 'LW2']),
  );
  const { detail } = (await at(`${order}/refunds`, 'POST', { amount: 1000 })).body;
  assert.match(detail, `the payment "${order}" was taken by device LW2 of this store: ask that device`);
  assert.equal((await at('unknown')).body.code, 'Payments.NotFound');
});

test.run();
