/** Beyond a store: its server as a leaf of a chain's, which reads the store's templates through the domain of the store. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  BUCKETS,
  keyOf,
  PAIR_INBOX,
  PAIR_SUBJECT,
  refOf,
  streamOf,
  subjectOf,
} from '../../firmware/sync/centre/subjects.ts';
import { domainOf } from '../../firmware/sync/master/server-config.ts';
import { makeKey } from '../../firmware/sync/pairing/pairing.ts';
import { makeCertificate } from '../../firmware/tls/certificate.ts';
import { freePort } from '../ports.ts';
import { needing } from '../skipping.ts';
import { temporaryFolder, until } from '../support.ts';
import { agree, joinStore, type Lane, NO_SERVER, startLane, startMaster } from './rig.ts';

const leaf = suite('synchronisation: store and chain');
const test = needing(NO_SERVER, 'synchronisation: store and chain', leaf);

const SHIPPED = new URL('../../systemd/nats-chain.conf', import.meta.url);
const UNIT = readFileSync(new URL('../../systemd/laneware-nats.service', import.meta.url), 'utf8');
const ofUnit = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(UNIT)?.[1] ?? '';

/** The chain's server with the configuration that is shipped, on free ports. */
async function startChain(folder: string) {
  const { certificate, key } = makeCertificate(['localhost']);
  writeFileSync(join(folder, 'chain.pem'), certificate);
  writeFileSync(join(folder, 'chain.key'), key);
  const [port, leafPort] = [await freePort(), await freePort()];
  const config = Object.entries({
    '/var/lib/laneware-nats': join(folder, 'chain'),
    '/etc/laneware/chain.pem': join(folder, 'chain.pem'),
    '/etc/laneware/chain.key': join(folder, 'chain.key'),
    'CHANGE-ME-CHAIN': 'chain-password',
    'CHANGE-ME-STORE': 'store-password',
    'host: 0.0.0.0': 'host: 127.0.0.1',
    'port: 4222': `port: ${port}`,
    'port: 7422': `port: ${leafPort}`,
  }).reduce((text, [shipped, here]) => text.replaceAll(shipped, here), readFileSync(SHIPPED, 'utf8'));
  writeFileSync(join(folder, 'chain.conf'), config);
  const server = spawn('nats-server', ['--config', join(folder, 'chain.conf')], { stdio: 'ignore' });
  const over = once(server, 'close');
  const { connect } = await import('@nats-io/transport-node');
  const dial = () =>
    connect({ servers: `127.0.0.1:${port}`, user: 'chain', pass: 'chain-password', reconnect: false }).catch(
      () => null,
    );
  const connection = await until('the chain', dial);
  return {
    connection,
    server,
    certificateFile: join(folder, 'chain.pem'),
    leafPort,
    [Symbol.asyncDispose]: async () => {
      await connection.close();
      server.kill('SIGTERM');
      await over;
    },
  };
}

test('a chain reads the templates of a store through the leaf node, and takes a mirror of them', async () => {
  using folder = temporaryFolder();
  await using chain = await startChain(folder.path);
  const url = `nats-leaf://store:store-password@localhost:${chain.leafPort}`;
  await using master = await startMaster('M1', { leaf: { url, caFile: chain.certificateFile } });
  await master.learn('ü');
  await master.must('start_sync');
  const { jetstreamManager } = await import('@nats-io/jetstream');
  const domain = domainOf('M1');
  const stores = await until('the store', async () => {
    const manager = await jetstreamManager(chain.connection, { domain, checkAPI: false });
    return await manager.streams.info(streamOf('templates')).catch(() => null);
  });
  assert.is(stores.state.messages, 1);
  const own = await jetstreamManager(chain.connection, { domain: 'chain' });
  await own.streams.add({ name: 'M1_templates', mirror: { name: streamOf('templates'), domain } });
  await until('the mirror', async () => (await own.streams.info('M1_templates')).state.messages === 1 || null);
  const info = await own.streams.info('M1_templates', { subjects_filter: '>' });
  const [subject = ''] = Object.keys(info.state.subjects ?? {});
  const key = subject.slice(subjectOf('templates', '').length).split('.').slice(1).join('.');
  const ref = refOf(key);
  assert.equal([ref?.item, ref?.origin], ['ü', 'M1']);
  assert.is(ref === null ? '' : keyOf(ref), key);
});

const serials = async (master: Lane): Promise<string[]> =>
  (await master.get('get_sync_status')).body.data.devices.map(({ sn }: { sn: string }) => sn);

