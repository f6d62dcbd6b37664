/**
 * Connects to a master's server: TLS with the one pinned certificate, then the device's own credential. Reads a
 * server's certificate for pairing.
 */
import { connect as tcpConnect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { NatsConnection } from '@nats-io/transport-node';
import { SyncError } from '../errors.ts';
import { syncFailure } from '../sync-failure.ts';

/** The server name in each master's certificate: clients recognise a master by its certificate, at any address. */
export const MASTER_NAME = 'laneware-master';

const CONNECT_LIMIT_MS = 10_000;
/** Interval of pings: a broken connection is noticed after `MAX_PINGS_OUT` of them. */
const PING_MS = 10_000;
const MAX_PINGS_OUT = 2;
const MAX_GREETING_BYTES = 64 * 1024;

export interface Address {
  readonly host: string;
  readonly port: number;
}

type Credential =
  | { readonly kind: 'key'; readonly seed: string }
  | { readonly kind: 'password'; readonly user: string; readonly password: string };

export interface ConnectRequest {
  readonly address: Address;
  /** The pinned certificate, PEM: no other one is accepted. */
  readonly certificate: string;
  readonly credential: Credential;
  readonly inboxPrefix: string;
}

/**
 * Reads the certificate of the server at an address, without checking it: pairing compares its fingerprint before it
 * sends anything. The server sends its first line unencrypted, and then waits for TLS (NATS client protocol).
 * @returns PEM
 * @throws {SyncError} `unreachable`, `timeout`
 */
export function shownCertificate({ host, port }: Address, limitMs = CONNECT_LIMIT_MS): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = tcpConnect({ host, port });
  const fail = (error: Error): void => {
    socket.destroy();
    reject(syncFailure(error));
  };
  let greeting = '';
  const readGreeting = (chunk: Buffer): void => {
    greeting += chunk.toString('latin1');
    if (greeting.length > MAX_GREETING_BYTES || !'INFO '.startsWith(greeting.slice(0, 'INFO '.length))) {
      fail(new SyncError('unreachable', `what answers at ${host}:${port} is no master`));
      return;
    }
    if (!greeting.includes('\r\n')) return;
    socket.off('data', readGreeting);
    const tls = tlsConnect({ socket, servername: MASTER_NAME, rejectUnauthorized: false }, () => {
      const certificate = tls.getPeerX509Certificate()?.toString();
      tls.destroy();
      if (certificate === undefined) fail(new SyncError('unreachable', 'the master shows no certificate'));
      else resolve(certificate);
    });
    tls.once('error', fail);
  };
  socket.on('data', readGreeting);
  socket.once('error', fail);
  socket.once('close', () => fail(new SyncError('unreachable', `${host}:${port} ended the connection`)));
  // a limit of the whole exchange: an idle limit would never end a server that sends a byte now and then
  const limit = setTimeout(() => fail(new SyncError('timeout', `${host}:${port} does not answer`)), limitMs);
  return promise.finally(() => clearTimeout(limit));
}

/** @throws {SyncError} as `syncFailure` converts it: mostly `unreachable`, `timeout`, `unauthorised`, `wrong-certificate` */
export async function connectTo(request: ConnectRequest): Promise<NatsConnection> {
  const { address, certificate, credential, inboxPrefix } = request;
  const { connect, nkeyAuthenticator, usernamePasswordAuthenticator } = await import('../../../drivers/lib/nats.ts');
  const tls = { ca: certificate, servername: MASTER_NAME };
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  try {
    return await connect({
      servers: `${host}:${address.port}`,
      tls,
      inboxPrefix,
      authenticator:
        credential.kind === 'key'
          ? nkeyAuthenticator(Buffer.from(credential.seed))
          : usernamePasswordAuthenticator(credential.user, credential.password),
      timeout: CONNECT_LIMIT_MS,
      // the caller connects again: no request of an earlier connection may be sent later
      reconnect: false,
      ignoreClusterUpdates: true,
      // recording a stack for each of thousands of requests costs more than the requests
      noAsyncTraces: true,
      pingInterval: PING_MS,
      maxPingOut: MAX_PINGS_OUT,
    });
  } catch (error) {
    throw syncFailure(error);
  }
}
