/** A device in a temporary folder: its releases, its updater, and a stand-in for systemd. No root is needed. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { isCode } from '../../drivers/lib/errors.ts';
import { missingPrograms } from '../needing.ts';
import { ROOT as PROJECT } from '../root.ts';

const FIXTURES = join(PROJECT, 'test/ota/fixtures');
/** Programs of the updater that change something: a fault can come before any of them. */
export const CHANGING_PROGRAMS = [
  'mv',
  'ln',
  'sync',
  'rm',
  'mkdir',
  'mktemp',
  'tar',
  'curl',
  'dd',
  'find',
  'sha256sum',
  'systemctl',
  'systemd-run',
];
/** An updater that has not ended by then hangs: it is ended, and the test fails by its exit code. */
const PATIENCE_MS = 60_000;

/** Why no release can be made and installed here, or null. */
export const NO_RELEASES = missingPrograms('bash', 'openssl', 'curl', 'flock', 'sha256sum', 'tar');

/** Exit codes of `ota.sh` and of the other scripts. */
export const [FAILED, USAGE, NOTHING_NEW, NOT_NOW, REFUSED, WENT_BACK] = [1, 2, 3, 4, 5, 6];

export const OLD = '1.0.0';
export const NEW = '1.1.0';
/** When releases are made where nothing else is said (2023-11-14), in seconds since 1970. */
export const MADE = 1_700_000_000;
/** Longer than these tests will be run. */
const DAYS = 36_500;

export type Behaviour =
  | 'good'
  | 'exits'
  | 'ends-soon'
  | 'one-port'
  | 'wrong-version'
  | 'part-failed'
  | 'sells-nothing'
  | 'reaches-no-bank'
  | 'speaks-to-terminal';

export interface Run {
  readonly code: number | null;
  readonly output: string;
}

export interface ReleaseFacts {
  readonly version?: string;
  readonly behaviour?: Behaviour;
  readonly arch?: string;
  readonly boards?: string;
  readonly key?: string;
  /** When it was made, in seconds since 1970, and for how many days it may be installed. */
  readonly made?: number;
  readonly days?: number;
  /** Whether it carries the statements of keys that are published by then. */
  readonly carries?: boolean;
  /** Lines that its signed manifest has beside its own, as `key=value`. */
  readonly says?: readonly string[];
  /** What its trial runs, in JavaScript; none, as in an earlier release, where it is left out. */
  readonly trial?: string;
  /** Bytes of filling that compress badly, to make a download that takes more than one packet. */
  readonly filling?: number;
  /** What the signed manifest says, where that is not the truth: key → value. */
  readonly lie?: Readonly<Record<string, string>>;
  /** Shell commands upon the folder ($1) after its checksums were made and before it is packed. */
  readonly spoil?: string;
  /** More options of tar where it is packed. */
  readonly tar?: string;
  /** Puts more into the folder before it is sealed. */
  readonly extra?: (folder: string) => void;
}

/** In memory where that is to be had: the updater syncs at every step, and there that costs nothing. */
const TEMPORARY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** What a PC calls itself in a manifest; the machine that runs the tests may be any. */
export const ARCH = process.arch === 'arm64' ? 'arm64' : 'x64';

/** A signing key without a passphrase, as bundle.sh made them, and its public half beside it. */
export function makePlainKey(file: string): void {
  execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519', '-out', file]);
  execFileSync('openssl', ['pkey', '-in', file, '-pubout', '-out', file.replace(/pem$/, 'pub.pem')]);
}

export class Rig {
  readonly folder: string;
  readonly root: string;
  #runs = 0;
  /** The process group of the run that was started last. */
  latest = 0;

  /** @param root where the device's files are, if not in the rig's own folder (a mounted disk that can lose power) */
  constructor(root?: string) {
    this.folder = mkdtempSync(join(TEMPORARY, 'laneware-ota-'));
    this.root = root ?? join(this.folder, 'root');
    this.makeKey('key');
    this.#makePath();
  }

