/** A ledger from before its column `watched` was renamed to `settled`: rows, journal and copy still say the same. */
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Finding } from '../../firmware/store/checked/findings.ts';
import { replicate } from '../../firmware/store/checked/replicate.ts';
import { CheckedTable } from '../../firmware/store/checked/table.ts';
import { configure, migrate } from '../../firmware/store/database.ts';
import { LEDGER_MIGRATIONS } from '../../firmware/terminal/ledger/ledger-schema.ts';
import { temporaryFolder } from '../support.ts';
import { alter, contents, keepCopies, NOW, openLedger } from './ledger-rig.ts';

const test = suite('terminal: a ledger from before a column was renamed');

const BEFORE = LEDGER_MIGRATIONS.slice(0, 4);
const PAYMENTS = 6;

const openBefore = (folder: string): CheckedTable =>
  CheckedTable.open({
    path: join(folder, 'ledger.db'),
    migrations: BEFORE,
    shape: { name: 'payments', key: 'order_id' },
    secondFolder: null,
    now: () => NOW,
  });

/** Every other payment is open: it is still asked about. */
function write(table: CheckedTable, n: number): void {
  const isOpen = n % 2 === 0;
  table.change(() =>
    table.add(`order-${n}`, {
      order_id: `order-${n}`,
      created_at: NOW + n,
      boot_id: 'boot',
      created_mono: n,
      profile: 'main',
      bank: 'CFT',
      profile_sealed: `sealed-${n}`,
      amount: 100 + n,
      ttl: 5,
      bank_id: `bank-${n}`,
      payload: `https://pay.example/${n}`,
      state: isOpen ? 'PENDING' : 'ACCEPTED',
      seen: 1,
      drawn: 1,
      late: 0,
      superseded: 0,
      ended_at: isOpen ? null : NOW + n,
      watched: isOpen ? 0 : 1,
      called: n,
    }),
  );
}

/** The files of a ledger as they were before: half of it in the copy, all of it in the journal. */
function fillBefore(folder: string): void {
  const table = openBefore(folder);
  for (let n = 1; n <= PAYMENTS; n += 1) {
    write(table, n);
    if (n !== PAYMENTS / 2) continue;
    for (const replica of table.replicas) replicate({ ...table.description, replica, compare: false, now: NOW });
  }
  table.close();
}

const OPEN = ['order-2', 'order-4', 'order-6'];

/** Opens it today, and checks that everything is there unchanged. */
function check(folder: string, findings: readonly (readonly [number, Finding])[] = []): void {
  const ledger = openLedger(folder);
  try {
    assert.equal(contents(ledger).open, OPEN);
    const rows = ledger.table.checked(0, 100);
    assert.equal(
      rows.map(({ row, isDamaged }) => [row?.settled, row?.profile_sealed, row?.amount, isDamaged]),
      [1, 2, 3, 4, 5, 6].map((n) => [n % 2, `sealed-${n}`, 100 + n, false]),
    );
    assert.equal([...ledger.table.findings], findings);
    for (const { problem, suspects, conflicting } of keepCopies(ledger))
      assert.equal([problem, suspects, conflicting], [null, [], []]);
  } finally {
    ledger.close();
  }
}

test('opens with nothing lost, and none of its rows passes for damaged', () => {
  using folder = temporaryFolder();
  fillBefore(folder.path);
  check(folder.path);
  check(folder.path); // now that the copy has all of it
});

test('a row that the disk has changed comes back from the journal, or from the copy, under the name of today', () => {
  for (const [n, without] of [
    [5, 'ledger.copy.db'],
    [1, 'ledger.journal'],
  ] as const) {
    using folder = temporaryFolder();
    fillBefore(folder.path);
    alter(join(folder.path, 'ledger.db'), Buffer.from(`sealed-${n}`), Buffer.from(`soaked-${n}`));
    rmSync(join(folder.path, without));
    check(folder.path, [[n, 'repaired']]);
  }
});

test('a file that is gone is made anew from the copy and the journal', () => {
  using folder = temporaryFolder();
  fillBefore(folder.path);
  rmSync(join(folder.path, 'ledger.db'));
  check(folder.path);
});

test('a power cut before, amid and after the renaming loses nothing', () => {
  const renaming = LEDGER_MIGRATIONS.slice(BEFORE.length);
  for (const amid of [
    () => undefined,
    (db: DatabaseSync) => db.exec(`BEGIN IMMEDIATE; ${renaming[0]?.sql}`),
    (db: DatabaseSync) => migrate(db, LEDGER_MIGRATIONS),
  ]) {
    using folder = temporaryFolder();
    using left = temporaryFolder();
    fillBefore(folder.path);
    using db = new DatabaseSync(join(folder.path, 'ledger.db'));
    configure(db);
    amid(db);
    for (const file of readdirSync(folder.path))
      if (!file.endsWith('-shm')) copyFileSync(join(folder.path, file), join(left.path, file));
    check(left.path);
  }
});

test.run();
