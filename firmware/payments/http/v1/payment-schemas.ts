/** Requests and answers of `/v1` about payments: validation, serialisation and OpenAPI come from here. */
import Type, { type Static } from 'typebox';
import { ordinal } from '../../../core/http/index.ts';
import { id, KOPECKS, maybe, NO_CONTROLS, orNull } from '../../../core/schema/index.ts';
import { PAYMENT_STATES } from '../../model/payment.ts';
import { FIELDS_EXAMPLE, RETURNED_FIELDS } from '../../model/sale-fields.ts';
import { PaymentMethodName } from '../../model/words.ts';
import { profileName } from '../../settings/settings-document.ts';
import { day, KeyHeader, MAX_NOTE_CHARACTERS, pageFields, timestamp, timestampOrNull, wait } from './fields.ts';
import { REFUND_EXAMPLE, RefundAnswer } from './refund-schemas.ts';

/** The states of a payment, as every call names them. */
export const PaymentState = Type.Enum([...PAYMENT_STATES], { title: 'PaymentState', description: 'how it stands' });

export const PAYMENT_EXAMPLE = Object.freeze({
  id: '7c0f4b1e-2d5a-86b3-9e41-0a8d53c7f219',
  number: 17,
  state: 'ACCEPTED',
  amount: 12345,
  purpose: 'Apples',
  profile: 'sandbox',
  bank: 'Sandbox',
  test: true,
  qrcId: 'f9dcc128-a461-476e-b263-497e04b9ecd9',
  trxId: 'A6FBZF88L4SS79U7Q328CVQYGPB8QT8J',
  method: 'sbp',
  methodWord: 'SBP_C2B',
  payload: 'http://127.0.0.1:1280/pay/AD100004BAL7227F9BNP6KNE007J9B3K',
  link: 'http://127.0.0.1:1280/pay/AD100004BAL7227F9BNP6KNE007J9B3K',
  till: null,
  cashier: 'Anna',
  shift: 3,
  askedShift: 3,
  ...FIELDS_EXAMPLE,
  createdAt: '2026-11-21T08:00:00.000Z',
  expiresAt: '2026-11-21T08:05:00.000Z',
  endedAt: '2026-11-21T08:00:20.000Z',
  paidAt: '2026-11-21T08:00:19.000Z',
  bankPayment: {
    id: 'f9dcc128-a461-476e-b263-497e04b9ecd9',
    trxId: 'A6FBZF88L4SS79U7Q328CVQYGPB8QT8J',
    method: 'sbp',
    methodText: 'СБП',
    operationId: 'A6FBZF88L4SS79U7Q328CVQYGPB8QT8J',
    paidAt: '2026-11-21T08:00:19.000Z',
    payerBank: 'Тестовый банк',
    payerPhone: null,
  },
  refunded: 0,
  late: false,
  note: null,
  acknowledgedAt: null,
  receipt: null,
  error: null,
  failure: null,
  silence: null,
  doubt: null,
});

/** The same payment when its code was just shown. */
export const PENDING_EXAMPLE = Object.freeze({
  ...PAYMENT_EXAMPLE,
  state: 'PENDING',
  trxId: null,
  method: null,
  methodWord: null,
  shift: null,
  endedAt: null,
  paidAt: null,
  bankPayment: null,
});

/** The same payment when it was cancelled. */
const CANCELED_EXAMPLE = Object.freeze({
  ...PENDING_EXAMPLE,
  state: 'CANCELED',
  endedAt: '2026-11-21T08:02:10.000Z',
});

/** What a receipt prints about the payment: the same fields at each bank. */
export const BankPayment = Type.Object(
  {
    id: Type.String({ description: "the bank's id of the payment, as `qrcId`" }),
    trxId: orNull(
      Type.String(),
      'id of the operation: of SBP, of the platform of digital roubles, or an RRN; null at banks that do not report it',
    ),
    method: PaymentMethodName,
    methodText: Type.String({ description: 'the same in words to print, in Russian: `Цифровые рубли`' }),
    operationId: orNull(
      Type.String({ maxLength: 256 }),
      "what names the payment on a receipt (tag 1237), at each bank: `trxId`, else the bank's `id`; null where both are longer than the tag",
    ),
    paidAt: timestamp("when it was paid, by the bank's clock; where that does not say, when this device heard of it"),
    payerBank: orNull(
      Type.String(),
      "the payer's bank as the bank writes it: a name, a BIC or a member's number; null where it does not say",
    ),
    payerPhone: orNull(
      Type.String(),
      "`***1234`, the end of the payer's phone number; null where the bank does not say",
    ),
  },
  { title: 'BankPayment' },
);

