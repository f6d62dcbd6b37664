/** A checksum of an item's id and price: it finds rows that the storage has changed. Such items are reported, and still sold. */
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { nextTurn } from '../../../drivers/lib/turns.ts';
import type { Timekeeper } from '../../core/host/index.ts';
import { RecognitionError } from '../model/recognition-error.ts';

const DAY_MS = 24 * 3_600_000;
/** Rows that are checked between two turns of the event loop. */
const PAGE_ROWS = 500;

type SellingRow = Readonly<Record<string, unknown>>;

export const sellingSum = (id: string, price: number | null): number => crc32(JSON.stringify([id, price]));

const sumOfRow = ({ id, price }: SellingRow): number => sellingSum(String(id), price === null ? null : Number(price));

/** The items that differ from what was written, among those checked so far. */
export class SellingSums {
  readonly #damaged = new Set<string>();

  /** Ids of the damaged items. */
  get damaged(): readonly string[] {
    return [...this.#damaged];
  }

  isDamaged(id: string): boolean {
    return this.#damaged.has(id);
  }

  /** @param row with `id`, `price` and `selling_sum` */
  check(row: SellingRow): void {
    if (row.selling_sum === sumOfRow(row)) this.forget(String(row.id));
    else this.#damaged.add(String(row.id));
  }

  /** Forgets an item that is written anew or deleted. */
  forget(id: string): void {
    this.#damaged.delete(id);
  }
}

/** The part of `ItemsFile` that is used here. */
interface ItemRowsFile {
  readonly db: DatabaseSync;
  readonly sums: SellingSums;
  read<T>(work: () => T): T;
}

/** Checks all items after the start and once a day. */
export class SellingCheck {
  readonly #file: ItemRowsFile;
  readonly #clock: Pick<Timekeeper, 'after'>;
  #isClosed = false;
  #cancelTimer: () => void = () => undefined;
  #checking: Promise<void> = Promise.resolve();

  constructor(file: ItemRowsFile, clock: Pick<Timekeeper, 'after'>) {
    this.#file = file;
    this.#clock = clock;
  }

  start(): void {
    this.#cancelTimer = this.#clock.after(DAY_MS, () => this.start());
    this.#checking = this.#checking.then(() => this.#checkAll());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer();
    await this.#checking;
  }

  async #checkAll(): Promise<void> {
    try {
      let after: string | null = '';
      while (after !== null && !this.#isClosed) {
        after = this.#checkPage(after);
        await nextTurn();
      }
    } catch (error) {
      // the file is damaged, full or locked: calls that use it report that, and the next check is tomorrow
      if (!(error instanceof RecognitionError)) throw error;
    }
  }

  /** @returns the last id of the page; null where there is none */
  #checkPage(after: string): string | null {
    const { db, sums } = this.#file;
    const rows = this.#file.read(() =>
      db.prepare('SELECT id, price, selling_sum FROM items WHERE id > ? ORDER BY id LIMIT ?').all(after, PAGE_ROWS),
    );
    for (const row of rows) sums.check(row);
    const last = rows.at(-1)?.id;
    return last === undefined ? null : String(last);
  }
}
