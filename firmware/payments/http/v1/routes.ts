/**
 * Adds all calls of payments, those of `/v1` and those of the console. Here stand the calls that change a payment (cancel,
 * receipt, acknowledge), that have the bank asked, and that make a code to print.
 */

import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { markRepetition, requesterOf } from '../../../core/http/index.ts';
import { NO_CONTROLS } from '../../../core/schema/index.ts';
import { isPayable } from '../../model/payment.ts';
import { TerminalError } from '../../model/terminal-error.ts';
import type { BankWords } from '../../model/words.ts';
import type { Letterhead } from '../../reports/papers/print-page.ts';
import type { Terminal } from '../../terminal.ts';
import { addBankTestRoute } from './bank-trial-route.ts';
import { addBluetoothRoute } from './bluetooth-route.ts';
import { addCertificateRoute } from './certificate-route.ts';
import { PaymentPath } from './fields.ts';
import { presentAnswer } from './payment-answer.ts';
import { AcknowledgeBody, CancelAnswer, PaymentAnswer, ReceiptBody } from './payment-schemas.ts';
import { refusals } from './problem.ts';
import { addReadingRoutes, paymentOf } from './reading-routes.ts';
import { addRefundRoutes, type RefundAuthority } from './refund-routes.ts';
import { addReportRoutes } from './report-routes.ts';
import { addSaleRoutes } from './sale-routes.ts';
import { addSettingsRoutes } from './settings-routes.ts';
import { addShiftRoutes } from './shift-routes.ts';

export function addAfterPaymentRoutes(
  app: FastifyInstance,
  terminal: Terminal,
  authority: RefundAuthority,
  bankWords: BankWords,
  letterhead: () => Letterhead,
): void {
  addSaleRoutes(app, terminal);
  addReadingRoutes(app, terminal);
  addChangingRoutes(app, terminal);
  addRefundRoutes(app, terminal, authority);
  addReportRoutes(app, terminal, bankWords, letterhead);
  addShiftRoutes(app, terminal, bankWords, letterhead);
  addCashLinkRoutes(app, terminal);
}

/** The calls of the terminal that only the console makes. */
export function addConsoleCalls(app: FastifyInstance, terminal: Terminal): void {
  addQuestionRoute(app, terminal);
  addSettingsRoutes(app, terminal);
  addBankTestRoute(app, terminal);
  addCertificateRoute(app, terminal.certificates);
  addBluetoothRoute(app);
}

const Asked = Type.Object({
  asked: Type.Boolean({ description: 'false: its outcome is known, or nothing more can be learnt' }),
});

/** The call of the button by which a person has the bank asked. What the bank reports is read with the payment. */
function addQuestionRoute(app: FastifyInstance, terminal: Terminal): void {
  app.post(
    '/console/api/payments/:id/check',
    {
      config: { role: 'till', audit: null },
      schema: {
        params: PaymentPath,
        response: { 200: Asked, ...refusals('Payments.NotFound', 'Payments.OfOtherLane') },
      },
    },
    async ({ params }, reply) => {
      const { orderId } = paymentOf(terminal, params.id, requesterOf(reply));
      return { asked: terminal.payments.askSoon(orderId) };
    },
  );
}

