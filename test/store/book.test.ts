/** The book of money: what was acknowledged outlives a kill, a power cut, a full disk, damage of either file and its loss. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Journal } from '../../firmware/core/book/journal.ts';
import { journalFiles, lineFiles } from '../../firmware/core/book/journal-files.ts';
import { linesOf } from '../../firmware/core/book/journal-reading.ts';
import { tailOf } from '../../firmware/core/book/journal-tail.ts';
import { openFile } from '../../firmware/core/files/database.ts';
import { REGISTERING } from '../../firmware/payments/model/payment.ts';
import { NOBODY } from '../../firmware/payments/model/refund.ts';
import { type Described, Money } from '../../firmware/payments/money/money.ts';
import { replaced } from '../replaced.ts';
import { each, fieldsOf, inFolder, temporaryFolder } from '../support.ts';
import {
  contents,
  cut,
  failingCommit,
  NOW,
  note,
  openKept,
  openMoney,
  pay,
  payMany,
  WHOLE_FILE,
} from '../terminal/ledger-rig.ts';
import { paymentsAfter } from '../terminal/ledger-rows.ts';

const test = suite('store: the book of money');
const it = each(test, inFolder);

const TOLD: Described = {
  payment: ({ orderId, status }) => ({ id: orderId, state: status.state }),
  refund: () => ({}),
};
const at = (folder: string): string => join(folder, 'money.db');
const journal = (folder: string): string => join(folder, 'money.journal');
const told = (folder: string, now = NOW): Money =>
  Money.open({ path: at(folder), secondFolder: null, now: () => now }, TOLD);
const events = (money: Money) => money.payments.table.all('SELECT number, type, order_id FROM events ORDER BY number');
const onlyLog = (folder: string): string => lineFiles(journal(folder)).at(-1)?.path ?? '';
const numbers = (money: Money): number[] => paymentsAfter(money.payments, 0, 1000).map(({ id }) => id);

/** What stands in a folder when something of the book is done, before it has an effect. */
function filesBefore(folder: string, sql: string, work: () => void): string {
  const aside = `${folder}.before`;
  const { exec } = DatabaseSync.prototype;
  using _ = replaced(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, text: string) {
    if (text === sql && !existsSync(aside))
      cpSync(folder, aside, { recursive: true, filter: (path) => !path.endsWith('-shm') });
    exec.call(this, text);
  });
  work();
  return aside;
}

it('killed between journal and commit: the next start has the payment with its events', (folder) => {
  const money = told(folder.path);
  payMany(money.payments, 1, 3);
  const aside = filesBefore(folder.path, 'COMMIT', () =>
    money.payments.setStatus('order-1', { ...REGISTERING, state: 'ACCEPTED', late: true, unreported: true }, NOW),
  );
  const [expected, eventsThen] = [contents(money.payments), events(money)];
  money.book.close();
  using again = told(aside, NOW + 86_400_000);
  assert.equal([contents(again.payments), events(again)], [expected, eventsThen]);
  rmSync(aside, { recursive: true });
});

it('killed before the journal has it: nothing has changed', (folder) => {
  using money = told(folder.path);
  payMany(money.payments, 1, 3);
  const expected = contents(money.payments);
  const aside = filesBefore(folder.path, 'BEGIN IMMEDIATE', () => note(money.payments, 'order-1', 'later'));
  using again = told(aside);
  assert.equal(contents(again.payments), expected);
  rmSync(aside, { recursive: true });
});

it('a commit that the disk does not take: the line is taken back, and the next one goes on', (folder) => {
  using money = told(folder.path);
  payMany(money.payments, 1, 2);
  const expected = [contents(money.payments), tailOf(journal(folder.path)), events(money)];
  {
    using _ = failingCommit();
    assert.throws(() => note(money.payments, 'order-1', 'no'), /full/);
  }
  assert.equal([contents(money.payments), tailOf(journal(folder.path)), events(money)], expected);
  note(money.payments, 'order-1', 'yes');
  const log = lineFiles(journal(folder.path)).at(-1);
  assert.ok(log !== undefined && [...linesOf(log)].every((line) => line !== null));
});

