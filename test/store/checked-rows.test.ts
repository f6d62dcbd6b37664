/** Rows of a journal and a copy count only unchanged, and only as far as the file reaches. */
import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JournalContent } from '../../firmware/store/checked/journal-content.ts';
import { Replica } from '../../firmware/store/checked/replica.ts';
import { Replicator } from '../../firmware/store/checked/replicator.ts';
import { checksumOf, isWhole, type Version } from '../../firmware/store/checked/row.ts';
import { TableJournal } from '../../firmware/store/checked/table-journal.ts';
import { openFile } from '../../firmware/store/database.ts';
import type { Ledger } from '../../firmware/terminal/ledger/ledger.ts';
import { REGISTERING } from '../../firmware/terminal/payments/payment.ts';
import { temporaryFolder } from '../support.ts';
import { contents, keepCopies, NOW, note, openLedger, pay, payMany } from '../terminal/ledger-rig.ts';

const test = suite('journals and copies, line by line');

const TABLE = 7;

function version(change: number, word = 'apples'): Version {
  const text = `{"change_no":${change},"id":${change},"purpose":"${word}"}`;
  return { id: change, change, checksum: checksumOf(text), text };
}

/** A journal of two files: three changes in each. */
function twoFiles(path: string, word?: string): void {
  const journal = new TableJournal({ path, tableId: TABLE, found: JournalContent.NONE, now: NOW });
  for (const change of [1, 2, 3]) journal.append([version(change, word)]);
  journal.rotate();
  for (const change of [4, 5, 6]) journal.append([version(change, word)]);
  journal.close();
}

function replaced(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'latin1');
  assert.ok(text.includes(from), from);
  writeFileSync(path, text.replace(from, to), 'latin1');
}

const changesOf = (content: JournalContent): number[] => content.versions.map(({ change }) => change);

test('a journal knows how far back it reaches, and what was put before it does not count', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'j');
  twoFiles(path);
  const whole = JournalContent.read(path);
  assert.equal([whole.covers(0), whole.covers(3), whole.head], [true, true, 6]);
  twoFiles(join(folder.path, 'other'), 'pears');
  renameSync(join(folder.path, 'other.before'), `${path}.before`); // as long, and of another story
  const mixed = JournalContent.read(path);
  assert.equal([mixed.covers(0), mixed.covers(2), mixed.covers(3)], [false, false, true]);
});

test('a line that is no more what was written is left out, and a damaged journal covers nothing', () => {
  for (const [file, from, to, left] of [
    ['j', '"id":5,"purpose":"apples"', '"id":5,"purpose":"pples!"', [1, 2, 3, 4, 6]],
    ['j.before', '"id":2,"purpose":"apples"', '"id":2,"purpose":"pples!"', [1, 3, 4, 5, 6]],
    ['j', `laneware-journal-1 ${TABLE} 3`, `laneware-journal-1 ${TABLE} 2`, [1, 2, 3, 4, 5, 6]],
  ] as const) {
    using folder = temporaryFolder();
    const path = join(folder.path, 'j');
    twoFiles(path);
    replaced(join(folder.path, file), from, to);
    const content = JournalContent.read(path);
    assert.ok(content.damaged, from);
    assert.equal(changesOf(content), left, from);
    for (const change of [0, 3, 6]) assert.not(content.covers(change), from);
  }
});

test('a version is whole when its text, its number and its change are what they say', () => {
  const good = version(3);
  assert.ok(isWhole(good));
  for (const changed of [{ id: 4 }, { change: 4 }, { text: good.text.replace('a', 'b') }, { checksum: 'x' }])
    assert.not(isWhole({ ...good, ...changed }), JSON.stringify(changed));
});

test('a copy whose rows were changed returns none of them, nor how far it reaches', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'copy.db');
  {
    using made = Replica.open(path, TABLE, NOW);
    made.take([1, 2, 3].map((change) => version(change)));
  }
  const db = openFile(path);
  db.exec("UPDATE versions SET text = replace(text, 'apples', 'pears') WHERE id = 1");
  db.exec('UPDATE versions SET change_no = 900 WHERE id = 3');
  db.close();
  using copy = Replica.find(path) ?? assert.unreachable('a copy') ?? Replica.open(path, TABLE, NOW);
  assert.equal(
    [1, 2, 3].map((id) => copy.find(id)?.change ?? null),
    [null, 2, null],
  );
  assert.is(copy.head, 2);
});

