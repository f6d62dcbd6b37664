/** A sale for who watches the events of a device. */
import * as assert from 'uvu/assert';
import type { Urls } from '../process.ts';
import { call, until } from '../support.ts';

/** A sale that the customer pays. */
export async function sell({ terminal, sandbox }: Pick<Urls, 'terminal' | 'sandbox'>, amount: number): Promise<void> {
  const shown = await call(`${terminal}/showQR`, { json: { amount } });
  assert.is(shown.status, 200, shown.text);
  const [{ qrcId }] = (await call(`${sandbox}/sandbox/payments`)).body;
  await call(`${sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' });
  // read by the till, so that it is not reported as late
  const status = async () => (await call(`${terminal}/getDynamicQRStatus`)).body.dynamicQRStatus;
  await until('ACCEPTED', async () => (await status()) === 'ACCEPTED');
}

/** What is reported of it. */
export const SALE = ['payment.created', 'payment.shown', 'payment.accepted'];
