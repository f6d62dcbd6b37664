/** What `lanectl doctor` finds outside of the parts of a device: the command that it names is run, and mends it or shows why. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/core/cli/exit-codes.ts';
import { missingPrograms, needing } from '../needing.ts';
import { freePort, listening } from '../ports.ts';
import { ROOT } from '../root.ts';
import { pick, startTestDevice, temporaryFolder } from '../support.ts';
import { lanectlHere } from './lanectl.ts';
import { MARK } from './stand-in.ts';

const test = suite('lanectl doctor and the machine');
const withOpenssl = needing(missingPrograms('openssl'), 'a certificate', test);
const run = promisify(execFile);

interface Fault {
  readonly code: string;
  readonly what: string;
  readonly command: string;
}

interface Stand extends AsyncDisposable {
  readonly port: number;
}

const DOCUMENT = readFileSync(join(ROOT, 'firmware/recognition/openapi.json'), 'utf8');

/** A lane whose parts are these by its answers; both of its ports are one. */
async function stand(
  create: (listener: RequestListener) => Server,
  before: (...[request, response]: Parameters<RequestListener>) => boolean,
  parts: readonly object[] = [],
): Promise<Stand> {
  const server = create((request, response) => {
    if (before(request, response)) return;
    const { port } = server.address() as AddressInfo;
    const report = { version: '0', serial: 'X', state: 'ok', instance: 'made-up', parts };
    const health = { ...report, ports: { terminal: port, recognition: port } };
    const isOld = request.url !== '/health';
    response.setHeaders(new Map(Object.entries({ ...MARK, 'content-type': 'application/json' })));
    response.end(request.url === '/openapi.json' ? DOCUMENT : JSON.stringify(isOld ? {} : { health, data: health }));
  });
  return listening(server);
}

const leadingTo = (url: string) => ({ LANEWARE_URL: url, LANEWARE_RECOGNITION_URL: url });

async function faultsAt(env: Readonly<Record<string, string>>): Promise<readonly Fault[]> {
  const { code, stdout } = await lanectlHere(['doctor', '--json'], env);
  const { faults, ok } = JSON.parse(stdout);
  assert.equal([code, ok], faults.length === 0 ? [0, true] : [EXIT_CODES.faults, false]);
  return faults;
}

/** The one of that code, which must be there. */
async function faultAt(code: string, env: Readonly<Record<string, string>>): Promise<Fault> {
  const faults = await faultsAt(env);
  const fault = faults.find((each) => each.code === code);
  assert.ok(fault, JSON.stringify(faults));
  return fault as Fault;
}

test('a wrong token: the command takes the right one, without a trace in the history', async () => {
  await using lane = await stand(createHttp, (request, response) => {
    if (request.headers.authorization === 'Bearer made-up-right') return false;
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"error_message": "wrong token"}');
    return true;
  });
  const env = leadingTo(`http://127.0.0.1:${lane.port}`);
  const { command } = await faultAt('token', { ...env, LANEWARE_TOKEN: 'made-up-wrong' });
  const typed = execFileSync('bash', ['-c', `${command}; printenv LANEWARE_TOKEN`], { input: 'made-up-right\n' });
  assert.is(String(typed), 'made-up-right\n');
  assert.equal(await faultsAt({ ...env, LANEWARE_TOKEN: String(typed).trim() }), []);
});

