/**
 * A simulated lane as its own process, for the tests of a till. Prints one JSON line with its addresses when it is
 * ready; SIGTERM closes it.
 */
import closeWithGrace from 'close-with-grace';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { outliveOutputs } from '../../../drivers/lib/outputs.ts';
import { readSimArguments, simRefusalOf } from './typed.ts';

const CLOSE_LIMIT_MS = 2000;
const CHECK_MS = 500;

/**
 * Ends with npm, as `npm start` does: npx passes a signal only to the shell between, and tests of a till would leave
 * lanes behind.
 */
function endWithNpm(): void {
  const shell = process.ppid;
  const look = (): void => void (process.ppid !== shell && process.kill(process.pid, 'SIGTERM'));
  if (process.env.npm_lifecycle_event !== undefined) setInterval(look, CHECK_MS).unref();
}

async function main(): Promise<void> {
  outliveOutputs(); // the reader may be a script that stops reading once it has the addresses
  const { printed, options } = readSimArguments(process.argv.slice(2), process.env);
  if (printed !== null) return void process.stdout.write(printed);
  // loaded late: help and mistakes need none of it
  const { startSim } = await import('./sim.ts');
  const sim = await startSim(options);
  closeWithGrace({ delay: CLOSE_LIMIT_MS, logger: false }, async ({ err }) => {
    if (err !== undefined) process.stderr.write(`${messageOf(err)}\n`);
    await sim.close();
  });
  endWithNpm();
  process.stdout.write(`${JSON.stringify(sim.urls)}\n`);
}

main().catch((error: unknown) => {
  const { text, json, exitCode } = simRefusalOf(error);
  if (process.argv.includes('--json')) process.stdout.write(json);
  process.stderr.write(text);
  process.exit(exitCode);
});
