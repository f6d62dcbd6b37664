/** What a lane runs, made of the sources of this clone: `scripts/release/bundle-code.mjs`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from './ports.ts';
import { startFirmware } from './process.ts';
import { SHIPPED_MANIFEST } from './recognition/fixtures/models.ts';
import { bundleInto, releasePlace } from './release-place.ts';
import { ROOT } from './root.ts';
import { call, setUp, temporaryFolder, until } from './support.ts';
import { pairAt } from './sync/pair-at.ts';

const test = suite('the bundle');

const place = releasePlace();
const BUNDLE = join(place.path, 'bundle');
const MAIN = join(BUNDLE, 'main.js');
test.after(() => place[Symbol.dispose]());

/** What a text names of the pages. */
const namedIn = (text: string): string[] =>
  [...text.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, path = '']) => path);

/** A document is kept nowhere, what it names for ever, in the best encoding that is taken, whole to a HEAD and to a range, and under no other name. */
async function findPages(recognition: string): Promise<void> {
  const documents = await Promise.all(['/', '/display', '/claim', '/scale'].map((path) => call(recognition + path)));
  for (const { status, headers } of documents) assert.equal([status, headers.get('cache-control')], [200, 'no-store']);
  const paths = [...new Set(documents.flatMap(({ text }) => namedIn(text)))];
  assert.is(paths.length, 7, 'a script and a style sheet each, and the icon');
  const script = paths.find((path) => path.endsWith('/console.js')) ?? '';
  const folder = script.replace('console/pages/console.js', '');
  const late = [...(await call(recognition + script)).text.matchAll(/import\("\.\.\/\.\.\/([^"]+)"\)/g)].map(
    ([, name]) => name,
  );
  assert.is(late.length, 1, 'the maker of codes');
  late.push('words/en.js', 'words/ru.js');
  for (const path of [...paths, ...late.map((name) => `${folder}${name}`)]) {
    const plain = await call(recognition + path, { headers: { 'accept-encoding': 'identity' } });
    assert.match(plain.headers.get('content-security-policy') ?? '', "script-src 'self'");
    assert.not.match(
      plain.text,
      /https?:\/\/(?!www\.w3\.org\/(?:2000\/svg|1998\/Math))[a-z]/,
      'no address outside the device',
    );
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip, br;q=0', 'gzip'],
      ['GZIP;q=0.5', 'gzip'],
      ['deflate', null],
      ['', null],
    ] as const) {
      const headers = { 'accept-encoding': accepted };
      const got = await call(recognition + path, { headers });
      const about = ['content-encoding', 'cache-control', 'vary'].map((name) => got.headers.get(name));
      assert.equal(
        [got.status, ...about],
        [200, encoding, 'public, max-age=31536000, immutable', 'Accept-Encoding'],
        path,
      );
      assert.is(got.text, plain.text, path);
      const head = await call(recognition + path, { method: 'HEAD', headers });
      assert.equal([head.text, head.headers.get('content-length')], ['', got.headers.get('content-length')]);
    }
  }
  const part = await call(`${recognition}${folder}core/pages/icon.svg`, { headers: { range: 'bytes=0-3' } });
  assert.equal([part.status, part.text.startsWith('<svg')], [200, true]);
  for (const path of [
    script.replace(/\/assets\/\w+/, '/assets/0000000000000000'),
    script.replace('console.js', 'app/api.js'),
    `${folder}digest`,
    `${folder}..%2fmain.js`,
    '/console/assets/console/pages/console.js',
  ])
    assert.is((await call(recognition + path)).status, 404, path);
}

test('runs a device: sale, learned item, barcode reader, pages, judged backup, lanectl', async () => {
  using folder = temporaryFolder();
  const { program, urls } = await startFirmware(folder.path, {
    main: MAIN,
    settings: {
      LANEWARE_CAMERA_DRIVER: 'replay',
      LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST,
      LANEWARE_SANDBOXBANK_ENABLED: 'true',
    },
  });
  await using _program = program;
  const { terminal, recognition } = urls;
  await setUp(urls);
  const sale = await call(`${terminal}/v1/payments`, {
    json: { amount: 100 },
    headers: { 'Idempotency-Key': 'a' },
  });
  assert.is(sale.status, 201, JSON.stringify(sale.body));
  const learn = () => call(`${recognition}/v1/items/4011/templates`, { method: 'POST' });
  await until('a template', async () => (await learn()).status === 201);
  const seen = await call(`${recognition}/v1/recognition`);
  assert.match(JSON.stringify(seen.body), '4011');
  const { body: health } = await call(`${recognition}/health`);
  assert.not.match(JSON.stringify(health), /"state":"failed"/);
  for (const page of ['/reference', '/openapi.json']) assert.is((await call(recognition + page)).status, 200, page);
  await findPages(recognition);
  const lanectl = (...args: string[]) => {
    const env = { PATH: process.env.PATH, LANEWARE_URL: terminal };
    return execFileSync(process.execPath, [join(BUNDLE, 'lanectl.js'), ...args], { encoding: 'utf8', env });
  };
  assert.match(lanectl('call', 'getDayReport', '--json'), /^\{/);
  assert.is(lanectl('--version'), `${JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version}\n`);
  const passphrase = 'seven lamps over the counter';
  const backup = await fetch(`${recognition}/console/api/backups`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ passphrase }) },
  });
  const form = new FormData();
  form.append('passphrase', passphrase);
  form.append('file', await backup.blob(), 'lane.backup');
  const restored = await call(`${recognition}/console/api/backups/restore`, { method: 'POST', body: form });
  assert.is(restored.status, 200, restored.text);
});

