/** `npm start` as it is typed: help before anything is brought in, wrong options, and how far the first run has come. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { missingPrograms, needing } from './needing.ts';
import { ROOT } from './root.ts';
import { temporaryFolder } from './support.ts';

const start = suite('npm start');
const onTerminal = needing(missingPrograms('script'), 'a terminal', start);

/** Back to the beginning of the line, and the line away. */
const CLEAR = '\r\u001b[K';

/** npm's lines, and the folder that it makes; it takes long enough that the line is drawn more than once. */
const FAKE_NPM = `
  import { mkdirSync } from 'node:fs';
  mkdirSync('node_modules', { recursive: true });
  const refused = (attempt) => console.error('npm http fetch GET https://registry.example/leven attempt ' + attempt + ' failed with ENOTFOUND');
  if (process.env.FAKE_NPM_OFFLINE) { refused(1); await new Promise((resolve) => setTimeout(resolve, 60_000)); }
  if (process.env.FAKE_NPM_FAILS) { console.error('npm error code ' + process.env.FAKE_NPM_FAILS); process.exit(1); }
  console.error('npm http fetch GET 200 https://registry.example/leven 5ms');
  refused(1); // the network comes and goes: npm asks again
  console.error('npm http fetch GET 200 https://registry.example/leven/-/leven-4.1.0.tgz 5ms');
  setTimeout(() => console.log('added 1 package'), 500);
`;

/** A clone without packages, whose npm is ours. */
function freshClone(folder: string): Record<string, string> {
  for (const name of ['start', 'setup', 'progress'])
    cpSync(join(ROOT, `scripts/${name}.mjs`), join(folder, `scripts/${name}.mjs`));
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  const packages = {
    '': {},
    'node_modules/leven': {},
    'node_modules/ours': { os: [process.platform], cpu: [process.arch] },
    'node_modules/of-another-system': { os: ['aix'] },
    'node_modules/not-for-this-one': { os: [`!${process.platform}`] },
  };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  mkdirSync(join(folder, 'firmware'));
  cpSync(join(ROOT, 'firmware/device/help.txt'), join(folder, 'firmware/device/help.txt'));
  writeFileSync(join(folder, 'firmware/main.ts'), "console.log('firmware ' + process.argv.slice(2));");
  writeFileSync(join(folder, 'npm.js'), FAKE_NPM);
  return { PATH: process.env.PATH ?? '', npm_execpath: join(folder, 'npm.js') };
}

const npmStart = (folder: string, args: readonly string[], env: Record<string, string>) =>
  spawnSync(process.execPath, [join(folder, 'scripts/start.mjs'), ...args], { encoding: 'utf8', cwd: folder, env });

start('help and version are printed, to the output, before anything is brought in', () => {
  using folder = temporaryFolder();
  const env = freshClone(folder.path);
  for (const option of ['--help', '-h']) {
    const { status, stdout, stderr } = npmStart(folder.path, [option], env);
    assert.equal([status, stderr], [0, '']);
    assert.match(stdout, /npm start -- --config FILE/);
  }
  assert.not.ok(existsSync(join(folder.path, 'node_modules')));
  const version = npmStart(folder.path, ['--version'], env);
  assert.equal([version.status, version.stderr], [0, '']);
  assert.is(version.stdout, firmware('--version').stdout);
  assert.not.ok(existsSync(join(folder.path, 'node_modules')));
  const whole = spawnSync('npm', ['start', '--silent', '--', '--help'], { encoding: 'utf8', cwd: ROOT });
  assert.is(whole.status, 0, whole.stderr);
  assert.match(whole.stdout, /^Laneware: /);
});

const firmware = (...args: string[]) =>
  spawnSync(process.execPath, [join(ROOT, 'firmware/main.ts'), ...args], { encoding: 'utf8', env: {} });

