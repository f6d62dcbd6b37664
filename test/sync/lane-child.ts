/** A device of a store in a process of its own, led by lines: see `lane-process.ts`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../root.ts';
import { type TemporaryFolder, temporaryFolder } from '../support.ts';
import type { SeededTemplates } from './seeded-store.ts';

/** Those of Node with which a lane's unit starts it. */
const NODE_OPTIONS = (
  /^ExecStart=\S+\/node ((?:--\S+ )*)/m.exec(readFileSync(join(ROOT, 'systemd/laneware.service'), 'utf8'))?.[1] ?? ''
)
  .split(' ')
  .filter((option) => option !== '');

/** What a call of recognition answers. */
export interface ApiAnswer {
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export class LaneChild implements AsyncDisposable {
  readonly serial: string;
  readonly child: ChildProcess;
  readonly #folder: TemporaryFolder = temporaryFolder();
  readonly #answers: AsyncIterator<string>;
  errors = '';

  /**
   * @param within command that runs it, such as in another namespace
   * @param seeded what it holds when it starts
   */
  constructor(serial: string, host = '127.0.0.1', within: readonly string[] = [], seeded?: SeededTemplates) {
    this.serial = serial;
    const script = [...NODE_OPTIONS, join('test', 'sync', 'lane-process.ts'), '--serial', serial, '--host', host];
    const [program = process.execPath, ...args] = [...within, process.execPath, ...script];
    const holding = seeded === undefined ? [] : ['--seeded', JSON.stringify(seeded)];
    this.child = spawn(program, [...args, '--folder', this.#folder.path, ...holding], {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.errors += chunk.toString();
    });
    if (this.child.stdout === null) throw new Error('the device has no output');
    this.#answers = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  /** Its next line; the first one has its address. */
  async answer<Line>(): Promise<Line> {
    const { value, done } = await this.#answers.next();
    if (done) throw new Error(`${this.serial} ended: ${this.errors}`);
    return JSON.parse(value);
  }

  async ask<Answer>(command: object): Promise<Answer> {
    this.child.stdin?.write(`${JSON.stringify(command)}\n`);
    return await this.answer<Answer>();
  }

  /** A call that must succeed; returns its data. */
  async must(call: string, json?: unknown): Promise<Readonly<Record<string, unknown>>> {
    const body = await this.ask<ApiAnswer>({ call, json });
    if (body.code !== 0) throw new Error(`${this.serial} ${call}: ${JSON.stringify(body)}`);
    return body.data;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null) {
      const over = once(this.child, 'close');
      this.child.stdin?.end();
      await over;
    }
    this.#folder[Symbol.dispose]();
  }
}