it('a line that the disk does not take: nothing has changed', (folder) => {
  using money = told(folder.path);
  payMany(money.payments, 1, 2);
  const expected = [contents(money.payments), events(money), money.book.head];
  {
    using _ = replaced(Journal.prototype, 'append', () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
    });
    assert.throws(() => pay(money.payments, 3), /ENOSPC/);
  }
  assert.equal([contents(money.payments), events(money), money.book.head], expected);
  pay(money.payments, 3);
});

it('if the line cannot be taken back the book closes, and compares both when opened again', (folder) => {
  using money = told(folder.path);
  payMany(money.payments, 1, 2);
  {
    using _one = failingCommit('disk I/O error', 10);
    using _two = replaced(Journal.prototype, 'dropLastLine', () => {
      throw Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO', syscall: 'write' });
    });
    assert.throws(() => note(money.payments, 'order-1', 'perhaps'), /I\/O error/);
  }
  assert.match(money.book.problem?.message ?? '', /EIO/);
  assert.throws(() => money.payments.last(), /EIO/);
  assert.ok(money.book.tryOpening());
  assert.is(money.payments.find('order-1')?.note, 'perhaps', 'it was written, and not acknowledged');
});

test('two histories: the journal is set aside, a new one begins, and /health names it', async () => {
  using one = temporaryFolder();
  using other = temporaryFolder();
  {
    using money = openMoney(one.path);
    payMany(money.payments, 1, 3);
  }
  cpSync(one.path, other.path, { recursive: true });
  {
    using money = openMoney(one.path);
    payMany(money.payments, 4, 5);
  }
  {
    using money = openMoney(other.path);
    payMany(money.payments, 14, 18);
  }
  rmSync(journal(one.path), { recursive: true });
  cpSync(journal(other.path), journal(one.path), { recursive: true });
  {
    await using kept = await openKept(one.path);
    assert.equal([numbers(kept.money).length, kept.problems()], [5, ['ledger-conflicting']]);
    await kept.keeper.passMinute();
    await kept.keeper.passMinute();
  }
  const aside = readdirSync(one.path).find((name) => name.startsWith('money.journal.other-')) ?? '';
  assert.equal(
    readFileSync(onlyLog(other.path)),
    readFileSync(join(one.path, aside, readdirSync(join(one.path, aside))[0] ?? '')),
  );
  WHOLE_FILE.deleted?.(at(one.path));
  await using anew = await openKept(one.path);
  assert.is(numbers(anew.money).length, 5, 'the new journal begins with all rows');
});

for (const [what, damage] of Object.entries(WHOLE_FILE))
  it(`a database that is ${what}: it is made anew, and each payment is as it was`, async (folder) => {
    const first = openMoney(folder.path);
    payMany(first.payments, 1, 9);
    const expected = contents(first.payments);
    cut(folder.path, first);
    for (const suffix of ['-wal', '-shm']) rmSync(at(folder.path) + suffix, { force: true });
    damage(at(folder.path));
    await using kept = await openKept(folder.path);
    assert.equal(contents(kept.payments), expected);
    if (what === 'zeroed') assert.equal(kept.seen.opened, [true], 'beside the event loop, and then told');
    pay(kept.payments, 10);
  });

for (const [what, damage] of Object.entries(WHOLE_FILE))
  it(`a journal’s log that is ${what}: nothing is missing, and the database may be lost then`, async (folder) => {
    const first = openMoney(folder.path);
    payMany(first.payments, 1, 9);
    const expected = contents(first.payments);
    first.book.close();
    damage(onlyLog(folder.path));
    {
      await using kept = await openKept(folder.path);
      assert.equal(contents(kept.payments), expected);
      await kept.keeper.passMinute();
      await kept.keeper.passMinute();
    }
    WHOLE_FILE.deleted?.(at(folder.path));
    await using anew = await openKept(folder.path);
    assert.equal(contents(anew.payments), expected);
  });

