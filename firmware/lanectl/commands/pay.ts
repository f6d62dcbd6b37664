/** `lanectl pay`: makes a payment, shows its code and waits for the outcome, as a till does. */

import type { Command } from 'commander';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { roublesOf } from '../../../drivers/lib/money.ts';
import {
  acting,
  amount,
  CommandFailure,
  type ExitName,
  Interruption,
  key,
  repeating,
  type Tools,
  wholeNumber,
} from '../../core/cli/index.ts';
import { MAX_TTL_MINUTES } from '../../core/config/choices.ts';
import { DEFAULT_TTL_MINUTES } from '../../core/config/limits.ts';

import type { Payment } from './shapes.ts';

/** How long a request is repeated where the device does not answer. */
const ASKING_LIMIT_MS = 60_000;
/** How long the device may wait before it answers a call that waits for a change. */
const WAIT_SECONDS = 25;
/** Time limit of such a call; it is then made again. */
const WAIT_LIMIT_MS = (WAIT_SECONDS + 5) * 1000;
const ASK_AGAIN_MS = 1000;
const REDRAW_MS = 250;

interface Options {
  readonly purpose?: string;
  readonly ttl?: number;
  readonly profile?: string;
  readonly key?: string;
  readonly timeout?: number;
  readonly qr: boolean;
}

interface Sale extends Payment {
  readonly warnings: readonly { readonly code: string; readonly detail: string }[];
}

type CancelOutcome = 'withdrawn' | 'already-paid' | 'refunded' | 'not-possible' | 'unknown';

const ALREADY_PAID = ['ok', 'it was already paid: hand over the goods, or refund it'] as const;
const TAKEN_BACK: Readonly<Record<CancelOutcome, (again: string) => readonly [exit: ExitName, words: string]>> = {
  withdrawn: () => ['cancelled', 'cancelled: it can no longer be paid'],
  refunded: () => ['cancelled', 'it was already paid: the bank is refunding it in full'],
  'already-paid': (again) => ['undecided', `it is being paid just now: ${again}`],
  unknown: (again) => ['undecided', `the bank is not answering: it may still be paid: ${again}`],
  'not-possible': (again) => ['undecided', `the bank cannot cancel it: it may still be paid: ${again}`],
};

const END_OF: Readonly<Partial<Record<Payment['state'], readonly [exit: ExitName, words: string]>>> = {
  ACCEPTED: ['ok', 'paid'],
  REJECTED: ['declined', 'declined by the bank'],
  CANCELED: ['cancelled', 'not paid: expired or cancelled'],
  ERROR: ['refused', 'not paid'],
  STATIC: ['undecided', 'a static code: only the bank knows whether it was paid'],
};

/** Whether a retry may succeed: the device restarts, or has too many waiting calls. */
const isPassing = ({ exit, details }: CommandFailure): boolean =>
  exit === 'unreachable' || (exit === 'refused' && (details.status === 429 || Number(details.status) >= 500));

/** One sale, from its request to its outcome. */
class Checkout {
  readonly #tools: Tools;
  readonly #key: string;
  readonly #again: string;
  readonly #interruption = new Interruption();

  constructor(tools: Tools, key: string, again: string) {
    this.#tools = tools;
    this.#key = key;
    this.#again = again;
  }

