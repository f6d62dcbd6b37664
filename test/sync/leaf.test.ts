/** The old way beyond a store: a leaf of an account that all stores share, with a password that all of them know. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { domainOf } from '../../firmware/sync/centre/server-config.ts';
import { BUCKETS, PAIR_INBOX, PAIR_SUBJECT, streamOf, subjectOf } from '../../firmware/sync/centre/subjects.ts';
import { makeKey } from '../../firmware/sync/pairing.ts';
import { makeCertificate } from '../../firmware/tls/certificate.ts';
import { needing } from '../needing.ts';
import { freePort } from '../ports.ts';
import { call, temporaryFolder, until } from '../support.ts';
import { NO_SERVER, startLane, startMaster } from './real-rig.ts';
import { agree, joinStore, type Lane } from './rig.ts';

const leaf = suite('synchronisation: store and chain');
const test = needing(NO_SERVER, 'synchronisation: store and chain', leaf);

/** A chain's server whose stores share one account. */
async function startChain(folder: string) {
  const { certificate, key } = makeCertificate(['localhost']);
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('chain.pem'), certificate);
  writeFileSync(at('chain.key'), key);
  const [port, leafPort, httpPort] = [await freePort(), await freePort(), await freePort()];
  const tls = `tls: { cert_file: "${at('chain.pem')}", key_file: "${at('chain.key')}", timeout: 10 }`;
  const config = `listen: 127.0.0.1:${port}
http: 127.0.0.1:${httpPort}
server_name: chain
jetstream: { store_dir: "${at('chain')}", domain: chain }
authorization: { users: [ { user: chain, password: "chain-password" } ] }
leafnodes: { listen: "127.0.0.1:${leafPort}", authorization: { user: store, password: "store-password" }, ${tls} }
`;
  writeFileSync(at('chain.conf'), config);
  const server = spawn('nats-server', ['--config', at('chain.conf')], { stdio: 'ignore' });
  const over = once(server, 'close');
  const dial = () =>
    connect({ servers: `127.0.0.1:${port}`, user: 'chain', pass: 'chain-password', reconnect: false }).catch(
      () => null,
    );
  const connection = await until('the chain', dial);
  return {
    connection,
    /** Waits until so many stores are connected. */
    joined: (count: number) =>
      until(
        'the leaf',
        async () => (await call(`http://127.0.0.1:${httpPort}/leafz`)).body.leafnodes === count || null,
      ),
    leaf: { url: `nats-leaf://store:store-password@localhost:${leafPort}`, caFile: at('chain.pem') },
    [Symbol.asyncDispose]: async () => {
      await connection.close();
      server.kill('SIGTERM');
      await over;
    },
  };
}

test('a chain can neither read, delete, purge nor write what a store holds', async () => {
  using folder = temporaryFolder();
  await using chain = await startChain(folder.path);
  await using master = await startMaster('M1', { leaf: chain.leaf });
  await master.learn('ü');
  await master.must('start_sync');
  await chain.joined(1);
  const actions = ['DELETE', 'PURGE', 'MSG.DELETE', 'UPDATE', 'SNAPSHOT', 'RESTORE', 'MSG.GET', 'INFO'];
  const asked = [`$JS.${domainOf('M1')}.API`, 'laneware.mirror'].flatMap((api) =>
    actions.flatMap((action) => BUCKETS.map((bucket) => `${api}.STREAM.${action}.${streamOf(bucket)}`)),
  );
  const answers = await Promise.all(
    asked.map((each) => chain.connection.request(each, '{"seq":1}', { timeout: 2000 }).catch(() => null)),
  );
  assert.equal(
    asked.filter((_each, index) => answers[index] !== null),
    [],
  );
  for (const bucket of BUCKETS) chain.connection.publish(subjectOf(bucket, 'i1'), '{}');
  await chain.connection.flush();
  await master.must('start_sync');
  assert.is(master.held().length, 1);
});

test('a password that lies unsealed in the configuration is reported, with what to do', async () => {
  using folder = temporaryFolder();
  await using chain = await startChain(folder.path);
  await using master = await startMaster('M1', { leaf: chain.leaf });
  const part = master.health.report().parts.find((each) => each.part === 'chain');
  assert.is(part?.state, 'degraded');
  assert.match(part?.reason ?? '', /unsealed.*lanectl chain join/);
  assert.not.match(part?.reason ?? '', 'store-password');
  assert.ok(master.warnings.some(({ message }) => /unsealed/.test(message)));
});

const serials = async (master: Lane): Promise<string[]> =>
  (await master.get('get_sync_status')).body.data.devices.map(({ sn }: { sn: string }) => sn);

test('what devices say to their chain does not go to an account that others share', async () => {
  using folder = temporaryFolder();
  await using chain = await startChain(folder.path);
  await using master = await startMaster('M1', { leaf: chain.leaf });
  await chain.joined(1);
  const heard: string[] = [];
  chain.connection.subscribe('>', { callback: (_error, { subject }) => void heard.push(subject) });
  await chain.connection.flush();
  const sent = await master.chain.link.send('payments', 'private', { id: '1' }).then(
    () => 'sent',
    (error: { code: string }) => error.code,
  );
  assert.is(sent, 'no-line');
  assert.equal(
    heard.filter((subject) => /up/.test(subject)),
    [],
  );
});

test('stores of one chain share nothing, and no device is paired through the chain', async () => {
  using folder = temporaryFolder();
  await using chain = await startChain(folder.path);
  await using one = await startMaster('MA', { leaf: chain.leaf });
  await using other = await startMaster('MB', { leaf: chain.leaf });
  await chain.joined(2);
  await using slave = await startLane('S1');
  // both show a code: a request that came to the other one would be taken there
  await other.must('get_sync_pairing_code');
  await joinStore(slave, one);
  await slave.learn('7');
  await agree([one, slave], 1);
  await other.must('start_sync');
  assert.equal(other.held(), []);
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

test('a store whose chain cannot be reached works on', async () => {
  const url = `nats-leaf://store:store-password@localhost:${await freePort()}`;
  await using master = await startMaster('M1', { leaf: { url, caFile: null } });
  await using slave = await startLane('S1');
  await slave.learn('7');
  assert.is((await master.post('start_sync')).body.code, 0);
});

leaf.run();
