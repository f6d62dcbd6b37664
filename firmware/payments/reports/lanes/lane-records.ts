/**
 * The records of payments that a lane sends to the store's master, to reconcile them with the bank's registry: no
 * secret, and nothing about the customer. A lane sends them in the order of its ledgers' changes.
 */
import Type, { type Static } from 'typebox';
import { isPlayMoney } from '../../../banks/index.ts';
import { isStoreError } from '../../../core/files/index.ts';
import { fits } from '../../../core/schema/index.ts';
import type { PaymentRow } from '../../model/payment-row.ts';
import type { Refund } from '../../model/refund.ts';
import type { Ledger } from '../../money/ledger.ts';
import type { PaymentQueries } from '../../money/payment-queries.ts';
import type { RefundLedger } from '../../money/refund-ledger.ts';

/** Longest text of a record: the code to pay by. */
const MAX_TEXT = 2048;
/** Changes of each ledger sent in one batch. */
export const RECORDS_AT_ONCE = 100;

const Text = Type.String({ minLength: 1, maxLength: MAX_TEXT });
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const orNothing = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const LanePayment = Type.Object({
  /** The payment's number in the lane's ledger. */
  number: Count,
  orderId: Text,
  profile: Type.String({ maxLength: MAX_TEXT }),
  amount: Count,
  state: Text,
  /** Why it failed, or was given back. */
  failure: orNothing(Type.Object({ category: Type.String({ maxLength: MAX_TEXT }), code: Type.Integer() })),
  bankId: orNothing(Text),
  payload: orNothing(Text),
  trxId: orNothing(Text),
  /** When it was accepted, or ended, ms since 1970. */
  at: orNothing(Count),
  refunded: Count,
  /** Whether no money moves. */
  test: Type.Boolean(),
  /** How it was paid. */
  method: orNothing(Text),
});
export type LanePayment = Readonly<Static<typeof LanePayment>>;

export const LaneRefund = Type.Object({
  number: Count,
  refundId: Text,
  tillId: Text,
  orderId: Text,
  profile: Type.String({ maxLength: MAX_TEXT }),
  amount: Count,
  state: Text,
  bankRefundId: orNothing(Text),
  /** Id of the refund's own operation. */
  trxId: orNothing(Text),
  /** When it ended, ms since 1970. */
  at: orNothing(Count),
});
export type LaneRefund = Readonly<Static<typeof LaneRefund>>;

/** The place up to which the master has a lane's ledgers. */
const LanePlace = Type.Object({
  /** Numbers of the changes. */
  payments: Count,
  refunds: Count,
  /** A commit not before these changes, and the hash of the lane's book up to it: another history has another hash. */
  commit: Count,
  hash: Type.String({ maxLength: MAX_TEXT }),
});
export type LanePlace = Readonly<Static<typeof LanePlace>>;
export const FIRST_PLACE: LanePlace = Object.freeze({ payments: 0, refunds: 0, commit: 0, hash: '' });

export const isSamePlace = (one: LanePlace, other: LanePlace | null): boolean =>
  one.payments === other?.payments &&
  one.refunds === other.refunds &&
  one.commit === other.commit &&
  one.hash === other.hash;

export const LaneBatch = Type.Object({
  /** Identifies the ledger: changes when the numbers of its changes begin anew. */
  ledger: Text,
  /** The place after which these changes come; null asks for the master's place only. */
  after: orNothing(LanePlace),
  to: LanePlace,
  /** Whether nothing is left to send. */
  isAll: Type.Boolean(),
  payments: Type.Array(LanePayment, { maxItems: RECORDS_AT_ONCE }),
  refunds: Type.Array(LaneRefund, { maxItems: RECORDS_AT_ONCE }),
});
export type LaneBatch = Readonly<Static<typeof LaneBatch>>;

/** The master's answer: its place, or why it stores nothing now. */
export const LaneAnswer = Type.Union([
  Type.Object({ place: LanePlace }),
  Type.Object({ refusal: Type.String({ maxLength: MAX_TEXT }) }),
]);
export type LaneAnswer = Readonly<Static<typeof LaneAnswer>>;

export const lanePaymentOf = (payment: PaymentRow): LanePayment => ({
  number: payment.id,
  orderId: payment.orderId,
  profile: payment.profile,
  amount: payment.amount,
  state: payment.status.state,
  failure: payment.status.failure && {
    category: payment.status.failure.category,
    code: payment.status.failure.code,
  },
  bankId: payment.ref?.id ?? null,
  payload: payment.payload,
  trxId: payment.trxId,
  at: payment.paidAt ?? payment.endedAt,
  refunded: payment.refunded,
  test: isPlayMoney(payment.merchant),
  method: payment.paidBy?.method ?? null,
});

