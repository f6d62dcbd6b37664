/** A chain's hub of three servers, made by its commands: each of them killed in turn while stores speak to it. */
import { jetstreamManager } from '@nats-io/jetstream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ChainError } from '../../firmware/chain/errors.ts';
import { DOWN, EVENTS, STATES, upAtHub } from '../../firmware/chain/subjects.ts';
import { pairOf } from '../../scripts/chain/keys.ts';
import { needing } from '../needing.ts';
import { until } from '../support.ts';
import { startMaster } from '../sync/real-rig.ts';
import { chainCommand, chainOf, joinChain, NO_HUB, startHub } from './hub.ts';

const hubSuite = suite('chain: its hub');
const test = needing(NO_HUB, 'chain: its hub', hubSuite);

test('one server killed at a time: nothing that was acknowledged is lost, and what was not is sent again', async () => {
  await using hub = await startHub(3);
  await using one = await startMaster('MA');
  await using other = await startMaster('MB');
  for (const [lane, name] of [
    [one, 'A'],
    [other, 'B'],
  ] as const)
    await joinChain(lane, await hub.admit(name));
  const stores = [one, other];
  const acknowledged: string[] = [];
  let isOver = false;
  const keepSending = async (lane: (typeof stores)[number]): Promise<void> => {
    for (let number = 1; !isOver; number++) {
      const id = `${lane.serial}-${number}`;
      await until(`${id} is acknowledged`, async () => {
        try {
          await lane.chain.link.send('payments', JSON.stringify({ id }), { id });
          return true;
        } catch (error) {
          if (!(error instanceof ChainError)) throw error;
          return null; // as a device does that has no line
        }
      });
      acknowledged.push(id);
    }
  };
  const sending = stores.map(keepSending);
  for (const server of hub.servers) {
    const before = acknowledged.length;
    await server.stop();
    const isBoth = (): boolean =>
      stores.every(({ serial }) => acknowledged.slice(before).some((id) => id.startsWith(serial)));
    await until(`both stores are heard without ${server.name}`, isBoth);
    server.start();
    await hub.ready();
    await until('all copies are current', async () => {
      await using connection = (await hub.asChain().catch(() => null)) ?? {
        [Symbol.asyncDispose]: async () => undefined,
      };
      if (!('request' in connection)) return null;
      const { cluster } = await (await jetstreamManager(connection)).streams.info(EVENTS);
      return (
        cluster?.replicas?.length === 2 && cluster.replicas.every(({ current, offline }) => current && offline !== true)
      );
    });
  }
  isOver = true;
  await Promise.all(sending);
  await using connection = await hub.asChain();
  const kept = await eventsIn(connection);
  assert.equal([...new Set(kept)].sort(), [...acknowledged].sort());
  assert.is(kept.length, acknowledged.length, 'what was sent again is stored once');
});

async function eventsIn(
  connection: Awaited<ReturnType<Awaited<ReturnType<typeof startHub>>['asChain']>>,
): Promise<string[]> {
  const manager = await jetstreamManager(connection);
  const { state } = await manager.streams.info(EVENTS);
  const ids: string[] = [];
  for (let sequence = state.first_seq; sequence <= state.last_seq; sequence++) {
    const message = await manager.streams.getMessage(EVENTS, { seq: sequence });
    if (message !== null) ids.push(message.json<{ id: string }>().id);
  }
  return ids;
}

test('a store that is removed is cut at once, its file opens nothing any more, and what it has said is gone', async () => {
  await using hub = await startHub();
  await using master = await startMaster('MA');
  const file = await hub.admit('A');
  await joinChain(master, file);
  await master.chain.link.send('payments', 'one', { id: '1' });
  await master.chain.link.report('health', 'well');
  const other = pairOf(hub.folder().keys.account).getPublicKey();
  {
    await using chain = await hub.asChain();
    await chain.request(upAtHub(other, 'event.iUg.payments'), 'of another store');
  }
  await chainCommand('config', 'set', '--keys', hub.keys, 'A', 'log.level=warn');
  await chainCommand('store', 'mirror', '--keys', hub.keys, 'A');
  assert.match(await chainCommand('store', 'list', '--keys', hub.keys), /^A {2}added \S+ {2}ends \S+\n$/);
  await chainCommand('store', 'remove', '--keys', hub.keys, 'A');
  assert.match(await chainCommand('store', 'list', '--keys', hub.keys), /^A .*removed/);
  await until('the store is cut off', async () => !(await chainOf(master)).connected || null);
  await using connection = await hub.asChain();
  const manager = await jetstreamManager(connection);
  const left = await Promise.all(
    [STATES, EVENTS, DOWN].map(async (name) => (await manager.streams.info(name, { subjects_filter: '>' })).state),
  );
  assert.equal(
    left.flatMap(({ subjects = {} }) => Object.keys(subjects)),
    [upAtHub(other, 'event.iUg.payments')],
  );
  // with a new file of the same name it is another store to the hub
  await joinChain(master, await hub.admit('A'));
});

test('the hub mirrors the templates of a store, and follows what is learned and deleted', async () => {
  await using hub = await startHub();
  await using master = await startMaster('MA');
  await joinChain(master, await hub.admit('A'));
  await master.learn('ü');
  await master.must('start_sync');
  await chainCommand('store', 'mirror', '--keys', hub.keys, 'A');
  await using connection = await hub.asStore('A');
  const manager = await jetstreamManager(connection);
  const mirrored = async () => (await manager.streams.info('templates')).state.messages;
  await until('the mirror', async () => (await mirrored()) === 1);
  await master.learn('8');
  await master.must('start_sync');
  await until('the mirror follows', async () => (await mirrored()) === 2);
});

hubSuite.run();
