/** A device whose book of money has faults: its files, its clock, its second medium. */

import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Book, catchUp } from '../../firmware/core/book/index.ts';
import { openFile } from '../../firmware/core/files/database.ts';
import { LedgerMaintenance } from '../../firmware/payments/money/ledger-maintenance.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { type TemporaryFolder, temporaryFolder } from '../support.ts';
import { NOW, payMany } from '../terminal/ledger-rig.ts';
import { paymentsAfter } from '../terminal/ledger-rows.ts';

const DESCRIBED = {
  payment: ({ orderId }: { orderId: string }) => ({ orderId }),
  refund: ({ refundId }: { refundId: string }) => ({ refundId }),
};

/** A device: its folder, its clock, its second medium. */
export class Device implements Disposable {
  readonly #folder = temporaryFolder();
  second: string | null;
  now = NOW;
  money: Money;
  keeper: LedgerMaintenance;

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
    await catchUp({ path: this.file(), secondFolder: this.second }, () => undefined);
    [this.money, this.keeper] = this.#open();
    await this.keeper.whenRebuilt();
  }

  loseDatabase(): void {
    for (const end of ['', '-wal', '-shm']) rmSync(this.file(`money.db${end}`), { force: true });
  }

  /** Another one in its place. */
  takeDatabase(path: string): void {
    this.loseDatabase();
    copyFileSync(path, this.file());
  }

  /** The journal alone has all that was sold. */
  async outlivesItsDatabase(last: number): Promise<void> {
    await this.restart(() => this.loseDatabase());
    assert.equal(this.sold, soldFrom(1, last));
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
    return paymentsAfter(this.money.payments, 0, 10_000).map(({ orderId, amount }) => `${orderId} ${amount}`);
  }

  get problems(): string[] {
    return this.keeper.problems.map(({ code }) => code);
  }

  /** How many breaks of the journal `/health` names. */
  get breaks(): number {
    return this.keeper.problems.flatMap((reason) => String(reason).match(/behind commit/g) ?? []).length;
  }

  [Symbol.dispose](): void {
    void this.keeper.close();
    this.book.close();
    this.#folder[Symbol.dispose]();
  }

  #open(): [Money, LedgerMaintenance] {
    const file = { path: this.file(), secondFolder: this.second, now: () => this.now };
    const money = Money.open(file, DESCRIBED);
    const nothing = () => undefined;
    const kept = { onRepaired: nothing, onOpened: nothing };
    return [money, new LedgerMaintenance(money.book, { wall: () => this.now }, 5, kept, nothing)];
  }
}

export type Run = (device: Device, second: TemporaryFolder) => Promise<void> | void;
/** On a device with a second medium. */
export const onCopied = (run: Run) => async (): Promise<void> => {
  using second = temporaryFolder();
  using device = new Device(second.path);
  await run(device, second);
};

export const soldFrom = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, n) => `order-${first + n} ${1_000_000 + 100 * (first + n)}`);

export function change(path: string, alter: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  alter(bytes);
  writeFileSync(path, bytes);
}

export const altered = (device: Device, sql: string) => (): void => {
  using db = openFile(device.file());
  db.exec(sql);
};

export const loseAll = (device: Device) => (): void => {
  device.loseDatabase();
  rmSync(device.journal, { recursive: true });
};
