/** Runs the whole firmware as its own process, as systemd would start it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Tuning } from '../firmware/device/composition/tuning.ts';
import { ROOT } from './root.ts';
import { COMPILED, testEnvironment, UNTIL_LIMIT_MS } from './support.ts';

const MAIN = relative(ROOT, fileURLToPath(new URL('../firmware/main.ts', import.meta.url)));
const TUNED_MAIN = fileURLToPath(new URL('./tuned-main.ts', import.meta.url));

const LOOK_AGAIN_MS = 10;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProcessOptions {
  /** Options of Node, before the script. */
  readonly nodeArguments?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
  /** Folder of the sources; this checkout when left out. */
  readonly root?: string;
  /** The file to run in place of the sources' own. */
  readonly main?: string;
  /** Times and limits in place of the product's, of the sources of this checkout. */
  readonly tuning?: Tuning;
  /** Other variables: those of systemd, PATH. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A program of Laneware that prints JSON lines. It runs once `ready` finds something in one of them. */
export class Program implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly exited: Promise<Exit>;
  output = '';
  errors = '';

  constructor(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    {
      node = process.execPath,
      cwd = ROOT,
      input = false,
    }: { readonly node?: string; readonly cwd?: string; readonly input?: boolean } = {},
  ) {
    this.child = spawn(node, args, {
      cwd,
      env: { PATH: process.env.PATH, ...COMPILED, ...env },
      stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.output += chunk.toString();
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.errors += chunk.toString();
    });
    this.exited = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
  }

  /** Waits for the first JSON line in which `ready` finds something. */
  async line<T>(ready: (line: Record<string, unknown>) => T | null): Promise<T> {
    const ended = this.exited.then(() => true);
    const end = performance.now() + UNTIL_LIMIT_MS;
    for (;;) {
      const found = this.#lines()
        .map(ready)
        .find((value) => value !== null);
      if (found !== undefined && found !== null) return found;
      const over = await Promise.race([ended, pause(LOOK_AGAIN_MS, false)]);
      if (over || performance.now() > end) throw new Error(`the program was not ready: ${this.output}${this.errors}`);
    }
  }

  #lines(): Record<string, unknown>[] {
    const whole = this.output.split('\n').slice(0, -1);
    return whole.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text));
  }

  async kill(signal: NodeJS.Signals): Promise<Exit> {
    this.child.kill(signal);
    return this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.kill('SIGKILL');
  }
}

export interface Urls {
  readonly terminal: string;
  readonly recognition: string;
  readonly sandbox: string | null;
}

const mainOf = (root: string, tuning: Tuning | undefined): string =>
  tuning === undefined ? join(root, MAIN) : TUNED_MAIN;

export function spawnFirmware(
  dataDir: string,
  {
    nodeArguments = [],
    settings = {},
    tuning,
    env = {},
    root = ROOT,
    main = mainOf(root, tuning),
  }: ProcessOptions = {},
): Program {
  const variables = {
    ...env,
    ...testEnvironment(dataDir, settings),
    LANEWARE_LOG_LEVEL: 'info',
    ...(tuning !== undefined && { DEVICE_TUNING: JSON.stringify(tuning) }),
  };
  return new Program([...nodeArguments, main], variables, { cwd: root });
}

const urlsOf = (line: Record<string, unknown>): Urls | null =>
  line.msg === 'ready'
    ? {
        terminal: String(line.terminal),
        recognition: String(line.recognition),
        sandbox: line.sandbox === null ? null : String(line.sandbox),
      }
    : null;

export async function startFirmware(
  dataDir: string,
  options?: ProcessOptions,
): Promise<{ program: Program; urls: Urls }> {
  const program = spawnFirmware(dataDir, options);
  try {
    return { program, urls: await program.line(urlsOf) };
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
}
