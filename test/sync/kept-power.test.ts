/** What the master has said is on its disk is there after its power was cut, though its server syncs every two minutes only. */
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Centre } from '../../firmware/sync/centre/centre.ts';
import { MasterCentre } from '../../firmware/sync/centre/master-centre.ts';
import { storeFolder } from '../../firmware/sync/centre/server-config.ts';
import { StoreKeeper } from '../../firmware/sync/centre/store-keeper.ts';
import { entrySubject } from '../../firmware/sync/centre/subjects.ts';
import { Disk, NO_POWER_CUTS } from '../disk.ts';
import { suiteNeeding } from '../needing.ts';
import { until } from '../support.ts';
import { abandonedServer, realServer } from './abandoned-server.ts';
import { NO_SERVER } from './real-rig.ts';

const test = suiteNeeding(NO_SERVER ?? NO_POWER_CUTS, 'synchronisation: what is on the disk of the master');

const log = { warn: (): void => undefined };
const ENTRY = Buffer.alloc(20_000, 'x');
const NO_MARKS = { boot: 'boot', marks: [] };

/** Of the files in a folder and those below. */
const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);

test('what was kept before the power was cut is there afterwards, and the cut takes what was not', async () => {
  using disk = new Disk();
  const folder = join(disk.mount, 'sync');
  mkdirSync(folder);
  const subjects = Array.from({ length: 60 }, (_, number) =>
    entrySubject('templates', 'S1', { item: `${number % 7}`, origin: 'S1', sid: `${number}` }),
  );
  const [first, rest] = [subjects.slice(0, 40), subjects.slice(40)];
  {
    await using server = await abandonedServer(realServer, folder);
    const { connection } = server;
    const master = await MasterCentre.open(connection, 'M', 16, log);
    const centre = new Centre(connection);
    for (const subject of first) await centre.put(subject, ENTRY);
    const keeper = new StoreKeeper(storeFolder(folder), 1000);
    keeper.record(await master.sweep(NO_MARKS), 0);
    await until(
      'the server has written it into its files',
      () => bytesBelow(storeFolder(folder)) > first.length * ENTRY.length,
    );
    assert.is(await keeper.flush(1000), true);
    assert.is(keeper.flushed?.last, first.length);
    for (const subject of rest) await centre.put(subject, ENTRY);
    disk.cutPower();
    process.kill(server.pid, 'SIGKILL');
  }
  disk.unplug();
  disk.plugIn();
  await using server = await abandonedServer(realServer, folder);
  await MasterCentre.open(server.connection, 'M', 16, log);
  const found = (await new Centre(server.connection).list('templates')).subjects;
  const lost = first.filter((subject) => !found.includes(subject));
  assert.equal(lost, []);
  assert.ok(found.length < subjects.length, 'the cut took nothing: the test shows nothing');
});

test.run();
