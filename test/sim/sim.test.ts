/** The simulated lane as the tests of a till use it: a process, its control, and the calls of a till. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readQr } from '../drivers/display/support.ts';
import { lanectlHere } from '../lanectl/lanectl.ts';
import { needing } from '../needing.ts';
import { freePort } from '../ports.ts';
import { Program } from '../process.ts';
import { ROOT } from '../root.ts';
import { SmallDisk, whyNoSmallDisk } from '../small-disk.ts';
import { atEnd, call, each, opening, temporaryFolder, until } from '../support.ts';
import { ask, ends, NO_MODEL, type Urls } from './lane.ts';

const test = suite('the simulated lane');
const it = each(test, opening(temporaryFolder));

const FREE_PORTS = ['--port', '0', '--recognition-port', '0', '--bank-port', '0', '--control-port', '0'];
/** A lane in a temporary folder of the system that is this test's alone. */
async function startSim(folder: string, ...args: string[]): Promise<{ program: Program; urls: Urls }> {
  const program = new Program(['firmware/tools/sim/main.ts', ...FREE_PORTS, ...args], {
    ...NO_MODEL,
    TMPDIR: folder,
  });
  const urls = await program.line<Urls>((line) => ('control' in line ? (line as unknown as Urls) : null));
  return { program, urls };
}

/** One lane for tests that leave it unchanged. */
let shared: { program: Program; urls: Urls };
const sharedFolder = temporaryFolder();
test.before(async () => {
  shared = await startSim(sharedFolder.path);
});
test.after(async () => {
  await shared.program.kill('SIGTERM');
  sharedFolder[Symbol.dispose]();
});

/** Minutes: longer than a sale takes, however fast the clock of the lane. */
const LONG_TTL = 129_600;
const decoded = async (url: string): Promise<string | null> =>
  readQr(Buffer.from(await (await fetch(url)).arrayBuffer()));

it('sells: the picture’s code is scanned and paid, and the folder goes with the lane', async (folder) => {
  const { program, urls } = await startSim(folder.path, '--speed', '60');
  await using _ = program;
  assert.is((await ask(urls, 12_300, { ttl: LONG_TTL })).status, 200);
  const { body: display } = await call(`${urls.control}/display`);
  assert.is(display.picture.kind, 'qr');
  assert.is(await decoded(`${urls.control}/display.png`), display.picture.payload);
  const paid = await call(`${urls.control}/payer/pay`, { method: 'POST' });
  assert.equal(
    { status: paid.status, amount: paid.body.amount, charges: paid.body.charges },
    { status: 200, amount: 12_300, charges: 1 },
  );
  await ends(urls, 'ACCEPTED');
  const { shown } = await until('the display is clear again', async () => {
    const { body } = await call(`${urls.control}/display`);
    return body.picture.kind === 'clear' ? body : null;
  });
  assert.equal(
    shown
      .map(({ picture }: { picture: { kind: string; status?: string } }) => picture.status ?? picture.kind)
      .slice(-3),
    ['qr', 'success', 'clear'],
  );
  assert.is((await program.kill('SIGTERM')).code, 0);
  assert.equal(readdirSync(folder.path), []);
});

const photo = (): Promise<Buffer> =>
  sharp({ create: { width: 640, height: 360, channels: 3, background: '#4a7' } })
    .jpeg()
    .toBuffer();

test('doctor says how a camera without a picture is sent one, and the command does it', async () => {
  const { urls } = shared;
  const env = { LANEWARE_URL: urls.terminal, LANEWARE_RECOGNITION_URL: urls.recognition };
  const cameraOf = async () => {
    const { stdout } = await lanectlHere(['doctor', '--json'], env);
    return JSON.parse(stdout).faults.find(({ code }: { code: string }) => code === 'part.camera');
  };
  const { what, command } = await cameraOf();
  assert.is(
    what,
    'camera: No pictures yet: a program sends them to this device. (PUT /camera/frame takes one, as a JPEG)',
  );
  using folder = temporaryFolder();
  const path = join(folder.path, 'photo.jpg');
  writeFileSync(path, await photo());
  const typed = ['-c', command.replace('PHOTO.jpg', path)];
  await promisify(execFile)('sh', typed, { cwd: ROOT, env: { ...process.env, ...env } });
  assert.is(await cameraOf(), undefined);
});

