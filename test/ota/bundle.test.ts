/** Releases as `bundle.sh` makes them: the same commit gives the same bytes, and nothing is in them that does not belong. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { fits, problemsWith } from '../../firmware/core/schema/schema.ts';
import { overspent } from '../../scripts/bench/budgets.ts';
import { missingPrograms, suiteNeeding } from '../needing.ts';
import { Program } from '../process.ts';
import { ROOT } from '../root.ts';
import { call, setUp, testEnvironment, until } from '../support.ts';
import { readSources } from '../tools/house/sources.ts';
import { pageOf } from '../tools/rehearsal/page.ts';
import { Bom } from './bom.ts';
import { ARCH, ended, NO_RELEASES } from './rig.ts';

const bundle = suiteNeeding(NO_RELEASES ?? missingPrograms('readelf', 'nats-server', 'g++'), 'bundle.sh');
/** Two releases are unpacked and packed at a time; in memory where there is room for that. */
const ROOM_BYTES = 3 * 1024 ** 3;
const MEMORY = '/dev/shm';

function scratch(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM_BYTES ? MEMORY : tmpdir();
}

const work = mkdtempSync(join(scratch(), 'laneware-bundle-'));
const key = join(work, 'key.pem');
const passphrase = 'of a builder without a terminal';
const withKey = { ...process.env, LANEWARE_KEY_PASSPHRASE: passphrase };

/** The message server as Debian packs it. */
function packServer(): string {
  const [program = '', architecture = ''] = [
    ['sh', '-c', 'command -v nats-server'],
    ['dpkg', '--print-architecture'],
  ].map(([command = '', ...args]) => execFileSync(command, args, { encoding: 'utf8' }).trim());
  const folder = join(work, 'server');
  const documents = join(folder, 'usr/share/doc/nats-server');
  for (const path of [documents, join(folder, 'usr/sbin'), join(folder, 'DEBIAN')])
    mkdirSync(path, { recursive: true });
  copyFileSync(program, join(folder, 'usr/sbin/nats-server'));
  writeFileSync(join(documents, 'copyright'), 'Apache-2.0\n');
  const control = [
    'Package: nats-server',
    'Version: 1.0',
    `Architecture: ${architecture}`,
    'Maintainer: none <none@invalid>',
  ];
  writeFileSync(join(folder, 'DEBIAN/control'), `${control.join('\n')}\nDescription: message server\n`);
  execFileSync('dpkg-deb', ['--build', folder, join(work, 'server.deb')], { stdio: 'ignore' });
  return join(work, 'server.deb');
}

let server = '';

/** States which keys devices trust: the same words in each folder that releases are made into. */
function stateKeys(out: string): void {
  const statement = join(work, 'laneware.keys');
  if (!existsSync(statement)) {
    const trusted = ['--trust', key.replace('.pem', '.pub.pem'), '--key', key];
    execFileSync(join(ROOT, 'scripts/release/bundle.sh'), [...trusted, '--out', work], {
      stdio: 'ignore',
      env: withKey,
    });
  }
  mkdirSync(join(work, out), { recursive: true });
  copyFileSync(statement, join(work, out, 'laneware.keys'));
}

async function make(project: string, out: string, env: NodeJS.ProcessEnv, umask: string): Promise<string> {
  stateKeys(out);
  const command = `umask ${umask}; exec "$@"`;
  const args = [
    join(project, 'scripts/release/bundle.sh'),
    '--key',
    key,
    '--arch',
    ARCH,
    '--out',
    join(work, out),
    '--version',
    '1.2.3',
    '--nats-server',
    server,
    '--unrehearsed',
  ];
  await promisify(execFile)('bash', ['-c', command, 'bundle', ...args], {
    env: { ...withKey, TMPDIR: work, ...env },
  });
  return join(work, out, `laneware-1.2.3-${ARCH}.release`);
}

