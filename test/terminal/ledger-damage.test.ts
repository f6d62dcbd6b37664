/**
 * The files of the ledger, damaged in every way that a card, a power cut or a hand can damage them: what one of them
 * loses, the others bring back, and it is reported. LANEWARE_FLIPS=n damages n places of each file.
 */
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Ledger } from '../../firmware/terminal/ledger/ledger.ts';
import { temporaryFolder } from '../support.ts';
import {
  alter,
  type Contents,
  contents,
  cut,
  flip,
  keepCopies,
  openedAfter,
  openLedger,
  pay,
  payMany,
  places,
  WHOLE_FILE,
} from './ledger-rig.ts';

const FLIPS = Number(process.env.LANEWARE_FLIPS ?? 25);
const PAYMENTS = 15;

const test = suite(`damaged files of the ledger (${FLIPS} places of each)`);

/** A ledger whose power was cut in the midst of its first day: all is in the write-ahead log and the journal. */
function youngLedger(folder: string): Contents {
  const ledger = openLedger(folder);
  payMany(ledger, 1, PAYMENTS);
  const expected = contents(ledger);
  cut(folder, ledger);
  return expected;
}

/** One that was ended in order: the write-ahead log is gone. */
function closedLedger(folder: string): Contents {
  const ledger = openLedger(folder);
  payMany(ledger, 1, PAYMENTS);
  const expected = contents(ledger);
  ledger.close();
  return expected;
}

/** One whose journal has forgotten the first payments, which are in the copy. */
function oldLedger(folder: string): Contents {
  const before = openLedger(folder);
  payMany(before, 1, PAYMENTS);
  keepCopies(before);
  before.close();
  rmSync(join(folder, 'ledger.journal'));
  const ledger = openLedger(folder);
  payMany(ledger, PAYMENTS + 1, PAYMENTS + 5);
  const expected = contents(ledger);
  cut(folder, ledger);
  return expected;
}

const LEDGERS = [
  { age: 'young', fill: youngLedger, heart: 'ledger.db-wal', files: ['ledger.db', 'ledger.db-wal', 'ledger.journal'] },
  { age: 'closed', fill: closedLedger, heart: 'ledger.db', files: ['ledger.db', 'ledger.journal'] },
  {
    age: 'old',
    fill: oldLedger,
    heart: 'ledger.db',
    files: ['ledger.copy.db', 'ledger.db', 'ledger.db-wal', 'ledger.journal'],
  },
] as const;

const isTold = ({ table }: Ledger): boolean => table.setAside !== null || table.findings.size > 0;

/** `heart`: the file that is not lost without notice. */
for (const { age, fill, heart, files } of LEDGERS) {
  const folder = temporaryFolder();
  test.after(() => folder[Symbol.dispose]());
  const data = join(folder.path, 'data');
  mkdirSync(data);
  const expected = fill(data);

  test(`${age}: undamaged, nothing is found`, () => {
    assert.ok(expected.rows.length >= PAYMENTS);
    assert.equal(readdirSync(data).sort(), files);
    openedAfter(
      data,
      () => undefined,
      (ledger) => {
        assert.equal(contents(ledger), expected);
        assert.not(isTold(ledger));
      },
    );
  });

  for (const file of files) {
    for (const [what, damage] of Object.entries(WHOLE_FILE)) {
      test(`${age}: ${file} ${what}: every payment is unchanged`, () => {
        openedAfter(
          data,
          (copy) => damage(join(copy, file)),
          (ledger) => {
            assert.equal(contents(ledger), expected);
            if (file === heart) assert.ok(isTold(ledger));
          },
        );
      });
    }

    test(`${age}: a bit of ${file} flipped: every payment is unchanged`, () => {
      for (const place of places(join(data, file), FLIPS)) {
        openedAfter(
          data,
          (copy) => flip(join(copy, file), place),
          (ledger) => assert.equal(contents(ledger), expected, `byte ${place}`),
        );
      }
    });

    test(`${age}: two starts after ${file} was lost: every payment is unchanged`, () => {
      openedAfter(
        data,
        (copy) => {
          rmSync(join(copy, file));
          openLedger(copy).close();
        },
        (ledger) => assert.equal(contents(ledger), expected),
      );
    });
  }
}

for (const isCopied of [false, true]) {
  const where = isCopied ? 'the copy and the journal' : 'the journal';
  test(`an older ledger.db in the place of the present one: what it lacks comes from ${where}, and is reported`, () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'ledger.db');
    const before = openLedger(folder.path);
    payMany(before, 1, PAYMENTS);
    before.close();
    copyFileSync(path, `${path}.old`);
    const ledger = openLedger(folder.path);
    payMany(ledger, PAYMENTS + 1, 2 * PAYMENTS);
    if (isCopied) keepCopies(ledger);
    const expected = contents(ledger);
    ledger.close();
    copyFileSync(`${path}.old`, path);
    using after = openLedger(folder.path);
    assert.equal(contents(after), expected);
    assert.ok(isTold(after));
  });
}

test('the second copy, on another medium, brings back what all others have lost', () => {
  using folder = temporaryFolder();
  using medium = temporaryFolder();
  const ledger = openLedger(folder.path, medium.path);
  payMany(ledger, 1, PAYMENTS);
  const expected = contents(ledger);
  for (const { problem } of keepCopies(ledger)) assert.is(problem, null);
  ledger.close();
  assert.is(readdirSync(medium.path).length, 1);
  for (const file of ['ledger.copy.db', 'ledger.journal']) rmSync(join(folder.path, file));
  alter(join(folder.path, 'ledger.db'), Buffer.from('Äpfel 7'), Buffer.from('Äpfel 8'));
  using after = openLedger(folder.path, medium.path);
  assert.equal(contents(after), expected);
  assert.equal([...after.table.findings], [[7, 'repaired']]);
});

test('a medium may serve several devices: each has a copy of its own there', () => {
  using one = temporaryFolder();
  using other = temporaryFolder();
  using medium = temporaryFolder();
  for (const [index, folder] of [one, other].entries()) {
    using ledger = openLedger(folder.path, medium.path);
    payMany(ledger, 1, 2 + index);
    keepCopies(ledger);
  }
  assert.is(readdirSync(medium.path).length, 2);
  using after = openLedger(one.path, medium.path);
  assert.is(contents(after).rows.length, 2);
});

test("after another device's journal lay there, the own one confirms every payment, and the other's none", () => {
  using one = temporaryFolder();
  using other = temporaryFolder();
  for (const [folder, last] of [
    [one, 3],
    [other, 40],
  ] as const) {
    using ledger = openLedger(folder.path);
    payMany(ledger, 1, last);
  }
  copyFileSync(join(other.path, 'ledger.journal'), join(one.path, 'ledger.journal'));
  const ledger = openLedger(one.path);
  pay(ledger, 50);
  const expected = contents(ledger);
  ledger.close();
  rmSync(join(one.path, 'ledger.db'));
  using after = openLedger(one.path);
  assert.equal(contents(after), expected);
});

test.run();
