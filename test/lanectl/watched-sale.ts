/** Sales that the customer has paid, and what is reported of each. */
import type { Urls } from '../process.ts';
import { call } from '../support.ts';
import { sellByQR } from '../terminal/device-calls.ts';

export const SALE = ['payment.created', 'payment.shown', 'payment.accepted'];

export async function paid(
  { terminal, sandbox }: Pick<Urls, 'terminal' | 'sandbox'>,
  amount: number,
): Promise<{ readonly id: string; readonly number: number }> {
  await sellByQR({ terminal, sandbox: sandbox ?? '' }, amount);
  return (await call(`${terminal}/v1/payments?limit=1`)).body.payments[0];
}
