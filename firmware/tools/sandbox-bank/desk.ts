/** What the sandbox bank's interfaces share: they read a call, count it, and answer it truly or with a scripted fault. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { fits, problemsWith, sentence } from '../../core/schema/index.ts';
import { type Dialect, type Faults, type FaultyCall, misbehave, type Spoilable } from './faults.ts';
import type { SandboxPayment } from './payment.ts';
import { SandboxError } from './payment.ts';
import type { SandboxPayments } from './payments.ts';
import type { SandboxRefunds } from './refunds.ts';
import { scriptedFault, scriptOf } from './scripts.ts';

/** The secret that is refused; any other one is accepted. */
export const WRONG_SECRET = 'wrong';
/** How many answers about a payment may overtake each other. */
const OVERTAKEN = 8;

export interface SandboxParts {
  readonly payments: SandboxPayments;
  readonly refunds: SandboxRefunds;
  readonly faults: Faults;
  /** Base address for phones, without a slash at its end. */
  readonly payerBase: () => string;
}

export interface SandboxCall extends Spoilable {
  readonly call: FaultyCall;
  /** Amount of the call's payment, kopecks; null where there is none. */
  readonly amount: number | null;
  /** Identifies the payment; null where the call does not. */
  readonly key: string | null;
}

/** @throws {SandboxError} `not-json`, `invalid` */
export function readJson(request: FastifyRequest): unknown {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new SandboxError('not-json', 'the body must be application/json');
  try {
    return JSON.parse(String(request.body));
  } catch {
    throw new SandboxError('invalid', 'the body is not JSON');
  }
}

/** @throws {SandboxError} `invalid` */
export function checked<Schema extends TSchema>(schema: Schema, body: unknown): Static<Schema> {
  if (fits(schema, body)) return body;
  const problems = problemsWith(schema, body).map((problem) => sentence(problem, 'the body'));
  throw new SandboxError('invalid', problems.join('; '));
}

/** @throws {SandboxError} `not-json`, `invalid` */
export const readBody = <Schema extends TSchema>(request: FastifyRequest, schema: Schema): Static<Schema> =>
  checked(schema, readJson(request));

/** Answers failures in the bank's own words; the server answers failures for which the bank has none. */
export function problemsOfErrors<Word>(
  app: FastifyInstance,
  wordOf: (error: unknown) => Word | null,
  send: (word: Word, reply: FastifyReply, request: FastifyRequest) => FastifyReply,
): void {
  app.setErrorHandler((error, request, reply) => {
    const word = wordOf(error);
    if (word === null) throw error;
    return send(word, reply, request);
  });
}

/** Answers the calls of one interface. */
export class Desk {
  readonly payments: SandboxPayments;
  readonly refunds: SandboxRefunds;
  readonly #faults: Faults;
  readonly #payerBase: () => string;
  readonly #dialect: Dialect;
  readonly #counts = new Map<string, number>();

  constructor({ payments, refunds, faults, payerBase }: SandboxParts, dialect: Dialect) {
    this.payments = payments;
    this.refunds = refunds;
    this.#faults = faults;
    this.#payerBase = payerBase;
    this.#dialect = dialect;
  }

  /**
   * The address of the payer's page, or the link that the amount scripts.
   * @param amount kopecks; 0 for a printed code
   */
  linkOf = (qrcId: string, amount = 0): string =>
    scriptOf(amount)?.linkOf?.(qrcId, amount) ?? `${this.#payerBase()}/pay/${qrcId}`;

  /** Answers truthfully, or as a fault of the list or of the amount demands. */
  async answer(request: FastifyRequest, reply: FastifyReply, work: SandboxCall): Promise<unknown> {
    const fault = this.#faults.take(work.call, `${request.method} ${request.url}`) ?? this.#scripted(work);
    return fault === null ? reply.send(work.truth()) : misbehave(fault, reply, work, this.#dialect);
  }

  /** A registration; a fault may make its answer report an earlier payment, or its code expire at once. */
  registration(merchant: string, make: () => SandboxPayment, answerOf: (payment: SandboxPayment) => object): Spoilable {
    let created: SandboxPayment | null = null;
    const register = (): SandboxPayment => {
      created = make();
      return created;
    };
    return {
      // the payment is answered as open, even if its state changes at once
      truth: () => answerOf({ ...register(), state: 'open' }),
      duplicate: () => {
        const payment = register();
        return answerOf(this.payments.before(payment.dialect, merchant, payment.qrcId) ?? payment);
      },
      expire: () => {
        if (created !== null) this.payments.expire(created.qrcId);
      },
    };
  }

  /** A payment as a state answer reports it: in one script, answers overtake each other. */
  seen(payment: SandboxPayment): SandboxPayment {
    if (payment.state !== 'paid' || !scriptOf(payment.amount)?.hasOldAnswers) return payment;
    const earlier = this.#count(`seen ${payment.qrcId}`);
    return earlier % 2 === 0 || earlier > OVERTAKEN ? payment : { ...payment, state: 'processing' };
  }

  #scripted({ call, amount, key }: SandboxCall): ReturnType<typeof scriptedFault> {
    if (amount === null || scriptOf(amount) === null) return null;
    const name = `${call} ${key ?? amount}`;
    const fault = scriptedFault(amount, call, this.#count(name));
    // where nothing tells a repeated registration from the next one, counting starts again with the next one
    if (fault === null && key === null) this.#counts.delete(name);
    return fault;
  }

  /** Counts a call; returns how often it was counted before. */
  #count(name: string): number {
    const earlier = this.#counts.get(name) ?? 0;
    this.#counts.set(name, earlier + 1);
    return earlier;
  }
}
