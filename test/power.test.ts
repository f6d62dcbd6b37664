/**
 * A device whose disk loses power right after it has answered, and in the midst of its work: what it answered for is there
 * when it is up again. `LANEWARE_POWER_CUTS` sets how often the power goes in the midst of work.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { Disk, NO_POWER_CUTS } from './disk.ts';
import { type Program, startFirmware, type Urls } from './process.ts';
import { tinyFolder } from './recognition/fixtures/models.ts';
import { unzip } from './recognition/packages-support.ts';
import { picture } from './recognition/support.ts';
import { suiteNeeding } from './skipping.ts';
import { call, SCREEN, until } from './support.ts';

const power = suiteNeeding(NO_POWER_CUTS, 'a device and the power');
const CUTS = Number(process.env.LANEWARE_POWER_CUTS ?? 3);
/** How long it works before the power goes. */
const WORK_MS = 600;
/** In the package that is exported. */
const TEMPLATES = 5;

const model = tinyFolder();
power.after(() => model[Symbol.dispose]());
const settings = {
  LANEWARE_CAMERA_DRIVER: 'push',
  LANEWARE_MODEL_MANIFEST: model.manifestPath,
  LANEWARE_RECOGNITION_MAXTEMPLATESPERITEM: '1000',
};

/** A device on a disk that can lose power. */
class Lane implements AsyncDisposable {
  readonly disk = new Disk();
  #program: Program | null = null;
  #urls: Urls = { terminal: '', recognition: '', sandbox: null };

  get terminal(): string {
    return this.#urls.terminal;
  }

  get recognition(): string {
    return this.#urls.recognition;
  }

  async start(): Promise<void> {
    const { program, urls } = await startFirmware(join(this.disk.mount, 'data'), { settings });
    this.#program = program;
    this.#urls = urls;
    const jpeg = await picture(1);
    const frame = { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: new Uint8Array(jpeg) };
    assert.is((await call(`${this.recognition}/camera/frame`, frame)).status, 200);
  }

  /** The power goes now, and the device is up again. */
  async losePower(): Promise<void> {
    this.disk.cutPower();
    await this.#program?.kill('SIGKILL');
    this.disk.unplug();
    this.disk.plugIn();
    await this.start();
  }

  /** A call of the terminal that succeeds. */
  async pay(path: string, json: unknown): Promise<void> {
    const { status, text } = await call(`${this.terminal}${path}`, { json });
    if (status !== 200) throw new Error(text);
  }

  setUp(): Promise<void> {
    const bankProfiles = { p: { bankName: 'Static', staticQR: 'https://shop.example/pay' } };
    return this.pay('/updateDriverSettings', {
      settings: { bankProfile: 'p', bankProfiles, deviceConnection: SCREEN },
    });
  }

