/**
 * Calls that ask for a refund, read its state, and record a person's decision where no bank reports on it. A till or a
 * cashier refunds within limits; a larger refund needs a supervisor's PIN.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Person, type SignIn, SignInError } from '../../../core/access/index.ts';
import type { Credential } from '../../../core/audit/index.ts';
import {
  addAuditFacts,
  callerOf,
  credentialOf,
  guesserOf,
  HttpFailure,
  isFromThisMachine,
  KEY_HEADER,
  markRepetition,
  requesterOf,
  signedInBy,
} from '../../../core/http/index.ts';
import { absenceInWords } from '../../../core/schema/index.ts';
import type { TerminalConfig } from '../../model/config.ts';
import { isUndecided, type Refund } from '../../model/refund.ts';
import { TerminalError } from '../../model/terminal-error.ts';
import type { RefundAuthor } from '../../refunds/refund-book.ts';
import { tooManyPins, wrongSupervisorPin } from '../../refunds/refund-failures.ts';
import type { Terminal } from '../../terminal.ts';
import { requesterWith } from '../caller.ts';
import { KeyHeaders, PaymentPath } from './fields.ts';
import { refusals } from './problem.ts';
import { paymentOf } from './reading-routes.ts';
import {
  DecideBody,
  RefundAnswer,
  RefundBody,
  RefundPath,
  RefundsList,
  RefundUndecided,
  RefundWaitQuery,
  refundAnswer,
} from './refund-schemas.ts';

export interface RefundAuthority {
  readonly limits: TerminalConfig['refundLimits'];
  readonly supervisors: Pick<SignIn, 'answering'>;
}

/** One name for the sums of all cashiers: no till of `api.tills` can have it. */
const CASHIER = '(cashier)';

/** Callers with limits. A supervisor's session has them, too: only a PIN in the call itself lifts them. */
const LIMITED: readonly Credential[] = ['till', 'supervisor', 'none'];

/** @returns null for callers without limits: a technician, a program of the device itself */
function refunderOf(reply: FastifyReply, limits: RefundAuthority['limits']): RefundAuthor | null {
  const { request } = reply;
  if (!LIMITED.includes(credentialOf(request))) return null;
  const isCashier = signedInBy(request) === 'pin';
  const { each, day } = isCashier ? limits.cashier : limits.till;
  if (each === null && day === null) return null;
  return { name: isCashier ? CASHIER : (requesterOf(reply).till ?? 'till'), each, day };
}