test('a master of it runs its message server, and a slave of it joins and learns', async () => {
  using first = temporaryFolder();
  using second = temporaryFolder();
  const settings = {
    LANEWARE_CAMERA_DRIVER: 'replay',
    LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST,
    LANEWARE_SYNC_HOST: '127.0.0.1',
  };
  const start = (folder: string, serial: string, port: number) => {
    const own = { LANEWARE_SERIAL: serial, LANEWARE_SYNC_PORT: String(port) };
    // a person's on Debian, where the message server is none of a person's programs
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin' };
    return startFirmware(folder, { main: MAIN, settings: { ...settings, ...own }, env });
  };
  const port = await freePort();
  const master = await start(first.path, 'M', port);
  await using _master = master.program;
  const slave = await start(second.path, 'S', port);
  await using _slave = slave.program;
  const { recognition } = master.urls;
  await call(`${recognition}/api/set_sync_master`, { json: { upload: true, download: true } });
  await pairAt(recognition, slave.urls.recognition);
  await until('a template', async () => {
    const learned = await call(`${recognition}/v1/items/4011/templates`, { method: 'POST' });
    return learned.status === 201;
  });
  await until('the slave has it', async () => {
    const { body } = await call(`${slave.urls.recognition}/api/get_item_list`);
    return body.data.length === 1;
  });
});

test('each part that is loaded late can be loaded', () => {
  const late = new Set<string>();
  // but for what the program itself loads late: that is its start
  for (const name of readdirSync(BUNDLE).filter((each) => each.endsWith('.js') && each !== 'main.js'))
    for (const [, file = ''] of readFileSync(join(BUNDLE, name), 'utf8').matchAll(/import\("(\.\/[^"*]+)"\)/g))
      late.add(file);
  assert.ok(late.size > 50, `${late.size} parts`);
  const load = `for (const file of ${JSON.stringify([...late])}) await import(file.replace('.', ${JSON.stringify(BUNDLE)}));`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', load], { encoding: 'utf8' });
  assert.is(status, 0, stderr);
});

test('a release tries itself: a sale and a look, and nothing of it stays', () => {
  using folder = temporaryFolder();
  const env = { TMPDIR: folder.path };
  const { status, stdout } = spawnSync(process.execPath, [join(BUNDLE, 'trial.js')], { encoding: 'utf8', env });
  assert.is(status, 0, stdout);
  assert.match(stdout, /^looking at the tray\nreading the payment after a restart\n$/m);
  assert.equal(readdirSync(folder.path), []);
});

test('a stack names the lines of the sources', () => {
  const fault = join(place.path, 'fault.mjs');
  writeFileSync(fault, "process.umask = () => { throw new TypeError('a fault'); };\n");
  const { status, stderr } = spawnSync(process.execPath, ['--import', fault, MAIN], { encoding: 'utf8', env: {} });
  assert.is(status, 1);
  const [, line = '', column = ''] =
    /^ {4}at (?:async )?main \(file:\S+\/firmware\/device\/run\.ts:(\d+):(\d+)\)$/m.exec(stderr) ?? [];
  const source = readFileSync(join(ROOT, 'firmware/device/run.ts'), 'utf8').split('\n')[Number(line) - 1] ?? '';
  assert.match(source.slice(Number(column) - 1), /^umask\(/, stderr);
});

test('a lane keeps the code of its release compiled, and that of no other', () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, '1.0.0'));
  for (let start = 0; start < 2; start++) {
    const env = { CACHE_DIRECTORY: folder.path };
    assert.is(spawnSync(process.execPath, [MAIN, '--version'], { env }).status, 0);
    assert.equal(readdirSync(folder.path), [basename(place.path)]);
  }
  const nowhere = { CACHE_DIRECTORY: join(folder.path, 'absent') };
  assert.is(spawnSync(process.execPath, [MAIN, '--version'], { env: nowhere }).status, 0);
});

test('the same sources give the same bytes', () => {
  using folder = temporaryFolder();
  bundleInto(folder.path);
  assert.is(spawnSync('diff', ['-r', folder.path, BUNDLE], { encoding: 'utf8' }).stdout, '');
});

test.run();
