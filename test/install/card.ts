/** A system on a mounted card, and `install.sh` working upon it. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../firmware/device/composition/config.ts';
import { missingPrograms } from '../needing.ts';
import { NO_RELEASES, Rig } from '../ota/rig.ts';
import { ROOT as PROJECT } from '../root.ts';

/** Why nothing can be installed into a folder here, or null. */
export const NO_INSTALLATION =
  NO_RELEASES ?? missingPrograms('systemd-sysusers') ?? (process.getuid?.() === 0 ? null : 'it needs root');

/** Puts the project's own units into a release. */
export const withUnits = (folder: string): void =>
  cpSync(join(PROJECT, 'systemd'), join(folder, 'systemd'), { recursive: true });

/** A system on a mounted card, as Raspberry Pi OS lays it out, and a release with the project's own units in it. */
export class Card {
  readonly rig = new Rig();
  readonly root = mkdtempSync(join(tmpdir(), 'laneware-card-'));
  readonly release: string;

  constructor() {
    this.write('etc/hostname', 'raspberrypi\n');
    this.write('boot/firmware/cmdline.txt', 'console=serial0,115200 console=tty1 root=PARTUUID=1-02 rootwait\n');
    this.write('boot/firmware/config.txt', 'camera_auto_detect=1\n');
    this.release = this.rig.release({ extra: withUnits });
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

  isLink(path: string): boolean {
    return lstatSync(join(this.root, path), { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  }

  link(path: string): string {
    return readlinkSync(join(this.root, path));
  }

  install(...options: string[]): SpawnSyncReturns<string> {
    const key = join(this.rig.folder, 'key.pub.pem');
    return this.run('--release', this.release, '--key', key, ...options);
  }

  run(...options: string[]): SpawnSyncReturns<string> {
    return spawnSync(join(PROJECT, 'scripts/install/install.sh'), ['--root', this.root, ...options], {
      encoding: 'utf8',
    });
  }

  /** What `--check` says where the programs of a folder are found before those of this machine. */
  check(programs: string): SpawnSyncReturns<string> {
    const env = { ...process.env, PATH: `${programs}:${process.env.PATH}` };
    return spawnSync(join(PROJECT, 'scripts/install/install.sh'), ['--root', this.root, '--check'], {
      encoding: 'utf8',
      env,
    });
  }

  /** As `install`, with a fault of test/ota/fixtures/fault: a program that fails, or all of it gone at one of its steps. */
  installWith(fault: string): SpawnSyncReturns<string> {
    rmSync(this.steps, { force: true });
    const key = join(this.rig.folder, 'key.pub.pem');
    const command = [
      join(PROJECT, 'scripts/install/install.sh'),
      '--root',
      this.root,
      '--release',
      this.release,
      '--key',
      key,
    ];
    const { env } = this.rig;
    return spawnSync('setsid', ['--wait', ...command], {
      encoding: 'utf8',
      env: {
        ...env,
        LANEWARE_ROOT: this.root,
        LANEWARE_TEST_COUNT: this.steps,
        FAULT: fault,
        PATH: `${join(this.rig.folder, 'faults')}:${env.PATH}`,
      },
    });
  }

  /** What systemd runs at boot, of the release that is good. */
  recover(): SpawnSyncReturns<string> {
    const env = { ...this.rig.env, LANEWARE_ROOT: this.root };
    return spawnSync(join(this.root, 'opt/laneware/good/scripts/update/ota.sh'), ['recover', '--boot'], {
      encoding: 'utf8',
      env,
    });
  }

  get steps(): string {
    return join(this.rig.folder, 'steps');
  }

  /** Names of the keys that the device trusts. */
  keys(): string[] {
    const folder = join(this.root, 'etc/laneware/release-keys');
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  releases(): string[] {
    return readdirSync(join(this.root, 'opt/laneware/releases'));
  }

  /** Takes a file of the installed release off, as a bad card does. */
  damage(): void {
    rmSync(join(this.root, 'opt/laneware/releases/1.1.0/behaviour'), { force: true });
  }

  isWhole(): boolean {
    const cwd = join(this.root, 'opt/laneware/good/');
    return spawnSync('sha256sum', ['--check', '--quiet', '--strict', 'SHA256SUMS'], { cwd }).status === 0;
  }

  config() {
    return loadConfig(join(this.root, 'etc/laneware/config.json'), {}).config;
  }

  [Symbol.dispose](): void {
    this.rig.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

export const onCard = (body: (card: Card) => void) => (): void => {
  using card = new Card();
  body(card);
};
