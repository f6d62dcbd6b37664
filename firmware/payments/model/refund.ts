/** A refund: money of a paid payment, all of it or a part, that goes back. */

import { type PaidBy, storedMethod } from '../../banks/index.ts';
import type { Row } from '../../core/book/index.ts';
import { isNamedTill } from '../../core/config/index.ts';
import { columnNumber, columnText } from './payment-row.ts';

/**
 * - `asked`: it is in the ledger and was not sent to the bank, unless the ledger was restored to an older state
 * - `sent`: the request is on its way to the bank, or was when the process ended
 * - `unknown`: the bank may have made it; no answer has confirmed that
 * - `pending`: the bank has accepted it, and it is under way
 * - `done`: the money has gone back, or will for certain
 * - `refused`: the bank does not make it, and no money of it has gone back
 */
export const REFUND_STATES = Object.freeze(['asked', 'sent', 'unknown', 'pending', 'done', 'refused'] as const);
export type RefundState = (typeof REFUND_STATES)[number];

/** How a refund ends. */
export const REFUND_OUTCOMES = Object.freeze(['done', 'refused'] as const satisfies readonly RefundState[]);
export type RefundOutcome = (typeof REFUND_OUTCOMES)[number];

/** Who has asked for a refund. */
export interface RefundRequester {
  /** Name of the credential; null where none was required. */
  readonly till: string | null;
  /** The cashier; null where unknown. */
  readonly cashier: string | null;
  /** Owner of the PIN that approved more than the limit; null where none was needed. */
  readonly answeredBy: string | null;
}

export const NOBODY: RefundRequester = Object.freeze({ till: null, cashier: null, answeredBy: null });

export interface NewRefund {
  /** Our id, which the bank gets. */
  readonly refundId: string;
  /** The till's id, which no other refund of its payments has. */
  readonly tillId: string;
  /** Order id of the payment. */
  readonly orderId: string;
  readonly profile: string;
  readonly bank: string;
  /** Kopecks. */
  readonly amount: number;
  /** Kopecks that had gone back before it was asked for. */
  readonly refundedBefore: number;
  /** Wall clock, ms since 1970. */
  readonly createdAt: number;
  /** The refunder's name in the sums of the daily limit; null where no limit applies. */
  readonly refundedBy: string | null;
  readonly requester: RefundRequester;
  /** The refund's reason, in the words of the person or till that requests it. */
  readonly why?: string | null;
}

/** How a refund goes back. */
export interface RefundWay {
  /** The method: the bank's word, else the method of the payment; null before it is done, and where unknown. */
  readonly paidBy: PaidBy | null;
  /** Id of the operation; null where the bank gives none. */
  readonly trxId: string | null;
}

export interface RefundProgress {
  readonly state: RefundState;
  /** The bank's id of it; null where the bank has given none. */
  readonly bankRefundId: string | null;
  /** The bank's message, or why no answer came; null for neither. */
  readonly reason: string | null;
  /** Wall clock, ms since 1970; null while it is undecided. */
  readonly endedAt: number | null;
  /** How the money goes back, as far as known now; null values, and a `way` left out, change nothing. */
  readonly way?: RefundWay;
}

/** The decision of a person who has looked in the account at the bank. */
export interface Decision {
  readonly outcome: RefundOutcome;
  readonly note: string;
  /** Wall clock, ms since 1970. */
  readonly at: number;
}

export interface Refund extends NewRefund, Omit<RefundProgress, 'way'>, RefundWay {
  readonly id: number;
  /** A person's decision; null where the outcome is the bank's. */
  readonly decision: Decision | null;
  /** The state that the bank has reported last, where a person has decided; null where no person has. */
  readonly told: RefundState | null;
  /** When the bank reported the end of a refund that a person had decided: wall clock, ms since 1970. */
  readonly toldAt: number | null;
  /** Number of the shift in which it was done; null before that. */
  readonly shift: number | null;
  /**
   * Whether another board requested it, and made the backup that was restored here. This board never sends it, and
   * `/health` names it until its outcome is known from the bank or a person.
   */
  readonly isElsewhere: boolean;
  readonly why: string | null;
}

const isOutcome = (state: string | null): state is RefundOutcome => state === 'done' || state === 'refused';

/** Whether it has no outcome: the money may have gone back or not. */
export const isUndecided = ({ state }: Pick<Refund, 'state'>): boolean => !isOutcome(state);

