/** A letter of a database's own tables that has changed on the card: SQLite calls that whole, and the device finds it. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Migration, migrate, openFile } from '../../firmware/core/files/database.ts';
import { misformOf } from '../../firmware/core/files/form.ts';
import { temporaryFolder } from '../support.ts';
import { paymentsAfter } from '../terminal/ledger-rows.ts';
import { change, Device, soldFrom } from './book-device.ts';
import { DATABASES } from './openers.ts';

const test = suite('the form of a database');

const STEPS: readonly Migration[] = [
  {
    schema: 1,
    readableFrom: 1,
    sql: `CREATE TABLE sales (id INTEGER PRIMARY KEY, merchant TEXT DEFAULT 'no--body', n INTEGER CHECK (n > 0)); -- a till's
      CREATE INDEX by_merchant ON sales (merchant) WHERE n > 1`,
  },
  { schema: 2, readableFrom: 1, sql: 'ALTER TABLE sales ADD COLUMN late INTEGER NOT NULL DEFAULT 0' },
];

function made(steps = STEPS, more = ''): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  migrate(db, steps);
  db.exec(more);
  return db;
}

const SALES_TEXT = "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = 'sales'";

/** The same with another text of its table. */
function rewritten(from: string, to: string): DatabaseSync {
  const db = made();
  db.enableDefensive(false);
  db.exec('PRAGMA writable_schema = ON');
  db.prepare(SALES_TEXT).run(from, to);
  return db;
}

test('it is that of an empty one after the same steps, with other comments and blanks, too', () => {
  assert.is(misformOf(made(), STEPS), null);
  assert.is(misformOf(made(STEPS.slice(0, 1)), STEPS), null, 'a step that waits');
  assert.is(misformOf(made(), STEPS.slice(0, 1)), null, 'what a later release has made');
  assert.is(misformOf(rewritten('TEXT DEFAULT', 'TEXT -- who is paid\n\t/* or nobody */ DEFAULT'), STEPS), null);
  assert.is(misformOf(made(STEPS, 'ANALYZE'), STEPS), null);
});

test('any other text is named', () => {
  for (const [from, to] of [
    ['merchant', 'merchAnt'],
    ['n > 0', 'n > 1'],
    ["'no--body'", "'no--bodY'"],
    ['late INTEGER', 'late REAL'],
    ['DEFAULT 0', 'DEFAULT 1'],
    ['merchant TEXT', 'merchant \u00a0TEXT'], // SQLite takes it for a letter
  ] as const)
    assert.is(misformOf(rewritten(from, to), STEPS), 'its table sales has another form', to);
  for (const [more, words] of [
    ['CREATE TABLE other (n)', 'it has a table other, which no device makes'],
    ['CREATE VIEW other AS SELECT 1', 'it has a view other, which no device makes'],
    ['CREATE TRIGGER other AFTER INSERT ON sales BEGIN SELECT 1; END', 'it has a trigger other, which no device makes'],
    ['CREATE INDEX other ON sales (n)', 'it has a index other, which no device makes'],
    ['DROP INDEX by_merchant', 'it has no index by_merchant'],
  ] as const)
    assert.is(misformOf(made(STEPS, more), STEPS), words);
});

test('a name of statistics makes no trigger one of them', () => {
  const db = made();
  db.enableDefensive(false);
  db.exec(`PRAGMA writable_schema = ON;
    INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_stat9', 'sales', 0, 'CREATE TRIGGER sqlite_stat9 AFTER INSERT ON sales BEGIN SELECT 1; END')`);
  assert.is(misformOf(db, STEPS), 'it has a trigger sqlite_stat9, which no device makes');
});

/** The first column of the text of each database that has small letters, as it is written there. */
const FIRST_COLUMN = /\(\s*(?:only_one|[a-z_]+)/;

function firstColumnIn(path: string): string {
  using db = openFile(path, { readOnly: true });
  const tables = db.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' LIMIT 1");
  return FIRST_COLUMN.exec(String(tables.get()?.sql))?.[0] ?? '';
}

/** Wherever it stands: pages keep what they have given up. */
const write = (path: string, from: string, to: string): void =>
  change(path, (bytes) => {
    for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) bytes.write(to, at);
  });

test('each database with one changed letter in a column is set aside as any damaged one', () => {
  for (const [name, problemWith] of Object.entries(DATABASES).filter(([each]) => each !== 'money.db')) {
    using folder = temporaryFolder();
    const path = join(folder.path, name);
    problemWith(path);
    problemWith(path);
    const aside = () => readdirSync(folder.path).filter((each) => each.includes('.damaged-'));
    assert.equal(aside(), [], `${name} is whole`);
    {
      using db = openFile(path);
      db.exec('PRAGMA journal_mode = DELETE');
    }
    const column = firstColumnIn(path);
    write(path, column, column.toUpperCase());
    problemWith(path);
    assert.ok(aside().length > 0, name);
    problemWith(path);
    assert.equal(firstColumnIn(path), column, name);
  }
});

for (const [title, [from, to]] of Object.entries({
  'one letter of the name of a column': ['merchant TEXT', 'merchAnt TEXT'],
  'one letter of a rule of money': ['stays paid', 'Stays paid'],
  'the number of the form': ['', ''],
}))
  test(`${title} of the book: it is rebuilt with all sales, and goes on`, async () => {
    using device = new Device();
    device.sell(1, 3);
    const merchants = () => paymentsAfter(device.money.payments, 0, 9).map(({ merchant }) => merchant);
    const sold = merchants();
    assert.ok(sold.every(Boolean), 'each says who is paid');
    await device.restart(() => {
      {
        using db = openFile(device.file());
        db.exec('PRAGMA journal_mode = DELETE');
      }
      if (from !== '') write(device.file(), from ?? '', to ?? '');
      else change(device.file(), (bytes) => void bytes.writeUInt32BE(2, 60));
    });
    assert.equal([device.book.problem, merchants()], [null, sold]);
    device.sell(4);
    assert.equal(merchants().length, 4);
    assert.ok(merchants().every(Boolean));
  });

test('of another database in the place of the book no row is computed, which could last for ever', async () => {
  const endless = 'WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n WHERE id < 0';
  for (const sql of [
    `CREATE VIEW payments AS ${endless}`,
    'CREATE TABLE payments (id INTEGER PRIMARY KEY, more AS (length(hex(zeroblob(400000000)))));INSERT INTO payments VALUES (1)',
    'CREATE VIRTUAL TABLE payments USING fts5(id)',
  ]) {
    using device = new Device();
    device.sell(1, 3);
    await device.restart(() => {
      device.loseDatabase();
      using db = openFile(device.file());
      db.exec(sql);
    });
    assert.equal([device.book.problem, device.sold], [null, soldFrom(1, 3)], sql);
  }
});

test('the daily check of the book of money finds it, too', async () => {
  using device = new Device();
  device.sell(1, 3);
  {
    using db = openFile(device.file());
    db.exec('CREATE VIEW more AS SELECT 1');
  }
  await device.keeper.compare();
  await device.keeper.whenRebuilt();
  using db = openFile(device.file());
  assert.is(db.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE type = 'view'").get()?.n, 0);
  assert.is(paymentsAfter(device.money.payments, 0, 9).length, 3);
});

test.run();
