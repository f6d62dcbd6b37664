/** A caller that reads or sends a backup too slowly, or hangs up, holds the place of the next one for a while and not for ever. */
import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pause } from '../../drivers/lib/async.ts';
import { Backups } from '../../firmware/backup/backups.ts';
import type { Mark } from '../../firmware/backup/swap.ts';
import { addBackupRoutes, type BackupLimits } from '../../firmware/console/api/backup-routes.ts';
import { openSealer } from '../../firmware/store/sealer.ts';
import { openServer } from '../http/servers.ts';
import { call, temporaryFolder, until } from '../support.ts';

const test = suite('slow callers of backups');

const PASSPHRASE = 'seven lamps over the counter';
/** More than the system takes off our hands for somebody who does not read. */
const DOCUMENT_BYTES = 48 * 1024 * 1024;

/** Its checks last until a test has them end. */
class HeldBackups extends Backups {
  readonly held = Promise.withResolvers<void>();

  override async prepare(...given: Parameters<Backups['prepare']>): Promise<Mark> {
    const mark = await super.prepare(...given);
    await this.held.promise;
    return mark;
  }
}

async function startRig(limits: BackupLimits, { bytes = DOCUMENT_BYTES, isHeld = false } = {}) {
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, 'empty-tray.bin'), randomBytes(bytes));
  const app = await openServer('recognition', {});
  const sealer = openSealer(join(folder.path, 'secret.key'), undefined);
  let restarts = 0;
  const backups = new HeldBackups({
    ...{ folder: folder.path, sealer, version: '0.1.0', device: 'TEST', wall: () => Date.now() },
    restart: () => {
      restarts += 1;
    },
  });
  if (!isHeld) backups.held.resolve();
  await addBackupRoutes(app, backups, limits);
  const gone = new Set<number | undefined>();
  app.server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    socket.once('close', () => gone.add(remotePort));
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  return {
    make: () =>
      fetch(`${url}/console/api/backups`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ passphrase: PASSPHRASE }),
      }),
    /** Sends a request by hand, and reads nothing of the answer. */
    send: (head: readonly string[], body: string): Socket => {
      const socket = connect(Number(port), hostname).pause();
      socket.on('error', () => undefined);
      sockets.push(socket);
      socket.write([`${head[0]} HTTP/1.1`, `host: ${hostname}:${port}`, ...head.slice(1), '', body].join('\r\n'));
      return socket;
    },
    lastMade: () => backups.lastMade,
    isReady: () => backups.isReady,
    restarts: () => restarts,
    endChecks: () => backups.held.resolve(),
    /** Hangs up, and waits until the device knows. */
    hangUp: async (socket: Socket): Promise<void> => {
      const { localPort } = socket;
      socket.destroy();
      await until('the device knows that the caller has gone', () => gone.has(localPort));
    },
    ready: (method: string) => call(`${url}/console/api/backups/ready`, { method }),
    copies: () => readdirSync(folder.path).filter((name) => /^(restore-|\.backup-)/.test(name)),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await app.close();
      folder[Symbol.dispose]();
    },
  };
}

const asked = (): readonly [readonly string[], string] => {
  const body = JSON.stringify({ passphrase: PASSPHRASE });
  return [['POST /console/api/backups', 'content-type: application/json', `content-length: ${body.length}`], body];
};

const BEFORE_FILE = `--b\r\ncontent-disposition: form-data; name="passphrase"\r\n\r\n${PASSPHRASE}\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n`;
const AFTER_FILE = '\r\n--b--\r\n';

const headOf = (bytes: number): readonly string[] => [
  'POST /console/api/backups/restore',
  'content-type: multipart/form-data; boundary=b',
  `content-length: ${bytes}`,
];

type Rig = Awaited<ReturnType<typeof startRig>>;

async function madeBy(rig: Rig): Promise<Buffer> {
  const file = Buffer.from(await (await rig.make()).arrayBuffer());
  await until('the copies are gone', () => rig.copies().length === 0);
  return file;
}

/** A whole backup, sent by hand. */
function sendWhole(rig: Rig, file: Buffer): Socket {
  const socket = rig.send(headOf(BEFORE_FILE.length + file.length + AFTER_FILE.length), BEFORE_FILE);
  socket.write(file);
  socket.write(AFTER_FILE);
  return socket;
}

test('the connection of a caller that reads nothing is cut, the copies go, and the next backup is made', async () => {
  await using rig = await startRig({ download: { sampleMs: 100, samples: 5, leastBytes: 1024 } });
  rig.send(...asked());
  await until('the copies are made', () => rig.copies().length > 0);
  assert.is.not((await rig.make()).status, 200);
  await until('they are gone', () => rig.copies().length === 0);
  assert.is(rig.lastMade(), null, 'no caller has it');
  const next = await rig.make();
  assert.is(next.status, 200);
  assert.ok((await next.arrayBuffer()).byteLength > DOCUMENT_BYTES);
  await until('it is known', () => rig.lastMade() !== null);
});

test('nor does it help to read a little now and then', async () => {
  await using rig = await startRig({ download: { sampleMs: 100, samples: 5, leastBytes: 1024 * 1024 } });
  const socket = rig.send(...asked());
  await until('the copies are made', () => rig.copies().length > 0);
  const drip = setInterval(() => socket.read(1000), 50);
  await until('they are gone', () => rig.copies().length === 0);
  clearInterval(drip);
  assert.is((await rig.make()).status, 200);
});

