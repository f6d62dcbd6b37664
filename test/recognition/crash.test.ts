/**
 * The device is killed at random moments of adding, deleting, clearing and importing: what was acknowledged is there
 * afterwards, and nothing half-done is. `LANEWARE_CRASH_ROUNDS=200 node test/run.ts test/recognition/crash.test.ts`
 * kills it 200 times.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, temporaryFolder, until } from '../support.ts';
import { picture, startRig } from './support.ts';

const ROUNDS = Number(process.env.LANEWARE_CRASH_ROUNDS ?? 20);
const PACKAGE_ITEMS = 5;
const PACKAGE_EACH = 30;
const DEVICE = fileURLToPath(new URL('./fixtures/crash-device.ts', import.meta.url));
const crash = suite('crashes');

const jpeg = await picture(1);

/** A package of as many templates as need several commits to land. */
async function makePackage(): Promise<Buffer> {
  await using rig = await startRig({ serial: 'OTHER001', config: { maxTemplatesPerItem: 1000 } });
  await rig.show(jpeg);
  const capture = await rig.recognition.recogniser.capture();
  for (let at = 0; at < PACKAGE_ITEMS * PACKAGE_EACH; at++)
    await rig.recognition.templates.add({ item: `package${at % PACKAGE_ITEMS}`, ...capture });
  return await rig.exportPackage();
}

interface Device {
  readonly process: ChildProcess;
  readonly url: string;
  kill(): Promise<void>;
}

async function start(folder: string): Promise<Device> {
  const child = spawn(process.execPath, [DEVICE, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    exited.then(() => {
      throw new Error('the device ended by itself');
    }),
  ]);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  return { process: child, url: String(line).trim(), kill };
}

/** What must be there, and what a call that was not answered may have done. */
class Expectation {
  readonly present = new Map<string, Set<string>>();
  doubt: {
    readonly kind: 'add' | 'delete' | 'delete-item' | 'clear';
    readonly item: string;
    readonly sid?: string;
  } | null = null;

  of(item: string): Set<string> {
    const known = this.present.get(item) ?? new Set();
    this.present.set(item, known);
    return known;
  }

  /** Every state that the device may be in, as sets of identifiers by item; null stands for one that nobody was told. */
  check(listed: ReadonlyMap<string, readonly string[]>): void {
    const { doubt } = this;
    if (doubt?.kind === 'clear' && [...listed.values()].every((sids) => sids.length === 0)) {
      this.present.clear();
      return;
    }
    for (const item of new Set([...listed.keys(), ...this.present.keys()])) {
      const sids = new Set(listed.get(item) ?? []);
      const expected = this.of(item);
      const missing = [...expected].filter((sid) => !sids.has(sid));
      const surplus = [...sids].filter((sid) => !expected.has(sid));
      const mine = doubt?.item === item ? doubt : null;
      if (mine?.kind === 'delete-item' && sids.size === 0) expected.clear();
      else if (mine?.kind === 'delete' && missing.join() === mine.sid) expected.delete(missing.join());
      else if (mine?.kind === 'add' && surplus.length === 1 && missing.length === 0) expected.add(surplus.join());
      else assert.equal({ item, missing, surplus }, { item, missing: [], surplus: [] });
    }
  }
}

const post = (url: string, path: string, json?: unknown) =>
  call(`${url}/api/${path}`, json === undefined ? { method: 'POST' } : { json });

/** One random call; its effect is noted when it was answered. */
async function act(url: string, expected: Expectation, kinds: readonly string[]): Promise<void> {
  const kind = kinds[Math.floor(Math.random() * kinds.length)];
  const item = `own${Math.floor(Math.random() * 3)}`;
  const sids = expected.of(item);
  const [sid] = sids;
  if (kind === 'clear') {
    expected.doubt = { kind, item };
    await post(url, 'clear_all_template');
    expected.present.clear();
  } else if (kind === 'delete' && sid !== undefined) {
    expected.doubt = { kind, item, sid };
    assert.is((await post(url, 'delete_item_template', { id: item, sid })).body.code, 0);
    sids.delete(sid);
  } else if (kind === 'delete-item' && sids.size > 0) {
    expected.doubt = { kind, item };
    assert.is((await post(url, 'delete_item', { id: item })).body.code, 0);
    sids.clear();
  } else {
    expected.doubt = { kind: 'add', item };
    const { body } = await post(url, 'add_item_template', { id: item });
    assert.is(body.code, 0, body.msg);
    assert.not(sids.has(body.data.sid));
    sids.add(body.data.sid);
  }
  expected.doubt = null;
}

