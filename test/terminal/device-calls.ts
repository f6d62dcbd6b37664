/** What a till, a payer and a technician ask of a device of these tests, over HTTP. */
import { type Answer, call, SCREEN, startTestDevice, type TestDevice, until } from '../support.ts';

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
export async function sellByQR(device: Terminal & Sandbox, amount: number, purpose?: string): Promise<string> {
  const shown = await call(`${device.terminal}/showQR`, { json: { amount, purpose } });
  if (shown.status !== 200) throw new Error(`nothing is shown: ${shown.text}`);
  await payNewest(device);
  await untilAccepted(device);
  return shown.headers.get('laneware-payment-id') ?? '';
}

/** What a caller of the network sends with a token: a program that passes calls on says so. */
export const by = (token: string) => ({ 'x-forwarded-for': '192.0.2.1', authorization: `Bearer ${token}` });

/** A sale by `/v1` that is paid at once. @returns its payment */
export async function sellPaid(
  { terminal, sandbox }: Terminal & Sandbox,
  json: object,
  headers: Record<string, string>,
) {
  const { status, body, text } = await call(`${terminal}/v1/payments`, { json, headers });
  if (status !== 201) throw new Error(`nothing was sold: ${text}`);
  await call(`${sandbox}/sandbox/payments/${body.qrcId}/pay`, { method: 'POST' });
  return until('it is paid', async () => {
    const { body: payment } = await call(`${terminal}/v1/payments/${body.id}`);
    return payment.state === 'ACCEPTED' && payment;
  });
}

/** A device with the sandbox bank, and people with PINs. */
export async function startWithPins(
  settings: Readonly<Record<string, string>>,
  pins: Readonly<Record<string, string>>,
  folder?: string,
): Promise<TestDevice> {
  const device = await startTestDevice(settings, folder);
  await call(`${device.recognition}/console/api/sandbox/setup`, { method: 'POST' });
  for (const [person, pin] of Object.entries(pins)) {
    const put = await call(`${device.recognition}/console/api/pins/${person}`, { method: 'PUT', json: { pin } });
    if (put.status !== 200) throw new Error(`${person} has no PIN: ${put.text}`);
  }
  return device;
}

/** Signs in at the pages. @returns what a page sends from then on */
export async function signIn({ recognition }: TestDevice, pin: string, headers: Readonly<Record<string, string>>) {
  const answer = await call(`${recognition}/console/api/session`, { json: { pin }, headers });
  if (answer.status !== 200) throw new Error(`nobody has signed in: ${answer.text}`);
  return { ...headers, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
}
