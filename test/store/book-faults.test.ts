/** One fault at a time, each found by an attack on the book of money: what was acknowledged survives it. */
import fs, { copyFileSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NOTHING_FOUND } from '../../firmware/store/book/open-book.ts';
import { openFile } from '../../firmware/store/database.ts';
import type { Book } from '../../firmware/store/index.ts';
import { BookKeeper } from '../../firmware/terminal/ledger/book-keeper.ts';
import { Money } from '../../firmware/terminal/ledger/money.ts';
import { temporaryFolder } from '../support.ts';
import { NOW, payMany } from '../terminal/ledger-rig.ts';

const test = suite('a book of money, one fault at a time');

const DESCRIBED = {
  payment: ({ orderId }: { orderId: string }) => ({ orderId }),
  refund: ({ refundId }: { refundId: string }) => ({ refundId }),
};

/** A device: its folder, its clock, its second medium. */
class Device implements Disposable {
  readonly #folder = temporaryFolder();
  readonly second: string | null;
  now = NOW;
  money: Money;
  keeper: BookKeeper;

  constructor(second: string | null = null) {
    this.second = second;
    [this.money, this.keeper] = this.#open();
  }

  get book(): Book {
    return this.money.book;
  }

  get folder(): string {
    return this.#folder.path;
  }

  get journal(): string {
    return join(this.folder, 'money.journal');
  }

  file(name = 'money.db'): string {
    return join(this.folder, name);
  }

  /** The newest log. */
  get log(): string {
    const last = readdirSync(this.journal).findLast((name) => name.endsWith('.log'));
    return join(this.journal, last ?? 'none');
  }

  /** Ends, has something done to its files, and starts. */
  async restart(meanwhile: () => void = () => undefined): Promise<void> {
    await this.keeper.close();
    this.book.close();
    meanwhile();
    [this.money, this.keeper] = this.#open();
    await this.keeper.whenRebuilt();
  }

  loseDatabase(): void {
    for (const end of ['', '-wal', '-shm']) rmSync(this.file(`money.db${end}`), { force: true });
  }

  sell(first: number, last = first): void {
    payMany(this.money.payments, first, last);
  }

  /** Two quiet minutes. */
  async rest(): Promise<void> {
    await this.keeper.passMinute();
    await this.keeper.passMinute();
  }

  /** Numbers of the orders, each with its kopecks. */
  get sold(): string[] {
    return this.money.payments.after(0, 10_000).map(({ orderId, amount }) => `${orderId} ${amount}`);
  }

  get problems(): string[] {
    return this.keeper.problems.map(({ code }) => code);
  }

  /** How many breaks of the journal `/health` names. */
  get breaks(): number {
    return this.keeper.problems.flatMap(({ sentence }) => sentence.match(/behind commit/g) ?? []).length;
  }

  [Symbol.dispose](): void {
    void this.keeper.close();
    this.book.close();
    this.#folder[Symbol.dispose]();
  }

  #open(): [Money, BookKeeper] {
    const file = { path: this.file(), secondFolder: this.second, now: () => this.now };
    const money = Money.open(file, DESCRIBED);
    const nothing = () => undefined;
    const kept = { onRepaired: nothing, onOpened: nothing };
    return [money, new BookKeeper(money.book, { wall: () => this.now }, 5, kept, nothing)];
  }
}

const soldFrom = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, n) => `order-${first + n} ${1_000_000 + 100 * (first + n)}`);

/** Has a call of the file system fail until it is disposed of. */
function failing(name: 'writeSync' | 'fdatasyncSync', code: string): Disposable {
  const own = fs[name];
  Object.assign(fs, {
    [name]: () => {
      throw Object.assign(new Error(code), { code, syscall: name });
    },
  });
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]: () => {
      Object.assign(fs, { [name]: own });
      syncBuiltinESMExports();
    },
  };
}

function change(path: string, alter: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  alter(bytes);
  writeFileSync(path, bytes);
}

test('a byte that makes no character any more moves no line behind it', async () => {
  using device = new Device();
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

const altered = (device: Device, sql: string) => (): void => {
  using db = openFile(device.file());
  db.exec(sql);
};

test('a database of no bytes is made anew, also where its journal does not begin with its first commit', async () => {
  using device = new Device();
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
  test(`the number of the last commit is not believed where it is damaged: ${sql}`, async () => {
    using device = new Device();
    device.sell(1, 3);
    const { head, lastEvent } = device.book;
    await device.restart(altered(device, `UPDATE book SET ${sql}`));
    assert.equal([device.book.head, device.book.lastEvent], [head, lastEvent]);
    device.sell(4);
    await device.restart(() => device.loseDatabase());
    assert.equal(device.sold, soldFrom(1, 4));
    assert.is(readdirSync(device.folder).filter((name) => name.includes('.other-')).length, 0);
  });
}

test('the database of another device is no later state of this one, whatever numbers its rows have', async () => {
  using device = new Device();
  using other = new Device();
  device.sell(1, 2);
  other.sell(11, 18);
  for (const { orderId } of other.money.payments.after(0, 100))
    for (const text of ['a', 'b', 'c']) other.money.payments.keepNote(orderId, text, NOW);
  other.book.close();
  await device.restart(() => {
    device.loseDatabase();
    copyFileSync(other.file(), device.file());
  });
  assert.equal(device.problems, ['ledger-conflicting']);
});

test('a journal that lacks commits without a row of their own goes on where the database stands', async () => {
  using device = new Device();
  device.sell(1, 2);
  device.book.appendMissing(device.book.head);
  device.sell(3);
  await device.restart();
  assert.equal(device.book.found, NOTHING_FOUND);
  await device.keeper.compare();
  assert.is(device.breaks, 0);
});

test('a full disk while the journal is completed leaves the line after it readable', async () => {
  using device = new Device();
  device.sell(1, 2);
  using full = failing('writeSync', 'ENOSPC');
  assert.throws(() => device.book.appendMissing(3), /ENOSPC/);
  full[Symbol.dispose]();
  device.sell(3);
  await device.keeper.compare();
  assert.is(device.breaks, 0);
  await device.restart(() => device.loseDatabase());
  assert.equal(device.sold, soldFrom(1, 3));
});

test.run();
