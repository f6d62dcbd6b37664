/** Backups that somebody has made up: each is refused by name before anything of the device has changed, which sells as before. */
import { cpSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { putStand, RowFormat, valuesOf } from '../../../firmware/core/book/index.ts';
import { openFile } from '../../../firmware/core/files/database.ts';
import { BackupError } from '../../../firmware/features/backup/backup-error.ts';
import { childJudge } from '../../../firmware/features/backup/child-process.ts';
import { copyInto } from '../../../firmware/features/backup/copies.ts';
import { judge } from '../../../firmware/features/backup/judge.ts';
import { encoded } from '../../../firmware/features/backup/make.ts';
import { sealFile } from '../../../firmware/features/backup/sealed-stream.ts';
import { openSecrets } from '../../../firmware/features/backup/secrets.ts';
import { featureDatabases } from '../../../firmware/features.ts';
import { DATABASES as OPENERS } from '../../store/openers.ts';
import {
  type Answer,
  call,
  failed,
  SANDBOX_SETTINGS,
  setUp,
  startTestDevice,
  type TemporaryFolder,
  type TestDevice,
  temporaryFolder,
} from '../../support.ts';
import { healthOf } from '../../terminal/device-calls.ts';
import { amounts, formOf, leftOf, PASSPHRASE, pay, putBack, refused, sell } from './rig.ts';

const test = suite('backups that somebody has made up');

const ENDLESS = 'WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n WHERE id < 0';

/** The files of a backup of a device that has sold; of the databases that it lacks, empty ones. */
let good: TemporaryFolder;
test.before(async () => {
  good = temporaryFolder();
  using folder = temporaryFolder();
  {
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    await sell(device, 100);
    await pay(device);
    await sell(device, 200);
  }
  for (const name of ['lanes.db', 'webhooks.db']) OPENERS[name]?.(join(folder.path, name));
  assert.equal(await copyInto(folder.path, good.path), []);
});
test.after(() => good[Symbol.dispose]());

type Alter = (path: string) => void;

const running =
  (sql: string): Alter =>
  (path) => {
    using db = openFile(path);
    db.exec(sql);
  };
const working =
  (work: (db: DatabaseSync) => void): Alter =>
  (path) => {
    using db = openFile(path);
    work(db);
  };
/** Another text of a table, which SQLite does not check. */
const rewriting = (table: string, from: string, to: string): Alter =>
  working((db) => {
    db.enableDefensive(false);
    db.exec('PRAGMA writable_schema = ON');
    const { changes } = db
      .prepare('UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = ? AND instr(sql, ?)')
      .run(from, to, table, from);
    assert.is(changes, 1, from);
  });
/** Of the first payment, with the checksum that fits. */
const payment = (values: Readonly<Record<string, string | number>>): Alter =>
  working((db) => {
    const format = new RowFormat(db, 'payments');
    format.put({ ...valuesOf(db.prepare('SELECT * FROM payments').get() ?? {}), ...values });
  });
const holding =
  (bytes: string | Buffer): Alter =>
  (path) =>
    writeFileSync(path, bytes);
const changing =
  (alter: (bytes: Buffer) => void): Alter =>
  (path) => {
    const bytes = readFileSync(path);
    alter(bytes);
    writeFileSync(path, bytes);
  };

/** Under a name that SQLite keeps for its statistics, and that it does not look at when it reads a file. */
const asStatistics = (table: string): Alter =>
  working((db) => {
    db.enableDefensive(false);
    db.exec('PRAGMA writable_schema = ON');
    const trigger = `CREATE TRIGGER sqlite_stat9 BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'no'); END`;
    db.prepare("INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_stat9', ?, 0, ?)").run(table, trigger);
  });
/** The first number in a file's head that says which releases of SQLite may write it. */
const forLaterSqlite = changing((bytes) => void bytes.writeUInt8(3, 18));
const NUMBERS = 'WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 2000)';
const closedShift = (report: string): Alter =>
  working((db) => {
    const at = { opened_at: 1, since_change: 0, closed_at: 2, change_no: 1 };
    new RowFormat(db, 'shifts').put({ id: 1, number: 1, ...at, has_returned: 0, report });
  });

const HUGE = 2 ** 52 + 2;
const MIB = 1024 * 1024;

/** By file: what is made of it, and what is said of it. */
const MADE_UP: Readonly<Record<string, Readonly<Record<string, readonly [Alter, RegExp]>>>> = {
  'money.db': {
    'a trigger': [
      running("CREATE TRIGGER t BEFORE INSERT ON payments BEGIN SELECT RAISE(ABORT, 'no'); END"),
      /it has a trigger t, which no device makes/,
    ],
    'a trigger under a name of statistics': [asStatistics('payments'), /it has a trigger sqlite_stat9/],
    'a head that forbids writing': [forLaterSqlite, /readonly database/],
    'a form that its lines would ask for': [
      running('UPDATE written_by SET readable_from = 99'),
      /it asks for form 99 of its readers/,
    ],
    'a list of rows that nobody has written': [
      running(`${NUMBERS} INSERT INTO payments_changes SELECT 1000000 + id, id FROM n`),
      /its table payments holds/,
    ],
    'a list that is longer than its table': [
      running(`${NUMBERS} INSERT INTO payments_changes SELECT 0, 10 + id FROM n`),
      /its table payments holds/,
    ],
    'an amount below nothing, which a rule forbids': [
      running('PRAGMA ignore_check_constraints = ON; UPDATE payments SET amount = -5 WHERE id = 1'),
      /CHECK constraint failed in payments/,
    ],
    'a text that would take the memory of each start': [
      running("UPDATE payments SET till = printf('%.*c', 2000000, 'x') WHERE id = 1"),
      /its table payments holds/,
    ],
    'a value that is no picture': [
      running('UPDATE payments SET purpose = zeroblob(20000000) WHERE id = 1'),
      /its table payments holds/,
    ],
    'counters of other tables': [
      running(`${NUMBERS} INSERT INTO sqlite_sequence SELECT 'x', id FROM n`),
      /its counters are at their end, or those of other tables/,
    ],
    'a counter twice': [
      running("INSERT INTO sqlite_sequence SELECT * FROM sqlite_sequence WHERE name = 'payments'"),
      /its counters/,
    ],
    'a counter that is none': [running('UPDATE sqlite_sequence SET seq = NULL'), /its counters/],
    'an event after the last': [
      running(
        `INSERT INTO events SELECT 1 + (SELECT last_event FROM book), at, type, order_id, body FROM events LIMIT 1`,
      ),
      /its table events holds/,
    ],
    'an event that is a number': [running("UPDATE events SET body = '5'"), /its table events holds/],
    'a closed shift whose report is a number': [closedShift('5'), /its table shifts holds/],
    'a closed shift with another report': [closedShift('{"groups":5}'), /its table shifts holds/],
    'a trigger that never ends': [
      running(`CREATE TRIGGER t AFTER UPDATE ON book BEGIN DELETE FROM payments WHERE id IN (${ENDLESS}); END`),
      /it has a trigger t/,
    ],
    'an endless view': [running(`CREATE VIEW v AS ${ENDLESS}`), /it has a view v/],
    'an endless view in the place of the payments': [
      running(`ALTER TABLE payments RENAME TO p; CREATE VIEW payments AS ${ENDLESS}`),
      /no table payments/,
    ],
    'a view in the place of the number': [
      running(`DROP TABLE written_by; CREATE VIEW written_by AS ${ENDLESS}`),
      /no table written_by/,
    ],
    'a computed column without end': [
      running('ALTER TABLE payments ADD COLUMN c AS (hex(zeroblob(400000000)))'),
      /its table payments has another form/,
    ],
    'a rule that nothing meets': [
      rewriting('payments', 'amount INTEGER NOT NULL', 'amount INTEGER NOT NULL CHECK (amount < 0)'),
      /its table payments/,
    ],
    'another default': [
      rewriting('payments', 'awaited INTEGER NOT NULL DEFAULT 1', 'awaited INTEGER NOT NULL DEFAULT 0'),
      /its table payments/,
    ],
    'another letter of a column': [rewriting('payments', 'merchant TEXT', 'merchAnt TEXT'), /its table payments/],
    'texts that are equal in capitals': [
      rewriting('payments', 'order_id TEXT NOT NULL', 'order_id TEXT COLLATE NOCASE NOT NULL'),
      /its table payments/,
    ],
    'a column more': [running('ALTER TABLE refunds ADD COLUMN more TEXT'), /its table refunds/],
    'a table more': [running('CREATE TABLE more (n PRIMARY KEY) WITHOUT ROWID'), /it has a table more/],
    'a virtual table': [running('CREATE VIRTUAL TABLE more USING fts5(n)'), /it has a table more/],
    'an index more': [running('CREATE INDEX more ON payments (abs(amount))'), /it has a index more/],
    'a rule of money less': [running('DROP TRIGGER payments_never_unpaid'), /no trigger payments_never_unpaid/],
    'an index less': [running('DROP INDEX payments_open'), /no index payments_open/],
    'no rows of numbers': [running('DROP TABLE book'), /no table book/],
    'a form below the first': [running('PRAGMA user_version = -1'), /it has form -1/],
    'no form': [running('PRAGMA user_version = 0'), /it has form 0/],
    'two forms': [running('UPDATE written_by SET schema = 7'), /schema \d in one place, and 7 in another/],
    'pages of 64 KiB': [running('PRAGMA page_size = 65536; VACUUM'), /its pages have 65536 bytes/],
    'other letters': [
      (path) => {
        const from = openFile(path);
        const parts = from.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
        const { user_version: form } = from.prepare('PRAGMA user_version').get() ?? {};
        from.close();
        writeFileSync(path, '');
        using db = openFile(path);
        db.exec("PRAGMA encoding = 'UTF-16le'");
        for (const { sql } of parts) if (!String(sql).includes('sqlite_sequence')) db.exec(String(sql));
        db.exec("INSERT INTO written_by VALUES (1, 1, '0.1.0', 1)");
        db.exec(`UPDATE written_by SET schema = ${form}; PRAGMA user_version = ${form}`);
      },
      /its texts are UTF-16le/,
    ],
    nothing: [holding(''), /it has form 0/],
    noise: [holding(Buffer.alloc(300_000, 'a7 b9 noise')), /not a database/],
    'half of it': [(path) => truncateSync(path, 40_000), /malformed|of the backup/],
    'a page of noise': [changing((bytes) => void bytes.fill(0xa7, 20_480, 24_576)), /of the backup/],
    'a counter at its end': [
      running("UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'payments'"),
      /its counters are at their end/,
    ],
    'a row with the last number': [
      payment({ id: HUGE, order_id: 'x' }),
      /its table payments holds what no device writes/,
    ],
    'a row of a later commit than the last': [payment({ change_no: 1_000_000 }), /its table payments holds/],
    'more rows lost than any card loses': [payment({ id: 2000, order_id: 'x' }), /its table payments holds/],
    'a reference of the bank that nobody can read': [payment({ bank_ref: '{"id":' }), /its table payments holds/],
    'events that nobody can read': [running("UPDATE events SET body = 'x'"), /its table events holds/],
    'an amount in letters': [payment({ amount: 'many' }), /its table payments holds/],
    'a time that is none': [payment({ created_at: HUGE * 1000 }), /its table payments holds/],
    'no last commit': [running('DELETE FROM book'), /its place cannot be read/],
    'a last commit that nobody has made': [
      running('UPDATE book SET commit_no = commit_no + 7'),
      /its place cannot be read/,
    ],
    'a last commit at the end of all numbers': [
      working((db) => putStand((sql) => db.prepare(sql), { commit: HUGE, hash: '', lastEvent: 0 })),
      /its place cannot be read/,
    ],
  },
  'sandbox.db': {
    'a trigger': [running('CREATE TRIGGER t AFTER INSERT ON sale BEGIN DELETE FROM sale; END'), /a trigger t/],
    'a trigger under a name of statistics': [asStatistics('sale'), /it has a trigger sqlite_stat9/],
  },
  'lanes.db': { 'an endless view': [running(`CREATE VIEW v AS ${ENDLESS}`), /a view v/] },
  'webhooks.db': { 'a column more': [running('ALTER TABLE addresses ADD COLUMN n'), /its table addresses/] },
  'items.db': {
    'a head that forbids writing': [forLaterSqlite, /readonly database/],
    'a name that is no text': [running("UPDATE written_by SET release = x'00'"), /its table written_by holds/],
  },
  'templates.db': { 'a trigger less': [running('DROP TRIGGER confirmations_go'), /no trigger confirmations_go/] },
  'settings.json': {
    'another document': [holding('{"a":1}'), /settings/],
    'a list': [holding('[]'), /cannot be read/],
    nothing: [holding(''), /cannot be read/],
    noise: [holding(Buffer.alloc(1000, 7)), /cannot be read/],
    'a well of brackets': [holding('['.repeat(4_000_000)), /cannot be read/],
    'more than any device has': [holding(`"${'a'.repeat(17 * MIB)}"`), /more than 16777216 bytes/],
    'the head of a copy with the last number': [
      changing((bytes) => void bytes.write('laneware-kept-1 999999999999999 ')),
      /cannot be read/,
    ],
  },
  'merchants.json': { 'a number': [holding('{"a":1}'), /cannot be read/] },
  'certificates.json': { 'a list': [holding('[]'), /cannot be read/] },
  'recognition.json': { 'an area without end': [holding('{"area":{"top":1e9}}'), /cannot be read/] },
  'extra-info.json': { null: [holding('null'), /cannot be read/] },
  'shop.json': { 'another document': [holding('{"a":1}'), /cannot be read/] },
  'empty-tray.bin': {
    noise: [holding(Buffer.alloc(5000, 7)), /cannot be read/],
    'a tray of any size': [
      holding(Buffer.concat([Buffer.from('LWT2\xff\xff\xff\xff', 'latin1'), Buffer.alloc(2 * MIB)])),
      /cannot be read/,
    ],
  },
};

function unpacked(): TemporaryFolder {
  const folder = temporaryFolder();
  cpSync(good.path, join(folder.path, 'unpacked'), { recursive: true });
  return folder;
}
const judging = async ({ path }: TemporaryFolder) => ({
  databases: await featureDatabases(),
  ...{ folder: path, unpacked: join(path, 'unpacked'), isOwn: true, isForced: false, secrets: [] },
});

for (const [file, altered] of Object.entries(MADE_UP))
  for (const [title, [alter, words]] of Object.entries(altered))
    test(`${file}: ${title}`, async () => {
      using folder = unpacked();
      alter(join(folder.path, 'unpacked', file));
      const { code, message, parameters } = await failed(BackupError, judge(await judging(folder)));
      assert.is(code, 'Damaged');
      assert.match(message, words, message);
      assert.match(message, new RegExp(`${file} of the backup .*take another backup`));
      assert.is(parameters.file, file);
      assert.equal(readdirSync(folder.path), ['unpacked']);
    });

test('a form of a later release is named with what to do', async () => {
  using folder = unpacked();
  running('PRAGMA user_version = 999; UPDATE written_by SET schema = 999')(join(folder.path, 'unpacked', 'money.db'));
  const { code, message } = await failed(BackupError, judge(await judging(folder)));
  assert.is(code, 'TooNew');
  assert.match(
    message,
    /money\.db of the backup has form 999, and this release knows up to \d: update this device/,
    message,
  );
});

for (const [title, alter] of Object.entries({
  'as it was made': () => undefined,
  'with the mark of another program': running('PRAGMA application_id = 7'),
  'with a log beside it': running('PRAGMA journal_mode = WAL'),
  'with a row that the card has altered': running("UPDATE payments SET amount = 'many' WHERE id = 1"),
}))
  test(`what a device may have made is taken: ${title}`, async () => {
    using folder = unpacked();
    alter(join(folder.path, 'unpacked', 'money.db'));
    assert.equal(await judge(await judging(folder)), {});
  });

test('statistics, which say to SQLite how it searches, are left behind', async () => {
  using folder = unpacked();
  const path = join(folder.path, 'unpacked', 'money.db');
  running("ANALYZE; UPDATE sqlite_stat1 SET stat = '1 1000000000'")(path);
  assert.equal(await judge(await judging(folder)), {});
  using db = openFile(path);
  assert.equal(db.prepare("SELECT name FROM sqlite_schema WHERE name LIKE '%stat%'").all(), []);
});

const MORE = { purpose: 'x', text: 'made up' };
for (const [title, altered, secret, words] of [
  [
    'a document that its secrets make longer than any',
    (text: string) => text.replace('{', `{"much":${JSON.stringify(Array(2000).fill('s'))},`),
    { sealed: 's', here: 'x'.repeat(10_000), ...MORE },
    /more than 16777216 bytes/,
  ],
  [
    'a document that is too deep to be written',
    (text: string) => text.replace('{', `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)},`),
    { sealed: 's', here: 'x', ...MORE },
    /Maximum call stack/,
  ],
] as const)
  test(`settings.json is judged as found: ${title}`, async () => {
    using folder = unpacked();
    const path = join(folder.path, 'unpacked', 'settings.json');
    writeFileSync(path, altered(readFileSync(path, 'utf8')));
    const { code, message } = await failed(BackupError, judge({ ...(await judging(folder)), secrets: [secret] }));
    assert.is(code, 'Damaged');
    assert.match(message, words, message);
  });

const of = (purpose: string, text: string) => ({ sealed: 'sealed there', here: 'sealed here', purpose, text });
const SETTINGS = JSON.stringify({
  settings: { ...SANDBOX_SETTINGS, bankProfiles: { [SANDBOX_SETTINGS.bankProfile]: { bankName: 'Sandbox' } } },
  more: 'sealed there',
});
for (const [file, document, purpose, texts, good] of [
  ['settings.json', SETTINGS, 'settings/more', ['{"a":1}', '[]', 'x'], '{"bankProfiles":{},"deviceConnection":{}}'],
  [
    'merchants.json',
    '{"shop":"sealed there"}',
    'merchant/shop',
    ['{"bankName":"Sandbox"}', '[{"bankName":"Nobody"}]', 'x'],
    '[{"bankName":"Sandbox"}]',
  ],
  ['certificates.json', '{"000000000000-a.pem":"sealed there"}', 'certificate/000000000000-a.pem', ['x', ''], null],
] as const) {
  for (const text of texts)
    test(`${file}: a secret that opens but does not belong: ${text}`, async () => {
      using folder = unpacked();
      writeFileSync(join(folder.path, 'unpacked', file), document);
      const secrets = [of(purpose, text)];
      const { code, message, parameters } = await failed(BackupError, judge({ ...(await judging(folder)), secrets }));
      assert.equal([code, parameters.file], ['Damaged', file]);
      assert.match(message, 'what is sealed in it is of another shape');
      // the answer to who makes such a backup says so, too
      const opener = { open: () => text };
      const places = new Map([[file, join(folder.path, 'unpacked', file)]]);
      assert.equal(openSecrets(places, opener), { secrets: [], unopened: 1 });
    });
  if (good !== null)
    test(`${file}: a secret that is what belongs there is taken`, async () => {
      using folder = unpacked();
      writeFileSync(join(folder.path, 'unpacked', file), document);
      assert.equal(await judge({ ...(await judging(folder)), secrets: [of(purpose, good)] }), {});
    });
}

test('what cannot be judged in time is refused, and the process that was at it is gone', async () => {
  using folder = unpacked();
  const { code, message } = await failed(BackupError, childJudge(1).judge(await judging(folder)));
  assert.is(code, 'Damaged');
  assert.match(message, 'could not be judged (the process of backups said nothing for 1 ms)');
});

const ABOUT = { version: '0.1.0', device: 'TEST0001', madeAt: '2026-11-21T00:00:00.000Z' };

/** As {@link good}, with one file altered, and another list. */
async function sealedWith(file: string, alter: Alter, list: (files: { name: string; bytes: number }[]) => object[]) {
  using folder = unpacked();
  const { unpacked: from } = await judging(folder);
  alter(join(from, file));
  const names = readdirSync(from).filter((name) => !/-(?:wal|shm)$/.test(name));
  const contents = names.map((name) => readFileSync(join(from, name)));
  const files = list(names.map((name, n) => ({ name, bytes: contents[n]?.length ?? 0 })));
  const manifest = encoded({ board: '', files, secrets: [], unopened: 0 } as unknown as Parameters<typeof encoded>[0]);
  const plain = Buffer.concat([manifest, ...contents]);
  const { content } = await sealFile(PASSPHRASE, ABOUT, { plain: Readable.from([plain]), plainBytes: plain.length });
  return await buffer(content);
}

/** Announces no length. */
async function putBackInChunks({ recognition }: TestDevice, file: Buffer): Promise<Answer> {
  const form = new Response(formOf(file));
  const headers = { 'content-type': form.headers.get('content-type') ?? '' };
  const init = { method: 'POST', headers, body: form.body, duplex: 'half' } as const;
  return await call(`${recognition}/console/api/backups/restore`, init);
}

test('a device that is sent them has changed nothing, sells on, and starts again', async () => {
  using folder = temporaryFolder();
  const asIs = <T>(files: T): T => files;
  const trigger = running(
    `CREATE TRIGGER t AFTER UPDATE ON book BEGIN DELETE FROM payments WHERE id IN (${ENDLESS}); END`,
  );
  const named = (name: string) => (files: { name: string; bytes: number }[]) =>
    files.map((file) => (file.name === 'shop.json' || file.name === 'money.db' ? { ...file, name } : file));
  const sized = (bytes: number) => (files: { name: string; bytes: number }[]) =>
    files.map((file) => (file.name === 'settings.json' ? { ...file, bytes } : file));
  {
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    let sold = 0;
    for (const [title, file, status, code] of [
      ['a trigger', await sealedWith('money.db', trigger, asIs), 422, 'Backups.Damaged'],
      ['another document', await sealedWith('settings.json', holding('{"a":1}'), asIs), 422, 'Backups.Damaged'],
      ['a name that leads out', await sealedWith('money.db', () => {}, named('../money.db')), 422, 'Backups.Damaged'],
      ['a name twice', await sealedWith('money.db', () => {}, named('items.db')), 422, 'Backups.Damaged'],
      ['a document of 17 MiB', await sealedWith('money.db', () => {}, sized(17 * MIB)), 422, 'Backups.Damaged'],
      ['a size below nothing', await sealedWith('money.db', () => {}, sized(-1)), 422, 'Backups.Damaged'],
    ] as const) {
      refused(await putBack(device, formOf(file)), status, code);
      assert.equal(leftOf(folder.path), [], title);
      sold += 1;
      await sell(device, 100 * sold);
      await pay(device);
    }
    const long = await sealedWith(
      'money.db',
      () => {},
      (files) => files.map((file) => (file.name === 'money.db' ? { ...file, bytes: 2 ** 43 } : file)),
    );
    const { status, body } = await putBackInChunks(device, long);
    assert.is(status, 507, JSON.stringify(body));
    assert.is((await call(`${device.recognition}/console/api/backups`)).body.ready, false);
    assert.is((await amounts(device)).length, sold);
  }
  await using device = await startTestDevice({}, folder.path);
  await sell(device, 1000);
  await pay(device);
});

test('a restored row that the card has altered is named, and the device starts and sells', async () => {
  using folder = temporaryFolder();
  const altered = running('UPDATE payments SET amount = 7 WHERE id = 1');
  const file = await sealedWith('money.db', altered, (files) => files);
  {
    await using device = await startTestDevice({}, folder.path);
    const { status, text } = await putBack(device, formOf(file));
    assert.is(status, 200, text);
  }
  await using device = await startTestDevice({}, folder.path);
  const ledger = await healthOf(device, 'ledger');
  assert.is(ledger.state, 'degraded');
  assert.match(ledger.reason, /payments 1/);
  await setUp(device);
  await sell(device, 500);
  await pay(device);
});

test.run();
