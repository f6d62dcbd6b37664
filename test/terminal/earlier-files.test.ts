/** What a release before the book of money kept is taken over whole, once, and an older release is told so. */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDatabase, openFile } from '../../firmware/core/store/database.ts';
import { takeOverEarlier } from '../../firmware/payments/money/earlier-files.ts';
import { replaced } from '../replaced.ts';
import { call, each, fieldsOf, inFolder, setUp, startTestDevice, temporaryFolder, until } from '../support.ts';
import { FULL, isRefused, ledgerHealth, REFUSED } from './closed-ledger.ts';
import { writeEarlierBooks } from './earlier-books.ts';
import { NOW, openKept, openMoney, payMany } from './ledger-rig.ts';

const test = suite('terminal: the books of an earlier release');
const it = each(test, inFolder);

it('payments, refunds, shifts, events and the failed call are as they were, each row sound', async (folder) => {
  writeEarlierBooks(folder.path, NOW);
  writeFileSync(join(folder.path, 'ledger.journal'), 'what it kept beside');
  takeOverEarlier(folder.path, NOW);
  await using kept = await openKept(folder.path);
  const { payments, refunds, shifts } = kept.money;
  const rows = payments.after(0, 9);
  assert.equal(
    rows.map(({ id, amount, status, shift, refunded }) => [id, amount, status.state, shift, refunded]),
    [
      [1, 1000, 'ACCEPTED', 1, 300],
      [2, 2000, 'ACCEPTED', 2, 0],
      [3, 3000, 'PENDING', null, 0],
    ],
  );
  assert.equal([rows[0]?.sale?.key, payments.last()?.id, payments.failedCall()?.category], ['k', 3, 'Bank']);
  assert.equal(fieldsOf(refunds.of('order-1'), 'state', 'amount', 'shift'), [['done', 300, 1]]);
  assert.equal([shifts.closed(1)?.report.last, shifts.current()?.number, shifts.openNumber], [1, 2, 2]);
  assert.equal([kept.book.lastEvent, payments.table.all('SELECT number FROM events').length], [9, 2]);
  await kept.keeper.compare();
  assert.equal(kept.problems(), []);
  payMany(payments, 4, 4);
  assert.is(payments.byId(4)?.askedShift, 2);
});

it('the files stay in a folder; an older release reads its sentence; what was taken over is not taken again', (folder) => {
  writeEarlierBooks(folder.path, NOW);
  takeOverEarlier(folder.path, NOW);
  assert.equal(
    readdirSync(join(folder.path, 'before-money'))
      .filter((name) => name.endsWith('.db'))
      .sort(),
    ['ledger.db', 'refunds.db', 'shifts.db'],
  );
  const older = () =>
    openDatabase(join(folder.path, 'ledger.db'), [{ schema: 16, readableFrom: '0.1.0', sql: '' }], NOW);
  assert.throws(older, /written by release .* with schema 17, .*install the release/);
  {
    using money = openMoney(folder.path);
    payMany(money.payments, 4, 5);
  }
  takeOverEarlier(folder.path, NOW);
  using money = openMoney(folder.path);
  assert.is(money.payments.after(0, 9).length, 5);
});

test('broken off at any step it begins again, and loses nothing', () => {
  for (const left of ['money.db.importing', 'money.db.importing-wal']) {
    using folder = temporaryFolder();
    writeEarlierBooks(folder.path, NOW);
    writeFileSync(join(folder.path, left), 'half');
    takeOverEarlier(folder.path, NOW);
    using money = openMoney(folder.path);
    assert.is(money.payments.after(0, 9).length, 3, left);
  }
  using folder = temporaryFolder();
  writeEarlierBooks(folder.path, NOW);
  rmSync(join(folder.path, 'shifts.db'));
  takeOverEarlier(folder.path, NOW);
  using money = openMoney(folder.path);
  assert.is(money.shifts.current()?.number, 3, 'without its shifts: numbers go on above those of the payments');
});

it('a row that breaks a rule of the tables is taken over as near as they allow', async (folder) => {
  writeEarlierBooks(folder.path, NOW);
  {
    using db = openFile(join(folder.path, 'ledger.db'));
    db.exec("UPDATE payments SET refunded = 5000 WHERE id = 2; UPDATE payments SET state = 'PENDIN' WHERE id = 3");
  }
  takeOverEarlier(folder.path, NOW);
  using money = openMoney(folder.path);
  assert.equal([money.payments.byId(2)?.refunded, money.payments.byId(3)?.status.state], [2000, 'PENDING']);
});

for (const amount of ['amount + 1', '1.5', '-5', '9223372036854775807', '1e400', "'x'", "x'00ff'"])
  it(`an amount that the storage has made ${amount} stops no take-over, and is not believed`, (folder) => {
    writeEarlierBooks(folder.path, NOW);
    for (const [file, table] of [
      ['ledger', 'payments'],
      ['refunds', 'refunds'],
    ]) {
      using db = openFile(join(folder.path, `${file}.db`));
      db.exec(`UPDATE ${table} SET amount = ${amount} WHERE id = 1`);
    }
    takeOverEarlier(folder.path, NOW);
    using money = openMoney(folder.path);
    assert.equal(
      [1, 2, 3].map((id) => money.payments.isSound(id)),
      [false, true, true],
    );
    assert.not(money.refunds.table.isSound(1));
  });

it('a device goes on with them: its payments, its shift, and the next sale', async (folder) => {
  writeEarlierBooks(folder.path, NOW);
  await using device = await startTestDevice({}, folder.path);
  const { payments } = (await call(`${device.terminal}/v1/payments`)).body;
  assert.equal(fieldsOf(payments, 'amount'), [3000, 2000, 1000]);
  assert.ok(existsSync(join(folder.path, 'money.journal')));
});

/** Lets no import of earlier files be committed until it is disposed of. */
function fullDisk(): Disposable {
  const { exec } = DatabaseSync.prototype;
  return replaced(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
    if (sql === 'COMMIT' && this.location()?.endsWith('.importing') === true)
      throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
    exec.call(this, sql);
  });
}

/** A ledger that is none, until it is disposed of. */
function damagedLedger(folder: string): Disposable {
  const path = join(folder, 'ledger.db');
  renameSync(path, `${path}.whole`);
  writeFileSync(path, 'x'.repeat(4096));
  return {
    [Symbol.dispose]: () => {
      if (existsSync(`${path}.whole`)) renameSync(`${path}.whole`, path);
    },
  };
}

for (const [what, fault, refusal] of [
  ['the disk is full', fullDisk, FULL],
  [
    'the ledger is damaged',
    damagedLedger,
    { ...REFUSED, pattern: /the earlier release kept cannot be taken over: file is/ },
  ],
] as const)
  it(`${what}: the device starts, says why it takes no payment, and takes the files over as soon as it can`, async (folder) => {
    writeEarlierBooks(folder.path, NOW);
    using failing = fault(folder.path);
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    await isRefused(device, refusal);
    failing[Symbol.dispose]();
    await until('the book', async () => (await call(`${device.terminal}/v1/payments`)).body.payments?.length === 3);
    await until('all is well', async () => (await ledgerHealth(device)).state === 'ok');
  });

test.run();
