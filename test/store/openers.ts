/** Opens each database of a device as the device does. */

import { DeliveryBook } from '../../firmware/features/webhooks/delivery-book.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { LanePayments } from '../../firmware/payments/reports/lanes/lane-payments.ts';
import { ItemsFile } from '../../firmware/recognition/items/items-file.ts';
import { TemplatesFile } from '../../firmware/recognition/templates/templates-database.ts';
import { openBooks } from '../../firmware/tools/sandbox-bank/payments.ts';

export const NOW = Date.parse('2026-11-20');

export function problemOf(open: () => { readonly close: () => void }): string {
  try {
    open().close();
    return 'it opened';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

const beside = { secondFolder: null, now: () => NOW };

/** Each opens its database and answers what is wrong with it, as the device reports it. */
export const DATABASES: Readonly<Record<string, (path: string) => string>> = {
  'money.db': (path) => {
    using money = Money.open({ path, ...beside });
    return money.book.problem?.message ?? '';
  },
  'lanes.db': (path) =>
    problemOf(() => {
      const payments = new LanePayments({ path, clock: { wall: () => NOW, monotonic: () => 0 } });
      payments.search({ trxId: 'A1' }, 1);
      return payments;
    }),
  'webhooks.db': (path) => problemOf(() => DeliveryBook.open(path, NOW)),
  'sandbox.db': (path) => {
    const { db, problem } = openBooks(path, NOW);
    db.close();
    return problem ?? '';
  },
  'items.db': (path) => {
    const { db, problem } = new ItemsFile(path, NOW);
    db.close();
    return problem ?? '';
  },
  'templates.db': (path) => {
    const { db, problem } = new TemplatesFile(path, 100, NOW);
    db.close();
    return problem ?? '';
  },
};
