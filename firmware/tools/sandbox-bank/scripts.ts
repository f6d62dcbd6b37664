/**
 * What a payment does by itself, scripted by the last two digits of its amount: a till's programmer provokes each fault by
 * its price. The scripts stand in one table, from which the documentation's is made.
 */
import type { Fault, FaultyCall } from './faults.ts';

const SLOW_ANSWER_MS = 3000;
const RETRY_AFTER_S = 1;
/** How often a call is refused before it succeeds. */
const REFUSALS = 2;

export interface Moment {
  readonly state: 'open' | 'processing' | 'paid' | 'declined' | 'cancelled';
  /** Whether a payer can see the code. */
  readonly coded: boolean;
  /** Time since it got this state; for an open one, since it has its code. */
  readonly sinceMs: number;
  /** Time until its code expires; below 0 after that. */
  readonly leftMs: number;
}

/** The state that a payment enters by itself; null while it stays as it is. */
type Course = (moment: Moment) => Moment['state'] | null;

export interface Script {
  /** Description for the table of the documentation. */
  readonly does: string;
  /** Faults of its answers. */
  readonly faults?: readonly Fault[];
  /** The states that it enters by itself. */
  readonly course?: Course;
  /** Its state when the payer pays, where it is not paid at once. */
  readonly whenPaid?: 'processing';
  /** Its code expires as soon as the till has it. */
  readonly isExpiredAtOnce?: true;
  /** The payer pays in the moment of the cancellation. */
  readonly isPaidWhenCancelled?: true;
  /** Answers about it overtake each other. */
  readonly hasOldAnswers?: true;
  /** How it is paid, where not by SBP. */
  readonly method?: 'digital-roubles' | 'unknown';
  /** The first state of its refund, where that is not done at once. */
  readonly refund?: 'declined' | 'pending';
  /** The shop has not given its consent to refunds. */
  readonly lacksConsent?: true;
  /** Its link, as the payment system would write it, in place of the payer's page. @param amount kopecks */
  readonly linkOf?: (qrcId: string, amount: number) => string;
}

const failing = (kind: Fault['kind'], calls: readonly FaultyCall[], more: Partial<Fault> = {}): readonly Fault[] =>
  calls.map((call) => ({ call, kind, ...more }));

const EVERY_CALL: readonly FaultyCall[] = ['register', 'code', 'state', 'find', 'cancel', 'refund', 'refund-state'];
/**
 * All calls except `code`: a till tries a registration three times, and none would succeed if both of its calls were
 * refused twice.
 */
const CALLS_BUT_CODE = EVERY_CALL.filter((call) => call !== 'code');
const ALWAYS = 1_000_000;
const LATE_MS = 3000;
const REVIVED_MS = 30_000;
const REFUND_PENDING_MS = 5000;
const PAYMENT_SYSTEM = 'https://qr.nspk.ru';
const MEMBER = '100000000007';

const after =
  (ms: number, state: Moment['state']): Course =>
  ({ sinceMs }) =>
    sinceMs >= ms ? state : null;
const onceCoded =
  (course: Course): Course =>
  (moment) =>
    moment.state === 'open' && moment.coded ? course(moment) : null;
const whileProcessing =
  (course: Course): Course =>
  (moment) =>
    moment.state === 'processing' ? course(moment) : null;

