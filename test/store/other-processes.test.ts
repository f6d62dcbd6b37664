/** What one process does with a file or a folder while another one has it. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { takeDataDir } from '../../firmware/store/data-dir.ts';
import { connect, openDatabase, openFile } from '../../firmware/store/database.ts';
import { StoreError } from '../../firmware/store/errors.ts';
import { temporaryFolder, thrown } from '../support.ts';

const test = suite('files and other processes');
const HELD_MS = 400;
const SCHEMA = [{ schema: 1, readableFrom: '0.0.0', sql: 'CREATE TABLE IF NOT EXISTS u(x)' }];

test('one process owns the data folder; a second one is refused, and may have it afterwards', () => {
  using folder = temporaryFolder();
  const first = takeDataDir(folder.path);
  const module = JSON.stringify(new URL('../../firmware/store/data-dir.ts', import.meta.url).href);
  const take = `const { takeDataDir } = await import(${module}); try { takeDataDir(${JSON.stringify(folder.path)}); console.log('taken') } catch (error) { console.log(error.code) }`;
  const second = () =>
    spawnSync(process.execPath, ['--input-type=module', '-e', take], { encoding: 'utf8' }).stdout.trim();
  assert.is(second(), 'DATA_DIR_BUSY');
  assert.is(thrown(StoreError, () => takeDataDir(folder.path)).code, 'DATA_DIR_BUSY');
  first.release();
  assert.is(second(), 'taken');
});

test('a lock file that another program damages while it is held goes on being held', () => {
  using folder = temporaryFolder();
  const lock = join(folder.path, 'owner.lock');
  const first = takeDataDir(folder.path);
  spawnSync('dd', ['if=/dev/urandom', `of=${lock}`, 'bs=512', 'count=1']);
  assert.is(statSync(lock).size, 512);
  assert.is(thrown(StoreError, () => takeDataDir(folder.path)).code, 'DATA_DIR_BUSY');
  first.release();
});

/** Another process that has a database for itself, as it does for a moment while it reads a log that a killed one has left. */
async function held(file: string): Promise<void> {
  const script = `const { DatabaseSync } = require('node:sqlite');
    const db = new (DatabaseSync)(process.argv[1]);
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS t(x)');
    process.stdout.write('held');
    setTimeout(() => process.exit(), ${HELD_MS});`;
  const other = spawn(process.execPath, ['-e', script, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(other.stdout, 'data');
}

for (const [what, use] of [
  ['opened and checked', (file) => openDatabase(file, SCHEMA, 0).db.close()],
  ['opened a second time', (file) => connect(file).close()],
  ['read', (file) => openFile(file, { readOnly: true }).prepare('SELECT count(*) FROM t').get()],
] as readonly [string, (file: string) => unknown][])
  test(`a database that another process has for itself for a moment is ${what} after that moment`, async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'held.db');
    await held(file);
    const began = performance.now();
    use(file);
    assert.ok(performance.now() - began > HELD_MS / 4, 'it was held');
  });

test.run();
