/** Somebody deletes a bucket of the centre under a master that runs. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectTo, shownCertificate } from '../../firmware/sync/centre/connect.ts';
import { BUCKETS, streamOf } from '../../firmware/sync/centre/subjects.ts';
import { needing } from '../skipping.ts';
import { until } from '../support.ts';
import { addressOf } from './intruder.ts';
import { agree, joinStore, type Lane, NO_SERVER, startLane, startMaster, status } from './rig.ts';

const lost = suite('synchronisation: a bucket that is deleted');
const test = needing(NO_SERVER, 'synchronisation: a bucket that is deleted', lost);
const ADMIN = { user: 'admin', password: 'made-up-password-of-a-test' };

/** Who has a shell on the master's board can let himself in at its server, with every right at the centre. */
async function letIn(master: Lane): Promise<NatsConnection> {
  const [name = ''] = readdirSync(master.folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('server.conf'),
  );
  const file = join(master.folder, name);
  const user = `{ user: "${ADMIN.user}", password: "${ADMIN.password}" }`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(jetstream: enabled\s+users: \[)/, `$1 ${user}\n`));
  process.kill(Number(master.sync.serverPid), 'SIGHUP');
  const address = await addressOf(master);
  const certificate = await shownCertificate(address);
  const request = { address, certificate, credential: { kind: 'password', ...ADMIN }, inboxPrefix: '_INBOX' } as const;
  return await until('the administrator to be let in', () => connectTo(request).catch(() => null));
}

for (const bucket of BUCKETS)
  test(`${bucket}: it is told, and made anew; what was deleted does not come back`, async () => {
    await using master = await startMaster('M', { orphanMs: 0 });
    await using maker = await startLane('S1', { orphanMs: 0 });
    await using other = await startLane('S2', { orphanMs: 0 });
    await joinStore(maker, master);
    await joinStore(other, master);
    const sid = await maker.learn('7');
    await maker.learn('8');
    await master.learn('9', 2);
    await agree([master, maker, other], 3);
    await other.close(); // it holds what is deleted meanwhile
    await maker.must('delete_item_template', { id: '7', sid });
    await agree([master, maker], 2);
    const admin = await letIn(master);
    const streams = (await jetstreamManager(admin)).streams;
    const made = (await streams.info(streamOf(bucket))).created;
    const told = master.warnings.length;
    await streams.delete(streamOf(bucket));
    await until('the bucket to be made anew', async () => {
      await maker.post('start_sync'); // as each device does after a while
      const info = await streams.info(streamOf(bucket)).catch(() => null);
      return (info !== null && info.created !== made) || null;
    });
    await admin.close();
    const words = master.warnings.slice(told).map(({ details }) => `${details.err}`);
    assert.match(words.join('\n'), `the centre has no bucket ${bucket} now: what is gone is made anew`);
    await maker.learn('10');
    await agree([master, maker], 3);
    await until('all is well', async () => (await status(master)).problem === null || null);
    await using again = await startLane('S2', { orphanMs: 0, folder: other.folder });
    await agree([master, maker, again], 3);
    await using fresh = await startLane('S3', { orphanMs: 0 });
    await joinStore(fresh, master);
    await agree([master, maker, again, fresh], 3);
  });

lost.run();
