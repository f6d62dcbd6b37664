/** Runs the firmware as its own process for benches, and formats their figures. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** Files that a bundle reads outside itself. */
const BESIDE = ['bin', 'clients', 'drivers', 'firmware', 'models', 'node_modules', 'package.json'];
const UNIT = readFileSync(join(ROOT, 'systemd/laneware.service'), 'utf8');
/** The environment and the options that a lane's unit gives to its process. */
export const OF_UNIT: { env: Record<string, string>; options: string[] } = {
  env: Object.fromEntries(
    [...UNIT.matchAll(/^Environment=(MALLOC_\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
  ),
  options: /^ExecStart=\S+ (--\S+) /m.exec(UNIT)?.slice(1) ?? [],
};

/** Settings for the terminal alone: no drawn pictures, no model. */
export const ALONE = { LANEWARE_CAMERA_DRIVER: 'none', LANEWARE_MODEL_MANIFEST: '/nonexistent/no-model.json' };

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
export const p50 = (values: readonly number[]): number => percentile(values, 0.5);
export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`;
export const row = (what: string, value: string, other: string): void =>
  void process.stdout.write(`${what.padEnd(32)}${value.padEnd(14)}${other}\n`);

export async function post(url: string, body: object | null): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: body === null ? '' : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${await response.text()}`);
  await response.arrayBuffer();
}

export interface Firmware {
  /** Address of the payment terminal. */
  readonly url: string;
  readonly recognition: string;
  readonly startMs: number;
  /** CPU time of all its threads until both ports were open, in milliseconds. */
  readonly startCpuMs: number;
  /** Resident memory of the process and its children, in MiB; pages shared by processes of one program count once. */
  rssMb(): number;
  stop(): Promise<void>;
}

interface Run {
  /** A program that the process runs under. */
  readonly under?: readonly string[];
  /** Options of Node. */
  readonly options?: readonly string[];
  /** The first file to run; that of the sources when left out. */
  readonly main?: string;
}

/** Tick of the CPU time accounting (`getconf CLK_TCK`): the same on all Linux machines. */
const TICK_MS = 10;

/** CPU time of all threads of a process, in milliseconds (proc_pid_stat(5)). */
function cpuMsOf(pid: number | undefined): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * TICK_MS;
}

/** Bundles the sources into a folder, as for a lane. @returns its first file */
export function bundleInto(folder: string): string {
  const release = join(folder, 'release');
  mkdirSync(release);
  for (const part of BESIDE) {
    if (existsSync(join(ROOT, part))) symlinkSync(join(ROOT, part), join(release, part));
  }
  execFileSync(process.execPath, [join(ROOT, 'scripts/release/bundle-code.mjs'), ROOT, join(release, 'bundle')]);
  return join(release, 'bundle/main.js');
}

/** Most resident memory of a process since {@link watchMemory}, MiB. */
export const memoryOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
export const watchMemory = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

interface Resident {
  readonly program: string;
  readonly ownKb: number;
  readonly sharedKb: number;
}

/** Reads `/proc/PID/smaps_rollup` (proc_pid_smaps(5)). */
function residentOf(pid: string): Resident {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const sumOf = (kind: 'Private' | 'Shared'): number =>
    [...text.matchAll(new RegExp(`^${kind}_(?:Clean|Dirty):\\s+(\\d+) kB`, 'gm'))].reduce(
      (sum, [, kb]) => sum + Number(kb),
      0,
    );
  return { program: readlinkSync(`/proc/${pid}/exe`), ownKb: sumOf('Private'), sharedKb: sumOf('Shared') };
}

/** Memory of several processes: two of one program share the files of the program, its library and its model. */
function residentMb(pids: readonly string[]): number {
  const programs = Map.groupBy(pids.map(residentOf), ({ program }) => program);
  const kb = [...programs.values()].map(
    (all) => all.reduce((sum, { ownKb }) => sum + ownKb, 0) + Math.max(...all.map(({ sharedKb }) => sharedKb)),
  );
  return kb.reduce((sum, each) => sum + each, 0) / 1024;
}

export async function startFirmware(
  dataDir: string,
  env: Record<string, string>,
  { under = [], options = [], main = 'firmware/main.ts' }: Run = {},
): Promise<Firmware> {
  const began = performance.now();
  const [program = process.execPath, ...words] = [...under, process.execPath, ...options, main];
  const child = spawn(program, words, {
    env: {
      ...process.env,
      LANEWARE_DATADIR: dataDir,
      LANEWARE_TERMINAL_PORT: '0',
      LANEWARE_RECOGNITION_PORT: '0',
      LANEWARE_SANDBOXBANK_ENABLED: 'false',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  const urls = await new Promise<{ terminal: string; recognition: string }>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the firmware ended')));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = output.split('\n').find((line) => line.includes('"msg":"ready"'));
      if (found !== undefined) resolve(JSON.parse(found));
    });
  });
  await fetch(`${urls.terminal}/version`).then((response) => response.arrayBuffer());
  const startMs = performance.now() - began;
  const startCpuMs = cpuMsOf(child.pid);
  const rssMb = (): number => {
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
    return residentMb([String(child.pid), ...children.split(' ').filter(Boolean)]);
  };
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  return { url: urls.terminal, recognition: urls.recognition, startMs, startCpuMs, rssMb, stop };
}
