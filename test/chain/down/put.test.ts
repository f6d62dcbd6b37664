/** From the chain's key to a device, over a real hub; and the hub itself can put down nothing that a device takes. */
import { join } from 'node:path';
import { jetstream } from '@nats-io/jetstream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ChainError } from '../../../firmware/chain/errors.ts';
import { SignedReader } from '../../../firmware/chain/signed-reader.ts';
import { downAtHub } from '../../../firmware/chain/subjects.ts';
import { documentAt, putDocument } from '../../../scripts/chain/down.ts';
import { ChainFailure } from '../../../scripts/chain/failures.ts';
import { needing } from '../../needing.ts';
import { temporaryFolder, until } from '../../support.ts';
import { startMaster } from '../../sync/real-rig.ts';
import { joinChain, NO_HUB, startHub } from '../hub.ts';

const down = suite('chain: from the chain down');
const test = needing(NO_HUB, 'chain: from the chain down', down);

test('a device takes what the chain puts down, hears of it, and takes nothing of the hub alone', async () => {
  using folder = temporaryFolder();
  await using hub = await startHub();
  await using master = await startMaster('M');
  const file = await hub.admit('M');
  await joinChain(master, file);
  await using chain = await hub.asChain();
  const { keys } = hub.folder();
  const { link } = master.chain;
  const reader = new SignedReader({ path: join(folder.path, 'seen.json'), link });
  const heard: string[] = [];
  link.onNews((scope, key) => heard.push(`${scope} ${key}`));

  const forAll = { store: null, key: 'channel' };
  await putDocument(chain, keys, { place: forAll, body: 'one', on: 0, now: 1000 });
  await until('the device hears of it', () => heard.includes('all channel') || null);
  assert.is(await reader.read('all', 'channel', file), 'one');
  const own = { store: file.account, key: 'channel' };
  await putDocument(chain, keys, { place: own, body: 'for M', on: 0, now: 1000 });
  assert.is(await reader.read('own', 'channel', file), 'for M');

  const first = await documentAt(chain, keys, forAll);
  assert.is(first?.body, 'one');
  // with a clock that is behind, it is still newer
  await putDocument(chain, keys, { place: forAll, body: 'two', on: first?.sequence ?? 0, now: 5 });
  assert.is(await reader.read('all', 'channel', file), 'two');
  try {
    await putDocument(chain, keys, { place: forAll, body: 'late', on: first?.sequence ?? 0, now: 2000 });
    assert.unreachable();
  } catch (error) {
    assert.instance(error, ChainFailure);
  }
  assert.is(await reader.read('all', 'channel', file), 'two');

  // several at one moment: one succeeds, the others are refused
  const { sequence: on = 0 } = (await documentAt(chain, keys, forAll)) ?? {};
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c', 'd'].map((body) => putDocument(chain, keys, { place: forAll, body, on, now: 3000 })),
  );
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.is(refused.length, 3);
  for (const { reason } of refused) assert.instance(reason, ChainFailure);

  // one who has the chain's account at the hub, but not its signing key
  await jetstream(chain).publish(
    downAtHub(null, 'channel'),
    JSON.stringify({ key: 'channel', number: 9e15, body: 'x' }),
  );
  try {
    await reader.read('all', 'channel', file);
    assert.unreachable();
  } catch (error) {
    assert.is(error instanceof ChainError && error.code, 'forged');
  }
});

down.run();