/** What the first test makes, and the others look into. */
const FIRST = join(work, 'one', `laneware-1.2.3-${ARCH}.release`);
const digest = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** The project as its last commit has it: others may follow while this runs. */
const project = join(work, 'project');
const clone = (from: string, to: string) => execFileSync('git', ['clone', '--quiet', '--no-hardlinks', from, to]);

bundle.before(() => {
  clone(ROOT, project);
  execFileSync(join(ROOT, 'scripts/release/bundle.sh'), ['--new-key', key], { stdio: 'ignore', env: withKey });
  server = packServer();
});
bundle.after(() => rmSync(work, { recursive: true, force: true }));

bundle('the same commit gives the same bytes, wherever and by whomever it is made', async () => {
  const elsewhere = join(work, 'a clone elsewhere');
  clone(project, elsewhere);
  // what is not committed must not get in
  writeFileSync(join(elsewhere, 'firmware/notes.txt'), 'not committed\n');
  const [one, two] = await Promise.all([
    make(project, 'one', { TZ: 'UTC', LANG: 'C' }, '022'),
    make(elsewhere, 'two', { TZ: 'Asia/Vladivostok', LANG: 'C.UTF-8', HOME: join(work, 'home') }, '077'),
  ]);
  assert.is(digest(two), digest(one));
  assert.equal(overspent({ releaseMegabytes: statSync(one).size / 1e6 }), []);
});

/** Unpacks what was made first, or some files of it. */
function unpack(folder: string, ...files: string[]): void {
  const libraries = ['say', 'paths', 'release-file'].map((name) => `. ${ROOT}/scripts/lib/${name}.sh`).join('; ');
  const script = `set -e; ${libraries}; read_head "$1" "$2"; payload_of "$1" | tar -xzC "$2" "\${@:3}"`;
  execFileSync('bash', ['-c', script, 'x', FIRST, folder, ...files]);
}

bundle('Node is without what only a debugger reads, and says as much when it crashes', () => {
  const folder = mkdtempSync(join(work, 'node-'));
  unpack(folder, './bin/node');
  const sections = execFileSync('readelf', ['-SW', join(folder, 'bin/node')], { encoding: 'utf8' });
  assert.not.match(sections, /\.symtab|\.debug_/);
  const said = [process.execPath, join(folder, 'bin/node')].map((node) => {
    const { stderr } = spawnSync(node, ['-e', 'process.abort()'], { encoding: 'utf8' });
    return stderr.replaceAll(node, 'node').replaceAll(/0x[0-9a-f]+(?= $)/gm, '');
  });
  assert.match(said[0] ?? '', 'Native stack trace');
  assert.is(said[1], said[0]);
});

