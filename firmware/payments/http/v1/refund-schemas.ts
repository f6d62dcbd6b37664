/** Requests and answers of `/v1` about refunds: validation, serialisation and OpenAPI come from here. */

import Type, { type Static } from 'typebox';
import { isoTime, isoTimeOrNull } from '../../../../drivers/lib/iso-time.ts';
import { MAX_AMOUNT_KOPECKS } from '../../../core/config/index.ts';
import { id, KOPECKS, maybe, NO_CONTROLS, orNull } from '../../../core/schema/index.ts';
import { REFUND_OUTCOMES, REFUND_STATES, type Refund, refusalCode } from '../../model/refund.ts';
import { PaymentMethodName } from '../../model/words.ts';
import {
  CashierField,
  MAX_NOTE_CHARACTERS,
  noteText,
  PaymentPath,
  timestamp,
  timestampOrNull,
  wait,
} from './fields.ts';

export const RefundPath = Type.Object({
  ...PaymentPath.properties,
  refundId: id('the `id` of the refund'),
});

const RefundOutcome = Type.Enum([...REFUND_OUTCOMES], { title: 'RefundOutcome' });

export const REFUND_EXAMPLE = Object.freeze({
  id: 'return-17',
  payment: '7c0f4b1e-2d5a-86b3-9e41-0a8d53c7f219',
  amount: 345,
  state: 'done',
  bankId: 'R-2044',
  method: 'sbp',
  methodWord: null,
  trxId: null,
  why: 'one apple was bad',
  reason: null,
  code: null,
  till: null,
  cashier: 'Anna',
  answeredBy: null,
  shift: 3,
  createdAt: '2026-11-21T08:10:00.000Z',
  endedAt: '2026-11-21T08:10:02.000Z',
  decided: null,
  decidedAt: null,
  note: null,
  told: null,
});

export const RefundAnswer = Type.Object(
  {
    id: Type.String({ description: "the till's id of the refund" }),
    payment: Type.String({ description: '`id` of the payment' }),
    amount: Type.Integer({ description: 'kopecks' }),
    state: Type.Enum([...REFUND_STATES], {
      title: 'RefundState',
      description:
        'done: the money is refunded, or will be for certain. refused: it has refunded nothing; the amount is free again, for another id. pending: the bank has accepted it. asked, sent, unknown: it may have gone back, and may not: the device goes on asking the bank; the same call with the same id returns the state, and never refunds twice',
    }),
    bankId: orNull(Type.String(), 'what the bank calls it'),
    method: orNull(
      PaymentMethodName,
      'the method of the refund: as the bank reports it, else that of the payment; null until it is done',
    ),
    methodWord: orNull(Type.String(), "the bank's own word for that; null where it has none"),
    trxId: orNull(Type.String(), 'id of the operation of the refund; null where the bank does not report it'),
    why: orNull(Type.String(), 'it goes back, in the words of who has asked for it; null where nothing was said'),
    reason: orNull(Type.String(), "the bank's words, or why it has not answered"),
    code: orNull(
      Type.Enum(['Bank.NoConsent'], { title: 'RefusalCode' }),
      'of a refusal that has a cause and a remedy of its own, as `/errors` has them; null for any other',
    ),
    till: orNull(Type.String(), 'name of the credential that asked for it; null where none was asked for'),
    cashier: orNull(Type.String(), 'who sat at the till; null where nothing said'),
    answeredBy: orNull(Type.String(), 'whose PIN answered for more than the limit; null where none was needed'),
    shift: orNull(Type.Integer(), 'number of the shift in which it was done; null before'),
    createdAt: timestamp('when it was asked for'),
    endedAt: timestampOrNull('when it was done or refused, UTC'),
    decided: orNull(RefundOutcome, 'what a person has decided'),
    decidedAt: timestampOrNull('when a person has decided it, UTC'),
    note: orNull(Type.String(), 'of the person who has decided it'),
    told: orNull(
      Type.Enum([...REFUND_STATES], { title: 'RefundState' }),
      'the state that the bank has reported last, where a person has decided; null where no person has',
    ),
  },
  { title: 'Refund', description: 'a refund', examples: [REFUND_EXAMPLE] },
);

