/** Pairing when messages are lost, come twice or at the same time, and what others notice of it: nothing. */
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/transport-node';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectTo, shownCertificate } from '../../firmware/sync/centre/connect.ts';
import { inboxOf, PAIR_INBOX, PAIR_SUBJECT, PAIR_USER } from '../../firmware/sync/centre/subjects.ts';
import { makeKey, pairWith } from '../../firmware/sync/pairing.ts';
import { PairingService } from '../../firmware/sync/pairing-service.ts';
import { Roster } from '../../firmware/sync/roster.ts';
import { syncFailure } from '../../firmware/sync/sync-failure.ts';
import { listening } from '../ports.ts';
import { NUMBERS } from '../recognition/numbers.ts';
import { each, opening, pick, temporaryFolder, until } from '../support.ts';
import { abandonedServer, madeUpServer } from './abandoned-server.ts';
import { doorOf } from './intruder.ts';
import { MadeUpServer } from './message-server.ts';
import { address, BOTH, invitation, joinStore, startLane, startMaster } from './rig.ts';

const test = suite('pairing');
const it = each(test, opening(startMaster));

const HOST = '127.0.0.1';
const ASK_AGAIN_MS = 20;
const DEVICE = { serial: 'S1', deviceId: 'id of S1' };

/** Answers pairings, but for the first so many. */
function answerPairings(connection: NatsConnection, lost: number): string[] {
  const requests: string[] = [];
  connection.subscribe(PAIR_SUBJECT, {
    callback: (_error, message) => {
      requests.push(message.string());
      if (requests.length > lost) message.respond(JSON.stringify({ refusal: null, masterSerial: 'M' }));
    },
  });
  return requests;
}

test('no device is let in while no code is shown, neither at first nor after it was withdrawn', async () => {
  using folder = temporaryFolder();
  const quiet = (): void => undefined;
  const pairings: [serial: string, refusal: string | null][] = [];
  const service = new PairingService(
    {
      serial: 'M',
      clock: { bootId: 'boot', wall: () => 0, monotonic: () => 0 },
      log: { info: quiet, warn: quiet },
      onPairing: (...pairing) => pairings.push(pairing),
    },
    folder.path,
    new Roster(),
    async () => undefined,
    quiet,
  );
  const { key } = await makeKey();
  const ask = () => service.pair({ ...DEVICE, key });
  assert.match((await ask()) ?? 'paired', 'no pairing code is shown');
  await service.code();
  assert.is(await ask(), null);
  assert.is(await ask(), null, 'it missed the answer');
  await service.revoke(DEVICE.serial);
  const refusal = (await ask()) ?? 'paired';
  assert.match(refusal, 'no pairing code is shown');
  assert.equal(
    pairings,
    [refusal, null, refusal].map((why) => [DEVICE.serial, why]),
    'each is reported once, for the audit trail',
  );
  assert.equal([service.devices, service.secret], [[], null]);
  service.dropCode();
});

test('a request whose answer is lost is asked again, with the same key', async () => {
  await using door = await abandonedServer(madeUpServer);
  const requests = answerPairings(door.connection, 1);
  const { masterSerial } = await pairWith(door.address, door.code, DEVICE, ASK_AGAIN_MS);
  assert.is(masterSerial, 'M');
  assert.ok(requests.length >= 2);
  assert.is(new Set(requests).size, 1);
});

test('a master that is not connected to its server at this moment is asked again', async () => {
  await using door = await abandonedServer(madeUpServer);
  const { server } = door;
  if (!(server instanceof MadeUpServer)) throw new Error('it is made up');
  const isAsked = new Promise<void>((resolve) => {
    server.onSaid = (subject) => subject === PAIR_SUBJECT && resolve();
  });
  const paired = pairWith(door.address, door.code, DEVICE, ASK_AGAIN_MS);
  await isAsked; // and nothing answers it
  answerPairings(door.connection, 0);
  assert.is((await paired).masterSerial, 'M');
});

