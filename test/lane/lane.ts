/**
 * A whole device under a real systemd: a Debian on a file-system image of its own, booted by systemd-nspawn in a network
 * namespace. Its power can be cut: what had not reached the disk by then is lost. Needs root.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type SecureCall, secureCall } from '../http/secure.ts';
import { ROOT as PROJECT } from '../root.ts';
import { allowEmulation } from './emulation.ts';

/** Where base systems and releases are kept between runs. */
export const LAB = process.env.LANEWARE_LAB ?? '/var/tmp/laneware-lab';
export const TOKEN = 'lane-test-token-0123456789';
const DISK_MB = 3000;
/** An emulated board is some ten times slower than this machine. */
const BOOT_PATIENCE_MS = 180_000;
const RELEASE_PATIENCE_MS = 60_000;
const COMMAND_PATIENCE_MS = 300_000;
/** FS_IOC_SHUTDOWN with NOLOGFLUSH: from now on nothing more reaches the disk, not even the journal in memory. */
const CUT = 'open(D,"<",$ARGV[0]) or die; my $how=pack("L",2); ioctl(D,0x8004587d,$how)//die';

const MACHINE = process.arch === 'arm64' ? 'aarch64' : 'x86_64';

export const sh = (command: string, ...args: string[]): string =>
  execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: COMMAND_PATIENCE_MS,
  }).trim();

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The ports of each kind of lane are called in one way. */
export type Caller = Pick<Lane, 'get' | 'post' | 'until'>;

export async function askLane(url: string, token: string, init: SecureCall): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, ...init.headers };
  const { status, text } = await secureCall(url, { ...init, headers, signal: AbortSignal.timeout(60_000) });
  return { status, text };
}

export class Lane {
  readonly name: string;
  readonly mount: string;
  readonly #image: string;
  readonly #log: string;
  readonly address: string;
  #machine: ChildProcess | null = null;
  #leader = 0;
  #offset = 0;
  /** What the network must send. */
  token: string = TOKEN;

  constructor(name: string, number: number) {
    this.name = `laneware-${name}`;
    this.mount = join(LAB, 'run', name);
    this.#image = join(LAB, 'run', `${name}.img`);
    this.#log = join(LAB, 'run', `${name}.console`);
    this.address = `10.77.${number}.2`;
    mkdirSync(this.mount, { recursive: true });
    this.#clearAway();
    this.#network(number);
  }

  /** Makes the disk: a base system with a release installed by `install.sh`. */
  install(arch: 'x64' | 'arm64', release: string, key: string, ...options: string[]): void {
    this.blank(arch);
    const machine = arch === 'arm64' ? 'aarch64' : 'x86_64';
    const lan = ['--listen-lan', '--token', TOKEN, '--camera', 'push'];
    sh(
      join(PROJECT, 'scripts/install/install.sh'),
      ...['--root', this.mount, '--machine', machine, '--release', release, '--key', key, ...lan, ...options],
    );
    if (machine !== MACHINE) allowEmulation(this.mount);
    // each boot is then the boot of the same machine
    sh('systemd-machine-id-setup', `--root=${this.mount}`);
  }

