// Installs what a fresh clone lacks; does nothing when nothing is missing. Runs on the host's own Node (`engines` in
// package.json); the firmware and its tests run on the Node 24 that npm installs.
//
//   node scripts/setup.mjs            packages, those of the tests too
//   node scripts/setup.mjs --run      only the packages that run, two thirds of all (called by `npm start`)
//   node scripts/setup.mjs --test SUITE…   packages, and the programs that some suites of the tests drive for real
//   node scripts/setup.mjs --npm      refuses Yarn and pnpm: the lock is npm's (called before each installation)
//   node scripts/setup.mjs --native   builds the native part of `onoff` for the pinned Node (called by `npm ci`)
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startProgress } from './progress.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.laneware-setup');
/** Second word of the stamp where the packages of the tests are not installed. */
const RUNTIME = 'runtime';
const REQUIRED_NODE_MAJOR = 24;
/** Whether npm installs the Node that Laneware runs on. */
const BROUGHT = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
/** `engines`: an older Node's npm silently omits binaries of packages, although they would run on the pinned Node. */
const HOST_NODE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).engines.node.replace('>=', '');
/**
 * Packages of PyPI and the suites that call them; an environment is whole once it holds the list that it was made from.
 */
const FROM_PYPI = [
  {
    what: 'Schemathesis',
    folder: '.schemathesis',
    packages: 'tools/fuzz/requirements.txt',
    suites: ['fuzz', 'clients'],
  },
  {
    what: 'a newer nats-server',
    folder: '.nats-server',
    packages: 'features/chain/requirements.txt',
    suites: ['chain'],
  },
];
/** Programs on PATH: the Debian package, the use in tests, and the suites (`test/runner/suites.ts`). */
const TEST_PROGRAMS = join(ROOT, 'scripts', 'test-programs.json');

const say = (line) => process.stderr.write(`setup: ${line}\n`);

function fail(line) {
  say(line);
  process.exit(1);
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
}

/** The Node for npm scripts: the one from the lock on Linux, the user's own elsewhere. */
function pinnedNode() {
  const local = join(MODULES, `node-linux-${process.arch}`, 'bin', 'node');
  return process.platform === 'linux' && existsSync(local) ? local : null;
}

function requireHostNode() {
  const [major, minor] = HOST_NODE.split('.').map(Number);
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return;
  fail(
    `needs Node ${HOST_NODE} or newer to bring in the packages; this is ${process.version}. Install it from nodejs.org and run the same command again.`,
  );
}

/** What the last setup has installed: the hash of its lock, and `runtime` or nothing. */
const stamped = () => (existsSync(STAMP) ? readFileSync(STAMP, 'utf8').trim().split(' ') : ['', RUNTIME]);

function packagesInstalled(onlyRun) {
  const [hash, what] = stamped();
  return hash === lockHash() && (onlyRun || what !== RUNTIME);
}

/** npm's lines for a machine without a network, and for an answer of the registry. */
const REFUSED = /^npm http .* failed with (?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH)\b/;
const ANSWERED = /^npm http \S+ GET \d{3} /;

/**
 * Runs npm to its end, or to the first failure of a network that has never answered: npm would retry for minutes.
 * @returns its exit status (null where it could not run or was ended) and its output
 */
function npm(args, onLine) {
  const cli = process.env.npm_execpath;
  const options = { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] };
  const child = cli?.endsWith('.js')
    ? spawn(process.execPath, [cli, ...args], options)
    : spawn('npm', args, { ...options, shell: process.platform === 'win32' });
  const lines = [];
  let isReached = false;
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => {
      onLine(line);
      isReached ||= ANSWERED.test(line);
      const isOffline = !isReached && REFUSED.test(line);
      if (isOffline) child.kill();
      if (isOffline || !line.startsWith('npm http')) lines.push(line);
    });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ status: null, output: error.message }));
    child.on('close', (status) => resolve({ status, output: lines.join('\n') }));
  });
}