test('stores of one chain share nothing, and nobody is paired through the chain', async () => {
  using folder = temporaryFolder();
  await using chain = await startChain(folder.path);
  const url = `nats-leaf://store:store-password@localhost:${chain.leafPort}`;
  const leaf = { url, caFile: chain.certificateFile };
  await using one = await startMaster('MA', { leaf });
  await using other = await startMaster('MB', { leaf });
  const { jetstreamManager } = await import('@nats-io/jetstream');
  const templatesOf = async (serial: string): Promise<number | null> => {
    const manager = await jetstreamManager(chain.connection, { domain: domainOf(serial), checkAPI: false });
    const found = await manager.streams.info(streamOf('templates')).catch(() => null);
    return found?.state.messages ?? null;
  };
  for (const serial of ['MA', 'MB']) await until('the leaf', async () => (await templatesOf(serial)) === 0 || null);
  await using slave = await startLane('S1');
  // both show a code: a request that came to the other one would be taken there
  await other.must('get_sync_pairing_code');
  await joinStore(slave, one);
  await slave.learn('7');
  await agree([one, slave], 1);
  await other.must('start_sync');
  assert.equal([await templatesOf('MA'), await templatesOf('MB'), other.held()], [1, 0, []]);
  const { key } = await makeKey();
  const request = JSON.stringify({ serial: 'STRANGER', deviceId: 'id', key });
  const reply = `${PAIR_INBOX}.answer`;
  const asked = chain.connection.request(PAIR_SUBJECT, request, { reply, noMux: true, timeout: 5000 });
  assert.match(
    await asked.then(
      () => 'answered',
      (error: Error) => error.message,
    ),
    'no responders',
  );
  assert.equal([await serials(one), await serials(other)], [['MA', 'S1'], ['MB']]);
});

test('a bucket that was deleted is made anew, and the devices share again', async () => {
  using folder = temporaryFolder();
  await using chain = await startChain(folder.path);
  const url = `nats-leaf://store:store-password@localhost:${chain.leafPort}`;
  await using master = await startMaster('M1', { leaf: { url, caFile: chain.certificateFile } });
  await using slave = await startLane('S1');
  await joinStore(slave, master);
  await slave.learn('7');
  await master.learn('8');
  await agree([master, slave], 2);
  const { jetstreamManager } = await import('@nats-io/jetstream');
  const manager = await jetstreamManager(chain.connection, { domain: domainOf('M1'), checkAPI: false });
  const messages = async (): Promise<number | null> =>
    (await manager.streams.info(streamOf('templates')).catch(() => null))?.state.messages ?? null;
  await until('the leaf', async () => (await messages()) === 2 || null);
  for (const bucket of BUCKETS) await manager.streams.delete(streamOf(bucket));
  const shareAgain = async () => {
    for (const lane of [master, slave]) await lane.post('start_sync');
    return (await messages()) === 2 || null;
  };
  await until('the templates are shared again', shareAgain);
  await master.must('set_deletion_all_flag', { id: '7' });
  await until('the mark is carried out', () => slave.held().length === 1 || null);
});

test('the shipped configuration keeps its store where the shipped unit lets it write', () => {
  const [, folder] = /store_dir: "([^"]*)"/.exec(readFileSync(SHIPPED, 'utf8')) ?? [];
  assert.is(folder, `/var/lib/${ofUnit('StateDirectory')}`);
});

test("a chain's server that its unit stops ends in order before it is killed, with a store connected", async () => {
  using folder = temporaryFolder();
  await using chain = await startChain(folder.path);
  const url = `nats-leaf://store:store-password@localhost:${chain.leafPort}`;
  await using master = await startMaster('M1', { leaf: { url, caFile: chain.certificateFile } });
  const { jetstreamManager } = await import('@nats-io/jetstream');
  const manager = await jetstreamManager(chain.connection, { domain: domainOf('M1'), checkAPI: false });
  await until('the leaf', () => manager.streams.info(streamOf('templates')).catch(() => null));
  const over = once(chain.server, 'exit');
  chain.server.kill(ofUnit('KillSignal') as NodeJS.Signals);
  const limit = new AbortController();
  const killed = pause(Number(ofUnit('TimeoutStopSec')) * 1000, ['killed'], { signal: limit.signal });
  assert.is((await Promise.race([over, killed]))[0], 0);
  limit.abort();
  await killed.catch(() => undefined); // broken off
  assert.is((await master.post('start_sync')).body.code, 0);
});

test('a store whose chain cannot be reached works on', async () => {
  const url = `nats-leaf://store:store-password@localhost:${await freePort()}`;
  await using master = await startMaster('M1', { leaf: { url, caFile: null } });
  await using slave = await startLane('S1');
  await slave.learn('7');
  assert.is((await master.post('start_sync')).body.code, 0);
});

leaf.run();
