/** A store in trouble: full storage on either side, a message server that ends, answers nothing, or loses a bucket. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { streamOf } from '../../firmware/sync/centre/subjects.ts';
import { until } from '../support.ts';
import { addTemplate, agree, BOTH, invitation, type Lane, running, status } from './rig.ts';
import { inStore } from './store.ts';

const test = suite('synchronisation: a store in trouble');

const learnMuch = (lane: Lane): Promise<string> => addTemplate(lane, '7', Buffer.alloc(400_000));

test(
  'a slave with a full storage says so, takes nothing, and goes on when there is less',
  inStore(async (store) => {
    const { master } = store;
    const slave = await store.start('S1', { storageMb: 1 });
    const sids = [await learnMuch(master), await learnMuch(master), await learnMuch(master)];
    await master.must('start_sync');
    await slave.must('set_sync_slave', await invitation(master));
    assert.is((await slave.post('start_sync')).body.code, -6307);
    assert.match((await status(slave)).problem, /storage of the device is full/);
    assert.equal(slave.held(), []);
    for (const sid of sids.slice(1)) await master.must('delete_item_template', { id: '7', sid });
    await store.holds('7');
    await slave.must('start_sync');
    assert.is((await status(slave)).problem, null);
  }),
);

test(
  'a full centre says so, still gives what it has, and has room after a deletion',
  inStore(
    async (store) => {
      const full = await store.start('S1');
      const other = await store.add('S2');
      const sids = [await learnMuch(other), await learnMuch(other)];
      await agree([store.master, other], 2);
      await learnMuch(full);
      await full.must('set_sync_slave', await invitation(store.master));
      const { body } = await full.post('start_sync');
      assert.is(body.code, -6307);
      assert.match(body.msg, 'the storage of the master is full');
      assert.is(full.held().length, 3);
      assert.match((await status(full)).problem, 'the storage of the master is full');
      await other.must('delete_item_template', { id: '7', sid: sids[0] });
      await running(full);
      await store.holds('7', '7');
    },
    { centreMb: 1 },
  ),
);

test(
  'a server that ended, or runs without answers, is started anew, and the store goes on',
  inStore(
    async (store) => {
      const { server } = store.master;
      const slave = await store.add('S1');
      const { id } = server;
      server.isStuck = true;
      await slave.learn('7');
      await until('another server', () => server.id !== id);
      await store.holds('7');
      await server.restart();
      await slave.learn('8');
      await store.holds('7', '8');
    },
    { stuckMs: 0 },
  ),
);

test(
  'a bucket that was deleted is reported, and made anew; what was deleted does not come back',
  inStore(
    async (store) => {
      const { master } = store;
      const maker = await store.add('S1', BOTH, { orphanMs: 0 });
      await store.add('S2', BOTH, { orphanMs: 0 });
      const known = ['8'];
      await master.learn('8');
      for (const bucket of ['templates', 'tombstones', 'marks'] as const) {
        const sid = await maker.learn('7');
        await store.holds('7', ...known);
        await store.leave('S2'); // it holds what is deleted meanwhile
        await maker.must('delete_item_template', { id: '7', sid });
        await store.holds(...known);
        const warned = master.warnings.length;
        master.server.deleteStream(streamOf(bucket));
        await until(`${bucket}: it is reported`, async () => {
          for (const lane of [maker, master]) await lane.post('start_sync'); // as each device does after a while
          return master.warnings.slice(warned).some(({ message }) => message.startsWith('the centre does not work'));
        });
        await maker.learn(bucket);
        known.push(bucket);
        await store.holds(...known);
        await until('all is well', async () => (await status(master)).problem === null);
        await store.start('S2', { orphanMs: 0 });
        await store.holds(...known);
      }
      await store.add('S3', BOTH, { orphanMs: 0 });
      await store.holds(...known);
    },
    { orphanMs: 0 },
  ),
);

test.run();
