/** A store of whole devices, reconciled by `/v1` at its master and at one of its lanes. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { type TestDevice, until } from '../support.ts';
import { healthOf } from './device-calls.ts';
import { csvOf, join, reconcileAt, sellAt, startLaneDevice, startMasterDevice } from './store-devices.ts';

const test = suite('terminal: a store is reconciled');

interface LaneOfAnswer {
  readonly lane: string;
  readonly missing: boolean;
}

test('a lane of which the master takes no more says so in its own health; the others go on', async () => {
  await using master = await startMasterDevice('LW1');
  await using two = await startLaneDevice('LW2');
  await using three = await startLaneDevice('LW3');
  await join(two, master);
  await until('the master has its file', () => existsSync(`${master.dataDir}/lanes.db`));
  const setSize = (bytes: number): void => {
    const db = openFile(`${master.dataDir}/lanes.db`);
    db.prepare("INSERT OR REPLACE INTO sizes VALUES ('LW3', :bytes)").run({ bytes });
    db.close();
  };
  setSize(2 ** 40);
  const lines = [[await sellAt(two, 5300), 5300] as const, [await sellAt(three, 6400), 6400] as const];
  await join(three, master);
  const partOf = async (device: TestDevice) => (await healthOf(device, 'lane-payments')) ?? null;
  const said = await until('it is refused', () => partOf(three));
  assert.is(said.state, 'degraded');
  assert.match(said.reason, /of one lane the master keeps 512 MiB of payments, and lane LW3 sends more/);
  const { body } = await until('the other one is here', async () => {
    const answer = await reconcileAt(master, csvOf(lines));
    return answer.body.payments === 1 ? answer : null;
  });
  assert.equal(
    body.lanes.map(({ lane, missing }: LaneOfAnswer) => [lane, missing]),
    [
      ['LW1', false],
      ['LW2', false],
      ['LW3', true],
    ],
  );
  assert.equal(
    { kind: body.differences[0].kind, two: await partOf(two), master: await partOf(master) },
    { kind: 'lane-missing', two: null, master: null },
  );
  const { body: own } = await reconcileAt(two, csvOf(lines));
  assert.equal(
    { payments: own.payments, master: own.master, lanes: own.lanes.length },
    { payments: 1, master: 'LW1', lanes: 1 },
  );
  assert.match(own.differences[0].sentence, /is not in this ledger: reconcile at LW1, the master of the store$/);
  setSize(0);
  await until('it is taken', async () => (await partOf(three)) === null);
});

test("a damaged file of the lanes' payments is named at the master, and refilled by the lanes", async () => {
  await using master = await startMasterDevice('LW1');
  await using two = await startLaneDevice('LW2');
  const file = `${master.dataDir}/lanes.db`;
  writeFileSync(file, Buffer.alloc(20_000, 'no database '));
  const line = [await sellAt(two, 5300), 5300] as const;
  await join(two, master);
  const said = await until('it is named', async () => (await healthOf(master, 'lane-payments')) ?? null);
  assert.match(said.reason, /set aside as .*lanes\.db\.damaged-/);
  await until('it is filled', async () => (await reconcileAt(master, csvOf([line]))).body.payments === 1);
  const [aside = ''] = readdirSync(master.dataDir).filter((name) => name.startsWith('lanes.db.damaged-'));
  rmSync(`${master.dataDir}/${aside}`);
  assert.is((await healthOf(master, 'lane-payments')) ?? null, null);
});

test.run();
