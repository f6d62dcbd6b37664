/** Payments whose rows the storage has changed or lost: restored, reported, marked, asked about again. */
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/store/database.ts';
import { CHECKED_AT_START } from '../../firmware/terminal/ledger/checked-book.ts';
import { REGISTERING } from '../../firmware/terminal/payments/payment.ts';
import { call, setUp, startTestDevice, type TestDevice, temporaryFolder } from '../support.ts';
import { ledgerHealth } from './closed-ledger.ts';
import { untilAccepted } from './device-calls.ts';
import { contents, filledFolder, keepCopies, NOW, note, openLedger, pay, payMany } from './ledger-rig.ts';

const test = suite('terminal: recovery of the ledger');

const PAGE_BYTES = 1024;
/** The first byte of a page of an index (https://www.sqlite.org/fileformat2.html#b_tree_pages). */
const INDEX_LEAF = 0x0a;

/** As SQLite writes an integer of three bytes. */
const bytesOf = (value: number): Buffer => {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntBE(value, 0, 3);
  return bytes;
};

/** Of the payment that is altered: no script of the sandbox bank. */
const AMOUNT = 1_000_700;
/** A bit in it, and it is as good a figure. */
const ALTERED = AMOUNT + 2 ** 22;

function hasAlteredRow(path: string): boolean {
  using db = openFile(path, { readOnly: true });
  return db.prepare('SELECT 1 FROM payments NOT INDEXED WHERE +amount = ?').get(ALTERED) !== undefined;
}

/** In its row: the same bytes may stand elsewhere. */
function alterAmount(folder: string): void {
  const path = join(folder, 'ledger.db');
  const whole = readFileSync(path);
  const [from, to] = [AMOUNT, ALTERED].map(bytesOf) as [Buffer, Buffer];
  for (let place = whole.indexOf(from); place >= 0; place = whole.indexOf(from, place + 1)) {
    const bytes = Buffer.from(whole);
    to.copy(bytes, place);
    writeFileSync(path, bytes);
    if (hasAlteredRow(path)) return;
  }
  throw new Error('no row has the amount');
}
const forgetTheRest = (folder: string): void => {
  for (const file of ['ledger.journal', 'ledger.copy.db']) rmSync(join(folder, file), { force: true });
};

test('a bit in an amount: the row is restored, and that is reported', () => {
  using folder = temporaryFolder();
  const before = openLedger(folder.path);
  payMany(before, 1, 10);
  const expected = contents(before);
  before.close();
  alterAmount(folder.path);
  using ledger = openLedger(folder.path);
  assert.equal([...ledger.table.findings], [[7, 'repaired']]);
  assert.equal([contents(ledger), ledger.table.setAside], [expected, null]);
});

test('a bit in an amount that no file has right: a later change to the row does not make it valid', () => {
  using folder = filledFolder(10);
  alterAmount(folder.path);
  forgetTheRest(folder.path);
  for (const start of ['first', 'second']) {
    using ledger = openLedger(folder.path);
    assert.equal([...ledger.table.findings], [[7, 'damaged']], start);
    note(ledger, 'order-7', start);
    keepCopies(ledger);
    assert.equal(ledger.checked(6, 1), [{ id: 7, isDamaged: true, payment: ledger.find('order-7') }]);
  }
});

test('a damaged row that a change meets first is put right before it is changed', () => {
  using folder = temporaryFolder();
  using ledger = openLedger(folder.path);
  payMany(ledger, 1, 10);
  const db = openFile(join(folder.path, 'ledger.db'));
  db.exec('DROP TRIGGER payments_unchecked; UPDATE payments SET amount = 5194311 WHERE id = 9');
  db.close();
  note(ledger, 'order-9', 'changed');
  assert.is(ledger.find('order-9')?.amount, 1_000_900);
  assert.equal([...ledger.table.findings], [[9, 'repaired']]);
  assert.equal(ledger.checked(8, 1)[0]?.isDamaged, false);
});

test('rows that are changed by hand are taken as they are, and have checksums from then on', () => {
  using folder = filledFolder(5);
  const old = openFile(join(folder.path, 'ledger.db'));
  old.exec(`INSERT INTO payments (order_id, created_at, boot_id, created_mono, profile, bank, amount, ttl, state,
      seen, late, superseded) VALUES ('old', ${NOW}, 'b', 1, 'p', 'Sandbox', 100, 5, 'PENDING', 1, 0, 0);
    UPDATE payments SET state = 'ACCEPTED' WHERE order_id = 'order-4'`);
  old.close();
  const ledger = openLedger(folder.path);
  assert.is(ledger.find('order-4')?.status.state, 'ACCEPTED');
  assert.equal([...ledger.table.findings], [[4, 'altered']]);
  assert.ok(ledger.table.addChecksums());
  assert.not(ledger.table.addChecksums());
  const expected = contents(ledger);
  ledger.close();
  rmSync(join(folder.path, 'ledger.db'));
  using after = openLedger(folder.path);
  assert.equal(contents(after), expected);
});

