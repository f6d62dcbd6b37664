/** The file of a reader lets one read what the stores report, and change nothing at the hub. */
import { readFileSync, statSync } from 'node:fs';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOWN, downAtHub, EVENTS, newsAtHub, STATES, upAtHub } from '../../firmware/chain/subjects.ts';
import { encodePart } from '../../firmware/sync/centre/subjects.ts';
import { PENDING_EXAMPLE } from '../../firmware/terminal/http/payment-schemas.ts';
import { READER_API, READER_INBOX } from '../../scripts/chain/claims.ts';
import { connectTo } from '../../scripts/chain/hub.ts';
import { pairOf } from '../../scripts/chain/keys.ts';
import { type ChainReader, readerOf } from '../../scripts/chain/reader.ts';
import { readAll } from '../../scripts/chain/stored.ts';
import { DeviceWatch } from '../../scripts/chain/watch.ts';
import { needing } from '../needing.ts';
import { temporaryFolder, until } from '../support.ts';
import { chainCommand, type Hub, NO_HUB, startHub } from './hub.ts';

const readerSuite = suite('chain: a reader');
const test = needing(NO_HUB, 'chain: a reader', readerSuite);

const ANSWER_MS = 1000;
const PART = encodePart('MA');
const accountOf = (hub: Hub, store: string): string => pairOf(hub.folder().store(store).seed).getPublicKey();
const event = (number: number, id: string) =>
  JSON.stringify({ number, type: 'payment.pending', payment: { ...PENDING_EXAMPLE, id } });

interface World extends AsyncDisposable {
  readonly hub: Hub;
  /** The file of a reader. */
  readonly file: string;
  readonly reader: ChainReader;
  /** As the administrator. */
  readonly chain: NatsConnection;
}

