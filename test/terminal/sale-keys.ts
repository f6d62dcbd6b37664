/** Sales that a till names by a key, at a lane without HTTP. */
import type { SaleRequest } from '../../firmware/payments/service/sale/sale.ts';
import { callerNamed, type Lane, MINUTE_MS, type refusal } from './harness.ts';

export const DAY_MS = 24 * 60 * MINUTE_MS;

export const sell = (
  { terminal }: Lane,
  name: string,
  asked: SaleRequest = { amount: 100 },
  caller = callerNamed(null),
) => terminal.sell(asked, caller, name);
export const idOf = async (answer: ReturnType<typeof sell>): Promise<string> => (await answer).orderId;
export const stateOf = ({ payments }: Lane, orderId: string) => payments.find(orderId).status.state;
export const failureOf = ({ category, member, message, payment }: Awaited<ReturnType<typeof refusal>>) => [
  `${category}.${member}`,
  message,
  payment,
];
export const code = ({ category, member }: Awaited<ReturnType<typeof refusal>>) => `${category}.${member}`;

/** The status as the nine calls return it. */
export const status = ({ payments }: Lane): unknown[] => {
  const { status, orderId } = payments.status();
  return [status, orderId];
};
