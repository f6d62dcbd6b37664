/** A password of a chain's cluster that lies in the configuration is a reason of `/health`; without one the chain has no part there. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, startTestDevice } from '../support.ts';

const test = suite('a chain by the configuration');

async function reasonsWith(settings: Readonly<Record<string, string>>): Promise<readonly string[]> {
  await using device = await startTestDevice(settings);
  const { parts } = (await call(`${device.recognition}/health`)).body.data;
  return parts
    .filter(({ part }: { part: string }) => part === 'chain')
    .flatMap(({ reasons }: { reasons: { code: string }[] }) => reasons.map(({ code }) => code));
}

test('an address with a password is to be replaced by a file of the chain', async () => {
  assert.equal(await reasonsWith({ LANEWARE_SYNC_LEAF_URL: 'tls://name:word@127.0.0.1:1' }), ['chain-unsealed']);
});

test('a device without one says nothing of a chain', async () => {
  assert.equal(await reasonsWith({}), []);
});

test.run();
