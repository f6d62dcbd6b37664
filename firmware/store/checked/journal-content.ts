/** What was found in the two files of a journal. */
import { type JournalReading, NO_JOURNAL, readJournalFile } from './journal-file.ts';
import type { Version } from './row.ts';

/** The file before the present one, whose lines reach back behind the last copy of the table. */
export const previousFile = (path: string): string => `${path}.before`;

export class JournalContent {
  readonly before: JournalReading;
  readonly current: JournalReading;

  constructor(before: JournalReading, current: JournalReading) {
    this.before = before;
    this.current = current;
  }

  static readonly NONE = new JournalContent(NO_JOURNAL, NO_JOURNAL);

  static read(path: string): JournalContent {
    return new JournalContent(readJournalFile(previousFile(path)), readJournalFile(path));
  }

  /** Nothing, where it belongs to another table. */
  of(tableId: number): JournalContent {
    return this.tableId === null || this.tableId === tableId ? this : JournalContent.NONE;
  }

  /** Of the table that it belongs to; null where it is unknown. */
  get tableId(): number | null {
    return this.current.header?.tableId ?? this.before.header?.tableId ?? null;
  }

  get damaged(): boolean {
    return this.before.damaged || this.current.damaged;
  }

  /** Number of the last change that it holds or begins behind. */
  get head(): number {
    const after = Math.max(this.before.header?.after ?? 0, this.current.header?.after ?? 0);
    return this.versions.reduce((head, { change }) => Math.max(head, change), after);
  }

  /** Oldest first. */
  get versions(): readonly Version[] {
    return [...this.before.versions, ...this.current.versions];
  }

  /** Of each row the newest version that it holds. */
  get newest(): ReadonlyMap<number, Version> {
    const newest = new Map<number, Version>();
    for (const version of this.versions) {
      if ((newest.get(version.id)?.change ?? 0) < version.change) newest.set(version.id, version);
    }
    return newest;
  }

  /** Whether it holds every change after the one of this number. */
  covers(change: number): boolean {
    const { before, current } = this;
    if (this.damaged || current.header === null) return false;
    if (current.header.after <= change) return true;
    if (before.header === null || before.chain !== current.header.chain) return false;
    // a file that was set aside as damaged may have lain between them
    const last = before.versions.at(-1)?.change ?? before.header.after;
    return last >= current.header.after && before.header.after <= change;
  }
}