  /** Takes a copy of an image, as a card takes it; its root file system begins at that byte. */
  flash(image: string, offset: number, machine: string): void {
    sh('cp', '--sparse=always', image, this.#image);
    this.#offset = offset;
    this.plugIn();
    if (machine !== MACHINE) allowEmulation(this.mount);
  }

  plugIn(): void {
    sh('mount', '-o', `loop,offset=${this.#offset}`, this.#image, this.mount);
  }

  /** A machine that starts elsewhere at this moment may still see the disk: it is off when no machine does. */
  unplug(): void {
    sh('umount', this.mount);
    const limit = performance.now() + RELEASE_PATIENCE_MS;
    while (sh('losetup', '--associated', this.#image) !== '') {
      if (performance.now() > limit) throw new Error(`${this.#image} is still mounted somewhere`);
      sh('sleep', '0.1');
    }
  }

  /** Makes the disk of a system that has never heard of Laneware. */
  blank(arch: 'x64' | 'arm64'): void {
    sh('truncate', '--size', `${DISK_MB}M`, this.#image);
    sh('mke2fs', '-q', '-F', '-t', 'ext4', '-O', 'has_journal', '-d', join(LAB, `root-${arch}`), this.#image);
    this.plugIn();
  }

  /** Boots and waits until both ports answer; returns the milliseconds that took. */
  async boot(): Promise<number> {
    const began = performance.now();
    await this.switchOn();
    await this.answers();
    this.#findLeader(); // the first child was only there to set the machine up
    return performance.now() - began;
  }

  /** Boots until commands can be run inside. */
  async switchOn(): Promise<void> {
    const console = openSync(this.#log, 'w');
    this.#machine = spawn(
      'systemd-nspawn',
      [
        ...['--quiet', '--boot', '--register=no', '--keep-unit', `--network-namespace-path=/run/netns/${this.name}`],
        ...['--machine', this.name, '--directory', this.mount, '--console=pipe', '--timezone=off'],
      ],
      // the settings of the network are its own, as they are a board's
      { stdio: ['ignore', console, console], env: { ...process.env, SYSTEMD_NSPAWN_API_VFS_WRITABLE: 'network' } },
    );
    closeSync(console);
    await this.until('the machine to come up', async () => this.#findLeader());
  }

  /** Waits for a system without a lane in it. */
  async settled(): Promise<void> {
    await this.until('the system to settle', async () => {
      this.#findLeader();
      return /^(running|degraded)/.test(this.try('systemctl', 'is-system-running').text);
    });
  }

  /** Waits until both ports answer, as that version where one is named. */
  async answers(version?: string): Promise<void> {
    await this.until(`both ports to answer${version === undefined ? '' : ` as ${version}`}`, async () => {
      const found = await Promise.all([this.version(1234), this.version(8080)]);
      return found.every((one) => one !== null && (version === undefined || one === version));
    });
  }

  async version(port: number): Promise<string | null> {
    const { text } = await this.get(port, '/health').catch(() => ({ text: '' })); // nothing listens there now
    return /"version":"([0-9.]+)"/.exec(text)?.[1] ?? null;
  }

  get(port: number, path: string, init: SecureCall = {}): Promise<Answer> {
    return askLane(`https://${this.address}:${port}${path}`, this.token, init);
  }

  post(port: number, path: string, body: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    return this.get(port, path, { method: 'POST', body: JSON.stringify(body), headers });
  }

  /** Runs a command inside; throws with its words when it fails. */
  in(...command: string[]): string {
    return sh('nsenter', '--target', `${this.#leader}`, ...['-m', '-u', '-i', '-n', '-p', '-C', '--'], ...command);
  }

  /** Runs a command inside and returns its exit code and words. */
  try(...command: string[]): { code: number; text: string } {
    try {
      return { code: 0, text: this.in(...command) };
    } catch (error) {
      const { status, stdout, stderr } = error as { status: number | null; stdout: string; stderr: string };
      return { code: status ?? -1, text: `${stdout}${stderr}`.trim() };
    }
  }

  /** Starts a command inside without waiting for it. */
  start(...command: string[]): ChildProcess {
    const args = ['--target', `${this.#leader}`, '-m', '-u', '-i', '-n', '-p', '-C', '--', ...command];
    return spawn('nsenter', args, { stdio: 'ignore' });
  }

  property(name: string, unit = 'laneware.service'): string {
    return this.in('systemctl', 'show', '--property', name, '--value', unit);
  }

  updateState(): string {
    const file = join(this.mount, 'var/lib/laneware-update/state');
    return existsSync(file) ? (/^state=(.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '') : 'idle';
  }

  async until(what: string, holds: () => Promise<boolean>, patienceMs = BOOT_PATIENCE_MS): Promise<void> {
    const limit = performance.now() + patienceMs;
    while (!(await holds())) {
      if (performance.now() > limit)
        throw new Error(`waited ${patienceMs / 1000} s in vain for ${what}: ${this.#lastWords()}`);
      await pause(100);
    }
  }

  /** Pulls the plug: the disk takes nothing more from this moment on, and the machine is gone. */
  async cutPower(): Promise<void> {
    sh('perl', '-e', CUT, this.mount);
    process.kill(this.#leader, 'SIGKILL');
    await this.#ended();
    this.unplug();
    this.plugIn(); // which replays the file system's journal, as a board does at its start
  }

  /** Waits for the restart that something inside asks for: on some hosts, who started the machine restarts it. */
  async startsAnew(during: () => void): Promise<void> {
    const first = this.#leader;
    during();
    await this.until(
      'the machine to go down',
      async () => this.#isOff || (this.#findLeader() && this.#leader !== first),
    );
    if (this.#isOff) await this.switchOn();
  }

  /** Waits until another process of the device has taken the place of the present one. */
  async anotherProcess(during: (pid: string) => void): Promise<void> {
    const before = this.property('MainPID');
    during(before);
    await this.until('another process', async () => !['0', before].includes(this.property('MainPID')));
  }

  async powerOff(): Promise<void> {
    this.in('systemctl', 'poweroff');
    await this.until('the machine to switch itself off', async () => this.#isOff);
    await this.#ended();
  }

  /** Takes everything down, however a test, or a run before this one, has left it. */
  async remove(): Promise<void> {
    const machine = this.#machine;
    if (machine !== null && machine.exitCode === null) {
      this.#findLeader();
      // the machine's own first process; where there is none yet, the program that was about to make it
      process.kill(this.#leader > 0 ? this.#leader : (machine.pid ?? 0), 'SIGKILL');
      await this.#ended();
    }
    this.#clearAway();
  }

  #clearAway(): void {
    for (const [command, ...args] of [
      ['umount', this.mount],
      ['ip', 'netns', 'del', this.name],
      ['rm', '-f', this.#image],
    ] as const) {
      try {
        sh(command, ...args);
      } catch {
        // it was not there
      }
    }
  }

  get #isOff(): boolean {
    return this.#machine?.exitCode !== null || this.#machine.signalCode !== null;
  }

  async #ended(): Promise<void> {
    const machine = this.#machine;
    if (machine === null) return;
    if (!this.#isOff) await new Promise((resolve) => machine.once('exit', resolve));
    this.#machine = null;
    this.#leader = 0;
  }

  #findLeader(): boolean {
    const children = `/proc/${this.#machine?.pid}/task/${this.#machine?.pid}/children`;
    this.#leader = existsSync(children) ? Number(readFileSync(children, 'utf8').trim().split(' ')[0]) : 0;
    return this.#leader > 0;
  }

  #lastWords(): string {
    return existsSync(this.#log) ? readFileSync(this.#log, 'utf8').slice(-2000) : 'no console';
  }

  #network(number: number): void {
    const link = `lw${number}`;
    sh('ip', 'netns', 'add', this.name);
    sh('ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', this.name);
    sh('ip', 'addr', 'add', `10.77.${number}.1/24`, 'dev', link);
    sh('ip', 'link', 'set', link, 'up');
    sh('ip', '-n', this.name, 'addr', 'add', `${this.address}/24`, 'dev', 'eth0');
    sh('ip', '-n', this.name, 'link', 'set', 'eth0', 'up');
    sh('ip', '-n', this.name, 'link', 'set', 'lo', 'up');
  }
}
