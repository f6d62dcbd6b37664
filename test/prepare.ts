/** What has to be there before a suite begins. */
import type { Test } from 'uvu';

/**
 * `before` of a suite that says why it failed and fails the run: uvu says nothing, and takes a suite that never began for one
 * that has passed.
 */
export function prepare<Context>(all: Test<Context>, make: () => void | Promise<void>): void {
  all.before(async () => {
    try {
      await make();
    } catch (error) {
      process.stderr.write(`it could not be prepared: ${error instanceof Error ? error.stack : error}\n`);
      process.once('exit', () => {
        process.exitCode = 1; // uvu sets its own before
      });
      throw error;
    }
  });
}
