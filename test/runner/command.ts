/** A program that is run to its end, and everything that it started with it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { isCode } from '../../drivers/lib/errors.ts';
import { ROOT } from '../root.ts';

/** A program that needs longer is stuck. */
const LIMIT_MS = 600_000;
/** What `main.ts` keeps compiled, also for the files that start a device in their own process. */
export const COMPILED = join(ROOT, 'node_modules/.cache/laneware');

/** Ends the process group that a child leads, so that nothing that it started outlives it. */
export function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!isCode(error, 'ESRCH')) throw error;
  }
}

export interface Ran {
  readonly code: number | null;
  readonly timedOut: boolean;
  /** Both streams, in the order in which they came. */
  readonly output: string;
  readonly seconds: number;
}

export function runCommand(command: string, args: readonly string[], limitMs = LIMIT_MS): Promise<Ran> {
  return new Promise((resolve) => {
    const began = performance.now();
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { NODE_COMPILE_CACHE: COMPILED, ...process.env },
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let timedOut = false;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    const limit = setTimeout(() => {
      timedOut = true;
      endGroup(child);
    }, limitMs);
    child.on('error', (error) => {
      output += error.message;
    });
    child.on('exit', () => endGroup(child));
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve({ output, seconds: (performance.now() - began) / 1000, code, timedOut });
    });
  });
}