/** Whether the bank has accepted it and has not reported the outcome yet. */
export const isUnderWay = ({ state, told }: Pick<Refund, 'state' | 'told'>): boolean => (told ?? state) === 'pending';

/** Whether a person has decided it and the bank has not reported its end yet. */
export const isUnreported = ({ decision, told }: Pick<Refund, 'decision' | 'told'>): boolean =>
  decision !== null && !isOutcome(told);

/** Whether a person has decided that no money has gone back, and the bank has not reported an end yet. */
export const isRefusedByHand = ({ decision, told }: Pick<Refund, 'decision' | 'told'>): boolean =>
  decision?.outcome === 'refused' && !isOutcome(told);

/** Whether the bank has reported the opposite of a person's decision, and no person has decided it again since. */
export const isContradicted = ({ decision, told, toldAt }: Pick<Refund, 'decision' | 'told' | 'toldAt'>): boolean =>
  decision !== null && toldAt !== null && toldAt >= decision.at && told !== decision.outcome;

/** Words of a bank about a consent (согласие) that the shop has not given. No bank documents a code for such a refusal. */
const ABOUT_CONSENT = /согласи/i;

/** The code of a refusal where the bank's words say what the shop has to do; null for any other. */
export const refusalCode = ({ state, reason }: Pick<Refund, 'state' | 'reason'>): 'Bank.NoConsent' | null =>
  state === 'refused' && ABOUT_CONSENT.test(reason ?? '') ? 'Bank.NoConsent' : null;

/** Kopecks of refunds that went back, and of those that may have. */
export function sumsOf(refunds: readonly Refund[]): { readonly done: number; readonly undecided: number } {
  const sum = (counts: (refund: Refund) => boolean): number =>
    refunds.filter(counts).reduce((total, { amount }) => total + amount, 0);
  return { done: sum(({ state }) => state === 'done'), undecided: sum(isUndecided) };
}

function decisionOf(row: Row): Decision | null {
  const outcome = columnText(row.decided);
  return isOutcome(outcome) ? { outcome, note: String(row.note ?? ''), at: Number(row.decided_at) } : null;
}

/** Separates the till's id of a refund from the name of its till in the ledger. No id contains it. */
const OF_TILL = '\u001f';

/**
 * The key of a refund in the ledger: its id, followed by the name of the asking till where it has one, so that ids of
 * two tills never collide.
 */
export const storedTillId = (tillId: string, till: string | null): string =>
  isNamedTill(till) ? `${tillId}${OF_TILL}${till}` : tillId;

/** A refund from its row. A state that is damaged reads as `unknown`: the money may have gone back. */
export const refundOf = (row: Row): Refund => ({
  id: Number(row.id),
  refundId: String(row.refund_id),
  tillId: String(row.till_id).split(OF_TILL)[0] ?? '',
  orderId: String(row.order_id),
  profile: String(row.profile),
  bank: String(row.bank),
  amount: Number(row.amount),
  refundedBefore: Number(row.refunded_before),
  createdAt: Number(row.created_at),
  refundedBy: columnText(row.giver),
  requester: { till: columnText(row.till), cashier: columnText(row.cashier), answeredBy: columnText(row.answered_by) },
  why: columnText(row.why),
  state: REFUND_STATES.find((state) => state === row.state) ?? 'unknown',
  bankRefundId: columnText(row.bank_refund_id),
  reason: columnText(row.reason),
  endedAt: columnNumber(row.ended_at),
  paidBy: storedMethod(columnText(row.method), columnText(row.method_word)),
  trxId: columnText(row.trx_id),
  decision: decisionOf(row),
  told: REFUND_STATES.find((state) => state === row.told) ?? null,
  toldAt: columnNumber(row.told_at),
  shift: columnNumber(row.shift),
  isElsewhere: row.decided === 'elsewhere',
});

/** Whether two callers may be the same till: a caller without a name may be any. */
export const maybeSameTill = (one: string | null, other: string | null): boolean =>
  one === other || !isNamedTill(one) || !isNamedTill(other);

/** The refund that a till means by its id: its own, else another till's, an undecided one first. */
export function refundOfTill(till: string | null, tillId: string, ofPayment: readonly Refund[]): Refund | undefined {
  const withId = ofPayment.filter((refund) => refund.tillId === tillId);
  return withId.find(({ requester }) => requester.till === till) ?? withId.find(isUndecided) ?? withId[0];
}
