/** What others know of a request and the audit trail is to tell: how its caller was let in, what it was about. */
import type { FastifyRequest } from 'fastify';
import type { Credential } from '../audit/line.ts';

const credentials = new WeakMap<FastifyRequest, Credential>();
const abouts = new WeakMap<FastifyRequest, Readonly<Record<string, unknown>>>();

export function wasLetIn(request: FastifyRequest, credential: Credential): void {
  credentials.set(request, credential);
}

/** A caller without a token is let in, too, where none is asked for. */
export const isLetIn = (request: FastifyRequest): boolean => credentials.has(request);

/** @returns `none` where nobody has let it in */
export const credentialOf = (request: FastifyRequest): Credential => credentials.get(request) ?? 'none';

/** Tells what a deed was about where its body does not: names, never a secret. */
export function tellAudit(request: FastifyRequest, what: Readonly<Record<string, unknown>>): void {
  abouts.set(request, what);
}

export const toldAbout = (request: FastifyRequest): Readonly<Record<string, unknown>> => abouts.get(request) ?? {};
