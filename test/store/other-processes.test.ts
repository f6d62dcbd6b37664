/** What one process does with a file or a folder while another one has it. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSyncOptions } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { holderOf, lockDataDir, lockedDatabasesIn } from '../../firmware/core/files/data-dir.ts';
import { connect, openDatabase, openFile } from '../../firmware/core/files/database.ts';
import { StoreError } from '../../firmware/core/files/errors.ts';
import { holding } from '../holder.ts';
import { temporaryFolder, thrown } from '../support.ts';

const test = suite('files and other processes');
/** How long a database stays held after its user has begun to wait. */
const HELD_MS = 300;
const SCHEMA = [{ schema: 1, readableFrom: 1, sql: 'CREATE TABLE IF NOT EXISTS u(x)' }];

test('one process owns the data folder; a second one is refused, and may have it afterwards', () => {
  using folder = temporaryFolder();
  const first = lockDataDir(folder.path);
  const module = JSON.stringify(new URL('../../firmware/core/files/data-dir.ts', import.meta.url).href);
  const take = `const { lockDataDir } = await import(${module}); try { lockDataDir(${JSON.stringify(folder.path)}); console.log('taken') } catch (error) { console.log(error.code) }`;
  const second = () =>
    spawnSync(process.execPath, ['--input-type=module', '-e', take], { encoding: 'utf8' }).stdout.trim();
  assert.is(second(), 'DATA_DIR_BUSY');
  assert.is(thrown(StoreError, () => lockDataDir(folder.path)).code, 'DATA_DIR_BUSY');
  first.release();
  assert.is(second(), 'taken');
});

test('a lock file that another program damages while it is held goes on being held', () => {
  using folder = temporaryFolder();
  const lock = join(folder.path, 'owner.lock');
  const first = lockDataDir(folder.path);
  spawnSync('dd', ['if=/dev/urandom', `of=${lock}`, 'bs=512', 'count=1']);
  assert.is(statSync(lock).size, 512);
  assert.is(thrown(StoreError, () => lockDataDir(folder.path)).code, 'DATA_DIR_BUSY');
  first.release();
});

/** A made-up list of locks: as the kernel has it, with the device of each file changed where that is asked for. */
function locksOf(pid: number, isElsewhere: boolean) {
  const folder = temporaryFolder();
  const lines = readFileSync('/proc/locks', 'utf8').split('\n');
  const own = lines.filter((line) => line.includes(` ${pid} `));
  assert.ok(own.length > 0);
  const text = own
    .map((line) => (isElsewhere ? line.replace(/ [\da-f]+:[\da-f]+:(\d+) /, ' 1f:ff:$1 ') : line))
    .join('\n');
  writeFileSync(join(folder.path, 'locks'), `${text}\n`);
  return folder;
}

test('a lock on a file of another device that has the same inode is none on one here', async () => {
  using folder = temporaryFolder();
  openFile(join(folder.path, 'some.db')).close();
  await using holder = await holding(join(folder.path, 'some.db'));
  using dir = temporaryFolder();
  const owned = lockDataDir(dir.path);
  for (const isElsewhere of [false, true]) {
    using others = locksOf(holder.pid, isElsewhere);
    assert.equal(
      await lockedDatabasesIn(folder.path, others.path),
      isElsewhere ? [] : [{ file: 'some.db', pid: holder.pid }],
    );
    using own = locksOf(process.pid, isElsewhere);
    assert.is(holderOf(dir.path, own.path), isElsewhere ? null : process.pid);
  }
  owned.release();
});

const DATABASE = JSON.stringify(new URL('../../firmware/core/files/database.ts', import.meta.url).href);

/** Another process has a database for itself until it sees the file `leave`, and for a moment after that. */
async function hold(file: string, leave: string): Promise<Disposable> {
  const script = `const [file, leave] = process.argv.slice(1);
    const { openFile } = await import(${DATABASE});
    const { existsSync } = await import('node:fs');
    globalThis.kept = openFile(file); // what nothing names is closed with the garbage
    kept.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; CREATE TABLE t(x)');
    process.stdout.write('held');
    setInterval(() => existsSync(leave) && setTimeout(() => process.exit(), ${HELD_MS}), 10);`;
  const options = ['--input-type=module', '-e', script, file, leave];
  const other = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(other.stdout, 'data');
  return { [Symbol.dispose]: () => void other.kill('SIGKILL') };
}

const read = (file: string, options: DatabaseSyncOptions = {}): void => {
  using db = openFile(file, { readOnly: true, ...options });
  db.prepare('SELECT count(*) FROM t').get();
};

for (const [what, use] of [
  ['opened and checked', (file) => openDatabase(file, SCHEMA, 0).db.close()],
  ['opened a second time', (file) => connect(file).close()],
  ['read', read],
] as readonly [string, (file: string) => void][])
  test(`a database held by another process is ${what} when that one has left it`, async () => {
    using folder = temporaryFolder();
    const [file, leave] = [join(folder.path, 'held.db'), join(folder.path, 'leave')];
    using _other = await hold(file, leave);
    assert.throws(() => read(file, { timeout: 0 }), /database is locked/);
    writeFileSync(leave, '');
    use(file);
  });

test.run();
