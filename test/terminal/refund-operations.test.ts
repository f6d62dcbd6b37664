/** A refund is known in a registry by its own operation, on the device that has made it and at the master of the store. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { FIRST_PLACE } from '../../firmware/payments/reports/lanes/lane-records.ts';
import { each } from '../support.ts';
import type { TestLane } from './lane-rig.ts';
import { kinds, missing, onStore, sums } from './lane-store.ts';

const test = suite('terminal: refunds by their operation');
const it = each(test, onStore);

/** Names it otherwise in the registry. */
function rename(lane: TestLane, operation: string, become: (line: string) => string): void {
  lane.lines.splice(
    0,
    lane.lines.length,
    ...lane.lines.map((line) => (line.includes(operation) ? become(line) : line)),
  );
}

for (const number of [1, 2] as const) {
  const where = number === 1 ? 'on this device' : 'at the master';

  it(`${where}: a line that names nothing but the operation is that refund, in any letters`, async (store) => {
    const lane = store.lane(number);
    const [one, two] = [lane.sell(9000), lane.sell(9000)];
    const operation = lane.refund(one, 5000, 'rrn');
    lane.refund(two, 5000, 'rrn');
    rename(lane, operation, (line) => line.toUpperCase());
    await store.sendAll();
    const found = await store.reconcile();
    assert.equal(
      { kinds: kinds(found), missing: missing(found), refunds: found.refunds },
      { kinds: [], missing: [], refunds: 2 },
    );
    assert.equal(sums(found)[number - 1], [lane.serial, 18_000, 10_000]);
  });

  it(`${where}: the bank’s id of a refund is its operation where the bank gives no other`, async (store) => {
    const lane = store.lane(number);
    const operation = lane.refund(lane.sell(9000), 5000, 'rrn');
    rename(lane, operation, (line) => line.replace(/;\w+-back-/, ';B'));
    await store.sendAll();
    assert.equal(kinds(await store.reconcile()), []);
  });

  it(`${where}: of refunds of one payment the operation says which is meant`, async (store) => {
    const lane = store.lane(number);
    const order = lane.sell(9000);
    const operations = [1000, 1000, 3000].map((kopecks) => lane.refund(order, kopecks, 'rrn'));
    rename(lane, operations[2] ?? '', (line) => line.replace('-30.00', '-10.00'));
    rename(lane, operations[0] ?? '', (line) => line.replace('back', 'gone'));
    lane.lines.push(lane.lines.find((line) => line.includes(operations[1] ?? '')) ?? '');
    await store.sendAll();
    const found = await store.reconcile();
    assert.equal(
      found.differences.map(({ kind, registry }) => [kind, registry]),
      [
        ['refund-not-in-ledger', 1000],
        ['other-amount', 1000],
        ['duplicate-line', 1000],
        ['refund-not-in-registry', null],
      ],
    );
  });
}

it('a sale is never found by the operation of a refund', async (store) => {
  const lane = store.lane(1);
  const operation = lane.refund(lane.sell(5000), 5000, 'rrn');
  rename(lane, operation, (line) => line.replace('-50.00', '50.00'));
  await store.sendAll();
  assert.equal(kinds(await store.reconcile([lane])), [
    ['not-in-ledger', null],
    ['refund-not-in-registry', 'LW1'],
  ]);
});

it('the bytes of all texts of its records count for a lane', async (store) => {
  const lane = store.lane(2);
  lane.refund(lane.sell(9000), 5000);
  const path = join(store.path, 'lanes.db');
  const { payments, refunds, ...batch } = await lane.feed.read(FIRST_PLACE);
  const bytesWith = (length: number): number => {
    const long = 'x'.repeat(length);
    store.payments.store('LW2', {
      ...batch,
      payments: payments.map((payment) => ({ ...payment, method: long })),
      refunds: refunds.map((refund) => ({ ...refund, trxId: long })),
    });
    using db = openFile(path, { readOnly: true });
    return Number(db.prepare("SELECT bytes FROM sizes WHERE lane = 'LW2'").get()?.bytes);
  };
  const first = bytesWith(2000);
  assert.ok(first > 4000, `${first} bytes`);
  assert.equal([bytesWith(2000), bytesWith(1000), bytesWith(0)], [first, first - 2000, first - 4000]);
});

test.run();
