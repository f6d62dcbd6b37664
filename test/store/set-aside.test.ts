/** Files that were set aside: the newest few are kept, and the only copy of a payment always. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allSetAside, lastSetAside, MOST_KEPT, setAside } from '../../firmware/store/set-aside.ts';
import { temporaryFolder } from '../support.ts';
import { alter, contents, openLedger, payMany } from '../terminal/ledger-rig.ts';

const test = suite('files that were set aside');

const NOW = Date.parse('2026-11-20');
const DAY_MS = 86_400_000;
const ROUNDS = 12;

test('the newest are kept, with what belongs to them, in the order in which they were set aside', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'some.db');
  for (let n = 1; n <= ROUNDS; n += 1) {
    for (const end of ['', '-wal', '-journal']) writeFileSync(path + end, `${n}${end}`);
    setAside(path, NOW);
  }
  const kept = allSetAside(path);
  assert.equal(
    kept.map((aside) => readFileSync(aside, 'utf8')),
    Array.from({ length: MOST_KEPT }, (_, n) => String(ROUNDS - MOST_KEPT + 1 + n)),
  );
  assert.is(readdirSync(folder.path).length, 3 * MOST_KEPT);
  assert.is(lastSetAside(path), kept.at(-1));
});

test('the last one is kept, though the clock says that it is the oldest', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'some.json');
  let last = '';
  for (let n = 1; n <= ROUNDS; n += 1) {
    writeFileSync(path, String(n));
    last = setAside(path, NOW - n * DAY_MS);
    assert.is(readFileSync(last, 'utf8'), String(n));
  }
  assert.is(allSetAside(path).length, MOST_KEPT);
});

test('a folder that somebody put there stays, and so does what a link leads to', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'some.json');
  const theirs = join(folder.path, 'theirs');
  writeFileSync(theirs, 'x');
  mkdirSync(path);
  writeFileSync(join(path, 'inner'), 'x');
  const first = setAside(path, NOW);
  for (let n = 1; n <= ROUNDS; n += 1) {
    symlinkSync(theirs, path);
    setAside(path, NOW);
  }
  assert.ok(lstatSync(first).isDirectory());
  assert.is(readFileSync(theirs, 'utf8'), 'x');
  assert.ok(allSetAside(path).length <= MOST_KEPT + 1);
});

/** Starts a ledger again and again, each time with its file damaged. */
function damageAgainAndAgain(folder: string, first: () => void): number {
  const path = join(folder, 'ledger.db');
  for (let n = 1; n <= ROUNDS; n += 1) {
    if (n === 1) first();
    else writeFileSync(path, Buffer.alloc(8192, n));
    openLedger(folder).close();
  }
  return allSetAside(path).length;
}

test('a card that damages the ledger again and again is not filled, as long as every payment was repaired', () => {
  using folder = temporaryFolder();
  const before = openLedger(folder.path);
  payMany(before, 1, 3);
  const expected = contents(before);
  before.close();
  const damage = () => writeFileSync(join(folder.path, 'ledger.db'), Buffer.alloc(8192, 0x58));
  assert.is(damageAgainAndAgain(folder.path, damage), MOST_KEPT);
  const after = openLedger(folder.path);
  assert.equal(contents(after), expected);
  after.close();
});

test('with a payment that could not be repaired, every file that was the ledger is kept', () => {
  for (const what of ['a lost row', 'a damaged row']) {
    using folder = temporaryFolder();
    const before = openLedger(folder.path);
    payMany(before, 1, 3);
    before.close();
    const damage = () => {
      alter(
        join(folder.path, 'ledger.db'),
        Buffer.from('order-2'),
        Buffer.from(what === 'a lost row' ? 'order-1' : 'order-x'),
      );
      rmSync(join(folder.path, 'ledger.journal'));
    };
    assert.is(damageAgainAndAgain(folder.path, damage), ROUNDS, what);
    assert.match(basename(lastSetAside(join(folder.path, 'ledger.db')) ?? ''), /damaged-/);
  }
});

test.run();
