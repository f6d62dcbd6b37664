/** The book of money over an update and back: a made-up newer release changes its form, and the release before comes back. */

import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Book, type BookPlan } from '../../firmware/core/book/index.ts';
import { copyBefore, schemaOf } from '../../firmware/core/files/before-migration.ts';
import { type Migration, openFile } from '../../firmware/core/files/database.ts';
import { LedgerMaintenance } from '../../firmware/payments/money/ledger-maintenance.ts';
import { Money, moneyPlan } from '../../firmware/payments/money/money.ts';
import { MONEY_MIGRATIONS } from '../../firmware/payments/money/money-schema.ts';
import { each, inFolder, setUp, startTestDevice } from '../support.ts';
import { isRefused, REFUSED } from '../terminal/closed-ledger.ts';
import { NOW, payMany } from '../terminal/ledger-rig.ts';
import { paymentsAfter } from '../terminal/ledger-rows.ts';
import { soldFrom } from './book-device.ts';

const test = suite('a book of money, over an update and back');
const it = each(test, inFolder);

const newest = MONEY_MIGRATIONS.at(-1)?.schema ?? 0;
/** Adds a column, which the release before passes over. */
const ADDING: Migration = {
  schema: newest + 1,
  readableFrom: MONEY_MIGRATIONS.at(-1)?.readableFrom ?? 0,
  sql: 'ALTER TABLE payments ADD COLUMN made_up TEXT',
};
/** Takes a column away that the release before writes. */
const TAKING: Migration = {
  schema: newest + 2,
  readableFrom: newest + 1,
  sql: 'ALTER TABLE payments DROP COLUMN payer_phone',
};

type Release = Pick<BookPlan, 'migrations' | 'isWayBackOpen'>;
const OLD: Release = { migrations: MONEY_MIGRATIONS };
const newer = (isOpen: boolean): Release => {
  return { migrations: [...MONEY_MIGRATIONS, ADDING, TAKING], isWayBackOpen: () => isOpen };
};
const [IN_FIRST_DAY, LATER] = [newer(true), newer(false)];

const refusedBy = (before = '') =>
  new RegExp(`${before}with schema ${TAKING.schema}, and release .* knows up to ${newest}: install the release`);

interface Running {
  readonly money: Money;
  readonly sold: () => string[];
  readonly said: () => string;
}

/** Runs a release on a folder, as far as its book is concerned. */
async function on<T>(folder: string, release: Release, work: (running: Running) => T): Promise<T> {
  const file = { path: join(folder, 'money.db'), secondFolder: null, now: () => NOW };
  using money = new Money(Book.open(file, { ...moneyPlan(null), ...release }));
  const nothing = () => undefined;
  const log: string[] = [];
  const kept = { onRepaired: nothing, onOpened: nothing };
  const keeper = new LedgerMaintenance(money.book, { wall: () => NOW }, 5, kept, (line, more) => {
    log.push(`${line} ${JSON.stringify(more ?? {})}`);
    if (line.includes('cannot be made anew')) void keeper.close(); // it would try for ever
  });
  await keeper.whenRebuilt();
  try {
    return await work({
      money,
      sold: () => paymentsAfter(money.payments, 0, 10_000).map(({ orderId, amount }) => `${orderId} ${amount}`),
      said: () => [money.book.problem?.message ?? '', ...log].join('\n'),
    });
  } finally {
    await keeper.close();
  }
}

const sell = (folder: string, release: Release, first: number, last = first) =>
  on(folder, release, ({ money }) => payMany(money.payments, first, last));
const sold = (folder: string, release: Release) => on(folder, release, (running) => running.sold());

function schemaIn(path: string): number {
  using db = openFile(path, { readOnly: true });
  return schemaOf(db);
}

function loseDatabase(folder: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `money.db${end}`), { force: true });
}

/** Bytes of the book and its journal. */
const filesOf = (folder: string): string[] =>
  ['money.db', ...readdirSync(join(folder, 'money.journal')).map((name) => join('money.journal', name))].map(
    (name) => `${name} ${statSync(join(folder, name)).size} ${readFileSync(join(folder, name)).toString('base64')}`,
  );

it('in a newer release’s first day both sell from one book, and either finds all in it', async (folder) => {
  await sell(folder.path, OLD, 1, 3);
  await sell(folder.path, IN_FIRST_DAY, 4, 5);
  assert.is(schemaIn(join(folder.path, 'money.db')), ADDING.schema);
  assert.equal(await sold(folder.path, OLD), soldFrom(1, 5));
  await sell(folder.path, OLD, 6, 7);
  assert.equal(await sold(folder.path, IN_FIRST_DAY), soldFrom(1, 7));
  await sell(folder.path, IN_FIRST_DAY, 8);
  assert.equal(await sold(folder.path, LATER), soldFrom(1, 8));
  assert.is(schemaIn(join(folder.path, 'money.db')), TAKING.schema);
  assert.is(schemaIn(copyBefore(join(folder.path, 'money.db'))), ADDING.schema);
});

it('after that day the old release refuses before a sale, with its sentence, files left as is', async (folder) => {
  await sell(folder.path, OLD, 1);
  await sell(folder.path, LATER, 2);
  const before = filesOf(folder.path);
  await on(folder.path, OLD, ({ money, said }) => {
    assert.match(said(), refusedBy('money\\.db was written by release .* '));
    assert.throws(() => payMany(money.payments, 3, 3), /cannot be opened/);
  });
  assert.equal(filesOf(folder.path), before);
  assert.equal(await sold(folder.path, LATER), soldFrom(1, 2));
});

it('the whole device of the older release takes no sale, says why, and answers all else', async (folder) => {
  await sell(folder.path, OLD, 1);
  await sell(folder.path, LATER, 2);
  await using device = await startTestDevice({}, folder.path);
  await setUp(device);
  await isRefused(device, { ...REFUSED, pattern: refusedBy() });
});

for (const [what, lose] of [
  ['whose database is gone', loseDatabase],
  [
    'beside its copy',
    (folder: string) => {
      loseDatabase(folder);
      using copy = openFile(copyBefore(join(folder, 'money.db')));
      copy.prepare('VACUUM INTO ?').run(join(folder, 'money.db'));
    },
  ],
] as const)
  it(`a journal of the newer form ${what} is read by the newer release alone`, async (folder) => {
    await sell(folder.path, OLD, 1);
    await sell(folder.path, LATER, 2, 3);
    lose(folder.path);
    await on(folder.path, OLD, ({ money, said }) => {
      const needed = `has lines of a newer release, for which schema ${TAKING.readableFrom} must be known`;
      assert.match(said(), new RegExp(`${needed}, and release .* up to ${newest}`));
      assert.throws(() => payMany(money.payments, 4, 4));
    });
    assert.equal(await sold(folder.path, LATER), soldFrom(1, 3));
  });

it('a book that is made anew in the first day is one that the release before reads', async (folder) => {
  await sell(folder.path, OLD, 1);
  await sell(folder.path, IN_FIRST_DAY, 2);
  loseDatabase(folder.path);
  assert.equal(await sold(folder.path, IN_FIRST_DAY), soldFrom(1, 2));
  assert.equal(await sold(folder.path, OLD), soldFrom(1, 2));
  loseDatabase(folder.path);
  assert.equal(await sold(folder.path, OLD), soldFrom(1, 2), 'also by that release itself');
  assert.not.ok(existsSync(copyBefore(join(folder.path, 'money.db'))));
});

test.run();
