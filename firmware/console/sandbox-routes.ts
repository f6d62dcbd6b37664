/** The calls that act as a customer of the sandbox bank: the device's own page cannot call the bank's port. */

import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { HttpFailure } from '../core/http/index.ts';
import { notFound, PaymentAnswer, PaymentPath, presentAnswer, type Terminal } from '../payments/index.ts';

/** Time limit of the sandbox, which is a part of this process and answers at once. */
const LIMIT_MS = 5000;
/** How many questions a silent bank leaves unanswered: the device gives each a few seconds. */
const SILENT_TIMES = 5;

const Does = Type.Enum(['pay', 'decline', 'silent', 'late'], {
  description:
    'pay and decline: as the customer. silent: the bank answers the next questions about payments with nothing. late: the display is cleared, and the customer pays anyway',
});
const Body = Type.Object({ does: Does }, { additionalProperties: false, examples: [{ does: 'decline' }] });

async function post(sandboxUrl: string, path: string, body: object = {}): Promise<void> {
  const answer = await fetch(new URL(path, sandboxUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  if (!answer.ok)
    throw new HttpFailure('request', `the sandbox bank refuses it: ${(await answer.text()).slice(0, 200)}`);
}

async function carryOut(
  terminal: Terminal,
  sandboxUrl: string,
  id: string,
  does: Type.Static<typeof Does>,
): Promise<void> {
  const order = `/sandbox/payments/${encodeURIComponent(id)}`;
  if (does === 'silent') {
    await post(sandboxUrl, '/sandbox/faults', { faults: [{ call: 'state', kind: 'silence', times: SILENT_TIMES }] });
    return;
  }
  if (does === 'late') {
    await post(sandboxUrl, '/sandbox/faults', { faults: [{ call: 'cancel', kind: 'refuse' }] });
    await terminal.clearScreen();
  }
  await post(sandboxUrl, `${order}/${does === 'decline' ? 'decline' : 'pay'}`);
}

/** @param sandboxUrl null where the sandbox bank does not run */
export function addSandboxRoutes(app: FastifyInstance, terminal: Terminal, sandboxUrl: string | null): void {
  app.post(
    '/console/api/sandbox/payments/:id',
    {
      config: { role: 'till', audit: null }, // play money
      schema: { params: PaymentPath, body: Body, response: { 200: PaymentAnswer } },
    },
    async ({ params: { id }, body: { does } }) => {
      const payment = terminal.ledger.find(id);
      if (payment === null || payment.bank !== 'Sandbox' || sandboxUrl === null) throw notFound(id);
      await carryOut(terminal, sandboxUrl, id, does);
      return presentAnswer(terminal, terminal.ledger.find(id) ?? payment);
    },
  );
}
