/** A ledger with many payments at once, in one transaction: a change for each step of each of them would take minutes. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replicate } from '../../firmware/store/checked/replicate.ts';
import { openFile, transaction } from '../../firmware/store/database.ts';
import { isBankProfile, merchantOf } from '../../firmware/terminal/banks/registry.ts';
import { Ledger } from '../../firmware/terminal/ledger/ledger.ts';
import { NOWHERE } from './banks/pools.ts';

export interface Filling {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Kopecks. */
  readonly amount: number;
  /** An open one is asked about when the device starts. */
  readonly state: 'PENDING' | 'ACCEPTED' | 'REJECTED';
}

const INSERT = `INSERT INTO payments (order_id, created_at, boot_id, created_mono, profile, bank, merchant,
  amount, purpose, ttl, bank_id, payload, state, seen, late, superseded, settled, ended_at, called)
  VALUES (?, ?, 'before', 0, 'p', 'CFT', ?, ?, 'Apples', ?, ?, ?, ?, 1, 0, 0, ?, ?, ?)`;
const ENDS_AFTER_MS = 500;
const [LONG_MINUTES, SHORT_MINUTES] = [10_000, 5];

/** Checksums, journal and copy included. @param profile whom they pay, as settings have it */
export function fillLedger(dataDir: string, fillings: Iterable<Filling>, profile: object): void {
  if (!isBankProfile(profile)) throw new TypeError('this is no profile of a bank');
  mkdirSync(dataDir, { recursive: true });
  const merchant = merchantOf(profile, NOWHERE);
  const path = join(dataDir, 'ledger.db');
  const ledger = Ledger.open({ path, secondFolder: null, now: Date.now });
  const db = openFile(path);
  const insert = db.prepare(INSERT);
  transaction(db, () => {
    let called = 0;
    for (const { createdAt, amount, state } of fillings) {
      const orderId = randomUUID();
      const bankId = randomBytes(16).toString('hex').toUpperCase();
      const link = `https://qr.nspk.ru/${bankId}?type=02`;
      const isOpen = state === 'PENDING';
      const ttl = isOpen ? LONG_MINUTES : SHORT_MINUTES;
      const end = isOpen ? null : createdAt + ENDS_AFTER_MS;
      insert.run(orderId, createdAt, merchant, amount, ttl, bankId, link, state, isOpen ? 0 : 1, end, ++called);
    }
  });
  db.close();
  while (ledger.table.addChecksums());
  for (const replica of ledger.table.replicas)
    replicate({ ...ledger.table.description, replica, compare: false, now: 0 });
  ledger.table.rotateJournal(); // the copy has it all: the journal forgets what lies before
  ledger.close();
  rmSync(join(dataDir, 'ledger.journal.before'), { force: true });
}
