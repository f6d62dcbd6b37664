/** Suites that run together: where one has no file left to begin, the next one begins. */
import type { Outcome } from './outcome.ts';
import { nameOf, type PoolOptions, runFiles } from './pool.ts';

/** Files of a suite, in the order in which they are begun. */
export interface Batch {
  readonly name: string;
  readonly files: readonly string[];
}

export interface TogetherOptions extends PoolOptions {
  /** Called once all files of a suite have ended. */
  readonly onSuite: (name: string, outcomes: readonly Outcome[]) => void;
}

export async function runTogether(
  batches: readonly Batch[],
  { onSuite, ...pool }: TogetherOptions,
): Promise<Outcome[]> {
  const open = batches.map(({ name, files }) => ({ name, left: new Set(files.map(nameOf)), ended: [] as Outcome[] }));
  const onOutcome = (outcome: Outcome): void => {
    pool.onOutcome(outcome);
    const suite = open.find(({ left }) => left.delete(outcome.name));
    suite?.ended.push(outcome);
    if (suite?.left.size === 0) onSuite(suite.name, suite.ended);
  };
  return await runFiles(
    batches.flatMap(({ files }) => files),
    { ...pool, onOutcome },
  );
}
