/** One fault at a time, each found by an attack on the book of money: what was acknowledged survives it. */

import {
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { journalFiles } from '../../firmware/core/book/journal-files.ts';
import { isWhole } from '../../firmware/core/book/journal-reading.ts';
import { NOBODY } from '../../firmware/payments/model/refund.ts';
import { daySpan } from '../../firmware/payments/money/tally.ts';
import { Shifts } from '../../firmware/payments/reports/shifts/shifts.ts';
import { each, fieldsOf, temporaryFolder } from '../support.ts';
import { contents, failingCommit, NO_CARE, NOW, note } from '../terminal/ledger-rig.ts';
import { paymentsAfter } from '../terminal/ledger-rows.ts';
import { altered, change, Device, loseAll, onCopied, soldFrom } from './book-device.ts';

const test = suite('a book of money, one fault at a time');

const DAY_MS = 86_400_000;

const copied = each(test, onCopied);
const it = each(test, (run: (device: Device) => Promise<void> | void) => async (): Promise<void> => {
  using device = new Device();
  await run(device);
});

it('a byte that makes no character any more moves no line behind it', async (device) => {
  device.sell(1, 3);
  await device.restart(() =>
    change(device.log, (bytes) => {
      const place = bytes.indexOf('order-2');
      bytes[place] = 0xf0;
    }),
  );
  device.sell(4);
  await device.keeper.compare();
  assert.equal(device.breaks, 1);
  assert.equal(device.sold, soldFrom(1, 4));
});

it('an empty database is made anew, also where its journal begins after its first commit', async (device) => {
  device.sell(1, 3);
  await device.restart(() => rmSync(device.journal, { recursive: true }));
  await device.rest();
  device.sell(4, 5);
  await device.restart(() => truncateSync(device.file(), 0));
  assert.equal(device.sold, soldFrom(1, 5));
  assert.equal(device.problems, ['ledger-aside']);
});

for (const sql of [
  'commit_no = commit_no - 3',
  'commit_no = commit_no + 64',
  'commit_no = -1',
  'commit_no = 9223372036854775807',
  'commit_no = 3.5',
  "commit_no = 'x'",
  "hash = 'x'",
  'last_event = 5',
  'last_event = 9223372036854775807',
]) {
  it(`a damaged number of the last commit is not believed: ${sql}`, async (device) => {
    device.sell(1, 3);
    const { head, lastEvent } = device.book;
    await device.restart(altered(device, `UPDATE book SET ${sql}`));
    assert.equal([device.book.head, device.book.lastEvent], [head, lastEvent]);
    device.sell(4);
    await device.outlivesItsDatabase(4);
    assert.is(readdirSync(device.folder).filter((name) => name.includes('.other-')).length, 0);
  });
}

it('another device’s database is no later state of this one, whatever numbers its rows have', async (device) => {
  using other = new Device();
  device.sell(1, 2);
  other.sell(11, 18);
  for (const { orderId } of paymentsAfter(other.money.payments, 0, 100))
    for (const text of ['a', 'b', 'c']) other.money.payments.acknowledge(orderId, text, NOW);
  other.book.close();
  await device.restart(() => device.takeDatabase(other.file()));
  assert.equal(device.problems, ['ledger-conflicting']);
});

it('a full disk while a journal is completed leaves it as it was', async (device) => {
  device.sell(1, 2);
  const aside = join(device.folder, 'older');
  cpSync(device.journal, aside, { recursive: true });
  device.sell(3, 4);
  using full = failingCommit();
  await device.restart(() => {
    rmSync(device.journal, { recursive: true });
    renameSync(aside, device.journal);
  });
  const isClosed = device.book.problem !== null;
  full[Symbol.dispose]();
  assert.ok(isClosed && device.book.tryOpening());
  assert.equal(device.sold, soldFrom(1, 4));
  device.sell(5);
  await device.keeper.compare();
  assert.is(device.breaks, 0);
  assert.not(readdirSync(device.folder).some((name) => name.includes('.other-')));
  await device.outlivesItsDatabase(5);
});

it('a row that the storage has changed is put back before the journal begins anew without it', async (device) => {
  for (const n of [1, 2, 3, 4]) {
    device.sell(n);
    device.now += DAY_MS;
  }
  await device.restart(altered(device, 'UPDATE payments SET amount = amount + 1 WHERE id = 1'));
  device.now += 100 * DAY_MS;
  await device.rest();
  assert.equal(device.sold, soldFrom(1, 4));
  assert.equal(device.problems, ['ledger-repaired']);
});

it('a break of the journal is healed once, and named as long as the device runs', async (device) => {
  device.sell(1, 40);
  await device.restart(() => change(device.log, (bytes) => bytes.fill(0, 3000, 7096)));
  await device.keeper.compare();
  const lengths = (): number[] => readdirSync(device.journal).map((name) => statSync(join(device.journal, name)).size);
  const [before, { head }] = [lengths(), device.book];
  await device.keeper.compare();
  assert.equal(
    { lengths: lengths(), head: device.book.head, breaks: device.breaks },
    { lengths: before, head, breaks: 1 },
  );
  assert.equal(device.problems, ['ledger-journal']);
  await device.outlivesItsDatabase(40);
});

it('a damaged frame of a beginning is written again', async (device) => {
  device.sell(1, 40);
  await device.rest();
  const rows = readdirSync(device.journal).find((name) => name.endsWith('.rows')) ?? 'none';
  change(join(device.journal, rows), (bytes) => bytes.fill(0, 600, 900));
  assert.not(journalFiles(device.journal).every(isWhole));
  await device.keeper.compare();
  assert.equal([device.breaks, journalFiles(device.journal).every(isWhole)], [1, true]);
  device.sell(41);
  await device.outlivesItsDatabase(41);
});

it('the file that follows a beginning is missed', async (device) => {
  device.sell(1);
  await device.rest();
  for (const n of [2, 3, 4]) {
    device.now += DAY_MS;
    device.sell(n);
  }
  const logs = readdirSync(device.journal).filter((name) => name.endsWith('.log'));
  for (const name of logs.slice(0, 2)) rmSync(join(device.journal, name)); // that of before has gone by its age
  await device.keeper.compare();
  assert.is(device.breaks, 1);
  await device.outlivesItsDatabase(4);
});

it('whatever page of the database was not written, what is read is what was sold', async (device) => {
  const PAGE_BYTES = 1024;
  device.sell(1, 20);
  await device.restart();
  await device.restart(); // what a start writes is written
  const before = readFileSync(device.file());
  const changed = [2, 9, 20];
  for (const n of changed) note(device.money.payments, `order-${n}`, 'newer');
  await device.restart();
  const notes = () => fieldsOf(paymentsAfter(device.money.payments, 0, 100), 'note');
  const expected = notes();
  assert.equal(
    expected.flatMap((each, index) => (each === 'newer' ? [index + 1] : [])),
    changed,
  );
  await device.keeper.close();
  device.book.close();
  const after = readFileSync(device.file());
  const journal = new Map(readdirSync(device.journal).map((name) => [name, readFileSync(join(device.journal, name))]));
  let pages = 0;
  let restored = 0;
  for (let place = 0; place < before.length; place += PAGE_BYTES) {
    const page = before.subarray(place, place + PAGE_BYTES);
    if (page.equals(after.subarray(place, place + PAGE_BYTES))) continue;
    pages += 1;
    await device.restart(() => {
      for (const name of readdirSync(device.folder)) rmSync(device.file(name), { recursive: true });
      mkdirSync(device.journal);
      for (const [name, bytes] of journal) writeFileSync(join(device.journal, name), bytes);
      writeFileSync(device.file(), after);
      change(device.file(), (bytes) => page.copy(bytes, place));
    });
    assert.equal(notes(), expected, `page ${place / PAGE_BYTES}`);
    if (device.problems.includes('ledger-repaired')) restored += 1;
  }
  assert.ok(pages >= 5 && restored >= 3, `${restored} of ${pages}`);
});

it('a row altered since the last check is in the next beginning as first written', async (device) => {
  device.sell(1, 3);
  await device.rest();
  altered(device, 'UPDATE payments SET amount = amount + 1 WHERE id = 2')();
  device.now += 100 * DAY_MS;
  device.sell(4);
  await device.rest();
  assert.is(readdirSync(device.journal).filter((name) => name.endsWith('.rows')).length, 2);
  assert.equal(device.problems, ['ledger-repaired']);
  await device.outlivesItsDatabase(4);
});

it('a till that sells each minute puts the check off for a quarter of an hour, no longer', async (device) => {
  device.sell(1, 3);
  altered(device, 'UPDATE payments SET amount = amount + 1 WHERE id = 1')();
  const found: number[] = [];
  for (let minute = 1; minute <= 15; minute += 1) {
    device.sell(minute + 3);
    await device.keeper.passMinute();
    if (device.problems.length > 0) found.push(minute);
  }
  assert.equal([found, device.problems], [[15], ['ledger-repaired']]);
});

it('an index that leads nowhere is found by the check of the day', async (device) => {
  device.sell(1, 60);
  await device.restart(() => {
    device.book.close();
    change(device.file(), (bytes) => {
      const place = bytes.indexOf('order-33');
      bytes.write('order-53', place);
    });
  });
  await device.keeper.compare();
  assert.is(device.money.payments.find('order-33')?.amount, 1_003_300);
  assert.equal(device.problems, ['ledger-aside']);
});

it('more changed rows than are put back one by one make the book be made anew', async (device) => {
  device.sell(1, 1100);
  altered(device, 'UPDATE payments SET amount = amount + 1')();
  await device.keeper.compare();
  assert.equal(device.sold, soldFrom(1, 1100));
  assert.equal(device.problems, ['ledger-aside']);
});

it('a clock that was years behind takes the log of today with no old file', async (device) => {
  device.now = Date.parse('2015-01-01');
  await device.restart(() => rmSync(device.journal, { recursive: true }));
  device.sell(1, 2);
  await device.rest();
  device.now = NOW;
  await device.rest();
  device.sell(3);
  assert.equal(device.problems, []);
  await device.outlivesItsDatabase(3);
});

test('a rebuild takes no row from the second medium of another device', async () => {
  using second = temporaryFolder();
  using other = new Device(second.path);
  other.sell(11, 18);
  await other.rest();
  using device = new Device();
  device.sell(1, 3);
  device.second = second.path;
  await device.restart(() => change(device.file(), (bytes) => bytes.fill(255, 1024, 4096)));
  assert.equal(device.sold, soldFrom(1, 3));
});

copied('a new card takes all from the second medium, and can be lost after that', async (device, second) => {
  device.sell(1, 3);
  await device.rest();
  device.sell(4);
  const { head, lastEvent } = device.book;
  await device.keeper.compare();
  await device.restart(loseAll(device));
  assert.equal(
    { sold: device.sold, head: device.book.head, lastEvent: device.book.lastEvent },
    { sold: soldFrom(1, 4), head, lastEvent },
  );
  assert.equal(device.problems, ['ledger-repaired', 'ledger-journal'], 'it has no journal yet');
  device.sell(5);
  await device.rest();
  await device.restart(loseAll(device));
  assert.equal(device.sold, soldFrom(1, 5));
  assert.equal(readdirSync(second.path), ['money.db', 'money.journal']);
});

copied(
  'the database of a new card is lost before its journal begins anew: the copy has the rows',
  async (device, second) => {
    device.sell(1, 2);
    await device.rest();
    device.sell(3);
    await device.keeper.compare();
    await device.restart(loseAll(device));
    device.sell(4);
    await device.restart(() => {
      device.loseDatabase();
      rmSync(join(second.path, 'money.db')); // which is older than the journal beside it
    });
    assert.equal(device.sold, soldFrom(1, 4));
  },
);

copied('a damaged copy is taken as far as it can be read, and its break is named', async (device, second) => {
  device.sell(1, 40);
  await device.keeper.compare();
  const copy = join(second.path, 'money.journal', basename(device.log));
  await device.restart(() => {
    loseAll(device)();
    rmSync(join(second.path, 'money.db'));
    change(copy, (bytes) => bytes.fill(0, 3000, 7096));
  });
  assert.is(device.breaks, 2, 'that of the copy, and that the card has no journal yet');
  assert.ok(device.sold.length > 30);
  await device.keeper.compare();
  assert.ok(device.problems.includes('ledger-lost'));
});

copied(
  'a second medium that cannot be read stops neither new card nor rebuild, and is named',
  async (device, second) => {
    writeFileSync(join(second.path, 'money.journal'), 'no folder');
    await device.restart(loseAll(device));
    device.sell(1, 3);
    await device.restart(() => writeFileSync(device.file(), 'x'.repeat(4096)));
    assert.equal(device.sold, soldFrom(1, 3));
    await device.rest();
    assert.equal(device.problems, ['ledger-aside', 'ledger-copy']);
  },
);

copied('what a second medium knows of another book is named and stays', async (device, second) => {
  device.sell(1, 3);
  await device.rest();
  device.second = null; // it is away
  await device.restart(loseAll(device));
  device.sell(4);
  device.second = second.path;
  await device.restart();
  await device.rest();
  assert.equal([device.sold, device.problems], [soldFrom(4, 4), ['ledger-conflicting']]);
  const kept = readdirSync(second.path).filter((name) => name.includes('.other-'));
  assert.equal(
    kept.map((name) => name.replace(/other-.*/, 'other')),
    ['money.db.other', 'money.journal.other'],
  );
  device.second = null;
  await device.restart(() => {
    loseAll(device)();
    for (const name of kept) renameSync(join(second.path, name), device.file(name.replace(/\.other-.*/, '')));
  });
  assert.equal(device.sold, soldFrom(1, 3));
});

copied('a damaged log does not take the place of its copy on the second medium', async (device, second) => {
  device.sell(1, 3);
  await device.rest();
  const handle = openSync(device.log, 'r+');
  writeSync(handle, Buffer.alloc(1000), 0, 1000, 1500);
  closeSync(handle);
  device.sell(4);
  await device.rest();
  const copy = readFileSync(join(second.path, 'money.journal', basename(device.log)));
  assert.ok(copy.includes('order-1') && copy.includes('order-4'));
  assert.not.ok(copy.includes(Buffer.alloc(100)));
});

it('an amount that the storage has changed is not counted in a shift', (device) => {
  const { payments: ledger, refunds, shifts: book } = device.money;
  const clock = { wall: () => device.now };
  const shifts = new Shifts({
    config: { shiftCloseAt: null },
    book,
    ledger,
    refunds,
    clock,
    care: NO_CARE,
    log: () => undefined,
  });
  device.sell(1, 2);
  altered(device, 'UPDATE payments SET amount = amount + 1 WHERE id = 2')();
  const { shift } = shifts.close({ till: null, cashier: null }, null);
  assert.is(shift.report.groups[0]?.accepted.sum, 2_000_300);
});

for (const damage of ["closed_at = 5, close_key = 'x'", 'number = number + 8'])
  it(`a sale whose row just changed counts in the open shift (${damage})`, (device) => {
    const { payments: ledger, refunds, shifts: book } = device.money;
    const clock = { wall: () => device.now };
    const shifts = new Shifts({
      config: { shiftCloseAt: null },
      book,
      ledger,
      refunds,
      clock,
      care: NO_CARE,
      log: () => undefined,
    });
    shifts.begin();
    device.sell(1);
    altered(device, `UPDATE shifts SET ${damage}`)();
    device.sell(2);
    const { shift } = shifts.close({ till: null, cashier: null }, null);
    assert.equal([shift.number, shift.report.groups[0]?.accepted.sum], [1, 2_000_300]);
    assert.equal(device.book.findings.of('shifts', 'repaired'), [1]);
  });

const DAY = { from: NOW, to: NOW + DAY_MS };
const sumOf = (device: Device): number =>
  device.money.payments.sums.of(daySpan(DAY)).groups.reduce((sum, each) => sum + each.sum, 0);

const uncounted = (device: Device): void => assert.throws(() => sumOf(device), /not as they were written/);

function refundBy(refundedBy: string, device: Device): void {
  const refund = { refundId: 'r', tillId: 'r', orderId: 'order-1', profile: 'p', bank: 'b', amount: 400 };
  device.money.refunds.insert({ ...refund, refundedBefore: 0, createdAt: NOW, refundedBy, requester: NOBODY });
}

it('a changed amount is put back before a day or a limit of refunds counts it', (device) => {
  device.sell(1, 2);
  refundBy('a till', device);
  altered(device, 'UPDATE payments SET amount = amount + 1 WHERE id = 2; UPDATE refunds SET amount = 1')();
  assert.equal([sumOf(device), device.money.refunds.sumRefundedBy('a till', DAY)], [2_000_300, 400]);
  assert.equal(device.problems, ['ledger-repaired']);
});

/** A row that no line of the last days has. */
async function changedLongAgo(table: string): Promise<Device> {
  const device = new Device();
  device.sell(1);
  refundBy('a till', device);
  for (const n of [2, 3]) {
    device.now += DAY_MS;
    device.sell(n);
  }
  await device.keeper.compare();
  await device.restart(altered(device, `UPDATE ${table} SET amount = 1 WHERE id = 1`));
  return device;
}

for (const [table, count] of [
  ['payments', uncounted],
  ['refunds', ({ money }: Device) => money.refunds.sumRefundedBy('a till', DAY)],
] as const)
  test(`one of ${table} that cannot be put back at once is named as soon as it is counted`, async () => {
    using device = await changedLongAgo(table);
    assert.equal(device.problems, []);
    count(device);
    assert.equal(device.problems, ['ledger-sought']);
  });

test('a database lost while the device runs is named as lost, instead of its altered rows', async () => {
  using device = await changedLongAgo('payments');
  uncounted(device);
  device.loseDatabase();
  assert.throws(() => device.sell(4), /its file is gone/);
  await device.keeper.whenRebuilt();
  assert.equal(device.problems, ['ledger-repaired']);
  assert.match(String(device.keeper.problems[0]), /restored from a copy\. \(its file is gone/);
  device.sell(4);
  assert.equal(device.sold, soldFrom(1, 4));
});

it('a till without a quiet minute has its ledger checked every quarter of an hour, no oftener', async (device) => {
  const busy = async (first: number, last: number): Promise<void> => {
    for (let n = first; n <= last; n += 1) {
      device.sell(n);
      await device.keeper.passMinute();
    }
  };
  const beginnings = (): number => readdirSync(device.journal).filter((name) => name.endsWith('.rows')).length;
  await busy(1, 14);
  altered(device, 'UPDATE payments SET amount = 1 WHERE id = 1')();
  assert.equal([beginnings(), device.problems], [0, []]);
  await busy(15, 15);
  assert.equal([beginnings(), device.problems], [1, ['ledger-repaired']]);
  altered(device, 'UPDATE payments SET amount = 1 WHERE id = 2')();
  await busy(16, 20);
  assert.is(beginnings(), 1);
  assert.is(device.money.payments.table.get('SELECT amount FROM payments WHERE id = 2')?.amount, 1);
});

it('a counter that the storage has made too great for a number stops no sale', async (device) => {
  device.sell(1, 2);
  await device.restart(altered(device, 'UPDATE sqlite_sequence SET seq = 9223372036854775807'));
  device.sell(3);
  assert.equal(device.sold, soldFrom(1, 3));
});

it('a database that is much older than its journal is made anew beside the event loop', async (device) => {
  using aside = temporaryFolder();
  device.sell(1);
  await device.restart(() => copyFileSync(device.file(), join(aside.path, 'older')));
  device.sell(2, 1100);
  await device.restart(() => device.takeDatabase(join(aside.path, 'older')));
  assert.equal(device.sold, soldFrom(1, 1100));
  assert.equal(device.problems, ['ledger-aside']);
});

it('a clock years ahead, once corrected, gives the journal a beginning of the right day', async (device) => {
  device.now = NOW + 3650 * DAY_MS;
  device.sell(1, 2);
  await device.rest();
  device.now = NOW;
  await device.rest();
  const inode = (): unknown[] => readdirSync(device.journal).map((name) => statSync(join(device.journal, name)).ino);
  const before = inode();
  await device.rest();
  assert.equal(inode(), before, 'it begins once');
  device.sell(3);
  await device.rest();
  device.sell(4);
  assert.match(basename(device.log), '2026-11-20');
  assert.ok(readdirSync(device.journal).some((name) => name.endsWith('2026-11-20.rows')));
  await device.outlivesItsDatabase(4);
});

it('a clock that is years ahead takes no years of the journal', async (device) => {
  device.sell(1);
  await device.rest();
  device.now += DAY_MS;
  device.sell(2);
  device.now += 3650 * DAY_MS;
  await device.rest();
  assert.ok(readdirSync(device.journal).some((name) => name.startsWith('000000000000-')));
});

it('events made again have their old numbers, also where a power cut lost others before them', async (device) => {
  using aside = temporaryFolder();
  device.sell(1);
  await device.restart(() => copyFileSync(device.file(), join(aside.path, 'older')));
  device.book.addEvents((last) => last + 1000);
  device.sell(2);
  const all = (): unknown[] => [
    device.money.payments.table.all('SELECT number, type, order_id FROM events'),
    contents(device.money.payments),
  ];
  const before = all();
  await device.restart(() => device.takeDatabase(join(aside.path, 'older')));
  assert.equal(all(), before);
});

test.run();