const PRINTED = Type.Enum(['printed'], { title: 'ReceiptState', description: 'a till has printed it' });
export const ReceiptBody = Type.Object(
  { state: PRINTED },
  { title: 'PrintedReceipt', additionalProperties: false, examples: [{ state: 'printed' }] },
);
const Receipt = Type.Object({ state: PRINTED, at: timestamp('when that was said first') }, { title: 'Receipt' });

/** Why a payment stays open: its bank is asked and does not report, or its report cannot be stored. */
export const SilenceAnswer = Type.Object(
  {
    code: Type.String({
      description:
        '`Bank.Unreachable`: no answer. `Bank.Refused`, `Bank.Contradiction`: an answer that does not report this payment. `Internal.*`: the bank has reported, and the device cannot store it',
    }),
    detail: Type.String({ description: "a sentence, with the bank's words where it has any" }),
    since: timestamp(
      'of the first question without an answer, or the first answer not stored, since the last start of the device',
    ),
  },
  { title: 'Silence' },
);

/** Why a payment has failed. */
export const FailureAnswer = Type.Object(
  {
    code: Type.String({ description: 'as `code` of the refusal that the call was answered with: `Bank.Refused`' }),
    detail: Type.String({ description: 'the same as a sentence, as `error` has it' }),
  },
  { title: 'PaymentFailure', description: 'why a payment has failed' },
);

export const PaymentAnswer = Type.Object(
  {
    id: Type.String({ description: 'names the payment: our order id at the bank' }),
    number: Type.Integer({ description: 'its number in the ledger' }),
    state: PaymentState,
    amount: Type.Integer({ description: 'kopecks' }),
    purpose: orNull(Type.String(), 'what it was for; null where the till named nothing'),
    profile: Type.String({ description: 'of the settings' }),
    bank: Type.String({ description: '`bankName` of the profile' }),
    test: Type.Boolean({ description: "no money moves: the sandbox bank, a bank's test contour, shop or terminal" }),
    qrcId: orNull(
      Type.String(),
      "the bank's id of the payment, which at most banks is not that of the link; null until the bank has given one",
    ),
    trxId: orNull(
      Type.String(),
      'id of the operation: of SBP, of the platform of digital roubles, or an RRN; null where the bank does not report it',
    ),
    method: orNull(PaymentMethodName, 'how it was paid; null until it is'),
    methodWord: orNull(Type.String(), "the bank's own word for that; null where it has none"),
    payload: orNull(Type.String(), 'what its code carries; null until the bank has given one'),
    link: orNull(Type.String(), 'what a browser opens to pay it; null where its code carries no address'),
    till: orNull(Type.String(), 'name of the credential that asked for it; null where none was asked for'),
    cashier: orNull(Type.String(), 'who sat at the till; null where nothing said'),
    shift: orNull(Type.Integer(), 'number of the shift in which it was accepted; null until it is'),
    askedShift: orNull(Type.Integer(), 'the same in which it was asked for; null where no shift could be read'),
    ...RETURNED_FIELDS,
    createdAt: timestamp('when it was asked for'),
    expiresAt: timestampOrNull(
      'when its `ttl` is over, UTC: it stays open a minute longer, and as long as its bank does not report it; null of a static code',
    ),
    endedAt: timestampOrNull('when its state changed last; null while it is open'),
    paidAt: timestampOrNull("when it was paid by the bank's clock; null where that does not report it"),
    bankPayment: orNull(BankPayment, 'for the receipt; null until it is `ACCEPTED`'),
    refunded: Type.Integer({ description: 'kopecks refunded so far' }),
    late: Type.Boolean({ description: 'accepted, and to be looked into by a person' }),
    note: orNull(Type.String(), 'of the person who has looked into it; null where there is none'),
    acknowledgedAt: timestampOrNull('when a person has looked into it; null where none has'),
    receipt: orNull(Receipt, 'null where no till has printed one'),
    error: orNull(Type.String(), 'why it has failed; null unless it has'),
    failure: orNull(FailureAnswer, 'the same with its code; null where `error` is'),
    silence: orNull(
      SilenceAnswer,
      'why its state is not known: its bank does not report it, or the device cannot store it; null where it is, where it is not `PENDING`, and in events',
    ),
    doubt: orNull(
      Type.Enum(['consent'], { title: 'Doubt' }),
      'why an unpaid payment may be paid: `consent`: its bank hides what was paid in digital roubles from a shop that has not given a consent, so look in the account at the bank before you sell again; null where nothing speaks for it, and in events',
    ),
  },
  { title: 'Payment', description: 'a payment', examples: [PAYMENT_EXAMPLE] },
);