/** Number of packages that npm will install on this machine: the lock names those for other systems, too. */
function packagesToCome(onlyRun) {
  const fits = (named, current) => {
    const list = [named ?? []].flat();
    const excluded = list.filter((name) => name.startsWith('!'));
    return excluded.length === list.length ? !excluded.includes(`!${current}`) : list.includes(current);
  };
  const { packages = {} } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return Object.entries(packages).filter(
    ([name, { os, cpu, libc, dev }]) =>
      name !== '' && !(onlyRun && dev) && fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, 'glibc'),
  ).length;
}

/** Shows npm's step, read from its lines: it looks the packages up, then fetches them. */
function npmSteps(progress, onlyRun) {
  const all = packagesToCome(onlyRun);
  const seen = { lookedUp: 0, fetched: 0 };
  progress.show('setup: asking npm for the packages');
  return (line) => {
    if (!line.startsWith('npm http') || line.includes(' failed with ')) return;
    seen[line.includes('.tgz') ? 'fetched' : 'lookedUp'] += 1;
    const [step, count] = seen.fetched > 0 ? ['fetching', seen.fetched] : ['looking up', seen.lookedUp];
    progress.show(`setup: ${step} packages: ${Math.min(count, all)} of ${all}`);
  };
}

async function installPackages(mayOmit) {
  // a clone with the packages of the tests keeps them
  const onlyRun = mayOmit && stamped()[1] === RUNTIME;
  requireHostNode();
  say('installing packages (once, about 20 s)');
  const progress = startProgress((line) => process.stderr.write(`${line}\n`));
  // No package's own script runs: all bring their binaries but `epoll`, which is built below for the pinned Node
  const flags = ['--no-progress', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=http'];
  if (onlyRun) flags.push('--omit=dev');
  const ask = (...more) => npm(['ci', ...flags, ...more], npmSteps(progress, onlyRun));
  // npm's cache is used without asking whether each package is unchanged, which would take as long as all the rest
  let result = await ask('--prefer-offline');
  // The cached list of versions may be older than the locked version
  if (/\bETARGET\b/.test(result.output)) result = await ask();
  if (result.status !== 0) {
    progress.end();
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|network/i.test(result.output)) {
      fail('the npm registry cannot be reached. Connect this machine to the network and run the same command again.');
    }
    process.stderr.write(`${result.output}\n`);
    fail('npm ci failed; its output is above.');
  }
  linkNode();
  // Only arm64 boards have a header with pins
  if (!onlyRun || process.arch === 'arm64') {
    progress.show('setup: building the part for GPIO');
    buildNative();
  }
  writeFileSync(STAMP, `${[lockHash(), ...(onlyRun ? [RUNTIME] : [])].join(' ')}\n`);
  say(`packages are installed (${progress.end()} s)`);
}

/** Links the pinned Node: older npm omits the link when an optional package fails, and `node` would be the host's. */
function linkNode() {
  const node = pinnedNode();
  const link = join(MODULES, '.bin', 'node');
  if (node && !existsSync(link)) symlinkSync(node, link);
}

function requireNode24() {
  if (BROUGHT || Number(process.versions.node.split('.')[0]) >= REQUIRED_NODE_MAJOR) return;
  fail(
    `on ${process.platform}/${process.arch} Laneware runs on your own Node and needs ${REQUIRED_NODE_MAJOR} or newer; this is ${process.version}. Install it from nodejs.org and run the same command again.`,
  );
}

/** Folders of Debian's system programs, which a person's PATH lacks; the tests add them. */
const OF_THE_SYSTEM = ['/usr/local/sbin', '/usr/sbin', '/sbin'];

function onPath(program) {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), ...OF_THE_SYSTEM]) {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      // not in this folder: the next may have it
    }
  }
  return false;
}

