/**
 * A device whose disk loses power right after it has answered, and in the midst of its work: what it answered for is there
 * when it is up again. `LANEWARE_POWER_CUTS` sets how often the power goes in the midst of work.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Disk, NO_POWER_CUTS } from './disk.ts';
import { suiteNeeding } from './needing.ts';
import { type Program, startFirmware, type Urls } from './process.ts';
import { tinyFolder } from './recognition/fixtures/models.ts';
import { unzip } from './recognition/packages-support.ts';
import { picture } from './recognition/support.ts';
import { call, SCREEN, until } from './support.ts';
import { seeded } from './tools/seeded.ts';

const power = suiteNeeding(NO_POWER_CUTS, 'a device and the power');
const CUTS = Number(process.env.LANEWARE_POWER_CUTS ?? 3);
const SEED = Number(process.env.SEED ?? Date.now() % 100_000);
const random = seeded(SEED);
/** Of its work: the power goes after so many at most, as soon as there is one of each kind. */
const MOST_ANSWERS = 12;
/** In the first export, beside the one that was there before. */
const PAYMENTS = 20;
const PAGE = 'https://shop.example/pay';
/** In the package that is exported. */
const TEMPLATES = 5;

const model = tinyFolder();
power.after(() => model[Symbol.dispose]());
const settings = {
  LANEWARE_CAMERA_DRIVER: 'push',
  LANEWARE_MODEL_MANIFEST: model.manifestPath,
};

/** A device on a disk that can lose power. */
class Lane implements AsyncDisposable {
  readonly disk = new Disk('512M'); // an export leaves the device 200 MiB
  /** Where the payments are exported to. */
  readonly exported = join(this.disk.mount, 'payments.csv');
  /** The package that was exported last. */
  packed = '';
  #program: Program | null = null;
  #urls: Urls = { terminal: '', recognition: '', sandbox: null };

  get terminal(): string {
    return this.#urls.terminal;
  }

  get recognition(): string {
    return this.#urls.recognition;
  }

  async start(): Promise<void> {
    const { program, urls } = await startFirmware(join(this.disk.mount, 'data'), {
      settings,
      tuning: { maxTemplatesPerItem: 1000 },
    });
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
    const bankProfiles = { p: { bankName: 'Static', staticQR: PAGE } };
    return this.pay('/updateDriverSettings', {
      settings: { bankProfile: 'p', bankProfiles, deviceConnection: SCREEN },
    });
  }

  /** A call of the recognition device that succeeds. */
  async ask<Data>(name: string, json: unknown = {}): Promise<Data> {
    const { body } = await call(`${this.recognition}/api/${name}`, { json });
    if (body.code !== 0) throw new Error(body.msg);
    return body.data;
  }

  learn = async (item: string): Promise<string> =>
    (await this.ask<{ sid: string }>('add_item_template', { id: item })).sid;

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

/** What a device answers for, and what must be there when it is up again; on one disk, one after the other. */
const CASES: readonly (readonly [
  what: string,
  action: (lane: Lane) => Promise<void>,
  check: (lane: Lane) => Promise<void>,
])[] = [
  [
    'settings of the terminal that were taken',
    (lane) => lane.setUp(),
    async (lane) => {
      const { body } = await call(`${lane.terminal}/getDriverSettings`);
      assert.is(body.settings.bankProfiles.p.staticQR, PAGE);
    },
  ],
  [
    'a setting of recognition',
    (lane) => lane.ask('set_result_count', { count: 3 }),
    async (lane) => {
      const { body } = await call(`${lane.recognition}/api/get_device_info`);
      assert.is(body.data.max_result_num, 3);
    },
  ],
  [
    'a payment whose code was shown',
    (lane) => lane.pay('/showQR', { amount: 12_345 }),
    async (lane) => assert.equal(await lane.amounts(), ['12345']),
  ],
  [
    'an export of the payments, with all its lines',
    async (lane) => {
      for (let amount = 1; amount <= PAYMENTS; amount++) await lane.pay('/showQR', { amount });
      await lane.pay('/exportToCSV', { path: lane.exported });
    },
    async (lane) => assert.is(amountsIn(lane.exported).length, PAYMENTS + 1),
  ],
  [
    'an export over an earlier one',
    async (lane) => {
      await lane.pay('/showQR', { amount: 100 });
      await lane.pay('/exportToCSV', { path: lane.exported });
    },
    async (lane) => assert.is(amountsIn(lane.exported).length, PAYMENTS + 2),
  ],
  [
    'a template that was learned',
    async (lane) => void (await lane.learn('4011')),
    async (lane) => assert.is((await lane.ask<string[]>('get_item_template_list', { id: '4011' })).length, 1),
  ],
  [
    'a package that was exported',
    async (lane) => {
      for (let learned = 1; learned < TEMPLATES; learned++) await lane.learn('4011');
      await lane.ask('export_template');
      lane.packed = await until('the package', async () => {
        const { body } = await call(`${lane.recognition}/api/export_template_status`);
        return body.filename;
      });
    },
    async (lane) => {
      const response = await fetch(`${lane.recognition}/download/${lane.packed}`);
      assert.is(response.status, 200);
      const parts = await unzip(Buffer.from(await response.arrayBuffer()));
      assert.is(String(parts.get('templates.jsonl')).trimEnd().split('\n').length, TEMPLATES);
    },
  ],
];

let lane: Lane;
power.before(async () => {
  lane = new Lane();
  await lane.start();
});
power.after(() => lane[Symbol.asyncDispose]());

for (const [what, action, check] of CASES)
  power(`the power goes, and it is there: ${what}`, async () => {
    await action(lane);
    await lane.losePower();
    await check(lane);
  });

power(`at work, ${CUTS} times (SEED=${SEED}): nothing that was answered for is lost`, async () => {
  const sids: string[] = [];
  const amounts: string[] = [];
  for (let cut = 1; cut <= CUTS; cut++) {
    let isOn = true;
    let payments = 0;
    let learned = 0;
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
        if (!isOn) return;
        sids.push(sid);
        learned += 1;
      }),
      work(async () => {
        const amount = cut * 10_000 + amounts.length;
        await lane.pay('/showQR', { amount });
        if (!isOn) return;
        amounts.push(String(amount));
        payments += 1;
      }),
    ]);
    const enough = 1 + random() * MOST_ANSWERS;
    await Promise.race([
      all,
      until('answers of both kinds', () => payments > 0 && learned > 0 && payments + learned > enough),
    ]);
    isOn = false;
    await lane.losePower();
    await all;
    const found = new Set(await lane.amounts());
    assert.equal(
      amounts.filter((amount) => !found.has(amount)),
      [],
      `payments lost by cut ${cut}`,
    );
    const held = new Set<string>();
    for (let item = 1; item <= cut; item++)
      for (const sid of await lane.ask<string[]>('get_item_template_list', { id: `item${item}` })) held.add(sid);
    assert.equal(
      sids.filter((sid) => !held.has(sid)),
      [],
      `templates lost by cut ${cut}`,
    );
  }
  process.stdout.write(`  ${amounts.length} payments and ${sids.length} templates over ${CUTS} cuts\n`);
});

power.run();
