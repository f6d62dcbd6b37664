/** `install.sh` into the files of a system that does not run: what it lays down, what it leaves alone, what it refuses. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadConfig } from '../../firmware/config.ts';
import { Rig } from '../ota/rig.ts';
import { ROOT as PROJECT } from '../runner.ts';

const install = suite('install.sh');
const REFUSED = 5;
const TOKEN = 'a-token-of-some-length';

const able = process.getuid?.() === 0 && spawnSync('systemd-sysusers', ['--version']).status === 0;
if (!able) process.stdout.write('SKIPPED the installation: it needs root, and systemd-sysusers (Debian: systemd)\n');
const test = able ? install : install.skip;

/** A system on a mounted card, as Raspberry Pi OS lays it out, and a release with the project's own units in it. */
class Card {
  readonly rig = new Rig();
  readonly root = mkdtempSync(join(tmpdir(), 'laneware-card-'));
  readonly release: string;

  constructor() {
    this.write('etc/hostname', 'raspberrypi\n');
    this.write('boot/firmware/cmdline.txt', 'console=serial0,115200 console=tty1 root=PARTUUID=1-02 rootwait\n');
    this.write('boot/firmware/config.txt', 'camera_auto_detect=1\n');
    this.release = this.rig.release({
      extra: (folder) => cpSync(join(PROJECT, 'systemd'), join(folder, 'systemd'), { recursive: true }),
    });
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.root, path, '..'), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  link(path: string): string {
    return readlinkSync(join(this.root, path));
  }

  install(...options: string[]): SpawnSyncReturns<string> {
    const key = join(this.rig.folder, 'key.pub.pem');
    return this.run('--release', this.release, '--key', key, ...options);
  }

  run(...options: string[]): SpawnSyncReturns<string> {
    return spawnSync(join(PROJECT, 'scripts/install.sh'), ['--root', this.root, ...options], { encoding: 'utf8' });
  }

  config() {
    return loadConfig(join(this.root, 'etc/laneware/config.json'), {}).config;
  }