  /** A call of the recognition device that succeeds. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async ask(name: string, json: unknown = {}): Promise<any> {
    const { body } = await call(`${this.recognition}/api/${name}`, { json });
    if (body.code !== 0) throw new Error(body.msg);
    return body.data;
  }

  learn = async (item: string): Promise<string> => (await this.ask('add_item_template', { id: item })).sid;

  /** Amounts of all payments, as the export has them. */
  async amounts(): Promise<string[]> {
    const path = join(this.disk.mount, 'amounts.csv');
    await this.pay('/exportToCSV', { path });
    return amountsIn(path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program?.kill('SIGKILL');
    this.disk[Symbol.dispose]();
  }
}

function amountsIn(path: string): string[] {
  const [head = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split('\r\n');
  const column = head.split(',').indexOf('amount_kopecks');
  return lines.map((line) => line.split(',')[column] ?? '');
}

async function onLane(run: (lane: Lane) => Promise<void>): Promise<void> {
  await using lane = new Lane();
  await lane.start();
  await run(lane);
}

power('settings that were taken are there', () =>
  onLane(async (lane) => {
    await lane.setUp();
    await lane.losePower();
    const { body } = await call(`${lane.terminal}/getDriverSettings`);
    assert.is(body.settings.bankProfiles.p.staticQR, 'https://shop.example/pay');
    await lane.ask('set_result_count', { count: 3 });
    await lane.losePower();
    const { body: info } = await call(`${lane.recognition}/api/get_device_info`);
    assert.is(info.data.max_result_num, 3);
  }),
);

power('a payment whose code was shown is in the ledger', () =>
  onLane(async (lane) => {
    await lane.setUp();
    await lane.pay('/showQR', { amount: 12_345 });
    await lane.losePower();
    assert.equal(await lane.amounts(), ['12345']);
  }),
);

power('an export of the payments that was answered is there, with all its lines', () =>
  onLane(async (lane) => {
    await lane.setUp();
    for (let amount = 1; amount <= 20; amount++) await lane.pay('/showQR', { amount });
    const path = join(lane.disk.mount, 'payments.csv');
    await lane.pay('/exportToCSV', { path });
    await lane.losePower();
    assert.is(amountsIn(path).length, 20);
    // over an earlier one
    await lane.pay('/showQR', { amount: 21 });
    await lane.pay('/exportToCSV', { path });
    await lane.losePower();
    assert.is(amountsIn(path).length, 21);
  }),
);

power('a template that was learned is there, and so is a package that was exported', () =>
  onLane(async (lane) => {
    const sids = [await lane.learn('4011')];
    await lane.losePower();
    while (sids.length < TEMPLATES) sids.push(await lane.learn('4011'));
    assert.equal(await lane.ask('get_item_template_list', { id: '4011' }), sids);
    await lane.ask('export_template');
    const name = await until('the package', async () => {
      const { body } = await call(`${lane.recognition}/api/export_template_status`);
      return body.filename;
    });
    await lane.losePower();
    const response = await fetch(`${lane.recognition}/download/${name}`);
    assert.is(response.status, 200);
    const parts = await unzip(Buffer.from(await response.arrayBuffer()));
    assert.is(String(parts.get('templates.jsonl')).trimEnd().split('\n').length, TEMPLATES);
  }),
);

power(`in the midst of its work, ${CUTS} times: nothing that was answered for is lost`, () =>
  onLane(async (lane) => {
    await lane.setUp();
    const sids: string[] = [];
    const amounts: string[] = [];
    for (let cut = 1; cut <= CUTS; cut++) {
      let isOn = true;
      // an answer that comes after the cut is none: the whole machine would be off
      const work = async (step: () => Promise<void>): Promise<void> => {
        try {
          while (isOn) await step();
        } catch (error) {
          if (isOn) throw error; // the device went away under the last call
        }
      };
      const all = Promise.all([
        work(async () => {
          const sid = await lane.learn(`item${cut}`);
          if (isOn) sids.push(sid);
        }),
        work(async () => {
          const amount = cut * 10_000 + amounts.length;
          await lane.pay('/showQR', { amount });
          if (isOn) amounts.push(String(amount));
        }),
      ]);
      await pause(WORK_MS * (0.5 + Math.random()));
      isOn = false;
      await lane.losePower();
      await all;
      const found = new Set(await lane.amounts());
      assert.equal(
        amounts.filter((amount) => !found.has(amount)),
        [],
        `payments lost by cut ${cut}`,
      );
      const learned = new Set<string>();
      for (let item = 1; item <= cut; item++)
        for (const sid of await lane.ask('get_item_template_list', { id: `item${item}` })) learned.add(sid);
      assert.equal(
        sids.filter((sid) => !learned.has(sid)),
        [],
        `templates lost by cut ${cut}`,
      );
    }
    process.stdout.write(`  ${amounts.length} payments and ${sids.length} templates over ${CUTS} cuts\n`);
    assert.ok(amounts.length > 0 && sids.length > 0);
  }),
);

power.run();