bundle('the release holds the app, its Node and dependencies, and nothing for development alone', () => {
  const folder = join(work, 'unpacked');
  mkdirSync(folder);
  unpack(folder);
  execFileSync('sha256sum', ['--check', '--quiet', '--strict', 'SHA256SUMS'], { cwd: folder });
  const node = execFileSync(join(folder, 'bin/node'), ['-p', 'process.version'], { encoding: 'utf8' });
  const pinned = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).optionalDependencies[
    `node-linux-${ARCH}`
  ];
  assert.is(node.trim(), `v${pinned}`);
  const version = execFileSync(join(folder, 'bin/nats-server'), ['--version'], { encoding: 'utf8' });
  assert.match(version, /v\d+\.\d+\.\d+/);
  assert.is(readFileSync(join(folder, 'bin/nats-server.copyright'), 'utf8'), 'Apache-2.0\n');
  for (const there of [
    'firmware/main.ts',
    'bundle/main.js',
    'bundle/lanectl.js',
    'bundle/trial.js',
    'drivers/camera/pictures/01-apple-green.jpg',
    'models/NOTICE',
    'firmware/features/voice/pieces/NOTICE',
    'firmware/features/voice/pieces/ru/paid.wav',
    'firmware/features/voice/pieces/en/paid.wav',
    'scripts/update/ota.sh',
    'scripts/lanectl.sh',
    'firmware/device/help.txt',
    'systemd/laneware.service',
    'node_modules/commander/LICENSE',
    'node_modules/fastify/package.json',
    'node_modules/sharp/dist/index.cjs',
    'node_modules/epoll/build/Release/epoll.node',
    'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
    'node_modules/swagger-ui-dist/swagger-ui.css',
    'node_modules/swagger-ui-dist/favicon-32x32.png',
    'node_modules/zxing-wasm/dist/es/reader/index.js',
    'node_modules/zxing-wasm/dist/reader/zxing_reader.wasm',
    'node_modules/zxing-wasm/LICENSE',
  ])
    assert.ok(existsSync(join(folder, there)), there);
  for (const absent of [
    'test',
    '.git',
    '.ci',
    'models/train',
    'node_modules/typescript',
    'node_modules/uvu',
    'node_modules/esbuild',
    'node_modules/@biomejs',
    'node_modules/@stoplight',
    'node_modules/@scarf',
    'node_modules/swagger-ui-dist/swagger-ui-bundle.js.map',
    'node_modules/swagger-ui-dist/swagger-ui-es-bundle.js',
    'node_modules/zxing-wasm/dist/full',
    'node_modules/type-fest',
    'node_modules/fastify/fastify.js',
    'node_modules/fastify/fastify.d.ts',
    'node_modules/epoll/src',
    'node_modules/nan',
    'node_modules/node-addon-api',
    'node_modules/usocket',
    'node_modules/pino-abstract-transport',
  ])
    assert.not.ok(existsSync(join(folder, absent)), absent);
  assert.not.ok(
    readdirSync(join(folder, 'node_modules')).some((name) => name.startsWith('node-linux')),
    'Node is there once',
  );
  const manifest = readFileSync(join(folder, 'manifest'), 'utf8');
  assert.match(manifest, /^version=1\.2\.3$/m);
  const carried = Buffer.from(/^statements=(.*)$/m.exec(manifest)?.[1] ?? '', 'base64');
  assert.ok(carried.equals(readFileSync(join(work, 'laneware.keys'))), 'the statements of keys go along');
  assert.match(
    manifest,
    new RegExp(
      `^commit=${execFileSync('git', ['-C', project, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()}$`,
      'm',
    ),
  );
  const described = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const committed = execFileSync('git', ['-C', project, 'log', '-1', '--format=%ct'], { encoding: 'utf8' });
  assert.equal(
    [described.version, described.builtAt],
    ['1.2.3', new Date(Number(committed) * 1000).toISOString().slice(0, 10)],
  );
  // no path of the machine that made it
  assert.is(
    spawnSync('grep', ['-rlF', work, join(folder, 'node_modules/epoll'), join(folder, 'bin/litert')], {
      encoding: 'utf8',
    }).stdout ?? '',
    '',
  );
});

bundle('the bill of materials names each package, Node, message server and model, nothing else', () => {
  const folder = join(work, 'unpacked');
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const bom: unknown = JSON.parse(read('sbom.cdx.json'));
  assert.equal(problemsWith(Bom, bom), []);
  assert.ok(fits(Bom, bom));
  const packages = globSync('node_modules/{,**/node_modules/}{,@*/}*/package.json', { cwd: folder }).map((path) => {
    const { name, version } = JSON.parse(read(path));
    return `${name}@${version}`;
  });
  assert.ok(packages.length > 80, `${packages.length} packages`);
  const model = JSON.parse(read('models/lane-embed-1.json'));
  const pinned = JSON.parse(read('package.json')).optionalDependencies[`node-linux-${ARCH}`];
  const others = [`node@${pinned}`, 'nats-server@1.0', 'ai-edge-litert@2.3.0', `${model.name}@${model.version}`];
  const refs = bom.components.map((each) => each['bom-ref']);
  assert.equal(refs.toSorted(), [...new Set(packages), ...others].sort());
  const known = new Set([...refs, bom.metadata.component['bom-ref']]);
  assert.equal(new Set(bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])), known);
  const hashOf = (name: string) => bom.components.find((each) => each.name === name)?.hashes[0]?.content;
  for (const [name, path] of [
    ['node', 'bin/node'],
    ['nats-server', 'bin/nats-server'],
    ['ai-edge-litert', 'bin/litert/libLiteRt.so'],
    [model.name, `models/${model.file}`],
  ])
    assert.is(hashOf(name), digest(join(folder, path)));
  assert.is(bom.metadata.component.version, '1.2.3');
  assert.is(read('package-lock.json'), readFileSync(join(project, 'package-lock.json'), 'utf8'));
});

