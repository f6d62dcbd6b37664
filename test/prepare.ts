/** Prepares a suite before its tests. */
import type { Test } from 'uvu';

/**
 * A suite's `before` that says why it failed and fails the run: to uvu, a suite that never began has passed, silently.
 */
export function prepare<Context>(all: Test<Context>, make: () => void | Promise<void>): void {
  all.before(async () => {
    try {
      await make();
    } catch (error) {
      process.stderr.write(`it could not be prepared: ${error instanceof Error ? error.stack : error}\n`);
      process.once('exit', () => {
        process.exitCode = 1; // uvu sets its own code earlier
      });
      throw error;
    }
  });
}
