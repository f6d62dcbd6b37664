/** What one process does with a file or a folder while another one has it. */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { takeDataDir } from '../../firmware/store/data-dir.ts';
import { StoreError } from '../../firmware/store/errors.ts';
import { temporaryFolder, thrown } from '../support.ts';

const test = suite('files and other processes');

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

test.run();
