/** A recognition device killed at random moments: what was acknowledged is there afterwards, and nothing half-done is. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { Program } from '../process.ts';
import { picture, startRig } from '../recognition/support.ts';
import { call, temporaryFolder, until } from '../support.ts';
import { draw, Killable } from './killable.ts';

const { kills, random, label, one } = draw(6);
const PACKAGE_ITEMS = 5;
const PACKAGE_EACH = 100;
const PACKAGE = PACKAGE_ITEMS * PACKAGE_EACH;
/** From what is waited for to the kill. */
const LATEST_KILL_MS = 300;
/** Items of one file of a catalogue. */
const CHUNK = 300;

const test = suite(`SIGKILL while a device learns (${kills} kills, ${label})`);

const jpeg = await picture(1);

/** A device that can be killed, and started anew with what it has written until then. */
const openDevice = (folder: string) =>
  new Killable(async () => {
    const program = new Program(['test/kill/recognition-process.ts', folder]);
    return { program, ready: await program.line(({ url }) => (typeof url === 'string' ? url : null)) };
  });

const show = (url: string) =>
  call(`${url}/camera/frame`, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: new Uint8Array(jpeg),
  });

/** Some moment after what is waited for. */
async function momentAfter(what: string, isThere: () => boolean): Promise<void> {
  await until(what, isThere);
  await pause(random() * LATEST_KILL_MS);
}

/** A package of as many templates as need several commits to land. */
async function makePackage(): Promise<Buffer> {
  await using rig = await startRig({ serial: 'OTHER001', service: { maxTemplatesPerItem: 1000 } });
  await rig.show(jpeg);
  const capture = await rig.recognition.recogniser.capture();
  for (let at = 0; at < PACKAGE; at++)
    await rig.recognition.templates.add({ item: `package${at % PACKAGE_ITEMS}`, ...capture });
  return await rig.exportPackage();
}

/** What must be there, and what a call that was not answered may have done. */
class Expectation {
  readonly present = new Map<string, Set<string>>();
  pending: {
    readonly kind: 'add' | 'delete' | 'delete-item' | 'clear';
    readonly item: string;
    readonly sid?: string;
  } | null = null;

  of(item: string): Set<string> {
    const known = this.present.get(item) ?? new Set();
    this.present.set(item, known);
    return known;
  }

  /** Every state that the device may be in, as sets of identifiers by item; null stands for one that no caller got. */
  check(listed: ReadonlyMap<string, readonly string[]>): void {
    const { pending } = this;
    if (pending?.kind === 'clear' && [...listed.values()].every((sids) => sids.length === 0)) {
      this.present.clear();
      return;
    }
    for (const item of new Set([...listed.keys(), ...this.present.keys()])) {
      const sids = new Set(listed.get(item) ?? []);
      const expected = this.of(item);
      const missing = [...expected].filter((sid) => !sids.has(sid));
      const surplus = [...sids].filter((sid) => !expected.has(sid));
      const mine = pending?.item === item ? pending : null;
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
  const kind = one(kinds);
  const item = one(['own0', 'own1', 'own2']);
  const sids = expected.of(item);
  const [sid] = sids;
  if (kind === 'clear') {
    expected.pending = { kind, item };
    await post(url, 'clear_all_template');
    expected.present.clear();
  } else if (kind === 'delete' && sid !== undefined) {
    expected.pending = { kind, item, sid };
    assert.is((await post(url, 'delete_item_template', { id: item, sid })).body.code, 0);
    sids.delete(sid);
  } else if (kind === 'delete-item' && sids.size > 0) {
    expected.pending = { kind, item };
    assert.is((await post(url, 'delete_item', { id: item })).body.code, 0);
    sids.clear();
  } else {
    expected.pending = { kind: 'add', item };
    const { body } = await post(url, 'add_item_template', { id: item });
    assert.is(body.code, 0, body.msg);
    assert.not(sids.has(body.data.sid));
    sids.add(body.data.sid);
  }
  expected.pending = null;
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

/** An import that is sent until the device dies, and the answers that it got. */
class Import {
  isAccepted = false;
  isCompleted = false;

  async step(url: string, zip: Buffer): Promise<void> {
    if (!this.isAccepted) {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(zip)]), 'package.zip');
      assert.is((await call(`${url}/api/import_template`, { method: 'POST', body: form })).body.code, 0);
      this.isAccepted = true;
    }
    this.isCompleted ||= (await call(`${url}/api/import_template_status`)).body.status === 4;
    await pause(5);
  }

