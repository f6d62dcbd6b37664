/** Imported entries, to the rows of the items. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type ItemEntry, ItemError } from './item.ts';

/** Items that are written between two turns of the event loop: a few milliseconds' worth. */
export const ITEMS_PER_TURN = 100;

export interface Imported {
  readonly created: number;
  readonly updated: number;
}

/** An entry that another item stands in the way of. */
export interface EntryProblem {
  readonly problem: ItemError;
  readonly index: number;
}

/** How entries get to the rows. */
export interface Landing {
  /** Frees the codes that the item will not have any more. */
  readonly release: (entry: ItemEntry) => void;
  /** Returns whether it is a new one. @throws {ItemError} */
  readonly upsert: (entry: ItemEntry) => boolean;
}

/**
 * Frees first what all entries give up, so that their order does not matter. The event loop turns meanwhile.
 * @param onProblem throws to end it; else the next entry follows
 */
export async function land(
  entries: readonly ItemEntry[],
  { release, upsert }: Landing,
  onProblem: (problem: ItemError, index: number) => void,
): Promise<Imported> {
  let [created, updated] = [0, 0];
  for (const [index, entry] of entries.entries()) {
    release(entry);
    if ((index + 1) % ITEMS_PER_TURN === 0) await yieldToEventLoop();
  }
  for (const [index, entry] of entries.entries()) {
    try {
      if (upsert(entry)) created += 1;
      else updated += 1;
    } catch (error) {
      if (!(error instanceof ItemError)) throw error;
      onProblem(error, index);
    }
    if ((index + 1) % ITEMS_PER_TURN === 0) await yieldToEventLoop();
  }
  return { created, updated };
}
