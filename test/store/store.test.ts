/** Durable stores: what a torn file, a full disk, a wrong key or a second process does. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { mock } from 'node:test';
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { after } from '../../drivers/lib/async.ts';
import { lockDataDir } from '../../firmware/core/files/data-dir.ts';
import { openDatabase, transaction } from '../../firmware/core/files/database.ts';
import { replaceFile } from '../../firmware/core/files/durable-file.ts';
import { StoreError } from '../../firmware/core/files/errors.ts';
import { lastSetAside } from '../../firmware/core/files/set-aside.ts';
import { JsonStore } from '../../firmware/core/files/two-copy-file.ts';
import { writeFailure } from '../../firmware/core/files/write-failure.ts';
import { LATEST_TIME, LastTime, machineTime, SystemClock } from '../../firmware/core/host/clock.ts';
import { openSealer, Sealer } from '../../firmware/core/secrets/sealer.ts';
import { NOBODY } from '../nobody.ts';
import { replaced } from '../replaced.ts';
import { each, inFolder, temporaryFolder, thrown, writeUnkept } from '../support.ts';

const test = suite('durable stores');
const it = each(test, inFolder);

const Schema = Type.Object({ n: Type.Integer() });
const EMPTY = { n: 0 };
const NOW = Date.parse('2026-11-20');
const DAY_MS = 86_400_000;

function storeWith(folder: string, ...values: number[]): string {
  const path = join(folder, 'doc.json');
  const store = JsonStore.open(path, Schema, EMPTY);
  for (const n of values) store.write({ n });
  return path;
}

it('a document that the next start would not read is refused, and the one before stays', (folder) => {
  const path = join(folder.path, 'doc.json');
  const store = JsonStore.open(path, Type.Array(Type.String()), []);
  store.write(['a']);
  const refusal = thrown(Error, () => store.write(['x'.repeat(17 * 1024 * 1024)]));
  assert.is(writeFailure(refusal), 'full', String(refusal));
  assert.equal([store.value, JsonStore.open(path, Type.Array(Type.String()), []).value], [['a'], ['a']]);
});

it('a document is found again', (folder) => {
  const path = storeWith(folder.path, 1, 2);
  const store = JsonStore.open(path, Schema, EMPTY);
  assert.equal([store.found, store.value], ['good', { n: 2 }]);
  assert.is(JsonStore.open(join(folder.path, 'other.json'), Schema, EMPTY).found, 'absent');
});

it('a document of another shape is reported as a document', (folder) => {
  const path = storeWith(folder.path, 1, 2);
  for (const [damage, problem] of [
    ['null', 'the document must be an object, not null'],
    ['{"n":"two"}', 'n must be a whole number, not a text'],
  ] as const) {
    writeUnkept(path, damage);
    assert.is(JsonStore.open(path, Schema, EMPTY).problem, problem);
  }
});

it('with file and copy both damaged the empty document is taken, and the loss is reported', (folder) => {
  const path = storeWith(folder.path, 1, 2);
  writeUnkept(path, 'x');
  const store = JsonStore.open(path, Schema, EMPTY);
  assert.equal([store.found, store.value], ['lost', EMPTY]);
});

it('a write that fails changes nothing, in memory either, and the next one works', (folder) => {
  const nested = join(folder.path, 'gone');
  mkdirSync(nested);
  const store = JsonStore.open(join(nested, 'doc.json'), Schema, EMPTY);
  store.write({ n: 1 });
  renameSync(nested, `${nested}.away`);
  assert.throws(() => store.write({ n: 2 }));
  assert.equal(store.value, { n: 1 });
  renameSync(`${nested}.away`, nested);
  store.write({ n: 3 });
  assert.equal(JsonStore.open(join(nested, 'doc.json'), Schema, EMPTY).value, { n: 3 });
});

it('what processes that are gone have begun in the folder is swept, and nothing else', (folder) => {
  const left = ['settings.json.123.tmp', 'exports/.1795000000000.csv.77.tmp'];
  const kept = ['settings.json', 'notes.tmp', 'exports/mine.csv.tmp', 'exports/deep/x.1.tmp'];
  mkdirSync(join(folder.path, 'exports/deep'), { recursive: true });
  mkdirSync(join(folder.path, 'folder.1.tmp'));
  for (const name of [...left, ...kept]) writeFileSync(join(folder.path, name), 'x');
  lockDataDir(folder.path).release();
  for (const name of left) assert.not(existsSync(join(folder.path, name)), name);
  for (const name of [...kept, 'folder.1.tmp']) assert.ok(existsSync(join(folder.path, name)), name);
});

it('replacing a file leaves no leftovers and keeps it private', (folder) => {
  const path = join(folder.path, 'secret');
  replaceFile(path, 'one');
  replaceFile(path, 'two');
  assert.is(readFileSync(path, 'utf8'), 'two');
  assert.is(statSync(path).mode & 0o777, 0o600);
  assert.equal(readdirSync(folder.path), ['secret']);
});

const MIGRATIONS = [{ schema: 1, readableFrom: 1, sql: 'CREATE TABLE things (name TEXT)' }];

it('a database is migrated once, by number, and keeps its rows', (folder) => {
  const path = join(folder.path, 'a.db');
  const first = openDatabase(path, MIGRATIONS, NOW);
  first.db.exec("INSERT INTO things VALUES ('x')");
  first.db.close();
  const more = [
    ...MIGRATIONS,
    {
      schema: 2,
      readableFrom: 1,
      sql: "ALTER TABLE things ADD COLUMN colour TEXT DEFAULT 'red'",
    },
  ];
  const second = openDatabase(path, more, NOW);
  assert.equal({ ...second.db.prepare('SELECT * FROM things').get() }, { name: 'x', colour: 'red' });
  second.db.close();
  const older = openDatabase(path, MIGRATIONS, NOW);
  assert.is(older.db.prepare('SELECT name FROM things').get()?.name, 'x', 'the release before still reads it');
  older.db.close();
});

it('a database is durable at every commit', (folder) => {
  const { db } = openDatabase(join(folder.path, 'a.db'), MIGRATIONS, NOW);
  assert.is(db.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal');
  assert.is(db.prepare('PRAGMA synchronous').get()?.synchronous, 2);
  db.close();
});

const head = (bytes: Buffer) => bytes.fill(0x58, 0, 100);
const pages = (bytes: Buffer) => bytes.fill(0xff, 4096);

test('a damaged database is set aside, never deleted, and an empty one takes its place', () => {
  for (const [damage, tables] of [
    [head, null],
    [pages, null],
    [pages, ['things']],
    [pages, ['things', 'those_to_come']],
  ] as const) {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.db');
    const { db } = openDatabase(path, MIGRATIONS, NOW);
    db.exec(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO things SELECT 'thing ' || i FROM n",
    );
    db.close();
    const whole = openDatabase(path, MIGRATIONS, NOW, tables);
    assert.is(whole.setAside, null);
    whole.db.close();
    const bytes = readFileSync(path);
    damage(bytes);
    writeFileSync(path, bytes);
    const opened = openDatabase(path, MIGRATIONS, NOW, tables);
    assert.type(opened.setAside, 'string');
    assert.equal(readFileSync(opened.setAside ?? ''), bytes);
    assert.is(opened.db.prepare('SELECT count(*) AS n FROM things').get()?.n, 0);
    opened.db.close();
  }
});

it('a transaction that fails leaves nothing behind', (folder) => {
  const { db } = openDatabase(join(folder.path, 'a.db'), MIGRATIONS, NOW);
  assert.throws(
    () =>
      transaction(db, () => {
        db.exec("INSERT INTO things VALUES ('x')");
        throw new Error('made up');
      }),
    /made up/,
  );
  assert.is(db.prepare('SELECT count(*) AS n FROM things').get()?.n, 0);
  db.close();
});

test('after any damage to the lock file the folder can be taken, and by one only', () => {
  const damages: Readonly<Record<string, (path: string) => void>> = {
    garbage: (path) => writeFileSync(path, randomBytes(512)),
    text: (path) => writeFileSync(path, 'x'.repeat(8192)),
    'a torn database': (path) =>
      writeFileSync(path, Buffer.concat([Buffer.from('SQLite format 3\0'), randomBytes(500)])),
    'a folder': (path) => mkdirSync(path),
    'a folder with something in it': (path) => mkdirSync(join(path, 'inner'), { recursive: true }),
  };
  for (const [name, damage] of Object.entries(damages)) {
    using folder = temporaryFolder();
    damage(join(folder.path, 'owner.lock'));
    const taken = lockDataDir(folder.path);
    assert.is(thrown(StoreError, () => lockDataDir(folder.path)).code, 'DATA_DIR_BUSY', name);
    taken.release();
    lockDataDir(folder.path).release();
  }
});

const ofSqlite = (message: string, errcode: number) => Object.assign(new Error(message), { errcode });
const NO_LOCK: Readonly<Record<string, Error>> = {
  'a card that reads and locks nothing there': ofSqlite('disk I/O error', 3850),
  'a process without files': ofSqlite('unable to open database file', 14),
  'a file that stays damaged': ofSqlite('file is not a database', 26),
};
for (const [title, error] of Object.entries(NO_LOCK))
  it(`a lock that cannot be had is not passed over: ${title}`, (folder) => {
    using _lock = replaced(DatabaseSync.prototype, 'exec', () => {
      throw error;
    });
    const { code, message } = thrown(StoreError, () => lockDataDir(folder.path));
    assert.is(code, 'DATA_DIR_UNUSABLE');
    assert.match(message, `owner.lock cannot be locked (${error.message})`);
  });

it('a full disk takes no lock and nothing else: the device starts, and says so', (folder) => {
  using _lock = replaced(DatabaseSync.prototype, 'exec', () => {
    throw ofSqlite('database or disk is full', 13);
  });
  lockDataDir(folder.path).release();
});

test('sealed text opens with its key and for its purpose only', () => {
  const sealer = new Sealer(Buffer.alloc(32, 1));
  const sealed = sealer.seal('made-up-secret', 'a');
  assert.not.match(sealed, /made-up/);
  assert.is(sealer.open(sealed, 'a'), 'made-up-secret');
  const broken = (run: () => unknown) => assert.is(thrown(StoreError, run).code, 'SEAL_BROKEN');
  broken(() => sealer.open(sealed, 'b'));
  broken(() => new Sealer(Buffer.alloc(32, 2)).open(sealed, 'a'));
  broken(() => sealer.open(sealed.slice(0, -4), 'a'));
  broken(() => sealer.open('', 'a'));
  broken(() => new Sealer(Buffer.alloc(5)));
});

it("the key comes from systemd's credentials where they are, else from a private file", (folder) => {
  const file = join(folder.path, 'secret.key');
  const fromFile = openSealer(file, undefined).seal('x', 'p');
  assert.is(statSync(file).mode & 0o777, 0o600);
  assert.is(openSealer(file, undefined).open(fromFile, 'p'), 'x');
  writeFileSync(join(folder.path, 'laneware-key'), 'made-up credential of any length');
  const fromCredential = openSealer(join(folder.path, 'unused.key'), folder.path).seal('x', 'p');
  assert.not(existsSync(join(folder.path, 'unused.key')));
  assert.is(thrown(StoreError, () => openSealer(file, undefined).open(fromCredential, 'p')).code, 'SEAL_BROKEN');
});

test('one bit, or all, of key or copy lost: the other opens what was sealed, and both are mended', () => {
  const damages: readonly ((file: string) => void)[] = [
    (file) => {
      const key = readFileSync(file);
      key[5] = (key[5] ?? 0) ^ 1;
      writeFileSync(file, key);
    },
    (file) => rmSync(file),
    ...['', 'x', 'y'.repeat(64)].map((text) => (file: string) => writeFileSync(file, text)),
  ];
  for (const damage of damages)
    for (const [damaged, other] of [
      ['', '.copy'],
      ['.copy', ''],
    ] as const) {
      using folder = temporaryFolder();
      const file = join(folder.path, 'secret.key');
      const sealed = openSealer(file, undefined).seal('x', 'p');
      damage(file + damaged);
      const sealer = openSealer(file, undefined);
      assert.equal([sealer.open(sealed, 'p'), sealer.keySetAside], ['x', null], 'nothing is lost');
      assert.is(statSync(file + damaged).mode & 0o777, 0o600);
      rmSync(file + other);
      assert.is(openSealer(file, undefined).open(sealed, 'p'), 'x', 'the file is whole again');
    }
});

test('where neither holds a key, what is there is set aside, and the new key seals and opens', () => {
  for (const damage of ['', 'x', 'y'.repeat(33)]) {
    using folder = temporaryFolder();
    const file = join(folder.path, 'secret.key');
    const lost = openSealer(file, undefined).seal('x', 'p');
    rmSync(`${file}.copy`);
    writeFileSync(file, damage);
    const sealer = openSealer(file, undefined, NOW);
    assert.is(readFileSync(sealer.keySetAside ?? '', 'utf8'), damage);
    assert.is(thrown(StoreError, () => sealer.open(lost, 'p')).code, 'SEAL_BROKEN');
    const next = openSealer(file, undefined);
    assert.is(next.open(sealer.seal('x', 'p'), 'p'), 'x');
    assert.is(next.keySetAside, null);
  }
});

test('a key that could not be written is written before its first use, and unused until then', () => {
  const uses = [
    (sealer: Sealer) => sealer.open(sealer.seal('x', 'p'), 'p'),
    (sealer: Sealer) => sealer.digest('x', 'p').toString('hex'),
  ];
  for (const use of uses) {
    using folder = temporaryFolder();
    const file = join(folder.path, 'not there yet', 'secret.key');
    const sealer = openSealer(file, undefined);
    assert.throws(() => use(sealer), /ENOENT/);
    mkdirSync(join(folder.path, 'not there yet'));
    assert.is(use(sealer), use(openSealer(file, undefined)));
    const sealed = sealer.seal('y', 'p');
    assert.is(openSealer(file, undefined).open(sealed, 'p'), 'y', 'after a restart');
  }
});

it('what cannot be read at all in place of a key is set aside too', (folder) => {
  const file = join(folder.path, 'secret.key');
  mkdirSync(file);
  const sealed = openSealer(file, undefined).seal('x', 'p');
  assert.is(openSealer(file, undefined).open(sealed, 'p'), 'x');
  assert.ok(statSync(lastSetAside(file) ?? '').isDirectory());
});

it('damage after damage at one moment of the clock: each file is kept', (folder) => {
  const file = join(folder.path, 'secret.key');
  const asides = ['first', 'second', 'third'].map((damage) => {
    writeFileSync(file, damage);
    rmSync(`${file}.copy`, { force: true });
    return openSealer(file, undefined, NOW).keySetAside ?? '';
  });
  assert.equal(
    asides.map((aside) => readFileSync(aside, 'utf8')),
    ['first', 'second', 'third'],
  );
  assert.is(lastSetAside(file), asides[2]);
});

it('a credential that is empty is no key: it is refused, and says where its file lies', (folder) => {
  writeFileSync(join(folder.path, 'laneware-key'), '');
  const empty = thrown(StoreError, () => openSealer(join(folder.path, 'secret.key'), folder.path));
  assert.equal([empty.code, empty.message.includes('/etc/credstore/laneware-key')], ['SEAL_BROKEN', true]);
  assert.equal(readdirSync(folder.path), ['laneware-key']);
});

test('the wall clock never goes below its floor', () => {
  const future = Date.now() + 86_400_000;
  const clock = new SystemClock(0);
  assert.ok(clock.wall() >= Date.now() - 1000);
  clock.raiseFloor(future);
  clock.raiseFloor(5);
  assert.is(clock.wall(), future);
});

test('somebody who says what time it is takes a wrong time back, but not below the build', () => {
  const clock = new SystemClock(NOW, { ...machineTime(), wall: () => 0 });
  clock.raiseFloor(NOW + 10 * DAY_MS);
  clock.setFloor(NOW + DAY_MS);
  assert.is(clock.wall(), NOW + DAY_MS);
  assert.is(clock.behindMs, NOW + DAY_MS);
  clock.setFloor(NOW - DAY_MS);
  assert.is(clock.wall(), NOW);
});

test('an impossible stored time is reported, and stops no clock', () => {
  const implausible: number[] = [];
  const clock = new SystemClock(0, { ...machineTime(), wall: () => NOW }, (wall) => implausible.push(wall));
  for (const wall of [LATEST_TIME + 1, Date.UTC(9999, 0)]) clock.raiseFloor(wall);
  assert.is(clock.wall(), NOW);
  assert.equal(implausible, [LATEST_TIME + 1, Date.UTC(9999, 0)]);
  clock.raiseFloor(LATEST_TIME);
  assert.is(clock.wall(), LATEST_TIME);
});

/** A start of the device: its clock, and how to end it. */
function start(file: string, onFailure = rethrow): { clock: SystemClock; lastTime: LastTime } {
  const clock = new SystemClock(0, { ...machineTime(), wall: () => NOW });
  return { clock, lastTime: new LastTime(clock, file, onFailure) };
}

