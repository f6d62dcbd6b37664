/** What somebody may have meant who misspelt a name. */
import leven from 'leven';

/** Longer ones are compared by their beginnings: the work grows with the square of it. */
const LONGEST_COMPARED = 100;
/** Share of the letters that must be right. */
const LEAST_ALIKE = 0.4;

/** Whether two neighbours have changed places, and nothing else is wrong. */
function isSwapped(one: string, other: string): boolean {
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  const [first, second] = [one[at], one[at + 1]];
  return second !== undefined && `${one.slice(0, at)}${second}${first}${one.slice(at + 2)}` === other;
}

/** Letters that must be put in, taken away or changed; large ones count as small ones, two that have changed places as one. */
export function lettersApart(one: string, other: string): number {
  const [left, right] = [one, other].map((name) => name.slice(0, LONGEST_COMPARED).toLowerCase()) as [string, string];
  return isSwapped(left, right) ? 1 : leven(left, right);
}

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