/** A hub with two stores that have reported themselves and payments, and a reader. */
async function openWorld(): Promise<World> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder());
  const hub = stack.use(await startHub());
  for (const store of ['A', 'B']) await hub.admit(store);
  const file = `${folder.path}/reader.json`;
  await chainCommand('reader', 'add', '--keys', hub.keys, 'prometheus', '--out', file);
  const chain = stack.use(await hub.asChain());
  const say = (subject: string, body: string) => chain.request(subject, body);
  for (const [index, store] of ['A', 'B'].entries()) {
    await say(upAtHub(accountOf(hub, store), `state.${PART}.inventory`), '{}');
    for (const number of [1, 2, 3])
      await say(upAtHub(accountOf(hub, store), `event.${PART}.payment`), event(number, `${index}-${number}`));
  }
  return { hub, file, reader: readerOf(file), chain, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

let world: World;
readerSuite.before(async () => {
  if (NO_HUB === null) world = await openWorld();
});
readerSuite.after(async () => {
  if (NO_HUB === null) await world[Symbol.asyncDispose]();
});

test('it lists the payments of all stores by name, or of one, and needs no key', async () => {
  const { file, hub } = world;
  assert.is(statSync(file).mode & 0o777, 0o600);
  for (const secret of [hub.folder().keys.operator, hub.folder().keys.account, hub.folder().store('A').seed])
    assert.not.match(readFileSync(file, 'utf8'), secret);
  const table = await chainCommand('payments', '--credentials', file);
  assert.equal(table.match(/^(?:A|B)[,;]MA[,;]\d-\d/gm)?.length, 6);
  assert.is((await chainCommand('payments', '--credentials', file, '--store', 'B')).match(/^.[,;]MA/gm)?.length, 3);
  assert.equal(table, await chainCommand('payments', '--keys', hub.keys));
  const unknown = await chainCommand('payments', '--credentials', file, '--store', 'C').catch(({ stderr }) => stderr);
  assert.match(String(unknown), /no store C/);
});

test('reports since a moment are read from there, in the order of each device', async () => {
  const { reader, chain } = world;
  const manager = await jetstreamManager(chain);
  const fourth = await manager.streams.getMessage(EVENTS, { seq: 4 });
  const connection = await reader.connect();
  const read = async (since: number | null): Promise<number[]> => {
    const sequences: number[] = [];
    const wanted = { stream: EVENTS, filter: 'up.*.event.*.payment', since, api: reader.api };
    await readAll(connection, wanted, ({ seq }) => void sequences.push(seq));
    return sequences;
  };
  assert.equal((await read(null)).sort(), [1, 2, 3, 4, 5, 6]);
  const since = fourth?.time.getTime() ?? 0;
  assert.ok((await read(since)).includes(4));
  assert.equal(await read(since + 3_600_000), []);
  await connection.close();
});

test('it follows what devices say', async () => {
  const { reader, chain, hub } = world;
  const connection = await reader.connect();
  const watch = new DeviceWatch(
    () => undefined,
    () => 7e12,
  );
  const caughtUp = Promise.withResolvers<void>();
  const following = watch.follow(connection, caughtUp.resolve, reader.api);
  await caughtUp.promise;
  assert.is(watch.devices.length, 0, 'an empty inventory is none');
  await chain.request(upAtHub(accountOf(hub, 'A'), `state.${PART}.digest`), 'figures');
  await until('it is heard', () => watch.devices.some(({ heardAt }) => heardAt === 7e12));
  await connection.close();
  await following;
});

test('it writes, purges, deletes and makes nothing, and hears nothing that is not for it', async () => {
  const { file, hub, chain } = world;
  const { credentials, servers, authority } = JSON.parse(readFileSync(file, 'utf8'));
  const thief = await connectTo({ servers, authority, credentials, inboxPrefix: READER_INBOX });
  const manager = await jetstreamManager(chain);
  const held = async () =>
    await Promise.all([STATES, EVENTS, DOWN].map(async (name) => (await manager.streams.info(name)).state.last_seq));
  const before = await held();
  const account = accountOf(hub, 'A');
  const deliver = { config: { deliver_subject: downAtHub(null, 'evil'), ack_policy: 'none', deliver_policy: 'all' } };
  const body = JSON.stringify({ stream_name: EVENTS, seq: 1, name: EVENTS, subjects: ['up.>'], ...deliver });
  const actions = ['STREAM.DELETE', 'STREAM.PURGE', 'STREAM.UPDATE', 'STREAM.CREATE', 'STREAM.MSG.DELETE'];
  const more = ['STREAM.SNAPSHOT', 'STREAM.RESTORE', 'CONSUMER.CREATE', 'CONSUMER.DURABLE.CREATE', 'CONSUMER.DELETE'];
  const asked = ['$JS.API', READER_API].flatMap((api) =>
    [STATES, EVENTS, DOWN].flatMap((stream) => [
      ...[...actions, ...more].flatMap((action) => [`${api}.${action}.${stream}`, `${api}.${action}.${stream}.x`]),
      `${api}.CONSUMER.CREATE.${stream}.x.up.>`,
    ]),
  );
  const said = [upAtHub(account, `event.${PART}.payment`), downAtHub(null, 'channel'), newsAtHub(null, 'channel')];
  const reads = ['$JS.API', READER_API].flatMap((api) => [
    `${api}.STREAM.MSG.GET.${DOWN}`,
    `${api}.DIRECT.GET.${DOWN}.${downAtHub(account, 'x')}`,
    `${api}.INFO`,
  ]);
  const answers = await Promise.all(
    [...asked, ...said, ...reads].map((subject) =>
      thief.request(subject, body, { timeout: ANSWER_MS }).then(
        () => subject,
        () => null,
      ),
    ),
  );
  assert.equal(
    answers.filter((subject) => subject !== null),
    [],
  );
  const heard: string[] = [];
  for (const subject of ['>', 'down.>', 'told.>', '_INBOX.>', `up.*.event.>`])
    thief.subscribe(subject, { callback: (error) => void (error === null && heard.push(subject)) });
  await thief.flush();
  chain.publish(newsAtHub(null, 'nothing'));
  await chain.request(upAtHub(account, `event.${PART}.payment`), event(4, 'last'));
  await chain.flush();
  await thief.flush();
  assert.equal(heard, []);
  const [states, events, down] = before;
  assert.equal(await held(), [states, (events ?? 0) + 1, down]);
  await thief.close();
});

test('a file whose time is over, or that is none, says what to do', async () => {
  using folder = temporaryFolder();
  const { hub } = world;
  const out = `${folder.path}/short.json`;
  await chainCommand('reader', 'add', '--keys', hub.keys, 'short', '--out', out, '--days', '0.00001');
  await until('its time is over', () => {
    try {
      readerOf(out);
      return false;
    } catch (error) {
      return /was good until/.test(String(error));
    }
  });
  const none = await chainCommand('payments', '--credentials', `${folder.path}/none.json`).catch(
    ({ stderr }) => stderr,
  );
  assert.match(String(none), /reader add makes one/);
});

readerSuite.run();
