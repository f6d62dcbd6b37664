/** The last lines of the log, over HTTP: found by how grave they are, by part and text; bounded; no secret, no feeding itself. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KEPT_LINES, type LineFilter, LogRing } from '../../firmware/core/host/log-ring.ts';
import { openLog } from '../../firmware/device/composition/base.ts';
import { replaced } from '../replaced.ts';
import { CFT, call, SCREEN, startTestDevice } from '../support.ts';

const test = suite('lines of the log');
setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
function keptBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

const ALL: LineFilter = { after: 0, limit: KEPT_LINES, level: 'trace', part: null, text: '' };
const SECRET = 'made-up-secret-of-a-line';

const line = (fields: object): string => `${JSON.stringify({ time: '2026-11-21T08:00:00.000Z', ...fields })}\n`;
const filled = (): LogRing => {
  const ring = new LogRing();
  ring.add(line({ level: 'info', part: 'terminal', msg: 'one' }));
  ring.add(line({ level: 'warn', part: 'recognition', msg: 'two', orderId: 'A-1' }));
  ring.add(line({ level: 'error', msg: 'Three' }));
  return ring;
};
const messages = (ring: LogRing, filter: Partial<LineFilter>): string[] =>
  ring.list({ ...ALL, ...filter }).map(({ message }) => message);

test('newest first, found by each filter', () => {
  const ring = filled();
  assert.equal(messages(ring, {}), ['Three', 'two', 'one']);
  assert.equal(messages(ring, { level: 'warn' }), ['Three', 'two']);
  assert.equal(messages(ring, { part: 'recognition' }), ['two']);
  assert.equal(messages(ring, { part: 'device' }), ['Three'], 'what names no part is the device’s own');
  assert.equal(messages(ring, { text: 'tHREE' }), ['Three']);
  assert.equal(messages(ring, { text: 'a-1' }), ['two'], 'details, too');
  assert.equal(messages(ring, { after: 2 }), ['Three']);
  assert.equal(messages(ring, { limit: 1 }), ['Three']);
  assert.equal(ring.list({ ...ALL, limit: 2 })[1]?.details, { orderId: 'A-1' });
});

test('a thousand lines are kept, each cut to its room, and numbers go on', () => {
  const ring = new LogRing();
  for (let n = 1; n <= KEPT_LINES + 10; n++) ring.add(line({ level: 'info', msg: `${n}` }));
  assert.is(ring.list(ALL).length, KEPT_LINES);
  assert.is(ring.last, KEPT_LINES + 10);
  ring.add(line({ level: 'info', msg: 'x'.repeat(100_000) }));
  const [kept] = ring.list(ALL);
  assert.ok((kept?.message.length ?? 0) <= 8192);
  assert.is(kept?.level, 'info', 'a cut line keeps its level');
});

test('what is cut off a long line is not kept in memory', () => {
  const ring = new LogRing();
  const before = keptBytes();
  for (let n = 0; n < 200; n++) ring.add(line({ level: 'info', n, msg: 'x'.repeat(200_000) }));
  const grown = keptBytes() - before;
  assert.is(ring.list(ALL).length, 200);
  assert.ok(grown < 10_000_000, `${grown} bytes for 200 lines`);
});

test('a foreign line is shown unchanged, and a hostile one changes nothing', () => {
  const ring = new LogRing();
  for (const text of ['no JSON', '"text"', 'null', '[1]', '{"level":9,"part":"__proto__","msg":{}}']) ring.add(text);
  const lines = ring.list(ALL);
  assert.is(lines.length, 5);
  assert.is(lines[4]?.message, 'no JSON');
  assert.ok(lines.every(({ level, part }) => level === 'info' && part === 'device'));
});

test('a technician reads them; reading writes none; secrets are masked, however deep', async () => {
  const ring = new LogRing();
  const log = openLog('info', ring);
  {
    using _unheard = replaced(process.stdout, 'write', () => true);
    log.info({ a: { b: { c: { d: { password: SECRET } } } } }, 'deep');
  }
  assert.is(ring.last, 1);
  await using device = await startTestDevice({ LANEWARE_LOG_LEVEL: 'warn' }, undefined, { lines: ring });
  const { recognition, terminal } = device;
  const read = async (query = '') => (await call(`${recognition}/console/api/log${query}`)).body;
  const bankProfiles = { p: { ...CFT, password: SECRET, caPath: '/nonexistent' } };
  const settings = { bankProfile: 'p', bankProfiles, deviceConnection: SCREEN };
  await call(`${terminal}/updateDriverSettings`, { json: { settings } });
  const deep = (await read('?text=deep')).lines[0];
  assert.match(deep.details, /"d":\{"password":"[^m]/);
  const { last } = await read();
  for (let times = 0; times < 5; times++) await read('?level=info');
  assert.is((await read()).last, last, 'reading is no line');
  assert.not(JSON.stringify(await read('?limit=1000')).includes(SECRET));
});

test('what cannot be asked for is refused by its field', async () => {
  await using device = await startTestDevice();
  for (const query of ['limit=0', 'limit=1001', 'level=loud', 'part=kitchen', 'after=-1', 'unknown=1']) {
    const { status } = await call(`${device.recognition}/console/api/log?${query}`);
    assert.is(status, 400, query);
  }
});

test.run();