async function listAll(url: string): Promise<Map<string, string[]>> {
  const { body } = await call(`${url}/api/get_item_list`);
  const listed = new Map<string, string[]>();
  for (const { id, count } of body.data) {
    const { data } = (await post(url, 'get_item_template_list', { id })).body;
    assert.is(data.length, count);
    assert.is(new Set(data).size, count, 'an identifier twice');
    listed.set(id, data);
  }
  return listed;
}

/** Works at the device until it is dead. */
async function workUntilDeath(work: () => Promise<void>, isDead: () => boolean): Promise<void> {
  try {
    while (!isDead()) await work();
  } catch (error) {
    if (!isDead()) throw error;
  }
}

async function upload(url: string, zip: Buffer): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(zip)]), 'package.zip');
  await call(`${url}/api/import_template`, { method: 'POST', body: form });
}

crash(`${ROUNDS} kills lose nothing that was acknowledged and leave nothing half-done`, async () => {
  const zip = await makePackage();
  using folder = temporaryFolder();
  const expected = new Expectation();
  let device = await start(folder.path);
  const isPackage = (item: string): boolean => item.startsWith('package');
  const outcomes = { all: 0, none: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const imports = round % 2 === 0;
    const kinds = imports ? ['add', 'add', 'delete'] : ['add', 'add', 'add', 'delete', 'delete-item', 'clear'];
    const { url } = device;
    await call(`${url}/camera/frame`, {
      method: 'PUT',
      headers: { 'content-type': 'image/jpeg' },
      body: new Uint8Array(jpeg),
    });
    let dead = false;
    let accepted = false;
    let completed = false;
    const working = workUntilDeath(
      () => act(url, expected, kinds),
      () => dead,
    );
    const importing = workUntilDeath(
      async () => {
        if (!imports) return await pause(5);
        await upload(url, zip);
        accepted = true;
        for (;;) {
          const { status } = (await call(`${url}/api/import_template_status`)).body;
          completed ||= status === 4;
          await pause(5);
        }
      },
      () => dead,
    );
    await pause(Math.random() * (imports ? 1500 : 300));
    dead = true;
    await device.kill();
    await Promise.all([working, importing]);

    device = await start(folder.path);
    const listed = await listAll(device.url);
    const imported = [...listed].filter(([item]) => isPackage(item)).reduce((sum, [, sids]) => sum + sids.length, 0);
    assert.ok([0, PACKAGE_ITEMS * PACKAGE_EACH].includes(imported), `${imported} templates of a package`);
    const { status } = (await call(`${device.url}/api/import_template_status`)).body;
    if (imports) {
      assert.ok(imported > 0 || !completed, 'a completed import is gone');
      // before it was accepted, the status may still be that of the import before
      if (accepted || imported > 0)
        assert.is(imported > 0, status === 4, `status ${status} with ${imported} templates`);
      outcomes[imported > 0 ? 'all' : 'none'] += 1;
    }
    expected.check(new Map([...listed].filter(([item]) => !isPackage(item))));
    expected.doubt = null;
    for (const item of [...listed.keys()].filter(isPackage)) {
      assert.is((await post(device.url, 'delete_item', { id: item })).body.code, 0);
    }
  }
  await call(`${device.url}/camera/frame`, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: new Uint8Array(jpeg),
  });
  if ([...expected.present.values()].some((sids) => sids.size > 0)) {
    assert.match((await call(`${device.url}/api/get_result`)).body.data.items[0].id, /^own/);
  }
  // what was cut off is swept away in the end
  await until('the sweeping', () => {
    const db = new DatabaseSync(`${folder.path}/templates.db`, { readOnly: true });
    const hidden = db.prepare("SELECT count(*) AS count FROM batches WHERE state <> 'visible'").get();
    const orphans = db
      .prepare('SELECT count(*) AS count FROM crops WHERE template NOT IN (SELECT id FROM templates)')
      .get();
    db.close();
    return hidden?.count === 0 && orphans?.count === 0;
  });
  await device.kill();
  console.log(`imports: ${outcomes.all} whole, ${outcomes.none} not at all`);
});

crash.run();
