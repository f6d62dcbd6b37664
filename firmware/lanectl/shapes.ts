/** What the device answers, as far as the commands look at it: the schemas of its calls say the rest. */
import type { Static } from 'typebox';
import type { HealthReport } from '../host/health.ts';
import type { EventBody } from '../terminal/http/v1/event-routes.ts';
import type { PaymentAnswer, RefundAnswer } from '../terminal/http/v1/schemas.ts';
import type { DeviceClient, Port } from './device-client.ts';
import { CommandFailure } from './exit-codes.ts';

export type Health = HealthReport;
export type Payment = Static<typeof PaymentAnswer>;
export type Event = Static<typeof EventBody>;
export type Refund = Static<typeof RefundAnswer>;

/** What the device says of itself, as either port tells it. @throws {CommandFailure} */
export async function healthOf(device: DeviceClient, port: Port): Promise<Health> {
  const { body } = await device.call(port, '/health');
  const { health, data } = body as { readonly health?: Health; readonly data?: Health };
  const told = health ?? data;
  if (told?.parts === undefined)
    throw new CommandFailure('refused', `${device.urlOf(port)} is no Laneware: its /health says nothing of parts`);
  return told;
}

/** A payment by its id or number. @throws {CommandFailure} `refused` where there is none */
export async function paymentOf(
  device: DeviceClient,
  id: string,
): Promise<Payment & { readonly refunds: readonly Refund[] }> {
  const { body } = await device.call('terminal', `/v1/payments/${encodeURIComponent(id)}`);
  return body as Payment & { readonly refunds: readonly Refund[] };
}
