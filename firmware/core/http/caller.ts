/** The client that waits for the answer to a call, at the other end of a connection. */
import type { FastifyReply } from 'fastify';
import type { Credential } from '../audit/index.ts';
import { UNNAMED } from '../config/index.ts';
import { HttpFailure } from './failure.ts';
import { credentialOf, namedTillOf } from './request-notes.ts';

/** Those that have a secret of their own. */
const NAMED: ReadonlySet<string> = new Set(UNNAMED);

/** What a supervisor asks for is the lane's, as what a cashier asks for. */
function nameOf(credential: Credential): string | null {
  if (credential === 'supervisor') return 'till';
  return NAMED.has(credential) ? credential : null;
}

/**
 * @returns `till`, the name of the credential that it has sent, null where none is asked for; `ownOnly`, whether under `/v1` it reaches
 * only what that has asked for; `gone`, which ends when it hangs up before it has got its answer, and `whenAnswered`, which calls
 * back once the answer has gone out whole
 */
export function askerOf({ raw, request }: FastifyReply) {
  const credential = credentialOf(request);
  const named = namedTillOf(request);
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return {
    gone: gone.signal,
    till: named?.name ?? nameOf(credential),
    ownOnly: named?.everyPayment === false,
    whenAnswered: (heard: () => void) => raw.once('finish', heard), // which does not come once the connection is closed
  };
}

/** Who reads: all of it, or only what it has asked for itself. */
export type Asker = Pick<ReturnType<typeof askerOf>, 'till' | 'ownOnly'>;

/** The till whose payments alone a caller reaches; null where it reaches those of all tills. */
export const reachedTill = ({ till, ownOnly }: Asker): string | null => (ownOnly ? till : null);

/** Whether a caller gets what a till has asked for, by the till's name. */
export const mayReach = (asker: Asker, till: string | null): boolean => !asker.ownOnly || asker.till === till;

/** For what is about payments of all tills at once. @throws {HttpFailure} `forbidden` */
export function requireReachOfAll({ ownOnly }: Asker): void {
  if (!ownOnly) return;
  throw new HttpFailure(
    'forbidden',
    'this call reads the payments of all tills: send a token that reaches them, of api.tokens or of a till with everyPayment',
  );
}
