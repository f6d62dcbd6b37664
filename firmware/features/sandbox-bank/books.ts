/** The file of the sandbox bank's books: its tables, and how it is opened. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { type Migration, type OpenedDatabase, openDatabase, writeFailure } from '../../core/store/index.ts';

const MIGRATIONS: readonly Migration[] = [
  {
    schema: 4,
    readableFrom: '0.1.0',
    sql: `CREATE TABLE sale (
      seq INTEGER PRIMARY KEY,
      dialect TEXT NOT NULL,
      merchant TEXT NOT NULL,
      bank_id TEXT NOT NULL,
      qrc_id TEXT NOT NULL UNIQUE,
      order_id TEXT,
      amount INTEGER NOT NULL,
      purpose TEXT,
      detail TEXT NOT NULL DEFAULT '{}',
      link TEXT NOT NULL,
      coded INTEGER NOT NULL,
      state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'processing', 'paid', 'declined', 'cancelled')),
      charges INTEGER NOT NULL DEFAULT 0,
      trx_id TEXT,
      paid_wall INTEGER,
      created_wall INTEGER NOT NULL,
      expires_wall INTEGER NOT NULL,
      since_wall INTEGER NOT NULL,
      boot_id TEXT NOT NULL,
      expires_monotonic INTEGER NOT NULL,
      since_monotonic INTEGER NOT NULL,
      UNIQUE (dialect, merchant, bank_id)
    ) STRICT;
    CREATE INDEX sale_order ON sale (dialect, merchant, order_id);
    CREATE TABLE refund (
      seq INTEGER PRIMARY KEY,
      sale INTEGER NOT NULL REFERENCES sale (seq) ON DELETE CASCADE,
      refund_id TEXT NOT NULL,
      bank_id TEXT NOT NULL UNIQUE,
      amount INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'declined')),
      created_wall INTEGER NOT NULL,
      boot_id TEXT NOT NULL,
      since_monotonic INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX refund_sale ON refund (sale);`,
  },
];

export interface OpenedBooks extends OpenedDatabase {
  /** Why the books are in memory; null where they are kept. */
  readonly problem: string | null;
}

/** A file that is there opens on a read-only disk, too. @throws {Error} where it cannot be written */
function openToWrite(dataFile: string, now: number): OpenedDatabase {
  const opened = openDatabase(dataFile, MIGRATIONS, now);
  try {
    const version = Number(opened.db.prepare('PRAGMA user_version').get()?.user_version);
    opened.db.exec(`PRAGMA user_version = ${version}`); // its page is written although it is the same
    return opened;
  } catch (error) {
    opened.db.close();
    throw error;
  }
}

/** It is a bank to play with: where the disk takes nothing, its books are in memory, and the device beside it starts. */
export function openBooks(dataFile: string, now: number): OpenedBooks {
  try {
    mkdirSync(dirname(dataFile), { recursive: true });
    return { ...openToWrite(dataFile, now), problem: null };
  } catch (error) {
    if (writeFailure(error) === null) throw error;
    return { ...openDatabase(':memory:', MIGRATIONS, now), problem: messageOf(error) };
  }
}