export const PaymentWithRefunds = Type.Object(
  { ...PaymentAnswer.properties, refunds: Type.Array(RefundAnswer, { description: 'oldest first' }) },
  {
    title: 'PaymentWithRefunds',
    description: 'a payment and its refunds',
    examples: [{ ...PAYMENT_EXAMPLE, refunded: 345, refunds: [REFUND_EXAMPLE] }],
  },
);

/** Kopecks: the largest amount that a search accepts, above that of any payment. */
const MOST_SOUGHT = 999_999_999_999;

export const WaitQuery = Type.Object(
  {
    wait,
    state: Type.Optional({
      ...PaymentState,
      description: 'with `wait`: the state that the caller knows; one that is different is answered at once',
    }),
  },
  { additionalProperties: false },
);

export const PaymentsQuery = Type.Object(
  {
    number: Type.Optional(ordinal('number in the ledger')),
    orderId: Type.Optional(id('`id` of the payment')),
    qrcId: Type.Optional(
      id("the bank's id of the payment, or the payment system's id of the code, which stands in its link"),
    ),
    trxId: Type.Optional(id("the payment system's id of the transaction")),
    key: Type.Optional({ ...KeyHeader, description: 'the `Idempotency-Key` of the sale' }),
    reference: Type.Optional(id('what the till calls it')),
    text: Type.Optional(
      id(
        "part of the purpose, the reference or the cashier's name, in small letters or capitals; from six characters on also of `id`, `qrcId` and `trxId`",
      ),
    ),
    amount: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_SOUGHT, ...KOPECKS, description: 'kopecks' })),
    day: Type.Optional(day('the day on which it was asked for, in the time zone of the device')),
    from: Type.Optional(day('the first of the days on which it was asked for, with `to`')),
    to: Type.Optional(day('the last of them, 31 days after `from` at most')),
    state: Type.Optional(PaymentState),
    late: Type.Optional(Type.Boolean({ description: 'true: only those that are to be looked into by a person' })),
    method: Type.Optional(PaymentMethodName),
    receipt: Type.Optional(
      Type.Enum(['missing'], {
        description:
          'missing: only those that are `ACCEPTED`, not wholly refunded, and without a receipt, of tills that had printed one by then',
      }),
    ),
    profile: Type.Optional(profileName('name of the profile')),
    till: Type.Optional(id('name of the credential that asked for it')),
    ...pageFields('payments'),
  },
  { additionalProperties: false },
);
export type PaymentsQuery = Static<typeof PaymentsQuery>;

export const PaymentsPage = Type.Object(
  {
    payments: Type.Array(PaymentAnswer, { description: 'newest first' }),
    cursor: orNull(Type.String(), 'of the next page; null where there is none'),
  },
  {
    title: 'PaymentsPage',
    description: 'payments that fit all that was asked for',
    examples: [{ payments: [PAYMENT_EXAMPLE], cursor: null }],
  },
);

export const CancelAnswer = Type.Object(
  {
    outcome: Type.Enum(['withdrawn', 'already-paid', 'refunded', 'not-possible', 'unknown'], {
      description:
        'withdrawn: it cannot be paid any more. already-paid: it is ACCEPTED, or being paid; refund it if it is not wanted. refunded: it had been paid, and the bank refunds all of it. not-possible: the bank cannot, and it may be paid until its time is over. unknown: the bank does not answer; it is followed to its end',
    }),
    payment: PaymentAnswer,
  },
  {
    title: 'Cancellation',
    description: 'the outcome of the cancellation',
    examples: [
      {
        outcome: 'withdrawn',
        payment: CANCELED_EXAMPLE,
      },
    ],
  },
);

const NoteField = maybe(
  Type.String({
    maxLength: MAX_NOTE_CHARACTERS,
    pattern: NO_CONTROLS,
    description: 'who has looked into it, and what came of that',
  }),
);
export const AcknowledgeBody = Type.Object(
  { note: NoteField },
  { title: 'Acknowledgement', additionalProperties: false, examples: [{ note: 'the customer was given the goods' }] },
);
