/** Finds the name that a misspelling may have meant. */

/** Longest names compared; of longer ones the beginnings: the work grows with the square of the length. */
const LONGEST_COMPARED = 100;
/** Least share of right letters. */
const LEAST_ALIKE = 0.4;

/**
 * Letters to insert, remove or change; case is ignored, two swapped letters count as one
 * (https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance, optimal string alignment).
 */
export function editDistance(one: string, other: string): number {
  const [left, right] = [one, other].map((name) => name.slice(0, LONGEST_COMPARED).toLowerCase()) as [string, string];
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const changed = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, changed, swapped));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}

/** Whether a name with this many wrong letters may still be meant. */
export const isAlike = (one: string, other: string, apart = editDistance(one, other)): boolean =>
  apart < Math.max(one.length, other.length) * (1 - LEAST_ALIKE);

/** The most similar candidate; null where none is similar. */
export function nearest(name: string, candidates: readonly string[]): string | null {
  const [best] = candidates
    .map((candidate) => ({ candidate, apart: editDistance(name, candidate) }))
    .filter(({ candidate, apart }) => isAlike(name, candidate, apart))
    .toSorted((one, other) => one.apart - other.apart);
  return best?.candidate ?? null;
}
