/** The follower of payments on its own: a bank that answers by order id, a clock that is turned by hand. */
import { type Asking, askingOf } from '../../firmware/banks/adapter.ts';
import { type BankVerdict, UNREPORTED } from '../../firmware/banks/bank-payment.ts';
import { adapterOf } from '../../firmware/banks/registry.ts';
import { advance, type PaymentStatus, REGISTERING } from '../../firmware/payments/model/payment.ts';
import type { PaymentRow } from '../../firmware/payments/model/payment-row.ts';
import { Follower } from '../../firmware/payments/service/outcome/follower.ts';
import { HandClock, MINUTE_MS } from './harness.ts';
import { newPayment } from './ledger-rig.ts';

export const PACING = { askingSpeed: 1, graceMs: 30_000, bankDeadlineMs: 1000 };
export const USUAL = askingOf(adapterOf('Alfa Bank'), null);
export const SHOWN: PaymentStatus = { ...REGISTERING, seen: true };
export const BROKEN: PaymentStatus = { ...SHOWN, state: 'ERROR' };

export const paymentOf = (orderId: string, ttl: number, status: PaymentStatus, id = 1): PaymentRow => ({
  ...newPayment(1),
  orderId,
  ttl,
  status,
  id,
  createdAt: 0,
  bootId: 'boot-1',
  createdMono: new HandClock().now,
  purpose: null,
  askedShift: null,
  shift: null,
  note: null,
  acknowledgedAt: null,
  receiptAt: null,
  ref: { id: orderId },
  trxId: null,
  paidAt: null,
  refunded: 0,
  payer: null,
  paidBy: null,
  payload: null,
  endedAt: null,
  settled: false,
});

/** A follower with a bank that answers by order id; minutes pass under the test's control. */
export class Hours {
  readonly verdicts = new Map<string, BankVerdict | Error>();
  readonly settled: string[] = [];
  questions = 0;
  /** When a question was asked, by order id. */
  readonly asked = new Map<string, readonly number[]>();
  /** How the bank may be asked. */
  asking: Asking = USUAL;
  /** 0 to 1: where in the jitter each pause lies. */
  random = 0.5;
  /** Profiles whose bank has answered that the questions are too many. */
  readonly tooMany: string[] = [];
  /** What is on the display. */
  shown: PaymentRow | null = null;
  /** Questions that have no answer yet. */
  under = 0;
  /** The most at a time. */
  mostUnder = 0;
  /** Whether the bank answers nothing any more. */
  holds = false;
  /** How long an answer takes. */
  answerMs = 0;
  /** Whether no answer can be written to the ledger. */
  isFull = false;
  readonly #held: (() => void)[] = [];
  readonly #clock = new HandClock();
  readonly #statuses = new Map<string, PaymentStatus>();
  readonly follower = new Follower(
    this.#clock,
    PACING,
    () => this.random,
    {
      ask: async (orderId, _deadlineMs, gone) => {
        this.questions += 1;
        this.asked.set(orderId, [...(this.asked.get(orderId) ?? []), this.#clock.now]);
        this.under += 1;
        this.mostUnder = Math.max(this.mostUnder, this.under);
        gone.addEventListener('abort', () => {
          this.under -= 1;
        });
        const verdict = this.verdicts.get(orderId) ?? 'pending'; // as it is when the question comes
        if (this.answerMs > 0) await new Promise<void>((resolve) => this.#clock.after(this.answerMs, resolve));
        if (this.holds) await new Promise<void>((resolve) => this.#held.push(resolve));
        if (!gone.aborted) this.under -= 1;
        if (verdict instanceof Error) throw verdict;
        return { ...UNREPORTED, verdict, ids: [orderId] };
      },
      askingOf: () => this.asking,
      countTooMany: (profile) => this.tooMany.push(profile),
    },
    () => undefined,
  );
  /** Ends when the follower is closed. */
  readonly taken = this.#takeAnswers();

  async #takeAnswers(): Promise<void> {
    for await (const answer of this.follower.answers()) {
      const { orderId } = answer.payment;
      if (this.isFull) {
        this.follower.askLater(answer.payment);
        continue;
      }
      const status = advance(this.statusOf(orderId), answer.event);
      this.#statuses.set(orderId, status);
      if (this.follower.scheduleNext(answer, status, this.shown)) this.settled.push(orderId);
    }
  }

  get unsure(): string[] {
    return this.follower.unsure.map(({ payment }) => payment.orderId);
  }

  statusOf(orderId: string): PaymentStatus {
    return this.#statuses.get(orderId) ?? REGISTERING;
  }

  follow(orderId: string, ttl: number, status: PaymentStatus, id = 1): void {
    this.#statuses.set(orderId, status);
    this.follower.follow({ ...paymentOf(orderId, ttl, status, id), createdMono: this.now });
  }

  /** The process begins with this payment in its ledger. */
  takeUp(orderId: string, ttl: number, made: Partial<PaymentRow> = {}, status = SHOWN): void {
    this.#statuses.set(orderId, status);
    this.follower.resume({ ...paymentOf(orderId, ttl, status), ...made });
  }

  get now(): number {
    return this.#clock.now;
  }

  get wall(): number {
    return this.#clock.wall();
  }

  /** The clocks of the device leap: what was due meanwhile comes late. */
  leap(ms: number): void {
    this.#clock.now += ms;
  }

  /** How often the bank was asked about a payment. */
  count(orderId: string): number {
    return this.asked.get(orderId)?.length ?? 0;
  }

  /** Pauses between the questions about a payment so far, seconds. */
  pauses(orderId = 'a'): number[] {
    const times = this.asked.get(orderId) ?? [];
    return times.slice(1).map((time, n) => Math.round((time - (times[n] ?? 0)) / 10) / 100);
  }

  /** Lets the bank answer what it has not answered yet. */
  answer(): void {
    this.holds = false;
    for (const resolve of this.#held.splice(0)) resolve();
  }

  /** The bank says so of the payment `a` while minutes pass. */
  async says(verdict: BankVerdict | Error, minutes: number): Promise<void> {
    this.verdicts.set('a', verdict);
    await this.pass(minutes);
  }

  /** Returns how often the bank was asked meanwhile. */
  async pass(minutes: number): Promise<number> {
    const before = this.questions;
    await this.#clock.advance(minutes * MINUTE_MS);
    return this.questions - before;
  }
}

/** A test with a follower of its own. */
export const withHours = (run: (hours: Hours) => Promise<void>) => async () => {
  const hours = new Hours();
  try {
    await run(hours);
  } finally {
    hours.follower.close();
    await hours.taken;
  }
};