bundle('each part of the release has its licence’s text beside it, and the bill names each licence', () => {
  const folder = join(work, 'unpacked');
  const packages = globSync('node_modules/{,**/node_modules/}{,@*/}*/package.json', { cwd: folder });
  const without = packages.filter(
    (path) => !readdirSync(join(folder, path, '..')).some((name) => /licen[cs]e|copying|notice/i.test(name)),
  );
  assert.equal(without, []);
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  assert.match(read('bin/node.LICENSE'), 'Node.js is licensed for use as follows');
  assert.match(read('bin/nats-server.copyright'), 'Apache-2.0');
  assert.match(read('bin/litert/LICENSE'), 'Apache License');
  const vips = `node_modules/@img/sharp-libvips-linux-${ARCH}`;
  assert.match(read(`${vips}/LICENSE`), 'GNU LESSER GENERAL PUBLIC LICENSE');
  assert.match(read(`${vips}/COPYING`), 'GNU GENERAL PUBLIC LICENSE');
  assert.match(read(`${vips}/README.md`), 'libheif');
  assert.match(read('node_modules/abstract-logging/LICENSE'), /^Copyright \(c\) James Sumners/);
  const bom = JSON.parse(read('sbom.cdx.json'));
  assert.ok(fits(Bom, bom));
  const licenceOf = (name: string) => bom.components.find((each) => each.name === name)?.licenses;
  assert.equal(licenceOf('jsbi'), [{ license: { id: 'Apache-2.0' } }]);
  assert.equal(licenceOf('pause-stream'), [{ expression: 'MIT OR Apache-2.0' }]);
});

/** Builds of LiteRT in a folder of packages. */
const litertBuilds = (modules: string): string[] =>
  readdirSync(join(modules, '@litertjs/core/wasm'))
    .map((name) => name.replace(/^litert_wasm_|_?internal\.(?:js|wasm)$/g, ''))
    .filter((name, at, all) => all.indexOf(name) === at)
    .sort();

bundle('of the builds of LiteRT a release holds those that a board of its kind may load', () => {
  const brought = ['', 'compat', 'jspi', 'threaded'];
  assert.equal(litertBuilds(join(ROOT, 'node_modules')), brought, 'which of a new one is loaded, and when?');
  assert.match(
    readFileSync(join(ROOT, 'firmware/recognition/embedding/litert.ts'), 'utf8'),
    /loadLiteRt\([^)]*\{ threads: false \}\)/,
    'with no other option',
  );
  assert.equal(litertBuilds(join(work, 'unpacked/node_modules')), ['']);
});

/** Every file of the release that is not a package's, by its path. */
function ownFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !/^(?:node_modules|bin)\//.test(path))
    .sort();
}

