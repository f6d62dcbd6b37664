/**
 * The caller of a request, at the other end of the connection; and facts of the request for the audit trail or the log
 * of calls: how the caller was let in, the subject, the body.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Credential } from '../../audit/index.ts';
import { UNNAMED } from '../../config/index.ts';
import { HttpFailure } from '../call/failure.ts';
import type { NamedTill } from './credentials.ts';
import type { Entry } from './guard.ts';
import type { PageSession } from './page-sessions.ts';

const entries = new WeakMap<FastifyRequest, Entry>();
const factsOf = new WeakMap<FastifyRequest, Readonly<Record<string, unknown>>>();

export function recordEntry(request: FastifyRequest, entry: Entry): void {
  entries.set(request, entry);
}

/** Whether the caller was let in; also one without a token, where none is required. */
export const isAdmitted = (request: FastifyRequest): boolean => entries.has(request);

/** @returns `none` for a caller that was not let in */
export const credentialOf = (request: FastifyRequest): Credential => entries.get(request)?.credential ?? 'none';

/** The till of `api.tills` whose token was sent; null for any other caller. */
export const namedTillOf = (request: FastifyRequest): NamedTill | null => entries.get(request)?.till ?? null;

/** How the person at the calling page signed in; null without a sign-in. */
export const signedInBy = (request: FastifyRequest): PageSession['by'] | null =>
  entries.get(request)?.signedInBy ?? null;

/** Adds facts to a call's audit event that its body does not contain: names, never a secret. */
export function addAuditFacts(request: FastifyRequest, facts: Readonly<Record<string, unknown>>): void {
  factsOf.set(request, facts);
}

export const auditFacts = (request: FastifyRequest): Readonly<Record<string, unknown>> => factsOf.get(request) ?? {};

const repetitions = new WeakSet<FastifyRequest>();

/** Marks a call that repeats one answered before: it changes nothing, and leaves no line in the audit trail. */
export const markRepetition = (request: FastifyRequest): void => void repetitions.add(request);

export const isRepetition = (request: FastifyRequest): boolean => repetitions.has(request);

const bodies = new WeakMap<FastifyRequest, Buffer>();

export function recordBody(request: FastifyRequest, bytes: Buffer): void {
  bodies.set(request, bytes);
}

/** The body as it arrived; null for an unread one, or a file. */
export const sentBytes = (request: FastifyRequest): Buffer | null => bodies.get(request) ?? null;

/** Credentials with a secret of their own. */
const NAMED: ReadonlySet<string> = new Set(UNNAMED);

/** The name of a credential; a supervisor's requests are the lane's, like a cashier's. */
function nameOf(credential: Credential): string | null {
  if (credential === 'supervisor') return 'till';
  return NAMED.has(credential) ? credential : null;
}

/**
 * @returns `till`: the name of its credential, null where none is required; `ownOnly`: whether under `/v1` it reaches
 * only what that credential asked for; `gone`: aborts when the caller hangs up before its answer; `whenAnswered`: calls
 * back once the whole answer has gone out
 */
export function requesterOf({ raw, request }: FastifyReply) {
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
    whenAnswered: (listener: () => void) => raw.once('finish', listener), // `finish` does not come once the connection is closed
  };
}

/** A reader: of everything, or only of what it has asked for itself. */
export type Requester = Pick<ReturnType<typeof requesterOf>, 'till' | 'ownOnly'>;

/** The only till whose payments a caller reaches; null for a caller that reaches all. */
export const reachedTill = ({ till, ownOnly }: Requester): string | null => (ownOnly ? till : null);

/** Whether a caller may see what a till has asked for, by the till's name. */
export const mayReach = (requester: Requester, till: string | null): boolean =>
  !requester.ownOnly || requester.till === till;

/** Refuses callers that do not reach the payments of all tills. @throws {HttpFailure} `forbidden` */
export function requireReachOfAll({ ownOnly }: Requester): void {
  if (!ownOnly) return;
  throw new HttpFailure(
    'forbidden',
    'this call reads the payments of all tills: send a token that reaches them, of api.tokens or of a till with everyPayment',
  );
}
