/** A hub that an earlier release has made, in which readers are users of the chain's own account, is brought up to date by one command. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { jetstreamManager } from '@nats-io/jetstream';
import { createUser, encodeAccount, encodeUser, fmtCreds } from '@nats-io/jwt';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOWN, downAtHub, EVENTS, STATES, upAtHub } from '../../firmware/chain/subjects.ts';
import { READER_INBOX } from '../../scripts/chain/claims.ts';
import { clientAddresses, connectTo, withConnection } from '../../scripts/chain/hub.ts';
import { pairOf } from '../../scripts/chain/keys.ts';
import { needing } from '../needing.ts';
import { ROOT } from '../root.ts';
import { temporaryFolder, until } from '../support.ts';
import { chainCommand, type Hub, NO_HUB, startHub } from './hub.ts';
import { startRogue } from './rogue.ts';

const earlier = suite('chain: a hub of an earlier release');
const test = needing(NO_HUB, 'chain: a hub of an earlier release', earlier);

const run = promisify(execFile);
const FORGED = downAtHub(null, 'config');
const FREE = { subs: -1, data: -1, payload: -1, conn: -1, leaf: 0, imports: -1, exports: -1, wildcards: true };
const STORAGE = { mem_storage: 0, disk_storage: -1, streams: -1, consumer: -1 };

/** Makes of a hub what the release before has made. @returns the credential of a reader that it has issued */
async function makeEarlier(hub: Hub): Promise<string> {
  const { keys } = hub.folder();
  const [chain, operator] = [pairOf(keys.account), pairOf(keys.operator)];
  const lent = ['down.all.>', 'down.to.*.>'].map((subject) => `$JS.API.DIRECT.GET.${DOWN}.${subject}`);
  const exported = [upAtHub('*', '>'), ...lent].map((subject) => ({
    ...{ name: subject, subject, type: 'service' as const },
    ...(subject.includes('*') && { account_token_position: subject.split('.').indexOf('*') + 1 }),
  }));
  const account = { limits: { ...FREE, ...STORAGE }, exports: exported };
  const claim = await encodeAccount('CHAIN', chain, account, { signer: operator });
  const answer = await withConnection(keys, pairOf(keys.system), (connection) =>
    connection.request('$SYS.REQ.CLAIMS.UPDATE', claim),
  );
  assert.match(answer.string(), '"code":200');
  await using connection = await hub.asChain();
  const { streams } = await jetstreamManager(connection);
  for (const name of [STATES, DOWN]) await streams.update(name, { max_bytes: -1, max_age: 0 });
  const pair = createUser();
  const asked = [STATES, EVENTS].flatMap((name) => [`$JS.API.STREAM.INFO.${name}`, `$JS.API.STREAM.MSG.GET.${name}`]);
  const rights = { pub: { allow: asked }, sub: { allow: [`${READER_INBOX}.>`] } };
  const path = `${hub.keys}/chain.json`;
  const { revokedTo: _later, ...earlier } = JSON.parse(readFileSync(path, 'utf8'));
  const known = { name: 'p', user: pair.getPublicKey(), endsAt: '2999-01-01T00:00:00.000Z', revokedAt: null };
  writeFileSync(path, JSON.stringify({ ...earlier, readers: [known] }));
  return new TextDecoder().decode(fmtCreds(await encodeUser('p', pair, chain, rights), pair));
}

test('`streams` cuts its readers off, gives its streams limits, and loses no store', async () => {
  await using hub = await startHub();
  using folder = temporaryFolder();
  await using store = await startRogue(await hub.admit('A'));
  const credentials = await makeEarlier(hub);
  const { keys } = hub.folder();
  const dial = () =>
    connectTo({
      ...{ servers: clientAddresses(keys), authority: keys.authority.certificate },
      ...{ credentials, inboxPrefix: READER_INBOX },
    });
  const infoOf = async (stream: string) => {
    await using chain = await hub.asChain();
    return await (await jetstreamManager(chain)).streams.info(stream, { subjects_filter: '>' });
  };
  const reader = await dial();
  reader.publish(`$JS.API.STREAM.INFO.${STATES}`, '', { reply: FORGED });
  await until('it has written where it may not', async () => (await infoOf(DOWN)).state.subjects?.[FORGED] === 1);

  const streams = () => run('bash', [`${ROOT}/scripts/chain.sh`, 'streams', '--keys', hub.keys]);
  assert.match((await streams()).stderr, 'chain: p is cut off: it reads again with a file that');
  await until('it is cut off', () => reader.isClosed() || null);
  const again = await dial().then(() => 'let in', String);
  assert.match(again, /Authorization/);
  assert.is(await store.isLetIn(), true);
  assert.ok(await store.ask('laneware.up.event.iUg.payments', 'taken'));
  const limits = await Promise.all(
    [STATES, EVENTS, DOWN].map(async (name) => {
      const { max_bytes, max_age, discard } = (await infoOf(name)).config;
      return [max_bytes / 1024 ** 3, max_age / 1e9 / 86_400, discard];
    }),
  );
  // room that somebody has chosen stays: 0.1 GB of the events
  assert.equal(
    limits,
    [
      [1, 90, 'old'],
      [0.1, 30, 'new'],
      [4, 0, 'new'],
    ].map(([gib = 0, ...more]) => [Math.round(Number(gib) * 1024 ** 3) / 1024 ** 3, ...more]),
  );

  assert.is((await streams()).stderr, '');
  await chainCommand('reader', 'add', '--keys', hub.keys, 'p', '--out', `${folder.path}/p.json`);
  assert.match(await chainCommand('payments', '--credentials', `${folder.path}/p.json`), /^.?store[,;]/);
  // what the reader has left there is no document of the chain: another is put in its place
  const shown = await chainCommand('config', 'show', '--keys', hub.keys).catch(({ stderr }) => stderr);
  assert.match(String(shown), 'config set puts another in its place');
  await chainCommand('config', 'set', '--keys', hub.keys, 'all', 'log.level=warn');
  assert.match(await chainCommand('config', 'show', '--keys', hub.keys), /^all {2}\d+ {2}log\.level="warn"$/m);
});

earlier.run();
