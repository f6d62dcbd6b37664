/** The marks of a master that has no slaves yet, through the calls: rules 10 to 13 of the interface, and its errors. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { temporaryFolder } from '../support.ts';
import { BOTH, type Lane, type LaneOptions, startLane } from './rig.ts';

const marks = suite('synchronisation: marks of a lone master');

/** The server program is missing: what a master does alone must not need it. */
async function loneMaster(options: LaneOptions = {}): Promise<Lane> {
  const lane = await startLane('M', { program: '/nonexistent/nats-server', ...options });
  await lane.must('set_sync_master', BOTH);
  return lane;
}

const progress = async (lane: Lane) => (await lane.get('get_deletion_all_progress')).body;
const items = async (lane: Lane): Promise<string[]> =>
  (await lane.get('get_item_list')).body.data.map(({ id }: { id: string }) => id);

marks('rules 10 to 12: the master-only calls answer -6301 on a device that is not a master', async () => {
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

marks('rule 10: what is learned while the item is marked goes at the next synchronisation', async () => {
  await using lane = await loneMaster();
  await lane.must('set_deletion_all_flag', { id: '7' });
  await lane.learn('7');
  await lane.must('set_deletion_all_flag', { id: '8' });
  assert.equal(await items(lane), []);
});

marks('rule 11: clear_deletion_all_flag takes the mark away; clearing what is not marked is no error', async () => {
  await using lane = await loneMaster();
  await lane.must('set_deletion_all_flag', { id: '7' });
  assert.equal((await lane.post('clear_deletion_all_flag', { id: '7' })).body, { code: 0, data: null });
  assert.equal((await lane.post('clear_deletion_all_flag', { id: '7' })).body, { code: 0, data: null });
  await lane.learn('7');
  await lane.must('set_deletion_all_flag', { id: '8' });
  assert.equal(await items(lane), ['7']);
});

marks('rule 13: with several marks data tells of the latest and items lists all', async () => {
  await using lane = await loneMaster();
  for (const id of ['7', '8', '9']) await lane.must('set_deletion_all_flag', { id });
  const { data } = await progress(lane);
  assert.is(data.id, '9');
  assert.equal(
    data.items.map(({ id }: { id: string }) => id),
    ['9', '8', '7'],
  );
});

marks('marks stay through a restart of the process and go with a reboot of the master', async () => {
  using folder = temporaryFolder();
  {
    await using lane = await loneMaster({ folder: folder.path, bootId: 'first' });
    await lane.must('set_deletion_all_flag', { id: '7' });
  }
  {
    await using lane = await startLane('M', { folder: folder.path, bootId: 'first' });
    assert.equal((await progress(lane)).data.items, [{ id: '7', SNs: ['M'] }]);
  }
  await using lane = await startLane('M', { folder: folder.path, bootId: 'second' });
  assert.equal((await progress(lane)).data, { id: '', SNs: [], items: [] });
});

marks('a master that becomes standalone has no marks any more', async () => {
  await using lane = await loneMaster();
  await lane.must('set_deletion_all_flag', { id: '7' });
  await lane.must('set_sync_standalone');
  assert.is((await progress(lane)).code, -6301);
  await lane.must('set_sync_master', BOTH);
  assert.equal((await progress(lane)).data.items, []);
});

marks('get_device_info and the health tell of the role and of the missing server', async () => {
  await using lane = await loneMaster();
  const { data } = (await lane.get('get_device_info')).body;
  assert.equal(
    [data.syncMode, data.sync, data.upload, data.download, data.masterSN],
    ['master', true, true, true, 'M'],
  );
  const { body } = await lane.post('start_sync');
  assert.is(body.code, -6214);
  const part = lane.health.report().parts.find((each) => each.part === 'sync');
  assert.is(part?.state, 'degraded');
  assert.match(part?.reason ?? '', 'apt-get install nats-server');
});

marks.run();
