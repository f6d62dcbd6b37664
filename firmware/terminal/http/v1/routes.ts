/** What a till does with a payment: asks for it, finds it, cancels it, gives its money back, looks into it. */
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../../../http/caller.ts';
import { HttpFailure } from '../../../http/failure.ts';
import type { TypeBoxProvider } from '../../../http/server.ts';
import { TerminalError } from '../../errors.ts';
import { isUndecided } from '../../refunds/refund.ts';
import type { Terminal } from '../../terminal.ts';
import { addCashLinkRoutes } from './cash-link-routes.ts';
import { refusals } from './problem.ts';
import { addReadingRoutes, paymentOf } from './reading-routes.ts';
import { addReconciliationRoutes } from './reconciliation-routes.ts';
import { addReportRoutes } from './report-routes.ts';
import { addSaleRoutes } from './sale-routes.ts';
import {
  AcknowledgeBody,
  CancelAnswer,
  DecideBody,
  PaymentAnswer,
  PaymentPath,
  paymentAnswer,
  RefundAnswer,
  RefundBody,
  RefundHeaders,
  RefundPath,
  refundAnswer,
} from './schemas.ts';

/** @throws {HttpFailure} where a refund has no id, or two */
function refundIdOf(key: string | undefined, id: string | null | undefined): string {
  const named = id ?? key;
  if (named === undefined) {
    throw new HttpFailure('parameter', 'the header Idempotency-Key is required: a new one for each refund', {
      field: 'Idempotency-Key',
    });
  }
  if (key !== undefined && key !== named) {
    throw new HttpFailure('parameter', 'id must be the Idempotency-Key, or be left out', { field: 'id' });
  }
  return named;
}

export function addAfterPaymentRoutes(plain: FastifyInstance, terminal: Terminal): void {
  addSaleRoutes(plain, terminal);
  addReadingRoutes(plain, terminal);
  addChanging(plain, terminal);
  addReportRoutes(plain, terminal);
  addReconciliationRoutes(plain, terminal);
  addCashLinkRoutes(plain, terminal);
}

function addChanging(plain: FastifyInstance, terminal: Terminal): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();

  app.post(
    '/v1/payments/:id/refunds',
    {
      schema: {
        operationId: 'refundPayment',
        tags: ['refunds'],
        summary: 'Give money of a paid payment back, all of it or a part',
        description:
          'The same id (header `Idempotency-Key`, or `id` of the body) is the same refund, however often and whenever it is sent; with another amount or payment it is refused (Payments.IdConflict). 202: what came of it is not decided yet; ask again with the same id.',
        params: PaymentPath,
        headers: RefundHeaders,
        body: RefundBody,
        response: {
          200: RefundAnswer,
          202: RefundAnswer,
          ...refusals(
            'Payments.NotFound',
            'Payments.NotAccepted',
            'Payments.NotRefundable',
            'Payments.ExceedsPaid',
            'Payments.IdConflict',
            'Payments.RefundOpen',
            'Bank.Refused',
            'Bank.Unreachable',
          ),
        },
      },
    },
    async ({ params, headers, body }, reply) => {
      const tillId = refundIdOf(headers['idempotency-key'], body.id);
      const { orderId } = paymentOf(terminal, params.id, callerOf(reply));
      const amount = body.amount === 'all' ? null : body.amount;
      const refund = await terminal.refunds.refund({ orderId, tillId, amount });
      return reply.code(isUndecided(refund) ? 202 : 200).send(refundAnswer(refund));
    },
  );

  app.post(
    '/v1/payments/:id/refunds/:refundId/decide',
    {
      schema: {
        operationId: 'decideRefund',
        tags: ['refunds'],
        summary: 'Decide a refund that the bank does not tell about',
        description:
          'For a person who has looked in the account at the bank, ten minutes after the refund was asked for at the earliest. The bank is asked once more before; what it tells counts. From then on it is never asked to make this refund again. The same again changes nothing; another outcome is refused, unless the bank has told it since.',
        params: RefundPath,
        body: DecideBody,
        response: {
          200: RefundAnswer,
          ...refusals(
            'Payments.NotFound',
            'Payments.RefundNotFound',
            'Payments.RefundFollowed',
            'Payments.RefundDecided',
            'Payments.RefundOpen',
          ),
        },
      },
    },
    async ({ params, body }, reply) => {
      const { orderId } = paymentOf(terminal, params.id, callerOf(reply));
      return refundAnswer(await terminal.refunds.decide({ orderId, tillId: params.refundId, ...body }));
    },
  );

  app.post(
    '/v1/payments/:id/cancel',
    {
      schema: {
        operationId: 'cancelPayment',
        tags: ['payments'],
        summary: 'Take a payment back that is not wanted any more',
        description:
          'Withdraws the code where the bank can; `outcome` says what has come of it. One that was paid meanwhile stays ACCEPTED, and is to be refunded.',
        params: PaymentPath,
        response: { 200: CancelAnswer, ...refusals('Payments.NotFound', 'RequestParams.TooMany') },
      },
    },
    async ({ params }, reply) => {
      const caller = callerOf(reply);
      const { orderId } = paymentOf(terminal, params.id, caller);
      const { outcome, payment } = await terminal.payments.cancel(orderId);
      caller.whenAnswered(() => terminal.payments.isReadBy(caller.till, payment)); // a till that has got this answer knows that it was paid
      return { outcome, payment: paymentAnswer(payment) };
    },
  );

  app.post(
    '/v1/payments/:id/acknowledge',
    {
      schema: {
        operationId: 'acknowledgePayment',
        tags: ['payments'],
        summary: 'Say that somebody has looked into a payment that was accepted late',
        description: 'It is pointed out no more. The note is kept with the payment.',
        params: PaymentPath,
        body: AcknowledgeBody,
        response: { 200: PaymentAnswer, ...refusals('Payments.NotFound', 'Payments.NotLate') },
      },
    },
    async ({ params, body }, reply) => {
      const caller = callerOf(reply);
      const { orderId } = paymentOf(terminal, params.id, caller);
      if (!terminal.payments.acknowledge(orderId, body.note || null)) {
        throw TerminalError.of(400, 'Payments', 'NotLate', 'nothing is to be looked into about this payment');
      }
      return paymentAnswer(paymentOf(terminal, orderId, caller));
    },
  );
}
