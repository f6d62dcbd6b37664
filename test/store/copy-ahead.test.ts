/** What is taken of a second medium: files that go on from the card's journal, up to a gap, and of one history with its database. */
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { journalOf, lineFiles } from '../../firmware/core/book/journal-files.ts';
import { copyAhead } from '../../firmware/core/book/newer-medium.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { type TemporaryFolder, temporaryFolder } from '../support.ts';
import { NOW, newPayment } from '../terminal/ledger-rig.ts';

const test = suite('a second medium: what is taken of it');

const DAY_MS = 86_400_000;
const LAST_DAY = 4;
const bookIn = (folder: string): string => join(folder, 'money.db');

function sellIn(folder: string, day: number, name = 'sale'): void {
  using money = Money.open({ path: bookIn(folder), secondFolder: null, now: () => NOW + day * DAY_MS });
  money.payments.insert({ ...newPayment(day), orderId: `${name} ${day}` });
}

const copy = (from: string, to: string): void => cpSync(from, to, { recursive: true });

function putJournal(from: string, to: string): void {
  rmSync(journalOf(bookIn(to)), { recursive: true });
  copy(journalOf(bookIn(from)), journalOf(bookIn(to)));
}

/** Cards after each day of one history, by day; the first is empty. */
function cards(root: string): string[] {
  const all = Array.from({ length: LAST_DAY + 1 }, (_, day) => join(root, `day-${day}`));
  for (let day = 1; day <= LAST_DAY; day += 1) {
    const card = all[day] ?? '';
    if (day > 1) copy(all[day - 1] ?? '', card);
    sellIn(card, day);
  }
  return all;
}

function within(work: (all: readonly string[], folder: TemporaryFolder) => void): () => void {
  return () => {
    using folder = temporaryFolder();
    work(cards(folder.path), folder);
  };
}

const taken = (card: string, medium: string): readonly string[] | null =>
  copyAhead({ path: bookIn(card), secondFolder: medium })?.files ?? null;
const filesOf = (card: string): string[] => lineFiles(journalOf(bookIn(card))).map(({ path }) => basename(path));

test(
  'files that go on, up to the first that does not',
  within(([, first = '', , , medium = '']) => {
    const [own = '', ...later] = filesOf(medium);
    assert.equal([filesOf(first), later.length], [[own], LAST_DAY - 1]);
    assert.equal(taken(first, medium), later);
    rmSync(join(journalOf(bookIn(medium)), later[1] ?? ''));
    assert.equal(taken(first, medium), later.slice(0, 1), 'a day is missing');
  }),
);

test(
  'nothing for a database that the medium has never had, beyond its journal',
  within(([, first = '', second = '', , medium = ''], folder) => {
    const later = filesOf(medium).slice(1);
    putJournal(first, second);
    assert.equal(taken(second, medium), later, 'a database of the same history');
    const other = join(folder.path, 'other');
    copy(first, other);
    sellIn(other, 2, 'another sale');
    putJournal(first, other);
    assert.is(taken(other, medium), null);
    assert.equal(
      readdirSync(journalOf(bookIn(other))).filter((name) => !filesOf(other).includes(name) && !name.endsWith('.rows')),
      [],
    );
  }),
);

test.run();