const works = (program, args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** Installs packages of PyPI into their own environment beside npm's packages. */
function installFromPyPi({ what, folder, packages }) {
  const wanted = readFileSync(join(ROOT, 'test', packages), 'utf8');
  const made = join(MODULES, folder);
  const stamp = join(made, 'requirements.txt');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say(`installing ${what} for the tests (once, about 20 s)`);
  const run = (program, ...args) => spawnSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  rmSync(made, { recursive: true, force: true });
  const begun = run('python3', '-m', 'venv', made);
  const pip = ['-m', 'pip', 'install', '--quiet', '--requirement', join(ROOT, 'test', packages)];
  const result = begun.status === 0 ? run(join(made, 'bin', 'python'), ...pip) : begun;
  if (result.status === 0) return writeFileSync(stamp, wanted);
  rmSync(made, { recursive: true, force: true });
  fail(`${what} could not be installed: ${result.stderr?.trim() ?? result.error?.message}`);
}

const missingPrograms = (wanted) =>
  JSON.parse(readFileSync(TEST_PROGRAMS, 'utf8')).filter(
    ({ program, probe, files = [], suites }) =>
      suites.some((suite) => wanted.includes(suite)) &&
      (!onPath(program) || (probe && !works(program, probe)) || !files.every((file) => existsSync(file))),
  );

/** Ends the process where a program of the wanted suites is missing and cannot be installed. */
function installTestPrograms(wanted) {
  const missing = missingPrograms(wanted);
  if (missing.length === 0) return;
  const packages = missing.flatMap(({ debian }) => debian.split(' '));
  const uses = missing.map(({ program, use }) => `${program} (${use})`).join(', ');
  const mayInstall = process.getuid?.() === 0 && existsSync('/etc/debian_version') && onPath('apt-get');
  if (!mayInstall) {
    say(`missing: ${uses}`);
    fail(`the tests need them: sudo apt-get install --no-install-recommends ${packages.join(' ')}`);
  }
  say(`installing ${packages.join(', ')} for the tests`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) => spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  apt('update');
  const result = apt('install', '-y', '--no-install-recommends', ...packages);
  if (result.status !== 0) fail(`apt-get could not install them: ${result.stderr.trim()}`);
  const lacking = missingPrograms(wanted).map(({ program }) => program);
  if (lacking.length > 0) fail(`missing though their packages are installed: ${lacking.join(', ')}`);
}

/** Builds `epoll`, which `onoff` needs, for the pinned Node; without a compiler GPIO is simply absent. */
function buildNative() {
  const node = pinnedNode();
  const epoll = join(MODULES, 'epoll');
  if (process.platform !== 'linux' || !node || !existsSync(epoll)) return;
  const gyp = process.env.npm_config_node_gyp;
  if (!gyp) return;
  const env = { ...process.env, npm_config_nodedir: join(MODULES, `node-linux-${process.arch}`) };
  const result = spawnSync(node, [gyp, 'rebuild', '--silent', '-C', epoll], { env, stdio: 'ignore' });
  if (result.status !== 0)
    say('GPIO support was not built (it needs python3, make and g++); all else works without it');
}

/** Yarn and pnpm would bring other versions than the lock's, and lay them out in another way. */
function requireNpm() {
  const other = /^(?:yarn|pnpm|bun)(?=\/)/.exec(process.env.npm_config_user_agent ?? '')?.[0];
  if (other) fail(`Laneware is installed by npm alone, as its lock is npm's; this is ${other}. Run: npm start`);
}

const mode = process.argv[2];
if (mode === '--npm') {
  requireNpm();
} else if (mode === '--native') {
  linkNode();
  buildNative();
} else {
  const onlyRun = mode === '--run';
  requireNode24();
  if (!packagesInstalled(onlyRun)) await installPackages(onlyRun);
  if (mode === '--test') {
    const suites = process.argv.slice(3);
    installTestPrograms(suites);
    for (const each of FROM_PYPI) if (suites.some((suite) => each.suites.includes(suite))) installFromPyPi(each);
  }
}
