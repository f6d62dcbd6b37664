/** The exported file: what is in it, and where it may land. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { csvRow, russianRow, withoutApostrophes } from '../../firmware/core/tables/csv.ts';
import { TerminalError } from '../../firmware/payments/model/terminal-error.ts';
import { CSV_HEAD, exportToCsv } from '../../firmware/payments/reports/papers/export.ts';
import { ExportRoom } from '../../firmware/payments/reports/papers/export-room.ts';
import { ROOT } from '../root.ts';
import {
  call,
  each,
  failed,
  onSetUpDevice,
  SCREEN,
  setUp,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
} from '../support.ts';
import { seeded } from '../tools/seeded.ts';
import { NO_CARE, openMoney } from './ledger-rig.ts';

const test = suite('terminal: CSV export');
const it = each(test, onSetUpDevice);

const exportTo = ({ terminal }: TestDevice, path: string) => call(`${terminal}/exportToCSV`, { json: { path } });

async function refused(device: TestDevice, path: string, reason: RegExp): Promise<void> {
  const { status, body } = await exportTo(device, path);
  assert.is(status, 400, path);
  assert.is(body.error_category, 'RequestParams');
  assert.match(body.error_message, /^path /);
  assert.match(body.error_message, reason);
}

/** The cells as a spreadsheet with this separator begins them: to it, quotes within a cell are letters. */
const cellsBy = (separator: RegExp, csv: string): string[] =>
  csv.split(separator).flatMap((part) => part.split(/\r\n|\r|\n/));

