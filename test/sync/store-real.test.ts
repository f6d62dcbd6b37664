/** A store over the real server, from its making to a deletion of everything; and that server full, stuck and killed. */

import { suiteNeeding } from '../needing.ts';
import { until } from '../support.ts';
import { NO_SERVER } from './real-rig.ts';
import { inStore } from './store.ts';

const REAL = { program: 'nats-server' };
const test = suiteNeeding(NO_SERVER, 'synchronisation: a store over the real server');

test(
  'what is learned travels under any name, what is deleted goes; a killed server loses none',
  inStore(async (store) => {
    const slave = await store.add('S1');
    await store.add('S2', { upload: false, download: false }, { items: ['own'] });
    await store.leave('S2');
    const sid = await slave.learn('7');
    for (const item of ['>', '*', 'a b', 'ü']) await slave.learn(item);
    await store.master.learn('8');
    await store.holds('>', '*', 'a b', 'ü', '7', '8');
    await store.master.must('delete_item_template', { id: '7', sid });
    await store.master.must('set_deletion_all_flag', { id: '>' });
    await store.holds('*', 'a b', 'ü', '8');
    const pid = Number(store.master.sync.serverPid);
    process.kill(pid, 'SIGKILL');
    await until('another server', () => ![null, pid].includes(store.master.sync.serverPid));
    await slave.learn('9');
    await store.holds('*', 'a b', 'ü', '8', '9');
    await slave.recognition.items.put('9', { name: 'Apples', price: 9900 });
    await until('its name', () => store.master.recognition.items.find('9')?.price === 9900);
    await store.leave('S1');
    await store.leave('M');
    await store.start('M', { ...REAL, bootId: 'next' });
    await store.start('S1');
    await store.holds('*', 'a b', 'ü', '8', '9');
    await store.wipe();
    await store.start('S2');
    await store.forgottenBy('M', 'S1', 'S2');
    await store.holds();
  }, REAL),
);

test.run();