  /** @param imported how many of its templates are there */
  async check(url: string, imported: number): Promise<void> {
    const { status } = (await call(`${url}/api/import_template_status`)).body;
    assert.ok(imported > 0 || !this.isCompleted, 'a completed import is gone');
    // before it was accepted, the status may still be that of the import before
    if (this.isAccepted || imported > 0)
      assert.is(imported > 0, status === 4, `status ${status} with ${imported} templates`);
  }
}

const isPackage = (item: string): boolean => item.startsWith('package');

/** How many of something lie on the disk. */
function count(folder: string, what: string): number {
  using db = openFile(join(folder, 'templates.db'), { readOnly: true });
  return Number(db.prepare(`SELECT count(*) AS count FROM ${what}`).get()?.count);
}

const IMPORTS = "SELECT id FROM batches WHERE kind = 'import'";
/** Of the templates of some package, those that have landed, whether they count already or not. */
const landed = (folder: string): number => count(folder, `templates WHERE batch IN (${IMPORTS})`);

/** What was cut off is swept away in the end. */
const isSwept = (folder: string): boolean =>
  count(folder, "batches WHERE state <> 'visible'") === 0 &&
  count(folder, 'crops WHERE template NOT IN (SELECT id FROM templates)') === 0;

test('templates and packages: nothing acknowledged is lost, and nothing half-done is left', async () => {
  const zip = await makePackage();
  using folder = temporaryFolder();
  const expected = new Expectation();
  await using device = openDevice(folder.path);
  for (let kill = 0; kill < kills; kill += 1) {
    const url = await device.start();
    await show(url);
    const coming = kill % 2 === 0 ? new Import() : null;
    let calls = 0;
    const work = async (): Promise<void> => {
      await act(
        url,
        expected,
        coming === null ? ['add', 'add', 'add', 'delete', 'delete-item', 'clear'] : ['add', 'add', 'delete'],
      );
      calls += 1;
    };
    const before = landed(folder.path);
    const enough = random() * 10;
    // some while a package lands, and some whenever
    const moment =
      coming !== null && kill > 0
        ? until('the landing', () => landed(folder.path) > before)
        : momentAfter('some calls', () => calls > enough);
    await device.killUnder(moment, work, ...(coming === null ? [] : [() => coming.step(url, zip)]));

    const next = await device.start();
    const listed = await listAll(next);
    const packed = [...listed].filter(([item]) => isPackage(item));
    const imported = packed.reduce((sum, [, sids]) => sum + sids.length, 0);
    assert.ok([0, PACKAGE].includes(imported), `${imported} templates of a package`);
    await coming?.check(next, imported);
    expected.check(new Map([...listed].filter(([item]) => !isPackage(item))));
    expected.pending = null;
    for (const [id] of packed) assert.is((await post(next, 'delete_item', { id })).body.code, 0);
    await until('the sweeping', () => isSwept(folder.path) && landed(folder.path) === 0);
  }
  const url = await device.start();
  await show(url);
  if ([...expected.present.values()].some((sids) => sids.size > 0))
    assert.match((await call(`${url}/api/get_result`)).body.data.items[0].id, /^own/);
});

test('a catalogue: whole files or nothing, and all that was acknowledged', async () => {
  using folder = temporaryFolder();
  await using device = openDevice(folder.path);
  let acknowledged = 0;
  for (let kill = 0; kill < kills / 2; kill += 1) {
    const url = await device.start();
    const before = acknowledged;
    const step = async (): Promise<void> => {
      const items = Array.from({ length: CHUNK }, (_, at) => ({ id: `i${acknowledged + at}`, price: 1 }));
      assert.is((await call(`${url}/v1/catalogue`, { json: { items } })).status, 200);
      acknowledged += CHUNK;
    };
    await device.killUnder(
      momentAfter('a file', () => acknowledged > before),
      step,
    );
    const { items } = (await call(`${await device.start()}/v1/catalogue`)).body;
    assert.is(items.length % CHUNK, 0, 'a file is whole');
    assert.ok(
      items.length >= acknowledged && items.length <= acknowledged + CHUNK,
      `${items.length} of ${acknowledged}`,
    );
    acknowledged = items.length;
  }
});

test.run();
