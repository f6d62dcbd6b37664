/** A plug that is pulled while items lie in the log of their database, and a card that damages that log. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Items } from '../../firmware/recognition/items/items.ts';
import { StillClock } from '../still-clock.ts';
import { call, startTestDevice, type TestDevice, temporaryFolder } from '../support.ts';
import { learnSome } from './packages-support.ts';
import { startRig } from './support.ts';

const test = suite('recognition: a damaged log');

const MINUTE_MS = 60_000;
const ITEMS = 30;

const logBytes = (path: string): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

async function put(items: Items, count: number, from = 0): Promise<void> {
  for (let n = from; n < from + count; n += 1) await items.put(`item-${n}`, { name: `Item ${n}` });
}

async function countIn(items: Items): Promise<number> {
  let count = 0;
  for await (const page of items.all()) count += page.length;
  return count;
}

async function on<T>(path: string, work: (items: Items, clock: StillClock) => Promise<T>): Promise<T> {
  const clock = new StillClock();
  const items = new Items(path, clock);
  items.file.settle(clock);
  try {
    return await work(items, clock);
  } finally {
    await items.close();
    assert.is(clock.waiting, 0);
  }
}

/** What a pulled plug leaves of the files of `path`. */
function pulled(path: string, into: string): string {
  mkdirSync(into);
  const left = join(into, 'items.db');
  for (const end of ['', '-wal', '.rows', '.rows.copy'])
    if (existsSync(path + end)) copyFileSync(path + end, left + end);
  return left;
}

test('after a minute of quiet all lies in the file, and none in the log', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'items.db');
  await on(path, async (items, clock) => {
    await put(items, ITEMS);
    assert.ok(logBytes(path) > 0);
    clock.go(MINUTE_MS);
    assert.ok(logBytes(path) > 0, 'it was written to in this minute');
    clock.go(MINUTE_MS);
    assert.is(logBytes(path), 0);
    const left = pulled(path, join(folder.path, 'left'));
    assert.is(await on(left, countIn), ITEMS);
  });
});

test('a database that is never left alone is brought into its file even so', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'items.db');
  await on(path, async (items, clock) => {
    let most = 0;
    for (let minute = 0; minute < 8; minute += 1) {
      await put(items, 1, minute);
      clock.go(MINUTE_MS);
      if (logBytes(path) === 0) most = Math.max(most, minute);
    }
    assert.ok(most > 0);
  });
});

test('a bit that turns over in the hot log loses no item', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'items.db');
  await on(path, async (items) => {
    await put(items, ITEMS);
    const left = pulled(path, join(folder.path, 'left'));
    const log = readFileSync(`${left}-wal`);
    log[5000] = (log[5000] ?? 0) ^ 1;
    writeFileSync(`${left}-wal`, log);
    assert.is(await on(left, countIn), ITEMS);
  });
});

test('a planned end leaves no log, and a file that comes back with fewer items is reported until there are new ones', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'items.db');
  await on(path, (items) => put(items, ITEMS));
  assert.is(logBytes(path), 0);
  const former = readFileSync(path);
  await on(path, (items) => put(items, 5, ITEMS));
  writeFileSync(path, former);
  for (const start of ['first', 'second'])
    assert.is(
      await on(path, async (items, clock) => {
        clock.go(5 * MINUTE_MS);
        return items.file.loss.missing;
      }),
      5,
      start,
    );
  await on(path, (items) => put(items, 1, 100));
  assert.is(await on(path, async (items) => items.file.loss.missing), 0);
});

