/** What came of one test file, or of one check. */

/** Argument of a process of tests in which `test/answers.ts` looks at each answer of a device. */
export const HOLDS_ANSWERS = '--holds-answers';

export interface Outcome {
  /** Path from the root of the checkout, or the name of a check. */
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  /** Shown where it failed. */
  readonly output: string;
  readonly seconds: number;
}

/** What a file's suites counted; null in place of it where they did not come to their end. */
export interface Tally {
  readonly passed: number;
  readonly total: number;
  readonly skipped: number;
}

/** Judges a file by its tally: one that holds no test, or leaves one out, has failed. */
export function judge({
  name,
  tally,
  output,
  problems,
  seconds,
}: {
  readonly name: string;
  readonly tally: Tally | null;
  readonly output: string;
  /** What was found beside failed tests, in words that follow the file's name. */
  readonly problems: readonly string[];
  readonly seconds: number;
}): Outcome {
  const { passed, total, skipped } = tally ?? { passed: 0, total: 0, skipped: 0 };
  const found = [
    ...problems,
    ...(tally !== null && total === 0 && skipped === 0 ? ['holds no test, or run() is missing'] : []),
    ...(skipped > 0 ? [`leaves out ${skipped} tests`] : []),
  ];
  const failed = total - passed + (found.length > 0 ? 1 : 0);
  const text = [output, ...found.map((problem) => `${name} ${problem}\n`)].join('');
  return { name, passed, failed, output: text, seconds };
}
