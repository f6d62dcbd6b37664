/** Who refunds: a till or a cashier within limits, or a supervisor for more. */

import type { FastifyReply } from 'fastify';
import { TerminalError } from '../../banks/index.ts';
import { type Person, type SignIn, SignInError } from '../../core/access/index.ts';
import type { Credential } from '../../core/audit/index.ts';
import type { Config } from '../../core/config/index.ts';
import {
  askerOf,
  callerOf,
  credentialOf,
  guesserOf,
  isFromThisMachine,
  noteForAudit,
  signedInBy,
} from '../../core/http/index.ts';
import type { Refund } from '../refunds/refund.ts';
import type { Refunder } from '../refunds/refund-book.ts';
import { tooManyPins, wrongSupervisorPin } from '../refunds/refund-failures.ts';

export interface RefundAuthority {
  readonly limits: Config['terminal']['refundLimits'];
  readonly supervisors: Pick<SignIn, 'answering'>;
}

/** One name for the sums of all cashiers: no till of `api.tills` can have it. */
const CASHIER = '(cashier)';

/** Callers with limits: tills, callers without a token, and a supervisor, whose PIN lifts the limit, not the session. */
const LIMITED: readonly Credential[] = ['till', 'supervisor', 'none'];

/** @returns null for callers without limits: a technician, a program of the device itself */
function refunderOf(reply: FastifyReply, limits: RefundAuthority['limits']): Refunder | null {
  const { request } = reply;
  if (!LIMITED.includes(credentialOf(request))) return null;
  const isCashier = signedInBy(request) === 'pin';
  const { each, day } = isCashier ? limits.cashier : limits.till;
  if (each === null && day === null) return null;
  return { name: isCashier ? CASHIER : (askerOf(reply).till ?? 'till'), each, day };
}

/** @returns the owner of the PIN @throws {TerminalError} `WrongPin`, `TooManyPins` */
async function answering(
  reply: FastifyReply,
  supervisors: RefundAuthority['supervisors'],
  pin: string,
): Promise<Person> {
  const caller = callerOf(reply.request.raw);
  try {
    return await supervisors.answering({ isHere: isFromThisMachine(caller), address: guesserOf(caller) }, pin);
  } catch (error) {
    if (!(error instanceof SignInError)) throw error;
    const { seconds } = error.more;
    if (typeof seconds !== 'number') throw wrongSupervisorPin();
    reply.header('retry-after', seconds);
    throw tooManyPins(seconds);
  }
}

const isOverLimit = (error: unknown): boolean =>
  error instanceof TerminalError && error.category === 'Payments' && error.member === 'RefundLimit';

/**
 * Refunds within the limits of the caller. A larger refund needs the PIN of a supervisor or technician, whom the audit
 * event names.
 * @throws {TerminalError} nothing has gone back then
 */
export async function refundWithin(
  reply: FastifyReply,
  { limits, supervisors }: RefundAuthority,
  pin: string | null,
  refund: (refundedBy: Refunder | null, answeredBy: Person | null) => Promise<Refund>,
): Promise<Refund> {
  const refundedBy = refunderOf(reply, limits);
  try {
    return await refund(refundedBy, null);
  } catch (error) {
    if (!isOverLimit(error) || pin === null) throw error;
  }
  const answeredBy = await answering(reply, supervisors, pin);
  noteForAudit(reply.request, { answeredForBy: answeredBy });
  return refund(null, answeredBy);
}