it('a line that is torn at the end is no damage, and the next one takes its place', async (folder) => {
  const first = openMoney(folder.path);
  payMany(first.payments, 1, 3);
  const tail = tailOf(journal(folder.path));
  first.book.close();
  const bytes = readFileSync(onlyLog(folder.path));
  const half = 'SbGh6lq0 {"n":13,"t":17';
  bytes.write(half, tail?.log?.end ?? 0);
  for (const torn of [bytes, Buffer.from(bytes).fill('\n', (tail?.log?.end ?? 0) + 30, (tail?.log?.end ?? 0) + 31)]) {
    writeFileSync(onlyLog(folder.path), torn);
    await using kept = await openKept(folder.path);
    note(kept.payments, 'order-1', 'next');
    await kept.keeper.compare();
    assert.equal(kept.problems(), []);
    assert.not(readFileSync(onlyLog(folder.path)).includes(half));
  }
});

it('an amount that the storage has changed is found when it is read, and put back', async (folder) => {
  {
    using first = openMoney(folder.path);
    payMany(first.payments, 1, 3);
  }
  {
    using db = openFile(at(folder.path));
    db.exec('UPDATE payments SET amount = amount + 1 WHERE id = 2');
  }
  await using kept = await openKept(folder.path);
  assert.is(kept.payments.byId(2)?.amount, 1_000_200);
  assert.ok(kept.payments.isSound(2));
  assert.equal(kept.problems(), ['ledger-repaired']);
});

it('one that no line of the last days has is named at once, and put back from the packed ones', async (folder) => {
  const DAY_MS = 86_400_000;
  for (const [n, day] of [1, 2, 3].entries()) {
    using money = told(folder.path, NOW + n * DAY_MS);
    pay(money.payments, day);
  }
  {
    await using kept = await openKept(folder.path);
    await kept.keeper.compare();
  }
  assert.equal(fieldsOf(journalFiles(journal(folder.path)), 'kind'), ['packed', 'packed', 'log']);
  {
    using db = openFile(at(folder.path));
    db.exec('UPDATE payments SET amount = 1 WHERE id = 1; DELETE FROM payments WHERE id = 2');
  }
  await using kept = await openKept(folder.path);
  assert.equal([kept.payments.isSound(1), kept.problems()], [false, ['ledger-sought']]);
  const read = () => kept.payments.checked(0, 3).map(({ payment }) => payment?.amount);
  assert.equal(await kept.keeper.whenRestored(read), [1_000_100, 1_000_200, 1_000_300]);
  assert.equal([kept.payments.byId(1)?.amount, kept.payments.byId(2)?.amount], [1_000_100, 1_000_200]);
  assert.equal([kept.problems(), kept.seen.repaired.sort()], [['ledger-repaired'], [1, 2]]);
});

it('a row that is damaged and in no line gets no right checksum by what is made of it', async (folder) => {
  {
    using first = openMoney(folder.path);
    payMany(first.payments, 1, 3);
  }
  rmSync(journal(folder.path), { recursive: true });
  {
    using db = openFile(at(folder.path));
    db.exec('UPDATE payments SET amount = 1 WHERE id = 2');
  }
  await using kept = await openKept(folder.path);
  note(kept.payments, 'order-2', 'kept all the same');
  assert.equal([kept.payments.byId(2)?.note, kept.payments.isSound(2)], ['kept all the same', false]);
  await kept.keeper.compare();
  assert.equal(kept.problems(), ['ledger-damaged', 'ledger-journal']);
});

it('a journal whose file is taken away while it runs loses nothing acknowledged after that', async (folder) => {
  {
    await using kept = await openKept(folder.path);
    payMany(kept.payments, 1, 3);
    rmSync(journal(folder.path), { recursive: true });
    payMany(kept.payments, 4, 5);
    await kept.keeper.passMinute();
    await kept.keeper.passMinute();
  }
  WHOLE_FILE.deleted?.(at(folder.path));
  await using anew = await openKept(folder.path);
  assert.equal(numbers(anew.money), [1, 2, 3, 4, 5]);
});

