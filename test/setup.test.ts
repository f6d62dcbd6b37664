/** What `npm start` needs of the host: the Node that `engines` names, on which npm leaves nothing out. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT } from './root.ts';
import { temporaryFolder } from './support.ts';
import { readSources } from './tools/house/sources.ts';

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

setup('Yarn and pnpm are told to use npm before they install anything; npm is let through', () => {
  assert.is(read('package.json').scripts.preinstall, 'node scripts/setup.mjs --npm');
  const said = (agent: string) => {
    const env = { ...process.env, npm_config_user_agent: agent };
    const run = spawnSync(process.execPath, ['scripts/setup.mjs', '--npm'], { cwd: ROOT, env, encoding: 'utf8' });
    return [run.status, run.stderr];
  };
  assert.equal(said('npm/11.6.0 node/v24.21.0 linux x64 workspaces/false'), [0, '']);
  for (const other of ['yarn', 'pnpm']) {
    const [status, text] = said(`${other}/1.22.22 npm/? node/v24.21.0 linux x64`);
    assert.is(status, 1);
    assert.match(String(text), `this is ${other}. Run: npm start`);
  }
});

setup('nothing for building D-Bus’s optional sockets is brought: no request, tar 6, node-gyp', () => {
  const packages: [string, { readonly name?: string }][] = Object.entries(read('package-lock.json').packages);
  const names = packages.map(([path, { name }]) => name ?? path.split('node_modules/').at(-1));
  for (const left of ['request', 'tar', 'node-gyp']) assert.not(names.includes(left), left);
});

/** A clone with no packages, and an npm that notes what it is asked for and brings nothing. */
function bareClone() {
  const folder = temporaryFolder();
  const at = (...names: string[]) => join(folder.path, ...names);
  mkdirSync(at('scripts'));
  mkdirSync(at('bin'));
  for (const name of ['setup.mjs', 'progress.mjs', 'test-programs.json'])
    cpSync(join(ROOT, 'scripts', name), at('scripts', name));
  writeFileSync(at('package-lock.json'), '{}');
  writeFileSync(at('package.json'), JSON.stringify({ engines: { node: '>=20.9' } }));
  writeFileSync(
    at('bin', 'npm'),
    `#!/bin/sh\necho "$*" >> ${at('asked')}\n/bin/mkdir -p ${at('node_modules', '.bin')}\n`,
  );
  chmodSync(at('bin', 'npm'), 0o755);
  const asked = () => (existsSync(at('asked')) ? readFileSync(at('asked'), 'utf8').trim().split('\n') : []);
  /** @param preload run before the script, as a module */
  const run = (args: readonly string[] = [], path = at('bin'), preload = '') => {
    const imports = preload === '' ? [] : ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
    return spawnSync(process.execPath, [...imports, at('scripts', 'setup.mjs'), ...args], {
      encoding: 'utf8',
      env: { PATH: path },
    });
  };
  return { at, asked, run, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

setup('an older Node is refused with the one that is needed before anything is brought in', () => {
  using clone = bareClone();
  const run = (needed: string) => {
    writeFileSync(clone.at('package.json'), JSON.stringify({ engines: { node: needed } }));
    // no npm is found: a Node that is new enough gets as far as that
    return clone.run([], clone.at('nowhere'));
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

setup('where npm brings no Node, an older one is refused before anything is fetched', () => {
  const as = (platform: string, arch: string, node: string) =>
    `const is = (name, value) => Object.defineProperty(process, name, { value });
     is('platform', '${platform}'); is('arch', '${arch}'); is('versions', { ...process.versions, node: '${node}' });`;
  for (const [platform, arch, node, asked] of [
    ['darwin', 'arm64', '22.20.0', 0],
    ['win32', 'x64', '20.9.0', 0],
    ['linux', 'arm', '23.1.0', 0],
    ['darwin', 'arm64', '24.0.0', 1],
    ['linux', 'arm64', '20.9.0', 1],
  ] as const) {
    using clone = bareClone();
    const { status, stderr } = clone.run(['--run'], undefined, as(platform, arch, node));
    assert.is(clone.asked().length, asked, `${platform}/${arch} ${node}: ${stderr}`);
    assert.is(status, asked === 1 ? 0 : 1);
    if (asked === 0) assert.match(stderr, `needs 24 or newer; this is v`);
  }
});

setup('npm start brings what runs, the tests bring the rest, and nothing is brought in twice', () => {
  using clone = bareClone();
  const asked = (...args: string[]) => {
    const { status, stderr } = clone.run(args);
    assert.is(status, 0, stderr);
    return clone.asked().map((line) => line.includes('--omit=dev'));
  };
  assert.equal(asked('--run'), [true]);
  assert.equal(asked('--run'), [true], 'they are there');
  assert.equal(asked(), [true, false], 'the tests need more');
  assert.equal(asked('--run'), [true, false], 'more than what runs is enough');
  assert.equal(asked(), [true, false]);
  writeFileSync(clone.at('package-lock.json'), '{ }');
  assert.equal(asked('--run'), [true, false, false], 'a new lock: who has the packages of the tests keeps them');
  assert.equal(asked(), [true, false, false]);
});

setup('what npm has cached is used; where its list of versions is too old, the registry is asked', () => {
  using clone = bareClone();
  const npm = readFileSync(clone.at('bin', 'npm'), 'utf8');
  const refuses = 'case "$*" in *--prefer-offline*) echo "npm error code ETARGET"; exit 1;; esac\n';
  writeFileSync(clone.at('bin', 'npm'), npm + refuses);
  const { status, stderr } = clone.run(['--run']);
  assert.is(status, 0, stderr);
  assert.equal(
    clone.asked().map((line) => line.includes('--prefer-offline')),
    [true, false],
  );
  writeFileSync(clone.at('package-lock.json'), '{ }');
  writeFileSync(clone.at('bin', 'npm'), npm + refuses.replace('ETARGET', 'EINTEGRITY'));
  assert.is(clone.run(['--run']).status, 1);
  assert.is(clone.asked().length, 3, 'another failure is no reason to ask again');
});

/** What only a person runs who has a whole clone: measuring, pictures of pages. */
const OF_WHOLE_CLONES = /^scripts\/bench\/|^scripts\/screenshot\.ts$/;

setup('what npm start brings is enough for all that a device runs', () => {
  const { dependencies, optionalDependencies } = read('package.json');
  const brought = new Set(Object.keys({ ...dependencies, ...optionalDependencies }));
  const sources = readSources(ROOT, ['firmware', 'drivers', 'scripts']).filter(
    ({ path }) => !OF_WHOLE_CLONES.test(path),
  );
  // `typebox/schema` is a part of `typebox`
  const packageOf = (name: string) =>
    name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/');
  const missing = sources.flatMap(({ path, packages }) =>
    packages
      .filter((name) => !name.startsWith('node:') && !name.startsWith('/') && !brought.has(packageOf(name)))
      .map((name) => `${path}: ${name}`),
  );
  assert.equal(missing, []);
  assert.ok(sources.length > 500 && sources.some(({ packages }) => packages.includes('typebox/schema')));
});

setup.run();
