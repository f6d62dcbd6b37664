/** The calls with which a till shows the code of a receipt on the display, and removes it. */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { isoTime } from '../../../drivers/lib/iso-time.ts';
import { HttpFailure, markRepetition, problemsOf, requesterOf } from '../../core/http/index.ts';
import { maybe, NO_CONTROLS, orNull, patternWithMessage, SECONDS } from '../../core/schema/index.ts';
import { PaymentPath, paymentOf, TERMINAL_PROBLEMS, type Terminal, timestamp } from '../../payments/index.ts';
import { RECEIPT_CODE_ERRORS } from './error-records.ts';
import { MAX_RECEIPT_BYTES, receiptProblem } from './payload.ts';
import type { ReceiptCode, ShownReceipt } from './receipt-code.ts';

const MIN_HOLD_S = 5;
const MAX_HOLD_S = 120;
const DEFAULT_HOLD_S = 40;
const MAX_WORDS = 80;
/** One line of visible text, without characters that reverse or hide others. */
const PLAIN_LINE = patternWithMessage(
  '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\ud800-\\udfff]*$',
  'must be one line of plain text, with a visible character and none that turns or hides others',
);

const payload = Type.String({
  minLength: 1,
  maxLength: MAX_RECEIPT_BYTES,
  pattern: NO_CONTROLS,
  description: `what the code holds: the link of the receipt, \`https://…\`, or the text of a fiscal code; ${MAX_RECEIPT_BYTES} bytes of UTF-8 at most`,
});
const words = Type.String({
  minLength: 1,
  maxLength: MAX_WORDS,
  pattern: PLAIN_LINE,
  description: 'a line beside the code, where the display has room; the page says by itself that it is a receipt',
});
const holdSeconds = Type.Integer({
  ...SECONDS,
  minimum: MIN_HOLD_S,
  maximum: MAX_HOLD_S,
  description: `seconds for which it is shown, if no sale begins before; ${DEFAULT_HOLD_S} when left out`,
});

const Body = Type.Object(
  { payload, words: maybe(words), holdSeconds: maybe(holdSeconds) },
  {
    title: 'ReceiptCodeRequest',
    additionalProperties: false,
    examples: [
      { payload: 'https://receipt.example/v1/7381440900/1204?fp=2841905512', words: 'Thank you', holdSeconds: 40 },
    ],
  },
);

const Answer = Type.Object(
  {
    payment: Type.String({ description: '`id` of the payment' }),
    shown: Type.Literal(true),
    payload: Type.String({ description: 'the content of the code on the display' }),
    words: orNull(
      Type.String(),
      'the words that the customer sees beside it; null on a display that draws codes alone',
    ),
    until: timestamp('when it is taken off, by the clock of the device'),
    secondsLeft: Type.Number({ description: 'how much longer it is shown' }),
  },
  {
    title: 'ReceiptCode',
    description: 'what of a receipt is on the display',
    examples: [
      {
        payment: '7c0f4b1e-2d5a-86b3-9e41-0a8d53c7f219',
        shown: true,
        payload: 'https://receipt.example/v1/7381440900/1204?fp=2841905512',
        words: 'Thank you',
        until: '2026-11-21T09:31:12.000Z',
        secondsLeft: 40,
      },
    ],
  },
);

const OffAnswer = Type.Object(
  { payment: Type.String({ description: '`id` of the payment' }), shown: Type.Literal(false) },
  {
    title: 'ReceiptCodeOff',
    description: 'nothing of the receipt is on the display',
    examples: [{ payment: '7c0f4b1e-2d5a-86b3-9e41-0a8d53c7f219', shown: false }],
  },
);

const MS_PER_SECOND = 1000;

const answerOf = (shown: ShownReceipt, now: number): Static<typeof Answer> => ({
  payment: shown.orderId,
  shown: true,
  payload: shown.payload,
  words: shown.shownWords,
  until: isoTime(now + shown.leftMs),
  secondsLeft: Math.round(shown.leftMs) / MS_PER_SECOND,
});

export function addReceiptCodeRoutes(app: FastifyInstance, terminal: Terminal, receiptCode: ReceiptCode): void {
  app.put(
    '/v1/payments/:id/receipt/code',
    {
      config: { role: 'till', audit: null }, // each sale may make this call, and it changes nothing that is stored
      schema: {
        operationId: 'showReceiptCode',
        tags: ['payments'],
        summary: 'Show the customer the code of the receipt',
        description:
          'After `ACCEPTED`, in place of the symbol: for `holdSeconds`, or until a till asks for the next payment. Answers when it is on the display. The same again leaves its end as it is; another one takes its place. Never over a payment: refused while one is open (ReceiptCodes.DisplayInUse), and once another was asked for (ReceiptCodes.Passed). A failure of the display is the one of a sale; nothing is shown later then, nor after a restart.',
        params: PaymentPath,
        body: Body,
        response: {
          200: Answer,
          ...problemsOf({ ...TERMINAL_PROBLEMS, ...RECEIPT_CODE_ERRORS }, [
            'Payments.NotFound',
            'Payments.OfOtherLane',
            'Payments.NotAccepted',
            'ReceiptCodes.DisplayInUse',
            'ReceiptCodes.Passed',
            'Screen.NotAvailable',
          ]),
        },
      },
    },
    async ({ params, body }, reply) => {
      const caller = requesterOf(reply);
      const payment = paymentOf(terminal, params.id, caller);
      const problem = receiptProblem(body.payload, payment.payload);
      if (problem !== null) throw new HttpFailure('parameter', `payload ${problem}`, { field: 'payload' });
      const asked = {
        payload: body.payload,
        words: body.words ?? null,
        holdSeconds: body.holdSeconds ?? DEFAULT_HOLD_S,
      };
      const shown = await receiptCode.show(payment, asked);
      if (shown.isAgain) markRepetition(reply.request);
      caller.whenAnswered(() => terminal.payments.markHandledBy(caller.till, payment));
      return answerOf(shown, terminal.now());
    },
  );

  app.delete(
    '/v1/payments/:id/receipt/code',
    {
      config: { role: 'till', audit: null },
      schema: {
        operationId: 'hideReceiptCode',
        tags: ['payments'],
        summary: 'Remove the code of the receipt from the display',
        description:
          'Where it is shown; else nothing changes. The display then shows what it shows without a sale. One that is lost is cleared when it is back.',
        params: PaymentPath,
        response: { 200: OffAnswer, ...problemsOf(TERMINAL_PROBLEMS, ['Payments.NotFound', 'Payments.OfOtherLane']) },
      },
    },
    async ({ params }, reply) => {
      const { orderId } = paymentOf(terminal, params.id, requesterOf(reply));
      receiptCode.removeReceipt(orderId);
      return { payment: orderId, shown: false } as const;
    },
  );
}