test('a lost row has its place in the export, and its number in the findings', () => {
  using folder = filledFolder(10);
  forgetTheRest(folder.path);
  const db = openFile(join(folder.path, 'ledger.db'));
  db.exec('DELETE FROM payments WHERE id IN (3, 4)');
  db.close();
  using ledger = openLedger(folder.path);
  const rows = ledger.checked(0, 100);
  assert.equal(
    rows.map(({ id }) => id),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
  assert.equal(
    rows.flatMap(({ id, payment }) => (payment === null ? [id] : [])),
    [3, 4],
  );
  assert.equal(
    [3, 4].map((id) => ledger.table.findings.get(id)),
    ['lost', 'lost'],
  );
});

test('a damaged row of a payment that is still followed is found at the start, however old it is', () => {
  using folder = temporaryFolder();
  const before = openLedger(folder.path);
  payMany(before, 1, 5);
  const db = openFile(join(folder.path, 'ledger.db'));
  db.exec(`UPDATE sqlite_sequence SET seq = ${CHECKED_AT_START + 4}`);
  pay(before, 6);
  keepCopies(before);
  db.exec('DROP TRIGGER payments_unchecked; UPDATE payments SET amount = 1 WHERE id IN (3, 4)');
  db.close();
  before.close();
  rmSync(join(folder.path, 'ledger.journal')); // each row of the journal is looked at
  using ledger = openLedger(folder.path);
  assert.equal(
    [3, 4].map((id) => ledger.table.findings.get(id)),
    [undefined, 'repaired'],
  );
});

test('a row that fell back to an older state is restored, and one that was added since stays', () => {
  using folder = temporaryFolder();
  using ledger = openLedger(folder.path);
  payMany(ledger, 1, 3);
  const path = join(folder.path, 'ledger.db');
  const db = openFile(path);
  const values = db.prepare('SELECT * FROM payments WHERE id = 2').get() ?? {};
  ledger.setStatus('order-2', { ...REGISTERING, seen: true, state: 'ACCEPTED', late: true }, NOW);
  pay(ledger, 4);
  keepCopies(ledger);
  const expected = contents(ledger);
  db.exec('DROP TRIGGER payments_unchecked');
  db.prepare('UPDATE payments SET late = ?, ended_at = ?, change_no = ?, checksum = ? WHERE id = 2').run(
    values.late ?? null,
    values.ended_at ?? null,
    values.change_no ?? null,
    values.checksum ?? null,
  );
  db.close();
  const [report] = keepCopies(ledger);
  assert.equal(report?.suspects, [2]);
  assert.equal(ledger.table.repair(report?.suspects ?? []), [2]);
  assert.equal(contents(ledger), expected);
});

test('where the journal confirms the copy the bank is not asked again', () => {
  using folder = temporaryFolder();
  const before = openLedger(folder.path);
  payMany(before, 1, 6);
  keepCopies(before);
  before.close();
  rmSync(join(folder.path, 'ledger.db'));
  using ledger = openLedger(folder.path);
  assert.equal(
    ledger.followed(100).map(({ orderId }) => orderId),
    ['order-4'],
  );
});

test('where only an old copy is left the bank is asked again, also where the ledger is opened later', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'ledger.db');
  const before = openLedger(folder.path);
  payMany(before, 1, 6);
  keepCopies(before);
  before.close();
  for (const file of [path, join(folder.path, 'ledger.journal')]) rmSync(file);
  symlinkSync('/proc/self/mem', path); // every read fails with EIO
  using ledger = openLedger(folder.path);
  assert.not(ledger.tryOpening());
  rmSync(path);
  assert.ok(ledger.tryOpening());
  assert.equal(
    ledger.followed(100).map(({ orderId }) => orderId),
    ['order-3', 'order-4', 'order-6'],
  );
});

