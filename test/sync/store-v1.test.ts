/** The calls of the store under `/v1`, and their refusals. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, pick, until } from '../support.ts';
import { agree, type Lane, running, startLane } from './rig.ts';

const test = suite('synchronisation: the store by /v1');

const v1 = (lane: Lane, method: string, path = '', json?: unknown) =>
  call(`${lane.url}/console/api/store${path}`, json === undefined ? { method } : { method, json });
const store = async (lane: Lane) => (await v1(lane, 'GET')).body;
const refused = async (answer: ReturnType<typeof v1>) => {
  const { status, body } = await answer;
  return [status, body.code, body.field ?? null];
};

/** A master and its slave, made by nothing but these calls. */
async function pair(master: Lane, slave: Lane) {
  assert.is((await v1(master, 'POST', '', {})).body.role, 'master');
  await running(master);
  const { code, seconds, qr } = (await v1(master, 'POST', '/pairing-code')).body;
  assert.ok(seconds > 0 && qr.path !== '');
  const { mastersyncPort: port } = (await master.get('get_device_info')).body.data;
  const joined = await v1(slave, 'PUT', '/master', { host: '127.0.0.1', port, code });
  assert.is(joined.status, 200);
  assert.is(joined.body.address, `127.0.0.1:${port}`);
  await running(slave);
}

test('a store is made, read, and left; a device is shut out, and an unknown one cannot be', async () => {
  await using master = await startLane('M');
  await using slave = await startLane('S1');
  const now = [(await store(master)).role, (await store(master)).lastSuccess, (await store(master)).wipe];
  assert.equal(now, ['standalone', null, null]);
  await pair(master, slave);
  await slave.learn('7');
  await agree([master, slave], 1);
  const { role, paired, masterSN: serial, upload, download, lastSuccess, problem } = await store(slave);
  assert.equal(
    { role, paired, serial, upload, download, problem },
    { role: 'slave', paired: true, serial: 'M', upload: true, download: true, problem: null },
  );
  assert.ok(lastSuccess > 0);
  await until('the master has heard of it', async () => {
    const { devices } = await store(master);
    return devices.some((each: { sn: string; templates: number }) => each.sn === 'S1' && each.templates === 1);
  });
  assert.equal(await refused(v1(master, 'DELETE', '/devices/S9')), [404, 'Store.NoDevice', null]);
  const { devices } = (await v1(master, 'DELETE', '/devices/S1')).body;
  assert.equal(pick(devices, 'sn'), ['M']);
  await until('it is reported', async () => (await store(slave)).problem !== null);
  assert.is((await v1(slave, 'DELETE')).body.role, 'standalone');
  assert.is(slave.held().length, 1, 'what was learned stays');
});

test('an item is marked, listed and unmarked', async () => {
  await using master = await startLane('M');
  await v1(master, 'POST', '', { upload: true, download: true });
  await master.learn('a b');
  assert.equal((await v1(master, 'PUT', '/marks/a%20b')).body, { marks: [{ item: 'a b', done: ['M'] }], ended: [] });
  assert.equal(master.held(), []);
  assert.equal((await v1(master, 'GET', '/marks')).body.marks.length, 1);
  assert.equal((await v1(master, 'DELETE', '/marks/a%20b')).body, { marks: [], ended: [] });
  assert.equal((await v1(master, 'DELETE', '/marks/a%20b')).body, { marks: [], ended: [] });
});

test('what only a master does is refused elsewhere, and a code that is none names its field', async () => {
  await using lane = await startLane('A');
  for (const [method, path] of [
    ['POST', '/pairing-code'],
    ['DELETE', '/devices/S1'],
    ['GET', '/marks'],
    ['PUT', '/marks/7'],
    ['DELETE', '/marks/7'],
  ] as const)
    assert.equal(await refused(v1(lane, method, path)), [409, 'Store.NotMaster', null], path);
  assert.equal(await refused(v1(lane, 'PUT', '/master', { host: '127.0.0.1', code: 'x' })), [
    400,
    'RequestParams.InvalidField',
    'code',
  ]);
  assert.is((await store(lane)).role, 'standalone');
});

test.run();
