/** Printed codes, each of which waits for payments that stand on it. */
import type { DatabaseSync } from 'node:sqlite';
import type { Dialect } from './payment.ts';
import { newSbpId } from './sbp-id.ts';

/** A code that stays, such as one that is printed. */
export interface CashLink {
  readonly qrcId: string;
  readonly link: string;
}

export class CashLinks {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  add(dialect: Dialect, merchant: string, linkOf: (qrcId: string) => string): CashLink {
    const qrcId = newSbpId('AS');
    const link = linkOf(qrcId);
    this.#db.prepare('INSERT INTO cash_link VALUES (?, ?, ?, ?)').run(qrcId, dialect, merchant, link);
    return { qrcId, link };
  }

  /** A merchant's own printed code. */
  find(dialect: Dialect, merchant: string, qrcId: string): CashLink | null {
    const sql = 'SELECT link FROM cash_link WHERE dialect = ? AND merchant = ? AND qrc_id = ?';
    const row = this.#db.prepare(sql).get(dialect, merchant, qrcId);
    return row === undefined ? null : { qrcId, link: String(row.link) };
  }
}
