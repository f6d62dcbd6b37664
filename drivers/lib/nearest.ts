/** What somebody may have meant who misspelt a name. */
import leven from 'leven';

/** Longer ones are compared by their beginnings: the work grows with the square of it. */
const LONGEST_COMPARED = 100;
/** Share of the letters that must be right. */
const LEAST_ALIKE = 0.4;

/** Letters that must be put in, taken away or changed; large ones count as small ones. */
export const lettersApart = (one: string, other: string): number =>
  leven(one.slice(0, LONGEST_COMPARED).toLowerCase(), other.slice(0, LONGEST_COMPARED).toLowerCase());

/** Whether so many wrong letters still leave a name that was meant. */
export const isAlike = (one: string, other: string, apart = lettersApart(one, other)): boolean =>
  apart < Math.max(one.length, other.length) * (1 - LEAST_ALIKE);

/** The candidate that is most like a name; null where none is. */
export function nearest(name: string, candidates: readonly string[]): string | null {
  const [best] = candidates
    .map((candidate) => ({ candidate, apart: lettersApart(name, candidate) }))
    .filter(({ candidate, apart }) => isAlike(name, candidate, apart))
    .toSorted((one, other) => one.apart - other.apart);
  return best?.candidate ?? null;
}
