/**
 * Imports of many items, which leave the event loop its turns. They use a separate connection, so that no reader sees
 * uncommitted rows and no other write joins their transaction.
 */
import type { DatabaseSync } from 'node:sqlite';
import { nextTurn } from '../../../drivers/lib/turns.ts';
import { slowTransaction } from '../../core/files/index.ts';
import type { Clock } from '../../core/host/index.ts';
import { type ItemEntry, ItemError } from '../model/item.ts';
import { isAmong } from './barcodes.ts';
import { ItemRows } from './item-rows.ts';
import type { ItemsFile } from './items-file.ts';

/** Items that are written between two turns of the event loop: a few milliseconds of work. */
export const ITEMS_PER_TURN = 100;

interface Imported {
  readonly created: number;
  readonly updated: number;
}

/** An entry that conflicts with another item. */
interface EntryProblem {
  readonly problem: ItemError;
  readonly index: number;
}

export class ItemImports {
  readonly #file: ItemsFile;
  readonly #clock: Clock;

  constructor(file: ItemsFile, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
  }

  /**
   * Imports all entries or none.
   * @throws {ItemError} `BarcodeTaken` @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused`
   */
  async run(entries: readonly ItemEntry[]): Promise<Imported> {
    return await this.#file.onOwnConnection(async (db) => {
      const done = await slowTransaction(db, async () => {
        const imported = await this.#write(db, entries, (problem) => {
          throw problem;
        });
        this.#file.requirePlace();
        return imported;
      });
      this.#file.changed();
      return done;
    });
  }

  /**
   * Tries an import without changing anything.
   * @returns the result, with each `BarcodeTaken` and its entry @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused`
   */
  async try(entries: readonly ItemEntry[]): Promise<Imported & { readonly problems: readonly EntryProblem[] }> {
    return await this.#file.onOwnConnection(async (db) => {
      const problems: EntryProblem[] = [];
      db.exec('BEGIN IMMEDIATE');
      try {
        const imported = await this.#write(db, entries, (problem, index) => problems.push({ problem, index }));
        return { ...imported, problems };
      } finally {
        db.exec('ROLLBACK');
      }
    });
  }

  /**
   * Writes entries. It first frees all codes that the items of the entries no longer have, so that the order of the
   * entries does not matter.
   * @param onProblem throws to end the import; otherwise the next entry follows
   */
  async #write(
    db: DatabaseSync,
    entries: readonly ItemEntry[],
    onProblem: (problem: ItemError, index: number) => void,
  ): Promise<Imported> {
    const rows = new ItemRows(db, this.#clock, this.#file.sums);
    // revisions before the codes are freed, so that an item's two writes count as one change
    const before = new Map<string, bigint>();
    for (const [index, entry] of entries.entries()) {
      before.set(entry.id, rows.revisionOf(entry.id));
      freeCodes(rows, entry);
      if ((index + 1) % ITEMS_PER_TURN === 0) await nextTurn();
    }
    let [created, updated] = [0, 0];
    for (const [index, entry] of entries.entries()) {
      try {
        if (rows.asOne(entry.id, () => rows.record(entry), before.get(entry.id))) created += 1;
        else updated += 1;
      } catch (error) {
        if (!(error instanceof ItemError)) throw error;
        onProblem(error, index);
      }
      if ((index + 1) % ITEMS_PER_TURN === 0) await nextTurn();
    }
    return { created, updated };
  }
}

/** Removes from an item the codes that it will no longer have. */
function freeCodes(rows: ItemRows, { id, barcodes }: ItemEntry): void {
  const known = rows.find(id);
  if (known === null || barcodes === undefined) return;
  const remaining = known.barcodes.filter((text) => isAmong(text, barcodes ?? []));
  if (remaining.length < known.barcodes.length) rows.upsert({ id, barcodes: remaining });
}
