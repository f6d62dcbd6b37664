/** A ledger on files of its own: filled, cut off, damaged, opened again. */

import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { REGISTERING } from '../../firmware/payments/model/payment.ts';
import type { NewPayment } from '../../firmware/payments/model/payment-row.ts';
import type { Ledger } from '../../firmware/payments/money/ledger.ts';
import { LedgerMaintenance } from '../../firmware/payments/money/ledger-maintenance.ts';
import { type Described, Money } from '../../firmware/payments/money/money.ts';
import { replaced } from '../replaced.ts';
import { type TemporaryFolder, temporaryFolder } from '../support.ts';
import { paymentsAfter } from './ledger-rows.ts';

export const NOW = Date.parse('2026-11-20');

/** Closed at the end of its block where it is declared with `using`. */
export const openMoney = (folder: string, secondFolder: string | null = null, told?: Described): Money =>
  Money.open({ path: join(folder, 'money.db'), secondFolder, now: () => NOW }, told);

/** One that is asked for, and whose bank has not heard of it. */
export const newPayment = (n: number): NewPayment => ({
  orderId: `order-${n}`,
  createdAt: NOW + n,
  bootId: 'boot',
  createdMono: n,
  profile: 'main',
  bank: 'CFT',
  merchant: `merchant ${n}`,
  amount: 1_000_000 + 100 * n,
  purpose: `Äpfel ${n}`,
  ttl: 5,
  till: null,
  cashier: null,
  sale: null,
  status: REGISTERING,
});

/** A change of a payment that is none to a till. */
export const note = (ledger: Ledger, orderId: string, text: string): void => ledger.acknowledge(orderId, text, NOW);

/** Every fifth payment stays open, every third of the others is declined. */
export function pay(ledger: Ledger, n: number): void {
  const { orderId } = newPayment(n);
  ledger.insert(newPayment(n));
  ledger.recordRef(orderId, { id: `bank-${n}`, step: 'one' });
  ledger.intendToShow(orderId, `https://pay.example/${n}`);
  note(ledger, orderId, 'shown');
  if (n % 5 === 4) return;
  ledger.setStatus(
    orderId,
    { ...REGISTERING, seen: true, state: n % 3 === 0 ? 'REJECTED' : 'ACCEPTED' },
    NOW + 100 + n,
  );
  ledger.markSettled(orderId);
}

export function payMany(ledger: Ledger, first: number, last: number): void {
  for (let n = first; n <= last; n += 1) pay(ledger, n);
}

/** A folder with the book of a device that has taken some payments and ended. */
export function filledFolder(payments: number): TemporaryFolder {
  const folder = temporaryFolder();
  using money = openMoney(folder.path);
  payMany(money.payments, 1, payments);
  return folder;
}

/** All that a till or an accountant gets to see. */
export const contents = (ledger: Ledger) => ({
  rows: paymentsAfter(ledger, 0, 10_000),
  open: ledger.queries.followed().map(({ orderId }) => orderId),
  last: ledger.last()?.orderId,
  latest: ledger.queries.latestMoment(),
});

/** A book that is looked after as on a device; it is made anew where that must be. */
export async function openKept(folder: string, secondFolder: string | null = null, told?: Described) {
  const money = openMoney(folder, secondFolder, told);
  const seen = { repaired: [] as number[], opened: [] as boolean[], log: [] as string[] };
  const keeper = new LedgerMaintenance(
    money.book,
    { wall: () => NOW },
    5,
    { onRepaired: (ids) => void seen.repaired.push(...ids), onOpened: (isRebuilt) => void seen.opened.push(isRebuilt) },
    (line) => void seen.log.push(line),
  );
  await keeper.whenRebuilt();
  return {
    ...{ money, keeper, seen, payments: money.payments, book: money.book },
    problems: () => keeper.problems.map(({ code }) => code),
    [Symbol.asyncDispose]: async () => {
      await keeper.close();
      money.book.close();
    },
  };
}

/** For a book that nobody looks after. */
export const NO_CARE = {
  restoreSince: async () => undefined,
  whenRestored: async <T>(read: () => T): Promise<T> => read(),
  whenSound: async <T>(read: () => T | Promise<T>): Promise<T> => await read(),
};

/** Leaves the files as a kill does that comes now. */
export function cut(folder: string, money: Money): void {
  const aside = `${folder}.cut`;
  cpSync(folder, aside, { recursive: true, filter: (path) => !path.endsWith('-shm') });
  money.book.close();
  rmSync(folder, { recursive: true });
  cpSync(aside, folder, { recursive: true });
  rmSync(aside, { recursive: true });
}

/** Has each commit fail until it is disposed of. */
export function failingCommit(message = 'database or disk is full', errcode = 13): Disposable {
  const { exec } = DatabaseSync.prototype;
  return replaced(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
    if (sql === 'COMMIT') throw Object.assign(new Error(message), { errcode });
    exec.call(this, sql);
  });
}

/** What becomes of a file as a whole. */
export const WHOLE_FILE: Readonly<Record<string, (path: string) => void>> = {
  deleted: (path) => rmSync(path),
  'of no bytes': (path) => truncateSync(path, 0),
  zeroed: (path) => writeFileSync(path, Buffer.alloc(readFileSync(path).length)),
  halved: (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
  text: (path) => writeFileSync(path, 'this is a letter, not a database\n'.repeat(300)),
  'a folder': (path) => {
    rmSync(path);
    mkdirSync(path);
  },
};

export function flip(path: string, place: number): void {
  const bytes = readFileSync(path);
  bytes[place] = (bytes[place] ?? 0) ^ 0x10;
  writeFileSync(path, bytes);
}
