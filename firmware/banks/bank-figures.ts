/** Figures of the banks for `/metrics`: the time of each step of a payment, failures, whether the bank in use is reached. */
import type { Metrics } from '../core/host/index.ts';
import type { Bank, OnlineBank } from './bank.ts';
import { BankError } from './bank-error.ts';

/** Seconds; a customer notices one second, and the last exceeds most deadlines. */
const ANSWER_BUCKETS_S = [0.25, 0.5, 1, 2.5, 5, 10];
const MS = 1000;

/** Gets each answer: the bank, the step, its seconds; `failure` is null where the bank did what it was asked. */
export type BankListener = (bank: string, step: string, seconds: number, failure: string | null) => void;

export function countBanks(metrics: Metrics): BankListener {
  const answers = metrics.histogram(
    'laneware_bank_answer_seconds',
    'Time from a question to the answer of a bank, or to the end of waiting for it, by bank and step',
    ['bank', 'step'],
    ANSWER_BUCKETS_S,
  );
  const failures = metrics.counter('laneware_bank_failures_total', 'Questions that a bank did not answer, or refused', [
    'bank',
    'step',
    'failure',
  ]);
  return (bank, step, seconds, failure) => {
    answers.observe({ bank, step }, seconds);
    if (failure !== null) failures.inc({ bank, step, failure });
  };
}

const HTTPS_PORT = '443';

/** Host and port of a bank over TLS, whose certificate shows the updater that the way to it is open; empty for another. */
function serverOf(address: string | null): string {
  if (address === null) return '';
  const { protocol, hostname, port } = new URL(address);
  return protocol === 'https:' ? `${hostname}:${port || HTTPS_PORT}` : '';
}

/** Whether the bank in use is open and reached, and where it is called. */
interface Reachability {
  readonly isOpen: boolean;
  readonly isReached: boolean | null;
  readonly address: string | null;
}

/** Shows whether the bank in use is reached, from which the updater judges a release. @param read null until there is a bank */
export function gaugeReachability(metrics: Metrics, read: () => Reachability | null): void {
  metrics.gauges(
    'laneware_bank_reached',
    'Whether the bank in use has answered the last question that only asks whether it answers, by its server; 0 also before the first',
    ['server'],
    () => {
      const health = read();
      if (health?.isOpen !== true) return [];
      return [[{ server: serverOf(health.address) }, Number(health.isReached === true)]];
    },
  );
}

type CallListener = (step: string, seconds: number, failure: string | null) => void;

/** A call of a bank that is a step of a payment, with its time. */
function timed<Given extends unknown[], Answer>(
  bank: OnlineBank,
  step: string,
  call: (...values: Given) => Promise<Answer>,
  onCall: CallListener,
): (...values: Given) => Promise<Answer> {
  return async (...values) => {
    const begun = performance.now();
    const seconds = (): number => (performance.now() - begun) / MS;
    try {
      const answer = await call.apply(bank, values);
      onCall(step, seconds(), null);
      return answer;
    } catch (error) {
      if (error instanceof BankError) onCall(step, seconds(), error.code);
      throw error;
    }
  };
}

/** The same bank; each call that is a step of a payment is timed. */
export function withTimedCalls(bank: Bank, onCall: CallListener): Bank {
  if (bank.kind === 'static') return bank;
  const { begin, code, find, status, cancel, refund, refundStatus, findRefund } = bank;
  return {
    kind: bank.kind,
    ...(bank.address !== undefined && { address: bank.address }),
    ...(bank.printed !== undefined && { printed: bank.printed }),
    linkRule: bank.linkRule,
    begin: timed(bank, 'register', begin, onCall),
    status: timed(bank, 'status', status, onCall),
    ...(code && { code: timed(bank, 'qr', code, onCall) }),
    ...(find && { find: timed(bank, 'status', find, onCall) }),
    ...(cancel && { cancel: timed(bank, 'cancel', cancel, onCall) }),
    ...(refund && { refund: timed(bank, 'refund', refund, onCall) }),
    ...(refundStatus && { refundStatus: timed(bank, 'refund', refundStatus, onCall) }),
    ...(findRefund && { findRefund: timed(bank, 'refund', findRefund, onCall) }),
    ...(bank.isOnPresentCode && { isOnPresentCode: bank.isOnPresentCode.bind(bank) }),
    ...(bank.cashLinks && { cashLinks: bank.cashLinks }),
    ...(bank.tryOut && { tryOut: bank.tryOut.bind(bank) }),
    close: () => bank.close(),
  };
}
