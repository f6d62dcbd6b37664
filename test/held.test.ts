/** Somebody has a database of the device open in a browser, with a change left open: the device goes on, and says who it is. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lockedDatabasesIn } from '../firmware/core/files/data-dir.ts';
import { connect, EVENT_LOOP_WAIT_MS, openDatabase } from '../firmware/core/files/database.ts';
import { isStoreError } from '../firmware/core/files/errors.ts';
import { Items } from '../firmware/recognition/items/items.ts';
import { delivered, delivering } from './features/webhooks/rig.ts';
import { holding } from './holder.ts';
import { learnSome } from './recognition/packages-support.ts';
import { startRig } from './recognition/support.ts';
import { StillClock } from './still-clock.ts';
import { call, setUp, startTestDevice, temporaryFolder, until } from './support.ts';
import { healthOf } from './terminal/device-calls.ts';
import { send } from './terminal/lane-rig.ts';
import { Store } from './terminal/lane-store.ts';

const test = suite('databases that another program holds');

const TRIES = 3;
const SCHEMA = [{ schema: 1, readableFrom: 1, sql: 'CREATE TABLE u(x)' }];

const heldBy = (file: string, pid: number): string => `another program holds ${file} (pid ${pid}): close it`;

/** Counts turns of the event loop in which another call was answered, until `work` is done. */
async function turnsDuring(url: string, work: () => Promise<void>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const counting = (async () => {
    while (!isOver) {
      assert.is((await call(url)).status, 200);
      turns += 1;
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await counting;
  }
  return turns;
}

test('the event loop and imports wait briefly for another program; a worker thread has time', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.db');
  const waited = (db: ReturnType<typeof connect>) => db.prepare('PRAGMA busy_timeout').get()?.timeout;
  const { db } = openDatabase(path, SCHEMA, 0);
  assert.is(waited(db), EVENT_LOOP_WAIT_MS);
  assert.is(EVENT_LOOP_WAIT_MS, 250);
  using other = connect(path);
  assert.is(waited(other), 5000);
  db.close();
  const items = new Items(join(folder.path, 'items.db'), new StillClock());
  assert.is(await items.file.onOwnConnection(async (apart) => waited(apart)), EVENT_LOOP_WAIT_MS);
  await items.close();
});

test('items.db: each write is refused by name, other calls answered, /health names the program', async () => {
  await using device = await startTestDevice();
  const url = `${device.recognition}/v1/items/4011`;
  const put = (name: string) => call(url, { method: 'PUT', json: { name, price: 12_900 } });
  assert.is((await put('Bananas')).status, 201);
  const file = join(device.dataDir, 'items.db');
  await using holder = await holding(file);
  const turns = await turnsDuring(url, async () => {
    for (let n = 0; n < TRIES; n += 1) {
      const { status, body } = await put('Others');
      assert.equal([status, body.code], [500, 'Internal.StorageRefused']);
      assert.is(body.detail, `${heldBy('items.db', holder.pid)}; nothing was changed`);
    }
    const imported = await call(`${device.recognition}/v1/catalogue`, { json: { items: [{ id: '1' }] } });
    assert.is(imported.body.detail, `${heldBy('items.db', holder.pid)}; nothing was changed`);
  });
  assert.ok(turns > TRIES, `${turns} calls were answered`);
  const named = `Another program holds items.db (process ${holder.pid})`;
  const { state } = await until('/health names the program', async () => {
    const disk = await healthOf(device, 'disk');
    return disk.reason.includes(named) ? disk : null;
  });
  assert.is(state, 'degraded');
  await holder.leave();
  await until('/health names it no more', async () => !(await healthOf(device, 'disk')).reason.includes(named));
  assert.is((await put('Others')).status, 200);
});

test('templates.db: nothing is learned, and what is known goes on', async () => {
  await using rig = await startRig();
  await learnSome(rig, 1, 1);
  const url = `${rig.url}/v1/templates`;
  await using holder = await holding(join(rig.folder, 'templates.db'));
  const turns = await turnsDuring(url, async () => {
    for (let n = 0; n < TRIES; n += 1) {
      const { status, body } = await call(url, { method: 'DELETE' });
      assert.equal([status, body.code], [500, 'Internal.StorageRefused']);
      assert.is(body.detail, `${heldBy('templates.db', holder.pid)}; nothing was changed`);
    }
  });
  assert.ok(turns > TRIES, `${turns} calls were answered`);
  await holder.leave();
  assert.equal((await call(url, { method: 'DELETE' })).body, { forgotten: 1 });
});

test(
  'webhooks.db: events are delivered all the same, and kept once it is free',
  delivering(async (f, open, receiver, folder) => {
    const lines: string[] = [];
    const log = (message: string, details: object = {}) => lines.push(`${message}: ${JSON.stringify(details)}`);
    const webhooks = open({ log });
    f.write('order-1');
    await delivered(f, webhooks);
    const holder = await holding(join(folder.path, 'webhooks.db'));
    f.write('order-1');
    await until('a line', () => lines.length > 0);
    assert.match(lines[0] ?? '', `what was delivered cannot be kept: `);
    assert.match(lines[0] ?? '', heldBy('webhooks.db', holder.pid));
    await delivered(f, webhooks);
    await holder.leave();
    f.write('order-1');
    await until('the third', () => receiver.received.length === 3);
    await delivered(f, webhooks); // else the next one sends it again
    await webhooks.close();
    const again = open();
    f.write('order-1');
    await until('the fourth', () => receiver.received.length === 4);
    await delivered(f, again);
    assert.is(new Set(receiver.ids).size, 4, 'none is told twice');
  }),
);

test(
  'webhooks.db that is held as the device starts: tried again, with all that was known',
  delivering(async (f, open, receiver, folder) => {
    const first = open();
    f.write('order-1');
    await delivered(f, first);
    await first.close();
    const lines: string[] = [];
    const holder = await holding(join(folder.path, 'webhooks.db'));
    const webhooks = open({ log: (message, details = {}) => lines.push(`${message}: ${JSON.stringify(details)}`) });
    await until('a line', () => lines.length > 0);
    assert.match(lines[0] ?? '', heldBy('webhooks.db', holder.pid));
    await holder.leave();
    f.write('order-1');
    await until('the second', () => receiver.received.length === 2);
    await delivered(f, webhooks);
    assert.equal(webhooks.problems, []);
  }),
);

test('sandbox.db: the sandbox bank refuses by name, and is paid once it is free', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  assert.is((await call(`${device.terminal}/showQR`, { json: { amount: 100 } })).status, 200);
  const [{ qrcId }] = (await call(`${device.sandbox}/sandbox/payments`)).body;
  const pay = () => call(`${device.sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' });
  await using holder = await holding(join(device.dataDir, 'sandbox.db'));
  const { status, text } = await pay();
  assert.is(status, 500);
  assert.match(text, heldBy('sandbox.db', holder.pid));
  await holder.leave();
  assert.is((await pay()).status, 200);
});

test('lanes.db: what a lane sends is not taken, and taken when it sends it again', async () => {
  using store = new Store();
  const lane = store.lane(2);
  lane.sell(1000);
  await store.sendAll();
  lane.sell(2000);
  const holder = await holding(join(store.path, 'lanes.db'));
  let failure: unknown = null;
  try {
    await send(lane, store.payments);
  } catch (error) {
    failure = error;
  }
  assert.ok(isStoreError(failure, 'FILE_HELD'), String(failure));
  assert.match(String(failure), heldBy('lanes.db', holder.pid));
  assert.equal(await lockedDatabasesIn(store.path), [{ file: 'lanes.db', pid: holder.pid }]);
  await holder.leave();
  assert.equal(await lockedDatabasesIn(store.path), []);
  assert.is(await send(lane, store.payments), 1);
});

test.run();
