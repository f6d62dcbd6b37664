/** A lane goes on without a log: whatever its output is, and whatever has become of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HealthBoard } from '../firmware/core/host/health.ts';
import { LogOutput } from '../firmware/core/host/log-output.ts';
import { ROOT } from './root.ts';
import { COMPILED, call, temporaryFolder, testEnvironment, until } from './support.ts';

const test = suite('log: outputs');

/** Logged with each refusal of a call. */
const LONG = 'x'.repeat(150);
/** Calls at once. */
const CALLS = 50;

interface Lane extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

const GREETING = /recognition +(\S+)[\s\S]*kill (\d+)/;

/** @param command of a shell; `$LANE` is the lane */
async function startLane(folder: string, command: string): Promise<Lane> {
  const errors = join(folder, 'errors');
  const lane = `exec ${process.execPath} firmware/main.ts 2>${errors}`;
  const shell = spawn('bash', ['-c', command], {
    cwd: ROOT,
    detached: true, // the whole group ends with the test
    env: {
      ...process.env,
      ...COMPILED,
      ...testEnvironment(join(folder, 'data'), { LANEWARE_LOG_LEVEL: 'trace' }),
      LANE: lane,
    },
    stdio: 'ignore',
  });
  const ended = once(shell, 'close');
  const greeting = (): RegExpExecArray | null => GREETING.exec(existsSync(errors) ? readFileSync(errors, 'utf8') : '');
  const end = async (pid?: number): Promise<void> => {
    for (const each of [pid, -(shell.pid ?? 0)]) {
      try {
        if (each !== undefined) process.kill(each, 'SIGKILL');
      } catch {} // it has ended
    }
    await ended;
  };
  try {
    await until('it sells', () => greeting() !== null);
  } catch (error) {
    await end();
    throw error;
  }
  const [, url = '', pid] = greeting() ?? [];
  return { url, pid: Number(pid), [Symbol.asyncDispose]: () => end(Number(pid)) };
}

/** @param lost what `/health` says of it; null where the rest of the machine takes it for written */
const OUTPUTS: Readonly<Record<string, readonly [command: string, lost: RegExp | null]>> = {
  'a file on a full disk': ['eval "$LANE" >/dev/full', /ENOSPC/],
  'a file that may only be read': ['eval "$LANE" </dev/null 1<&0', /EBADF/],
  'a folder': ['eval "$LANE" 1</', null],
  'one that was closed': ['eval "$LANE" >&-', null],
  'a pipe whose reader has gone': ['(eval "$LANE") | true', /EPIPE/],
  'a pipe that nobody reads': ['(eval "$LANE") | sleep 600', /nobody reads it/],
  'a terminal that nobody reads': ['script -qec "$LANE" /dev/null | sleep 600', /nobody reads it/],
};

for (const [what, [command, lost]] of Object.entries(OUTPUTS))
  test(`the output is ${what}`, async () => {
    using folder = temporaryFolder();
    await using lane = await startLane(folder.path, command);
    const lines = async (): Promise<string> => {
      await Promise.all(Array.from({ length: CALLS }, () => call(`${lane.url}/v1/state?${LONG}`)));
      const parts: { part: string; reason: string }[] = (await call(`${lane.url}/health`)).body.data.parts;
      return parts.find(({ part }) => part === 'log')?.reason ?? 'no such part';
    };
    if (lost === null) assert.is(await lines(), '');
    else await until('it is said', async () => lost.test(await lines()));
    process.kill(lane.pid, 0);
  });

const reasonsOf = (output: LogOutput): string => {
  const board = new HealthBoard(() => ({
    ...{ version: '1', serial: '2', instance: '3', uptimeSeconds: 4 },
    ports: { terminal: 1, recognition: 2 },
  }));
  output.watch(board);
  return board.report().parts.map(({ reason }) => reason)[0] ?? '';
};

test('what is lost is said as long as it is lost, and no longer', async () => {
  let isFull = false;
  const taken: string[] = [];
  const stream = new Writable({
    autoDestroy: false,
    write: (chunk, _, done) => {
      if (!isFull) taken.push(String(chunk));
      done(isFull ? new Error('ENOSPC: made up') : null);
    },
  });
  stream.on('error', () => undefined);
  const output = new LogOutput(stream);
  output.write('one');
  await until('taken', () => taken.length === 1);
  assert.is(reasonsOf(output), '');
  isFull = true;
  output.write('two');
  await until('said', () => reasonsOf(output) !== '');
  assert.match(reasonsOf(output), /^Lines of the log are lost.*\(ENOSPC: made up\)$/);
});

test('a reader that comes back reads on, and what waited for it has a limit', async () => {
  const taken: string[] = [];
  let go = (): void => undefined;
  const stream = new Writable({
    write: (chunk, _, done) => {
      taken.push(String(chunk));
      go = done;
    },
  });
  const output = new LogOutput(stream);
  for (let at = 0; at < 10_000; at++) output.write(LONG);
  assert.ok(stream.writableLength < 512 * 1024);
  assert.match(reasonsOf(output), /nobody reads it/);
  const waiting = stream.writableLength / LONG.length;
  while (taken.length < waiting) {
    const before = taken.length;
    go();
    await until('the next', () => taken.length > before);
  }
  go();
  await until('well', () => reasonsOf(output) === '');
});

test.run();