export const laneRefundOf = (refund: Refund): LaneRefund => ({
  number: refund.id,
  refundId: refund.refundId,
  tillId: refund.tillId,
  orderId: refund.orderId,
  profile: refund.profile,
  amount: refund.amount,
  state: refund.state,
  bankRefundId: refund.bankRefundId,
  trxId: refund.trxId,
  at: refund.endedAt,
});

/** Changes read at once, fewer than the master accepts: changes of one commit come together and may add a few. */
const READ_AT_ONCE = RECORDS_AT_ONCE / 2;
/** Version of the records, raised when they get new fields: the master then gets all of them anew. */
const RECORDS = 1;

export interface LaneFeedOptions {
  readonly ledger: Pick<Ledger, 'book' | 'table'> & { readonly queries: Pick<PaymentQueries, 'changedAfter'> };
  readonly refunds: Pick<RefundLedger, 'changedAfter'>;
  /** When a backup was restored last: the numbers of the changes go back then. 0: never. */
  readonly restoredAt: number;
}

/**
 * Reads the payments and refunds that a lane sends to its store's master, by the numbers of their changes, beside the
 * sales. Only the master stores how far the lane has sent.
 */
export class LaneFeed {
  readonly #options: LaneFeedOptions;
  /** The last place sent to a master. It is in the history of this book, as long as the book stays open. */
  #sent: { readonly place: LanePlace; readonly openings: number } | null = null;

  constructor(options: LaneFeedOptions) {
    this.#options = options;
  }

  /** Changes whenever there may be something to send; asking reads nothing. */
  get version(): string {
    return String(this.#options.ledger.table.version);
  }

  /**
   * The next changes after a place.
   * @param place null asks for the master's place
   * @throws {Error} of SQLite, or of a closed ledger
   * @throws {StoreError} `ROWS_UNSOUND` while damaged rows are looked for
   */
  async read(place: LanePlace | null): Promise<LaneBatch> {
    const { ledger, refunds, restoredAt } = this.#options;
    const { findings, openings } = ledger.book;
    const head = { ledger: `${ledger.book.name} ${restoredAt} ${RECORDS}`, after: place };
    if (place === null) return { ...head, to: FIRST_PLACE, isAll: false, payments: [], refunds: [] };
    // a ledger restored to an earlier state has other changes under the same numbers: all is sent again
    const after = (await this.#isOwn(place)) ? place : FIRST_PLACE;
    const { commit, hash } = ledger.book.place;
    const paid = this.#afterSearch(() => ledger.queries.changedAfter(after.payments, READ_AT_ONCE));
    const returned = this.#afterSearch(() => refunds.changedAfter(after.refunds, READ_AT_ONCE));
    const to = {
      payments: paid.at(-1)?.change ?? after.payments,
      refunds: returned.at(-1)?.change ?? after.refunds,
      commit,
      hash,
    };
    this.#sent = { place: to, openings };
    return {
      ...head,
      after,
      to,
      isAll: paid.length < READ_AT_ONCE && returned.length < READ_AT_ONCE,
      // a damaged row that no copy has, or that no master accepts, must not hold up those behind it
      payments: paid
        .filter(({ payment }) => findings.at('payments', payment.id) !== 'damaged')
        .map(({ payment }) => lanePaymentOf(payment))
        .filter((each) => fits(LanePayment, each)),
      refunds: returned
        .filter(({ refund }) => findings.at('refunds', refund.id) !== 'damaged')
        .map(({ refund }) => laneRefundOf(refund))
        .filter((each) => fits(LaneRefund, each)),
    };
  }

  /** Whether a place of the master's is in the history of this book. */
  async #isOwn(place: LanePlace): Promise<boolean> {
    const { book } = this.#options.ledger;
    const sent = this.#sent;
    if (sent?.openings === book.openings && isSamePlace(place, sent.place)) return true;
    return Math.max(place.payments, place.refunds) <= place.commit && (await book.hasPassed(place));
  }

  /**
   * Reads rows. While altered rows are looked for it throws, as the master would store them as they are; later those without
   * a copy are read.
   */
  #afterSearch<T>(read: () => T): T {
    const { book } = this.#options.ledger;
    try {
      return book.readSound(read);
    } catch (error) {
      if (!isStoreError(error, 'ROWS_UNSOUND') || book.findings.sought.size > 0) throw error;
      return read();
    }
  }
}
