// `node scripts/with-packages.mjs PROGRAM ARGUMENT…`: installs what a fresh clone lacks, then runs a program of the
// packages; `node` is the pinned one. A `pre` script of npm would be one more line for each script.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SETUP = join(dirname(fileURLToPath(import.meta.url)), 'setup.mjs');
const [program, ...args] = process.argv.slice(2);

/** Ends this process as the other has ended, unless it went well. */
function run(file, parameters, options) {
  const { status, error } = spawnSync(file, parameters, { stdio: 'inherit', ...options });
  if (error) process.stderr.write(`${error.message}\n`);
  if (status !== 0) process.exit(status ?? 1);
}

run(process.execPath, [SETUP]);
// npm has put the programs of the packages first on PATH
run(program, args, { shell: process.platform === 'win32' });
