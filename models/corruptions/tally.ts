/** What came of the queries of one row. */
export interface Outcome {
  /** Place of the right item among the candidates, from 1; null where it is not among the first three. */
  readonly rank: number | null;
  readonly certain: boolean;
  /** The tray was called empty, though something lay on it. */
  readonly missed: boolean;
}

export interface Figures {
  readonly queries: number;
  /** All in per cent of the queries, but for `wrong`. */
  readonly top1: number;
  readonly top3: number;
  readonly certain: number;
  /** Of the certain ones: those that were wrong. Null where none was certain. */
  readonly wrong: number | null;
  readonly missed: number;
}

/** @param outcomes at least one */
export function figuresOf(outcomes: readonly Outcome[]): Figures {
  const share = (fits: (outcome: Outcome) => boolean, of: readonly Outcome[] = outcomes): number =>
    (100 * of.filter(fits).length) / of.length;
  const sure = outcomes.filter(({ certain }) => certain);
  return {
    queries: outcomes.length,
    top1: share(({ rank }) => rank === 1),
    top3: share(({ rank }) => rank !== null),
    certain: share(({ certain }) => certain),
    wrong: sure.length === 0 ? null : share(({ rank }) => rank !== 1, sure),
    missed: share(({ missed }) => missed),
  };
}
