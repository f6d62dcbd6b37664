/** Where an export may not land: paths of another machine, folders that are not there; and one that breaks off. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TerminalError } from '../../firmware/terminal/errors.ts';
import { exportToCsv } from '../../firmware/terminal/export/export.ts';
import { Ledger } from '../../firmware/terminal/ledger/ledger.ts';
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

test('an export that breaks off is told as a file that could not be written, and leaves none', async () => {
  using folder = temporaryFolder();
  const ledger = Ledger.open({ path: join(folder.path, 'ledger.db'), secondFolder: null, now: () => 0 });
  const places = { folder: join(folder.path, 'exports'), roots: null };
  const broken = async (): Promise<void> => {
    throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
  };
  try {
    const error = await exportToCsv(ledger, 'x.csv', places, broken).catch((cause: unknown) => cause);
    assert.instance(error, TerminalError);
    const { status, category, member, message } = error as TerminalError;
    assert.equal([status, category, member], [500, 'File', 'ResourceError']);
    assert.is(message, 'the export could not be written: ENOSPC: no space left');
    assert.equal(readdirSync(places.folder), []);
    assert.is(await exportToCsv(ledger, 'x.csv', places, async () => undefined), 0);
    assert.equal(readdirSync(places.folder), ['x.csv']);
  } finally {
    ledger.close();
  }
});

test.run();
