/** Times a bank's answers: how long each step takes, and what failed. */
import type { Metrics } from '../core/host/index.ts';
import { type Bank, BankError } from './bank.ts';

/** A payment's step for each timed call of a bank; questions that are no step are not timed. */
const STEPS: ReadonlyMap<string | symbol, string> = new Map([
  ['begin', 'register'],
  ['code', 'qr'],
  ['find', 'status'],
  ['status', 'status'],
  ['cancel', 'cancel'],
  ['refund', 'refund'],
  ['refundStatus', 'refund'],
  ['findRefund', 'refund'],
]);
/** Seconds; a customer notices one second, and the last exceeds most deadlines. */
const ANSWER_BUCKETS_S = [0.25, 0.5, 1, 2.5, 5, 10];
const MS = 1000;

/** Gets each answer: the bank, the step, its seconds; `failure` is null where the bank did what it was asked. */
export type HearBank = (bank: string, step: string, seconds: number, failure: string | null) => void;

export function countBanks(metrics: Metrics): HearBank {
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

/** The same bank; each call that is a step of a payment is timed. */
export function timedBank(bank: Bank, hear: (step: string, seconds: number, failure: string | null) => void): Bank {
  if (bank.kind === 'static') return bank;
  const timed = async (step: string, call: () => Promise<unknown>): Promise<unknown> => {
    const begun = performance.now();
    const seconds = (): number => (performance.now() - begun) / MS;
    try {
      const answer = await call();
      hear(step, seconds(), null);
      return answer;
    } catch (error) {
      if (error instanceof BankError) hear(step, seconds(), error.code);
      throw error;
    }
  };
  return new Proxy(bank, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const step = STEPS.get(name);
      const call = (...given: unknown[]) => member.apply(target, given);
      return step === undefined ? call : (...given: unknown[]) => timed(step, async () => call(...given));
    },
  });
}
