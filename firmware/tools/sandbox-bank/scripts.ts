/**
 * What a payment does by itself, scripted by the last two digits of its amount: a till's programmer gets each fault by
 * its price. The table of the documentation is made from this one.
 */
import type { Fault, FaultyCall } from './faults.ts';

const SLOW_ANSWER_MS = 3000;
const RETRY_AFTER_S = 1;
/** How often a call is refused before it succeeds. */
const REFUSALS = 2;

export interface Script {
  /** Description for the table of the documentation. */
  readonly does: string;
  /** Faults of its answers. */
  readonly faults?: readonly Fault[];
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

/** Scripts by kopecks; every other amount is a plain payment, as 12.34 and 123.45, which people type to try a lane. */
export const SCRIPTS = {
  1: { does: 'declined at once' },
  2: { does: 'accepted late: in processing when the time of its code is over, paid 3 seconds after' },
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
  },
  16: { does: 'paid by itself after 3 seconds' },
  17: { does: 'expired, and paid anyway 30 seconds after its time' },
  18: { does: 'its refund is refused' },
  19: { does: 'its refund is pending for 5 seconds' },
  21: { does: 'paid in the moment in which it is cancelled' },
  22: { does: 'its code has expired at once' },
  23: { does: 'once the payer has paid, in processing for 10 seconds' },
  24: { does: 'once the payer has paid, in processing for 3 seconds, then declined' },
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
  31: { does: 'paid in digital roubles' },
  32: { does: 'paid by a method that the device does not know' },
  33: { does: 'its refund is refused, as the shop has not given its consent' },
  37: { does: 'its link is nothing but its id' },
  38: { does: 'its link has a field that is new' },
  39: {
    does: 'not cancelled: the connection breaks before each call for it',
    faults: failing('drop-before', ['cancel'], { times: ALWAYS }),
  },
  41: { does: 'its cancellation is refused', faults: failing('refuse', ['cancel'], { times: ALWAYS }) },
} as const satisfies { readonly [kopecks: number]: Script };

export type ScriptCode = keyof typeof SCRIPTS;

const isScripted = (kopecks: number): kopecks is ScriptCode => kopecks in SCRIPTS;

/** The script of an amount; null for a plain payment. Amounts up to one rouble are plain. @param amount kopecks */
export function scriptOf(amount: number): ScriptCode | null {
  const kopecks = amount % 100;
  return amount > 100 && isScripted(kopecks) ? kopecks : null;
}

const LATE_MS = 3000;
const REVIVED_MS = 30_000;
const SELF_PAID_MS = { 14: 2000, 16: 3000 } as const;
const PROCESSING_MS = { 23: 10_000, 24: 3000 } as const;
const REFUND_PENDING_MS = 5000;

export interface Moment {
  readonly state: 'open' | 'processing' | 'paid' | 'declined' | 'cancelled';
  /** Whether a payer can see the code. */
  readonly coded: boolean;
  /** Time since it got this state; for an open one, since it has its code. */
  readonly sinceMs: number;
  /** Time until its code expires; below 0 after that. */
  readonly leftMs: number;
}

/** The state that a scripted payment has got by itself; null where it stays as it is. */
export function comesInto(
  script: ScriptCode | null,
  { state, coded, sinceMs, leftMs }: Moment,
): Moment['state'] | null {
  if (state === 'processing' && (script === 23 || script === 24)) {
    if (sinceMs < PROCESSING_MS[script]) return null;
    return script === 23 ? 'paid' : 'declined';
  }
  if (script === 2 && (state === 'open' || state === 'processing')) {
    if (leftMs > 0) return null;
    return leftMs <= -LATE_MS ? 'paid' : 'processing';
  }
  if (state !== 'open' || !coded) return null;
  if (script === 1) return 'declined';
  if ((script === 14 || script === 16) && sinceMs >= SELF_PAID_MS[script]) return 'paid';
  return script === 17 && leftMs <= -REVIVED_MS ? 'paid' : null;
}

const PAYMENT_SYSTEM = 'https://qr.nspk.ru';
const MEMBER = '100000000007';

/** The link of a scripted payment, as the payment system would write it; null for the payer's page. */
export function scriptedLink(amount: number, qrcId: string): string | null {
  const script = scriptOf(amount);
  if (script === 37) return `${PAYMENT_SYSTEM}/${qrcId}`;
  return script === 38 ? `${PAYMENT_SYSTEM}/${qrcId}?type=02&bank=${MEMBER}&sum=${amount}&cur=RUB&way=2` : null;
}

/** The first state of a refund. */
export const refundBegins = (amount: number): 'pending' | 'done' | 'declined' => {
  const script = scriptOf(amount);
  if (script === 18 || script === 33) return 'declined';
  return script === 19 ? 'pending' : 'done';
};

/** Whether a pending refund is done. */
export const refundIsDone = (sinceMs: number): boolean => sinceMs >= REFUND_PENDING_MS;

/** The state of a payment when the payer pays. */
export const paymentBegins = (amount: number): 'paid' | 'processing' => {
  const script = scriptOf(amount);
  return script === 23 || script === 24 ? 'processing' : 'paid';
};

/** The fault of a scripted payment's answer. @param earlier how often this call was made for it before */
export function scriptedFault(amount: number, call: FaultyCall, earlier: number): Fault | null {
  const script = scriptOf(amount);
  if (script === null) return null;
  const { faults }: Script = SCRIPTS[script];
  return faults?.find((fault) => fault.call === call && earlier < (fault.times ?? 1)) ?? null;
}
