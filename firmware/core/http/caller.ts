/**
 * The client that waits for the answer to a call, at the other end of a connection; and what the audit trail or the log of calls needs of
 * its request: how it was let in, what it was about, what it sent.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Credential } from '../audit/index.ts';
import { UNNAMED } from '../config/index.ts';
import { HttpFailure } from './failure.ts';
import type { NamedTill } from './guard/credentials.ts';
import type { Entry } from './guard/guard.ts';
import type { PageSession } from './guard/page-sessions.ts';

const entries = new WeakMap<FastifyRequest, Entry>();
const abouts = new WeakMap<FastifyRequest, Readonly<Record<string, unknown>>>();

export function noteEntry(request: FastifyRequest, entry: Entry): void {
  entries.set(request, entry);
}

/** A caller without a token is let in, too, where none is asked for. */
export const isLetIn = (request: FastifyRequest): boolean => entries.has(request);

/** @returns `none` where it was not let in */
export const credentialOf = (request: FastifyRequest): Credential => entries.get(request)?.credential ?? 'none';

/** The till of `api.tills` whose token was sent; null for any other caller. */
export const namedTillOf = (request: FastifyRequest): NamedTill | null => entries.get(request)?.till ?? null;

/** How somebody has signed in at the page that calls; null without a sign-in. */
export const signedInBy = (request: FastifyRequest): PageSession['by'] | null =>
  entries.get(request)?.signedInBy ?? null;

/** Adds to the audit event of a call what its body does not say: names, never a secret. */
export function noteForAudit(request: FastifyRequest, what: Readonly<Record<string, unknown>>): void {
  abouts.set(request, what);
}

export const auditNotes = (request: FastifyRequest): Readonly<Record<string, unknown>> => abouts.get(request) ?? {};

const bodies = new WeakMap<FastifyRequest, Buffer>();

export function noteBody(request: FastifyRequest, bytes: Buffer): void {
  bodies.set(request, bytes);
}

/** Its body as it came; null where it was not read, or is a file. */
export const sentBytes = (request: FastifyRequest): Buffer | null => bodies.get(request) ?? null;

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
