/** What the chain signs is taken, and nothing else: not another's, not elsewhere, not older than what was seen. */
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ChainError } from '../../../firmware/chain/errors.ts';
import { type Place, sealDocument } from '../../../firmware/chain/signed-document.ts';
import { SignedReader } from '../../../firmware/chain/signed-reader.ts';
import type { Scope } from '../../../firmware/chain/subjects.ts';
import { temporaryFolder } from '../../support.ts';

const test = suite('chain: signed documents');

function makeKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { privateKey, pem: publicKey.export({ type: 'spki', format: 'pem' }).toString() };
}

const CHAIN = makeKey();
const OTHER = makeKey();
const TRUST = { account: 'STORE', signingKey: CHAIN.pem };
const CHANNEL: Place = { store: null, key: 'channel' };

function openReader() {
  const folder = temporaryFolder();
  const lies: { data: string | null } = { data: null };
  const link = {
    read: async () => (lies.data === null ? null : { data: Buffer.from(lies.data), sequence: 1 }),
  };
  const open = () => new SignedReader({ path: join(folder.path, 'seen.json'), link });
  return { lies, open, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

async function refusal(reader: SignedReader, scope: Scope, key: string, trust = TRUST): Promise<string> {
  try {
    return `taken: ${await reader.read(scope, key, trust)}`;
  } catch (error) {
    assert.instance(error, ChainError);
    return (error as ChainError).code;
  }
}

test('what the chain has signed is taken, again and again; nothing is nothing', async () => {
  using place = openReader();
  const reader = place.open();
  assert.is(await reader.read('all', 'channel', TRUST), null);
  place.lies.data = sealDocument(CHAIN.privateKey, CHANNEL, { number: 5, body: 'first' });
  assert.is(await reader.read('all', 'channel', TRUST), 'first');
  assert.is(await reader.read('all', 'channel', TRUST), 'first');
  place.lies.data = sealDocument(CHAIN.privateKey, CHANNEL, { number: 6, body: 'ünd ein zweites' });
  assert.is(await reader.read('all', 'channel', TRUST), 'ünd ein zweites');
});

test('each change of a byte that counts, another key, another place and another store are refused', async () => {
  using place = openReader();
  const reader = place.open();
  const good = sealDocument(CHAIN.privateKey, CHANNEL, { number: 5, body: 'made-up' });
  const changed = (changes: object): string => JSON.stringify({ ...JSON.parse(good), ...changes });
  for (const data of [
    changed({ body: 'made up' }),
    changed({ number: 6 }),
    changed({ signature: '' }),
    changed({ signature: 'AAAA' }),
    changed({ key: 'prices' }),
    changed({ number: 5.5 }),
    sealDocument(OTHER.privateKey, CHANNEL, { number: 5, body: 'made-up' }),
    sealDocument(CHAIN.privateKey, { store: null, key: 'prices' }, { number: 5, body: 'made-up' }),
    sealDocument(CHAIN.privateKey, { store: 'STORE', key: 'channel' }, { number: 5, body: 'made-up' }),
    'no JSON',
    'null',
    '',
  ]) {
    place.lies.data = data;
    assert.is(await refusal(reader, 'all', 'channel'), 'forged', data);
  }
  // what is another's place, with its own key written over it
  const prices = sealDocument(CHAIN.privateKey, { store: null, key: 'prices' }, { number: 5, body: 'made-up' });
  place.lies.data = JSON.stringify({ ...JSON.parse(prices), key: 'channel' });
  assert.is(await refusal(reader, 'all', 'channel'), 'forged');
  place.lies.data = good;
  assert.is(await refusal(reader, 'all', 'channel'), 'taken: made-up');
});

test('what is for one store is for no other', async () => {
  using place = openReader();
  const reader = place.open();
  place.lies.data = sealDocument(CHAIN.privateKey, { store: 'STORE', key: 'set' }, { number: 5, body: 'own' });
  assert.is(await refusal(reader, 'own', 'set', { ...TRUST, account: 'ELSE' }), 'forged');
  assert.is(await refusal(reader, 'all', 'set'), 'forged');
  assert.is(await refusal(reader, 'own', 'set'), 'taken: own');
});

test('an older one is refused, also after a restart; what was refused raises no number', async () => {
  using place = openReader();
  const seal = (number: number, key = CHAIN): string =>
    sealDocument(key.privateKey, CHANNEL, { number, body: `number ${number}` });
  place.lies.data = seal(99, OTHER);
  assert.is(await refusal(place.open(), 'all', 'channel'), 'forged');
  place.lies.data = seal(7);
  assert.is(await refusal(place.open(), 'all', 'channel'), 'taken: number 7');
  place.lies.data = seal(6);
  const again = place.open();
  assert.is(await refusal(again, 'all', 'channel'), 'forged');
  place.lies.data = seal(7);
  assert.is(await refusal(again, 'all', 'channel'), 'taken: number 7');
  // another chain begins with its own numbers, and the first is not forgotten meanwhile
  place.lies.data = seal(2, OTHER);
  assert.is(await refusal(again, 'all', 'channel', { ...TRUST, signingKey: OTHER.pem }), 'taken: number 2');
  place.lies.data = seal(6);
  assert.is(await refusal(again, 'all', 'channel'), 'forged');
});

test('two that read at one moment both keep what they have seen', async () => {
  const at = (key: string, number: number) =>
    sealDocument(CHAIN.privateKey, { store: null, key }, { number, body: key });
  const keys = ['channel', 'templates', 'config'];
  const link = { read: async (_scope: Scope, key: string) => ({ data: Buffer.from(at(key, 7)), sequence: 1 }) };
  using folder = temporaryFolder();
  const path = join(folder.path, 'seen.json');
  const several = new SignedReader({ path, link });
  await Promise.all(keys.map((key) => several.read('all', key, TRUST)));
  const older = { read: async (_scope: Scope, key: string) => ({ data: Buffer.from(at(key, 6)), sequence: 2 }) };
  const after = new SignedReader({ path, link: older });
  for (const key of keys) assert.is(await refusal(after, 'all', key), 'forged', key);
});

test.run();
