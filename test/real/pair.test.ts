/** Two devices as processes, a master and its slave, paired as the technician's guide says, with the real message server and model. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from '../ports.ts';
import { startFirmware } from '../process.ts';
import { ROOT } from '../root.ts';
import { call, type TemporaryFolder, temporaryFolder, until } from '../support.ts';
import { pairAt } from '../sync/pair-at.ts';

const test = suite('real: a master and its slave');

const PICTURES = join(ROOT, 'drivers/camera/pictures');
const BOTH = { upload: true, download: true };

/** A device in a folder of its own, which can be killed and started again. */
class Lane implements AsyncDisposable {
  readonly #folder: TemporaryFolder = temporaryFolder();
  readonly #settings: Readonly<Record<string, string>>;
  #running: Awaited<ReturnType<typeof startFirmware>> | null = null;

  constructor(serial: string, settings: Readonly<Record<string, string>> = {}) {
    const eyes = {
      LANEWARE_CAMERA_DRIVER: 'push',
      LANEWARE_MODEL_MANIFEST: join(ROOT, 'models/lane-embed-1.json'),
    };
    this.#settings = { LANEWARE_SERIAL: serial, LANEWARE_SANDBOXBANK_ENABLED: 'false', ...eyes, ...settings };
  }

  async start(): Promise<void> {
    this.#running = await startFirmware(this.#folder.path, { settings: this.#settings });
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    await this.#running?.program.kill(signal);
    this.#running = null;
  }

  get url(): string {
    return this.#running?.urls.recognition ?? '';
  }

  ask(path: string, json?: object) {
    return call(`${this.url}${path}`, json === undefined ? {} : { json });
  }

  /** A call of the original device that must succeed. @returns its data */
  async must(path: string, json: object = {}) {
    const { body, text } = await this.ask(`/api/${path}`, json);
    assert.is(body?.code, 0, text);
    return body.data;
  }

  /** What lies on the tray from now on. */
  async see(picture: string): Promise<void> {
    const body = new Uint8Array(readFileSync(join(PICTURES, picture)));
    const { status, text } = await call(`${this.url}/camera/frame`, {
      ...{ method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body },
    });
    assert.ok(status < 300, text);
  }

  async items(): Promise<number> {
    return (await this.ask('/api/get_item_list')).body.data.length;
  }

  /** Names of what it takes the things on the tray for. */
  async recognised(): Promise<string[]> {
    const { body } = await this.ask('/api/get_result');
    return body.data?.items?.map(({ id }: { id: string }) => id) ?? [];
  }

  /** Synchronises, where it can. */
  async round(): Promise<boolean> {
    return (await this.ask('/api/start_sync', {})).body?.code === 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGTERM');
    this.#folder[Symbol.dispose]();
  }
}

test('what one learns the other knows, past the master’s kill; what the other deletes is gone', async () => {
  const port = await freePort();
  await using master = new Lane('M', { LANEWARE_SYNC_HOST: '127.0.0.1', LANEWARE_SYNC_PORT: String(port) });
  await using slave = new Lane('S');
  await Promise.all([master.start(), slave.start()]);
  await master.must('set_sync_master', BOTH);
  await pairAt(master.url, slave.url);

  await master.see('01-apple-green.jpg');
  const { sid } = await master.must('add_item_template', { id: '4011' });
  await slave.see('07-apple-green.jpg');
  await until('the slave has it', async () => (await slave.items()) === 1);

  await master.end('SIGKILL');
  assert.is((await slave.recognised())[0], '4011', 'it needs no master for that');
  await slave.must('delete_item_template', { id: '4011', sid });
  await master.start();
  await until('it is deleted there, too', async () => (await slave.round()) && (await master.items()) === 0);
  assert.equal(await slave.recognised(), []);
  const { devices, problem } = (await master.ask('/api/get_sync_status')).body.data;
  assert.equal([devices.map(({ sn }: { sn: string }) => sn), problem], [['M', 'S'], null]);
});

test.run();
