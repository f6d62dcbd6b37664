/**
 * Connects to a master's server: TLS with the one pinned certificate, then the device's own credential. Reads a
 * server's certificate for pairing, and converts the errors of a connection.
 */
import { connect as dial } from 'node:net';
import { connect as secure } from 'node:tls';
import type { NatsConnection } from '@nats-io/transport-node';
import { codeOf, messageOf } from '../../../drivers/lib/errors.ts';
import { RecognitionError } from '../../recognition/index.ts';
import { notReady, SyncError } from '../errors.ts';

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

const CERTIFICATE_FAILURES = /self-signed|self signed|unable to verify|altname|certificate|unable to get/i;

/** Errors that JavaScript throws where the program has a fault; network, master and storage throw others. */
const OWN: readonly string[] = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'];

/** Converts an error of the NATS client or of this device's storage to a SyncError; returns a SyncError as it is. */
export function syncFailure(error: unknown): SyncError {
  if (error instanceof SyncError) return error;
  if (error instanceof RecognitionError) return new SyncError('storage', error.message, { cause: error });
  const name = error instanceof Error ? error.name : '';
  const message = messageOf(error);
  const cause = { cause: error };
  if (name === 'AuthorizationError' || name === 'UserAuthenticationExpiredError')
    return new SyncError(
      'unauthorised',
      'the master does not accept the credential of this device: it was taken out of the store, or the master has lost its list of devices; pair it anew',
      cause,
    );
  if (name === 'JetStreamApiError') return new SyncError('refused', `the centre refuses: ${message}`, cause);
  if (name === 'PermissionViolationError')
    return new SyncError(
      'refused',
      `the credential of this device does not open this: pair it anew (${message})`,
      cause,
    );
  // `NoResponders` is the `name` of the library's NoRespondersError
  if (name === 'NoResponders' || name === 'JetStreamNotEnabled') return notReady(cause);
  if (error instanceof Error && error.cause instanceof Error) return syncFailure(error.cause);
  if (name === 'TimeoutError') return new SyncError('timeout', 'the master took too long to answer', cause);
  if (CERTIFICATE_FAILURES.test(message))
    return new SyncError(
      'wrong-certificate',
      `what answers there is not the master that this device was paired with (${message}): pair it anew with a code of that master, or correct the address`,
      cause,
    );
  if (OWN.includes(name) && codeOf(error) === null)
    return new SyncError('program', `an error of the program: ${message}`, cause);
  return new SyncError('unreachable', `the master cannot be reached: ${message}`, cause);
}

/**
 * Reads the certificate of the server at an address, without checking it: pairing compares its fingerprint before it
 * sends anything. The server sends its first line unencrypted, and then waits for TLS (NATS client protocol).
 * @returns PEM
 * @throws {SyncError} `unreachable`, `timeout`
 */
export function shownCertificate({ host, port }: Address, limitMs = CONNECT_LIMIT_MS): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = dial({ host, port });
    const fail = (error: Error): void => {
      clearTimeout(limit);
      socket.destroy();
      reject(syncFailure(error));
    };
    // a limit of the whole exchange: an idle limit would never end a server that sends a byte now and then
    const tooLate = (): void => fail(new SyncError('timeout', `${host}:${port} does not answer`));
    const limit = setTimeout(tooLate, limitMs);
    socket.once('error', fail);
    let greeting = '';
    const listen = (chunk: Buffer): void => {
      greeting += chunk.toString('latin1');
      if (greeting.length > MAX_GREETING_BYTES || !'INFO '.startsWith(greeting.slice(0, 'INFO '.length))) {
        fail(new SyncError('unreachable', `what answers at ${host}:${port} is no master`));
        return;
      }
      if (!greeting.includes('\r\n')) return;
      socket.off('data', listen);
      const tls = secure({ socket, servername: MASTER_NAME, rejectUnauthorized: false }, () => {
        const certificate = tls.getPeerX509Certificate()?.toString();
        clearTimeout(limit);
        tls.destroy();
        if (certificate === undefined) fail(new SyncError('unreachable', 'the master shows no certificate'));
        else resolve(certificate);
      });
      tls.once('error', fail);
    };
    socket.on('data', listen);
    socket.once('close', () => fail(new SyncError('unreachable', `${host}:${port} ended the connection`)));
  });
}

/** @throws {SyncError} `unreachable`, `timeout`, `unauthorised`, `wrong-certificate` */
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
