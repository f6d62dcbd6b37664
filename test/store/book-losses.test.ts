/** Losses and damage of the journal: `/health` names each, also before the newest beginning, and an old journal holds up no sale. */

import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { beginOwnHistory } from '../../firmware/features/backup/retained-money.ts';
import { finishRestore, makeReady } from '../../firmware/features/backup/swap.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { each, temporaryFolder } from '../support.ts';
import { NOW } from '../terminal/ledger-rig.ts';
import { paymentsAfter } from '../terminal/ledger-rows.ts';
import { change, Device, soldFrom } from './book-device.ts';

const test = suite('a book of money that loses parts of its journal');
const it = each(test, (run: (device: Device) => Promise<void> | void) => async (): Promise<void> => {
  using device = new Device();
  await run(device);
});

const DAY_MS = 86_400_000;
/** Days between two beginnings: a quarter. */
const QUARTER_DAYS = 92;

const named = (device: Device): string => device.keeper.problems.map(String).join('\n');

/** Sells on some days, each with a quiet minute; sale n is that of day n. */
async function sellOn(device: Device, ...days: readonly number[]): Promise<void> {
  for (const day of days) {
    device.now = NOW + day * DAY_MS;
    device.sell(day);
    await device.rest();
  }
}

const files = (device: Device, kind: string): string[] =>
  readdirSync(device.journal)
    .filter((name) => name.endsWith(kind))
    .map((name) => join(device.journal, name));

it('a journal that is gone is named, and has all rows again at once', async (device) => {
  await sellOn(device, 1, 2);
  await device.restart(() => rmSync(device.journal, { recursive: true }));
  assert.match(named(device), /it was gone, and begins anew behind commit \d+/);
  device.keeper.start();
  await device.keeper.compare();
  assert.is(files(device, '.rows').length, 1);
  assert.equal(device.problems, ['ledger-journal']);
  await device.outlivesItsDatabase(2);
});

it('a journal that goes while the device runs is named, and has all rows again', async (device) => {
  await sellOn(device, 1, 2);
  rmSync(device.journal, { recursive: true });
  device.sell(3);
  await device.rest();
  assert.equal(device.problems, ['ledger-journal']);
  await device.outlivesItsDatabase(3);
});

test('a restored book begins a journal of its own: none is lost', async () => {
  using device = new Device();
  using folder = temporaryFolder();
  device.sell(1, 3);
  const unpacked = join(folder.path, 'restore-unpacking');
  cpSync(device.folder, unpacked, { recursive: true, filter: (path) => !path.includes('money.journal') });
  {
    using db = openFile(join(unpacked, 'money.db'));
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }
  beginOwnHistory(unpacked);
  const mark = { version: '1', device: 'x', madeAt: '', isOwn: true, unopened: 0, at: NOW, isForced: false };
  makeReady(folder.path, { ...mark, before: 'before-restore-2026', files: ['money.db'] });
  finishRestore(folder.path);
  using money = Money.open({ path: join(folder.path, 'money.db'), secondFolder: null, now: () => NOW });
  assert.equal([money.book.problem, money.book.lacking, paymentsAfter(money.payments, 0, 9).length], [null, null, 3]);
});

it('a packed day that is gone is named, before the newest beginning and after it', async (device) => {
  await sellOn(device, 1, 2, 3, QUARTER_DAYS, QUARTER_DAYS + 1, QUARTER_DAYS + 2, QUARTER_DAYS + 3);
  await device.keeper.compare();
  assert.equal([device.problems, files(device, '.rows').length], [[], 2]);
  const packed = files(device, '.packed');
  await device.restart(() => rmSync(packed[1] ?? ''));
  await device.keeper.compare();
  assert.equal([device.problems, device.breaks], [['ledger-journal'], 1]);
  await device.restart(() => rmSync(packed.at(-1) ?? ''));
  await device.keeper.compare();
  assert.is(device.breaks, 2);
  const rows = files(device, '.rows').length;
  await device.restart();
  await device.keeper.compare();
  assert.equal(
    [device.breaks, files(device, '.rows').length],
    [2, rows],
    'what is older than a beginning makes no other',
  );
});

it('damage before the newest beginning is named; a line that a power cut has torn is none', async (device) => {
  await sellOn(device, 1, 2);
  await device.restart(() => change(device.log, (bytes) => void bytes.write('{"n":', bytes.indexOf(0))));
  await sellOn(device, 3, QUARTER_DAYS, QUARTER_DAYS + 1);
  await device.keeper.compare();
  assert.equal(device.problems, []);
  const [first = '', second = ''] = files(device, '.packed');
  await device.restart(() => change(second, (bytes) => void bytes.fill(0, bytes.length - 40, bytes.length - 20)));
  await device.keeper.compare();
  assert.is(device.breaks, 1, named(device));
  await device.restart(() => change(first, (bytes) => void bytes.fill(0)));
  await device.keeper.compare();
  assert.is(device.breaks, 2, named(device));
});

it('a journal older by thousands of rows is written anew beside the sales, and is named', async (device) => {
  const aside = join(device.folder, 'aside');
  device.sell(1);
  cpSync(device.journal, aside, { recursive: true });
  device.sell(2, 1200);
  await device.restart(() => {
    rmSync(device.journal, { recursive: true });
    cpSync(aside, device.journal, { recursive: true });
  });
  const lines = files(device, '.log').length;
  assert.equal([lines, device.problems], [2, ['ledger-journal']]);
  assert.match(named(device), /it ended with commit \d+, and goes on behind commit \d+/);
  await device.keeper.start(); // before anything is sold
  device.sell(1201);
  await device.restart(() => device.loseDatabase());
  assert.equal(device.sold, soldFrom(1, 1201));
});

test.run();
