/** A rogue store with its own whole credential can do nothing to another store of its chain, nor to the chain itself. */

import { readFileSync } from 'node:fs';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JoinFile } from '../../firmware/chain/join-file.ts';
import { DOWN, downAtHub, EVENTS, newsAtHub, STATES, upAtHub } from '../../firmware/chain/subjects.ts';
import { domainOf } from '../../firmware/sync/centre/server-config.ts';
import {
  BUCKETS,
  bucketInfo,
  directGet,
  encodePart,
  streamOf,
  subjectOf,
} from '../../firmware/sync/centre/subjects.ts';
import { HUB_NAME } from '../../scripts/chain/certificates.ts';
import { READER_INBOX } from '../../scripts/chain/claims.ts';
import { type Access, connectTo } from '../../scripts/chain/hub.ts';
import { needing } from '../needing.ts';
import { temporaryFolder, until } from '../support.ts';
import { intruder } from '../sync/intruder.ts';
import { startLane, startMaster } from '../sync/real-rig.ts';
import { agree, joinStore, type Lane } from '../sync/rig.ts';
import { chainCommand, type Hub, joinChain, NO_HUB, startHub } from './hub.ts';
import { type Rogue, startRogue } from './rogue.ts';

const rogueSuite = suite('chain: a rogue store');
const test = needing(NO_HUB, 'chain: a rogue store', rogueSuite);

const TEMPLATES = streamOf('templates');
const GOOD = encodePart('GOOD');

interface World extends AsyncDisposable {
  readonly hub: Hub;
  readonly good: Lane;
  readonly slave: Lane;
  readonly goodFile: JoinFile;
  readonly rogueFile: JoinFile;
  readonly chain: NatsConnection;
  readonly rogue: Rogue;
}