test('a caller that reads on, for any time, gets all of it', async () => {
  await using rig = await startRig({ download: { sampleMs: 20, samples: 5, leastBytes: 1 } });
  const { body, status } = await rig.make();
  assert.is(status, 200);
  let bytes = 0;
  if (body !== null)
    for await (const piece of body) {
      bytes += piece.length;
      if (bytes % 7 === 0) await pause(1);
    }
  assert.ok(bytes > DOCUMENT_BYTES);
});

test('a backup that stops coming in gives its place free, too', async () => {
  await using rig = await startRig({ upload: { sampleMs: 100, samples: 5, leastBytes: 1, fairBytes: 0 } });
  const file = Buffer.from(await (await rig.make()).arrayBuffer());
  await until('the copies are gone', () => rig.copies().length === 0);
  const socket = rig.send(headOf(file.length), BEFORE_FILE);
  socket.write(file.subarray(0, 200_000));
  await until('it is being unpacked', () => rig.copies().length > 0);
  await until('the next', async () => {
    const next = await rig.make();
    await next.arrayBuffer();
    return next.status === 200;
  });
  await until('nothing is left', () => rig.copies().length === 0);
});

for (const [where, share] of [
  ['with the first bytes of its file', 0.0001],
  ['in the middle of its file', 0.5],
  ['after its file, before the end of the form', 1],
] as const)
  test(`a caller that hangs up ${where} leaves nothing, and the next backup is made`, async () => {
    await using rig = await startRig({}, { bytes: 1024 * 1024 });
    const file = await madeBy(rig);
    const socket = rig.send(headOf(BEFORE_FILE.length + file.length + AFTER_FILE.length), BEFORE_FILE);
    socket.write(file.subarray(0, Math.round(file.length * share)));
    await until('it is being unpacked', () => rig.copies().length > 0);
    await rig.hangUp(socket);
    await until('nothing is left', () => rig.copies().length === 0);
    assert.is((await rig.make()).status, 200);
    assert.equal([rig.isReady(), rig.restarts()], [false, 0]);
  });

test('a caller that hangs up while its whole backup is checked has asked for it: the device restarts', async () => {
  await using rig = await startRig({}, { bytes: 1024, isHeld: true });
  const socket = sendWhole(rig, await madeBy(rig));
  await until('it is ready', () => rig.isReady());
  await rig.hangUp(socket);
  assert.is(rig.restarts(), 0);
  rig.endChecks();
  await until('the device restarts', () => rig.restarts() === 1);
});

test('a caller that waits for the answer has the device restart once', async () => {
  await using rig = await startRig({}, { bytes: 1024 });
  const socket = sendWhole(rig, await madeBy(rig)).resume();
  await until('the device restarts', () => rig.restarts() > 0);
  await rig.hangUp(socket);
  assert.is(rig.restarts(), 1);
});

test('checks that last longer than an upload may pause are no slow upload', async () => {
  await using rig = await startRig(
    { upload: { sampleMs: 10, samples: 5, leastBytes: 1, fairBytes: 0 } },
    { bytes: 1024, isHeld: true },
  );
  const socket = sendWhole(rig, await madeBy(rig)).resume();
  const answered: Buffer[] = [];
  socket.on('data', (piece) => answered.push(piece));
  await until('it is ready', () => rig.isReady());
  await pause(200);
  rig.endChecks();
  await until('an answer', () => answered.length > 0);
  assert.match(String(answered[0]), /^HTTP\/1\.1 200 /);
});

test('a backup that is ready is begun with, or given up, by hand', async () => {
  await using rig = await startRig({}, { bytes: 1024 });
  const file = await madeBy(rig);
  assert.is((await rig.ready('POST')).status, 404);
  assert.is((await rig.ready('DELETE')).status, 404);
  sendWhole(rig, file).resume();
  await until('the device restarts', () => rig.restarts() === 1);
  assert.ok(rig.isReady());
  const begun = await rig.ready('POST');
  assert.equal([begun.status, begun.body], [200, { restarts: true }]);
  await until('it restarts again', () => rig.restarts() === 2);
  const gone = await rig.ready('DELETE');
  assert.equal([gone.status, gone.body.ready], [200, false]);
  assert.equal(rig.copies(), []);
  sendWhole(rig, file).resume();
  await until('the next is taken', () => rig.restarts() === 3);
});

test('the end of one backup, reported twice, is not that of the next', async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'settings.json'), '{}');
  const sealer = openSealer(join(folder.path, 'secret.key'), undefined);
  const backups = new Backups({
    ...{ folder: folder.path, sealer, version: '0.1.0', device: 'TEST', wall: () => Date.now(), restart: null },
  });
  const one = await backups.make(PASSPHRASE);
  one[Symbol.dispose]();
  using _ = await backups.make(PASSPHRASE);
  one[Symbol.dispose]();
  const failed = await backups.make(PASSPHRASE).then(
    () => null,
    (error: unknown) => error,
  );
  assert.match(String(failed), 'wait for its end');
});

test.run();
