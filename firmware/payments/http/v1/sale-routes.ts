/** A sale: a till requests a payment under a key of its own, so that it can repeat a call whose answer was lost. */

import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { DEFAULT_TTL_MINUTES, MAX_AMOUNT_KOPECKS, MAX_PURPOSE_CHARACTERS } from '../../../core/config/index.ts';
import { isOfStorage } from '../../../core/files/index.ts';
import { markRepetition } from '../../../core/http/index.ts';
import { KOPECKS, MINUTES, maybe } from '../../../core/schema/index.ts';
import { isPayable } from '../../model/payment.ts';
import type { PaymentWarning } from '../../model/payment-failures.ts';
import { FIELDS_EXAMPLE, SENT_FIELDS } from '../../model/sale-fields.ts';
import { TerminalError } from '../../model/terminal-error.ts';
import type { Answered } from '../../service/sale/calls.ts';
import { profileName } from '../../settings/settings-document.ts';
import type { Terminal } from '../../terminal.ts';
import { requesterWith } from '../caller.ts';
import { CashierField, KeyHeader } from './fields.ts';
import { presentAnswer } from './payment-answer.ts';
import { PaymentAnswer, PENDING_EXAMPLE } from './payment-schemas.ts';
import { refusals } from './problem.ts';

const SaleHeaders = Type.Object({ 'idempotency-key': KeyHeader });

export const SaleBody = Type.Object(
  {
    amount: Type.Integer({
      ...KOPECKS,
      minimum: 1,
      maximum: MAX_AMOUNT_KOPECKS,
      description: 'what is to be paid, in kopecks',
    }),
    purpose: maybe(
      Type.String({
        description: `what the payment is for: one line of ${MAX_PURPOSE_CHARACTERS} characters; what is more is cut off`,
      }),
    ),
    // unlike in `showQR`, whose tills cannot change, a wrong value is refused; the limit is the lane's
    ttl: maybe(
      Type.Integer({
        ...MINUTES,
        description: `minutes for which the code can be paid: from 1 to \`terminal.ttlMaxMinutes\` (60); ${DEFAULT_TTL_MINUTES} when left out`,
      }),
    ),
    profile: maybe(profileName('a profile of the settings; the one in use when left out')),
    ...SENT_FIELDS,
    cashier: CashierField,
  },
  {
    title: 'Sale',
    additionalProperties: false,
    examples: [{ amount: 12345, purpose: 'Apples', ttl: 5, ...FIELDS_EXAMPLE, cashier: 'Anna' }],
  },
);

export const SaleAnswer = Type.Object(
  {
    ...PaymentAnswer.properties,
    warnings: Type.Array(
      Type.Object({
        code: Type.String({
          description: 'as of a problem: `Bank.PreviousPaid`, `Bank.Unreachable`, `Bank.PreviousOpen`, `Bank.NotShown`',
        }),
        detail: Type.String({ description: 'a sentence that says what is to be known' }),
      }),
      { description: 'what must be known beside it; empty most of the time' },
    ),
  },
  {
    title: 'SaleAnswer',
    description: 'a payment, and what must be known beside it',
    examples: [{ ...PENDING_EXAMPLE, warnings: [] }],
  },
);

const warningAnswer = ({ member, message }: PaymentWarning) => ({ code: `Bank.${member}`, detail: message });

/** Adds to a failure whether the till should repeat the call with the same key: its payment may still be paid, or was paid meanwhile. */
export async function withRepeat({ payments }: Terminal, call: Promise<Answered>): Promise<Answered> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof TerminalError) || error.payment === null || error.member === 'Damaged') throw error;
    const { status } = payments.find(error.payment);
    const mayBePaid = isPayable(status);
    // the bank's report may not be stored yet: a repeated call will show whether the key may be used again
    if (mayBePaid && (payments.isUnstored(error.payment) || isOfStorage(error.cause))) throw error;
    throw error.about(error.payment, { repeat: mayBePaid || status.state === 'ACCEPTED' });
  }
}

export function addSaleRoutes(app: FastifyInstance, terminal: Terminal): void {
  app.post(
    '/v1/payments',
    {
      config: { role: 'till', audit: null, work: 'sale' },
      schema: {
        operationId: 'createPayment',
        tags: ['payments'],
        summary: 'Ask for a payment and show its code',
        description:
          'Answers when the code is on the display; give it 30 s. 201: a new payment. 200: the one that the header `Idempotency-Key` has stood for before, however long ago: as long as it may be paid, and was not cancelled, its code is shown again, else its state is returned. With another body the key is refused (Payments.IdConflict). A failure that has `repeat` is one of the `payment` of the key: `false`, the key is used up; `true`, the payment is open: send the same again, with the same key. After any other, or none at all, send the same again.',
        headers: SaleHeaders,
        body: SaleBody,
        response: {
          200: SaleAnswer,
          201: SaleAnswer,
          ...refusals(
            'Payments.IdConflict',
            'DriverSettings.IsNotConfigured',
            'Bank.Unreachable',
            'Bank.Refused',
            'Bank.Contradiction',
            'RequestParams.TooMany',
          ),
        },
      },
    },
    async ({ body, headers }, reply) => {
      const caller = requesterWith(reply, body.cashier);
      const { orderId, isAgain, warnings } = await withRepeat(
        terminal,
        terminal.sell(body, caller, headers['idempotency-key']),
      );
      if (isAgain) markRepetition(reply.request);
      const payment = terminal.payments.find(orderId);
      caller.whenAnswered(() => terminal.payments.markHandledBy(caller.till, payment));
      const answer = { ...presentAnswer(terminal, payment), warnings: warnings.map(warningAnswer) };
      return reply
        .code(isAgain ? 200 : 201)
        .header('location', `/v1/payments/${orderId}`)
        .send(answer);
    },
  );
}