/** @returns the owner of the PIN @throws {TerminalError} `WrongPin`, `TooManyPins` */
async function ownerOfPin(
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
async function refundWithin(
  reply: FastifyReply,
  { limits, supervisors }: RefundAuthority,
  pin: string | null,
  refund: (refundedBy: RefundAuthor | null, answeredBy: Person | null) => Promise<Refund>,
): Promise<Refund> {
  const refundedBy = refunderOf(reply, limits);
  try {
    return await refund(refundedBy, null);
  } catch (error) {
    if (!isOverLimit(error) || pin === null) throw error;
  }
  const answeredBy = await ownerOfPin(reply, supervisors, pin);
  addAuditFacts(reply.request, { answeredForBy: answeredBy });
  return refund(null, answeredBy);
}

/** Ids that clients would resolve as steps of a path. */
const STEPS: readonly string[] = ['.', '..'];

/** @throws {HttpFailure} for no id, two different ids, or an id that a path cannot name */
function refundIdOf(key: string | undefined, id: string | null | undefined): string {
  const named = id ?? key;
  if (named === undefined) {
    const must = absenceInWords(KeyHeaders, KEY_HEADER.toLowerCase(), ' (or id in the body)');
    throw new HttpFailure('parameter', `the header ${KEY_HEADER} ${must}`, { field: KEY_HEADER });
  }
  if (key !== undefined && key !== named) {
    throw new HttpFailure('parameter', `id must be the ${KEY_HEADER}, or be left out`, { field: 'id' });
  }
  if (STEPS.includes(named)) {
    const field = named === key ? KEY_HEADER : 'id';
    throw new HttpFailure('parameter', `${field} must not be . or ..: a path leads elsewhere by it`, { field });
  }
  return named;
}

export function addRefundRoutes(app: FastifyInstance, terminal: Terminal, authority: RefundAuthority): void {
  const { refunds } = terminal;

  app.get(
    '/v1/payments/:id/refunds',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'listRefunds',
        tags: ['refunds'],
        summary: 'The refunds of a payment',
        description: 'As this device has them now, oldest first; the bank is not asked.',
        params: PaymentPath,
        response: { 200: RefundsList, ...refusals('Payments.NotFound', 'Payments.OfOtherLane') },
      },
    },
    async ({ params }, reply) => {
      const { orderId } = paymentOf(terminal, params.id, requesterOf(reply));
      return { refunds: refunds.of(orderId).map(refundAnswer) };
    },
  );

  app.get(
    '/v1/payments/:id/refunds/:refundId',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'getRefund',
        tags: ['refunds'],
        summary: 'A refund, and what has become of it',
        description:
          'As this device has it now; the bank is asked by the device itself. With `wait` it is answered when its state has changed (or is another one than `state`), at the latest when so many seconds are over: then ask again. What is done or refused is answered at once.',
        params: RefundPath,
        querystring: RefundWaitQuery,
        response: {
          200: RefundAnswer,
          ...refusals('Payments.NotFound', 'Payments.OfOtherLane', 'Payments.RefundNotFound', 'RequestParams.TooMany'),
        },
      },
    },
    async ({ params, query, method }, reply) => {
      const caller = requesterOf(reply);
      const { orderId } = await terminal.whenRestored(() => paymentOf(terminal, params.id, caller));
      const found = refunds.find(orderId, params.refundId, caller.till);
      const known = query.state ?? found.state;
      const row = {
        read: () => refunds.of(orderId).find(({ refundId }) => refundId === found.refundId) ?? found,
        watch: (changed: () => void) => refunds.watch(found.refundId, changed),
      };
      const isNews = (refund: Refund): boolean => refund.state !== known || !isUndecided(refund);
      const waitMs = method === 'GET' ? (query.wait ?? 0) * 1000 : 0;
      return refundAnswer(await terminal.waits.until(row, isNews, waitMs, caller.gone));
    },
  );

  app.post(
    '/v1/payments/:id/refunds',
    {
      config: { role: 'till', audit: { event: 'payment-refunded', fields: ['id', 'amount'] }, work: 'refund' }, // a till may: no more goes back than was paid, and only to the payer
      schema: {
        operationId: 'refundPayment',
        tags: ['refunds'],
        summary: 'Refund a paid payment, wholly or in part',
        description:
          'The same id (header `Idempotency-Key`, or `id` of the body) is the same refund, however often and whenever it is sent; with another amount or payment it is refused (Payments.IdConflict). 202: what came of it is not decided yet: follow it with `GET …/refunds/{refundId}?wait=25`, whose path is in the header `Location`, or ask again with the same id.',
        params: PaymentPath,
        headers: KeyHeaders,
        body: RefundBody,
        response: {
          200: RefundAnswer,
          202: RefundUndecided,
          ...refusals(
            'Payments.NotFound',
            'Payments.OfOtherLane',
            'Payments.NotAccepted',
            'Payments.NotRefundable',
            'Payments.ExceedsPaid',
            'Payments.IdConflict',
            'Payments.RefundOpen',
            'Payments.RefundLimit',
            'Payments.WrongPin',
            'Payments.TooManyPins',
            'Bank.Refused',
            'Bank.Unreachable',
          ),
        },
      },
    },
    async ({ params, headers, body }, reply) => {
      const tillId = refundIdOf(headers['idempotency-key'], body.id);
      const requester = requesterWith(reply, body.cashier);
      const { orderId } = paymentOf(terminal, params.id, requester);
      const amount = body.amount === 'all' ? null : body.amount;
      const { till, cashier } = requester;
      if (refunds.isKnown(orderId, tillId, till)) markRepetition(reply.request);
      const refund = await refundWithin(reply, authority, body.supervisorPin ?? null, (refundedBy, answeredBy) =>
        refunds.refund(
          { orderId, tillId, amount, requester: { till, cashier, answeredBy }, why: body.why ?? null },
          refundedBy,
        ),
      );
      if (isUndecided(refund))
        reply.code(202).header('location', `/v1/payments/${orderId}/refunds/${encodeURIComponent(refund.tillId)}`);
      return refundAnswer(refund);
    },
  );

  app.post(
    '/v1/payments/:id/refunds/:refundId/decide',
    {
      config: { role: 'technician', audit: { event: 'refund-decided', fields: ['id', 'refundId', 'outcome'] } }, // not a till: the bank is never again asked to make a refund that a person has decided
      schema: {
        operationId: 'decideRefund',
        tags: ['refunds'],
        summary: 'Decide a refund that the bank does not report',
        description:
          'For a person who has looked in the account at the bank, ten minutes after the refund was asked for at the earliest; at once where another board had asked for it. The bank is asked again before; its report counts. From then on it is never asked to make this refund again. The same decision again changes nothing. `refused` takes a `done` back, unless the bank has reported that the money has gone back; any other change is refused, unless the bank has reported it since.',
        params: RefundPath,
        body: DecideBody,
        response: {
          200: RefundAnswer,
          ...refusals(
            'Payments.NotFound',
            'Payments.OfOtherLane',
            'Payments.RefundNotFound',
            'Payments.RefundFollowed',
            'Payments.RefundDecided',
            'Payments.RefundOpen',
          ),
        },
      },
    },
    async ({ params, body }, reply) => {
      const { till, ...requester } = requesterOf(reply);
      const { orderId } = paymentOf(terminal, params.id, { till, ...requester });
      return refundAnswer(await refunds.decide({ orderId, tillId: params.refundId, till, ...body }));
    },
  );
}