test('a log that is gone is reported at each start until there is something new; one that is not needed is not missed', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'items.db');
  const whole = { missing: 0, isAltered: false, isLogGone: false };
  const lossOf = async ({ file: { loss } }: Items) => {
    const { missing, isAltered, isLogGone } = loss;
    return { missing, isAltered, isLogGone };
  };
  const left = await on(path, async (items) => {
    await put(items, ITEMS);
    return pulled(path, join(folder.path, 'left'));
  });
  rmSync(`${left}-wal`);
  const lookedAt = async (items: Items, clock: StillClock) => {
    clock.go(5 * MINUTE_MS);
    return await lossOf(items);
  };
  for (const start of ['first', 'second']) assert.equal(await on(left, lookedAt), { ...whole, isLogGone: true }, start);
  await on(left, (items) => put(items, 1, ITEMS));
  assert.equal(await on(left, lossOf), whole);
  // all of it lies in the file by then
  const settled = await on(path, async (items, clock) => {
    await put(items, 1, ITEMS);
    clock.go(2 * MINUTE_MS);
    return pulled(path, join(folder.path, 'settled'));
  });
  rmSync(`${settled}-wal`, { force: true });
  assert.equal(await on(settled, lossOf), whole);
});

test('a bit that turns over in an item of the file is reported until there is something new', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'items.db');
  await on(path, (items) => put(items, ITEMS));
  const bytes = readFileSync(path);
  // of the table, and not of an index or of what was deleted
  for (let at = bytes.indexOf('Item 7'); at >= 0; at = bytes.indexOf('Item 7', at + 1)) bytes[at] = 'J'.charCodeAt(0);
  writeFileSync(path, bytes);
  for (const start of ['first', 'second'])
    assert.equal(
      await on(path, async (items) => [items.find('item-7')?.name, items.file.loss.isAltered, items.file.loss.missing]),
      ['Jtem 7', true, 0],
      start,
    );
  await on(path, (items) => put(items, 1, 7));
  assert.is(await on(path, async (items) => items.file.loss.isAltered), false);
});

const healthOf = async ({ recognition }: TestDevice, part: string) =>
  (await call(`${recognition}/health`)).body.data.parts.find((entry: { part: string }) => entry.part === part);

test('a device without its logs reports lost items and templates, and an item that the card has changed', async () => {
  using folder = temporaryFolder();
  const [data, left] = [join(folder.path, 'data'), join(folder.path, 'left')];
  {
    await using rig = await startRig({ folder: data });
    await learnSome(rig, 1, 1);
    assert.is((await call(`${rig.url}/v1/items/a`, { method: 'PUT', json: { name: 'Apple' } })).status, 201);
    mkdirSync(left);
    for (const name of readdirSync(data).filter((each) => /^(?:items|templates)\.db(?:\.rows.*)?$/.test(each)))
      copyFileSync(join(data, name), join(left, name));
  }
  {
    await using device = await startTestDevice({}, left);
    for (const part of ['items', 'templates']) {
      const { state, reason } = await healthOf(device, part);
      assert.equal([state, /the log of their file is gone/.test(reason)], ['degraded', true], `${part}: ${reason}`);
    }
  }
  for (const [name, text] of [
    ['items.db', 'Apple'],
    ['templates.db', 'item0'],
  ] as const) {
    const bytes = readFileSync(join(data, name));
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(join(data, name), bytes);
  }
  await using device = await startTestDevice({}, data);
  assert.match((await healthOf(device, 'items')).reason, 'the card has changed some of the items');
  assert.match((await healthOf(device, 'templates')).reason, 'the card has changed some of the templates');
});

test('a log that cannot be mended is kept, and reported at each start until it is moved away', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  mkdirSync(data);
  {
    const whole = join(folder.path, 'items.db');
    await on(whole, async (items) => {
      await put(items, ITEMS);
      for (const end of ['', '-wal']) copyFileSync(whole + end, join(data, `items.db${end}`));
    });
  }
  const log = readFileSync(join(data, 'items.db-wal'));
  writeFileSync(join(data, 'items.db-wal'), log.fill(0, 60_000, 70_000));
  let kept = '';
  for (const start of ['first', 'second']) {
    await using device = await startTestDevice({}, data);
    const { state, reason } = await healthOf(device, 'items');
    assert.is(state, 'degraded', start);
    kept = /kept as (\S+)\./.exec(reason)?.[1] ?? '';
    assert.equal(readFileSync(kept), log);
  }
  rmSync(kept);
  await using device = await startTestDevice({}, data);
  assert.is((await healthOf(device, 'items')).state, 'ok');
});

test.run();
