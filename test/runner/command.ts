/** A program that is run to its end, and everything that it started with it. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCode } from '../../drivers/lib/errors.ts';
import { ROOT } from '../root.ts';

/** A program that needs longer is stuck. */
const LIMIT_MS = 600_000;
/** What `main.ts` keeps compiled, also for the files that start a device in their own process. */
export const COMPILED = join(ROOT, 'node_modules/.cache/laneware');

/** Files of a folder of /proc; none where what it is about has ended, and where there is no /proc. */
function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ESRCH')) return [];
    throw error;
  }
}

/** A thread may end while it is looked at; another one has what it has started then. */
function childrenOfThread(folder: string): string {
  try {
    return readFileSync(join(folder, 'children'), 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ESRCH')) return '';
    throw error;
  }
}

/** Processes that a process has started. */
export function childrenOf(pid: number): number[] {
  const threads = `/proc/${pid}/task`;
  const found = listed(threads).flatMap((thread) => childrenOfThread(join(threads, thread)).split(' '));
  return found.filter(Boolean).map(Number);
}

/** Ends the process group that a process leads, and those that what it has started leads: nothing outlives it. */
export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  for (const child of childrenOf(pid)) endGroup(child);
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
      endGroup(child.pid);
    }, limitMs);
    child.on('error', (error) => {
      output += error.message;
    });
    child.on('exit', () => endGroup(child.pid));
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve({ output, seconds: (performance.now() - began) / 1000, code, timedOut });
    });
  });
}
