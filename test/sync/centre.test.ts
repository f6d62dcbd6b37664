/** The master's hand at its centre, on a real server: what it finds there is not always what it left. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Centre } from '../../firmware/sync/centre/centre.ts';
import { connectTo, shownCertificate, syncFailure } from '../../firmware/sync/centre/connect.ts';
import { PAIR_INBOX, PAIR_SUBJECT, PAIR_USER, subjectOf } from '../../firmware/sync/centre/subjects.ts';
import { type CentreListener, MasterCentre } from '../../firmware/sync/master/master-centre.ts';
import { needing } from '../skipping.ts';
import { abandonedServer } from './abandoned-server.ts';
import { NO_SERVER } from './rig.ts';

const centres = suite('synchronisation: the master at its centre');
const test = needing(NO_SERVER, 'synchronisation: the master at its centre', centres);

const IDLE: CentreListener = {
  onProgress: () => undefined,
  onStatus: () => undefined,
  onHint: () => undefined,
  onPairing: async () => 'nobody is paired here',
};
const log = { warn: (): void => undefined };
const MARKS = { boot: 'boot', marks: [{ item: '7', id: 'one', done: [] }] };
const TOLD = { ...{ boot: 'boot', serial: 'M' }, marks: [{ item: '7', id: 'one' }], kept: { created: '', last: 0 } };

test('marks that are garbage are written anew', async () => {
  await using server = await abandonedServer();
  const { connection } = server;
  const master = await MasterCentre.open({ serial: 'M', storageMb: 16, connection, listener: IDLE, log });
  const centre = new Centre(connection);
  for (const garbage of ['garbage', '{}', '']) {
    await centre.put(subjectOf('marks', 'current'), garbage);
    await master.publish(MARKS);
    assert.equal(await centre.marks(), TOLD);
  }
});

test('a pairing is answered to who asks, and written nowhere else', async () => {
  await using server = await abandonedServer();
  const { connection, address, code } = server;
  const master = await MasterCentre.open({ serial: 'M', storageMb: 16, connection, listener: IDLE, log });
  await master.publish(MARKS);
  const stranger = await connectTo({
    address,
    certificate: await shownCertificate(address),
    inboxPrefix: PAIR_INBOX,
    credential: { kind: 'password', user: PAIR_USER, password: code.secret },
  });
  for (const reply of [subjectOf('marks', 'current'), '$JS.API.STREAM.DELETE.KV_laneware_marks'])
    stranger.publish(PAIR_SUBJECT, '{}', { reply });
  const { data } = await stranger.request(PAIR_SUBJECT, '{}');
  assert.match(Buffer.from(data).toString(), 'nobody is paired here');
  await stranger.close();
  assert.equal(await new Centre(connection).marks(), TOLD);
});

test('a server without room for the buckets is no centre, and is not taken for one that is away', async () => {
  await using server = await abandonedServer();
  const { connection } = server;
  const opened = MasterCentre.open({ serial: 'M', storageMb: 4096, connection, listener: IDLE, log });
  const failure = await opened.then(() => null, syncFailure);
  assert.is(failure?.code, 'refused');
  assert.match(failure?.message ?? '', 'insufficient storage');
});

centres.run();
