/** What becomes of each sale of the long run over three shifts. */
export const SHIFTS = 3;

/** `late`: paid in a later shift; `never`: its code is left alone. */
export type Kind = 'paid' | 'declined' | 'late' | 'never';

export function kindOf(n: number): Kind {
  if (n % 20 === 0) return 'late';
  if (n % 20 === 9) return 'declined';
  return n % 20 === 14 ? 'never' : 'paid';
}
