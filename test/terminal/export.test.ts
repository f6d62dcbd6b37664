/** Where an export may not land: paths of another machine, folders that are not there. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, setUp, startTestDevice, type TestDevice, temporaryFolder } from '../support.ts';

const test = suite('terminal: paths of an export');

const exportTo = ({ terminal }: TestDevice, path: string) => call(`${terminal}/exportToCSV`, { json: { path } });

test('a path of Windows is refused on another system, and says what is wanted; no file of that name appears', async () => {
  if (process.platform === 'win32') return console.log('SKIPPED: on Windows it is a path of the device');
  await using device = await startTestDevice();
  await setUp(device);
  for (const path of ['C:\\x.csv', 'c:x.csv', 'D:/x.csv', '\\\\server\\share\\x.csv', 'folder\\x.csv']) {
    const { status, body } = await exportTo(device, path);
    assert.equal([status, body.error_category], [400, 'RequestParams'], path);
    assert.match(body.error_message, /^path is ".*", a path of Windows: give one on the device, as \//);
    assert.ok(body.error_message.includes(join(device.dataDir, 'exports')), body.error_message);
  }
  assert.not(existsSync(join(device.dataDir, 'exports')));
});

test('a folder that is not there, or is no folder, is named with what to do', async () => {
  using folder = temporaryFolder();
  await using device = await startTestDevice();
  await setUp(device);
  const missing = join(folder.path, 'missing');
  const away = await exportTo(device, join(missing, 'x.csv'));
  assert.equal([away.status, away.body.error_category], [500, 'File']);
  assert.is(
    away.body.error_message,
    `the folder ${missing} does not exist on the device: create it, or give another path`,
  );
  writeFileSync(missing, '');
  const file = await exportTo(device, join(missing, 'x.csv'));
  assert.is(file.body.error_message, `${missing} is no folder on the device: create it, or give another path`);
  const below = await exportTo(device, join(missing, 'deeper', 'x.csv'));
  assert.match(below.body.error_message, /deeper does not exist/);
  assert.is((await exportTo(device, 'missing/x.csv')).status, 500);
  mkdirSync(join(device.dataDir, 'exports', 'missing'), { recursive: true });
  assert.is((await exportTo(device, 'missing/x.csv')).status, 200);
});

test.run();
