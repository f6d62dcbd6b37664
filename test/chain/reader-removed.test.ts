/** A reader that is called back reads nothing any more, at no server, and the others go on. */
import { readFileSync } from 'node:fs';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DOWN, STATES } from '../../firmware/chain/subjects.ts';
import { READER_API } from '../../scripts/chain/claims.ts';
import { connectTo } from '../../scripts/chain/hub.ts';
import { needing } from '../needing.ts';
import { temporaryFolder, until } from '../support.ts';
import { chainCommand, NO_HUB, startHub } from './hub.ts';

const removed = suite('chain: a reader that is called back');
const test = needing(NO_HUB, 'chain: a reader that is called back', removed);

test('it is cut off where it is connected, and let in by no server, by one that was away and by new files of servers neither', async () => {
  await using hub = await startHub(3);
  using folder = temporaryFolder();
  await using stack = new AsyncDisposableStack();
  const reader = (...words: string[]) => chainCommand('reader', ...words, '--keys', hub.keys);
  const at = (name: string) => `${folder.path}/${name}.json`;
  const issue = (name: string, file: string) => reader('add', name, '--out', at(file));
  /** At one server alone; the n-th. */
  const open = async (file: string, server: number): Promise<NatsConnection> => {
    const { servers, authority, credentials } = JSON.parse(readFileSync(at(file), 'utf8'));
    const connection = await connectTo({
      servers: [servers[server]],
      authority,
      credentials,
      inboxPrefix: '_INBOX_reader',
    });
    stack.defer(() => connection.close());
    return connection;
  };
  /** Where a server was stopped, another leads the stream a moment later. */
  const reads = (connection: NatsConnection) =>
    until('it reads', () =>
      connection.request(`${READER_API}.STREAM.INFO.${STATES}`, '', { timeout: 2000 }).catch(() => null),
    );
  const isOut = (file: string, server: number): Promise<boolean> =>
    open(file, server).then(
      () => false,
      (error: unknown) => /Authorization/i.test(String(error)),
    );
  await issue('p', 'p1');
  await issue('p', 'p2');
  await issue('q', 'q');
  const [first, second, other] = [await open('p1', 0), await open('p2', 1), await open('q', 0)];
  for (const each of [first, second, other]) await reads(each);
  await hub.servers[2]?.stop();
  assert.match(await reader('remove', 'p'), 'p is cut off');
  for (const each of [first, second]) await until('it is cut off', () => each.isClosed() || null);
  assert.equal([await isOut('p1', 1), await isOut('p2', 0)], [true, true]);
  assert.is(other.isClosed(), false);
  {
    await using chain = await hub.asChain();
    const { state } = await (await jetstreamManager(chain)).streams.info(DOWN, { subjects_filter: '>' });
    assert.is(Object.keys(state.subjects ?? {}).length, 1, 'the names are there for the other one alone');
  }
  await reads(other);
  assert.match(await reader('list'), /^p {2}ends \S+ {2}called back$/m);
  assert.match(await reader('list'), /^q {2}ends \S+$/m);
  const unknown = await reader('remove', 'r').catch(({ stderr }) => stderr);
  assert.match(String(unknown), /no file of a reader r is good/);

  hub.servers[2]?.start();
  await until('the one that was away knows', () => isOut('p1', 2));
  // another file under the same name is another
  await issue('p', 'p3');
  await reads(await open('p3', 0));

  await chainCommand('servers', '--keys', hub.keys, '--here');
  for (const server of hub.servers) await server.stop();
  for (const server of hub.servers) server.start();
  await hub.ready();
  for (const server of [0, 1, 2]) assert.is(await isOut('p2', server), true);
  await reads(await open('p3', 2));
});

removed.run();
