/** `lanectl`: controls a device from a shell. Documented in `docs/lanectl.md`. */

import { CommanderError } from 'commander';
import { messageOf } from '../../drivers/lib/errors.ts';
import { CommandFailure, EXIT_CODES, inPlainWords, mistyped, printable, surviveLostOutput } from '../core/cli/index.ts';

import { createProgram } from './program.ts';

const OF_NO_CODE = { exit: 'failed', details: {} } as const;

/** Sets the exit code of a failure; with `--json`, also prints the failure as a document. */
function fail(args: readonly string[], error: unknown): void {
  const { exit, details } = error instanceof CommandFailure ? error : OF_NO_CODE;
  const message = messageOf(error);
  process.exitCode = EXIT_CODES[exit];
  if (!args.includes('--json')) return;
  process.stdout.write(`${JSON.stringify({ error: { ...details, exit, message } })}\n`);
}

/** Runs the command of the typed arguments, without the program's name; sets `process.exitCode`. */
export async function perform(args: readonly string[]): Promise<void> {
  try {
    const program = await createProgram(args);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // commander also throws for help and version, with the exit code 0
      const words =
        error.code === 'commander.help' ? 'a command is missing' : inPlainWords(error.message).replace(/^error: /, '');
      if (error.exitCode !== 0) fail(args, mistyped(error.code, words));
      return;
    }
    process.stderr.write(`lanectl: ${printable(messageOf(error))}\n`);
    fail(args, error);
  }
}

if (import.meta.main) {
  // hides the token from the list of processes and from core dumps
  process.title = 'lanectl';
  surviveLostOutput();
  await perform(process.argv.slice(2));
}
