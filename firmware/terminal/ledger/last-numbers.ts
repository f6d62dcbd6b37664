/**
 * The last numbers of the books, in a document beside them: a book that is gone with its journal, or was put back to an older state,
 * does not know what it had. Written when a book begins, then once an hour and at the end, not with each payment.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { type Clock, type LogLine, type Reason, reasonOf } from '../../host/index.ts';
import { isThere, JsonStore } from '../../store/index.ts';
import type { CheckedBook } from './checked-book.ts';
import type { LedgerWords } from './ledger-recovery.ts';

const LOOK_EVERY_MS = 5000;
/** The card is spared. */
const SAVE_EVERY_MS = 3_600_000;

const ByBook = <Shape extends TSchema>(shape: Shape) => Type.Record(Type.String(), shape);
const Numbers = Type.Object({
  last: ByBook(Type.Integer({ minimum: 0 })),
  /** Rows that a book once had, from and to. */
  lost: ByBook(Type.Tuple([Type.Integer(), Type.Integer()])),
});
type Numbers = Static<typeof Numbers>;
const NONE: Numbers = Object.freeze({ last: {}, lost: {} });

export interface NumberedBook {
  /** Of its file. */
  readonly name: string;
  readonly book: CheckedBook;
  readonly words: LedgerWords;
}

export interface LastNumbersOptions {
  readonly path: string;
  readonly books: readonly NumberedBook[];
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: LogLine;
}

export class LastNumbers {
  readonly #options: LastNumbersOptions;
  readonly #store: JsonStore<Numbers>;
  /** Names of the books that were compared. */
  readonly #compared = new Set<string>();
  /** What is lost, until a person has moved the document away. */
  #lost: Numbers['lost'];
  #savedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  /** The failure that was logged last. */
  #failure: string | null = null;

  /** To be made before anything new is entered into the books. */
  constructor(options: LastNumbersOptions) {
    this.#options = options;
    this.#store = JsonStore.open(options.path, Numbers, NONE);
    this.#lost = this.#store.value.lost;
    this.#compare();
  }

  start(): void {
    this.#timer = setInterval(() => this.#keep(), LOOK_EVERY_MS).unref();
  }

  /** What the books lack, in sentences, until a person has moved the document away. */
  get problems(): readonly Reason[] {
    const { books, path } = this.#options;
    return books.flatMap(({ name, words: { ledger, rows } }) => {
      const [from, to] = this.#kept.lost[name] ?? [];
      if (from === undefined) return [];
      const detail = `${rows} ${from} to ${to}`;
      const sentence = `${detail} of ${ledger}, and those after them: lost, or ${ledger} was put back to an older state. Ask the bank for its list of that time; this notice ends when ${path} and its .copy are moved away`;
      return [reasonOf('ledger-lost', { detail }, sentence)];
    });
  }

  /** Keeps them a last time. To be called before the books are closed. */
  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#savedAt = Number.NEGATIVE_INFINITY;
    this.#keep();
  }

  /** Nothing where a person has moved the document away. */
  get #kept(): Numbers {
    const { path } = this.#options;
    return isThere(path) || isThere(`${path}.copy`) ? { last: this.#store.value.last, lost: this.#lost } : NONE;
  }

  /** Compares the books that are open, each once. */
  #compare(): void {
    const { last: before } = this.#kept;
    for (const { name, book } of this.#options.books) {
      if (!book.isOpen || this.#compared.has(name)) continue;
      this.#compared.add(name);
      const [last, had] = [book.table.lastId, before[name] ?? 0];
      if (last < had) this.#lost = { ...this.#lost, [name]: [last + 1, had] };
    }
  }

  /** Never throws. */
  #keep(): void {
    try {
      this.#compare();
      this.#save();
      this.#failure = null;
    } catch (error) {
      const reason = String(error);
      if (reason !== this.#failure) this.#options.log('the last numbers of the books cannot be kept', { reason });
      this.#failure = reason;
    }
  }

  #save(): void {
    const { books, clock } = this.#options;
    const { last: saved, lost } = this.#kept;
    const open = books.filter(({ book }) => book.isOpen).map(({ name, book }) => [name, book.table.lastId] as const);
    const changed = open.filter(([name, last]) => last !== (saved[name] ?? 0));
    const isNew = changed.some(([name]) => saved[name] === undefined) || lost !== this.#store.value.lost;
    if (!isNew && (changed.length === 0 || clock.monotonic() - this.#savedAt < SAVE_EVERY_MS)) return;
    this.#store.write({ last: { ...saved, ...Object.fromEntries(changed) }, lost });
    [this.#lost, this.#savedAt] = [this.#store.value.lost, clock.monotonic()];
  }
}
