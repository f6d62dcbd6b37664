/** Why something cannot be written: recognised alike for SQLite and for files, and worded by each part. */
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bookClosed } from '../../firmware/core/book/live-book.ts';
import { openFile } from '../../firmware/core/files/database.ts';
import { type WriteFailure, whereItCan, writeFailure } from '../../firmware/core/files/write-failure.ts';
import { temporaryFolder } from '../support.ts';

const test = suite('write failures');

function inMemory(sql: string): void {
  using db = new DatabaseSync(':memory:');
  db.exec(sql);
}

function writeTo(file: string, options: DatabaseSyncOptions = {}): void {
  using db = openFile(file, options);
  db.exec('CREATE TABLE IF NOT EXISTS t(x); INSERT INTO t VALUES (1)');
}

const FULL = (): void =>
  inMemory('CREATE TABLE t(x); PRAGMA max_page_count = 2; INSERT INTO t VALUES (zeroblob(100000))');
const READ_ONLY = (): void => inMemory('CREATE TABLE t(x); PRAGMA query_only = ON; INSERT INTO t VALUES (1)');

function torn(folder: string): void {
  const file = join(folder, 'torn.db');
  writeTo(file);
  writeFileSync(file, readFileSync(file).fill(0xff, 4096));
  writeTo(file);
}

function noDatabase(folder: string): void {
  const file = join(folder, 'text.db');
  writeFileSync(file, 'x'.repeat(8192));
  writeTo(file);
}

/** While a connection has it open: SQLite still knows the size from before. */
function cutShort(folder: string): void {
  const file = join(folder, 'short.db');
  using db = openFile(file);
  db.exec(
    'PRAGMA journal_mode = WAL; CREATE TABLE t(x); INSERT INTO t VALUES (zeroblob(100000)); PRAGMA wal_checkpoint(TRUNCATE)',
  );
  using reader = openFile(file);
  reader.exec('SELECT 1 FROM t');
  truncateSync(file, 3 * 4096);
  reader.prepare('SELECT x FROM t').get();
}

function locked(folder: string): void {
  const file = join(folder, 'locked.db');
  using holder = openFile(file);
  holder.exec('BEGIN EXCLUSIVE');
  writeTo(file, { timeout: 0 });
}

function underAFile(folder: string): void {
  writeFileSync(join(folder, 'file'), '');
  mkdirSync(join(folder, 'file', 'below'));
}

/** What really fails, each in a folder of its own. */
const FAILURES: readonly (readonly [WriteFailure | null, string, (folder: string) => void])[] = [
  ['full', 'a database without room', FULL],
  ['refused', 'a database that may only be read', READ_ONLY],
  ['refused', 'a database in a folder that is not there', (folder) => writeTo(join(folder, 'none', 'x.db'))],
  ['damaged', 'a torn database', torn],
  ['damaged', 'a file that is no database', noDatabase],
  ['damaged', 'a database that was cut short', cutShort],
  ['held', 'a database that another connection writes', locked],
  [null, 'a row that breaks a constraint', () => inMemory('CREATE TABLE t(x NOT NULL); INSERT INTO t VALUES (NULL)')],
  ['refused', 'a file in a folder that is not there', (folder) => writeFileSync(join(folder, 'none', 'x'), '')],
  ['refused', 'a folder below a file', underAFile],
  [null, 'a folder that is there already', (folder) => mkdirSync(folder)],
  [null, 'a mistake of ours', () => JSON.parse('{')],
];

function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing failed');
}

for (const [expected, what, work] of FAILURES) {
  test(`${what}: ${expected ?? 'none of the storage'}`, () => {
    using folder = temporaryFolder();
    assert.is(writeFailure(thrownBy(() => work(folder.path))), expected);
  });
}

test('a file on a full disk: full', () => {
  if (!existsSync('/dev/full'))
    return void process.stdout.write('SKIPPED: a full disk: this system has no /dev/full\n');
  assert.is(writeFailure(thrownBy(() => writeFileSync('/dev/full', 'x'))), 'full');
});

test('the quota of a user is a full disk too', () => {
  assert.is(writeFailure(Object.assign(new Error('quota'), { code: 'EDQUOT' })), 'full');
});

test('what was thrown may be anything', () => {
  for (const thrown of [undefined, null, 'full', 13, {}]) assert.is(writeFailure(thrown), null);
});

test('a lock is not passed over as a full disk is: by it alone a data folder has one owner', () => {
  using folder = temporaryFolder();
  assert.throws(() => whereItCan(() => locked(folder.path)), /database is locked/);
});

test('a closed table fails as its storage did: full where that was full', () => {
  for (const [code, failure] of [
    ['ENOSPC', 'full'],
    ['EACCES', 'refused'],
    ['EIO', 'refused'],
  ] as const) {
    const error = bookClosed(Object.assign(new Error(code), { code }));
    assert.is(error.code, 'TABLE_CLOSED');
    assert.is(writeFailure(error), failure, code);
  }
});

test.run();