function addChangingRoutes(app: FastifyInstance, terminal: Terminal): void {
  app.post(
    '/v1/payments/:id/cancel',
    {
      config: {
        role: 'till',
        audit: { event: 'payment-cancelled', fields: ['id'], isDone: ({ outcome }) => outcome === 'withdrawn' },
        work: 'cancellation',
      },
      schema: {
        operationId: 'cancelPayment',
        tags: ['payments'],
        summary: 'Cancel a payment that is not wanted any more',
        description:
          'Withdraws the code where the bank can; `outcome` says what has come of it. One that was paid meanwhile stays ACCEPTED, and is to be refunded.',
        params: PaymentPath,
        response: {
          200: CancelAnswer,
          ...refusals('Payments.NotFound', 'Payments.OfOtherLane', 'RequestParams.TooMany'),
        },
      },
    },
    async ({ params }, reply) => {
      const caller = requesterOf(reply);
      const before = paymentOf(terminal, params.id, caller);
      if (!isPayable(before.status)) markRepetition(reply.request);
      const { outcome, payment } = await terminal.payments.cancel(before.orderId);
      caller.whenAnswered(() => terminal.payments.markHandledBy(caller.till, payment)); // a till that has got this answer knows that it was paid
      return { outcome, payment: presentAnswer(terminal, payment) };
    },
  );

  app.put(
    '/v1/payments/:id/receipt',
    {
      config: { role: 'till', audit: null }, // each sale makes this call: an entry for each would fill the trail
      schema: {
        operationId: 'setReceipt',
        tags: ['payments'],
        summary: 'Record that the receipt of a payment is printed',
        description:
          'May be repeated. `GET /v1/payments?receipt=missing` and the totals of a day show what is paid without one.',
        params: PaymentPath,
        body: ReceiptBody,
        response: {
          200: PaymentAnswer,
          ...refusals('Payments.NotFound', 'Payments.OfOtherLane', 'Payments.NotAccepted'),
        },
      },
    },
    async ({ params }, reply) => {
      const caller = requesterOf(reply);
      const payment = paymentOf(terminal, params.id, caller);
      terminal.payments.recordReceipt(payment);
      caller.whenAnswered(() => terminal.payments.markHandledBy(caller.till, payment));
      return presentAnswer(terminal, paymentOf(terminal, payment.orderId, caller));
    },
  );

  app.post(
    '/v1/payments/:id/acknowledge',
    {
      config: { role: 'till', audit: { event: 'payment-acknowledged', fields: ['id'] } },
      schema: {
        operationId: 'acknowledgePayment',
        tags: ['payments'],
        summary: 'Acknowledge a payment that was accepted late',
        description: 'It is no longer reported. The note is stored with the payment.',
        params: PaymentPath,
        body: AcknowledgeBody,
        response: { 200: PaymentAnswer, ...refusals('Payments.NotFound', 'Payments.OfOtherLane', 'Payments.NotLate') },
      },
    },
    async ({ params, body }, reply) => {
      const caller = requesterOf(reply);
      const { orderId } = paymentOf(terminal, params.id, caller);
      if (!terminal.payments.acknowledge(orderId, body.note || null)) {
        throw TerminalError.of('Payments', 'NotLate', 'nothing is to be looked into about this payment');
      }
      return presentAnswer(terminal, paymentOf(terminal, orderId, caller));
    },
  );
}

const MAX_DESCRIPTION = 140;

const CashLinkBody = Type.Object(
  {
    description: Type.Optional(
      Type.String({
        maxLength: MAX_DESCRIPTION,
        pattern: NO_CONTROLS,
        description: 'its name at the bank, as Lane 3; Laneware when left out',
      }),
    ),
  },
  { title: 'CashLinkRequest', additionalProperties: false, examples: [{ description: 'Lane 3' }] },
);
const CashLinkAnswer = Type.Object(
  {
    id: Type.String({ description: "the bank's id of it" }),
    link: Type.String({ description: 'what is to be printed as a QR code, and set as `cashLink` of the profile' }),
  },
  {
    title: 'CashLink',
    description: 'a printed code',
    examples: [{ id: 'CL-7', link: 'https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G' }],
  },
);

/** Calls for printed codes (кассовая ссылка): the bank makes one; a technician prints it and names it in the profile. */
function addCashLinkRoutes(app: FastifyInstance, terminal: Terminal): void {
  app.post(
    '/v1/cash-links',
    {
      config: { role: 'technician', audit: { event: 'cash-link-made', fields: ['description'], answers: ['link'] } },
      schema: {
        operationId: 'createCashLink',
        tags: ['payments'],
        summary: 'Have the bank in use make a code to print',
        description: 'Each call makes another one. Refused where the bank has none (Bank.NoCashLinks).',
        body: CashLinkBody,
        response: {
          200: CashLinkAnswer,
          ...refusals(
            'DriverSettings.IsNotConfigured',
            'Bank.NoCashLinks',
            'Bank.Unreachable',
            'Bank.Refused',
            'Bank.Contradiction',
          ),
        },
      },
    },
    async ({ body }) => {
      const { id, payload } = await terminal.createCashLink(body.description || 'Laneware');
      return { id, link: payload };
    },
  );
}
