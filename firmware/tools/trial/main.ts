/**
 * `node firmware/tools/trial/main.ts`: exits with 0 where this release sells and recognises, else with 3, and then its
 * last line says what fails.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { outliveOutputs } from '../../../drivers/lib/outputs.ts';

const OF_ITS_USER = 0o077;
/** Exit code that `scripts/lib/trial.sh` expects. */
const UNFIT = 3;

outliveOutputs(); // the exit code says it, too
process.umask(OF_ITS_USER);
const folder = mkdtempSync(join(tmpdir(), 'laneware-trial-'));
const say = (line: string): void => void process.stdout.write(`${line}\n`);
let code = 0;
try {
  // loaded here, so that a file that cannot be loaded also fails with a sentence
  const { runTrial } = await import('./trial.ts');
  await runTrial({ folder, say });
} catch (error) {
  code = UNFIT;
  say(messageOf(error).replaceAll('\n', ' '));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(code);