const UNDECIDED_EXAMPLE = {
  ...REFUND_EXAMPLE,
  state: 'unknown',
  bankId: null,
  method: null,
  reason: 'the bank has not answered',
  shift: null,
  endedAt: null,
};
export const RefundUndecided = Type.Object(RefundAnswer.properties, {
  title: 'Refund',
  description: 'a refund of which nothing is decided yet',
  examples: [UNDECIDED_EXAMPLE],
  headers: { Location: { type: 'string', description: 'path of the refund, to follow it' } },
});

export const RefundsList = Type.Object(
  { refunds: Type.Array(RefundAnswer, { description: 'oldest first' }) },
  { title: 'Refunds', description: 'the refunds of a payment', examples: [{ refunds: [REFUND_EXAMPLE] }] },
);

export const RefundWaitQuery = Type.Object(
  {
    wait,
    state: Type.Optional(
      Type.Enum([...REFUND_STATES], {
        title: 'RefundState',
        description: 'the one that the caller knows, with `wait`',
      }),
    ),
  },
  { additionalProperties: false },
);

/** A full refund, too, names its amount: an empty or misspelt body refunds nothing. */
export const RefundBody = Type.Object(
  {
    amount: Type.Union([Type.Integer({ ...KOPECKS, minimum: 1, maximum: MAX_AMOUNT_KOPECKS }), Type.Enum(['all'])], {
      description: 'kopecks, or `all` for the rest',
    }),
    supervisorPin: maybe(
      Type.String({
        minLength: 1,
        maxLength: 32,
        pattern: NO_CONTROLS,
        description:
          'PIN of a supervisor or a technician, who answers for more than this caller may give back (`Payments.RefundLimit`); not looked at where it is not needed',
      }),
    ),
    cashier: CashierField,
    why: maybe(
      noteText(
        `why it goes back, ${MAX_NOTE_CHARACTERS} characters at most: it is kept, and stands in events, exports and on the page. The same id with another \`why\` is answered with the first one, which stays`,
      ),
    ),
    id: maybe(
      id(
        'names this refund, in place of the header `Idempotency-Key`: the same again is the same refund. Not `.` or `..`, also in the header: a path leads elsewhere by them',
      ),
    ),
  },
  {
    title: 'RefundRequest',
    additionalProperties: false,
    examples: [
      { amount: 345, id: 'return-17', why: 'one apple was bad' },
      { amount: 'all', id: 'return-18' },
    ],
  },
);

export const DecideBody = Type.Object(
  {
    outcome: Type.Enum([...REFUND_OUTCOMES], {
      title: 'RefundOutcome',
      description: 'as the account at the bank shows. done: the money is refunded. refused: it is not, and will not be',
    }),
    note: noteText('who has looked where, and what was seen'),
  },
  {
    title: 'RefundDecision',
    additionalProperties: false,
    examples: [{ outcome: 'done', note: 'the account shows it on 21 November' }],
  },
);

export const refundAnswer = (refund: Refund): Static<typeof RefundAnswer> => ({
  id: refund.tillId,
  payment: refund.orderId,
  amount: refund.amount,
  state: refund.state,
  bankId: refund.bankRefundId,
  method: refund.paidBy?.method ?? null,
  methodWord: refund.paidBy?.word ?? null,
  trxId: refund.trxId,
  why: refund.why,
  reason: refund.reason,
  code: refusalCode(refund),
  till: refund.requester.till,
  cashier: refund.requester.cashier,
  answeredBy: refund.requester.answeredBy,
  shift: refund.shift,
  createdAt: isoTime(refund.createdAt),
  endedAt: isoTimeOrNull(refund.endedAt),
  decided: refund.decision?.outcome ?? null,
  decidedAt: isoTimeOrNull(refund.decision?.at ?? null),
  note: refund.decision?.note ?? null,
  told: refund.told,
});