/** What a release may hold beside the sources of the device. */
const OWN = [
  /^(?:LICENSE|README\.md|RELEASE|SHA256SUMS|manifest|signature|package(?:-lock)?\.json|sbom\.cdx\.json)$/,
  // what README leads to: the technician at the lane may have no network
  /^docs\/[a-z-]+\.(?:md|png)$/,
  /^models\/(?:NOTICE|lane-embed-1\.json|lane-embed-1\.tflite)$/,
  /^scripts\/(?:install\/(?:install|factory-reset|firstboot|options|claim-console|master-server)|update\/(?:ota|os-update)|lanectl)\.sh$/,
  /^scripts\/lib\/[\w-]+\.(?:sh|template)$/,
  // names the library in bin/litert
  /^scripts\/lib\/native-runtime\.txt$/,
  // what the page for programmers of tills shows
  /^clients\/(?:calls\.md|samples\/(?:(?:Pay|Webhook)\.cs|(?:pay|webhook)\.\w+|events\.mjs))$/,
  /^systemd\/[\w./@-]+$/,
  // what runs, with maps to the sources
  /^bundle\/[\w-]+\.js(?:\.map)?$/,
  // the pages, packed as they are sent
  /^bundle\/made-pages\/[\w./-]+$/,
];
/** Programs: everything else is there because one of these imports it. */
const PROGRAMS = ['firmware/main.ts', 'firmware/lanectl/main.ts', 'firmware/tools/trial/main.ts'];

