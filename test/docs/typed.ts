/**
 * What is typed by a reader of the documents, run as it stands. Only this is changed in it: the ports 1234, 8080, 1280 and 1290
 * become free ones, /tmp becomes a folder of the test, the camera plays one picture alone,
 * however long a reader takes from one command to the next, and curl fails where it is answered with an error. On a fresh device **Set up** is pressed, unless the page does that itself. Programs that go on running (`npm start`, the simulators) are kept until the page is read.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCode } from '../../drivers/lib/errors.ts';
import { freePort } from '../ports.ts';
import { ROOT } from '../root.ts';
import { call, type TemporaryFolder, temporaryFolder, until } from '../support.ts';

const GOES_ON = /(^|\s)npm (start|run dev)\b|display\/main\.ts|lanectl sim /;
const STARTS_SIM = /lanectl sim /;
const STARTS_DEVICE = /(^|\s)npm (start|run dev)\b/;
const isLane = (line: string): boolean => STARTS_DEVICE.test(line) || STARTS_SIM.test(line);
/** What a reader asks of a device or of a simulator that runs. */
const ASKS = /127\.0\.0\.1|lanectl (?!sim )/;

interface Ports {
  readonly terminal: number;
  readonly recognition: number;
  readonly sandbox: number;
  readonly control: number;
}

interface Part {
  readonly part: string;
  readonly state: string;
}

/** Ends a program with all that it has started. */
async function end(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.pid !== undefined)
    try {
      process.kill(-child.pid, 'SIGTERM');
    } catch (error) {
      if (!isCode(error, 'ESRCH')) throw error;
    }
  await exited;
}

interface Running {
  readonly line: string;
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
  readonly said: () => string;
}

/** A shell in which a page is followed, with the device that it starts. */
export class Reader implements AsyncDisposable {
  readonly #folder: TemporaryFolder;
  readonly #ports: Ports;
  #running: Running[] = [];
  #isSetUp: boolean;

  private constructor(folder: TemporaryFolder, ports: Ports, setsUp: boolean) {
    this.#isSetUp = !setsUp;
    this.#folder = folder;
    this.#ports = ports;
  }

  /** @param setsUp whether **Set up** is pressed once the device is up */
  static async open(setsUp = true): Promise<Reader> {
    const folder = temporaryFolder();
    const ports = { terminal: await freePort(), recognition: await freePort(), sandbox: await freePort() };
    return new Reader(folder, { ...ports, control: await freePort() }, setsUp);
  }

  /** Runs a block of shell lines; returns what it has printed. @throws where a command fails, or needs root */
  async type(text: string): Promise<string> {
    let output = '';
    if (/^\s*sudo /m.test(text)) throw new Error(`no test runs this: ${text}`);
    const lines: string[] = [];
    const rest = async (): Promise<void> => {
      if (lines.length > 0) output += await this.#run(lines.splice(0).join('\n'));
    };
    for (const line of text.trimEnd().split('\n')) {
      if (!GOES_ON.test(line)) {
        lines.push(line);
        continue;
      }
      await rest();
      await this.#start(line);
    }
    await rest();
    return output;
  }

  /** Starts the device as the reader of every page has it, unless one runs, or the text needs none. */
  async startFor(text: string): Promise<void> {
    const runs = this.#running.some(({ line }) => isLane(line));
    if (!runs && ASKS.test(text)) await this.#start('npm start');
  }