const damageAmount = (folder: string, id: number): void => {
  const db = openFile(join(folder, 'ledger.db'));
  db.exec('DROP TRIGGER payments_unchecked');
  db.exec(`UPDATE payments SET amount = amount + 1 WHERE id = ${id}`);
  db.close();
};

test('of a journal and an older copy the newer version of a row is put back', () => {
  using folder = temporaryFolder();
  const before = openLedger(folder.path);
  payMany(before, 1, 3);
  keepCopies(before);
  note(before, 'order-2', 'newer');
  const expected = contents(before);
  before.close();
  damageAmount(folder.path, 2);
  const ledger = openLedger(folder.path);
  assert.equal([...ledger.table.findings], [[2, 'repaired']]);
  assert.equal(contents(ledger), expected);
  ledger.close();
});

test('a change writes each row once and with its checksum, and none of which nothing is new', () => {
  using folder = temporaryFolder();
  using ledger = openLedger(folder.path);
  payMany(ledger, 1, 1);
  const { head } = ledger.table;
  note(ledger, 'order-1', 'shown');
  ledger.markSettled('order-1');
  assert.is(ledger.table.head, head);
  ledger.intendToShow('order-1', 'https://pay.example/other', { id: 'other' });
  assert.is(ledger.table.head, head + 1);
  ledger.setStatus('order-1', { ...REGISTERING, seen: true, late: true, state: 'ACCEPTED' }, NOW, {
    trxId: 'trx',
    paidAt: NOW,
    refunded: 100,
    payer: null,
  });
  assert.is(ledger.table.head, head + 2);
  assert.ok(ledger.isSound(1));
  const { ref, payload, trxId, refunded, settled } = ledger.after(0, 1)[0] ?? assert.unreachable('a payment') ?? {};
  assert.equal(
    [ref, payload, trxId, refunded, settled],
    [{ id: 'other' }, 'https://pay.example/other', 'trx', 100, true],
  );
  const journal = JournalContent.read(join(folder.path, 'ledger.journal'));
  assert.equal([journal.head, journal.damaged], [head + 2, false]);
});

test('who has paid is asked about no more, from the commit on that says so', () => {
  using folder = temporaryFolder();
  using ledger = openLedger(folder.path);
  payMany(ledger, 4, 4); // it is open
  ledger.setStatus('order-4', { ...REGISTERING, seen: true, state: 'ACCEPTED' }, NOW);
  assert.equal(ledger.followed(10), []);
});

test('what a change sets is nothing where another part of it fails', () => {
  using folder = temporaryFolder();
  using ledger = openLedger(folder.path);
  payMany(ledger, 1, 2);
  const before = contents(ledger);
  const { head, lastId } = ledger.table;
  assert.throws(
    () =>
      ledger.commit(() => {
        note(ledger, 'order-1', 'never');
        throw new Error('no room');
      }),
    /no room/,
  );
  assert.equal(contents(ledger), before);
  payMany(ledger, 3, 3);
  assert.is(ledger.table.lastId, lastId + 1);
  assert.ok(ledger.table.head > head);
  assert.equal([...ledger.table.findings], []);
});

test('a row that only an old copy has is asked about again', () => {
  using folder = temporaryFolder();
  const before = openLedger(folder.path);
  payMany(before, 1, 3);
  keepCopies(before);
  payMany(before, 4, 4);
  before.close();
  damageAmount(folder.path, 3);
  rmSync(join(folder.path, 'ledger.journal'));
  const ledger = openLedger(folder.path);
  assert.equal([...ledger.table.findings], [[3, 'repaired']]);
  assert.equal(
    ledger.followed(10).map(({ id }) => id),
    [3, 4],
  );
  ledger.close();
});

