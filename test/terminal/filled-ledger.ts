/** A book of money with many payments at once, in one transaction: a commit for each step of each of them would take minutes. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isBankProfile, merchantOf } from '../../firmware/banks/registry.ts';
import { RowFormat } from '../../firmware/core/book/row.ts';
import { putStand } from '../../firmware/core/book/stand.ts';
import { openFile, transaction } from '../../firmware/core/files/database.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { NOWHERE } from './banks/pools.ts';

export interface Filling {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Kopecks. */
  readonly amount: number;
  /** An open one is asked about when the device starts. */
  readonly state: 'PENDING' | 'ACCEPTED' | 'REJECTED';
}

const ENDS_AFTER_MS = 500;
const [LONG_MINUTES, SHORT_MINUTES] = [10_000, 5];

/** With checksums; the next start begins the journal. @param profile whom they pay, as settings have it */
export function fillLedger(dataDir: string, fillings: Iterable<Filling>, profile: object): void {
  if (!isBankProfile(profile)) throw new TypeError('this is no profile of a bank');
  mkdirSync(dataDir, { recursive: true });
  const merchant = merchantOf(profile, NOWHERE);
  const path = join(dataDir, 'money.db');
  Money.open({ path, secondFolder: null, now: Date.now }).book.close();
  using db = openFile(path);
  const format = new RowFormat(db, 'payments');
  transaction(db, () => {
    let called = 0;
    for (const { createdAt, amount, state } of fillings) {
      const bankId = randomBytes(16).toString('hex').toUpperCase();
      const isOpen = state === 'PENDING';
      called += 1;
      format.put({
        ...{ id: called, change_no: called, called, order_id: randomUUID(), created_at: createdAt, boot_id: 'before' },
        ...{ created_mono: 0, profile: 'p', bank: 'CFT', merchant, amount, purpose: 'Apples', state },
        ...{
          ttl: isOpen ? LONG_MINUTES : SHORT_MINUTES,
          bank_id: bankId,
          payload: `https://qr.nspk.ru/${bankId}?type=02`,
        },
        ...{ seen: 1, late: 0, superseded: 0, settled: isOpen ? 0 : 1 },
        ended_at: isOpen ? null : createdAt + ENDS_AFTER_MS,
      });
    }
    putStand((sql) => db.prepare(sql), { commit: called, hash: '', lastEvent: 0 });
  });
  rmSync(join(dataDir, 'money.journal'), { recursive: true });
}
