/**
 * A bare NATS key-value loop, as the measure of synchronisation: one client puts entries into a bucket, another reads
 * each.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kvm } from '@nats-io/kv';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { makeCertificate } from '../../firmware/core/tls/certificate.ts';
import { connectTo, MASTER_NAME } from '../../firmware/sync/centre/connect.ts';
import { NatsServer } from '../../firmware/sync/centre/server.ts';
import { serverConfig } from '../../firmware/sync/centre/server-config.ts';
import { makeKey } from '../../firmware/sync/pairing.ts';
import { freePort } from '../../test/ports.ts';
import { temporaryFolder, until } from '../../test/support.ts';

const PROGRAM = 'nats-server';
const HOST = '127.0.0.1';
const STORAGE_MB = 4096;

interface Load {
  readonly entries: number;
  readonly bytes: number;
  /** Number of requests under way together. */
  readonly atOnce: number;
}

export interface BareServer extends AsyncDisposable {
  readonly pid: number;
  readonly join: () => Promise<NatsConnection>;
}

/** The server program with its defaults: no TLS, no users. */
export async function plainServer(): Promise<BareServer> {
  const folder = temporaryFolder();
  const port = await freePort();
  const server = spawn(PROGRAM, ['-a', HOST, '-p', String(port), '-js', '-sd', folder.path], { stdio: 'ignore' });
  const over = once(server, 'close');
  return {
    pid: server.pid ?? 0,
    join: () => connect({ servers: `${HOST}:${port}`, reconnect: false }),
    [Symbol.asyncDispose]: async () => {
      server.kill('SIGTERM');
      await over;
      folder[Symbol.dispose]();
    },
  };
}

/** The server with a master's configuration, certificate and users. */
export async function ourServer(): Promise<BareServer> {
  const folder = temporaryFolder();
  const log = { info: (): void => undefined, warn: (): void => undefined };
  const server = new NatsServer(PROGRAM, folder.path, true, log);
  const { certificate, key } = makeCertificate([MASTER_NAME]);
  writeFileSync(join(folder.path, 'certificate.pem'), certificate);
  writeFileSync(join(folder.path, 'key.pem'), key);
  const own = await makeKey();
  const port = await freePort();
  const settings = {
    serial: 'BENCH',
    host: HOST,
    port,
    folder: folder.path,
    storageMb: STORAGE_MB,
    masterKey: own.key,
    devices: [],
    pairingSecret: null,
  };
  await server.configure(serverConfig(settings));
  server.start(port);
  return {
    pid: await until('the server', () => server.pid),
    join: () =>
      connectTo({
        address: { host: HOST, port },
        certificate,
        inboxPrefix: '_INBOX',
        credential: { kind: 'key', seed: own.seed },
      }),
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      folder[Symbol.dispose]();
    },
  };
}

/** @returns seconds for putting all entries and for reading all */
export async function bareLoop({ join }: BareServer, { entries, bytes, atOnce }: Load) {
  const writer = await until('the server', () => join().catch(() => null));
  const reader = await join();
  const [from, to] = [await new Kvm(writer).create('bare'), await new Kvm(reader).open('bare')];
  const value = randomBytes(bytes);
  const all = async (work: (key: string) => Promise<unknown>): Promise<number> => {
    const began = performance.now();
    for (let at = 0; at < entries; at += atOnce) {
      const count = Math.min(atOnce, entries - at);
      await Promise.all(Array.from({ length: count }, (_, index) => work(`k${at + index}`)));
    }
    return (performance.now() - began) / 1000;
  };
  const put = await all((key) => from.put(key, value));
  const get = await all((key) => to.get(key));
  await Promise.all([writer.close(), reader.close()]);
  return { put, get };
}
