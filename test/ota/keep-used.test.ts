/** What of its packages a release keeps. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { removeFolders, tempFolder } from '../drivers/folders.ts';
import { ROOT } from '../root.ts';

const test = suite('what of its packages a release keeps');
test.after(removeFolders);

/** Packages with files, and a bundle that holds one of them and loads another. */
function keepUsed(used: object | null): string[] {
  const folder = tempFolder();
  const write = (path: string, text = ''): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('package.json', JSON.stringify({ dependencies: { run: '1', whole: '1' } }));
  const packages = {
    run: { inner: '1', nan: '1' },
    inner: {},
    'run/node_modules/inner': { deep: '2' },
    deep: {},
    nan: {},
    whole: { helper: '1' },
    helper: {},
  };
  for (const [name, dependencies] of Object.entries(packages)) {
    const place = `node_modules/${name}`;
    write(`${place}/package.json`, JSON.stringify({ dependencies }));
    for (const file of ['index.js', 'LICENSE.md', 'README.md', 'index.d.ts']) write(`${place}/${file}`);
  }
  for (const file of ['test/a.js', 'lib/test/a.js', 'src/a.cc', 'a.js.map', 'lib/a.so.8.1'])
    write(`node_modules/run/${file}`);
  for (const file of ['linux-x64/a.node', 'linux-x64/a.musl.node', 'linux-arm64/a.node', 'win32-x64/a.node'])
    write(`node_modules/run/prebuilds/${file}`);
  const args = [join(ROOT, 'scripts/release/keep-used.mjs'), folder, 'arm64'];
  if (used !== null) {
    write('used', JSON.stringify(used));
    args.push(join(folder, 'used'));
  }
  execFileSync(process.execPath, args);
  return readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(folder, 'node_modules'), join(entry.parentPath, entry.name)))
    .sort();
}

const described = (name: string): string[] => [`${name}/LICENSE.md`, `${name}/package.json`];
const whole = (name: string): string[] => [...described(name), `${name}/index.js`];
const RUN = [
  ...['deep', 'run/node_modules/inner', 'run'].flatMap(whole),
  ...['run/lib/a.so.8.1', 'run/lib/test/a.js', 'run/prebuilds/linux-arm64/a.node'],
];

test('a package that the bundle loads stays, with its needs; of one held within, the name stays', () => {
  const used = { outside: ['node:fs', 'run'], bundled: ['node_modules/whole'] };
  assert.equal(keepUsed(used), [...RUN, ...described('whole')].sort());
});

test('where there is no bundle all that is named is run', () => {
  assert.equal(keepUsed(null), [...RUN, ...['whole', 'helper'].flatMap(whole)].sort());
});

test.run();
