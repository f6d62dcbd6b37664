/** What the device's own user may write, and root reads: hostile, until it is proven to be harmless. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { each } from '../support.ts';
import { NEW, NO_RELEASES, NOT_NOW, OLD, onDevice, type Rig, WENT_BACK } from './rig.ts';
import { web } from './server.ts';

const hostile = suiteNeeding(NO_RELEASES, 'what the device reports to its updater');
const it = each<[Rig]>(hostile, (run) => () => onDevice(run));

const NOBODY = '65534';
/** All but the end of a line. */
const CONTROL_CHARACTERS = /[^\P{Cc}\n]/u;
/** What the kernel and pipes hold of an answer that is no longer read, at most. */
const BUFFERED_BYTES = 32 << 20;
const ENDLESS_CHUNK = Buffer.alloc(1 << 20, 'x');

const endpointsOf = (rig: Rig): string => join(rig.root, 'run/laneware/endpoints');
const lines = (terminal: string, recognition = terminal, more = ''): string =>
  `terminal=${terminal}\nrecognition=${recognition}\n${more}`;

/** A server of the attacker's. */
async function listen(answer: RequestListener) {
  const server = await web(createServer, answer);
  return { ...server, url: `http://127.0.0.1:${server.port}` };
}

const HEALTH = JSON.stringify({ state: 'ok', version: OLD, serial: 'S', uptimeSeconds: 1, parts: [] });
const healthy: RequestListener = (request, response) =>
  void response.end(request.url === '/metrics' ? 'laneware_payments_open 0\n' : HEALTH);

/** The updater hears nothing: it says so, at once, and leaves the device alone. */
async function isDeaf(rig: Rig): Promise<string> {
  const status = await rig.ends(0, ['status']);
  assert.match(status, /^answers +nothing$/m);
  const update = await rig.ends(NOT_NOW, ['update', '--from', rig.release()]);
  assert.match(update, 'does not say whether a payment is open');
  assert.is(rig.link('current'), OLD);
  return status + update;
}

it('of a file that a person has named no more is copied than is asked for', async (rig) => {
  const [file, copy] = ['endless', 'copy'].map((name) => join(rig.folder, name));
  writeFileSync(file ?? '', '');
  truncateSync(file ?? '', 2 ** 24);
  rig.bash(`. "$1/opt/laneware/good/scripts/lib/hostile.sh"; take "$2" "$3" 1000`, [rig.root, file ?? '', copy ?? '']);
  assert.is(statSync(copy ?? '').size, 1000);
});

it('an address that is an option of curl writes no file', async (rig) => {
  const written = join(rig.folder, 'written-by-root');
  const config = join(rig.folder, 'evil');
  await using server = await listen(healthy);
  mkdirSync(config);
  // the updater puts the path behind the address
  writeFileSync(join(config, 'health'), `url = "${server.url}/health"\noutput = "${written}"\n`);
  for (const address of [`-K${config}`, `--config=${config}`, `-o${written}`, `${server.url} -o ${written}`]) {
    writeFileSync(endpointsOf(rig), lines(address));
    await isDeaf(rig);
    assert.not.ok(existsSync(written), address);
  }
  assert.is(server.requests.length, 0);
});

it('an address that is no address of a port is not asked', async (rig) => {
  await using server = await listen(healthy);
  const port = new URL(server.url).port;
  writeFileSync(join(rig.folder, 'health'), HEALTH);
  for (const address of [
    `file://${rig.folder}`,
    `gopher://127.0.0.1:${port}`,
    `http://root:secret@127.0.0.1:${port}`,
    `http://127.0.0.1:${port}/elsewhere`,
    `http://127.0.0.1:${port}?`,
    `http://127.0.0.1:[${port}-${port}]`,
    `http://{127.0.0.1}:${port}`,
    `http://localhost:${port}`,
    `http://127.0.0.1.example:${port}`,
    'http://192.0.2.1:80',
    'http://[2001:db8::1]:80',
    ` http://127.0.0.1:${port}`,
    `http://127.0.0.1:${port}\r`,
  ]) {
    writeFileSync(endpointsOf(rig), lines(address));
    const status = await rig.ota(['status']);
    assert.match(status.output, /^answers +nothing$/m, address);
  }
  assert.is(server.requests.length, 0);
});

it('nothing of the file but an address gets into the request', async (rig) => {
  await using server = await listen(healthy);
  for (const more of ['\r\nX-Evil: 1\n', '\rX-Evil: 1\n', '\u0000\nX-Evil: 1\n', 'X-Evil: 1\n', 'token=x\n']) {
    writeFileSync(endpointsOf(rig), lines(server.url, server.url, more));
    await rig.ota(['status']);
  }
  writeFileSync(endpointsOf(rig), lines(server.url));
  await rig.ota(['status']);
  assert.is(server.requests.length, 1);
  assert.equal(Object.keys(server.requests[0]?.headers ?? {}).sort(), ['accept', 'host', 'user-agent']);
});

it('a link is not followed, not even to what root alone may read', async (rig) => {
  await using server = await listen(healthy);
  const secret = join(rig.folder, 'shadow');
  writeFileSync(secret, lines(server.url), { mode: 0o600 });
  for (const target of [secret, '/etc/shadow', '/dev/zero']) {
    rmSync(endpointsOf(rig), { force: true });
    symlinkSync(target, endpointsOf(rig));
    await isDeaf(rig);
  }
  assert.is(server.requests.length, 0);
});