function rethrow(error: unknown): void {
  throw error;
}

it('the last known moment survives a restart, and damage to its file does no harm', (folder) => {
  const file = join(folder.path, 'last-time');
  const before = start(file);
  before.clock.raiseFloor(NOW + DAY_MS);
  before.lastTime.close();
  const after = start(file);
  assert.is(after.clock.wall(), NOW + DAY_MS);
  after.lastTime.close();
  writeFileSync(file, 'yesterday');
  const mended = start(file);
  assert.is(mended.clock.wall(), NOW + DAY_MS);
  mended.lastTime.close();
  writeUnkept(file, 'yesterday');
  const damaged = start(file, () => undefined);
  assert.is(damaged.clock.wall(), NOW);
  damaged.lastTime.close();
});

it('a last known time that cannot be read is reported, and stops nothing', (folder) => {
  const file = join(folder.path, 'last-time');
  mkdirSync(file);
  const failures: unknown[] = [];
  const { clock, lastTime } = start(file, (error) => void failures.push(error));
  assert.is(clock.wall(), NOW);
  assert.is(failures.length, 1);
  lastTime.close();
});

it('what was stored since the last save counts; what was stored under a wrong time stays gone', (folder) => {
  const file = join(folder.path, 'last-time');
  const wrong = NOW + 400 * DAY_MS;
  const first = start(file);
  first.lastTime.adopt(wrong); // nothing was saved yet: nothing speaks against it
  assert.is(first.clock.wall(), wrong);
  first.clock.setFloor(NOW);
  first.lastTime.close();
  const second = start(file);
  second.lastTime.adopt(wrong);
  assert.is(second.clock.wall(), NOW);
  second.lastTime.adopt(NOW + 30 * 60_000);
  assert.is(second.clock.wall(), NOW + 30 * 60_000);
  second.lastTime.close();
});