  /** Starts a program that goes on running, in the place of the one before that was of its kind. What runs already is let run. */
  async #start(command: string): Promise<void> {
    const line = command.replace(/\s+#.*$/, '').trim();
    if (this.#running.some((running) => running.line === line)) return;
    if (isLane(line)) await this.#end(({ line: before }) => isLane(before));
    const child = spawn('bash', ['-c', this.#mapped(line)], {
      cwd: ROOT,
      env: this.#environment(),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
    const running = { line, child, exited: once(child, 'close'), said: () => said };
    this.#running.push(running);
    await this.#ready(running);
  }

  /** Runs a program of JavaScript that stands in a page. */
  script(text: string): Promise<string> {
    writeFileSync(join(this.#folder.path, 'page.mjs'), this.#mapped(text));
    return this.#run('node /tmp/page.mjs');
  }

  /** Pays what is newly asked for at the sandbox bank until `work` is done. */
  async payMeanwhile<T>(work: () => Promise<T>): Promise<T> {
    const base = `http://127.0.0.1:${this.#ports.sandbox}/sandbox/payments`;
    let over = false;
    const idsOf = async (): Promise<string[]> => (await call(base)).body.map(({ qrcId }: { qrcId: string }) => qrcId);
    const before = new Set(await idsOf());
    const paying = until('the end of the sale', async () => {
      for (const id of await idsOf()) if (!before.has(id)) await call(`${base}/${id}/pay`, { json: {} });
      return over;
    });
    try {
      return await work();
    } finally {
      over = true;
      await paying;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end(() => true);
    this.#folder[Symbol.dispose]();
  }

  async #end(isMeant: (running: Running) => boolean): Promise<void> {
    const meant = this.#running.filter(isMeant);
    this.#running = this.#running.filter((running) => !isMeant(running));
    for (const { child, exited } of meant) await end(child, exited);
  }

  #environment(): Record<string, string> {
    return {
      PATH: `${join(ROOT, 'node_modules', '.bin')}:${process.env.PATH}`,
      LANEWARE_DATADIR: join(this.#folder.path, 'data'),
      LANEWARE_SERIAL: 'TEST0001',
      LANEWARE_TERMINAL_PORT: `${this.#ports.terminal}`,
      LANEWARE_RECOGNITION_PORT: `${this.#ports.recognition}`,
      LANEWARE_SANDBOXBANK_PORT: `${this.#ports.sandbox}`,
      // where `lanectl` finds the device that is started here
      LANEWARE_URL: `http://127.0.0.1:${this.#ports.terminal}`,
      LANEWARE_RECOGNITION_URL: `http://127.0.0.1:${this.#ports.recognition}`,
    };
  }

  #mapped(text: string): string {
    const { terminal, recognition, sandbox, control } = this.#ports;
    return text
      .replace('lanectl sim ', `lanectl sim --control-port ${control} `)
      .replaceAll('127.0.0.1:1290', `127.0.0.1:${control}`)
      .replaceAll('127.0.0.1:1234', `127.0.0.1:${terminal}`)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${recognition}`)
      .replaceAll('127.0.0.1:1280', `127.0.0.1:${sandbox}`)
      .replaceAll('/tmp/', `${this.#folder.path}/`);
  }

  async #run(text: string): Promise<string> {
    const strict = 'set -eo pipefail\ncurl() { command curl -sS --fail-with-body "$@"; echo; }\n';
    const child = spawn('bash', ['-c', strict + this.#mapped(text)], {
      cwd: ROOT,
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${text}\nended with ${code}:\n${output}`);
    return output;
  }

  async #ready({ line, child, said }: Running): Promise<void> {
    const ended = () => {
      if (child.exitCode !== null) throw new Error(`${line} ended with ${child.exitCode}:\n${said()}`);
    };
    if (!STARTS_DEVICE.test(line)) {
      await until(line, () => {
        ended();
        return /^\{/m.test(said());
      });
      return;
    }
    const base = `http://127.0.0.1:${this.#ports.recognition}`;
    const wanted = line.includes('DRIVER=push') ? ['model'] : ['model', 'camera'];
    const works = async (): Promise<boolean> => {
      ended();
      const answer = await call(`${base}/health`).catch(() => null);
      if (answer === null) return false;
      const parts: Part[] = answer.body.data.parts;
      return wanted.every((name) => parts.some(({ part, state }) => part === name && state === 'ok'));
    };
    await until(line, works);
    if (this.#isSetUp) return;
    this.#isSetUp = true;
    const { status, text } = await call(`${base}/console/api/sandbox/setup`, { json: {} });
    if (status !== 200) throw new Error(`Set up: ${text}`);
  }
}
