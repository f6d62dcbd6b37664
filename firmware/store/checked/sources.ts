/** What is known of a table's rows outside of its database: its journal and its copies. */
import type { JournalContent } from './journal-content.ts';
import { Replica } from './replica.ts';
import { isWhole, type Version } from './row.ts';

/** Rows of a copy that are read at once. */
const ROWS_A_PIECE = 500;

/** A copy that cannot be read is no source; whoever writes to it tells why. */
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

export class Sources implements Disposable {
  readonly #journal: JournalContent;
  readonly #newest: ReadonlyMap<number, Version>;
  readonly #replicas: readonly Replica[];

  /**
   * @param journal of this table
   * @param replicas where copies of it may lie; one of another table counts for nothing
   */
  constructor(journal: JournalContent, replicas: readonly string[], tableId: number) {
    this.#journal = journal;
    this.#newest = journal.newest;
    const found = replicas.flatMap((path) => Replica.find(path) ?? []);
    this.#replicas = found.filter((replica) => replica.tableId === tableId);
    for (const replica of found) if (replica.tableId !== tableId) replica[Symbol.dispose]();
  }

  get lastId(): number {
    const ids = this.#replicas.map((replica) => orNothing(() => replica.lastId, 0));
    return Math.max(0, ...ids, ...this.#newest.keys());
  }

  /** Number of the last change that one of the copies has. */
  get copied(): number {
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
  get areUnbroken(): boolean {
    return [0, ...this.#heads()].some((head) => this.#journal.covers(head));
  }

  /** Whether they tell of every change up to this one: what they give for a row is then what it was. */
  tellAllUpTo(change: number): boolean {
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

const headOf = (replica: Replica): number => orNothing(() => replica.head, 0);
