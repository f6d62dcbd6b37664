/** Writes imported entries to the rows of the items. */
import { nextTurn } from '../../../drivers/lib/turns.ts';
import { type ItemEntry, ItemError } from '../model/item.ts';

/** Items that are written between two turns of the event loop: a few milliseconds of work. */
export const ITEMS_PER_TURN = 100;

export interface Imported {
  readonly created: number;
  readonly updated: number;
}

/** An entry that conflicts with another item. */
export interface EntryProblem {
  readonly problem: ItemError;
  readonly index: number;
}

/** How entries are written to the rows. */
export interface EntryWriter {
  /** Frees the codes that the item will no longer have. */
  readonly release: (entry: ItemEntry) => void;
  /** Writes an entry; returns whether the item is new. @throws {ItemError} */
  readonly upsert: (entry: ItemEntry) => boolean;
}

/**
 * Writes entries. It first frees all codes that the items of the entries no longer have, so that the order of the entries
 * does not matter. The event loop gets its turns meanwhile.
 * @param onProblem throws to end the import; otherwise the next entry follows
 */
export async function land(
  entries: readonly ItemEntry[],
  { release, upsert }: EntryWriter,
  onProblem: (problem: ItemError, index: number) => void,
): Promise<Imported> {
  let [created, updated] = [0, 0];
  for (const [index, entry] of entries.entries()) {
    release(entry);
    if ((index + 1) % ITEMS_PER_TURN === 0) await nextTurn();
  }
  for (const [index, entry] of entries.entries()) {
    try {
      if (upsert(entry)) created += 1;
      else updated += 1;
    } catch (error) {
      if (!(error instanceof ItemError)) throw error;
      onProblem(error, index);
    }
    if ((index + 1) % ITEMS_PER_TURN === 0) await nextTurn();
  }
  return { created, updated };
}
