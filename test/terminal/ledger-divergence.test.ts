/** Copies, journals and files of the ledger that are not of it, or not any more: no row of another payment takes a row's place. */
import { copyFileSync, cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JournalContent } from '../../firmware/store/checked/journal-content.ts';
import { Replica } from '../../firmware/store/checked/replica.ts';
import { checksumOf, type Version } from '../../firmware/store/checked/row.ts';
import { TableJournal } from '../../firmware/store/checked/table-journal.ts';
import { openFile } from '../../firmware/store/database.ts';
import type { Ledger } from '../../firmware/terminal/ledger/ledger.ts';
import { temporaryFolder } from '../support.ts';
import { type Contents, contents, filledFolder, flip, keepCopies, openLedger, pay, payMany } from './ledger-rig.ts';

/** Last byte of the number of free pages (https://www.sqlite.org/fileformat2.html#the_database_header). */
const FREE_PAGES = 39;

const test = suite('what is not of this ledger');

interface Places {
  readonly data: string;
  readonly medium: string;
}

/**
 * A device whose folder was put back as it had been after five payments, while the medium with the second copy was away: both know
 * other payments under the numbers from 6 on.
 * @param before how many payments there were before, and since
 */
function parted({ data, medium }: Places, before: number, since: number): void {
  for (const folder of [data, medium]) mkdirSync(folder);
  const first = openLedger(data, medium);
  payMany(first, 1, 5);
  keepCopies(first);
  first.close();
  cpSync(data, `${data}.image`, { recursive: true });
  const second = openLedger(data, medium);
  payMany(second, 6, 5 + before);
  keepCopies(second);
  second.close();
  rmSync(data, { recursive: true });
  renameSync(`${data}.image`, data);
  renameSync(medium, `${medium}.away`);
  const third = openLedger(data, medium);
  payMany(third, 101, 100 + since);
  third.close();
  renameSync(`${medium}.away`, medium);
}

const inFolder = (look: (places: Places) => void): void => {
  using folder = temporaryFolder();
  look({ data: join(folder.path, 'data'), medium: join(folder.path, 'medium') });
};
const numbered = ({ rows }: Contents) => rows.map(({ id, orderId }) => [id, orderId]);
const asideIn = (folder: string): string[] => readdirSync(folder).filter((name) => /\.(damaged|other)-/.test(name));

/** Opens without the medium, to see what there is by itself. */
function present({ data }: Places): Contents {
  const ledger = openLedger(data);
  try {
    return contents(ledger);
  } finally {
    ledger.close();
  }
}

for (const [before, since] of [
  [7, 3],
  [3, 7],
  [100, 90],
] as const) {
  test(`a second copy that knows ${before} other payments beside ${since} own ones: none of them takes a row's place`, () =>
    inFolder((places) => {
      parted(places, before, since);
      const expected = present(places);
      assert.is(expected.rows.length, 5 + since);
      for (const start of ['first', 'second']) {
        using ledger = openLedger(places.data, places.medium);
        assert.equal(contents(ledger), expected, start);
        const reports = keepCopies(ledger);
        const conflicting = reports.flatMap((report) => report.conflicting);
        const common = Math.min(before, since, 64);
        assert.is(conflicting.length, start === 'first' ? common : 0);
        assert.ok(conflicting.every((id) => id > 5));
        assert.equal(
          reports.flatMap(({ problem, suspects }) => [problem, ...suspects]),
          [null, null],
        );
        ledger.table.noteConflicts(conflicting);
        assert.equal(contents(ledger), expected, start);
        assert.ok(conflicting.every((id) => ledger.table.findings.get(id) === 'conflicting'));
      }
      const [other, ...more] = asideIn(places.medium);
      assert.match(other ?? '', /\.copy\.db\.other-/, 'the accountant finds the other payments there');
      assert.equal([...more, ...asideIn(places.data)], []);
      // the new copy is one of this ledger
      for (const name of readdirSync(places.data)) rmSync(join(places.data, name));
      const [copy = ''] = readdirSync(places.medium).filter((name) => name.endsWith('.copy.db'));
      copyFileSync(join(places.medium, copy), join(places.data, 'ledger.copy.db'));
      using after = openLedger(places.data);
      assert.equal(numbered(contents(after)), numbered(expected));
    }));
}

test('a second copy that has only gone on brings back what an older state of the folder lacks', () =>
  inFolder((places) => {
    parted(places, 7, 0);
    using ledger = openLedger(places.data, places.medium);
    assert.equal(
      ledger.after(0, 100).map(({ orderId }) => orderId),
      Array.from({ length: 12 }, (_, n) => `order-${n + 1}`),
    );
  }));

