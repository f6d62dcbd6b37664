/** A master's server without its master: the test is at work in its place, or is not. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOf, makeCertificate } from '../../firmware/core/tls/certificate.ts';
import { connectTo, MASTER_NAME } from '../../firmware/sync/centre/connect.ts';
import { NatsServer, type OpenServer } from '../../firmware/sync/centre/server.ts';
import { serverConfig } from '../../firmware/sync/centre/server-config.ts';
import { makeKey } from '../../firmware/sync/pairing.ts';
import { makeSecret, shortFingerprint } from '../../firmware/sync/pairing-code.ts';
import { freePort } from '../ports.ts';
import { temporaryFolder, until } from '../support.ts';
import { MadeUpServer } from './message-server.ts';

export const madeUpServer: OpenServer = (_program, folder) => new MadeUpServer(folder);
/** Of a master whose server is made up. */
export const WITHOUT_SERVER = Object.freeze({ tuning: { sync: { openServer: madeUpServer } } });
export const realServer: OpenServer = (...settings) => new NatsServer(...settings);

/** @param path of its folder; a temporary one when absent */
export async function abandonedServer(open: OpenServer, path?: string) {
  const temporary = path === undefined ? temporaryFolder() : null;
  const folder = { path: path ?? temporary?.path ?? '' };
  const log = { info: (): void => undefined, warn: (): void => undefined };
  const server = open('nats-server', folder.path, false, log);
  const { certificate, key } = makeCertificate([MASTER_NAME]);
  writeFileSync(join(folder.path, 'certificate.pem'), certificate);
  writeFileSync(join(folder.path, 'key.pem'), key);
  const own = await makeKey();
  const address = { host: '127.0.0.1', port: await freePort() };
  const code = { secret: makeSecret(), fingerprint: shortFingerprint(fingerprintOf(certificate)) };
  const configuration = (secret = code.secret): string =>
    serverConfig({
      ...{ serial: 'M', ...address, folder: folder.path, storageMb: 16, masterKey: own.key },
      ...{ devices: [], pairingSecret: secret },
    });
  await server.configure(configuration());
  server.start(address.port);
  const credential = { kind: 'key', seed: own.seed } as const;
  const connection = await until('the server', () =>
    connectTo({ address, certificate, credential, inboxPrefix: '_INBOX' }).catch(() => null),
  );
  return {
    server,
    address,
    certificate,
    code,
    connection,
    configuration,
    folder: folder.path,
    get pid(): number {
      return server.pid ?? 0;
    },
    [Symbol.asyncDispose]: async () => {
      await connection.close();
      await server.stop();
      temporary?.[Symbol.dispose]();
    },
  };
}
