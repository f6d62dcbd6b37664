/** What the banks here share: a refusal in a bank's own words, and a call about one payment. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { problemsOfErrors, type SandboxCall } from '../../firmware/tools/sandbox-bank/desk.ts';
import type { FaultyCall } from '../../firmware/tools/sandbox-bank/faults.ts';
import { SandboxError } from '../../firmware/tools/sandbox-bank/payment.ts';

/** As the bank sends it. */
export class Refused extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, body: object) {
    super(JSON.stringify(body));
    this.name = 'Refused';
    this.status = status;
    this.body = body;
  }
}

/** @param wordOf what the books refuse, in the bank's words @param statusOf of HTTP, where the call decides it */
export function wordRefusals(
  app: FastifyInstance,
  wordOf: (error: SandboxError) => Refused,
  statusOf = ({ status }: Refused, _request: FastifyRequest): number => status,
): void {
  const refusalOf = (error: unknown): Refused | null => (error instanceof SandboxError ? wordOf(error) : null);
  problemsOfErrors(
    app,
    (error) => (error instanceof Refused ? error : refusalOf(error)),
    (word, reply, request) => reply.code(statusOf(word, request)).send(word.body),
  );
}

/** @param missing thrown where there is no such payment @param work gives the honest answer about it */
export const about = <Payment extends { readonly amount: number }>(
  call: FaultyCall,
  payment: Payment | null | undefined,
  key: string | null,
  missing: Error,
  work: (payment: Payment) => object,
): SandboxCall => ({
  ...{ call, amount: payment?.amount ?? null, key },
  truth: () => {
    if (!payment) throw missing;
    return work(payment);
  },
});
