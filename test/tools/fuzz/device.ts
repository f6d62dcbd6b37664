/** The device that is fuzzed: a process of its own on free ports, in a temporary folder, set up to take payments. */
import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { freePort } from '../../ports.ts';
import { ROOT } from '../../root.ts';

const PASSPHRASE = 'made up for the fuzzer';
const MAIN = join(ROOT, 'firmware', 'main.ts');

export const ROUTERS = ['terminal', 'recognition'] as const;
export type Router = (typeof ROUTERS)[number];
/** What a device describes, and where: the document of each port, and that of the console's calls, which promises nothing. */
export const DESCRIBED = [
  ['terminal', '/openapi.json'],
  ['recognition', '/openapi.json'],
  ['recognition', '/console/api/openapi.json'],
] as const satisfies readonly (readonly [Router, string])[];
export type Described = (typeof DESCRIBED)[number];

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = once(child, 'close');
  child.kill('SIGTERM');
  await over;
}

/** A device of its own, set up, with what the hooks need to know of it. */
export class FuzzedDevice implements AsyncDisposable {
  readonly urls: Readonly<Record<Router, string>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly #child: ChildProcess;
  /** Gone with the device. */
  readonly folder: string;

  private constructor(
    child: ChildProcess,
    folder: string,
    urls: FuzzedDevice['urls'],
    environment: Record<string, string>,
  ) {
    this.#child = child;
    this.folder = folder;
    this.urls = urls;
    this.environment = environment;
  }

  static async start(): Promise<FuzzedDevice> {
    const folder = mkdtempSync(join(tmpdir(), 'laneware-fuzz-'));
    const picture = join(folder, 'picture.jpg');
    const jpeg = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#875' } })
      .jpeg()
      .toBuffer();
    writeFileSync(picture, jpeg);
    const syncPort = String(await freePort());
    const child = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH ?? '',
        LANEWARE_DATADIR: join(folder, 'data'),
        LANEWARE_TERMINAL_PORT: '0',
        LANEWARE_TERMINAL_EXPORTROOTS: JSON.stringify([join(folder, 'data', 'exports')]),
        LANEWARE_RECOGNITION_PORT: '0',
        LANEWARE_SANDBOXBANK_PORT: '0',
        LANEWARE_CAMERA_DRIVER: 'push',
        LANEWARE_SYNC_HOST: '127.0.0.1',
        LANEWARE_SYNC_PORT: syncPort,
        LANEWARE_LOG_LEVEL: 'info',
      },
    });
    // it outlives the reader of its log, and so would outlive a crash of this program
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    child.once('close', () => process.off('exit', end));
    try {
      const urls = await ready(child);
      const setup = await fetch(`${urls.recognition}/console/api/sandbox/setup`, { method: 'POST' });
      if (!setup.ok) throw new Error(`the device could not be set up: ${await setup.text()}`);
      // calls that look at the tray find a picture, in any order
      const shown = await fetch(`${urls.recognition}/camera/frame`, {
        method: 'PUT',
        headers: { 'content-type': 'image/jpeg' },
        body: new Uint8Array(jpeg),
      });
      if (!shown.ok) throw new Error(`the device took no picture: ${await shown.text()}`);
      return new FuzzedDevice(child, folder, urls, {
        FUZZ_PICTURE: picture,
        FUZZ_SYNC_PORT: syncPort,
        FUZZ_BACKUP: await backupOf(urls, join(folder, 'lane.backup')),
        FUZZ_PASSPHRASE: PASSPHRASE,
      });
    } catch (error) {
      await stop(child);
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await stop(this.#child);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A backup from before a sale: it is read to its end, and restored only by a call that lets the sale be lost. */
async function backupOf({ recognition }: FuzzedDevice['urls'], file: string): Promise<string> {
  const post = async (path: string, body: object): Promise<Response> => {
    const answer = await fetch(`${recognition}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'before all others' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return answer;
  };
  writeFileSync(file, await (await post('/console/api/backups', { passphrase: PASSPHRASE })).bytes());
  await post('/v1/payments', { amount: 100_000 });
  return file;
}

const urlsOf = (line: string): FuzzedDevice['urls'] | null => {
  const { msg, terminal, recognition } = JSON.parse(line);
  return msg === 'ready' ? { terminal, recognition } : null;
};

/** Where a started device answers. Its log is read on: a full pipe stops its writer. */
async function ready({ stdout, stderr }: ChildProcess): Promise<FuzzedDevice['urls']> {
  if (stdout === null || stderr === null) throw new TypeError('the device writes to no pipe');
  let errors = '';
  stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  let log = '';
  for await (const [chunk] of on(stdout, 'data', { close: ['end'] }) as AsyncIterable<[Buffer]>) {
    log += chunk.toString();
    const urls = log
      .split('\n')
      .slice(0, -1)
      .map(urlsOf)
      .find((each) => each !== null);
    if (urls === undefined || urls === null) continue;
    stdout.resume();
    return urls;
  }
  throw new Error(`the device ended: ${errors}`);
}
