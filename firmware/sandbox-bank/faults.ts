/** Misbehaviour on demand, such as real banks and networks show, for the calls that a till makes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { buildSbpLink } from '../terminal/banks/sbp-link.ts';

const MAX_DELAY_MS = 600_000;
const OVERSIZE_BYTES = 128 * 1024;
const DEFAULT_RETRY_AFTER_S = 1;

/**
 * - `delay`: the work is done, the answer comes `ms` later
 * - `drop`: the work is done, then the connection breaks; `drop-before`: it breaks before
 * - `silence`: the work is done, no answer ever comes
 * - `error`: HTTP 500; `too-many`: HTTP 429 with `retryAfterS`; `refuse`: HTTP 400; `redirect`: HTTP 302; nothing is done
 * - `nonsense`, `oversize`, `other-amount`, `other-payment`, `no-id`: the work is done, the answer is wrong
 */
export const FaultKind = Type.Enum([
  'delay',
  'drop',
  'drop-before',
  'silence',
  'error',
  'too-many',
  'refuse',
  'redirect',
  'nonsense',
  'oversize',
  'other-amount',
  'other-payment',
  'no-id',
]);

export const Fault = Type.Object(
  {
    call: Type.Enum(['register', 'state']),
    kind: FaultKind,
    /** How many calls it spoils; one unless given. */
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    ms: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_DELAY_MS })),
    retryAfterS: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
  },
  { additionalProperties: false },
);
export type Fault = Type.Static<typeof Fault>;
export type FaultyCall = Fault['call'];

/** Scripted faults, spent in their order, call by call. */
export class Faults {
  #waiting: { readonly fault: Fault; left: number }[] = [];

  /** Replaces whatever is still waiting; an empty list ends all misbehaviour. */
  set(faults: readonly Fault[]): void {
    this.#waiting = faults.map((fault) => ({ fault, left: fault.times ?? 1 }));
  }

  /** Those that are not spent yet. */
  list(): Fault[] {
    return this.#waiting.map(({ fault, left }) => ({ ...fault, times: left }));
  }

  take(call: FaultyCall): Fault | null {
    const next = this.#waiting.find(({ fault }) => fault.call === call);
    if (next === undefined) return null;
    next.left -= 1;
    if (next.left === 0) this.#waiting = this.#waiting.filter((entry) => entry !== next);
    return next.fault;
  }
}

function breakOff(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.destroy();
}

/** Answers in place of the truth. @param truth does the work and gives the honest answer */
export async function misbehave(fault: Fault, reply: FastifyReply, truth: () => object): Promise<unknown> {
  switch (fault.kind) {
    case 'drop-before':
      return breakOff(reply);
    case 'error':
      return reply.code(500).send({ error: 'internal error' });
    case 'too-many':
      return reply
        .code(429)
        .header('retry-after', fault.retryAfterS ?? DEFAULT_RETRY_AFTER_S)
        .send({ error: 'too many calls' });
    case 'refuse':
      return reply.code(400).send({ error: 'MERCHANT_BLOCKED', message: 'the point of sale is blocked' });
    case 'redirect':
      return reply.redirect('/pay/elsewhere', 302);
  }
  const answer = truth();
  switch (fault.kind) {
    case 'delay':
      await sleep(fault.ms ?? 0, undefined, { ref: false });
      return reply.send(answer);
    case 'drop':
      return breakOff(reply);
    case 'silence':
      return reply.hijack();
    case 'nonsense':
      return reply.type('text/html').send('<html><body>It works!</body></html>');
    case 'oversize':
      return reply.send({ ...answer, padding: 'x'.repeat(OVERSIZE_BYTES) });
    case 'other-amount':
      return reply.send({
        ...answer,
        payload: buildSbpLink({ id: 'AD10000SANDBOX', type: '02', bank: '1', sum: 99_999_999 }),
      });
    case 'other-payment':
      return reply.send({ ...answer, qrCode: { qrcId: 'AD10000ANOTHERPAYMENT' } });
    case 'no-id':
      return reply.send({ ...answer, qrcId: '' });
  }
}
