/** A device's backups alone, and callers whose requests are written by hand. */
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { openDatabase } from '../../../firmware/core/files/database.ts';
import { openSealer } from '../../../firmware/core/secrets/sealer.ts';
import { Backups } from '../../../firmware/features/backup/backups.ts';
import { addBackupRoutes, type BackupLimits } from '../../../firmware/features/backup/routes.ts';
import type { Mark } from '../../../firmware/features/backup/swap.ts';
import { featureDatabases } from '../../../firmware/features.ts';
import { TEMPLATE_MIGRATIONS } from '../../../firmware/recognition/templates/templates-database.ts';
import { openServer } from '../../http/servers.ts';
import { call, temporaryFolder, until } from '../../support.ts';

export const PASSPHRASE = 'seven lamps over the counter';
/** More than the system takes off our hands for somebody who does not read. */
export const DATABASE_BYTES = 48 * 1024 * 1024;

/** Its checks last until a test has them end. */
class HeldBackups extends Backups {
  readonly held = Promise.withResolvers<void>();

  override async prepare(...given: Parameters<Backups['prepare']>): Promise<Mark> {
    const mark = await super.prepare(...given);
    await this.held.promise;
    return mark;
  }
}

export async function startRig(
  limits: BackupLimits,
  { bytes = DATABASE_BYTES, isHeld = false, onAnswer = async (): Promise<void> => undefined } = {},
) {
  const folder = temporaryFolder();
  const { db } = openDatabase(join(folder.path, 'templates.db'), TEMPLATE_MIGRATIONS, Date.now());
  db.prepare('INSERT INTO confirmations (item, model, vector) VALUES (?, ?, ?)').run('A', 'B', randomBytes(bytes));
  db.close();
  const app = await openServer('recognition', {});
  const sealer = openSealer(join(folder.path, 'secret.key'), undefined);
  app.addHook('onSend', onAnswer);
  let restarts = 0;
  const backups = new HeldBackups(
    { folder: folder.path, sealer, version: '0.1.0', databases: featureDatabases },
    'TEST',
    () => Date.now(),
    () => restarts++,
    async () => undefined,
  );
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

export const BEFORE_FILE = `--b\r\ncontent-disposition: form-data; name="passphrase"\r\n\r\n${PASSPHRASE}\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n`;
export const AFTER_FILE = '\r\n--b--\r\n';

export const headOf = (bytes: number): readonly string[] => [
  'POST /console/api/backups/restore',
  'content-type: multipart/form-data; boundary=b',
  `content-length: ${bytes}`,
];

type Rig = Awaited<ReturnType<typeof startRig>>;

export async function madeBy(rig: Rig): Promise<Buffer> {
  const file = Buffer.from(await (await rig.make()).arrayBuffer());
  await until('the copies are gone', () => rig.copies().length === 0);
  return file;
}

/** A whole backup, sent by hand. */
export function sendWhole(rig: Rig, file: Buffer): Socket {
  const socket = rig.send(headOf(BEFORE_FILE.length + file.length + AFTER_FILE.length), BEFORE_FILE);
  socket.write(file);
  socket.write(AFTER_FILE);
  return socket;
}