it('a script that has read the addresses may go: the lane works on without its log', async (folder) => {
  const child = spawn(process.execPath, ['firmware/tools/sim/main.ts', ...FREE_PORTS], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...NO_MODEL, LANEWARE_LOG_LEVEL: 'trace', TMPDIR: folder.path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'exit');
  using _end = atEnd(() => child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const line = await until('the lane', () => said.split('\n').find((each) => each.includes('"control":')));
  const urls: Urls = JSON.parse(line);
  child.stdout.destroy();
  child.stderr.destroy();
  for (let amount = 13_300; amount < 13_305; amount++) assert.is((await ask(urls, amount)).status, 200);
  child.kill('SIGTERM');
  assert.is((await closed)[0], 0);
});

it('the container asks for its health as the lane answers', async () => {
  const [, command = '[]'] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? [];
  const [, , script = '']: string[] = JSON.parse(command);
  const codeAt = async (address: string): Promise<number | null> => {
    const asked = spawn(process.execPath, ['-e', script.replace('http://127.0.0.1:1290', address)], {
      stdio: 'ignore',
    });
    const [code] = await once(asked, 'exit');
    return code;
  };
  assert.is(await codeAt(shared.urls.control), 0);
  assert.is(await codeAt(`${shared.urls.control}/nowhere`), 1);
  assert.is(await codeAt(`http://127.0.0.1:${await freePort()}`), 1);
});

it('a kept folder keeps the payments and what the till has set up', async (folder) => {
  const data = `${folder.path}/lane`;
  const first = await startSim(folder.path, '--data', data);
  await ask(first.urls, 13_000);
  await call(`${first.urls.control}/payer/pay`, { method: 'POST' });
  await ends(first.urls, 'ACCEPTED');
  const settings = { bankProfile: 'other', bankProfiles: { other: { bankName: 'Sandbox' } } };
  const deviceConnection = { connectionType: 'BLE', deviceAddress: 'AA:BB:CC:DD:EE:FF' };
  await call(`${first.urls.terminal}/updateDriverSettings`, { json: { settings: { ...settings, deviceConnection } } });
  await first.program.kill('SIGKILL');
  const { program, urls } = await startSim(folder.path, '--data', data);
  await using _ = program;
  const { body } = await call(`${urls.terminal}/getDriverSettings`);
  assert.is(body.settings.bankProfile, 'other');
  assert.is((await call(`${urls.terminal}/v1/payments?amount=13000`)).body.payments[0].state, 'ACCEPTED');
  assert.is((await ask(urls, 13_100)).status, 200, 'a display of any kind is the simulated one');
  assert.ok(existsSync(data));
});

it('a lane that is killed goes on in its own time, moved on or faster', async (folder) => {
  const data = `${folder.path}/lane`;
  const nowOf = async ({ control }: Urls): Promise<number> => Date.parse((await call(`${control}/clock`)).body.now);
  let latest = Date.now();
  for (const speed of ['1', '1000', '1']) {
    const { program, urls } = await startSim(folder.path, '--data', data, '--speed', speed);
    await using _ = program;
    const began = await nowOf(urls);
    assert.ok(
      began >= latest,
      `${speed}: ${new Date(began).toISOString()} is before ${new Date(latest).toISOString()}`,
    );
    await ask(urls, 13_200, { ttl: LONG_TTL });
    await call(`${urls.control}/payer/pay`, { method: 'POST' });
    await ends(urls, 'ACCEPTED');
    const { createdAt, paidAt } = (await call(`${urls.terminal}/v1/payments?limit=1`)).body.payments[0];
    assert.ok(paidAt >= createdAt, `${speed}: asked for at ${createdAt}, paid at ${paidAt}`);
    await call(`${urls.control}/clock/advance`, { json: { seconds: 86_400 } });
    latest = await nowOf(urls);
    const { day } = (await call(`${urls.terminal}/v1/reports/day`)).body;
    assert.is.not(day, new Date().toISOString().slice(0, 10));
    await program.kill('SIGKILL');
  }
  const { program, urls } = await startSim(folder.path, '--data', data);
  const ahead = (await nowOf(urls)) - Date.now();
  assert.is((await program.kill('SIGTERM')).code, 0);
  const again = await startSim(folder.path, '--data', data);
  await using _ = again.program;
  assert.ok(Math.abs((await nowOf(again.urls)) - Date.now() - ahead) < 1000, 'an orderly end adds nothing');
});

it('ends with npx, which ends only the shell between them', async (folder) => {
  const npx = new Program(
    ['-c', `node firmware/tools/sim/main.ts ${FREE_PORTS.join(' ')}; :`],
    { ...NO_MODEL, TMPDIR: folder.path, PATH: process.env.PATH ?? '', npm_lifecycle_event: 'npx' },
    { node: 'sh' },
  );
  const urls = await npx.line<Urls>((line) => ('control' in line ? (line as unknown as Urls) : null));
  npx.child.kill('SIGTERM');
  await until('nothing answers', () =>
    fetch(urls.control).then(
      () => false,
      () => true,
    ),
  );
  await until('its folder is gone', () => readdirSync(folder.path).length === 0);
});

it('what keeps it from starting is said, and its folder does not stay', async (folder) => {
  const { port } = new URL(shared.urls.control);
  for (const [args, code, words] of [
    [['--help'], 0, /^usage: [\s\S]*--control-port/],
    [['--speed', '0', '--json'], 2, /^\{"error":\{"exit":"usage"[^\n]*\n--speed must/],
    [['--data', '/proc/laneware/made-up'], 1, /^\/proc\/laneware\/made-up cannot be made: ENOENT: [^\n]*\n$/],
    [[...FREE_PORTS, '--host', 'lane.invalid'], 2, /--host names no address of this machine: getaddrinfo/],
    [[...FREE_PORTS, '--control-port', port], 1, /EADDRINUSE.*choose another port with --port, .*--control-port/],
  ] as const) {
    const program = new Program(['firmware/tools/sim/main.ts', ...args], { TMPDIR: folder.path });
    assert.is((await program.exited).code, code, args.join(' '));
    assert.match(program.output + program.errors, words);
  }
  assert.equal(readdirSync(folder.path), []);
});

it('lanectl sim ends on Ctrl-C, and leaves neither a process nor a file behind', async (folder) => {
  // its own process group is what Ctrl-C goes to, as that of a shell's foreground
  const child = spawn(join(ROOT, 'scripts/lanectl.sh'), ['sim', ...FREE_PORTS], {
    detached: true,
    env: { PATH: process.env.PATH, ...NO_MODEL, TMPDIR: folder.path },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const group = -(child.pid ?? Number.NaN);
  const closed = once(child, 'close');
  using _end = atEnd(() => child.exitCode === null && process.kill(group, 'SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await until('the lane', () => said.includes('"control":'));
  assert.is.not(readdirSync(folder.path).length, 0);
  process.kill(group, 'SIGINT');
  assert.is((await closed)[0], 0);
  assert.equal(readdirSync(folder.path), []);
  assert.throws(() => process.kill(group, 0), /ESRCH/);
});

const onSmallDisk = needing(whyNoSmallDisk(), 'the simulated lane on a full disk', test);

onSmallDisk('a full disk ends no lane: its clock goes on, and is kept where there is room again', async () => {
  using folder = temporaryFolder();
  using disk = new SmallDisk(16);
  const data = join(disk.path, 'lane');
  const { program, urls } = await startSim(folder.path, '--data', data, '--speed', '20');
  await using _ = program;
  const kept = (): number => Number(readFileSync(join(data, 'simulated-time'), 'utf8'));
  disk.fill();
  const before = kept();
  const leap = await call(`${urls.control}/clock/advance`, { json: { seconds: 3600 } });
  assert.is(leap.status, 200, leap.text);
  assert.is(kept(), before);
  disk.empty();
  await until('it is kept', () => kept() > before + 3_600_000);
  assert.is(program.child.exitCode, null);
});

test.run();