test('no cell is a formula to a spreadsheet that separates cells otherwise', async () => {
  await using device = await startTestDevice();
  const names = ['a;=1+1', 'b\t@cmd', 'c|+7', 'd\n-5', 'e;  =2', 'f;"=3"', 'g;;==4', 'h\r\n=5', 'i;＝6', 'j; "" @x'];
  for (const [index, name] of names.entries()) {
    const settings = { bankProfile: name, bankProfiles: { [name]: { bankName: 'Sandbox' } }, deviceConnection: SCREEN };
    assert.is((await call(`${device.terminal}/updateDriverSettings`, { json: { settings } })).status, 200);
    const purpose = `${name.replaceAll(/\s/g, ' ')} ${index}`;
    assert.is((await call(`${device.terminal}/showQR`, { json: { amount: 100 * (index + 1), purpose } })).status, 200);
  }
  await exportTo(device, 'a.csv');
  const csv = readFileSync(join(device.dataDir, 'exports', 'a.csv'), 'utf8');
  assert.ok(csv.includes(`"a;'=1+1"`), csv);
  for (const separator of [/;/, /\t/, /\|/, /[;\t|]/]) {
    const formulas = cellsBy(separator, csv).filter((cell) => /^[\s"]*[=+\-@＝＋－＠]/.test(cell));
    assert.equal(formulas, [], String(separator));
  }
});

test('no cell of a file with semicolons is a formula where commas separate', () => {
  const line = russianRow(['Bread,=1+1,rye', 'a, -5', 'b,"@c"', "c,'=2", { kopecks: -123_456 }]);
  assert.ok(line.startsWith(`"Bread,'=1+1,rye";`), line);
  assert.equal(
    cellsBy(/,/, line).filter((cell) => /^[\s"]*[=+\-@]/.test(cell) && !cell.startsWith('"-1234')),
    [],
  );
  assert.is(withoutApostrophes("c,''=2"), "c,'=2");
});

it('paths out of the exports folder, to no CSV file, or by a link are refused and not written', async (device) => {
  using outside = temporaryFolder();
  const exports = join(device.dataDir, 'exports');
  mkdirSync(exports);
  symlinkSync(outside.path, join(exports, 'way-out'));
  symlinkSync(join(outside.path, 'target.csv'), join(exports, 'link.csv'));
  writeFileSync(join(exports, 'letter.csv'), 'Dear diary,');
  writeFileSync(join(exports, 'alike.csv'), CSV_HEAD.replace(',error,', ',error_code,'));
  mkdirSync(join(exports, 'folder.csv'));
  await refused(device, '../a.csv', /leaves/);
  await refused(device, 'x/../../a.csv', /leaves/);
  await refused(device, 'a.txt', /\.csv/);
  await refused(device, '.csv', /\.csv/);
  await refused(device, 'a\0.csv', /zero/);
  await refused(device, 'way-out/a.csv', /symbolic link/);
  await refused(device, 'link.csv', /symbolic link/);
  await refused(device, 'letter.csv', /not an earlier export/);
  await refused(device, 'alike.csv', /not an earlier export/);
  await refused(device, 'folder.csv', /not a file/);
  await refused(device, `${'x'.repeat(300)}.csv`, /longer than names of files may be/);
  assert.is((await exportTo(device, '')).status, 400);
  assert.equal(readdirSync(outside.path), []);
  assert.is(readFileSync(join(exports, 'letter.csv'), 'utf8'), 'Dear diary,');
});

it('an earlier export is replaced, whole, and no leftovers stay', async (device) => {
  await exportTo(device, 'a.csv');
  const file = join(device.dataDir, 'exports', 'a.csv');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/,why\r\n/, '\r\n')); // of a release with fewer columns
  await call(`${device.terminal}/showQR`, { json: { amount: 100 } });
  assert.is((await exportTo(device, 'a.csv')).status, 200);
  assert.is(
    readFileSync(join(device.dataDir, 'exports', 'a.csv'), 'utf8')
      .trim()
      .split('\r\n').length,
    2,
  );
  assert.equal(readdirSync(join(device.dataDir, 'exports')), ['a.csv']);
});

test('with export roots set, absolute paths land under them only', async () => {
  using root = temporaryFolder();
  using elsewhere = temporaryFolder();
  await using device = await startTestDevice({ LANEWARE_TERMINAL_EXPORTROOTS: root.path });
  await setUp(device);
  assert.is((await exportTo(device, join(root.path, 'a.csv'))).status, 200);
  await refused(device, join(elsewhere.path, 'a.csv'), /outside/);
  assert.not(existsSync(join(elsewhere.path, 'a.csv')));
});

it('a Windows path on another system is refused, with what is wanted; no such file appears', async (device) => {
  for (const path of ['C:\\x.csv', 'c:x.csv', 'D:/x.csv', '\\\\server\\share\\x.csv', 'folder\\x.csv']) {
    const { status, body } = await exportTo(device, path);
    assert.equal([status, body.error_category], [400, 'RequestParams'], path);
    assert.match(body.error_message, /^path is ".*", a path of Windows: give one on the device, as \//);
    assert.ok(body.error_message.includes(join(device.dataDir, 'exports')), body.error_message);
  }
  assert.not(existsSync(join(device.dataDir, 'exports')));
});

it('a folder that is not there, or is no folder, is named with what to do', async (device) => {
  using folder = temporaryFolder();
  const missing = join(folder.path, 'missing');
  const away = await exportTo(device, join(missing, 'x.csv'));
  assert.equal(
    { status: away.status, error_category: away.body.error_category, error_code: away.body.error_code },
    { status: 500, error_category: 'File', error_code: 5 },
  );
  assert.is(
    away.body.error_message,
    `the folder ${missing} does not exist on the device: create it, or give another path`,
  );
  writeFileSync(missing, '');
  const file = await exportTo(device, join(missing, 'x.csv'));
  assert.is(file.body.error_message, `${missing} is not a folder on the device: create it, or give another path`);
  const below = await exportTo(device, join(missing, 'deeper', 'x.csv'));
  assert.match(below.body.error_message, /deeper does not exist/);
  assert.is((await exportTo(device, 'missing/x.csv')).status, 500);
  mkdirSync(join(device.dataDir, 'exports', 'missing'), { recursive: true });
  assert.is((await exportTo(device, 'missing/x.csv')).status, 200);
});

test('an export that breaks off is reported as a file that could not be written, and leaves none', async () => {
  using folder = temporaryFolder();
  using money = openMoney(folder.path);
  const books = { ledger: money.payments, care: NO_CARE, refundsOf: () => [] };
  const exports = join(folder.path, 'exports');
  const places = { folder: exports, roots: null, room: new ExportRoom(exports, 1) };
  const broken = async (): Promise<void> => {
    throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
  };
  const error = await exportToCsv(books, 'x.csv', places, broken).catch((cause: unknown) => cause);
  assert.instance(error, TerminalError);
  const { status, category, member, message } = error as TerminalError;
  assert.equal([status, category, member], [500, 'File', 'ResourceError']);
  assert.is(message, 'the export could not be written: ENOSPC: no space left');
  assert.equal(readdirSync(places.folder), []);
  assert.is(await exportToCsv(books, 'x.csv', places, async () => undefined), 0);
  assert.equal(readdirSync(places.folder), ['x.csv']);
});

/** An export in a folder with a megabyte of room, whose rows are read by and by. */
function roomy(path: string) {
  const exports = join(path, 'exports');
  const rows = { left: 0 };
  const checked = () => {
    rows.left -= 1;
    return rows.left < 0
      ? []
      : Array.from({ length: 100 }, (_, at) => ({ id: at + 1, payment: null, isDamaged: true }));
  };
  const places = { folder: exports, roots: null, room: new ExportRoom(exports, 1) };
  const books = { ledger: { checked }, care: NO_CARE, refundsOf: () => [] };
  const write = (name: string) => exportToCsv(books, name, places, async () => undefined);
  return { exports, rows, write, refusal: async (name: string) => (await failed(TerminalError, write(name))).message };
}
const FULL = /exports may take 1 MiB of the device: copy earlier ones from .*exports, and delete them/;

test('the folder of exports has a room of its own, by the bytes of its files as by their number', async () => {
  using folder = temporaryFolder();
  const { exports, rows, write, refusal } = roomy(folder.path);
  mkdirSync(join(exports, 'older'), { recursive: true });
  writeFileSync(join(exports, 'older', 'x.csv'), Buffer.alloc(900 * 1024));
  await write('a.csv');
  rows.left = 1000;
  assert.match(await refusal('b.csv'), FULL);
  assert.equal(readdirSync(exports).sort(), ['a.csv', 'older']);
  rows.left = 0;
  await write('b.csv');
  for (let at = 0; at < 40; at++) writeFileSync(join(exports, `small-${at}`), 'x');
  assert.match(await refusal('c.csv'), FULL);
  const elsewhere = join(folder.path, 'elsewhere.csv');
  await write(elsewhere);
  assert.ok(existsSync(elsewhere), 'another folder is a person’s own');
  rmSync(join(exports, 'older'), { recursive: true });
  await write('c.csv');
});

test('exports that are written at once share the room', async () => {
  using folder = temporaryFolder();
  const { exports, rows, write } = roomy(folder.path);
  rows.left = 400;
  const done = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => write(`${name}.csv`)));
  assert.ok(done.some(({ status }) => status === 'rejected'));
  const bytes = readdirSync(exports).reduce((sum, name) => sum + statSync(join(exports, name)).size, 0);
  assert.ok(bytes <= 1024 * 1024, `${bytes}`);
  rows.left = 0;
  for (const name of readdirSync(exports)) rmSync(join(exports, name));
  await write('e.csv');
});

test('the document names each column, in their order', () => {
  const [, section = ''] = readFileSync(join(ROOT, 'docs', 'nine-calls.md'), 'utf8').split('\n## Export\n');
  const [columns = ''] = section.split('Times are UTC');
  const named = [...columns.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  const isColumn = (name = ''): boolean => !['exportToCSV', 'yes', 'no'].includes(name);
  assert.equal(named.filter(isColumn), CSV_HEAD.trim().split(','));
});

/** The rules as patterns, which are not linear. */
const CELL_START = /(^|[,;|\t\r\n])(?='*[\s"]*[=+\-@\t\r＝＋－＠])/g;
const DEFUSED_START = /(^|[,;|\t\r\n])'(?='*[\s"]*[=+\-@\t\r＝＋－＠])/g;

test('a text of a million blanks is made harmless at once, and any other as the rule says', () => {
  const random = seeded(7);
  const letters = [..." ,;|\t\r\n'=+-@x＝"];
  for (let round = 0; round < 5000; round++) {
    const text = Array.from({ length: random() * 9 }, () => letters[Math.floor(random() * letters.length)]).join('');
    const row = csvRow([text], /^$/).slice(0, -2);
    assert.is(row, text === '' ? '""' : text.replaceAll(CELL_START, "$1'"), JSON.stringify(text));
    assert.is(withoutApostrophes(text), text.replaceAll(DEFUSED_START, '$1'), JSON.stringify(text));
  }
  for (const blank of ['\t', '\n', '\t=', "'"]) {
    const text = `${blank.repeat(1_000_000)}x`;
    const row = csvRow([text], /^$/).slice(0, -2);
    assert.ok(withoutApostrophes(row).length <= row.length && row.endsWith('x'), JSON.stringify(blank));
  }
});

test.run();
