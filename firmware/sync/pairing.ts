/**
 * How a slave becomes known: it compares the certificate that it is shown with the pairing code, and only then sends its
 * serial number and the public half of a key that it has just made, with the code's secret as the password.
 */
import Type, { type Static } from 'typebox';
import { parse } from './centre.ts';
import { fingerprintOf } from './certificate.ts';
import { type Address, connectTo, shownCertificate, syncFailure } from './connect.ts';
import { SyncError } from './errors.ts';
import type { PairedDevice } from './paired-devices.ts';
import { type PairingCode, shortFingerprint } from './pairing-code.ts';
import type { Pairing } from './settings.ts';
import { PAIR_INBOX, PAIR_SUBJECT, PAIR_USER } from './subjects.ts';

const PAIR_LIMIT_MS = 10_000;

export const PairAnswer = Type.Object({
  /** Null when the device is paired. */
  refusal: Type.Union([Type.Null(), Type.String({ maxLength: 512 })]),
  masterSerial: Type.String({ minLength: 1, maxLength: 64 }),
});

/** A new key: its seed stays here, its public half goes to the master. */
export async function makeKey(): Promise<{ seed: string; key: string }> {
  const { nkeys } = await import('@nats-io/transport-node');
  const pair = nkeys.createUser();
  return { seed: Buffer.from(pair.getSeed()).toString('utf8'), key: pair.getPublicKey() };
}

/** @throws {SyncError} `wrong-certificate`, `unauthorised` (the code is wrong or over), `refused`, `unreachable`, `timeout` */
export async function pairWith(
  address: Address,
  code: PairingCode,
  { serial, deviceId }: Pick<PairedDevice, 'serial' | 'deviceId'>,
): Promise<Pairing> {
  const certificate = await shownCertificate(address);
  if (shortFingerprint(fingerprintOf(certificate)) !== code.fingerprint)
    throw new SyncError(
      'wrong-certificate',
      `what answers at ${address.host}:${address.port} is not the master that showed this pairing code`,
    );
  const credential = { kind: 'password', user: PAIR_USER, password: code.secret } as const;
  const connection = await connectTo({ address, certificate, credential, inboxPrefix: PAIR_INBOX });
  try {
    const { seed, key } = await makeKey();
    const request: PairedDevice = { serial, deviceId, key };
    const { data } = await connection.request(PAIR_SUBJECT, JSON.stringify(request), { timeout: PAIR_LIMIT_MS });
    const answer: Static<typeof PairAnswer> = parse(data, PairAnswer, 'the answer to the pairing');
    if (answer.refusal !== null) throw new SyncError('refused', answer.refusal);
    return { certificate, masterSerial: answer.masterSerial, seed };
  } catch (error) {
    throw syncFailure(error);
  } finally {
    await connection.close();
  }
}
