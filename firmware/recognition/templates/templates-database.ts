/** Opens `templates.db`. The recognition device may be without it, but the payment terminal beside it must still start. */
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { openDatabase } from '../../store/database.ts';
import { clearSuspicion, isSuspect } from './suspicion.ts';
import { CHECKED_TABLES, TEMPLATE_MIGRATIONS } from './templates-schema.ts';

const MIB = 1024 * 1024;
const PAGE_BYTES = 4096;

export interface TemplatesDatabase {
  readonly db: DatabaseSync;
  /** For further connections; where the file cannot be opened, it leads nowhere. */
  readonly path: string;
  /** Pages that the database may grow to. */
  readonly maxPages: number;
  /** Why the file cannot be opened; null when it is open. */
  readonly problem: string | null;
}

const NOWHERE = ':memory:';

/** Empty, and takes nothing: what would be lost with the next restart is refused. */
function standIn(): DatabaseSync {
  const db = new DatabaseSync(NOWHERE);
  for (const { sql } of TEMPLATE_MIGRATIONS) db.exec(sql);
  db.exec('PRAGMA query_only = ON');
  return db;
}

/** Never fails: an empty database that takes nothing stands in for one that cannot be opened. */
export function openTemplates(path: string, storageMb: number, now: number): TemplatesDatabase {
  const maxPages = (storageMb * MIB) / PAGE_BYTES;
  try {
    const { db } = openDatabase(path, TEMPLATE_MIGRATIONS, now, isSuspect(path) ? null : CHECKED_TABLES);
    clearSuspicion(path);
    db.exec(`PRAGMA max_page_count = ${maxPages}`);
    return { db, path, maxPages, problem: null };
  } catch (error) {
    const problem = messageOf(error);
    return { db: standIn(), path: NOWHERE, maxPages, problem };
  }
}