test('a journal that cannot be written stops no payment, is reported, and catches up', () => {
  using folder = temporaryFolder();
  const ledger = openLedger(folder.path);
  const { lapses } = ledger.table;
  mkdirSync(join(folder.path, 'ledger.journal')); // one that was there before would have been moved away
  payMany(ledger, 1, 5);
  assert.match(ledger.table.journalProblem ?? '', /EISDIR/);
  const failed = ledger.table.lapses;
  rmdirSync(join(folder.path, 'ledger.journal'));
  pay(ledger, 6);
  assert.is(ledger.table.journalProblem, null);
  assert.ok(failed !== lapses && ledger.table.lapses === failed, 'the copies are to take what it missed');
  const expected = contents(ledger);
  ledger.close();
  rmSync(join(folder.path, 'ledger.db'));
  using after = openLedger(folder.path);
  assert.equal(contents(after), expected);
});

test('a second copy whose medium is not there is reported, and nothing is made in its place', () => {
  using folder = temporaryFolder();
  const medium = join(folder.path, 'not-mounted');
  using ledger = openLedger(folder.path, medium);
  pay(ledger, 1);
  const [, second] = keepCopies(ledger);
  assert.match(second?.problem ?? '', /not-mounted is not there: plug its medium in$/);
  assert.equal(ledger.table.findings.size, 0);
  assert.not(readdirSync(folder.path).includes('not-mounted'));
});

test('damage that is met while the device runs: the database is made anew in the midst of the work', () => {
  using folder = filledFolder(30);
  using ledger = openLedger(folder.path);
  const expected = contents(ledger);
  const path = join(folder.path, 'ledger.db');
  // what SQLite has read already it does not read again, so another connection changes the file beneath it
  const handle = openSync(path, 'r+');
  const { length } = readFileSync(path);
  for (let page = PAGE_BYTES; page < length; page += PAGE_BYTES)
    writeSync(handle, Buffer.alloc(PAGE_BYTES, 0x5a), 0, PAGE_BYTES, page);
  const other = openFile(path);
  try {
    other.exec('PRAGMA user_version = 3');
  } catch {
    // it is as damaged to this connection
  }
  other.close();
  assert.equal(contents(ledger), expected);
  pay(ledger, 31);
  assert.is(contents(ledger).rows.length, 31);
  assert.type(ledger.table.setAside, 'string');
});

/** Makes the index of the order ids lead to another row, while a ledger has the file open. */
function misleadIndex(path: string): void {
  const bytes = readFileSync(path);
  const [from, to] = [Buffer.from('order-7'), Buffer.from('order-x')];
  for (let place = bytes.indexOf(from); place >= 0; place = bytes.indexOf(from, place + 1)) {
    const page = place - (place % PAGE_BYTES);
    if (bytes[page] === INDEX_LEAF) to.copy(bytes, place);
  }
  const handle = openSync(path, 'r+');
  writeSync(handle, bytes);
  closeSync(handle);
}

test('an index that leads astray is found with the copies, and the database made anew', () => {
  using folder = filledFolder(10);
  using ledger = openLedger(folder.path);
  const expected = contents(ledger);
  misleadIndex(join(folder.path, 'ledger.db'));
  assert.ok(keepCopies(ledger)[0]?.isDamaged);
  ledger.table.recheck();
  assert.equal(contents(ledger), expected);
  assert.is(ledger.find('order-7')?.id, 7);
  assert.match(ledger.table.setAside ?? '', /ledger\.db\.damaged-/);
  assert.not(keepCopies(ledger)[0]?.isDamaged);
});

test('a crash while the database was made anew: the new one is taken where it was whole, else all begins again', () => {
  using source = temporaryFolder();
  const made = openLedger(source.path);
  payMany(made, 1, 5);
  const expected = contents(made);
  made.close();
  const whole = readFileSync(join(source.path, 'ledger.db'));
  const garbage = Buffer.alloc(8192, 0x58);
  const journal = readFileSync(join(source.path, 'ledger.journal'));
  const states: readonly Readonly<Record<string, Buffer>>[] = [
    { 'ledger.db': garbage, 'ledger.db.rebuilt': whole },
    { 'ledger.db.rebuilt': whole },
    { 'ledger.db': garbage, 'ledger.db.rebuilding': garbage, 'ledger.journal': journal },
    { 'ledger.db': garbage, 'ledger.db.rebuilding': whole.subarray(0, 5000), 'ledger.journal': journal },
  ];
  for (const files of states) {
    using folder = temporaryFolder();
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder.path, name), bytes);
    const ledger = openLedger(folder.path);
    assert.equal(contents(ledger), expected, Object.keys(files).join());
    ledger.close();
    const left = readdirSync(folder.path);
    assert.not(
      left.some((name) => name.includes('rebui')),
      left.join(),
    );
    assert.is(
      left.some((name) => name.startsWith('ledger.db.damaged-')),
      'ledger.db' in files,
    );
  }
});

