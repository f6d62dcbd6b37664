/** The credentials of stores end, and are renewed before, without anybody at the store. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { decode, type User } from '@nats-io/jwt';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { downAtHub, newsAtHub } from '../../firmware/chain/subjects.ts';
import { LEAF_DAYS } from '../../scripts/chain/claims.ts';
import { pushStore } from '../../scripts/chain/hub.ts';
import { needing } from '../needing.ts';
import { temporaryFolder, until } from '../support.ts';
import { startMaster } from '../sync/real-rig.ts';
import { chainCommand, type Hub, joinChain, NO_HUB, sharedHub } from './hub.ts';
import { startRogue } from './rogue.ts';

const renewal = suite('chain: credentials of stores');
const test = needing(NO_HUB, 'chain: credentials of stores', renewal);
const emptyHub = sharedHub(renewal);

const DAY_MS = 86_400_000;

const tokenIn = (credentials: string): string => credentials.split('\n')[1] ?? '';
const claimIn = (credentials: string) => decode<User>(tokenIn(credentials));
const laidOut = (folder: string): string => readFileSync(join(folder, 'chain', 'chain.creds'), 'utf8');

/** Has the folder of keys say something else of a store. */
function rewrite(hub: Hub, name: string, change: (leaf: { user: string; at: string }) => object): void {
  const path = `${hub.keys}/chain.json`;
  const keys = JSON.parse(readFileSync(path, 'utf8'));
  for (const store of keys.stores) if (store.name === name) store.leaf = change(store.leaf);
  writeFileSync(path, JSON.stringify(keys));
}

test('a store stays with its renewed credential when the earlier one opens nothing any more', async () => {
  const hub = await emptyHub();
  using folder = temporaryFolder();
  const file = await hub.admit('A');
  const later = (LEAF_DAYS / 2 + 1) * DAY_MS;
  await using master = await startMaster('MA', { folder: folder.path, wall: () => Date.now() + later });
  await joinChain(master, file);
  await using thief = await startRogue(file);
  const ends = async () =>
    /^A {2}added \S+ {2}ends (\S+)$/m.exec(await chainCommand('store', 'list', '--keys', hub.keys))?.[1];
  rewrite(hub, 'A', ({ user }) => ({ user, at: '2020-01-01T00:00:00.000Z' }));
  assert.is(await ends(), new Date(Date.parse('2020-01-01') + LEAF_DAYS * DAY_MS).toISOString());
  await pause(1000); // what is revoked is so by the second
  await chainCommand('store', 'renew', '--keys', hub.keys);
  assert.ok(Date.parse((await ends()) ?? '') > Date.now() + (LEAF_DAYS - 1) * DAY_MS);
  await until('the master has taken it', () => tokenIn(laidOut(folder.path)) !== tokenIn(file.credentials));
  const [before, renewed] = [claimIn(file.credentials), claimIn(laidOut(folder.path))];
  assert.is(renewed.sub, before.sub);
  assert.is(Math.round(((renewed.exp ?? 0) - renewed.iat) / 86_400), LEAF_DAYS);
  await pushStore(hub.folder().keys, { ...hub.folder().store('A'), revokedTo: before.iat }, false);
  await until('the earlier one is cut off', async () => !(await thief.isLetIn()));
  await until('the master speaks with the renewed one', () =>
    master.chain.link.send('payments', 'one', { id: '1' }).then(
      () => true,
      () => null,
    ),
  );
});

test('it is renewed with any command when half of its time is over, and a made-up one is not taken', async () => {
  const hub = await emptyHub();
  using folder = temporaryFolder();
  const file = await hub.admit('B');
  const later = (LEAF_DAYS / 2 + 1) * DAY_MS;
  await using master = await startMaster('MB', { folder: folder.path, wall: () => Date.now() + later });
  await joinChain(master, file);
  {
    await using chain = await hub.asChain();
    await chain.request(downAtHub(file.account, 'leaf'), 'made-up');
    chain.publish(newsAtHub(file.account, 'leaf'));
  }
  await until('it is not taken', () => master.warnings.some(({ message }) => /is not renewed/.test(message)));
  assert.is(laidOut(folder.path), file.credentials);
  await chainCommand('config', 'set', '--keys', hub.keys, 'all', 'log.level=warn');
  assert.is(laidOut(folder.path), file.credentials, 'to the chain it is not due');
  rewrite(hub, 'B', ({ user, at }) => ({ user, at: new Date(Date.parse(at) - later).toISOString() }));
  await chainCommand('config', 'set', '--keys', hub.keys, 'all', 'log.level=info');
  await until('the master has taken it', () => laidOut(folder.path) !== file.credentials);
  const [before, renewed] = [claimIn(file.credentials), claimIn(laidOut(folder.path))];
  assert.ok((renewed.exp ?? 0) > (before.exp ?? 0));
  assert.is(renewed.sub, before.sub);
});

test('a credential that was not renewed is reported a month before it ends', async () => {
  const hub = await emptyHub();
  const later = (LEAF_DAYS - 20) * DAY_MS;
  await using master = await startMaster('MC', { wall: () => Date.now() + later });
  await joinChain(master, await hub.admit('C'));
  const { state, reason } = master.health.report().parts.find(({ part }) => part === 'chain') ?? {};
  assert.is(state, 'degraded');
  assert.match(String(reason), /ends in (?:19|20) days: scripts\/chain\.sh store renew/);
});

renewal.run();
