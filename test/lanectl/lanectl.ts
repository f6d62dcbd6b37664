/** `lanectl` as it is typed: in this process where only its words matter, in one of its own, on a terminal, where that does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { EXIT_CODES, type ExitName } from '../../firmware/core/cli/exit-codes.ts';
import { perform } from '../../firmware/lanectl/main.ts';
import { ROOT } from '../root.ts';
import { COMPILED, type TestDevice } from '../support.ts';

const MAIN = join(ROOT, 'firmware/lanectl/main.ts');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the lines of JSON hold that tests look at. */
export interface Line {
  readonly type: string;
  readonly number: number;
  readonly id: string;
  readonly state: string;
  readonly amount: number;
  readonly purpose: string | null;
  readonly key: string | null;
  readonly link: string;
  readonly items: readonly { readonly id: string }[];
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** On a pseudo-terminal of `script`. */
  readonly terminal?: boolean;
  readonly cwd?: string;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Variables that lead to a device. */
export const leadingTo = ({ terminal, recognition }: Pick<TestDevice, 'terminal' | 'recognition'>) => ({
  LANEWARE_URL: terminal,
  LANEWARE_RECOGNITION_URL: recognition,
});

export function start(args: readonly string[], { env = {}, input, terminal = false, cwd = ROOT }: Options = {}) {
  const command = [process.execPath, MAIN, ...args];
  const [program = '', ...rest] = terminal
    ? ['script', '-qec', `stty cols 100; exec ${command.map(quoted).join(' ')}`, '/dev/null']
    : command;
  const child = spawn(program, rest, {
    cwd,
    env: { PATH: process.env.PATH, TERM: 'xterm-256color', TZ: 'UTC', ...COMPILED, ...env },
    stdio: [input === undefined && !terminal ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  if (input !== undefined) child.stdin?.end(input);
  const ended: Promise<Ended> = once(child, 'close').then(([code]) => ({ code, stdout, stderr }));
  return {
    ended,
    /** What it has printed so far, on either output. */
    text: () => stdout + stderr,
    /** The JSON lines of its output so far. */
    lines: (): Line[] =>
      stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    signal: (name: NodeJS.Signals) => {
      // a terminal sends what is typed; Ctrl-C goes to the program in front of it
      if (terminal && name === 'SIGINT') child.stdin?.write('\u0003');
      else child.kill(name);
    },
    type: (keys: string) => void child.stdin?.write(keys),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}

export type Running = ReturnType<typeof start>;

/** In a process of its own: for what takes a user's place, holds a lock or dies. */
export const lanectlApart = (args: readonly string[], options: Options = {}) => start(args, options).ended;

export const lanectl = (args: readonly string[], options: Options = {}): Promise<Ended> =>
  options.input === undefined && options.terminal !== true && options.cwd === undefined
    ? lanectlHere(args, options.env)
    : lanectlApart(args, options);

/** One that must end so, with these words on its standard error. @returns what it has printed */
export async function ends<End extends Ended>(exit: ExitName, running: Promise<End>, words: RegExp | string = '') {
  const ended = await running;
  assert.is(ended.code, EXIT_CODES[exit], ended.stdout + ended.stderr);
  assert.match(ended.stderr, words);
  return ended;
}

/** Keeps what is written to an output, until it is disposed of. */
function heard(stream: NodeJS.WriteStream): { text(): string } & Disposable {
  const { write } = stream;
  let text = '';
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const done = rest.at(-1);
    if (typeof done === 'function') queueMicrotask(() => done());
    return true;
  };
  return {
    text: () => text,
    [Symbol.dispose]: () => {
      stream.write = write;
    },
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What listens for signals beside those that did before, until it is disposed of. */
function listening(): Disposable {
  const before = new Set(SIGNALS.flatMap((name) => process.listeners(name)));
  return {
    [Symbol.dispose]: () => {
      for (const name of SIGNALS)
        for (const listener of process.listeners(name)) if (!before.has(listener)) process.off(name, listener);
    },
  };
}

/** In this process, a tenth of the time: for what reads no standard input and hears no signal. One at a time. */
export async function lanectlHere(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const kept = { ...process.env };
  Object.assign(process.env, { TZ: 'UTC' }, env);
  process.exitCode = undefined;
  using stdout = heard(process.stdout);
  using stderr = heard(process.stderr);
  using _ = listening();
  try {
    await perform(args);
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.exitCode = undefined;
    for (const name of ['TZ', ...Object.keys(env)]) {
      if (kept[name] === undefined) delete process.env[name];
      else process.env[name] = kept[name];
    }
  }
}
