/** How sure recognition is that a picture is of an item: by looks, with what is learned at this moment. */
import type { Classification } from '../matching/classifier.ts';

/** Candidates among which an item is looked for: as many as the classifier rates by their templates. */
export const SURENESS_CANDIDATES = 16;

export interface Sureness {
  /** Whether the item would be returned as certain. */
  readonly certain: boolean;
  /** Where it stands among the candidates, from 1; null where it does not. */
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
