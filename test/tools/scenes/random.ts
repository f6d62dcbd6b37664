/** Draws that come out the same everywhere for the same seed: a drawn scene can be drawn again. */
import { seeded } from '../seeded.ts';

export interface Random {
  /** At least `low`, below `high`. */
  between(low: number, high: number): number;
  /** A whole number, both ends included. */
  whole(low: number, high: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
  shuffled<T>(list: readonly T[]): T[];
}

export function randomOf(...seeds: readonly (string | number)[]): Random {
  const next = seeded(hash(seeds.join('\n')));
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    between: (low, high) => low + next() * (high - low),
    whole,
    pick: (from) => from[whole(0, from.length - 1)] ?? from[0],
    shuffled: (list) =>
      list
        .map((value) => ({ value, key: next() }))
        .sort((a, b) => a.key - b.key)
        .map(({ value }) => value),
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  return sum >>> 0;
}
