/** Storage that fails where a test says so: `faults.c` put before the C library of a process, and the file that tells it. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '../root.ts';

/** What befalls the call: an error of the storage, or a SIGKILL of the process in its place. */
export type Fault = 'EIO' | 'ENOSPC' | 'kill';

/** `struct control` of `faults.c`: where its members begin, and its size, bytes. */
const AT = 0;
const ERROR = 8;
const COUNT = 16;
const WHAT = 24;
const SIZE = 512;
/** No call for so long: what was asked for is done; and all that follows it by itself. */
const QUIET_MS = { 'for now': 100, 'for good': 1500 } as const;
const POLL_MS = 10;

export class FaultyStorage implements Disposable {
  readonly #library: string;
  readonly #control: string;
  readonly #fd: number;

  /** @param folder of the library and the file that tells it */
  constructor(folder: string) {
    this.#library = join(folder, 'faults.so');
    this.#control = join(folder, 'faults');
    const source = join(ROOT, 'test/faults/faults.c');
    execFileSync('gcc', ['-O2', '-Wall', '-Werror', '-shared', '-fPIC', '-o', this.#library, source, '-ldl']);
    this.#fd = openSync(this.#control, 'w+');
    writeSync(this.#fd, Buffer.alloc(SIZE));
  }

  /** Of a process whose calls below a folder are counted. */
  environment(folder: string): Record<string, string> {
    return { LD_PRELOAD: this.#library, FAULTS_CONTROL: this.#control, FAULTS_FOLDER: folder };
  }

  /** @param n which call is struck, counted from 1 and from now on; once */
  strike(n: number, fault: Fault): void {
    const numbers = Buffer.alloc(SIZE);
    writeSync(this.#fd, numbers, 0, SIZE, 0); // none, before they are counted anew
    numbers.writeBigInt64LE(BigInt(fault === 'kill' ? 0 : constants.errno[fault]), ERROR);
    numbers.writeBigInt64LE(BigInt(n), AT);
    writeSync(this.#fd, numbers, 0, WHAT, 0);
  }

  /** From now on all calls go well. */
  heal(): void {
    writeSync(this.#fd, Buffer.alloc(COUNT), 0, COUNT, AT);
  }

  /** The call that was struck, and its file; null for none. */
  get struck(): string | null {
    const bytes = this.#read();
    const end = bytes.indexOf(0, WHAT);
    return end === WHAT ? null : bytes.toString('utf8', WHAT, end);
  }

  /** Calls since {@link strike}. */
  get count(): number {
    return Number(this.#read().readBigInt64LE(COUNT));
  }

  #read(): Buffer {
    const bytes = Buffer.alloc(SIZE);
    readSync(this.#fd, bytes, 0, SIZE, 0);
    return bytes;
  }

  /** Until a call was struck, or none has come for a while. */
  async rests(quiet: keyof typeof QUIET_MS): Promise<void> {
    for (let seen = this.count, since = performance.now(); performance.now() - since < QUIET_MS[quiet]; ) {
      if (this.struck !== null) return;
      await pause(POLL_MS);
      const { count } = this;
      if (count !== seen) [seen, since] = [count, performance.now()];
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}
