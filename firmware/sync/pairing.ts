/**
 * Pairs a slave. It checks the server's certificate against the pairing code; only then it logs in with the code's secret as the
 * password, and sends its serial number and the public half of a new key.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import Type, { type Static } from 'typebox';
import { fingerprintOf } from '../core/tls/index.ts';
import { parse } from './centre/centre.ts';
import { type Address, connectTo, shownCertificate } from './centre/connect.ts';
import { PAIR_INBOX, PAIR_SUBJECT, PAIR_USER } from './centre/subjects.ts';
import { notReady, SyncError, type SyncErrorCode } from './errors.ts';
import { type PairingCode, shortFingerprint } from './pairing-code.ts';
import type { PairedDevice } from './pairing-service.ts';
import type { Pairing } from './settings.ts';
import { syncFailure } from './sync-failure.ts';

/** A master on a slow card needs seconds to write two files and reload its server. A device that closes waits up to this long. */
const PAIR_LIMIT_MS = 10_000;
/** Interval of repeated requests: a master that reconnects to its server loses the request or its answer. */
const ASK_AGAIN_MS = 2000;
const ENTER_TRIES = 3;
const ENTER_AGAIN_MS = 200;
/** Errors of a server that reloads its configuration. */
const PASSING: ReadonlySet<SyncErrorCode> = new Set(['unauthorised', 'unreachable']);
/** Status of a message that reports that nobody subscribes to the subject (NATS ADR-4). */
const NO_RESPONDERS = 503;

const PairAnswer = Type.Object({
  /** Null when the device is paired. */
  refusal: Type.Union([Type.Null(), Type.String({ maxLength: 512 })]),
  masterSerial: Type.String({ minLength: 1, maxLength: 64 }),
});

/** Makes a key pair: the seed stays here, the public half (`key`) is sent to the master. */
export async function makeKey(): Promise<{ seed: string; key: string }> {
  const { nkeys } = await import('../../drivers/lib/nats.ts');
  const pair = nkeys.createUser();
  return { seed: Buffer.from(pair.getSeed()).toString('utf8'), key: pair.getPublicKey() };
}

/**
 * Asks until there is an answer, with the same bytes each time: a request that arrives twice pairs once.
 * @throws {SyncError} `timeout`, `not-ready` where the master does not listen, `unreachable`
 */
async function askToPair(connection: NatsConnection, request: string, againMs: number): Promise<Uint8Array> {
  const { createInbox } = await import('../../drivers/lib/nats.ts');
  const reply = createInbox(PAIR_INBOX);
  const answers = connection.subscribe(reply);
  const ask = (): void => {
    if (!connection.isClosed()) connection.publish(PAIR_SUBJECT, request, { reply });
  };
  const again = setInterval(ask, againMs);
  const limit = setTimeout(() => answers.unsubscribe(), PAIR_LIMIT_MS);
  let isAbandoned = false;
  try {
    ask();
    for await (const { headers, data } of answers) {
      isAbandoned = headers?.code === NO_RESPONDERS;
      if (!isAbandoned) return data;
    }
  } finally {
    clearInterval(again);
    clearTimeout(limit);
  }
  if (connection.isClosed()) throw (await connection.closed()) ?? new SyncError('unreachable', 'the master hung up');
  throw isAbandoned ? notReady() : new SyncError('timeout', 'the master took too long to answer');
}

interface Entered {
  readonly certificate: string;
  readonly connection: NatsConnection;
}

/** Checks the certificate and connects with the code's secret. @throws {SyncError} */
async function enterOnce(address: Address, code: PairingCode): Promise<Entered> {
  const certificate = await shownCertificate(address);
  if (shortFingerprint(fingerprintOf(certificate)) !== code.fingerprint)
    throw new SyncError(
      'wrong-certificate',
      `what answers at ${address.host}:${address.port} is not the master that showed this pairing code`,
    );
  const credential = { kind: 'password', user: PAIR_USER, password: code.secret } as const;
  return { certificate, connection: await connectTo({ address, certificate, credential, inboxPrefix: PAIR_INBOX }) };
}

/**
 * Tries several times: a server that reloads its configuration refuses clients that are not authenticated yet.
 * @throws {SyncError}
 */
async function enter(address: Address, code: PairingCode): Promise<Entered> {
  for (let tries = 1; ; tries++) {
    try {
      return await enterOnce(address, code);
    } catch (error) {
      const isPassing = error instanceof SyncError && PASSING.has(error.code);
      if (!isPassing || tries === ENTER_TRIES) throw error;
      await pause(ENTER_AGAIN_MS);
    }
  }
}

/**
 * Pairs this device with a master.
 * @throws {SyncError} `wrong-certificate`, `unauthorised` (the code is wrong or expired), `refused`, `unreachable`,
 * `timeout`, `not-ready`
 */
export async function pairWith(
  address: Address,
  code: PairingCode,
  { serial, deviceId }: Pick<PairedDevice, 'serial' | 'deviceId'>,
  askAgainMs = ASK_AGAIN_MS,
): Promise<Pairing> {
  const { certificate, connection } = await enter(address, code);
  try {
    const { seed, key } = await makeKey();
    const request: PairedDevice = { serial, deviceId, key };
    const data = await askToPair(connection, JSON.stringify(request), askAgainMs);
    const answer: Static<typeof PairAnswer> = parse(data, PairAnswer, 'the answer to the pairing');
    if (answer.refusal !== null) throw new SyncError('refused', answer.refusal);
    return { certificate, masterSerial: answer.masterSerial, seed };
  } catch (error) {
    throw syncFailure(error);
  } finally {
    await connection.close();
  }
}
