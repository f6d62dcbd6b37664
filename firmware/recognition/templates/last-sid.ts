/** What the database keeps of this device's own templates, deleted ones included. A damaged row counts for nothing. */
import type { DatabaseSync } from 'node:sqlite';

export class LastSid {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** The newest identifier that was given; null before the first. */
  sid(): string | null {
    return this.#value('last_sid');
  }

  /** When the latest one was made, ms since 1970; 0 before the first. */
  moment(): number {
    const moment = Number(this.#value('last_moment') ?? 0);
    return Number.isFinite(moment) ? moment : 0;
  }

  /** Part of its caller's transaction. */
  keep(sid: string, moment: number): void {
    const set = this.#db.prepare('INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = ?');
    set.run('last_sid', sid, sid);
    set.run('last_moment', String(moment), String(moment));
  }

  #value(name: string): string | null {
    const value = this.#db.prepare('SELECT value FROM facts WHERE name = ?').get(name)?.value;
    return value === undefined ? null : String(value);
  }
}
