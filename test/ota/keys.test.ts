/** A signing key is replaced by a statement that the key before it has signed. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { ROOT as PROJECT } from '../root.ts';
import { each } from '../support.ts';
import { NEWER, refuses, takes, UNKNOWN_KEY, withKeys } from './keys.ts';
import { ended, FAILED, NEW, NO_RELEASES, NOTHING_NEW, OLD, REFUSED, type Rig } from './rig.ts';
import { serveReleases } from './server.ts';

const keys = suiteNeeding(NO_RELEASES, 'replacing the signing key');
const it = each<[Rig]>(keys, (run) => () => withKeys(run));

const keysOf = (rig: Rig): string[] =>
  readdirSync(join(rig.root, 'etc/laneware/release-keys')).filter((name) => name.endsWith('.pem'));

it('a new key signed by the present one takes over, and the one before is trusted no more', async (rig) => {
  await refuses(rig, 'b');
  rig.publish({ trust: ['b'], signedBy: 'key' });
  const output = await takes(rig, 'b', NEW);
  assert.match(output, /Statement 1: releases are taken that are signed with [0-9a-f]{16}, and no others/);
  assert.is(keysOf(rig).length, 1);
  await refuses(rig, 'key');
  await takes(rig, 'b', NEWER);
});

it('it comes from the folder of a web server where the releases are', async (rig) => {
  rig.publish({ trust: ['b'], signedBy: 'key' });
  using server = await serveReleases(rig.release({ key: 'b' }));
  server.others.set('/laneware.keys', readFileSync(rig.statements));
  await rig.takes(NEW, ['--from', `${server.url}?of=today`]);
});

it('it is taken though there is no newer release: a key that was stolen must not wait for one', async (rig) => {
  rig.publish({ trust: ['b'], signedBy: 'key' });
  await rig.ends(NOTHING_NEW, ['update', '--from', rig.release({ key: 'b', version: OLD })]);
  rmSync(rig.statements);
  await refuses(rig, 'key');
});

it('two keys are trusted for as long as a statement names both', async (rig) => {
  rig.publish({ trust: ['key', 'b'], signedBy: 'key' });
  await takes(rig, 'key', NEW);
  await takes(rig, 'b', NEWER);
  rig.publish({ trust: ['b'], signedBy: 'b' });
  await takes(rig, 'b', '1.3.0');
  await refuses(rig, 'key');
});

it('a device that was away takes one statement after the other', async (rig) => {
  rig.publish({ trust: ['b'], signedBy: 'key' });
  rig.publish({ trust: ['c'], signedBy: 'b' });
  await takes(rig, 'c', NEW);
  for (const old of ['key', 'b']) await refuses(rig, old);
});

it('a device installed with the newest key has nothing to take, and says nothing of it', async (rig) => {
  rmSync(join(rig.root, 'etc/laneware/release-keys/own.pem'));
  rig.trust('c');
  rig.publish({ trust: ['b'], signedBy: 'key' });
  rig.publish({ trust: ['c'], signedBy: 'b' });
  const output = await takes(rig, 'c', NEW);
  assert.not.match(output, 'warning');
  rig.publish({ trust: ['foreign'], signedBy: 'c' });
  await takes(rig, 'foreign', NEWER);
});

it('a release that the present key has signed delivers the next one, with nothing beside it', async (rig) => {
  rig.publish({ trust: ['key', 'b'], signedBy: 'key' });
  const first = rig.release({ carries: true });
  rmSync(rig.statements);
  await rig.ends(0, ['update', '--from', first]);
  await takes(rig, 'b', NEWER);
});

it('a device away since the first key takes a release of the newest, with nothing beside it', async (rig) => {
  rig.publish({ trust: ['b'], signedBy: 'key' });
  rig.publish({ trust: ['c'], signedBy: 'b' });
  const newest = rig.release({ key: 'c', carries: true });
  rmSync(rig.statements);
  for (const command of [['check'], ['update', '--dry-run']]) await rig.ends(0, [...command, '--from', newest]);
  const { number } = /statement (?<number>\d)/.exec((await rig.ota(['status'])).output)?.groups ?? {};
  assert.is(number, '0', 'looking takes no key');
  await rig.ends(0, ['update', '--from', newest]);
  assert.is(await rig.answers(), NEW);
  for (const old of ['key', 'b']) await refuses(rig, old);
});

it('what a stranger puts into a release of his own brings no key, however it is signed', async (rig) => {
  for (const signedBy of ['foreign', 'b']) {
    rmSync(rig.statements, { force: true });
    rig.publish({ trust: ['foreign'], signedBy });
    const file = rig.release({ key: 'foreign', carries: true });
    rmSync(rig.statements);
    assert.match(await rig.ends(REFUSED, ['update', '--from', file]), UNKNOWN_KEY);
  }
  const nonsense = rig.release({ carries: true, lie: { commit: 'x\\nstatements=%%%' } });
  assert.match(await rig.ends(0, ['update', '--from', nonsense]), 'what the release carries of newer keys is damaged');
  assert.match((await rig.ota(['status'])).output, /^keys +[0-9a-f]{16} \(statement 0\)$/m);
});

it('statements that have grown too long for a release lie beside it alone', async (rig) => {
  rig.publish({ trust: ['key', 'b'], signedBy: 'key' });
  writeFileSync(rig.statements, readFileSync(rig.statements, 'latin1').repeat(20), 'latin1');
  const file = rig.release({ key: 'b', carries: true });
  await rig.ends(0, ['update', '--from', file]);
  const head = readFileSync(file).subarray(0, 9000).toString('latin1');
  assert.not.match(head, 'statements=');
});

it('a device whose own note of replaced keys is damaged trusts no key, and says what to do', async (rig) => {
  rig.publish({ trust: ['b'], signedBy: 'key' });
  await takes(rig, 'b', NEW);
  const note = join(rig.root, 'etc/laneware/release-keys/replaced');
  const genuine = readFileSync(note, 'utf8');
  for (const damaged of ['', '\0'.repeat(80), genuine.slice(0, -5), genuine.replace('number=1', 'number=x')]) {
    writeFileSync(note, damaged);
    const output = await rig.ends(REFUSED, ['update', '--from', rig.release({ key: 'b', version: NEWER })]);
    assert.match(output, /release-keys\/replaced is damaged.*install\.sh/);
  }
  writeFileSync(note, genuine);
  await takes(rig, 'b', NEWER);
});

const trust = (rig: Rig, ...args: string[]) =>
  spawnSync(join(PROJECT, 'scripts/release/bundle.sh'), ['--out', rig.folder, ...args], { encoding: 'utf8' });

it('bundle.sh makes no release with a key that devices trust no more', async (rig) => {
  rig.publish({ trust: ['b'], signedBy: 'key' });
  const run = ended(REFUSED, trust(rig, '--unrehearsed', '--key', join(rig.folder, 'key.pem')));
  assert.match(run.stderr, 'does not trust');
});

it('bundle.sh makes no statement that no device could follow', async (rig) => {
  const path = (name: string) => join(rig.folder, name);
  const signing = ['--key', path('key.pem')];
  for (const [args, words] of [
    [['--trust', path('b.pem'), ...signing], /b\.pem is no public key/],
    [['--trust', path('nothing.pem'), ...signing], /nothing\.pem is no public key/],
    [['--trust', path('b.pub.pem'), '--key', path('key.pub.pem')], /key\.pub\.pem is no signing key/],
    [['--trust', path('b.pub.pem')], /^Makes releases/],
  ] as const) {
    const run = trust(rig, ...args);
    assert.is.not(run.status, 0);
    assert.match(run.stderr, words);
    assert.not.ok(readdirSync(rig.folder).includes('laneware.keys'));
  }
  rig.publish({ trust: ['b'], signedBy: 'key' });
  const before = readFileSync(rig.statements);
  assert.match(ended(REFUSED, trust(rig, '--trust', path('c.pub.pem'), ...signing)).stderr, 'does not trust');
  const back = ended(REFUSED, trust(rig, '--trust', path('key.pub.pem'), '--key', path('b.pem')));
  assert.match(back.stderr, 'was replaced');
  assert.equal(readFileSync(rig.statements), before);
  appendFileSync(rig.statements, 'rubbish');
  assert.is(trust(rig, '--trust', path('c.pub.pem'), '--key', path('b.pem')).status, FAILED);
});

keys.run();