for (const [what, make] of [
  ['a pipe without a writer', (path: string) => void execFileSync('mkfifo', [path])],
  [
    'a pipe that somebody holds open',
    (path: string) => {
      execFileSync('mkfifo', [path]);
      return openSync(path, 'r+'); // for both ways: it has a writer who never writes
    },
  ],
  ['a folder', (path: string) => mkdirSync(path)],
  [
    'a file of terabytes',
    (path: string) => {
      writeFileSync(path, lines('http://127.0.0.1:9'));
      truncateSync(path, 2 ** 42);
    },
  ],
  ['a file of zeros', (path: string) => writeFileSync(path, Buffer.alloc(4096))],
  ['an empty file', (path: string) => writeFileSync(path, '')],
] as const) {
  it(`${what} in its place delays no update`, async (rig) => {
    rmSync(endpointsOf(rig));
    const held = make(endpointsOf(rig));
    assert.not.match(await isDeaf(rig), 'null byte');
    if (typeof held === 'number') closeSync(held);
  });
}

it('a second line of a key does not count', async (rig) => {
  await using server = await listen(healthy);
  writeFileSync(endpointsOf(rig), `${lines('http://127.0.0.1:9')}terminal=${server.url}\n`);
  await isDeaf(rig);
  assert.is(server.requests.length, 0);
});

it('an answer that never ends is cut off after a mebibyte', async (rig) => {
  let written = 0;
  await using server = await listen(({ socket }, response) => {
    response.on('close', () => {
      written = Math.max(written, socket.bytesWritten);
    });
    const more = () => {
      while (!response.destroyed && response.write(ENDLESS_CHUNK));
    };
    response.on('drain', more);
    more();
  });
  writeFileSync(endpointsOf(rig), lines(server.url));
  await isDeaf(rig);
  assert.ok(written > 0 && written < BUFFERED_BYTES, `${written}`);
});

it('an answer that leads elsewhere is not followed', async (rig) => {
  await using other = await listen(healthy);
  await using server = await listen(
    (request, response) => void response.writeHead(302, { location: `${other.url}${request.url}` }).end(),
  );
  writeFileSync(endpointsOf(rig), lines(server.url));
  await isDeaf(rig);
  assert.is(other.requests.length, 0);
});

it('what a device reports cannot speak to the terminal of the technician', async (rig) => {
  const output = await rig.ends(WENT_BACK, ['update', '--from', rig.release({ behaviour: 'speaks-to-terminal' })]);
  const status = await rig.ota(['status']);
  for (const text of [output, status.output]) assert.not.match(text, CONTROL_CHARACTERS);
  assert.is(await rig.answers(), OLD);
});

it('neither can the name of a file, nor the name of a part', async (rig) => {
  const run = await rig.ota(['update', '--from', join(rig.folder, 'no\u001b[31msuch\u0007\u009b')]);
  assert.match(run.output, 'there is no such file');
  assert.not.match(run.output, CONTROL_CHARACTERS);
  const parts = rig.bash(
    `. "$1/opt/laneware/good/scripts/lib/service.sh"
      ask() { printf '{"part":"bank\\033[31m; $(id)","state":"failed"}'; }; failed_parts`,
    [rig.root],
  );
  assert.is(parts, 'bank31mid\n');
});

it('a port with a certificate that the device has made itself is asked anyway', async (rig) => {
  const [key, cert] = [join(rig.folder, 'own.key'), join(rig.folder, 'own.crt')];
  const subject = ['-subj', '/CN=laneware', '-days', '1', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ed25519', '-nodes', ...subject], { stdio: 'ignore' });
  const pair = { key: readFileSync(key), cert: readFileSync(cert) };
  await using server = await web((listener) => createTlsServer(pair, listener), healthy);
  writeFileSync(endpointsOf(rig), lines(`https://127.0.0.1:${server.port}`));
  assert.match((await rig.ota(['status'])).output, /^answers +1\.0\.0$/m);
});

it('another user cannot hold the lock of updates', async (rig) => {
  assert.is(process.getuid?.(), 0, 'only root can be another user');
  await rig.ota(['check', '--from', rig.release()]);
  const lock = join(rig.root, 'run/laneware-update/lock');
  // with any folder above: the folder and the lock themselves
  assert.is(statSync(join(lock, '..')).mode & 0o077, 0);
  assert.is(statSync(lock).mode & 0o077, 0);
  execFileSync('chmod', ['711', rig.folder]);
  const held = spawnSync('setpriv', ['--reuid', NOBODY, '--clear-groups', 'flock', '--nonblock', lock, 'true']);
  assert.is.not(held.status, 0);
  assert.ok(existsSync(lock) && readFileSync(lock, 'utf8') === '');
});

it('nor hold updates back by a lock upon what it can read', async (rig) => {
  const readable = ['var/lib/laneware-update', 'var/lib/laneware-update/download', 'opt/laneware/good/RELEASE'];
  mkdirSync(join(rig.root, 'var/lib/laneware-update/download'));
  execFileSync('chmod', ['711', rig.folder]);
  const locks = readable.flatMap((path) => ['flock', '--nonblock', join(rig.root, path)]);
  const holder = spawn('setpriv', ['--reuid', NOBODY, '--clear-groups', ...locks, 'cat']);
  holder.stdin.write('held');
  await once(holder.stdout, 'data');
  try {
    await rig.takes(NEW, ['--from', rig.release()]);
  } finally {
    holder.stdin.end();
  }
});

hostile.run();
