/** `lanectl`: a device from a shell. Documented in `docs/lanectl.md`. */
import { CommanderError } from 'commander';
import { messageOf } from '../../drivers/lib/errors.ts';
import { CommandFailure, EXIT_CODES, type ExitName } from './exit-codes.ts';
import { outliveReader, printable } from './output.ts';
import { createProgram } from './program.ts';

/** What programs get in place of a result. */
function fail(
  args: readonly string[],
  exit: ExitName,
  message: string,
  details: Readonly<Record<string, unknown>>,
): void {
  process.exitCode = EXIT_CODES[exit];
  if (!args.includes('--json')) return;
  process.stdout.write(`${JSON.stringify({ error: { ...details, exit, message } })}\n`);
}

/** Does what was typed, without the name of the program; how it ended is in `process.exitCode`. */
export async function perform(args: readonly string[]): Promise<void> {
  try {
    const program = await createProgram(args);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // help and the version come this way too, as a success
      const words = error.code === 'commander.help' ? 'a command is missing' : error.message.replace(/^error: /, '');
      if (error.exitCode !== 0) fail(args, 'usage', words, { code: error.code });
      return;
    }
    const isOurs = error instanceof CommandFailure;
    process.stderr.write(`lanectl: ${printable(messageOf(error))}\n`);
    fail(args, isOurs ? error.exit : 'failed', messageOf(error), isOurs ? error.details : {});
  }
}

if (import.meta.main) {
  // neither the list of processes nor a core dump need the token
  process.title = 'lanectl';
  outliveReader();
  await perform(process.argv.slice(2));
}
