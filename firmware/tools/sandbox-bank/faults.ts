/** Faults on demand, as real banks and networks show them, for the calls that a till makes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';

const MAX_DELAY_MS = 600_000;
const OVERSIZE_BYTES = 128 * 1024;
const DEFAULT_RETRY_AFTER_S = 1;
/** An answer that asks to repeat the call; `retry_after` in milliseconds. */
const STILL_PROCESSING = { type: 'processing', description: 'Request is being processed', retry_after: 1800 };

/** `code`: the second call of a registration, at banks with two; `find`: by the till's order id. */
export const FaultyCall = Type.Enum(['register', 'code', 'state', 'find', 'cancel', 'refund', 'refund-state']);
export type FaultyCall = Type.Static<typeof FaultyCall>;

/**
 * - `delay`: the work is done, the answer comes `ms` later
 * - `drop`: the work is done, then the connection breaks; `drop-before`: it breaks before
 * - `half`: the work is done, the connection breaks in the middle of the answer
 * - `silence`: the work is done, no answer ever comes
 * - `accepted`: the work is done, the answer is an HTTP 202 that says to ask again
 * - `error`: HTTP 500; `too-many`: HTTP 429 with `retryAfterS`; `too-many-untimed`: HTTP 429 without; `redirect`: HTTP 302;
 *   `gone`: HTTP 404; `not-allowed`: HTTP 405; nothing is done
 * - `refuse`: the bank's own way to refuse the call; `denied`: to refuse the credential; nothing is done
 * - `nonsense`, `oversize`, `other-amount`, `other-payment`, `other-order`, `no-id`: the work is done, the answer is wrong
 * - `duplicate`: the work is done, the answer carries the ids of the merchant's payment before
 * - `expire`: the work is done, and the code's time is over
 */
export const FaultKind = Type.Enum([
  'delay',
  'drop',
  'drop-before',
  'half',
  'silence',
  'accepted',
  'error',
  'too-many',
  'too-many-untimed',
  'refuse',
  'denied',
  'redirect',
  'gone',
  'not-allowed',
  'nonsense',
  'oversize',
  'other-amount',
  'other-payment',
  'other-order',
  'no-id',
  'duplicate',
  'expire',
]);

export const Fault = Type.Object(
  {
    call: FaultyCall,
    kind: FaultKind,
    /** How many calls it spoils; one when left out. */
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    ms: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_DELAY_MS })),
    retryAfterS: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
    /** Spoils only calls whose line contains this: `POST /rbs/payment/rest/refund.do`. */
    only: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  { additionalProperties: false },
);
export type Fault = Type.Static<typeof Fault>;

/** Scripted faults, used in their order, call by call. */
export class Faults {
  #waiting: { readonly fault: Fault; left: number }[] = [];

  /** Replaces the unused faults; an empty list ends all faults. */
  set(faults: readonly Fault[]): void {
    this.#waiting = faults.map((fault) => ({ fault, left: fault.times ?? 1 }));
  }

  /** The unused faults. */
  list(): Fault[] {
    return this.#waiting.map(({ fault, left }) => ({ ...fault, times: left }));
  }

  /** @param line of the call: method and path */
  take(call: FaultyCall, line: string): Fault | null {
    const next = this.#waiting.find(({ fault }) => fault.call === call && line.includes(fault.only ?? ''));
    if (next === undefined) return null;
    next.left -= 1;
    if (next.left === 0) this.#waiting = this.#waiting.filter((entry) => entry !== next);
    return next.fault;
  }
}

/** Refusals that each bank words in its own way. */
export type Refusal = 'error' | 'too-many' | 'refuse' | 'denied';
/** Kinds of answers with a wrong field. */
export type Twist = 'other-amount' | 'other-payment' | 'other-order' | 'no-id';

/** How a bank words faults. */
export interface Dialect {
  readonly refusals: { readonly [Kind in Refusal]: { readonly status: number; readonly body: object } };
  /** Returns an answer with a wrong field; the answer as it is where left out. */
  readonly twist?: (kind: Twist, answer: object) => object;
}

/** A call that a fault may spoil. */
export interface Spoilable {
  /** Does the work and returns the true answer. */
  readonly truth: () => object;
  /** Does the work and answers with the previous payment. */
  readonly duplicate?: () => object;
  /** Ends the time of the code. */
  readonly expire?: () => void;
}

function breakOff(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.destroy();
}

/** Sends half of the announced answer. */
async function sendHalf(reply: FastifyReply, answer: object): Promise<void> {
  const body = Buffer.from(JSON.stringify(answer));
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  await new Promise((resolve) => reply.raw.write(body.subarray(0, body.length >> 1), resolve));
  reply.raw.destroy();
}

async function refuse(fault: Fault, reply: FastifyReply, dialect: Dialect): Promise<unknown> {
  const { kind } = fault;
  if (kind === 'redirect') return reply.redirect('/pay/elsewhere', 302);
  if (kind === 'gone' || kind === 'not-allowed') return reply.code(kind === 'gone' ? 404 : 405).send({});
  const tooMany = kind === 'too-many' || kind === 'too-many-untimed';
  const refusal = tooMany ? 'too-many' : kind === 'denied' || kind === 'refuse' ? kind : 'error';
  const { status, body } = dialect.refusals[refusal];
  if (kind === 'too-many') reply.header('retry-after', fault.retryAfterS ?? DEFAULT_RETRY_AFTER_S);
  return reply.code(status).send(body);
}

/** Carries out a fault in place of the honest answer. */
export async function misbehave(
  fault: Fault,
  reply: FastifyReply,
  { truth, duplicate, expire }: Spoilable,
  dialect: Dialect,
): Promise<unknown> {
  switch (fault.kind) {
    case 'drop-before':
      return breakOff(reply);
    case 'error':
    case 'too-many':
    case 'too-many-untimed':
    case 'refuse':
    case 'denied':
    case 'redirect':
    case 'gone':
    case 'not-allowed':
      return refuse(fault, reply, dialect);
    case 'duplicate':
      return reply.send((duplicate ?? truth)());
  }
  const answer = truth();
  switch (fault.kind) {
    case 'delay':
      await sleep(fault.ms ?? 0, undefined, { ref: false });
      return reply.send(answer);
    case 'drop':
      return breakOff(reply);
    case 'half':
      return sendHalf(reply, answer);
    case 'silence':
      return reply.hijack();
    case 'accepted':
      return reply.code(202).send(STILL_PROCESSING);
    case 'nonsense':
      return reply.type('text/html').send('<html><body>It works!</body></html>');
    case 'oversize':
      return reply.send({ ...answer, padding: 'x'.repeat(OVERSIZE_BYTES) });
    case 'expire':
      expire?.();
      return reply.send(answer);
    default:
      return reply.send(dialect.twist?.(fault.kind, answer) ?? answer);
  }
}