  /**
   * Requests the payment until the device answers. With the same key it is the same payment, however often it is
   * requested.
   */
  async begin(body: object, end: number): Promise<Sale> {
    const { device, out } = this.#tools;
    out.progress('requesting the code');
    const headers = { 'idempotency-key': this.#key };
    const ask = (limit: AbortSignal) => device.call('terminal', '/v1/payments', { body, headers, signal: limit });
    const { signal } = this.#interruption;
    this.#interruption.lastWord = `it may be paid, or not: ${this.#again}`;
    const patience = { end: Math.min(end, performance.now() + ASKING_LIMIT_MS), signal, out, again: this.#again };
    return (await repeating(ask, patience)) as Sale;
  }

  async show(sale: Sale, withCode: boolean): Promise<void> {
    const { out } = this.#tools;
    out.clear();
    for (const { detail } of sale.warnings) out.printAside(out.coloured('yellow', detail));
    if (out.isJson) {
      out.result({ ...sale, key: this.#key }, []);
      return;
    }
    out.print(`payment ${sale.number} of ${out.coloured('bold', roublesOf(sale.amount))} roubles: ${sale.state}`);
    if (sale.state !== 'PENDING') return;
    const { qrLines } = await import('./terminal-qr.ts');
    const colours = out.isTerminal && process.stdout.hasColors();
    const lines = withCode && sale.payload !== null ? qrLines(sale.payload, { colours }) : [];
    if (out.isTerminal && out.hasRoomFor(lines)) for (const line of lines) out.print(line);
    if (sale.link !== null) out.print(sale.link);
    if (out.isTerminal) out.print('Ctrl-C cancels it.');
  }

  /**
   * Waits until the sale has ended; cancels it when it is interrupted or out of time.
   * @throws {CommandFailure} `undecided` for any failure, because somebody may be paying
   */
  async follow(sale: Sale, end: number, lifeMs: number): Promise<ExitName> {
    const began = performance.now();
    const redraw = setInterval(() => this.#draw(sale, began, lifeMs), REDRAW_MS);
    try {
      return await this.#untilEnd(sale, end);
    } catch (error) {
      const details = error instanceof CommandFailure ? error.details : {};
      const words = `${messageOf(error)}; payment ${sale.number} may be paid, or not: ${this.#again}`;
      throw new CommandFailure('undecided', words, { ...details, payment: sale.id }, error);
    } finally {
      clearInterval(redraw);
    }
  }

  async #untilEnd(sale: Sale, end: number): Promise<ExitName> {
    for (let payment: Payment = sale; ; ) {
      if (payment.state !== 'PENDING') return this.#end(payment);
      const leftMs = Math.ceil(end - performance.now());
      if (this.#interruption.isRaised || leftMs <= 0) return await this.#cancel(payment);
      payment = await this.#next(payment, leftMs);
    }
  }

  #draw({ amount }: Payment, began: number, lifeMs: number): void {
    const left = Math.max(0, Math.ceil((lifeMs - (performance.now() - began)) / 1000));
    const minutes = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
    this.#tools.out.progress(`waiting for ${roublesOf(amount)} roubles, ${minutes} left`);
  }

  /** The payment after a change or the end of the wait; unchanged where the device does not answer now. */
  async #next(payment: Payment, leftMs: number): Promise<Payment> {
    const { device, out } = this.#tools;
    const wait = Math.min(WAIT_SECONDS, Math.ceil(leftMs / 1000));
    const path = `/v1/payments/${encodeURIComponent(payment.id)}?wait=${wait}&state=${payment.state}`;
    const limit = AbortSignal.timeout(Math.min(leftMs, WAIT_LIMIT_MS));
    const signal = AbortSignal.any([limit, this.#interruption.signal]);
    try {
      return (await device.call('terminal', path, { signal, isLong: true })) as Payment;
    } catch (error) {
      if (signal.aborted) return payment;
      if (!(error instanceof CommandFailure) || !isPassing(error)) throw error;
      out.progress(`${error.message}: asking again`);
      await this.#interruption.pause(Math.min(leftMs, ASK_AGAIN_MS));
      return payment;
    }
  }

  /** Cancels the payment, and prints the outcome. */
  async #cancel(payment: Payment): Promise<ExitName> {
    const { device, out } = this.#tools;
    out.progress('cancelling the payment');
    const again = `it may still be paid: ${this.#again}`;
    const patience = { end: performance.now() + ASKING_LIMIT_MS, out, again };
    const path = `/v1/payments/${encodeURIComponent(payment.id)}/cancel`;
    const ask = (signal: AbortSignal) => device.call('terminal', path, { method: 'POST', signal });
    const { outcome, payment: now } = (await repeating(ask, patience)) as {
      readonly outcome: CancelOutcome;
      readonly payment: Payment;
    };
    const name = `payment ${now.number} of ${roublesOf(now.amount)} roubles`;
    const isKept = now.state === 'ACCEPTED' && outcome !== 'refunded';
    const [exit, words] = isKept ? ALREADY_PAID : (TAKEN_BACK[outcome] ?? TAKEN_BACK['not-possible'])(this.#again);
    out.result({ ...now, key: this.#key, outcome }, [`${name}: ${words}`]);
    return exit;
  }

  #end(payment: Payment): ExitName {
    const { out } = this.#tools;
    const [exit, words] = END_OF[payment.state] ?? ['undecided', payment.state];
    const why = payment.error === null ? '' : `: ${payment.error}`;
    const tone = exit === 'ok' ? 'green' : 'red';
    out.result({ ...payment, key: this.#key }, [
      `payment ${payment.number} of ${roublesOf(payment.amount)} roubles: ${out.coloured(tone, words)}${why}`,
    ]);
    return exit;
  }
}

async function pay(tools: Tools, kopecks: number, options: Options): Promise<ExitName> {
  const { purpose, ttl, profile, key = crypto.randomUUID(), timeout } = options;
  const body = {
    amount: kopecks,
    ...(purpose !== undefined && { purpose }),
    ...(ttl !== undefined && { ttl }),
    ...(profile !== undefined && { profile }),
  };
  tools.out.ignoreLostOutput();
  const again = `the same command with --key ${key} says what became of it`;
  const checkout = new Checkout(tools, key, again);
  const end = timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeout * 1000;
  const sale = await checkout.begin(body, end);
  if (sale.state === 'PENDING') await checkout.show(sale, options.qr);
  const lifeMs = (ttl || DEFAULT_TTL_MINUTES) * 60_000;
  return checkout.follow(sale, end, lifeMs);
}

export function addPay(program: Command): void {
  program
    .command('pay')
    .description('take a payment: show its code and wait; exits with 0 paid, 6 declined, 7 not paid, 8 not known yet')
    .argument('<roubles>', 'e.g. 123.45', amount)
    .option('--purpose <text>', 'note for the payment')
    .option('--ttl <minutes>', 'how long its code is valid', wholeNumber(1, MAX_TTL_MINUTES))
    .option('--profile <name>', 'bank profile (default: the one in use)')
    .option('--key <key>', 'names this sale: the same key is the same payment, never a second one', key)
    .option('--timeout <seconds>', 'cancel it if it is not paid by then', wholeNumber(1, 86_400))
    .option('--no-qr', 'do not draw the code in the terminal')
    .action(acting(pay));
}
