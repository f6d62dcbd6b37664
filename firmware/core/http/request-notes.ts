/** What the audit trail or the log of calls needs of a request: how its caller was let in, what it was about, what it sent. */
import type { FastifyRequest } from 'fastify';
import type { Credential } from '../audit/index.ts';
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
