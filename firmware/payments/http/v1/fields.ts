/**
 * Fields that stand in several calls of `/v1`. The cashier of a call: the role signed in at the page, else the name that
 * the till sends. Also tells a person from a till.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { type Person, personOf } from '../../../core/access/index.ts';
import { LANECTL, LISTED, MAX_ID, MOST_LISTED } from '../../../core/config/index.ts';
import {
  askerOf,
  credentialOf,
  cursor,
  isOfBrowser,
  Paging,
  signedInBy,
  waitSeconds,
} from '../../../core/http/index.ts';
import { CALENDAR_DAY, maybe, NO_CONTROLS, orNull, WRITTEN } from '../../../core/schema/index.ts';

const MAX_CASHIER = 64;

export const CashierField = maybe(
  Type.String({
    title: 'Cashier',
    minLength: 1,
    maxLength: MAX_CASHIER,
    pattern: NO_CONTROLS,
    description: 'who sits at the till: kept, and added up by in the shift',
  }),
);

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
export function isLook(request: FastifyRequest): boolean {
  const { headers } = request;
  const isOwnPage = isOfBrowser(headers) && headers.origin === undefined;
  return signedInBy(request) !== null || isOwnPage || headers['user-agent'] === LANECTL;
}

/** The caller that waits for the answer, and its cashier. @param named the name that the till sent */
export const askerWith = (reply: FastifyReply, named: string | null = null) => ({
  ...askerOf(reply),
  cashier: signedIn(reply) ?? named,
});

export const MAX_NOTE_CHARACTERS = 500;

/** @param description of a day, `2026-11-21` */
export const day = (description: string) => Type.String({ title: 'Day', pattern: CALENDAR_DAY, description });
/** @param description of a timestamp, `2026-11-21T09:30:00.000Z` */
export const timestamp = (description: string) =>
  Type.String({ format: 'date-time', description: `${description}, UTC` });
/** @param description of a timestamp that may be missing */
export const timestampOrNull = (description: string) => orNull(Type.String({ format: 'date-time' }), description);
export const id = (description: string) =>
  Type.String({ title: 'Id', minLength: 1, maxLength: MAX_ID, pattern: NO_CONTROLS, description });

/** @param description of a note that a person writes */
export const noteText = (description: string) =>
  Type.String({ title: 'Note', minLength: 1, maxLength: MAX_NOTE_CHARACTERS, pattern: WRITTEN, description });

export const wait = waitSeconds('the state to change');

export const PAGES = new Paging(LISTED, MOST_LISTED);
/** The parameters `limit` and `cursor` of a list. @param what the things it lists */
export const pageFields = (what: string) => ({ limit: PAGES.limit(what), cursor });

export const PaymentPath = Type.Object({
  id: id('the `id` of the payment, or its `number`'),
});
