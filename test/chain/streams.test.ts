/** The streams of a hub, which one command makes and brings up to date, and what somebody else has put there. */
import { jetstreamManager } from '@nats-io/jetstream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOWN, downAtHub, EVENTS, STATES } from '../../firmware/chain/subjects.ts';
import { needing } from '../needing.ts';
import { until } from '../support.ts';
import { chainCommand, NO_HUB, sharedHub } from './hub.ts';

const streams = suite('chain: the streams of a hub');
const test = needing(NO_HUB, 'chain: the streams of a hub', streams);
const emptyHub = sharedHub(streams);

test('`streams` gives its streams their limits, and leaves them the room that somebody has chosen', async () => {
  const hub = await emptyHub();
  await using chain = await hub.asChain();
  const manager = await jetstreamManager(chain);
  await manager.streams.update(STATES, { max_bytes: 2 * 1024 ** 2, max_age: 0 });
  await chainCommand('streams', '--keys', hub.keys);
  const limits = await Promise.all(
    [STATES, EVENTS, DOWN].map(async (name) => {
      const { max_bytes, max_age, discard } = (await manager.streams.info(name)).config;
      return [max_bytes / 1024 ** 3, max_age / 1e9 / 86_400, discard];
    }),
  );
  // 0.1 GB of the events are chosen
  assert.equal(limits, [
    [1, 90, 'old'],
    [Math.round(0.1 * 1024 ** 3) / 1024 ** 3, 30, 'new'],
    [4, 0, 'new'],
  ]);
});

test('what is no document of the chain is named, and another is put in its place', async () => {
  const hub = await emptyHub();
  await using chain = await hub.asChain();
  chain.publish(downAtHub(null, 'config'), 'forged');
  const show = () => chainCommand('config', 'show', '--keys', hub.keys).catch(({ stderr }) => String(stderr));
  await until('it lies there', async () => (await show()).includes('config set puts another in its place') || null);
  await chainCommand('config', 'set', '--keys', hub.keys, 'all', 'log.level=warn');
  assert.match(await show(), /^all {2}\d+ {2}log\.level="warn"$/m);
});

streams.run();
