/** One fault at a time, each found by an attack on the book of money: what was acknowledged survives it. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
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

test.run();