it('files of years ago go once there is a newer beginning, and no others', async (folder) => {
  const YEAR_MS = 366 * 86_400_000;
  for (const years of [-7, -3]) {
    using money = told(folder.path, NOW + years * YEAR_MS);
    pay(money.payments, 10 + years);
  }
  await using kept = await openKept(folder.path);
  pay(kept.payments, 9);
  await kept.keeper.passMinute();
  await kept.keeper.passMinute();
  await kept.keeper.compare();
  const days = journalFiles(journal(folder.path)).map(({ day, kind }) => `${day.slice(0, 4)} ${kind}`);
  assert.equal(
    days,
    ['2023 packed', '2026 log', '2026 rows'].filter((each) => days.includes(each)),
  );
  assert.not(days.some((each) => each.startsWith('2019')));
});

it('the rules of money are rules of the tables: what breaks one is not written', (folder) => {
  using money = openMoney(folder.path);
  const { payments, refunds, shifts } = money;
  payMany(payments, 1, 1);
  const { amount = 0 } = payments.byId(1) ?? {};
  const refund = {
    orderId: 'order-1',
    profile: 'p',
    bank: 'b',
    refundedBefore: 0,
    createdAt: 1,
    refundedBy: null,
    requester: NOBODY,
  };
  const done = { state: 'done', bankRefundId: null, reason: null, endedAt: 1 } as const;
  refunds.insert({ ...refund, refundId: 'r', tillId: 'r', amount: 5 });
  assert.throws(() => refunds.record('r', done), /more than the payment counts/);
  payments.setTransaction('order-1', { trxId: null, paidAt: null, refunded: 5, payer: null, paidBy: null });
  assert.is(refunds.record('r', done).state, 'done');
  payments.setTransaction('order-1', { trxId: null, paidAt: null, refunded: 10 * amount, payer: null, paidBy: null });
  assert.is(payments.byId(1)?.refunded, amount, 'never more than was paid');
  const set = (table: 'payments' | 'shifts', key: string, values: Record<string, string | number>) => () =>
    money.book.change(() => money.book.table(table).set(key, values));
  assert.throws(set('payments', 'order-1', { refunded: 1 }), /stays counted/);
  assert.throws(set('payments', 'order-1', { state: 'PENDING' }), /stays paid/);
  assert.throws(set('payments', 'order-1', { state: 'WHATEVER' }), /CHECK|stays/);
  shifts.begin(1, NOW);
  const report = { groups: [], earlier: [], returned: [], first: 0, last: 0 };
  const open = shifts.current();
  assert.ok(open);
  if (open !== null) shifts.closeShift(open, { at: NOW, key: null, by: { till: null, cashier: null }, report });
  assert.throws(set('shifts', '1', { opened_at: 1 }), /never changes/);
});

it('another program that holds the file is waited for a moment, named, and not sold into', async (folder) => {
  await using kept = await openKept(folder.path);
  payMany(kept.payments, 1, 1);
  const holder = spawn(process.execPath, [
    '-e',
    `globalThis.db = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(at(folder.path))});
    db.exec('BEGIN IMMEDIATE'); process.stdout.write('held'); setInterval(() => undefined, 1000);`,
  ]);
  try {
    await once(holder.stdout, 'data');
    assert.throws(() => pay(kept.payments, 2), `another program holds money.db (pid ${holder.pid}): close it`);
  } finally {
    holder.kill('SIGKILL');
    await once(holder, 'exit');
  }
  pay(kept.payments, 2);
});

it('room is taken ahead: a line changes no size of its file', (folder) => {
  using money = openMoney(folder.path);
  const { length } = readFileSync(onlyLog(folder.path));
  payMany(money.payments, 1, 5);
  assert.is(readFileSync(onlyLog(folder.path)).length, length);
});

it('what is written behind the room by somebody else is no line', (folder) => {
  const first = openMoney(folder.path);
  payMany(first.payments, 1, 3);
  const expected = contents(first.payments);
  first.book.close();
  appendFileSync(onlyLog(folder.path), 'x'.repeat(5000));
  using again = openMoney(folder.path);
  assert.equal(contents(again.payments), expected);
  pay(again.payments, 4);
});

test.run();
