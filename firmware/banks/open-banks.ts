/**
 * Holds the open banks: one for each profile, also for profiles that only payments still name. Each step of a payment
 * is timed, and what failed is counted.
 */
import { FieldError } from '../../drivers/lib/errors.ts';
import type { Metrics } from '../core/host/index.ts';
import type { Bank, OnlineBank } from './bank.ts';
import { BankError, UnopenedBank } from './bank-error.ts';
import type { WatchedCertificate } from './certificate-watch.ts';
import { type BankContext, type BankProfile, openBank } from './registry.ts';

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

/** Shows whether the bank in use is reached, from which the updater judges a release. @param read null until there is a bank */
export function gaugeReachability(metrics: Metrics, read: () => BankHealth | null): void {
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

type HearCall = (step: string, seconds: number, failure: string | null) => void;

/** A call of a bank that is a step of a payment, with its time. */
function timed<Given extends unknown[], Answer>(
  bank: OnlineBank,
  step: string,
  call: (...values: Given) => Promise<Answer>,
  hear: HearCall,
): (...values: Given) => Promise<Answer> {
  return async (...values) => {
    const begun = performance.now();
    const seconds = (): number => (performance.now() - begun) / MS;
    try {
      const answer = await call.apply(bank, values);
      hear(step, seconds(), null);
      return answer;
    } catch (error) {
      if (error instanceof BankError) hear(step, seconds(), error.code);
      throw error;
    }
  };
}

/** The same bank; each call that is a step of a payment is timed. */
export function withTimedCalls(bank: Bank, hear: HearCall): Bank {
  if (bank.kind === 'static') return bank;
  const { begin, code, find, status, cancel, refund, refundStatus, findRefund } = bank;
  return {
    kind: bank.kind,
    ...(bank.address !== undefined && { address: bank.address }),
    ...(bank.printed !== undefined && { printed: bank.printed }),
    linkRule: bank.linkRule,
    begin: timed(bank, 'register', begin, hear),
    status: timed(bank, 'status', status, hear),
    ...(code && { code: timed(bank, 'qr', code, hear) }),
    ...(find && { find: timed(bank, 'status', find, hear) }),
    ...(cancel && { cancel: timed(bank, 'cancel', cancel, hear) }),
    ...(refund && { refund: timed(bank, 'refund', refund, hear) }),
    ...(refundStatus && { refundStatus: timed(bank, 'refund', refundStatus, hear) }),
    ...(findRefund && { findRefund: timed(bank, 'refund', findRefund, hear) }),
    ...(bank.isOnPresentCode && { isOnPresentCode: bank.isOnPresentCode.bind(bank) }),
    ...(bank.cashLinks && { cashLinks: bank.cashLinks }),
    ...(bank.tryOut && { tryOut: bank.tryOut.bind(bank) }),
    close: () => bank.close(),
  };
}

/** Failures since the last registered payment. */
export interface RegistrationFailures {
  /** Failed payments in a row. */
  readonly payments: number;
  /** Error of the last payment. */
  readonly error: BankError;
}

/** The bank did not answer questions that only ask whether it answers. */
interface Silence {
  /** Unanswered questions in a row. */
  readonly times: number;
  /** Error of the last question. */
  readonly error: BankError;
}

/** Health of a profile's bank, by the calls made so far. */
export interface BankHealth {
  /** Whether it is open: payments can be registered, as far as the device knows. */
  readonly isOpen: boolean;
  /** Why the last opening failed; null where it worked. */
  readonly openProblem: string | null;
  /** Certificates that it cannot be asked without. */
  readonly certificates: readonly WatchedCertificate[];
  /** Failures of the last registrations; null where the last one worked, or there was none. */
  readonly failures: RegistrationFailures | null;
  /** The bank's refusal of the credentials; null where it last took them, or was not asked. */
  readonly unauthorized: BankError | null;
  /** The bank's silence; null where it last answered, or was not asked. */
  readonly silence: Silence | null;
  /** What is unusual in its last link; null for nothing, or no link. */
  readonly unusualLink: string | null;
  /** Whether the last question that only asks whether it answers reached it; null where there was none. */
  readonly isReached: boolean | null;
  /** Where it is called (`OnlineBank.address`); null where it is not open, or not called over HTTP. */
  readonly address: string | null;
}

/** The bank of one profile. */
export class Slot {
  /** The opening under way or done; null after a failure: the next call tries again. */
  opening: Promise<Bank> | null = null;
  /** The opened bank. */
  bank: Bank | null = null;
  openProblem: string | null = null;
  failures: RegistrationFailures | null = null;
  unauthorized: BankError | null = null;
  silence: Silence | null = null;
  unusualLink: string | null = null;
  isReached: boolean | null = null;
  /** Number of its last failure, counted over all profiles; 0 where the next attempt may work. */
  failedAt = 0;
  certificates: readonly WatchedCertificate[] = [];
}

const keyOf = (profile: BankProfile): string => JSON.stringify(profile);

async function closeSlot({ opening }: Slot): Promise<void> {
  const bank = await opening?.catch(() => null); // a bank that never opened has nothing to close
  if (bank?.kind === 'online') await bank.close();
}

export class OpenBanks {
  readonly #context: BankContext;
  readonly #hear: BankListener;
  readonly #slots = new Map<string, Slot>();

  constructor(context: BankContext, hear: BankListener = () => undefined) {
    this.#context = context;
    this.#hear = hear;
  }

  /** The slot for the bank of a profile. */
  slotOf(profile: BankProfile): Slot {
    const key = keyOf(profile);
    const slot = this.#slots.get(key) ?? new Slot();
    this.#slots.set(key, slot);
    return slot;
  }

  /** The slot of a bank; undefined where the bank was reopened or closed. */
  slotOfBank(bank: OnlineBank): Slot | undefined {
    return [...this.#slots.values()].find((each) => each.bank === bank);
  }

  /**
   * The bank of a profile, opened if needed.
   * @throws {UnopenedBank} the settings are wrong, not a call; the next call tries again
   */
  async open(profile: BankProfile): Promise<Bank> {
    const slot = this.slotOf(profile);
    slot.opening ??= this.#fill(slot, profile);
    try {
      return await slot.opening;
    } catch (cause) {
      if (!(cause instanceof FieldError)) throw cause;
      const message = `no payment can be registered: ${cause.field} ${cause.message}. Mend it, or send other settings with updateDriverSettings`;
      throw new UnopenedBank(message, { cause });
    }
  }

  /**
   * Reopens the bank of a profile, as its files may have changed. The old one stays in use if that fails; else it
   * closes after its calls under way.
   * @throws {FieldError} naming the field that the bank cannot be opened with
   */
  async renew(profile: BankProfile): Promise<void> {
    const key = keyOf(profile);
    const slot = new Slot();
    slot.opening = this.#fill(slot, profile);
    const before = this.#slots.get(key);
    try {
      await slot.opening;
    } catch (error) {
      if (before !== undefined) before.openProblem = slot.openProblem;
      throw error;
    }
    this.#slots.set(key, slot);
    if (before !== undefined) await closeSlot(before);
  }

  /** Closes the banks of all other profiles; they are reopened where a payment needs them. */
  async closeOthers(profile: BankProfile): Promise<void> {
    const others = [...this.#slots].filter(([key]) => key !== keyOf(profile));
    for (const [key] of others) this.#slots.delete(key);
    await Promise.all(others.map(([, slot]) => closeSlot(slot)));
  }

  health(profile: BankProfile): BankHealth {
    const slot = this.#slots.get(keyOf(profile)) ?? new Slot();
    const { bank, openProblem, failures, unauthorized, silence, unusualLink, certificates, isReached } = slot;
    const isOpen = bank !== null;
    const address = (bank?.kind === 'online' ? bank.address : null) ?? null;
    return { isOpen, openProblem, certificates, failures, unauthorized, silence, unusualLink, isReached, address };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#slots.values()].map(closeSlot));
    this.#slots.clear();
  }

  async #fill(slot: Slot, profile: BankProfile): Promise<Bank> {
    try {
      const onCertificates: BankContext['onCertificates'] = (files) => {
        slot.certificates = files;
      };
      const bank = await openBank(profile, { ...this.#context, onCertificates });
      slot.bank = withTimedCalls(bank, (...heard) => this.#hear(profile.bankName, ...heard));
      slot.openProblem = null;
      return slot.bank;
    } catch (error) {
      slot.opening = null;
      if (error instanceof FieldError) slot.openProblem = `${error.field} ${error.message}`;
      throw error;
    }
  }
}