start('the firmware itself prints help and its version, and starts nothing', () => {
  const help = firmware('--help');
  assert.equal([help.status, help.stderr], [0, '']);
  assert.match(help.stdout, /2 for a wrong option/);
  const version = firmware('--version');
  assert.is(version.status, 0);
  assert.match(version.stdout, /^\d+\.\d+\.\d+\S*\n$/);
});

start('a wrong option, and an address that this machine has not, end it with a sentence', () => {
  const wrong = firmware('--confg', 'x');
  assert.equal([wrong.status, wrong.stdout], [2, '']);
  assert.is(wrong.stderr, 'laneware: there is no option --confg: did you mean --config?\n');
  using folder = temporaryFolder();
  const env = {
    LANEWARE_DATADIR: folder.path,
    LANEWARE_TERMINAL_HOST: '192.0.2.1',
    LANEWARE_API_ALLOW: '192.0.2.0/24',
    LANEWARE_TERMINAL_PORT: '0',
    LANEWARE_SANDBOXBANK_ENABLED: 'false',
    LANEWARE_CAMERA_DRIVER: 'none',
    LANEWARE_LOG_LEVEL: 'silent',
  };
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'firmware/main.ts')], { encoding: 'utf8', env });
  assert.is(status, 1);
  assert.match(stderr, /^laneware: .*192\.0\.2\.1.*: this machine has no such address; .*LANEWARE_TERMINAL_HOST/);
});

start('the first run brings the packages, in plain lines without a terminal, and starts as asked', () => {
  using folder = temporaryFolder();
  const env = freshClone(folder.path);
  const first = npmStart(folder.path, ['--config', 'x'], env);
  assert.equal([first.status, first.stdout], [0, 'firmware --config,x\n'], first.stderr);
  assert.match(
    first.stderr,
    /^setup: installing packages \(once, about 20 s\)\nsetup: packages are installed \(\d+ s\)\n$/,
  );
  const second = npmStart(folder.path, [], env);
  assert.equal([second.status, second.stdout, second.stderr], [0, 'firmware \n', '']);
});

start('packages that do not come: what npm says, or that there is no network, and no start', () => {
  using folder = temporaryFolder();
  const env = freshClone(folder.path);
  const broken = npmStart(folder.path, [], { ...env, FAKE_NPM_FAILS: 'EINTEGRITY' });
  assert.equal([broken.status, broken.stdout], [1, '']);
  assert.match(broken.stderr, /npm error code EINTEGRITY\nsetup: npm ci failed/);
  const offline = npmStart(folder.path, [], { ...env, FAKE_NPM_FAILS: 'EAI_AGAIN' });
  assert.is(offline.status, 1);
  assert.match(offline.stderr, /registry cannot be reached/);
});

start('without a network it ends at the first refusal: npm alone would ask for minutes', () => {
  using folder = temporaryFolder();
  const env = freshClone(folder.path);
  const { status, stderr } = npmStart(folder.path, [], { ...env, FAKE_NPM_OFFLINE: 'yes' });
  assert.equal([status, existsSync(join(folder.path, 'node_modules/.laneware-setup'))], [1, false], stderr);
  assert.match(stderr, /^setup: installing packages.*\nsetup: the npm registry cannot be reached\. Connect .*\n$/);
});

onTerminal('on a terminal one line shows how far it has come, and is gone at the end', () => {
  using folder = temporaryFolder();
  const env = freshClone(folder.path);
  const command = `${process.execPath} ${join(folder.path, 'scripts/start.mjs')}`;
  const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    encoding: 'utf8',
    env: { ...env, TERM: 'xterm' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [, drawn = ''] = /about 20 s\)\r\n([\s\S]*)setup: packages are installed/.exec(stdout) ?? [];
  assert.not.match(drawn, '\n', 'one line, written anew in its place');
  // four are in the lock, of which two are for this machine
  assert.match(drawn, `${CLEAR}setup: fetching packages: 1 of 2 (0 s)`);
  assert.ok(drawn.endsWith(CLEAR), 'nothing of it stays');
  assert.match(stdout, /firmware/);
});

start.run();