/** The longest that Node's own timers can wait. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Lets `ms` pass on the mocked timers, never further at once than one timer can wait. */
function pass(ms: number): void {
  for (let left = ms; left > 0; left -= LONGEST_TIMER_MS) mock.timers.tick(Math.min(left, LONGEST_TIMER_MS));
}

test('a timer fires once, at its moment, however far that is', () => {
  for (const ms of [0, 1, LONGEST_TIMER_MS, LONGEST_TIMER_MS + 1, 90 * DAY_MS]) {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let fired = 0;
      after(ms, () => {
        fired += 1;
      });
      const calledOff = after(ms, () => {
        throw new Error('it was called off');
      });
      pass(ms - 1);
      assert.is(fired, 0, `${ms} ms: too early`);
      calledOff();
      pass(1);
      assert.is(fired, 1, `${ms} ms: at its moment`);
      pass(90 * DAY_MS);
      assert.is(fired, 1, `${ms} ms: again`);
    } finally {
      mock.timers.reset();
    }
  }
});

it('another owner’s folder in the data, as a factory reset leaves, lets the device start', (folder) => {
  const kept = join(folder.path, 'kept');
  const isRoot = process.getuid?.() === 0;
  mkdirSync(kept);
  chmodSync(kept, isRoot ? 0o700 : 0);
  if (isRoot) chownSync(folder.path, NOBODY, NOBODY);
  if (isRoot) process.seteuid?.(NOBODY); // nothing stops root
  try {
    lockDataDir(folder.path).release();
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(kept, 0o700);
  }
});

for (const mode of [0o600, 0o444])
  it(`another user’s lock with mode ${mode.toString(8)} is refused by its owner, not passed over`, (folder) => {
    const file = join(folder.path, 'owner.lock');
    writeFileSync(file, '');
    chmodSync(folder.path, 0o777);
    const isRoot = process.geteuid?.() === 0;
    chmodSync(file, isRoot ? mode : 0);
    if (isRoot) process.seteuid?.(NOBODY); // nothing stops root
    try {
      const { code, message } = thrown(StoreError, () => lockDataDir(folder.path));
      assert.is(code, 'DATA_DIR_UNUSABLE');
      assert.match(
        message,
        /owner\.lock (?:belongs to (?:root|user \d+), and this process .* run chown -R|has a mode that keeps its owner out: run chmod)/,
      );
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

test.run();
