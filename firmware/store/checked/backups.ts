/** What is known of a table's rows outside of its database: its journal and its copies. */
import { conflictsWith, keyIn, type RowKeys } from './divergence.ts';
import type { JournalContent } from './journal-content.ts';
import { Replica } from './replica.ts';
import { isWhole, type Version } from './row.ts';

/** Rows of a copy that are read at once. */
const ROWS_A_PIECE = 500;

/** A copy that cannot be read is no source; the next write to it reports why. */
function orNothing<T>(read: () => T, nothing: T): T {
  try {
    return read();
  } catch {
    return nothing;
  }
}

function* versionsIn(replica: Replica): Generator<Version> {
  for (let last = 0; ; ) {
    const piece = orNothing(() => replica.after(last, ROWS_A_PIECE), []);
    yield* piece.filter(isWhole);
    const end = piece.at(-1)?.id;
    if (end === undefined || end <= last) return;
    last = end;
  }
}

interface BackupsOptions {
  /** Of this table. */
  readonly journal: JournalContent;
  /** Where copies of it may lie, the own before those on other media; one of another table counts for nothing. */
  readonly replicas: readonly string[];
  readonly tableId: number;
  /** The column that identifies rows. */
  readonly key: string;
  /** The rows of the table itself, where it can be read: a copy that knows other rows counts for nothing. */
  readonly rows: RowKeys | null;
}

export class Backups implements Disposable {
  readonly #journal: JournalContent;
  readonly #newest: ReadonlyMap<number, Version>;
  readonly #replicas: readonly Replica[];

  constructor({ journal, replicas, tableId, key, rows }: BackupsOptions) {
    this.#journal = journal;
    this.#newest = journal.newest;
    const known: RowKeys[] = rows === null ? [] : [rows];
    if (this.#newest.size > 0) known.push(keysOf(last(this.#newest), (id) => this.#newest.get(id) ?? null, key));
    this.#replicas = replicas.flatMap((path) => {
      const replica = Replica.find(path);
      if (replica === null) return [];
      const isOurs = replica.tableId === tableId && hasNoConflict(replica, key, known);
      if (!isOurs) {
        replica[Symbol.dispose]();
        return [];
      }
      known.push(
        keysOf(
          orNothing(() => replica.lastId, 0),
          (id) => orNothing(() => replica.find(id), null),
          key,
        ),
      );
      return [replica];
    });
  }

  get lastId(): number {
    const ids = this.#replicas.map((replica) => orNothing(() => replica.lastId, 0));
    return Math.max(last(this.#newest), ...ids);
  }

  /** Number of the last change that one of the copies has. */
  get replicatedUpTo(): number {
    return Math.max(0, ...this.#heads());
  }

  /** The newest version of a row that any of them has; null where none has. */
  newest(id: number): Version | null {
    const versions = this.#replicas.map((replica) => orNothing(() => replica.find(id), null));
    const found = [this.#newest.get(id) ?? null, ...versions].filter((version) => version !== null);
    return found.sort((one, other) => other.change - one.change)[0] ?? null;
  }

  /** Every version that might be the newest of its row, the older before the newer. */
  *all(): Generator<Version> {
    const byAge = this.#replicas.toSorted((one, other) => headOf(one) - headOf(other));
    for (const replica of byAge) yield* versionsIn(replica);
    yield* this.#newest.values();
  }

  /** Whether the journal goes on, unbroken, from a copy or from the beginning. */
  get areComplete(): boolean {
    return [0, ...this.#heads()].some((head) => this.#journal.covers(head));
  }

  /** Whether they have every change up to this one: what they give for a row is then what it was. */
  coverUpTo(change: number): boolean {
    const known = [0, ...this.#heads()].map((head) => (this.#journal.covers(head) ? this.#journal.head : head));
    return Math.max(...known) >= change;
  }

  [Symbol.dispose](): void {
    for (const replica of this.#replicas) replica[Symbol.dispose]();
  }

  #heads(): number[] {
    return this.#replicas.map(headOf);
  }
}

/** A spread of the keys would not do: a journal may hold more of them than a call takes. */
const last = (newest: ReadonlyMap<number, Version>): number =>
  [...newest.keys()].reduce((greatest, id) => Math.max(greatest, id), 0);

function keysOf(lastId: number, find: (id: number) => Version | null, key: string): RowKeys {
  const keyOf = (id: number): string | null => {
    const version = find(id);
    return version === null ? null : keyIn(version, key);
  };
  return { lastId, keyOf };
}

const hasNoConflict = (replica: Replica, key: string, known: readonly RowKeys[]): boolean =>
  known.every((keys) => orNothing(() => conflictsWith(replica, key, keys), []).length === 0);

const headOf = (replica: Replica): number => orNothing(() => replica.head, 0);