it('a request that comes again pairs once, and each time it is answered', async (master) => {
  const { address, code } = await doorOf(master);
  const certificate = await shownCertificate(address);
  const credential = { kind: 'password', user: PAIR_USER, password: code.secret } as const;
  const connection = await connectTo({ address, certificate, credential, inboxPrefix: PAIR_INBOX });
  const { key, seed } = await makeKey();
  const ask = () => connection.request(PAIR_SUBJECT, JSON.stringify({ ...DEVICE, key }), { timeout: 10_000 });
  const answers = [...(await Promise.all([ask(), ask()])), await ask()];
  for (const answer of answers) assert.equal(answer.json(), { refusal: null, masterSerial: 'M' });
  await connection.close();
  const own = { kind: 'key', seed } as const;
  await (await connectTo({ address, certificate, credential: own, inboxPrefix: inboxOf('S1') })).close();
  const { devices } = (await master.get('get_sync_status')).body.data;
  assert.equal(pick(devices, 'sn'), ['M', 'S1']);
});

it('devices that ask to be paired at once are all let in, and remembered once answered', async (master) => {
  const { address, code } = await doorOf(master);
  const credential = { kind: 'password', user: PAIR_USER, password: code.secret } as const;
  const certificate = await shownCertificate(address);
  const connection = await connectTo({ address, certificate, credential, inboxPrefix: PAIR_INBOX });
  const serials = ['S1', 'S2', 'S3'];
  const keys = await Promise.all(serials.map(makeKey));
  const ask = async (serial: string, at: number) => {
    const request = JSON.stringify({ serial, deviceId: serial, key: keys[at]?.key });
    return (await connection.request(PAIR_SUBJECT, request, { timeout: 10_000 })).json();
  };
  const paired = { refusal: null, masterSerial: 'M' };
  assert.equal(await Promise.all(serials.map(ask)), [paired, paired, paired]);
  await connection.close();
  for (const [at, serial] of serials.entries()) {
    const own = { kind: 'key', seed: keys[at]?.seed ?? '' } as const;
    await (await connectTo({ address, certificate, credential: own, inboxPrefix: inboxOf(serial) })).close();
  }
  const { devices } = (await master.get('get_sync_status')).body.data;
  assert.equal(devices.map(({ sn }: { sn: string }) => sn).sort(), ['M', ...serials]);
});

test('a link that is quiet for some seconds, as a bad radio link is, is not given up', async () => {
  await using door = await abandonedServer(madeUpServer);
  const { connection } = door;
  if (!('options' in connection)) throw new Error('the library keeps its options elsewhere');
  const { pingInterval, maxPingOut } = connection.options as { pingInterval: number; maxPingOut: number };
  assert.ok(pingInterval * maxPingOut >= 15_000);
});

test('a server that sends a byte now and then gets no more time than one that sends nothing', async () => {
  const dribbler = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('INFO ');
    const drip = setInterval(() => socket.write('x'), 5);
    socket.once('close', () => clearInterval(drip));
  });
  await using at = await listening(dribbler);
  const shown = shownCertificate({ host: HOST, port: at.port }, 50);
  const failure = await shown.then(() => null, syncFailure);
  assert.is(failure?.code, 'timeout');
});

it('a role that is set again while the device is being paired keeps the pairing', async (master) => {
  await using slave = await startLane('S1');
  const { pairingCode, ...role } = await invitation(master);
  const answers = [slave.post('set_sync_slave', { ...role, pairingCode }), slave.post('set_sync_slave', role)];
  for (const { body } of await Promise.all(answers)) assert.is(body.code, 0);
  assert.is((await slave.get('get_sync_status')).body.data.paired, true);
});

test('a slave whose key of secrets is lost says that it must be paired anew, and can be', async () => {
  using folder = temporaryFolder();
  await using master = await startMaster();
  const before = await startLane('S1', { folder: folder.path });
  await joinStore(before, master);
  await before.close();
  for (const file of ['secret.key', 'secret.key.copy']) rmSync(join(folder.path, file), { force: true });
  await using slave = await startLane('S1', { folder: folder.path });
  const problem = await until('a problem', async () => (await slave.get('get_sync_status')).body.data.problem);
  assert.match(problem, /sealed with another key: pair this device anew/);
  assert.is((await slave.post('start_sync')).body.code, NUMBERS['Store.NotSynchronised']);
  // its role and its master stay, also when the same master is set again
  const at = await address(master);
  await slave.must('set_sync_slave', { ...at, ...BOTH });
  const { data } = (await slave.get('get_device_info')).body;
  assert.equal(
    { syncMode: data.syncMode, masterIP: data.masterIP, mastersyncPort: data.mastersyncPort },
    { syncMode: 'slave', masterIP: at.masterIP, mastersyncPort: at.mastersyncPort },
  );
  assert.match((await slave.get('get_sync_status')).body.data.problem, /sealed with another key/);
  await joinStore(slave, master);
});

test.run();