withOpenssl('a self-signed certificate: the command fetches it, and finds the rest well', async () => {
  using folder = temporaryFolder();
  const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')];
  const names = ['-subj', '/CN=lane', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...names];
  execFileSync('openssl', [...made, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const own = { key: readFileSync(key), cert: readFileSync(cert) };
  await using lane = await stand(
    (listener) => createHttps(own, listener),
    () => false,
  );
  const env = leadingTo(`https://127.0.0.1:${lane.port}`);
  const { command } = await faultAt('device.certificate', env);
  // typed outside of the clone, where npx would ask a registry
  const outside = command.replace('npx lanectl', join(ROOT, 'scripts/lanectl.sh'));
  const { stdout } = await run('bash', ['-c', outside], { cwd: folder.path });
  assert.is(stdout, '✓ nothing is wrong\n');
  assert.is(readFileSync(join(folder.path, 'laneware.pem'), 'utf8').trim(), String(own.cert).trim());
});

test('doctor names two devices, and swapped ports, with a command that shows what is right', async () => {
  await using one = await startTestDevice();
  await using other = await startTestDevice();
  for (const [env, code] of [
    [{ LANEWARE_URL: one.terminal, LANEWARE_RECOGNITION_URL: other.recognition }, 'device.two'],
    [{ LANEWARE_URL: one.recognition }, 'device.port'],
  ] as const) {
    const { command } = await faultAt(code, env);
    // a device that is not set up has faults of its own: 9, and none of the addresses
    const ended = await run('sh', ['-c', `${command} --json`], { cwd: ROOT, env: { ...process.env, ...env } }).catch(
      (error: { code: number; stdout: string }) => error,
    );
    assert.is('code' in ended && ended.code, EXIT_CODES.faults);
    assert.not.match(ended.stdout, /"device\./);
  }
});

test('each fault is listed, what stops the sale first, and a shared command once below them', async () => {
  const ill = { state: 'degraded', sales: 'sells-look-later', reasons: [] };
  await using lane = await stand(createHttp, () => false, [
    { ...ill, part: 'disk', reason: 'nearly full' },
    { ...ill, part: 'configuration', reason: 'an unknown key' },
    { ...ill, part: 'ledger', sales: 'does-not-sell', reason: 'damaged' },
    { ...ill, part: 'chain', reason: 'a password' },
  ]);
  const env = { ...leadingTo(`http://127.0.0.1:${lane.port}`), LANEWARE_DATADIR: '/made/up' };
  const faults = await faultsAt(env);
  assert.equal(pick(faults, 'code'), ['part.ledger', 'part.disk', 'part.configuration', 'part.chain']);
  const { stdout } = await lanectlHere(['doctor'], env);
  const [ledger, disk, configuration] = faults.map(({ command }) => command);
  assert.equal(stdout.split('\n'), [
    ...['✗ ledger: damaged', `    ${ledger}`],
    ...['! disk: nearly full', `    ${disk}`],
    ...['! configuration: an unknown key', '! chain: a password', `    ${configuration}`, ''],
  ]);
});

test('two silent ports are two faults with one command; one asked for the other is one fault', async () => {
  const [terminal, recognition] = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`);
  const both = await lanectlHere(['doctor', '--url', `${terminal}`, '--recognition-url', `${recognition}`]);
  const silent = (url = '') => `✗ ${new URL(url).host} does not answer: nothing is listening there`;
  assert.equal(both.stdout.split('\n'), [silent(terminal), silent(recognition), '    npm start', '']);
  const one = await lanectlHere(['doctor', '--url', `${terminal}`]);
  assert.equal(one.stdout.split('\n'), [silent(terminal), '    npm start', '']);
});

test('a clock that is wrong: the command puts it right', async () => {
  let offset = -3600;
  let body = '';
  await using lane = await stand(createHttp, (request, response) => {
    response.setHeader('date', new Date(Date.now() + offset * 1000).toUTCString());
    if (request.url === '/api/set_time' && request.method === 'POST') {
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
        offset = JSON.parse(body).sec - Math.round(Date.now() / 1000);
      });
    }
    return false;
  });
  const env = leadingTo(`http://127.0.0.1:${lane.port}`);
  const { command } = await faultAt('clock', env);
  await run('bash', ['-c', command], { cwd: ROOT, env: { ...process.env, ...env } });
  assert.equal(Object.keys(JSON.parse(body)), ['sec', 'usec']);
  assert.equal(await faultsAt(env), []);
});

test('a disk that is full, where a device does not answer whole: the command shows what fills it', async () => {
  const full = '/sys/class/tty'; // of a file system that never has room
  const env = { ...leadingTo(`http://127.0.0.1:${await freePort()}`), LANEWARE_DATADIR: full };
  const { what, command } = await faultAt('disk', env);
  assert.match(what, /^0 MB free for \/sys\/class\/tty:/);
  assert.match((await run('bash', ['-c', command])).stdout, full);
  const part = { part: 'disk', state: 'degraded', sales: 'sells-look-later', reason: 'full', reasons: [] };
  await using knowing = await stand(createHttp, () => false, [part]);
  const known = await faultsAt({ ...env, ...leadingTo(`http://127.0.0.1:${knowing.port}`) });
  const codes = known.map(({ code }) => code);
  assert.equal(codes, ['part.disk'], 'what the device says is not said again');
  const half = await faultsAt({ ...env, LANEWARE_URL: `http://127.0.0.1:${knowing.port}` });
  assert.equal(pick(half, 'code'), ['device.not-running', 'disk'], 'one port says nothing of parts');
});

test('a Node that is too old: the wrapper does not start it, and says what brings the right one', () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, 'scripts'));
  cpSync(join(ROOT, 'scripts/lanectl.sh'), join(folder.path, 'scripts/lanectl.sh'));
  writeFileSync(join(folder.path, 'node'), '#!/bin/sh\necho v20.9.0\n');
  chmodSync(join(folder.path, 'node'), 0o755);
  const ended = spawnSync('sh', [join(folder.path, 'scripts/lanectl.sh'), 'doctor'], {
    encoding: 'utf8',
    env: { PATH: `${folder.path}:/usr/bin:/bin` },
  });
  assert.is(ended.status, 1);
  assert.match(ended.stderr, `there is no Node 24 here (found: v20.9.0): run npm start once in ${folder.path}`);
});

/** Why no lane can be made of this machine for a moment; null where it can. */
function noLane(): string | null {
  if (process.getuid?.() !== 0) return 'it needs root';
  const { status } = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/etc/systemd/system']);
  return status === 0 ? null : 'no mount namespace can be made over /etc/systemd/system';
}
const onLane = needing(noLane(), 'the journal of a lane', test);

onLane('logs reads the service’s journal on a lane, and reports a journal that may not be read', () => {
  using folder = temporaryFolder();
  const journal = join(folder.path, 'journalctl');
  const inside = 'mount -t tmpfs none /etc/systemd/system && touch /etc/systemd/system/laneware.service && exec "$@"';
  const logs = (script: string, ...args: string[]) => {
    writeFileSync(journal, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const lanectl = [process.execPath, join(ROOT, 'firmware/lanectl/main.ts'), 'logs', ...args];
    const env = { PATH: `${folder.path}:${process.env.PATH}`, TZ: 'UTC' };
    const { status, stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', inside, 'sh', ...lanectl], {
      encoding: 'utf8',
      env,
    });
    return { status, stdout, stderr };
  };
  const line = '{"level":"error","time":"2026-11-21T10:00:00.000Z","msg":"the wire is cut","port":"/dev/made-up"}';
  assert.equal(logs(`echo '${line}'; echo "$@" >&2`, '-n', '7', '--follow'), {
    status: 0,
    stdout: '2026-11-21 10:00:00 error the wire is cut port=/dev/made-up\n',
    stderr: '-u laneware -o cat -n 7 -f\n',
  });
  const shut = logs('echo "No journal files were opened due to insufficient permissions." >&2; exit 1');
  assert.is(shut.status, EXIT_CODES.failed);
  assert.match(shut.stderr, /insufficient permissions[\s\S]*journalctl ended with 1/);
});

test.run();
