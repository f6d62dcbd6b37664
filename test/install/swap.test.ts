/**
 * A release and a key that lie where others may write: for any replacement, at any moment, `install.sh`
 * installs what it has proven, or nothing.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { ended, FAILED, REFUSED } from '../ota/rig.ts';
import { ROOT as PROJECT } from '../root.ts';
import { each } from '../support.ts';
import { type Card, NO_INSTALLATION, onCard } from './card.ts';

const swap = suiteNeeding(NO_INSTALLATION, 'what is swapped during an installation');
const it = each(swap, onCard);

const FIXTURE = join(PROJECT, 'test/install/fixtures/swap');
/** An installation that waits for a writer, or reads a file without an end, is one that hangs. */
const PATIENCE_MS = 60_000;
/** Program, and after how many of its runs the file is another one. */
const MOMENTS: readonly (readonly [string, number])[] = [
  ['openssl', 1],
  ['openssl', 2],
  ['openssl', 3],
  ['sha256sum', 1],
  ['sha256sum', 2],
  ['head', 1],
  ['dd', 1],
  ['dd', 2],
  ['stat', 1],
  ['tar', 1],
];

function folderOf(card: Card): string {
  const folder = join(card.rig.folder, 'writable');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Runs an installation of FILE with KEY, while one of both is swapped at a moment. */
function installSwapping(card: Card, file: string, key: string, swapped: readonly [string, string], moment: string) {
  const folder = join(card.rig.folder, 'swaps');
  mkdirSync(folder, { recursive: true });
  for (const [program] of MOMENTS) if (!existsSync(join(folder, program))) symlinkSync(FIXTURE, join(folder, program));
  const env = {
    ...process.env,
    PATH: `${folder}:${process.env.PATH}`,
    SWAP_FILE: swapped[0],
    SWAP_WITH: swapped[1],
    SWAP_AFTER: moment,
  };
  const args = ['--root', card.root, '--release', file, '--key', key];
  return spawnSync(join(PROJECT, 'scripts/install/install.sh'), args, { encoding: 'utf8', env, timeout: PATIENCE_MS });
}

/** The head of the genuine release before an unsigned payload, with a list of checksums of its own. */
function forge(card: Card, into: string): void {
  const evil = card.rig.release({ version: '1.1.0', behaviour: 'exits' });
  const parts = '. "$0/say.sh"; . "$0/paths.sh"; . "$0/release-file.sh"';
  const script = `${parts}; d=$(mktemp -d); read_head "$1" "$d"; head -c "$PAYLOAD_OFFSET" "$1" >"$3"; read_head "$2" "$d"; payload_of "$2" >>"$3"; rm -r "$d"`;
  execFileSync('bash', ['-ec', script, join(PROJECT, 'scripts/lib'), card.release, evil, into]);
}

for (const [program, run] of MOMENTS) {
  it(`after run ${run} of ${program} the release is another one: it is not installed`, (card) => {
    const folder = folderOf(card);
    const [file, evil] = [join(folder, 'lane.release'), join(folder, 'evil')];
    copyFileSync(card.release, file);
    forge(card, evil);
    const key = join(card.rig.folder, 'key.pub.pem');
    const result = installSwapping(card, file, key, [file, evil], `${program} ${run}`);
    if (result.status === 0) assert.is(card.read('opt/laneware/good/behaviour'), 'good');
    else {
      assert.ok([FAILED, REFUSED].includes(result.status ?? -1), `${result.signal} ${result.stderr}`);
      assert.not.ok(card.has('opt/laneware/good'));
    }
  });

  it(`after run ${run} of ${program} the key is another one: it is not trusted`, (card) => {
    card.rig.makeKey('evil');
    const folder = folderOf(card);
    const [key, evil] = [join(folder, 'key.pem'), join(folder, 'evil')];
    const genuine = readFileSync(join(card.rig.folder, 'key.pub.pem'), 'utf8');
    writeFileSync(key, genuine);
    copyFileSync(join(card.rig.folder, 'evil.pub.pem'), evil);
    installSwapping(card, card.release, key, [key, evil], `${program} ${run}`);
    const keys = join(card.root, 'etc/laneware/release-keys');
    const trusted = existsSync(keys) ? readdirSync(keys).map((name) => readFileSync(join(keys, name), 'utf8')) : [];
    assert.ok(
      trusted.every((text) => text === genuine),
      trusted.join('\n'),
    );
    assert.ok(trusted.length <= 1);
  });
}

it('what lies in the place of a release or of a key, and is no file, is refused at once', (card) => {
  const folder = folderOf(card);
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const key = join(card.rig.folder, 'key.pub.pem');
  for (const odd of [pipe, '/dev/zero', '/dev/null', folder, join(folder, 'nothing')]) {
    for (const [release, trusted] of [
      [odd, key],
      [card.release, odd],
    ] as const) {
      const args = ['--root', card.root, '--release', release, '--key', trusted];
      const run = spawnSync(join(PROJECT, 'scripts/install/install.sh'), args, {
        encoding: 'utf8',
        timeout: PATIENCE_MS,
      });
      assert.is(run.status, FAILED, `${odd}: ${run.signal} ${run.stderr}`);
      assert.match(run.stderr, `cannot read ${odd}`);
    }
  }
  assert.not.ok(card.has('opt/laneware/good'));
});

it('a key is trusted only once a release that it has signed is there to install', (card) => {
  card.rig.makeKey('foreign');
  ended(REFUSED, card.run('--release', card.release, '--key', join(card.rig.folder, 'foreign.pub.pem')));
  assert.equal(card.keys(), []);
  for (const text of ['', 'no key', readFileSync(join(card.rig.folder, 'key.pem'), 'utf8'), rsa()]) {
    writeFileSync(join(card.rig.folder, 'odd.pem'), text);
    const odd = ended(REFUSED, card.run('--release', card.release, '--key', join(card.rig.folder, 'odd.pem')));
    assert.match(odd.stderr, 'is no public key');
  }
  assert.equal(card.keys(), []);
});

it('a foreign key beside a release that is installed already is not trusted for it', (card) => {
  assert.is(card.install().status, 0);
  const trusted = card.keys();
  card.rig.makeKey('foreign');
  const run = ended(REFUSED, card.run('--release', card.release, '--key', join(card.rig.folder, 'foreign.pub.pem')));
  assert.match(run.stderr, /is not signed with the key in .*foreign\.pub\.pem/);
  assert.equal(card.keys(), trusted);
});

it('where two keys are trusted, either goes with what the other has signed', (card) => {
  const { rig } = card;
  rig.makeKey('next');
  rig.publish({ trust: ['key', 'next'], signedBy: 'key' });
  assert.is(card.install().status, 0);
  rmSync(rig.statements);
  ended(0, card.run('--release', card.release, '--key', join(rig.folder, 'next.pub.pem')));
});

/** A key of a kind that signs no releases. */
function rsa(): string {
  const key = execFileSync('openssl', ['genrsa', '1024'], { stdio: ['ignore', 'pipe', 'ignore'] });
  return execFileSync('openssl', ['pkey', '-pubout'], { input: key, encoding: 'utf8' });
}

it('the proven copy lies where no one else gets to, and nothing of it is left', (card) => {
  assert.is(card.install().status, 0);
  const left = readdirSync(join(card.root, 'var/lib/laneware-update'));
  assert.not.ok(left.some((name) => name.startsWith('install.')));
});

swap.run();
