/** The bundle that `npm start` runs: made of the present sources, whole, or not run at all. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from './root.ts';
import { temporaryFolder, until } from './support.ts';

const test = suite('the bundle of npm start');

/** Says what runs: the bundler leaves this way of asking for the file alone. */
const MAIN = `
  import { WORD } from './word.ts';
  console.log(import.meta['url'].includes('/bundle/') ? 'bundle' : 'sources', WORD);
`;
const BUNDLER = 'scripts/bundle-code.mjs';
const CACHE = 'node_modules/.cache';
/** A time that can be set exactly. */
const WHOLE_S = 1_795_000_000;

/** A clone with its packages, whose firmware says one word. */
function clone() {
  const folder = temporaryFolder();
  const at = (...path: string[]): string => join(folder.path, ...path);
  const write = (path: string, text: string): void => {
    mkdirSync(at(path, '..'), { recursive: true });
    writeFileSync(at(path), text);
  };
  for (const name of [
    'start.mjs',
    'start-bundle.mjs',
    'setup.mjs',
    'progress.mjs',
    'bundle-code.mjs',
    'bundle/traces.ts',
  ])
    cpSync(join(ROOT, 'scripts', name), at('scripts', name));
  cpSync(join(ROOT, 'package.json'), at('package.json'));
  write('package-lock.json', '{}');
  write('node_modules/.laneware-setup', createHash('sha256').update('{}').digest('hex'));
  symlinkSync(join(ROOT, 'node_modules/esbuild'), at('node_modules/esbuild'));
  write('drivers/spare.ts', '');
  write('firmware/main.ts', MAIN);
  write('firmware/word.ts', "export const WORD = 'one';\n");
  const run = (script: string) => spawnSync(process.execPath, [at(script)], { encoding: 'utf8', cwd: folder.path });
  return {
    ...{ at, write },
    make: () => run('scripts/start-bundle.mjs'),
    /** What runs, and what it says. */
    started: () => run('scripts/start.mjs').stdout.trim(),
    bundles: (): string[] => {
      const folder = at(CACHE, 'laneware-bundles'); // Node's own cache makes the folder above
      return existsSync(folder) ? readdirSync(folder) : [];
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

test('a start runs the sources until there is a bundle of them, and then that', () => {
  using place = clone();
  assert.is(place.started(), 'sources one');
  assert.is(place.make().status, 0);
  assert.is(place.started(), 'bundle one');
  assert.is(place.started(), 'bundle one');
  assert.is(place.bundles().length, 1);
});

test('a clone that shares its packages changes nothing', () => {
  using place = clone();
  place.write('node_modules/.package-lock.json', '{}');
  assert.is(place.make().status, 0);
  linkSync(place.at('node_modules/.package-lock.json'), place.at('shared'));
  assert.is(place.started(), 'bundle one');
});

test('a bundle of other sources never runs', () => {
  using place = clone();
  const word = place.at('firmware/word.ts');
  utimesSync(word, WHOLE_S, WHOLE_S);
  const changes: readonly (readonly [what: string, change: () => void, says: string])[] = [
    [
      'changed, with the size and the time from before',
      () => {
        place.write('firmware/word.ts', "export const WORD = 'two';\n");
        utimesSync(word, WHOLE_S, WHOLE_S);
      },
      'two',
    ],
    ['added', () => place.write('drivers/more.ts', ''), 'two'],
    ['removed', () => rmSync(place.at('drivers/spare.ts')), 'two'],
    ['a package', () => place.write('node_modules/.package-lock.json', '{}'), 'two'],
    ['what makes it', () => place.write('scripts/bundle/traces.ts', ''), 'two'],
  ];
  for (const [what, change, says] of changes) {
    assert.is(place.make().status, 0, what);
    assert.match(place.started(), /^bundle /, what);
    change();
    assert.is(place.started(), `sources ${says}`, what);
  }
});

test('sources that change while it is made are not taken for those that it was made of', () => {
  using place = clone();
  const change = "import { writeFileSync } from 'node:fs';\nwriteFileSync('drivers/more.ts', '');\n";
  cpSync(place.at(BUNDLER), place.at('scripts/real.mjs'));
  place.write(BUNDLER, `${change}await import('./real.mjs');\n`);
  assert.is(place.make().status, 0);
  assert.equal(place.bundles(), []);
  assert.is(place.started(), 'sources one');
});

test('two at once make one', async () => {
  using place = clone();
  const makings = [1, 2, 3].map(() => spawn(process.execPath, [place.at('scripts/start-bundle.mjs')]));
  const ends = await Promise.all(makings.map((making) => once(making, 'exit')));
  assert.equal(
    ends.map(([status]) => status),
    [0, 0, 0],
  );
  assert.is(place.bundles().length, 1);
  assert.is(place.started(), 'bundle one');
});

test('what a killed making leaves is not run, and the next one makes it whole', async () => {
  using place = clone();
  const half = "import { mkdirSync, writeFileSync } from 'node:fs';\nimport { join } from 'node:path';\n";
  const hang =
    "mkdirSync(process.argv[3]);\nwriteFileSync(join(process.argv[3], 'main.js'), 'half');\nsetInterval(() => 0, 1000);\n";
  const whole = join(ROOT, BUNDLER);
  place.write(BUNDLER, half + hang);
  const making = spawn(process.execPath, [place.at('scripts/start-bundle.mjs')], { detached: true, stdio: 'ignore' });
  const over = once(making, 'exit');
  const isHalf = () =>
    place.bundles().some((name) => existsSync(place.at(CACHE, 'laneware-bundles', name, 'bundle/main.js')));
  await until('half a bundle', isHalf);
  process.kill(-(making.pid ?? 0), 'SIGKILL');
  await over;
  assert.is(place.started(), 'sources one');
  cpSync(whole, place.at(BUNDLER));
  assert.is(place.make().status, 0);
  assert.is(place.started(), 'bundle one');
});

test('where nothing can be kept, the sources run', () => {
  using place = clone();
  place.write(CACHE, 'a file where the folder would be');
  assert.is.not(place.make().status, 0);
  assert.is(place.started(), 'sources one');
});

test('four are kept, the newest among them', () => {
  using place = clone();
  for (const word of ['a', 'b', 'c', 'd', 'e', 'f']) {
    place.write('firmware/word.ts', `export const WORD = '${word}';\n`);
    assert.is(place.make().status, 0);
  }
  assert.is(place.bundles().length, 4);
  assert.is(place.started(), 'bundle f');
});

test('a device that runs has it made beside it', async () => {
  using place = clone();
  place.write('firmware/main.ts', `${MAIN}setInterval(() => 0, 1000);\n`);
  const device = spawn(process.execPath, [place.at('scripts/start.mjs')], { stdio: 'ignore' });
  const over = once(device, 'exit');
  const isMade = () => place.bundles().some((name) => !name.includes('.'));
  await until('its bundle', isMade);
  device.kill('SIGKILL');
  await over;
  assert.is(place.bundles().length, 1);
});

test.run();
