/** An administrator of the chain reads and mirrors a store's templates, and changes nothing in the store. */
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOWN, MIRROR, MIRRORED } from '../../firmware/chain/subjects.ts';
import { domainOf } from '../../firmware/sync/centre/server-config.ts';
import { encodePart, streamOf, subjectOf } from '../../firmware/sync/centre/subjects.ts';
import { needing } from '../needing.ts';
import { until } from '../support.ts';
import { startLane, startMaster } from '../sync/real-rig.ts';
import { agree, joinStore } from '../sync/rig.ts';
import { joinChain, NO_HUB, sharedHub } from './hub.ts';

const administrator = suite('chain: its administrator');
const test = needing(NO_HUB, 'chain: its administrator', administrator);
const emptyHub = sharedHub(administrator);

const TEMPLATES = streamOf('templates');
const CREATE = `${MIRROR}.CONSUMER.CREATE.${TEMPLATES}`;
const MARK = subjectOf('tombstones', `i1.${encodePart('7')}.${encodePart('S1')}.${encodePart('x')}`);

const ask = (connection: NatsConnection, subject: string, body: string): Promise<string> =>
  connection.request(subject, body, { timeout: 1000 }).then(
    (message) => message.string(),
    () => 'no answer',
  );

test('it mirrors, and deletes, purges, injects and listens in vain', async () => {
  const hub = await emptyHub();
  await using master = await startMaster('MA');
  await using slave = await startLane('S1');
  await joinChain(master, await hub.admit('A'));
  await joinStore(slave, master);
  await slave.learn('7');
  await agree([master, slave], 1);
  await using store = await hub.asStore('A');

  const info = JSON.parse(await ask(store, `${MIRROR}.STREAM.INFO.${TEMPLATES}`, ''));
  assert.is(info.state.messages, 1);

  const heard: string[] = [];
  store.subscribe('>', { callback: (_error, { subject }) => void heard.push(subject) });
  const apis = [`$JS.${domainOf('MA')}.API`, MIRROR];
  const actions = ['DELETE', 'PURGE', 'UPDATE', 'CREATE', 'SNAPSHOT', 'RESTORE', 'MSG.DELETE', 'MSG.GET', 'NAMES'];
  const buckets = (['templates', 'tombstones', 'marks', 'devices'] as const).map(streamOf);
  const subjects = apis.flatMap((api) =>
    actions.flatMap((action) => buckets.map((bucket) => `${api}.STREAM.${action}.${bucket}`)),
  );
  const answers = await Promise.all(subjects.map((subject) => ask(store, subject, '{"seq":1}')));
  assert.equal(
    subjects.filter((_subject, index) => answers[index] !== 'no answer'),
    [],
  );

  const consumers = [`${MIRROR}.CONSUMER.NAMES.${TEMPLATES}`, `${MIRROR}.CONSUMER.CREATE.${streamOf('tombstones')}`];
  for (const subject of consumers) assert.is(await ask(store, subject, '{}'), 'no answer', subject);
  for (const subject of [MARK, 'laneware.pair', `laneware.hint.${encodePart('X')}`, 'laneware.news', `${MIRRORED}.M.x`])
    store.publish(subject, '{}');
  await store.flush();
  heard.length = 0;
  await master.must('get_sync_pairing_code');
  await slave.learn('8');
  await agree([master, slave], 2);
  assert.equal(
    heard.filter((subject) => !subject.startsWith('laneware.read.all.')),
    [],
  );
});

/** What a mirror asks, with another place to deliver to. */
const asked = (deliver: string, more = ''): string =>
  `{"stream_name":"${TEMPLATES}","config":{"deliver_subject":"${deliver}","ack_policy":"none","deliver_policy":"all"${more}}}`;

test('it has the store deliver templates to a mirror, and to nothing within the store', async () => {
  const hub = await emptyHub();
  await using master = await startMaster('MA');
  await joinChain(master, await hub.admit('A'));
  await master.learn('7');
  await master.must('start_sync');
  await using store = await hub.asStore('A');
  const refused = [
    asked(MARK),
    asked('laneware.pair'),
    asked(`${MIRRORED}.>`),
    asked(`${MIRRORED}`),
    // the server takes the last of two keys, in capitals too
    asked(`${MARK}`, `,"Deliver_Subject":"${MIRRORED}.M.x"`),
    '{"stream_name":"KV_laneware_marks"}',
    'no json',
  ];
  for (const body of refused) {
    assert.match(await ask(store, CREATE, body), /"code":403/, body);
    assert.match(await ask(store, `${CREATE}.name.filter`, body), /"code":403/, body);
  }
  const smuggled = asked(`${MIRRORED}.M.smuggled`, `,"DELIVER_SUBJECT":"${MARK}","durable_name":"stays"`);
  const delivered: string[] = [];
  store.subscribe(`${MIRRORED}.M.smuggled`, { callback: (_error, { subject }) => void delivered.push(subject) });
  await store.flush();
  const made = JSON.parse(await ask(store, CREATE, smuggled));
  assert.equal([made.config.deliver_subject, made.config.durable_name], [`${MIRRORED}.M.smuggled`, undefined]);
  await until('it is delivered', () => delivered.length > 0);
  await until('the log', () => master.warnings.some(({ message }) => /was refused/.test(message)));
  assert.is(master.held().length, 1);
});

test('what it puts down is read by any device of the store, and what they say comes under their own number', async () => {
  const hub = await emptyHub();
  await using master = await startMaster('MA');
  await using slave = await startLane('S1');
  const file = await hub.admit('A');
  await joinChain(master, file);
  await joinStore(slave, master);
  await using chain = await hub.asChain();
  const manager = await jetstreamManager(chain);
  const { last_seq: before } = (await manager.streams.info(DOWN)).state;
  chain.publish('down.all.a', 'A');
  chain.publish(`down.to.${file.account}.b`, 'B');
  await chain.flush();
  for (const { chain: mine } of [master, slave]) {
    const document = await until('the document', () => mine.link.read('all', 'a'));
    assert.equal([Buffer.from(document.data).toString(), document.sequence], ['A', before + 1]);
    assert.is(Buffer.from((await mine.link.read('own', 'b'))?.data ?? []).toString(), 'B');
    assert.is(await mine.link.read('own', 'a'), null);
    await mine.link.report('inventory', 'old');
    await mine.link.report('inventory', 'new');
  }
  const { state } = await manager.streams.info('STATES', { subjects_filter: '>' });
  const of = (serial: string): string => `up.${file.account}.state.${encodePart(serial)}.inventory`;
  assert.equal(state.subjects, { [of('MA')]: 1, [of('S1')]: 1 });
  assert.is((await manager.streams.getMessage('STATES', { last_by_subj: of('S1') }))?.string(), 'new');
  await slave.chain.link.send('payments', 'paid', { id: '1' });
  await slave.chain.link.send('payments', 'paid', { id: '1' });
  assert.is((await manager.streams.info('EVENTS')).state.messages, 1);
});

administrator.run();