test('with the ledger damaged its own journal and copy are believed, and the other one is not', () =>
  inFolder((places) => {
    parted(places, 7, 3);
    const own = openLedger(places.data);
    keepCopies(own);
    const expected = contents(own);
    own.close();
    for (const lost of ['ledger.db', 'ledger.journal', 'ledger.copy.db']) {
      const { data, medium } = { data: `${places.data}.${lost}`, medium: `${places.medium}.${lost}` };
      cpSync(places.data, data, { recursive: true });
      cpSync(places.medium, medium, { recursive: true });
      for (const file of new Set(['ledger.db', lost])) writeFileSync(join(data, file), Buffer.alloc(8192, 0x58));
      using ledger = openLedger(data, medium);
      assert.equal(numbered(contents(ledger)), numbered(expected), lost);
    }
  }));

test('a journal that knows other payments takes no row away', () =>
  inFolder((places) => {
    parted(places, 7, 3);
    const expected = present(places);
    const elsewhere = { data: `${places.data}.elsewhere`, medium: `${places.medium}.elsewhere` };
    parted(elsewhere, 0, 0);
    const own = openLedger(elsewhere.data);
    own.close();
    // the journal of the state that was there before
    cpSync(places.data, elsewhere.data, { recursive: true, force: true });
    const [copy = ''] = readdirSync(places.medium);
    const db = openFile(join(elsewhere.data, 'ledger.db'));
    const tableId = Number(db.prepare('PRAGMA application_id').get()?.application_id);
    db.close();
    using other = Replica.find(join(places.medium, copy));
    const journal = join(elsewhere.data, 'ledger.journal');
    rmSync(journal);
    const written = new TableJournal({ path: journal, tableId, found: JournalContent.NONE, now: 0 });
    written.append((other?.after(5, 3) ?? []).map(later));
    written.close();
    using ledger = openLedger(elsewhere.data);
    assert.equal(contents(ledger), expected);
    assert.equal(
      [...ledger.table.findings],
      [6, 7, 8].map((id) => [id, 'conflicting']),
    );
  }));

/** The same row, by a change that came long after. */
function later(version: Version): Version {
  const change = version.change + 1000;
  const text = version.text.replace(`"change_no":${version.change}`, `"change_no":${change}`);
  return { ...version, change, text, checksum: checksumOf(text) };
}

test('a ledger.db of another device gives way to the own one, and none of its rows is taken', () => {
  using folder = temporaryFolder();
  const [data, other] = [join(folder.path, 'data'), join(folder.path, 'other')];
  for (const path of [data, other]) mkdirSync(path);
  const own = openLedger(data);
  payMany(own, 1, 3);
  keepCopies(own);
  const expected = contents(own);
  own.close();
  const stranger = openLedger(other);
  payMany(stranger, 201, 209);
  stranger.close();
  copyFileSync(join(other, 'ledger.db'), join(data, 'ledger.db'));
  using ledger = openLedger(data);
  assert.equal(contents(ledger), expected);
});

function alter(folder: string, sql: string): void {
  const db = openFile(join(folder, 'ledger.db'));
  db.exec(sql);
  db.close();
}

test("another device's copy beside a ledger that has sold nothing yet: none of its payments is taken", () => {
  using folder = temporaryFolder();
  const [data, other] = [join(folder.path, 'data'), join(folder.path, 'other')];
  for (const path of [data, other]) mkdirSync(path);
  openLedger(data).close();
  const stranger = openLedger(other);
  payMany(stranger, 1, 3);
  keepCopies(stranger);
  stranger.close();
  copyFileSync(join(other, 'ledger.copy.db'), join(data, 'ledger.copy.db'));
  using ledger = openLedger(data);
  assert.is(ledger.table.lastId, 0);
});

test('a lost row is not put back in the place of another that has its order id by now', () => {
  using folder = filledFolder(4);
  alter(folder.path, "DELETE FROM payments WHERE id = 2; UPDATE payments SET order_id = 'order-2' WHERE id = 4");
  using ledger = openLedger(folder.path);
  while (ledger.table.addChecksums());
  assert.equal(
    ledger.after(0, 100).map(({ id, orderId }) => [id, orderId]),
    [
      [1, 'order-1'],
      [3, 'order-3'],
      [4, 'order-2'],
    ],
  );
  assert.equal([...ledger.table.findings].sort(), [
    [2, 'lost'],
    [4, 'conflicting'],
  ]);
});

