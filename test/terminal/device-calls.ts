/** What a till, a payer and a technician ask of a device of these tests, over HTTP. */
import { type Answer, call, SCREEN, type TestDevice, until } from '../support.ts';

type Terminal = Pick<TestDevice, 'terminal'>;
type Sandbox = Pick<TestDevice, 'sandbox'>;

/** Sets the device up with one profile. */
export const sendProfile = ({ terminal }: Terminal, profile: unknown, name = 'p'): Promise<Answer> =>
  call(`${terminal}/updateDriverSettings`, {
    json: { settings: { bankProfile: name, bankProfiles: { [name]: profile }, deviceConnection: SCREEN } },
  });

export const showQR = ({ terminal }: Terminal, amount: number): Promise<Answer> =>
  call(`${terminal}/showQR`, { json: { amount } });

export const statusOf = async ({ terminal }: Terminal): Promise<string> =>
  (await call(`${terminal}/getDynamicQRStatus`)).body.dynamicQRStatus;

export const untilAccepted = (device: Terminal): Promise<boolean> =>
  until('ACCEPTED', async () => (await statusOf(device)) === 'ACCEPTED');

/** The payment that the play bank, or that of a test, has registered last. */
export const newestAtBank = async ({ sandbox }: Sandbox) => (await call(`${sandbox}/sandbox/payments`)).body[0];

/** What the payer does with it. */
export async function payNewest(device: Sandbox, action: 'pay' | 'decline' = 'pay'): Promise<void> {
  const { qrcId } = await newestAtBank(device);
  await call(`${device.sandbox}/sandbox/payments/${qrcId}/${action}`, { method: 'POST' });
}

/** What `/health` says of a part; undefined where it does not name it. */
export async function healthOf(
  { terminal }: Terminal,
  name: string,
): Promise<{ readonly state: string; readonly reason: string }> {
  const { parts } = (await call(`${terminal}/health`)).body.health;
  return parts.find(({ part }: { part: string }) => part === name);
}

/** A sale by the nine calls that is paid at once. @returns the id of its payment */
export async function paidAt(device: TestDevice, amount: number): Promise<string> {
  const shown = await showQR(device, amount);
  await payNewest(device);
  await untilAccepted(device);
  return shown.headers.get('laneware-payment-id') ?? '';
}