async function exported({ terminal, dataDir }: TestDevice): Promise<string[][]> {
  assert.is((await call(`${terminal}/exportToCSV`, { json: { path: 'all.csv' } })).status, 200);
  const lines = readFileSync(join(dataDir, 'exports', 'all.csv'), 'utf8')
    .trim()
    .split('\r\n');
  return lines.slice(1).map((line) => line.split(/,(?! )/));
}

test('an export holds no figure that the storage has changed, and /health names the row', async () => {
  for (const isCopied of [true, false]) {
    using folder = temporaryFolder();
    {
      await using device = await startTestDevice({}, folder.path);
      await setUp(device);
      for (const amount of [AMOUNT - 100, AMOUNT, AMOUNT + 100]) {
        assert.is((await call(`${device.terminal}/showQR`, { json: { amount } })).status, 200);
      }
    }
    alterAmount(folder.path);
    if (!isCopied) forgetTheRest(folder.path);
    await using device = await startTestDevice({}, folder.path);
    const { state, reason } = await ledgerHealth(device);
    assert.is(state, 'degraded');
    assert.match(
      reason,
      isCopied ? /payment 2 of the ledger had been changed .*put back/ : /payment 2 of the ledger: damaged/,
    );
    const rows = await exported(device);
    const amounts = rows.map((row) => row[3]);
    assert.equal(amounts, [`${AMOUNT - 100}`, isCopied ? `${AMOUNT}` : '', `${AMOUNT + 100}`]);
    if (!isCopied) assert.match(rows[1]?.join(',') ?? '', /,"DAMAGED: .* Ask the bank/);
  }
});

test('/health says that nothing is lost only where that is so, and names rows that a hand has changed', async () => {
  for (const isLost of [false, true]) {
    using folder = filledFolder(10);
    const journal = join(folder.path, 'ledger.journal');
    writeFileSync(journal, readFileSync(journal).fill(0x58));
    if (isLost) alterAmount(folder.path);
    await using device = await startTestDevice({}, folder.path);
    const { reason } = await ledgerHealth(device);
    assert.match(reason, /beside the ledger was damaged and set aside as \S+ledger\.journal\.damaged-/);
    assert.is(/nothing is lost/.test(reason), !isLost, reason);
    assert.is(/may hold what the ledger lacks/.test(reason), isLost, reason);
  }
  using folder = filledFolder(10);
  const db = openFile(join(folder.path, 'ledger.db'));
  db.exec('UPDATE payments SET amount = 1 WHERE id IN (3, 5)');
  db.close();
  await using device = await startTestDevice({}, folder.path);
  assert.match((await ledgerHealth(device)).reason, /payments 3, 5 of the ledger were changed by hand/);
});

test('a payment whose row has vanished is followed to its end', async () => {
  using folder = temporaryFolder();
  let qrcId = '';
  {
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    assert.is((await call(`${device.terminal}/showQR`, { json: { amount: AMOUNT } })).status, 200);
    qrcId = (await call(`${device.sandbox}/sandbox/payments`)).body[0].qrcId;
  }
  rmSync(join(folder.path, 'ledger.db'));
  await using device = await startTestDevice({}, folder.path);
  assert.is((await call(`${device.sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' })).status, 200);
  await untilAccepted(device);
  assert.equal(
    (await exported(device)).map((row) => [row[2], row[3]]),
    [['ACCEPTED', `${AMOUNT}`]],
  );
  assert.match((await ledgerHealth(device)).reason, /set aside as .*ledger\.db\.damaged-.*made anew from its journal/);
});

test('a damaged copy is made anew, and the damaged one kept', () => {
  using folder = temporaryFolder();
  const ledger = openLedger(folder.path);
  payMany(ledger, 1, 5);
  keepCopies(ledger);
  writeFileSync(join(folder.path, 'ledger.copy.db'), Buffer.alloc(8192, 0x58));
  const [report] = keepCopies(ledger);
  assert.equal(report, { problem: null, suspects: [], isDamaged: false, conflicting: [] });
  assert.ok(readdirSync(folder.path).some((name) => name.startsWith('ledger.copy.db.damaged-')));
  const expected = contents(ledger);
  ledger.close();
  for (const file of ['ledger.db', 'ledger.journal']) rmSync(join(folder.path, file));
  using after = openLedger(folder.path);
  assert.equal(
    contents(after).rows.map(({ orderId }) => orderId),
    expected.rows.map(({ orderId }) => orderId),
  );
});

test.run();