test('a row that was changed by hand through SQL is reported, as long as the journal or a copy has its old content', () => {
  for (const kept of [['ledger.journal'], ['ledger.copy.db'], []]) {
    using folder = temporaryFolder();
    const before = openLedger(folder.path);
    payMany(before, 1, 4);
    keepCopies(before);
    before.close();
    alter(folder.path, 'UPDATE payments SET amount = 1 WHERE id = 3; UPDATE payments SET amount = amount WHERE id = 1');
    for (const file of ['ledger.journal', 'ledger.copy.db']) if (!kept.includes(file)) rmSync(join(folder.path, file));
    const ledger = openLedger(folder.path);
    while (ledger.table.addChecksums());
    assert.is(ledger.byId(3)?.amount, 1);
    assert.equal([...ledger.table.findings], kept.length > 0 ? [[3, 'altered']] : []);
    keepCopies(ledger);
    ledger.close();
    using after = openLedger(folder.path);
    assert.is(after.byId(3)?.amount, 1);
    assert.is(after.table.findings.size, 0);
  }
});

test('the last payments, deleted from every file that had them: reported at each start, and their numbers are not used again', () => {
  using folder = filledFolder(6);
  for (const file of ['ledger.journal']) rmSync(join(folder.path, file));
  alter(folder.path, 'DELETE FROM payments WHERE id > 4');
  const lost = [
    [5, 'lost'],
    [6, 'lost'],
  ];
  const look = (what: (ledger: Ledger) => void): void => {
    using ledger = openLedger(folder.path);
    what(ledger);
  };
  for (const _ of ['first', 'second'])
    look((ledger) => {
      assert.equal([...ledger.table.findings].sort(), lost);
      assert.equal(
        ledger.checked(4, 10).map(({ id, payment }) => [id, payment]),
        [
          [5, null],
          [6, null],
        ],
      );
      assert.equal(ledger.checked(6, 10), []);
    });
  // the file is damaged too, and made anew from its rows
  const path = join(folder.path, 'ledger.db');
  flip(path, FREE_PAGES);
  look((ledger) => {
    assert.type(ledger.table.setAside, 'string');
    assert.equal([...ledger.table.findings].sort(), lost);
    pay(ledger, 7);
    assert.is(ledger.find('order-7')?.id, 7);
  });
});

test('a counter of ids that was damaged makes no payments lost', () => {
  using folder = filledFolder(3);
  alter(folder.path, 'UPDATE sqlite_sequence SET seq = 1000000');
  using ledger = openLedger(folder.path);
  assert.is(ledger.table.findings.size, 0);
  assert.is(ledger.checked(0, 100).length, 3);
});

test('a file that says it was made anew is taken only if it is whole, of this ledger, and no older', () => {
  using source = temporaryFolder();
  const [data, other] = [join(source.path, 'data'), join(source.path, 'other')];
  for (const folder of [data, other]) mkdirSync(folder);
  const own = openLedger(data);
  payMany(own, 1, 4);
  keepCopies(own);
  own.close();
  copyFileSync(join(data, 'ledger.db'), join(source.path, 'old.db'));
  const again = openLedger(data);
  payMany(again, 5, 6);
  keepCopies(again);
  const expected = contents(again);
  again.close();
  const stranger = openLedger(other);
  payMany(stranger, 201, 230);
  stranger.close();
  writeFileSync(join(source.path, 'garbage'), Buffer.alloc(8192, 0x58));
  writeFileSync(join(source.path, 'empty'), '');
  for (const rebuilt of [join(other, 'ledger.db'), 'old.db', 'garbage', 'empty']) {
    for (const [isThere, isAlone] of [
      [true, false],
      [false, false],
      [true, true],
    ]) {
      using folder = temporaryFolder();
      cpSync(data, folder.path, { recursive: true });
      copyFileSync(
        rebuilt.startsWith('/') ? rebuilt : join(source.path, rebuilt),
        join(folder.path, 'ledger.db.rebuilt'),
      );
      if (!isThere) rmSync(join(folder.path, 'ledger.db'));
      if (isAlone) for (const file of ['ledger.journal', 'ledger.copy.db']) rmSync(join(folder.path, file));
      using ledger = openLedger(folder.path);
      assert.equal(contents(ledger), expected, `${rebuilt} ${isThere} ${isAlone}`);
    }
  }
});

test.run();