  remove(): void {
    this.rig.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

function onCard(body: (card: Card) => void): () => void {
  return () => {
    const card = new Card();
    try {
      body(card);
    } finally {
      card.remove();
    }
  };
}

test(
  'the release, its units and its users are in place, and the device starts at the next boot',
  onCard((card) => {
    const run = card.install();
    assert.is(run.status, 0, run.stderr);
    assert.is(card.link('opt/laneware/current'), 'releases/1.1.0');
    assert.is(card.link('opt/laneware/good'), 'releases/1.1.0');
    assert.is(card.link('etc/systemd/system/laneware.service'), '/opt/laneware/current/systemd/laneware.service');
    assert.is(
      card.link('etc/systemd/system/laneware-recover.service'),
      '/opt/laneware/good/systemd/laneware-recover.service',
    );
    for (const wanted of ['multi-user.target.wants/laneware.service', 'timers.target.wants/laneware-update.timer'])
      assert.ok(card.link(`etc/systemd/system/${wanted}`), wanted);
    assert.match(card.read('etc/passwd'), /^laneware:/m);
    assert.match(card.read('etc/group'), /^dialout:.*laneware$/m);
  }),
);

test(
  'the settings are valid, commented, and keep the sandbox bank and the network out',
  onCard((card) => {
    card.install();
    const config = card.config();
    assert.is(config.sandboxBank.enabled, false);
    assert.equal([config.terminal.host, config.recognition.host], ['127.0.0.1', '127.0.0.1']);
    assert.is(config.dataDir, '/var/lib/laneware');
    assert.is(config.camera.driver, 'libcamera');
    assert.ok(
      card
        .read('etc/laneware/config.json')
        .split('\n')
        .filter((line) => line.trim().startsWith('//')).length >= 8,
    );
  }),
);

test(
  'listening on the network is refused without a token or an allow-list',
  onCard((card) => {
    const run = card.install('--listen-lan');
    assert.is(run.status, REFUSED);
    assert.match(run.stderr, 'needs --token, --new-token or --allow');
    assert.not.ok(card.has('etc/laneware/config.json'));
  }),
);

for (const [what, options, check] of [
  ['a token', ['--token', TOKEN], (card: Card) => assert.is(card.config().api.token, TOKEN)],
  [
    'a token of its own making',
    ['--new-token'],
    (card: Card) => assert.match(card.config().api.token ?? '', /^[0-9a-f]{32}$/),
  ],
  [
    'an allow-list',
    ['--allow', '192.168.1.0/24', '--allow', '10.0.0.7'],
    (card: Card) => assert.equal(card.config().api.allow, ['192.168.1.0/24', '10.0.0.7']),
  ],
] as const) {
  test(
    `it listens on the network with ${what}`,
    onCard((card) => {
      const run = card.install('--listen-lan', ...options);
      assert.is(run.status, 0, run.stderr);
      assert.is(card.config().terminal.host, '0.0.0.0');
      check(card);
    }),
  );
}

for (const [what, option, value] of [
  ['a short token', '--token', 'short'],
  ['a token that would break out of the settings', '--token', 'abcdefghijklmnop", "x": "'],
  ['a network that is none', '--allow', 'everyone'],
] as const) {
  test(
    `${what} is refused`,
    onCard((card) => assert.is(card.install('--listen-lan', option, value).status, REFUSED)),
  );
}

test(
  'a second run changes nothing, and settings that a person has changed stay',
  onCard((card) => {
    card.install();
    const changed = card.read('etc/laneware/config.json').replace('"port": 1234', '"port": 4321');
    card.write('etc/laneware/config.json', changed);
    const run = card.install('--listen-lan', '--new-token');
    assert.is(run.status, 0, run.stderr);
    assert.is(card.read('etc/laneware/config.json'), changed);
    assert.is(card.link('opt/laneware/current'), 'releases/1.1.0');
  }),
);

test(
  'the UART is freed of the login console, once, and given back by the removal',
  onCard((card) => {
    const before = card.read('boot/firmware/cmdline.txt');
    card.install();
    card.install();
    assert.is(card.read('boot/firmware/cmdline.txt'), 'console=tty1 root=PARTUUID=1-02 rootwait\n');
    assert.is(card.read('boot/firmware/config.txt'), 'camera_auto_detect=1\nenable_uart=1\n');
    assert.is(card.link('etc/systemd/system/serial-getty@ttyAMA0.service'), '/dev/null');
    card.run('--uninstall');
    assert.is(card.read('boot/firmware/cmdline.txt'), before);
  }),
);

test(
  'a release of a foreign key, or a damaged one, is not installed',
  onCard((card) => {
    card.rig.makeKey('foreign');
    const foreign = card.run('--release', card.release, '--key', join(card.rig.folder, 'foreign.pub.pem'));
    assert.is(foreign.status, REFUSED);
    const bytes = readFileSync(card.release);
    bytes.writeUInt8((bytes.at(-500) ?? 0) ^ 1, bytes.length - 500);
    writeFileSync(card.release, bytes);
    const damaged = card.install();
    assert.is(damaged.status, REFUSED);
    assert.match(damaged.stderr, 'is damaged');
    assert.not.ok(card.has('opt/laneware/current'));
  }),
);

test(
  'the removal keeps data and settings, and takes them when it is told to',
  onCard((card) => {
    card.install();
    card.write('var/lib/laneware/ledger.db', 'payments');
    const kept = card.run('--uninstall');
    assert.is(kept.status, 0, kept.stderr);
    assert.not.ok(card.has('opt/laneware'));
    assert.not.ok(card.has('etc/systemd/system/multi-user.target.wants/laneware.service'));
    assert.ok(card.has('var/lib/laneware/ledger.db') && card.has('etc/laneware/config.json'));
    card.run('--uninstall', '--purge');
    assert.not.ok(card.has('var/lib/laneware') || card.has('etc/laneware'));
  }),
);

install('the scripts are what shellcheck finds nothing in', () => {
  const run = spawnSync('bash', ['-c', 'shellcheck scripts/*.sh scripts/lib/*.sh'], { cwd: PROJECT, encoding: 'utf8' });
  if (run.stderr.includes('not found')) {
    process.stdout.write('SKIPPED the judgement of the scripts: shellcheck is not installed\n');
    return;
  }
  assert.is(run.status, 0, run.stdout);
});

install.run();
