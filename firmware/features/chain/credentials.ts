/**
 * Reads the files that the connection to the chain needs: the credentials that the chain has issued, and the
 * certificate authority of its servers.
 */
import { X509Certificate } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { CodedError, messageOf } from '../../../drivers/lib/errors.ts';
import { nkeys } from '../../../drivers/lib/nats.ts';
import { jsonFitting } from '../../core/schema/index.ts';
import { readCertificateFile } from '../../core/tls/index.ts';
import type { ChainConfig } from './config.ts';

/** Errors of the connection to the chain. The message says what to do. */
export type ChainErrorCode =
  /** The file of credentials is unusable, or the chain rejects the credentials. */
  | 'credentials'
  /** The server's certificate is not trusted. */
  | 'certificate'
  /** No server answers in time: it is unknown whether the message has arrived. */
  | 'away'
  /**
   * A server answers, but no stream stores the message. It passes by itself where the servers are electing a leader.
   */
  | 'refused';

export class ChainError extends CodedError<ChainErrorCode> {}

const SECOND_MS = 1000;
/**
 * Credentials as NATS's tools write them: a token, and the seed of the user's key, each between two lines of dashes.
 */
const CREDENTIALS =
  /^-+BEGIN NATS USER JWT-+\n([\w.=-]+)\n-+END NATS USER JWT-+\n[\s\S]*^-+BEGIN USER NKEY SEED-+\n(SU[A-Z2-7]+)\n-+END USER NKEY SEED-+\s*$/m;
/** A name that can be a part of a subject. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Fields of the token. Its signature is checked by the server. */
const Claim = Type.Object({ name: Type.String(), exp: Type.Optional(Type.Integer()) });
type Claim = Static<typeof Claim>;

export interface ChainCredentials {
  /** Name of the user in the credentials: the chain's name of this store. */
  readonly name: string;
  /** When the credentials expire, ms since 1970; null: never. */
  readonly endsAt: number | null;
  /** The whole file of credentials. */
  readonly credentials: string;
  /** Certificate authority, PEM; null: one that Node knows. */
  readonly authority: string | null;
}

/** Reads and checks the files. @throws {ChainError} `credentials`, `certificate` */
export async function readCredentials({ credentials, caFile }: ChainConfig): Promise<ChainCredentials> {
  const text = await readText('credentials', credentials ?? '', 'put the file there that the chain has issued');
  const { name, exp } = claimOf(text, `${credentials}`);
  const authority = caFile === null ? null : await readAuthority(caFile);
  return { name, endsAt: exp === undefined ? null : exp * SECOND_MS, credentials: text, authority };
}

async function readText(code: ChainErrorCode, path: string, remedy: string): Promise<string> {
  try {
    return (await readCertificateFile(path)).toString().replaceAll('\r\n', '\n');
  } catch (cause) {
    const message = `${path} ${messageOf(cause)}: ${remedy}, and let the device's user read it`;
    throw new ChainError(code, message, { cause });
  }
}

function claimOf(text: string, path: string): Claim {
  const [, token = '', seed = ''] = CREDENTIALS.exec(text) ?? [];
  const claim = jsonFitting(Claim, Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  const hint = 'holds no NATS credentials (.creds): take the file anew from the chain';
  if (claim === null || !isSeed(seed)) throw new ChainError('credentials', `${path} ${hint}`);
  if (NAME.test(claim.name)) return claim;
  const message = `the user of ${path} is called ${JSON.stringify(claim.name)}: the chain must name it by letters, digits, _ and -, at most 64`;
  throw new ChainError('credentials', message);
}

/** Whether a seed is valid: with a damaged one the library would hang. */
function isSeed(seed: string): boolean {
  try {
    nkeys.fromSeed(Buffer.from(seed));
    return true;
  } catch {
    return false;
  }
}

async function readAuthority(path: string): Promise<string> {
  const text = await readText('certificate', path, 'put the certificate of the chain’s authority there');
  try {
    new X509Certificate(text);
    return text;
  } catch (cause) {
    const message = `${path} holds no certificate in PEM: put that of the chain’s authority there`;
    throw new ChainError('certificate', message, { cause });
  }
}
