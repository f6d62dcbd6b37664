/** The marks of a master that has no slaves yet, through the calls: rules 10 to 13 of the interface, and its errors. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, each, opening, pick, temporaryFolder } from '../support.ts';
import { BOTH, keep, type Lane, startLane } from './rig.ts';
import { storeOf, wipe } from './store.ts';

const test = suite('synchronisation: marks of a lone master');
const it = each(test, opening(loneMaster));

/** The server program is missing: what a master does alone must not need it. */
async function loneMaster(): Promise<Lane> {
  const lane = await startLane('M', { program: '/nonexistent/nats-server' });
  await lane.must('set_sync_master', BOTH);
  return lane;
}

const progress = async (lane: Lane) => (await lane.get('get_deletion_all_progress')).body;
const items = async (lane: Lane): Promise<string[]> =>
  (await lane.get('get_item_list')).body.data.map(({ id }: { id: string }) => id);

test('a master whose marks’ two copies are lost says so until a new deletion everywhere', async () => {
  const MARKS = 'sync-marks.json';
  const harms: readonly ((path: string) => void)[] = [
    (path) => rmSync(path),
    (path) => writeFileSync(path, readFileSync(path).subarray(0, -10)),
  ];
  for (const [harm, isWiped] of harms.flatMap((each) => [[each, true] as const, [each, false] as const])) {
    using folder = temporaryFolder();
    const start = () => startLane('M', { folder: folder.path, program: '/nonexistent/nats-server' });
    const reasons = ({ health }: Lane) => health.report().parts.find(({ part }) => part === 'sync')?.reasons ?? [];
    {
      await using lane = await start();
      await lane.must('set_sync_master', BOTH);
      if (isWiped) await wipe(lane);
    }
    await using sound = await start();
    assert.not.ok(pick(reasons(sound), 'code').includes('sync-marks-lost'));
    await sound.close();
    for (const name of [MARKS, `${MARKS}.copy`]) harm(join(folder.path, name));
    await using lane = await start();
    assert.equal([pick(reasons(lane), 'code'), (await storeOf(lane)).reason], [['sync-marks-lost'], 'sync-marks-lost']);
    assert.is((await wipe(lane, 'second-wipe')).status, 200);
    assert.not.ok(pick(reasons(lane), 'code').includes('sync-marks-lost'));
  }
});

test('rules 10 to 12: the master-only calls answer -6301 on a device that is not a master', async () => {
  await using lane = await startLane('A');
  const refused = [
    await lane.post('set_deletion_all_flag', { id: '7' }),
    await lane.post('clear_deletion_all_flag', { id: '7' }),
    await lane.get('get_deletion_all_progress'),
    await lane.post('get_sync_pairing_code'),
    await lane.post('revoke_sync_device', { sn: 'B' }),
  ];
  for (const { status, body } of refused) {
    assert.is(status, 200);
    assert.equal({ code: body.code, data: body.data }, { code: -6301, data: null });
  }
});

it('rule 10: a marked item is not learned in any way, and the caller gets the reason', async (lane) => {
  await lane.learn('8');
  await lane.must('set_deletion_all_flag', { id: '7' });
  const { body } = await lane.post('add_item_template', { id: '7' });
  assert.equal([body.code, body.data], [-6316, null]);
  assert.match(body.msg, /^item 7 is marked .*nothing was learned.*clear_deletion_all_flag/);
  const learned = await call(`${lane.url}/v1/items/7/templates`, { method: 'POST' });
  assert.equal([learned.status, learned.body.code], [409, 'Templates.Marked']);
  const { templates, recogniser } = lane.recognition;
  assert.throws(() => templates.requireRoom('7', 2), /marked/); // as pictures of uncertain answers are learned
  const refused = await templates.add({ item: '7', ...(await recogniser.capture()) }).catch((error: unknown) => error);
  assert.match(String(refused), /marked/); // as feedback learns
  assert.equal(await items(lane), ['8']);
});

