/** What a stranger, a broken download or an old copy puts in the place of statements of keys brings no key, and keeps no update back. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { each } from '../support.ts';
import { NEWER, refuses, takes, withKeys } from './keys.ts';
import { NEW, NO_RELEASES, onDevice, type Rig } from './rig.ts';
import { serveReleases } from './server.ts';

const keys = suiteNeeding(NO_RELEASES, 'statements of keys that do not count');
const it = each<[Rig]>(keys, (run) => () => withKeys(run));

/** What bundle.sh would not sign. */
function stateAnyway(rig: Rig, statement: { trust: readonly string[]; signedBy: string; number: number }): void {
  const { trust, signedBy, number } = statement;
  const files = trust.map((name) => join(rig.folder, `${name}.pub.pem`));
  const script =
    'STAGE=$1 list=$2 key=$3 number=$4; shift 4; add_statement "$list" "$key" "$number" - "$(for f; do key_in "$f"; echo; done | paste -sd " ")"';
  rig.bash(script, [rig.folder, rig.statements, join(rig.folder, `${signedBy}.pem`), `${number}`, ...files]);
}

it('a forged statement is ignored, and reported', async (rig) => {
  rig.publish({ trust: ['foreign'], signedBy: 'foreign' });
  const output = await refuses(rig, 'foreign');
  assert.match(output, /warning: .*laneware\.keys.* signed with a key that this device does not know/);
  await takes(rig, 'key', NEW);
});

it('a statement that was changed after it was signed is ignored, for any byte of it', async (rig) => {
  rig.publish({ trust: ['b'], signedBy: 'key' });
  const genuine = readFileSync(rig.statements);
  for (let at = 3; at < genuine.length; at += Math.ceil(genuine.length / 8)) {
    const changed = Buffer.from(genuine);
    changed.writeUInt8((changed[at] ?? 0) ^ 1, at);
    writeFileSync(rig.statements, changed);
    await refuses(rig, 'b');
  }
  await takes(rig, 'key', NEW);
});

it('an old statement that is published again brings no key back', async (rig) => {
  rig.publish({ trust: ['key', 'b'], signedBy: 'key' });
  const first = readFileSync(rig.statements);
  rig.publish({ trust: ['key', 'c'], signedBy: 'key' });
  await takes(rig, 'c', NEW);
  // signed by a key that is trusted still
  writeFileSync(rig.statements, first);
  await refuses(rig, 'b');
  await takes(rig, 'key', NEWER);
});

keys('of two statements with one number the first counts', () =>
  onDevice(async (rig) => {
    for (const name of ['next', 'other']) rig.makeKey(name);
    rig.publish({ trust: ['key', 'next'], signedBy: 'key' });
    await rig.ota(['check', '--from', rig.release()]);
    await rig.ends(0, ['update', '--from', rig.release({ version: '1.0.1', key: 'next' })]);
    rmSync(rig.statements);
    rig.publish({ trust: ['other'], signedBy: 'key' });
    await rig.ends(0, ['update', '--from', rig.release({ version: '1.2.0', key: 'next' })]);
  }),
);

it('a key that was replaced is never trusted again, in a statement of any key', async (rig) => {
  rig.publish({ trust: ['b'], signedBy: 'key' });
  await takes(rig, 'b', NEW);
  assert.throws(() => rig.publish({ trust: ['b', 'key'], signedBy: 'b' }));
  stateAnyway(rig, { trust: ['b', 'key'], signedBy: 'b', number: 2 });
  const output = await refuses(rig, 'key');
  assert.match(output, /warning: .* trusts a key again that was replaced/);
  // nor where its file comes back
  rig.trust('key');
  await refuses(rig, 'key');
  await takes(rig, 'b', NEWER);
});

it('a list that was cut short counts as far as it is whole', async (rig) => {
  rig.publish({ trust: ['b'], signedBy: 'key' });
  const first = statSync(rig.statements).size;
  rig.publish({ trust: ['c'], signedBy: 'b' });
  const whole = readFileSync(rig.statements);
  truncateSync(rig.statements, first - 1);
  await refuses(rig, 'b');
  writeFileSync(rig.statements, whole.subarray(0, whole.length - 1));
  await refuses(rig, 'c');
  await takes(rig, 'b', NEW);
  writeFileSync(rig.statements, whole);
  await takes(rig, 'c', NEWER);
});

for (const [what, put] of [
  ['nothing', (path: string) => rmSync(path)],
  ['a page of the web', (path: string) => writeFileSync(path, '<html>\n'.repeat(99))],
  ['a file of gigabytes', (path: string) => truncateSync(path, 2 ** 33)],
  [
    'a pipe',
    (path: string) => {
      rmSync(path);
      execFileSync('mkfifo', [path]);
    },
  ],
  [
    'a folder',
    (path: string) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
] as const) {
  it(`${what} in the place of the list keeps no update back`, async (rig) => {
    rig.publish({ trust: ['b'], signedBy: 'key' });
    put(rig.statements);
    await takes(rig, 'key', NEW);
    await refuses(rig, 'b');
  });
}

it('a list without an end of a web server keeps no update back', async (rig) => {
  using server = await serveReleases(rig.release());
  server.others.set('/laneware.keys', Buffer.alloc(32 << 20, 'x'));
  await rig.ends(0, ['update', '--from', server.url]);
});

keys.run();
