/** What the master has said is on its disk is there after its power was cut, though its server syncs every two minutes only. */
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Centre } from '../../firmware/sync/centre/centre.ts';
import { entrySubject } from '../../firmware/sync/centre/subjects.ts';
import { MasterCentre } from '../../firmware/sync/master/master-centre.ts';
import { storeFolder } from '../../firmware/sync/master/server-config.ts';
import { StoreKeeper } from '../../firmware/sync/master/store-keeper.ts';
import { Disk, NO_POWER_CUTS } from '../disk.ts';
import { needing } from '../skipping.ts';
import { temporaryFolder } from '../support.ts';
import { abandonedServer } from './abandoned-server.ts';
import { NO_SERVER } from './rig.ts';

const kept = suite('synchronisation: what is on the disk of the master');
const powerTest = needing(NO_SERVER ?? NO_POWER_CUTS, 'synchronisation: what is on the disk of the master', kept);

const listener = {
  ...{ onProgress: () => undefined, onStatus: () => undefined, onHint: () => undefined },
  onPairing: async () => 'nobody is paired here',
};
const log = { warn: (): void => undefined };
const ENTRY = Buffer.alloc(20_000, 'x');
const NO_MARKS = { boot: 'boot', marks: [] };

powerTest('what was kept before the power was cut is there afterwards, and the cut takes what was not', async () => {
  using disk = new Disk();
  const folder = join(disk.mount, 'sync');
  mkdirSync(folder);
  const subjects = Array.from({ length: 60 }, (_, number) =>
    entrySubject('templates', 'S1', { item: `${number % 7}`, origin: 'S1', sid: `${number}` }),
  );
  const [first, rest] = [subjects.slice(0, 40), subjects.slice(40)];
  {
    await using server = await abandonedServer(folder);
    const { connection } = server;
    const master = await MasterCentre.open({ serial: 'M', storageMb: 16, connection, listener, log });
    const centre = new Centre(connection);
    for (const subject of first) await centre.put(subject, ENTRY);
    const keeper = new StoreKeeper(storeFolder(folder), 1000);
    keeper.note(await master.sweep(NO_MARKS), 0);
    await new Promise((resolve) => setTimeout(resolve, 1000)); // the server writes it into its files meanwhile
    assert.is(await keeper.keep(1000), true);
    assert.is(keeper.kept?.last, first.length);
    for (const subject of rest) await centre.put(subject, ENTRY);
    disk.cutPower();
    process.kill(server.pid, 'SIGKILL');
  }
  disk.unplug();
  disk.plugIn();
  await using server = await abandonedServer(folder);
  await MasterCentre.open({ serial: 'M', storageMb: 16, connection: server.connection, listener, log });
  const found = (await new Centre(server.connection).list('templates')).subjects;
  assert.equal(
    first.filter((subject) => !found.includes(subject)),
    [],
  );
  assert.ok(found.length < subjects.length, 'the cut took nothing: the test shows nothing');
});

const at = (last: number, created = 'first') => ({ created, last });

kept('a number counts as kept when all has been there for a while and was synced then', async () => {
  using folder = temporaryFolder();
  const keeper = new StoreKeeper(folder.path, 5000);
  assert.is(keeper.kept, null);
  keeper.note(at(7), 1000);
  assert.equal([keeper.kept, keeper.due(1000), keeper.due(5999)], [at(0), 5000, 1]);
  assert.is(await keeper.keep(5999), false);
  keeper.note(at(9), 4000); // came later: it is the next one's
  assert.is(await keeper.keep(6000), true);
  assert.equal([keeper.kept, keeper.due(6000)], [at(7), null]);
  assert.is(await keeper.keep(6000), false);
  keeper.note(at(9), 6000);
  assert.is(keeper.due(6000), 5000);
  keeper.note(at(2, 'second'), 7000);
  assert.equal([keeper.kept, keeper.due(7000)], [at(0, 'second'), 5000]);
});

kept('a bucket that went back is waited for anew', async () => {
  using folder = temporaryFolder();
  const keeper = new StoreKeeper(folder.path, 5000);
  keeper.note(at(7), 0);
  keeper.note(at(5), 4000);
  assert.is(keeper.due(4000), 5000);
});

kept(
  'files that come and go meanwhile are no failure, and one that cannot be synced is told and tried again',
  async () => {
    using folder = temporaryFolder();
    const block = join(folder.path, '1.blk');
    const keeper = new StoreKeeper(folder.path, 10);
    writeFileSync(block, 'one');
    keeper.note(at(1), 0);
    assert.is(await keeper.keep(10), true);
    appendFileSync(block, 'two');
    rmSync(block);
    keeper.note(at(2), 20);
    assert.is(await keeper.keep(30), true);
    assert.is(existsSync(block), false);
    const none = new StoreKeeper(join(folder.path, 'not', 'there'), 10);
    none.note(at(1), 0);
    assert.is(await none.keep(10), true);
  },
);

kept.run();