it('rule 10: a template of a marked item that is there anyway goes at the next synchronisation', async (lane) => {
  await lane.learn('7');
  const bringBack = keep(lane, '7');
  await lane.must('set_deletion_all_flag', { id: '7' });
  await bringBack();
  assert.equal(await items(lane), ['7']);
  await lane.must('set_deletion_all_flag', { id: '8' });
  assert.equal(await items(lane), []);
});

it('rules 5 and 6: a deletion that synchronisation takes back says so', async (lane) => {
  for (const [path, json] of [['delete_item', { id: '7' }], ['clear_all_template']] as const) {
    await lane.must('set_sync_master', BOTH);
    await lane.learn('7');
    const { body } = await lane.post(path, json);
    assert.equal([body.code, body.data], [0, null]);
    assert.match(body.msg, /next synchronisation brings back .*set_deletion_all_flag/);
    await lane.must('set_sync_master', { upload: false, download: true }); // its own stay away then
    await lane.learn('7');
    assert.equal((await lane.post(path, json)).body, { code: 0, data: null });
    await lane.must('set_sync_standalone');
    await lane.learn('7');
    assert.equal((await lane.post(path, json)).body, { code: 0, data: null });
  }
});

it('rule 11: clear_deletion_all_flag removes the mark; clearing an unmarked one is no error', async (lane) => {
  await lane.must('set_deletion_all_flag', { id: '7' });
  assert.equal((await lane.post('clear_deletion_all_flag', { id: '7' })).body, { code: 0, data: null });
  assert.equal((await lane.post('clear_deletion_all_flag', { id: '7' })).body, { code: 0, data: null });
  await lane.learn('7');
  await lane.must('set_deletion_all_flag', { id: '8' });
  assert.equal(await items(lane), ['7']);
});

test('a machine’s restart ends a mark, which is remembered until it is set again or dismissed', async () => {
  using folder = temporaryFolder();
  const seen = async (lane: Lane, method = 'GET', item = '') =>
    (await call(`${lane.url}/console/api/store/marks${item}`, { method })).body;
  const start = (bootId: string) =>
    startLane('M', { program: '/nonexistent/nats-server', folder: folder.path, bootId });
  {
    await using lane = await start('one');
    await lane.must('set_sync_master', BOTH);
    for (const id of ['7', '8']) await lane.must('set_deletion_all_flag', { id });
    assert.equal((await seen(lane)).ended, []);
  }
  {
    await using lane = await start('two');
    const ended = ['8', '7'].map((item) => ({ item, done: ['M'] }));
    assert.equal(await seen(lane), { marks: [], ended });
    await lane.learn('7');
    assert.equal((await seen(lane, 'DELETE', '/8')).ended, [{ item: '7', done: ['M'] }]);
  }
  await using lane = await start('three');
  assert.equal((await seen(lane)).ended, [{ item: '7', done: ['M'] }]);
  assert.equal(await seen(lane, 'PUT', '/7'), { marks: [{ item: '7', done: ['M'] }], ended: [] });
});

it('rule 13: with several marks data names the latest and items lists all', async (lane) => {
  for (const id of ['7', '8', '9']) await lane.must('set_deletion_all_flag', { id });
  const { data } = await progress(lane);
  assert.is(data.id, '9');
  assert.equal(pick(data.items, 'id'), ['9', '8', '7']);
});

it('a master that becomes standalone has no marks any more', async (lane) => {
  await lane.must('set_deletion_all_flag', { id: '7' });
  await lane.must('set_sync_standalone');
  assert.is((await progress(lane)).code, -6301);
  await lane.must('set_sync_master', BOTH);
  assert.equal((await progress(lane)).data.items, []);
});

it('get_device_info and the health report the role and the missing server', async (lane) => {
  const { data } = (await lane.get('get_device_info')).body;
  const found = [data.syncMode, data.sync, data.upload, data.download, data.masterSN];
  assert.equal(found, ['master', true, true, true, 'M']);
  const { body } = await lane.post('start_sync');
  assert.is(body.code, -6214);
  const part = lane.health.report().parts.find((each) => each.part === 'sync');
  assert.is(part?.state, 'degraded');
  assert.match(part?.reason ?? '', 'apt-get install nats-server');
});

test.run();