/** Scripts by kopecks; every other amount is a plain payment, as 12.34 and 123.45, which people type to try a lane. */
export const SCRIPTS = {
  1: { does: 'declined at once', course: onceCoded(() => 'declined') },
  2: {
    does: 'accepted late: in processing when the time of its code is over, paid 3 seconds after',
    course: ({ state, leftMs }) => {
      if ((state !== 'open' && state !== 'processing') || leftMs > 0) return null;
      return leftMs <= -LATE_MS ? 'paid' : 'processing';
    },
  },
  3: { does: 'silent: its state is never returned', faults: failing('silence', ['state'], { times: ALWAYS }) },
  4: { does: 'registered, and the answer is lost', faults: failing('drop', ['register']) },
  5: {
    does: 'registered under the id of an earlier payment of the same merchant',
    faults: failing('duplicate', ['register']),
  },
  6: {
    does: 'each answer comes 3 seconds late',
    faults: failing('delay', EVERY_CALL, { times: ALWAYS, ms: SLOW_ANSWER_MS }),
  },
  7: {
    does: 'HTTP 429 with Retry-After, twice for each call but the second of a registration',
    faults: failing('too-many', CALLS_BUT_CODE, { times: REFUSALS, retryAfterS: RETRY_AFTER_S }),
  },
  8: {
    does: 'HTTP 429 without Retry-After, twice for each call but the second of a registration',
    faults: failing('too-many-untimed', CALLS_BUT_CODE, { times: REFUSALS }),
  },
  9: { does: 'HTTP 500 and nothing done, once for each call', faults: failing('error', EVERY_CALL) },
  12: {
    does: 'its state reports another amount',
    faults: failing('other-amount', ['state', 'find'], { times: ALWAYS }),
  },
  13: {
    does: 'its state reports another payment',
    faults: failing('other-payment', ['state', 'find'], { times: ALWAYS }),
  },
  14: {
    does: 'paid by itself after 2 seconds; then, eight answers long, every second still says that it is in processing',
    course: onceCoded(after(2000, 'paid')),
    hasOldAnswers: true,
  },
  16: { does: 'paid by itself after 3 seconds', course: onceCoded(after(3000, 'paid')) },
  17: {
    does: 'expired, and paid anyway 30 seconds after its time',
    course: onceCoded(({ leftMs }) => (leftMs <= -REVIVED_MS ? 'paid' : null)),
  },
  18: { does: 'its refund is refused', refund: 'declined' },
  19: { does: 'its refund is pending for 5 seconds', refund: 'pending' },
  21: { does: 'paid in the moment in which it is cancelled', isPaidWhenCancelled: true },
  22: { does: 'its code has expired at once', isExpiredAtOnce: true },
  23: {
    does: 'once the payer has paid, in processing for 10 seconds',
    whenPaid: 'processing',
    course: whileProcessing(after(10_000, 'paid')),
  },
  24: {
    does: 'once the payer has paid, in processing for 3 seconds, then declined',
    whenPaid: 'processing',
    course: whileProcessing(after(3000, 'declined')),
  },
  25: { does: 'half an answer, once for each call; the work is done', faults: failing('half', EVERY_CALL) },
  26: { does: 'cancelled, and the answer is lost', faults: failing('drop', ['cancel']) },
  27: { does: 'refunded, and the answer is lost', faults: failing('drop', ['refund']) },
  28: { does: 'refused when it is registered', faults: failing('refuse', ['register'], { times: ALWAYS }) },
  29: {
    does: 'out of reach: the connection breaks before each call',
    faults: failing('drop-before', EVERY_CALL, { times: ALWAYS }),
  },
  30: {
    does: 'not refunded, and never reported: the connection breaks before each call for it',
    faults: failing('drop-before', ['refund', 'refund-state'], { times: ALWAYS }),
  },
  31: { does: 'paid in digital roubles', method: 'digital-roubles' },
  32: { does: 'paid by a method that the device does not know', method: 'unknown' },
  33: { does: 'its refund is refused, as the shop has not given its consent', refund: 'declined', lacksConsent: true },
  37: { does: 'its link is nothing but its id', linkOf: (qrcId) => `${PAYMENT_SYSTEM}/${qrcId}` },
  38: {
    does: 'its link has a field that is new',
    linkOf: (qrcId, amount) => `${PAYMENT_SYSTEM}/${qrcId}?type=02&bank=${MEMBER}&sum=${amount}&cur=RUB&way=2`,
  },
  39: {
    does: 'not cancelled: the connection breaks before each call for it',
    faults: failing('drop-before', ['cancel'], { times: ALWAYS }),
  },
  41: { does: 'its cancellation is refused', faults: failing('refuse', ['cancel'], { times: ALWAYS }) },
} as const satisfies { readonly [kopecks: number]: Script };

const ALL: Readonly<Record<number, Script>> = SCRIPTS;

/** The script of an amount; null for a plain payment. Amounts up to one rouble are plain. @param amount kopecks */
export const scriptOf = (amount: number): Script | null => (amount > 100 ? (ALL[amount % 100] ?? null) : null);

/** Whether a pending refund is done. */
export const refundIsDone = (sinceMs: number): boolean => sinceMs >= REFUND_PENDING_MS;

/** The fault of a scripted payment's answer. @param earlier how often this call was made for it before */
export function scriptedFault(amount: number, call: FaultyCall, earlier: number): Fault | null {
  const faults = scriptOf(amount)?.faults ?? [];
  return faults.find((fault) => fault.call === call && earlier < (fault.times ?? 1)) ?? null;
}
