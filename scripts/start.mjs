// `npm start`: installs what a fresh clone lacks, then runs the firmware on the pinned Node. Help and version are
// printed without any installation. Runs on the host's own Node, as setup.mjs does.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const FIRMWARE = join(ROOT, 'firmware', 'main.ts');
const args = process.argv.slice(2);
const CHECK_MS = 500;

/** The Node of the lock, once it is installed; the host's own where the lock has none for it. */
function pinnedNode() {
  const node = join(ROOT, 'node_modules', '.bin', 'node');
  return existsSync(node) ? realpathSync(node) : realpathSync(process.execPath);
}

/**
 * Signals to pass on. A terminal sends its own to both processes; a second one would end the firmware without grace.
 */
const passedOn = () => (process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGTERM', 'SIGHUP', 'SIGINT']);

/** Runs the firmware as a child at the first start; later ones are on the pinned Node already, and need no child. */
function runOn(node) {
  const firmware = spawn(node, [FIRMWARE, ...args], { stdio: 'inherit' });
  process.on('SIGINT', () => undefined);
  for (const signal of passedOn()) process.on(signal, () => firmware.kill(signal));
  firmware.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name);
  });
}

/**
 * Ends the device when npm ends: npm passes a signal only to the shell between them. Without this the device would run
 * on, unknown to any process, and hold its folder and its ports.
 */
function endWithNpm() {
  const shell = process.ppid;
  const look = () => process.ppid !== shell && process.kill(process.pid, 'SIGTERM');
  if (process.env.npm_lifecycle_event !== undefined) setInterval(look, CHECK_MS).unref();
}

if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(readFileSync(join(ROOT, 'firmware', 'device', 'help.txt'), 'utf8'));
} else if (args.length === 1 && args[0] === '--version') {
  process.stdout.write(`${JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version}\n`);
} else {
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'setup.mjs'), '--run'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  endWithNpm();
  const node = pinnedNode();
  if (node === realpathSync(process.execPath)) await import(pathToFileURL(FIRMWARE).href);
  else runOn(node);
}
