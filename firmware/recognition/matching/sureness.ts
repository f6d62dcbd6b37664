/** How sure an answer is of one item. */
import type { Classification } from './classifier.ts';

/** How sure recognition is that a picture shows an item: by looks, with the present templates. */
export interface Sureness {
  /** Whether the item would be returned as certain. */
  readonly certain: boolean;
  /** Rank of the item among the candidates, from 1; null where it is not among them. */
  readonly rank: number | null;
  /** How similar the picture is to the item, -1 to 1; null where it is not among the candidates. */
  readonly similarity: number | null;
}

export const UNSEEN: Sureness = Object.freeze({ certain: false, rank: null, similarity: null });

export function surenessOf({ items, verdict }: Classification, item: string): Sureness {
  const at = items.findIndex(({ id }) => id === item);
  if (at < 0) return UNSEEN;
  return { certain: at === 0 && verdict.certain, rank: at + 1, similarity: items[at]?.similarity ?? null };
}
