/** What `npm start` needs of the host: the Node that `engines` names, on which npm leaves nothing out. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from './root.ts';
import { temporaryFolder } from './support.ts';

const setup = suite('npm start on the host');

interface Locked {
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly engines?: { readonly node?: string };
}

const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));

setup('npm leaves out no binary on the oldest Node that engines names: each takes that one', () => {
  const host: string = read('package.json').engines.node;
  assert.match(host, /^>=\d+\.\d+$/);
  const [major = 0, minor = 0] = host.slice(2).split('.').map(Number);
  const packages: [string, Locked][] = Object.entries(read('package-lock.json').packages);
  const binaries = packages.filter(([, { optional, dev, engines }]) => optional && !dev && engines?.node);
  for (const [name, { engines }] of binaries) {
    const least = /^(?:>=|\^)\s*(\d+)(?:\.(\d+))?/.exec(engines?.node ?? '');
    const [needsMajor, needsMinor] = [Number(least?.[1] ?? 0), Number(least?.[2] ?? 0)];
    assert.ok(
      major > needsMajor || (major === needsMajor && minor >= needsMinor),
      `${name} needs Node ${engines?.node}, engines names ${host}`,
    );
  }
  assert.ok(binaries.length > 0, 'there are binaries');
});

setup('an older Node is told which one is needed before anything is brought in', () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'scripts'));
  for (const name of ['setup.mjs', 'progress.mjs', 'test-programs.json'])
    cpSync(join(ROOT, 'scripts', name), join(folder.path, 'scripts', name));
  writeFileSync(join(folder.path, 'package-lock.json'), '{}');
  const run = (needed: string) => {
    writeFileSync(join(folder.path, 'package.json'), JSON.stringify({ engines: { node: needed } }));
    // no npm is found: a Node that is new enough gets as far as that
    const env = { PATH: folder.path };
    const { status, stderr } = spawnSync(process.execPath, [join(folder.path, 'scripts/setup.mjs')], {
      encoding: 'utf8',
      env,
    });
    return { status, stderr };
  };
  const [major, minor = 0] = process.versions.node.split('.').map(Number);
  for (const needed of [`${major}.${minor + 1}`, `${(major ?? 0) + 1}.0`]) {
    const { status, stderr } = run(`>=${needed}`);
    assert.is(status, 1);
    assert.match(stderr, `needs Node ${needed} or newer`);
    assert.not.match(stderr, 'installing packages');
  }
  for (const needed of [`${major}.${minor}`, '20.99']) assert.match(run(`>=${needed}`).stderr, 'installing packages');
});

setup.run();