  /** Puts 1.0.0 on the device, started; the updater in it is the one under test. */
  async install(): Promise<void> {
    const { root } = this;
    for (const folder of [
      'opt/laneware/releases',
      'etc/laneware/release-keys',
      'run/laneware',
      'var/lib/laneware-update',
    ])
      mkdirSync(join(root, folder), { recursive: true });
    cpSync(join(this.folder, 'key.pub.pem'), join(root, 'etc/laneware/release-keys/own.pem'));
    this.configure({ gate_seconds: '0', payment_wait_seconds: '0', rescue_pause_seconds: '0' });
    this.makeFolder(join(root, 'opt/laneware/releases', OLD), { version: OLD });
    this.bash('list_checksums "$1"', [join(root, 'opt/laneware/releases', OLD)]);
    for (const link of ['good', 'current']) symlinkSync(`releases/${OLD}`, join(root, 'opt/laneware', link));
    await this.startService();
  }

  configure(settings: Record<string, string>): void {
    const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}\n`);
    writeFileSync(join(this.root, 'etc/laneware/update.conf'), lines.join(''));
  }

  /** Makes a release file and returns its path. */
  release(facts: ReleaseFacts = {}): string {
    const version = facts.version ?? NEW;
    const stage = mkdtempSync(join(this.folder, 'stage-'));
    const folder = join(stage, 'release');
    this.makeFolder(folder, { ...facts, version });
    facts.extra?.(folder);
    const out = join(this.folder, `${version}-${facts.behaviour ?? 'good'}.release`);
    const key = join(this.folder, `${facts.key ?? 'key'}.pem`);
    const lies = Object.entries(facts.lie ?? {}).map(([name, value]) => `-e 's/^${name}=.*/${name}=${value}/'`);
    const said = (facts.says ?? []).map((line) => `${line}\n`).join('');
    const honest = ['describe', 'pack'].map((name) => `eval "honest_${name}() $(declare -f ${name} | tail -n +2)"`);
    const spoiling = [
      `describe() { honest_describe "$@" | sed -e '' ${lies.join(' ')}; printf '%s' '${said}'; }`,
      `pack() { ${facts.spoil ?? ':'}; tar() { command tar ${facts.tar ?? ''} "$@"; }; honest_pack "$@"; }`,
    ];
    this.bash(`${[...honest, ...spoiling].join('; ')}; seal "$@"`, [
      folder,
      out,
      key,
      version,
      facts.arch ?? ARCH,
      facts.boards ?? 'any',
      'c0ffee',
      `${facts.made ?? MADE}`,
      `${facts.days ?? DAYS}`,
      facts.carries === true ? this.statements : '',
    ]);
    rmSync(stage, { recursive: true });
    return out;
  }

  makeFolder(folder: string, facts: ReleaseFacts): void {
    mkdirSync(folder, { recursive: true });
    cpSync(join(PROJECT, 'scripts/lib'), join(folder, 'scripts/lib'), { recursive: true });
    cpSync(join(PROJECT, 'scripts/update'), join(folder, 'scripts/update'), { recursive: true });
    writeFileSync(join(folder, 'VERSION'), facts.version ?? NEW);
    writeFileSync(join(folder, 'RELEASE'), 'name=laneware\n');
    // the date of the release that runs is known to have passed
    utimesSync(join(folder, 'RELEASE'), facts.made ?? MADE, facts.made ?? MADE);
    writeFileSync(join(folder, 'behaviour'), facts.behaviour ?? 'good');
    if (facts.trial !== undefined) {
      giveTrial(folder, facts.trial);
      mkdirSync(join(folder, 'bin'));
      writeFileSync(join(folder, 'bin/node'), '#!/bin/sh\nexec "$LANEWARE_TEST_NODE" "$@"\n', { mode: 0o755 });
    }
    if (facts.filling !== undefined)
      execFileSync('openssl', ['rand', '-out', join(folder, 'filling'), `${facts.filling}`]);
  }

  /** Makes the device take what that key signs, beside what it took before. */
  trust(name: string): void {
    cpSync(join(this.folder, `${name}.pub.pem`), join(this.root, 'etc/laneware/release-keys', `${name}.pem`));
  }

  /** Where a publisher states which keys are trusted: beside the releases. */
  get statements(): string {
    return join(this.folder, 'laneware.keys');
  }

  /** States that devices trust those keys from then on, and no other. */
  publish({ trust, signedBy }: { readonly trust: readonly string[]; readonly signedBy: string }): void {
    const keys = trust.flatMap((name) => ['--trust', join(this.folder, `${name}.pub.pem`)]);
    const signer = ['--key', join(this.folder, `${signedBy}.pem`)];
    execFileSync(join(PROJECT, 'scripts/release/bundle.sh'), [...keys, ...signer, '--out', this.folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }

  /** Makes the board call itself so, as a device tree does. */
  board(...names: string[]): void {
    mkdirSync(join(this.root, 'proc/device-tree'), { recursive: true });
    writeFileSync(join(this.root, 'proc/device-tree/compatible'), names.map((name) => `${name}\0`).join(''));
  }

  makeKey(name: string): void {
    makePlainKey(join(this.folder, `${name}.pem`));
  }

  /** Runs the updater of the good release. */
  async ota(args: readonly string[], extra: NodeJS.ProcessEnv = {}): Promise<Run> {
    const child = this.start(args, extra);
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), PATIENCE_MS);
    const output = Promise.all([child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream))));
    const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
    clearTimeout(timer);
    return { code, output: (await output).join('') };
  }

  /** Runs it, and it must end so. @returns what was said meanwhile */
  async ends(code: number, args: readonly string[], extra: NodeJS.ProcessEnv = {}): Promise<string> {
    const run = await this.ota(args, extra);
    assert.is(run.code, code, run.output);
    return run.output;
  }

  /** An update goes through, and that version answers afterwards. @returns what was said meanwhile */
  async takes(version: string, args: readonly string[], extra: NodeJS.ProcessEnv = {}): Promise<string> {
    const output = await this.ends(0, ['update', ...args], extra);
    assert.is(await this.answers(), version);
    return output;
  }

  /** Starts it in a process group of its own, so that a fault can end it with all that it has started. */
  start(args: readonly string[], extra: NodeJS.ProcessEnv = {}): ChildProcess {
    this.#runs += 1;
    const env: NodeJS.ProcessEnv = {
      ...this.env,
      LANEWARE_TEST_COUNT: join(this.folder, `count-${this.#runs}`),
      ...extra,
    };
    if (extra.FAULT !== undefined) env.PATH = `${join(this.folder, 'faults')}:${env.PATH}`;
    const updater = join(this.root, 'opt/laneware/good/scripts/update/ota.sh');
    const [program = updater, ...words] = [...this.within, updater, ...args];
    const child = spawn(program, words, { env, detached: true, stdio: 'pipe' });
    this.latest = child.pid ?? 0;
    return child;
  }

  /** The command that the updater is run by, such as in a namespace. */
  get within(): string[] {
    return [];
  }

  /** How many changing programs the latest run has come to. */
  count(): number {
    return Number(readFileSync(join(this.folder, `count-${this.#runs}`), 'utf8'));
  }

  /** What the latest run has run, under the fault `log`. */
  ran(): string[] {
    return readFileSync(join(this.folder, `count-${this.#runs}`), 'utf8')
      .trim()
      .split('\n');
  }

  get env(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      PATH: `${join(this.folder, 'stand-ins')}:${process.env.PATH}`,
      LANEWARE_ROOT: this.root,
      LANEWARE_TEST_PID: this.#pidFile(),
      LANEWARE_TEST_OWNER: String(process.pid),
      LANEWARE_TEST_NODE: process.execPath,
      LANEWARE_TEST_DEVICE: join(FIXTURES, 'device.mjs'),
    };
  }

  async startService(): Promise<void> {
    execFileSync('systemctl', ['restart', 'laneware.service'], { env: this.env });
  }

  stopService(): void {
    const file = this.#pidFile();
    if (!existsSync(file)) return;
    try {
      process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL');
    } catch (error) {
      if (!isCode(error, 'ESRCH')) throw error;
    }
  }

  /** The version that answers on the terminal's port now; null when nothing does. */
  async answers(): Promise<string | null> {
    const url = /^terminal=(.*)$/m.exec(this.#read('run/laneware/endpoints') ?? '')?.[1];
    if (url === undefined) return null;
    try {
      const health = (await (await fetch(`${url}/health`)).json()) as { version: string };
      return health.version;
    } catch {
      return null; // refused: nothing runs there
    }
  }

  /** The version that a link names. */
  link(name: 'good' | 'current' | 'previous' | 'left'): string | null {
    try {
      return readlinkSync(join(this.root, 'opt/laneware', name)).replace('releases/', '');
    } catch {
      return null; // there is no such link
    }
  }

  releases(): string[] {
    return readdirSync(join(this.root, 'opt/laneware/releases')).sort();
  }

  state(): string {
    const file = join(this.root, 'var/lib/laneware-update/state');
    return existsSync(file) ? (/^state=(.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '') : 'idle';
  }

  writeState(text: string): void {
    writeFileSync(join(this.root, 'var/lib/laneware-update/state'), text);
  }

  /** How often the service was started anew. */
  restarts(): number {
    return this.systemctl(/^restart/).length;
  }

  /** What systemctl was called with, of that what looks so. */
  systemctl(pattern: RegExp): readonly string[] {
    return (this.#read('systemctl.log') ?? '').split('\n').filter((line) => pattern.test(line));
  }

  /** Has systemd refuse the first restart for which those words of a shell hold. @returns the PATH that leads to it */
  refusingOnce(condition: string, alsoThen = ''): NodeJS.ProcessEnv {
    const folder = join(this.folder, 'once');
    mkdirSync(folder);
    const refused = join(folder, 'refused');
    const script = `#!/bin/bash
if [ "$1" = restart ] && [ ! -e ${refused} ] && ${condition}; then touch ${refused}; ${alsoThen} exit 1; fi
exec ${this.folder}/stand-ins/systemctl "$@"
`;
    writeFileSync(join(folder, 'systemctl'), script, { mode: 0o755 });
    return { PATH: `${folder}:${this.env.PATH}` };
  }

  openPayments(count: number): void {
    writeFileSync(join(this.root, 'open-payments'), `${count}\n`);
  }

  downloaded(): number {
    const folder = join(this.root, 'var/lib/laneware-update/download');
    return existsSync(folder) ? readdirSync(folder).length : 0;
  }

  close(): void {
    this.stopService();
    rmSync(this.folder, { recursive: true, force: true });
  }

  [Symbol.dispose](): void {
    this.close();
  }

  bash(script: string, args: readonly string[]): string {
    const libraries = ['say', 'paths', 'keys', 'releases', 'release-file', 'signing-key', 'seal', 'key-statements'].map(
      (lib) => `. ${PROJECT}/scripts/lib/${lib}.sh`,
    );
    const whole = `set -euo pipefail; ${libraries.join('; ')}; ${script}`;
    return execFileSync('bash', ['-c', whole, 'rig', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  /** Beside the device, not on its disk: that may be without power. */
  #pidFile(): string {
    return join(this.folder, 'main-pid');
  }

  #read(path: string): string | null {
    const file = join(this.root, path);
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
  }

  #makePath(): void {
    const [faults, standIns] = [join(this.folder, 'faults'), join(this.folder, 'stand-ins')];
    for (const folder of [faults, standIns]) mkdirSync(folder);
    for (const program of ['systemctl', 'systemd-run', 'date', 'timedatectl'])
      symlinkSync(join(FIXTURES, program), join(standIns, program));
    writeFileSync(join(standIns, 'sleep'), '#!/bin/sh\nexec /bin/sleep 0.05\n', { mode: 0o755 });
    for (const program of CHANGING_PROGRAMS) symlinkSync(join(FIXTURES, 'fault'), join(faults, program));
  }
}

/** Changes one bit of a file, at an offset from its end where that is negative. */
export function flip(file: string, offset: number): void {
  const bytes = readFileSync(file);
  const at = offset < 0 ? bytes.length + offset : offset;
  bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at);
  writeFileSync(file, bytes);
}

/** A run of a script that must have ended so. */
export function ended<Ended extends { readonly status: number | null }>(code: number, run: Ended): Ended {
  assert.is(run.status, code, JSON.stringify(run));
  return run;
}

export function giveTrial(release: string, trial: string): void {
  mkdirSync(join(release, 'bundle'), { recursive: true });
  writeFileSync(join(release, 'bundle/trial.js'), trial);
}

/** Runs a body on a fresh device with 1.0.0, and always takes the device down. */
export async function onDevice(body: (rig: Rig) => Promise<void>): Promise<void> {
  using rig = new Rig();
  await rig.install();
  await body(rig);
}