const replicatorOf = ({ table }: Ledger): Replicator =>
  new Replicator({ table, onRepaired: () => undefined, now: () => NOW, log: () => undefined });

test('a journal that cannot be copied is not turned, so that no file of it goes', async () => {
  using folder = temporaryFolder();
  symlinkSync('/proc/self/mem', join(folder.path, 'ledger.copy.db')); // every read fails with EIO
  const ledger = openLedger(folder.path);
  payMany(ledger, 1, 600);
  assert.ok(ledger.table.isJournalLong);
  const replicator = replicatorOf(ledger);
  await replicator.compare();
  assert.is(replicator.problems.size, 1);
  assert.ok(ledger.table.isJournalLong);
  await replicator.close();
  ledger.close();
});

/** Number of the last change that a copy in a folder has. */
function copiedIn(folder: string): number {
  const file = readdirSync(folder).find((name) => name.endsWith('.copy.db')) ?? 'no copy';
  using db = openFile(join(folder, file), { readOnly: true });
  return Number(db.prepare('SELECT max(change_no) AS head FROM versions').get()?.head ?? 0);
}

/** What may cost the journal lines, or lets it go of them. */
const NEEDS_COPY: Readonly<Record<string, (ledger: Ledger) => void>> = {
  'the journal has grown long': (ledger) => note(ledger, 'order-1', 'x'.repeat(1_100_000)),
  'the table was opened again': (ledger) => ledger.table.recheck(),
};

for (const [what, happens] of Object.entries(NEEDS_COPY)) {
  test(`the copy on another medium follows in each quiet minute, the one beside the ledger when ${what}`, async () => {
    using folder = temporaryFolder();
    using medium = temporaryFolder();
    using ledger = openLedger(folder.path, medium.path);
    pay(ledger, 1);
    const replicator = replicatorOf(ledger);
    const heads = async (minutes: number): Promise<number[]> => {
      for (let n = 0; n < minutes; n += 1) await replicator.passMinute();
      return [folder, medium].map(({ path }) => copiedIn(path));
    };
    const first = ledger.table.head;
    assert.equal(await heads(1), [first, first], 'the first minute');
    let before = first;
    for (const n of [2, 3]) {
      pay(ledger, n);
      assert.equal(await heads(1), [first, before], 'a busy minute');
      before = ledger.table.head;
      assert.equal(
        await heads(1),
        [first, before],
        'a quiet one: the journal has what the copy beside the ledger lacks',
      );
    }
    happens(ledger);
    const { head } = ledger.table;
    assert.equal(await heads(2), [head, head]);
    assert.not(ledger.table.isJournalLong);
    pay(ledger, 4);
    assert.equal(await heads(2), [head, ledger.table.head]);
    assert.equal(await heads(24 * 60), [ledger.table.head, ledger.table.head], 'each day');
    assert.is(replicator.problems.size, 0);
    await replicator.close();
  });
}

test('a copy beside the ledger that could not be written is tried again after a quarter of an hour', async () => {
  using folder = temporaryFolder();
  using ledger = openLedger(folder.path);
  pay(ledger, 1);
  const copy = join(folder.path, 'ledger.copy.db');
  symlinkSync('/proc/self/mem', copy); // every read fails with EIO
  const replicator = replicatorOf(ledger);
  await replicator.passMinute();
  assert.is(replicator.problems.size, 1);
  rmSync(copy);
  for (let minute = 0; minute < 15; minute += 1) await replicator.passMinute();
  assert.equal([copiedIn(folder.path), replicator.problems.size], [ledger.table.head, 0]);
  await replicator.close();
});

test('a read of a row that was changed returns the repaired row', () => {
  using folder = temporaryFolder();
  const ledger = openLedger(folder.path);
  payMany(ledger, 1, 3);
  const written = ledger.table.checked(0, 10);
  ledger.table.run("UPDATE payments SET purpose = 'pears', checksum = 'torn' WHERE id = 2", {});
  assert.equal(ledger.table.checked(0, 10), written);
  assert.is(ledger.table.findings.get(2), 'repaired');
  ledger.close();
});

test.run();
