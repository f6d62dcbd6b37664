/** Who calls: the cashier of a call, and whether a person or a till reads its answer. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Person, personOf } from '../../core/access/index.ts';
import { LANECTL } from '../../core/config/index.ts';
import { credentialOf, isOfBrowser, requesterOf, signedInBy } from '../../core/http/index.ts';

/** The role that a PIN signed in; a token is a program's. */
function signedIn({ request }: FastifyReply): Person | null {
  if (signedInBy(request) !== 'pin') return null;
  const credential = credentialOf(request);
  return credential === 'till' || credential === 'supervisor' || credential === 'technician'
    ? personOf(credential)
    : null;
}

/**
 * Whether a person reads through a page of the device or `lanectl`, so that no till has read it. A page of another
 * address counts as a till.
 */
export function isReadByPerson(request: FastifyRequest): boolean {
  const { headers } = request;
  const isOwnPage = isOfBrowser(headers) && headers.origin === undefined;
  return signedInBy(request) !== null || isOwnPage || headers['user-agent'] === LANECTL;
}

/** The caller and its cashier: the role that a PIN signed in, else the name that the till sent (`named`). */
export const requesterWith = (reply: FastifyReply, named: string | null = null) => ({
  ...requesterOf(reply),
  cashier: signedIn(reply) ?? named,
});
