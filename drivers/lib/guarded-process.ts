/**
 * Runs a program as a child process that cannot outlive us, however we end.
 *
 * A program that hangs in its driver (of a camera, of a pin) never notices a broken pipe, and some handle SIGPIPE
 * themselves. So the program runs under a small shell in a process group of its own, and the shell reads a pipe that
 * nobody writes to: our end closes when we close it, exit or are killed. Then the group is ended, first politely.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { isCode } from './errors.ts';

/** How long the program may take to end by itself; then its whole group is killed. */
const END_GRACE_S = 2;
/** Time limit beyond the grace: by then the shell itself must be stuck, and we kill the group. */
const END_LIMIT_MS = END_GRACE_S * 1000 + 2000;
/** How long the output of an ended program is still read. */
const DRAIN_LIMIT_MS = 500;

/**
 * The shell's script. $1 is the grace in seconds, the rest is the program. The pipe is descriptor 3 of the shell, and
 * closed in the program. The shell's own output is closed, so that the program's pipes end with the program.
 */
const GUARD = `
grace=$1; shift
exec 3<&0 </dev/null
"$@" 3<&- &
program=$!
exec >/dev/null 2>&1
(
  while read -r _; do :; done <&3
  kill -TERM "$program"
  sleep "$grace"
  kill -KILL 0
) &
watch=$!
wait "$program"
code=$?
kill -KILL "$watch"
exit "$code"
`;

interface Ended {
  /** The program's exit code; above 128 for a signal; null when the whole group had to be killed. */
  readonly code: number | null;
  /** The shell could not be started at all. */
  readonly error?: Error;
}

export class GuardedProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<Ended>;

  constructor(command: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn('/bin/sh', ['-c', GUARD, 'guard', String(END_GRACE_S), ...command], {
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env,
    });
    // the pipe may break before we close it: the exit shows that the process ended
    this.#child.stdin?.on('error', () => {});
    this.#ended = new Promise((resolve) => {
      this.#child.on('error', (error) => resolve({ code: null, error }));
      this.#child.once('exit', () => this.#onExit());
      this.#child.once('close', (code) => resolve({ code }));
    });
  }

  get stdout(): Readable | null {
    return this.#child.stdout;
  }

  get stderr(): Readable | null {
    return this.#child.stderr;
  }

  /** Settles when the program has ended and its output is read; everything that it started has been killed by then. */
  get ended(): Promise<Ended> {
    return this.#ended;
  }

  /** Ends the program and everything that it started. Safe to call at any time, also twice. */
  async end(): Promise<Ended> {
    this.#child.stdin?.destroy();
    const limit = setTimeout(() => this.#killGroup(), END_LIMIT_MS);
    const ended = await this.#ended;
    clearTimeout(limit);
    return ended;
  }

  /**
   * Handles the end of the shell: kills what it left behind, and reads its last output unless something holds the
   * pipes.
   */
  #onExit(): void {
    this.#killGroup();
    this.#child.stdin?.destroy();
    const drained = setTimeout(() => {
      this.#child.stdout?.destroy();
      this.#child.stderr?.destroy();
    }, DRAIN_LIMIT_MS);
    this.#child.once('close', () => clearTimeout(drained));
  }

  #killGroup(): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch (error) {
      // ESRCH, or EPERM where only zombies are left: there is nothing to kill
      if (!isCode(error, 'ESRCH', 'EPERM')) throw error;
    }
  }
}