bundle('no training, no evaluation, no bench, no test and no simulated lane is in the release', () => {
  const folder = join(work, 'unpacked');
  const others = ownFiles(folder).filter((path) => !/^(?:firmware|drivers)\//.test(path));
  assert.equal(
    others.filter((path) => !OWN.some((pattern) => pattern.test(path))),
    [],
  );
  assert.ok(others.includes('models/lane-embed-1.tflite'), 'the model is there');
  assert.ok(others.includes('docs/technician.md'), 'what README leads to is there');
  for (const path of ['test/tools/scenes', 'docs/decisions', 'docs/pages', 'docs/pages.md'])
    assert.not.ok(
      existsSync(join(folder, path)),
      'decisions, pictures of the pages, and what draws them, stay at home',
    );
});

bundle('every source in the release is one that the device loads', () => {
  const folder = join(work, 'unpacked');
  const sources = new Map(readSources(folder).map((source) => [source.path, source]));
  const reached = new Set(PROGRAMS);
  for (const path of reached)
    for (const { from } of sources.get(path)?.imports ?? []) if (!from.endsWith('.d.ts')) reached.add(from); // types stay at home
  const code = [...sources.keys()].filter((path) => path.endsWith('.ts'));
  assert.equal(
    code.filter((path) => !reached.has(path)),
    [],
    'nothing but what is loaded',
  );
  assert.equal(
    [...reached].filter((path) => !existsSync(join(folder, path))),
    [],
    'all that is loaded',
  );
});

bundle('a device starts from what the release holds: it takes a payment, and learns what it sees', async () => {
  const folder = join(work, 'unpacked');
  const settings = { LANEWARE_CAMERA_DRIVER: 'replay', LANEWARE_SANDBOXBANK_ENABLED: 'true' };
  const { LANEWARE_MODEL_MANIFEST: _, ...env } = testEnvironment(join(work, 'data'), settings);
  await using program = new Program(
    [join(folder, 'bundle/main.js')],
    { ...env, LANEWARE_LOG_LEVEL: 'info' },
    { node: join(folder, 'bin/node'), cwd: work },
  );
  const urls = await program.line(({ msg, terminal, recognition }) =>
    msg === 'ready' ? { terminal: String(terminal), recognition: String(recognition) } : null,
  );
  await setUp(urls);
  assert.is((await call(`${urls.terminal}/showQR`, { json: { amount: 100 } })).status, 200);
  const learn = () => call(`${urls.recognition}/api/add_item_template`, { json: { id: 'a' } });
  await until('a template', async () => (await learn()).body.code === 0);
  const { body } = await call(`${urls.recognition}/health`);
  const { runtime, state } = body.data.parts.find(({ part }: { part: string }) => part === 'model');
  assert.equal({ runtime, state }, { runtime: 'native', state: 'ok' });
});

bundle('a release is valid for a year after its commit, or for as many days as an option says', () => {
  const commit = Number(execFileSync('git', ['-C', project, 'log', '-1', '--format=%ct'], { encoding: 'utf8' }));
  const head = readFileSync(FIRST, 'latin1').slice(0, 4096);
  const until = /^valid-until=(.*)$/m.exec(head)?.[1] ?? '';
  assert.is(Date.parse(until) / 1000, commit + 365 * 86_400);
  for (const days of ['0', '-1', 'soon', '100000', '']) {
    const args = ['--key', key, '--version', '1.2.3', '--out', work, '--valid-days', days];
    const run = spawnSync(join(project, 'scripts/release/bundle.sh'), args, { encoding: 'utf8' });
    assert.is.not(run.status, 0, days);
    assert.match(run.stderr, 'valid-days');
  }
});

bundle('a release that would be expired when it is made is not made', () => {
  const old = join(work, 'an old clone');
  clone(project, old);
  const env = { ...process.env, GIT_COMMITTER_DATE: '2020-01-01T00:00:00Z' };
  const author = ['-c', 'user.name=t', '-c', 'user.email=t@invalid'];
  execFileSync('git', [...author, 'commit', '--quiet', '--allow-empty', '--message', 'old'], { cwd: old, env });
  const args = ['--key', key, '--arch', ARCH, '--out', work];
  const run = ended(5, spawnSync(join(old, 'scripts/release/bundle.sh'), args, { encoding: 'utf8' }));
  assert.match(run.stderr, /valid until 2020-12-31.* --valid-days/);
});

bundle('a commit that was not rehearsed, or went badly, is not made into a release', () => {
  const args = ['--key', key, '--version', '1.2.3', '--arch', ARCH, '--out', work];
  const unnamed = ended(5, spawnSync(join(project, 'scripts/release/bundle.sh'), args, { encoding: 'utf8' }));
  assert.match(unnamed.stderr, '--rehearsed FILE');
  const commit = execFileSync('git', ['-C', project, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const page = join(work, 'rehearsal.md');
  args.push('--rehearsed', page);
  const other = commit.replace(/./g, '0');
  const well = 'all books and templates agree, and nothing has leaked.';
  for (const said of ['', `Commit ${other}: ${well}\n`, `Commit ${commit} **failed**:\n`]) {
    writeFileSync(page, said);
    const run = ended(5, spawnSync(join(project, 'scripts/release/bundle.sh'), args, { encoding: 'utf8' }));
    assert.match(run.stderr, `${page} does not say that this commit went well`);
  }
  // it goes on, and comes to the key
  const plan = { days: 14, sales: 4, seed: 1 };
  writeFileSync(page, pageOf(commit, { plan, minutes: 1, events: [], counts: {}, books: [], growth: [], faults: [] }));
  const { LANEWARE_KEY_PASSPHRASE: _, ...env } = withKey;
  const run = spawnSync(join(project, 'scripts/release/bundle.sh'), args, { encoding: 'utf8', env });
  assert.not.match(run.stderr, 'rehearsal');
  assert.is.not(run.status, 0);
});

bundle('a key that is there is not replaced', () => {
  const run = ended(5, spawnSync(join(ROOT, 'scripts/release/bundle.sh'), ['--new-key', key], { encoding: 'utf8' }));
  assert.match(run.stderr, 'is there already');
});

bundle('a file that is not the message server of the architecture is refused', () => {
  const other = ARCH === 'x64' ? 'arm64' : 'x64';
  const args = [
    '--key',
    key,
    '--arch',
    other,
    '--out',
    work,
    '--without-gpio',
    '--without-native',
    '--nats-server',
    server,
    '--unrehearsed',
  ];
  const run = ended(
    1,
    spawnSync(join(project, 'scripts/release/bundle.sh'), args, {
      encoding: 'utf8',
      env: { ...withKey, TMPDIR: work },
    }),
  );
  assert.match(run.stderr, /none of the files of --nats-server is the package nats-server for/);
});

bundle('a version that is none is refused', () => {
  ended(
    2,
    spawnSync(join(ROOT, 'scripts/release/bundle.sh'), ['--key', key, '--version', '1.2', '--out', work], {
      encoding: 'utf8',
    }),
  );
});

bundle.run();
