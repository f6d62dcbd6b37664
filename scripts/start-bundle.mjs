/**
 * The bundle that `npm start` runs: of the present sources, else none. Where esbuild is there, as in a clone that has run its tests, it is
 * made once per change of them, beside a device that runs. The sources stay the truth, and stacks name them.
 *
 *   node scripts/start-bundle.mjs   makes it
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, 'node_modules');
const PLACE = join(MODULES, '.cache', 'laneware-bundles');
const OWN = fileURLToPath(import.meta.url);
/** What a bundle is made of, and by; npm writes the last anew when it changes a package. */
const PARTS = [
  'firmware',
  'drivers',
  'scripts/bundle',
  'scripts/bundle-code.mjs',
  'package.json',
  'node_modules/.package-lock.json',
];
/** With those that run: a device loads some of its parts late. */
const KEPT = 4;
/** A start is over by then, and what was only asked for its version. */
const MAKE_AFTER_MS = 3000;

function filesOf(part) {
  const path = join(ROOT, part);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => join(path, name));
}

/** Another one after any change of a source: of its size, or of the times that the file system keeps. */
function keyOfSources() {
  const hash = createHash('sha256');
  for (const path of PARTS.flatMap(filesOf)) {
    const { size, mtimeMs, ctimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
    // clones may share their packages by links, and each link changes the last of these times
    const changed = path.startsWith(MODULES) ? mtimeMs : `${mtimeMs} ${ctimeMs}`;
    hash.update(`${path}\n${size} ${changed}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Its first file, and where its code is kept compiled; null where there is none of the present sources. */
export function presentBundle() {
  const folder = join(PLACE, keyOfSources());
  const main = join(folder, 'bundle', 'main.js');
  return existsSync(main) ? { main, compiled: join(folder, 'compiled') } : null;
}

/** Begins once the device has run for a while, in a process of its own that may go on without it. */
export function makeBundleLater(node) {
  if (!existsSync(join(MODULES, 'esbuild'))) return;
  setTimeout(() => spawn(node, [OWN], { detached: true, stdio: 'ignore' }).unref(), MAKE_AFTER_MS).unref();
}

function removeOld() {
  const ageOf = (name) => statSync(join(PLACE, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const names = readdirSync(PLACE).sort((one, other) => ageOf(other) - ageOf(one));
  for (const name of names.slice(KEPT)) rmSync(join(PLACE, name), { recursive: true, force: true });
}

/** It takes its place whole; what a killed making leaves has another name. */
function makeBundle() {
  setPriority(constants.priority.PRIORITY_LOW);
  const key = keyOfSources();
  const folder = join(PLACE, key);
  const unfinished = join(PLACE, `${key}.${process.pid}`);
  mkdirSync(unfinished, { recursive: true });
  try {
    const made = join(unfinished, 'bundle');
    execFileSync(process.execPath, [join(ROOT, 'scripts', 'bundle-code.mjs'), ROOT, made, MODULES, 'process']);
    // a start that has come at the same time has made the same
    if (keyOfSources() === key && !existsSync(folder)) renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
    removeOld();
  }
}

if (process.argv[1] === OWN) makeBundle();