/** A good store with a slave, templates, a mirror and payments, and a rogue beside it. */
async function openWorld(): Promise<World> {
  const stack = new AsyncDisposableStack();
  const hub = stack.use(await startHub());
  const good = stack.use(await startMaster('GOOD'));
  const slave = stack.use(await startLane('S1'));
  const goodFile = await hub.admit('good');
  await joinChain(good, goodFile);
  await joinStore(slave, good);
  await slave.learn('7');
  await agree([good, slave], 1);
  await chainCommand('store', 'mirror', '--keys', hub.keys, 'good');
  await good.chain.link.send('payments', 'of the good store', { id: 'sale-1' });
  const chain = stack.use(await hub.asChain());
  await jetstream(chain).publish(downAtHub(null, 'prices'), 'for all');
  await jetstream(chain).publish(downAtHub(goodFile.account, 'secret'), 'for the good store');
  const rogueFile = await hub.admit('rogue');
  const rogue = stack.use(await startRogue(rogueFile));
  return { hub, good, slave, goodFile, rogueFile, chain, rogue, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

let world: World;
rogueSuite.before(async () => {
  if (NO_HUB === null) world = await openWorld();
});
rogueSuite.after(async () => {
  if (NO_HUB === null) await world[Symbol.asyncDispose]();
});

const subjectsOf = async (stream: string): Promise<readonly string[]> => {
  const manager = await jetstreamManager(world.chain);
  const { state } = await manager.streams.info(stream, { subjects_filter: '>' });
  return Object.keys(state.subjects ?? {});
};
const held = async (stream: string): Promise<number> =>
  (await (await jetstreamManager(world.chain)).streams.info(stream)).state.messages;

/** A lawful round trip: what was sent before it has arrived. */
const settled = async (): Promise<void> => {
  await world.rogue.connection.flush();
  assert.ok(await world.rogue.ask('laneware.read.all.prices'));
};

test('what is lawful works: it reads what is for all and its own, and says what is taken under its own account', async () => {
  const { rogue, rogueFile, chain } = world;
  await jetstream(chain).publish(downAtHub(rogueFile.account, 'ring'), 'one');
  assert.is(await rogue.ask('laneware.read.all.prices'), 'for all');
  assert.is(await rogue.ask('laneware.read.own.ring'), 'one');
  assert.match((await rogue.ask(`laneware.up.state.${encodePart('R')}.health`, '{}')) ?? '', `"stream":"${STATES}"`);
  chain.publish(newsAtHub(null, 'prices'));
  chain.publish(newsAtHub(rogueFile.account, 'ring'));
  const expected = ['laneware.told.all.prices ', 'laneware.told.own.ring '];
  await until('the news is there', () => expected.every((subject) => rogue.heard.includes(subject)));
});

test('it reads no template of another store, neither there nor its mirror, nor what is down for it', async () => {
  const { rogue, goodFile } = world;
  const domain = domainOf('GOOD');
  const asked = [
    ...['$JS.API', `$JS.${domain}.API`, '$JS.chain.API', 'laneware.mirror', `laneware.mirror.${domain}`].flatMap(
      (api) => [
        ...[`${api}.STREAM.INFO.${TEMPLATES}`, `${api}.STREAM.INFO.templates`, `${api}.STREAM.NAMES`, `${api}.INFO`],
        ...[`${api}.DIRECT.GET.${TEMPLATES}.>`, `${api}.STREAM.MSG.GET.templates`, `${api}.STREAM.MSG.GET.${EVENTS}`],
        `${api}.DIRECT.GET.${DOWN}.${downAtHub(goodFile.account, 'secret')}`,
      ],
    ),
    ...[`laneware.read.own.secret`, `laneware.read.all.secret`, downAtHub(goodFile.account, 'secret')],
    `laneware.read.own.${goodFile.account}.secret`,
  ];
  assert.equal(await rogue.answered(asked, '{"seq":1}'), []);
});

test('it writes nothing into another store: no template, no deletion mark, no answer of a pairing', async () => {
  const { rogue, good, slave } = world;
  const name = `${GOOD}.${encodePart('7')}.${GOOD}.${encodePart('x')}`;
  const said = [
    ...BUCKETS.flatMap((bucket) => [`$KV.laneware_${bucket}.${name}`, `$KV.laneware_${bucket}.${GOOD}`]),
    ...[`laneware.mirrored.M.x`, 'laneware.pair', 'laneware.news', `laneware.hint.${GOOD}`, 'laneware.mirror-door'],
  ];
  assert.equal(await rogue.answered(said, '{}'), []);
  await settled();
  await good.must('start_sync');
  assert.equal(
    [good.held(), slave.held()].map((list) => list.length),
    [1, 1],
  );
});

test('it deletes, purges and changes no stream, of a store or of the hub', async () => {
  const { rogue, good, hub } = world;
  const domain = domainOf('GOOD');
  const before = [await held(EVENTS), await held(DOWN)];
  const config = JSON.stringify({ name: 'EVIL', subjects: ['up.>'] });
  const actions = ['DELETE', 'PURGE', 'MSG.DELETE', 'UPDATE', 'SNAPSHOT', 'RESTORE', 'CREATE'];
  const asked = ['$JS.API', `$JS.${domain}.API`, '$JS.chain.API', 'laneware.mirror'].flatMap((api) =>
    [TEMPLATES, 'templates', EVENTS, STATES, DOWN].flatMap((stream) =>
      actions.map((action) => `${api}.STREAM.${action}.${stream}`),
    ),
  );
  assert.equal(await rogue.answered(asked, config), []);
  assert.equal([await held(EVENTS), await held(DOWN)], before);
  await using store = await hub.asStore('good');
  assert.is((await (await jetstreamManager(store)).streams.info('templates')).state.messages, 1);
  await good.must('start_sync');
  assert.is(good.held().length, 1);
});

test('it speaks as no other store, and removes no other store’s report', async () => {
  const { rogue, goodFile, rogueFile, chain } = world;
  const said = `event.${GOOD}.payments`;
  for (const subject of [`up.${goodFile.account}.${said}`, `laneware.up.${goodFile.account}.${said}`]) {
    rogue.connection.publish(subject, 'forged');
    await rogue.ask(subject, 'forged');
  }
  // the serial number is what a store says of its devices: it stays the word of the store
  await rogue.ask(`laneware.up.${said}`, 'forged');
  await rogue.ask(`laneware.up.${said}`, 'empty it', { 'Nats-Rollup': 'all' });
  assert.equal(
    [...(await subjectsOf(EVENTS))].sort(),
    [`up.${goodFile.account}.${said}`, `up.${rogueFile.account}.${said}`].sort(),
  );
  const manager = await jetstreamManager(chain);
  const own = await manager.streams.getMessage(EVENTS, { last_by_subj: `up.${goodFile.account}.${said}` });
  assert.is(own?.string(), 'of the good store');
  // who sends an id first has the one of another store taken for the same again: it is no id that can be guessed
  const before = await held(EVENTS);
  for (const id of ['sale-2', 'payments\nsale-2', 'payments.sale-2'])
    await rogue.ask(`laneware.up.event.${encodePart('R')}.payments`, 'first', { 'Nats-Msg-Id': id.replace('\n', ' ') });
  await world.good.chain.link.send('payments', 'of the good store, too', { id: 'sale-2' });
  assert.is(await held(EVENTS), before + 4);
  const last = await manager.streams.getMessage(EVENTS, { last_by_subj: `up.${goodFile.account}.${said}` });
  assert.is(last?.string(), 'of the good store, too');
});

test('it puts nothing down for others, and sends them no news', async () => {
  const { rogue, goodFile, good } = world;
  const news: string[] = [];
  const stop = good.chain.link.onNews((scope, key) => void news.push(`${scope} ${key}`));
  const before = await held(DOWN);
  const foreign = [
    ...[downAtHub(null, 'evil'), downAtHub(goodFile.account, 'evil'), newsAtHub(null, 'evil')],
    ...[
      newsAtHub(goodFile.account, 'evil'),
      'laneware.told.all.evil',
      'laneware.told.own.evil',
      'laneware.read.all.evil',
    ],
  ];
  await rogue.answered(foreign, 'evil');
  await settled();
  assert.is(await held(DOWN), before);
  world.chain.publish(newsAtHub(null, 'good'));
  await until('the good store has the news', () => news.includes('all good'));
  assert.equal(news, ['all good']);
  stop();
});

test('it hears nothing of another store, however it listens', async () => {
  const { rogue, good, slave, goodFile, chain } = world;
  await settled();
  rogue.heard.length = 0;
  await slave.learn('9');
  await agree([good, slave], 2);
  await good.chain.link.send('payments', 'private', { id: 'sale-3' });
  await good.must('get_sync_pairing_code');
  chain.publish(newsAtHub(goodFile.account, 'private'));
  await chain.flush();
  await settled();
  const own = /^(?:laneware\.read\.all\.prices|_R_|\$SYS\.)/;
  assert.equal(
    rogue.heard.filter((subject) => !own.test(subject)),
    [],
  );
});

/** Who asks chooses where the answer goes, and no server asks whether he may write there. */
test('no reader, store or device has an answer written where it may not write', async () => {
  const { hub, good, rogue, goodFile, chain } = world;
  using folder = temporaryFolder();
  const file = `${folder.path}/reader.json`;
  await chainCommand('reader', 'add', '--keys', hub.keys, 'reader', '--out', file);
  const access: { account: string } & Access = JSON.parse(readFileSync(file, 'utf8'));
  await using stack = new AsyncDisposableStack();
  const reader = await connectTo({ ...access, inboxPrefix: READER_INBOX });
  stack.defer(() => reader.close());
  const device = stack.use(await intruder(good, 'EVIL'));
  const own = subjectOf('progress', encodePart('EVIL'));
  const health = (serial: string): string => `laneware.up.state.${encodePart(serial)}.health`;
  const read = [STATES, EVENTS].flatMap((name) => [`hub.STREAM.MSG.GET.${name}`, `hub.STREAM.INFO.${name}`]);
  const askers: readonly (readonly [who: string, NatsConnection, readonly string[]])[] = [
    ['a reader', reader, [`hub.DIRECT.GET.${DOWN}.${downAtHub(access.account, 'stores')}`, ...read]],
    ['a store', rogue.connection, ['laneware.read.own.ring', 'laneware.read.all.prices', health('R')]],
    [
      'a device',
      device,
      [own, `${directGet('progress')}.${own}`, bucketInfo('progress'), health('EVIL'), 'laneware.read.all.prices'],
    ],
  ];
  const targets = [
    ...[null, goodFile.account].flatMap((store) => [downAtHub(store, 'forged'), newsAtHub(store, 'forged')]),
    ...['state', 'event'].map((kind) => upAtHub(goodFile.account, `${kind}.${GOOD}.forged`)),
    ...['state', 'event'].map((kind) => `laneware.up.${kind}.${GOOD}.forged`),
  ];
  const news: string[] = [];
  const stop = good.chain.link.onNews((_scope, key) => void news.push(key));
  for (const [who, connection, asked] of askers) {
    for (const reply of targets) for (const subject of asked) connection.publish(subject, '{"seq":1}', { reply });
    for (const subject of asked) if (connection !== rogue.connection) await connection.request(subject, '{"seq":1}');
    await settled();
    const lying = await Promise.all([STATES, EVENTS, DOWN].map(subjectsOf));
    assert.equal(
      lying.flat().filter((subject) => subject.endsWith('.forged')),
      [],
      who,
    );
  }
  chain.publish(newsAtHub(null, 'last'));
  await until('the good store has the news', () => news.includes('last'));
  assert.equal(news, ['last']);
  stop();
});

test('its credential opens no client’s port, and no port speaks without TLS', async () => {
  const { hub, rogueFile } = world;
  const [server] = hub.folder().keys.servers;
  const address = `127.0.0.1:${server?.ports.client}`;
  const tls = { ca: rogueFile.authority, servername: HUB_NAME };
  const authenticator = credsAuthenticator(new TextEncoder().encode(rogueFile.credentials));
  const refused = (options: object) =>
    connect({ servers: address, reconnect: false, timeout: 5000, ...options }).then(
      () => 'let in',
      (error: Error) => error.name,
    );
  assert.is(await refused({ tls, authenticator }), 'AuthorizationError');
  assert.is(await refused({ tls }), 'AuthorizationError');
  assert.is.not(await refused({ authenticator }), 'let in');
  for (const port of Object.values(server?.ports ?? {})) {
    const plain = await fetch(`http://127.0.0.1:${port}/varz`).then(
      ({ status }) => status,
      () => 'refused',
    );
    assert.ok(plain === 'refused' || plain === 400, `port ${port} answers ${plain}`);
  }
});

rogueSuite.run();
