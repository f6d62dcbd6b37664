/** What the operator signs: who may import what is bound to the number of the importing account, and a leaf may do no more than it must. */
import { type Account, createAccount, createOperator, decode, parseCreds } from '@nats-io/jwt';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { encodePart, permissionsOf } from '../../firmware/sync/centre/subjects.ts';
import {
  chainClaim,
  commandCredentials,
  LEAF_DAYS,
  leafCredentials,
  readerClaim,
  storeClaim,
} from '../../scripts/chain/claims.ts';

const test = suite('chain: claims');

const [operator, chain, store] = [createOperator(), createAccount(), createAccount()];
const number = store.getPublicKey();
const READ = ['STATES', 'EVENTS'].flatMap((name) => [`STREAM.INFO.${name}`, `STREAM.MSG.GET.${name}`]);
const claimOf = async (isRemoved: boolean, revokedTo: number | null = null): Promise<Partial<Account>> =>
  decode<Account>(await storeClaim({ name: 'A', store, chain, operator, mirrorGib: 1, revokedTo, isRemoved })).nats;

test('what is one store’s own has the number of its account where the hub looks for it', async () => {
  const { exports = [] } = decode<Account>(await chainClaim(chain, operator)).nats;
  const bound = exports.map(({ subject, type, account_token_position }) => [
    type,
    subject,
    account_token_position ?? 0,
  ]);
  assert.equal(bound, [
    ['service', 'up.*.>', 2],
    ['service', '$JS.API.DIRECT.GET.DOWN.down.all.>', 0],
    ['service', '$JS.API.DIRECT.GET.DOWN.down.to.*.>', 8],
    ['stream', 'told.all.>', 0],
    ['stream', 'told.to.*.>', 3],
    ...READ.map((asked) => ['service', `$JS.API.${asked}`, 0]),
    ['stream', 'up.*.state.>', 0],
  ]);
});

test('a reader imports what is read, and makes nothing; one that was called back nothing', async () => {
  const reader = async (isRemoved: boolean) =>
    decode<Account>(await readerClaim('p', { account: number, chain, operator, isRemoved })).nats;
  const { imports = [], limits } = await reader(false);
  assert.equal(
    imports.map(({ subject, local_subject }) => [subject, local_subject]),
    [
      ...[...READ, `DIRECT.GET.DOWN.down.to.${number}.stores`].map((asked) => [`$JS.API.${asked}`, `hub.${asked}`]),
      ['up.*.state.>', 'up.*.state.>'],
    ],
  );
  assert.equal([limits?.disk_storage ?? 0, limits?.mem_storage ?? 0, limits?.leaf], [0, 0, 0]);
  const removed = await reader(true);
  assert.equal([removed.imports ?? [], Object.keys(removed.revocations ?? {})], [[], ['*']]);
});

test('a store imports what is for all and its own, and a removed one nothing', async () => {
  const { imports = [], limits } = await claimOf(false);
  assert.equal(
    imports.map(({ subject }) => subject),
    [
      `up.${number}.>`,
      '$JS.API.DIRECT.GET.DOWN.down.all.>',
      `$JS.API.DIRECT.GET.DOWN.down.to.${number}.>`,
      'told.all.>',
      `told.to.${number}.>`,
    ],
  );
  assert.is(limits?.leaf, 2);
  assert.is((await claimOf(false)).revocations, undefined);
  const again = await claimOf(false, 1_700_000_000);
  assert.equal([again.imports, again.limits, again.revocations], [imports, limits, { '*': 1_700_000_000 }]);
  const removed = await claimOf(true);
  assert.equal([removed.imports ?? [], removed.limits?.leaf, Object.keys(removed.revocations ?? {})], [[], 0, ['*']]);
  const since = removed.revocations?.['*'] ?? 0;
  assert.ok(since * 1000 >= Date.now() - 60_000, 'anything issued before is revoked');
});

test('a leaf may publish and hear what it must, by a leaf node only; a command ends within minutes', async () => {
  const { credentials, user } = await leafCredentials('A', store);
  const { uc: token } = await parseCreds(new TextEncoder().encode(credentials));
  assert.equal([token.sub, Math.round(((token.exp ?? 0) - token.iat) / 86_400)], [user, LEAF_DAYS]);
  const leaf = token.nats;
  assert.equal(leaf.allowed_connection_types, ['LEAFNODE']);
  assert.equal(leaf.pub?.allow, [
    'laneware.up.>',
    'laneware.read.all.>',
    'laneware.read.own.>',
    'laneware.mirrored.>',
    '_R_.>',
    '_INBOX.>',
    '$JSC.R.*',
  ]);
  assert.equal(leaf.sub?.allow, [
    'laneware.told.all.>',
    'laneware.told.own.>',
    'told.all.>',
    `told.to.${number}.>`,
    'laneware.mirror.>',
    '$JS.FC.>',
    '_R_.>',
  ]);
  const { uc } = await parseCreds(new TextEncoder().encode(await commandCredentials(chain)));
  assert.ok((uc.exp ?? Number.POSITIVE_INFINITY) * 1000 < Date.now() + 3_600_000);
});

test('a device speaks to the chain under its own serial number only', () => {
  const own = encodePart('S1');
  const { publish, subscribe } = permissionsOf('S1');
  assert.equal(
    publish.filter((subject) => /^laneware\.(?!hint|info)/.test(subject)),
    [
      `laneware.up.state.${own}.>`,
      `laneware.up.event.${own}.>`,
      'laneware.read.all.>',
      'laneware.read.own.>',
      `laneware.release.${own}`,
      `laneware.lane-payments.${own}`,
    ],
  );
  assert.equal(
    subscribe.filter((subject) => /told/.test(subject)),
    ['laneware.told.all.>', 'laneware.told.own.>'],
  );
});

test.run();
