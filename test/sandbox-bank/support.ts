/** What the tests of the sandbox bank share: a bank that ends with the test, a clock that it moves, and a till's calls to its gateway. */
import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { SandboxPayment } from '../../firmware/tools/sandbox-bank/payment.ts';
import type { SandboxOptions } from '../../firmware/tools/sandbox-bank/server.ts';
import { type Banks, startBanks } from '../banks/banks.ts';
import { StillClock } from '../still-clock.ts';
import { type Answer, atEnd, call, temporaryFolder } from '../support.ts';

export const MINUTE_MS = 60_000;

export interface Rig {
  readonly sandbox: Banks;
  readonly url: string;
  readonly clock: StillClock;
}

export async function withBank(work: (rig: Rig) => Promise<void>, options: Partial<SandboxOptions> = {}) {
  using folder = temporaryFolder();
  const clock = new StillClock();
  const sandbox = await startBanks({ port: 0, dataFile: `${folder.path}/sandbox.db`, clock, ...options });
  await using _end = atEnd(() => sandbox.close());
  await work({ sandbox, url: sandbox.url, clock });
}

/** What the gateway's answers hold, each some of it. */
export interface BankBody {
  readonly errorCode?: string;
  readonly errorMessage: string;
  readonly orderId: string;
  readonly orderNumber: string;
  readonly orderStatus: number;
  readonly amount: number;
  readonly currency: string;
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  readonly paymentAmountInfo: { readonly depositedAmount: number; readonly refundedAmount: number };
  readonly refunds: readonly { readonly amount: number; readonly externalRefundId?: string }[];
  readonly qrId: string;
  readonly qrType: string;
  readonly qrStatus: string;
  readonly transactionState: string;
  readonly payload: string;
  readonly rejected: boolean;
}

/** Answers of the till's calls: the body, whose HTTP status must be as expected. */
export const bodyOf = (answer: Answer, status = 200): Answer['body'] => {
  assert.is(answer.status, status, answer.text);
  return answer.body;
};

export const sendJson = (url: string, json: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  call(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(json),
  });

const LOGIN = { userName: 'shop-api', password: 'made-up' };

export const send = ({ url }: Pick<Rig, 'url'>, name: string, form: object, login: object = LOGIN): Promise<Answer> =>
  call(`${url}/rbs/payment/rest/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...login, ...form }).toString(),
  });

export const ask = async (...asked: Parameters<typeof send>): Promise<BankBody> => bodyOf(await send(...asked));

export const order = (changes: object = {}) => ({
  ...{ orderNumber: 'order-1', amount: '12345', currency: '643' },
  ...{ returnUrl: 'https://shop.example/', description: 'Кофе' },
  ...changes,
});

/** An order whose code is shown. */
export interface Shown {
  readonly mdOrder: string;
  readonly qrId: string;
  readonly payload: string;
}

export async function registered(rig: Pick<Rig, 'url'>, changes: object = {}): Promise<Shown> {
  const { orderId: mdOrder } = await ask(rig, 'register.do', order(changes));
  const { qrId, payload } = await ask(rig, 'sbp/c2b/qr/dynamic/get.do', { mdOrder });
  return { mdOrder, qrId, payload };
}

/** A sale of five minutes, with an order of its own. @param kopecks in addition to 50 roubles */
export const sold = (rig: Pick<Rig, 'url'>, kopecks = 0, orderNumber: string = randomUUID()): Promise<Shown> =>
  registered(rig, { orderNumber, amount: String(5000 + kopecks), sessionTimeoutSecs: '300' });

/** What a question for the order returns, its amount too. */
export const answerAbout = (rig: Pick<Rig, 'url'>, { mdOrder }: Pick<Shown, 'mdOrder'>): Promise<Answer> =>
  send(rig, 'getOrderStatusExtended.do', { orderId: mdOrder });

/** Takes an unpaid order back. @returns the gateway's error code, "0" for none */
export const takenBack = async (rig: Pick<Rig, 'url'>, { mdOrder }: Shown): Promise<string | undefined> =>
  (await ask(rig, 'decline.do', { orderId: mdOrder })).errorCode;

/** Gives all of a sale back. @returns the gateway's error code; undefined while it is pending */
export const givenBack = async (rig: Pick<Rig, 'url'>, { mdOrder }: Shown, kopecks = 0): Promise<string | undefined> =>
  (await ask(rig, 'refund.do', { orderId: mdOrder, amount: String(5000 + kopecks) })).errorCode;

/** What the payer does, on the payer's page of a code's link. */
export async function payer({ url }: Pick<Rig, 'url'>, { payload }: Pick<Shown, 'payload'>): Promise<void> {
  const qrcId = new URL(payload).pathname.split('/').at(-1);
  bodyOf(await call(`${url}/sandbox/payments/${qrcId}/pay`, { method: 'POST' }));
}

export const booked = async ({ url }: Pick<Rig, 'url'>): Promise<SandboxPayment[]> =>
  bodyOf(await call(`${url}/sandbox/payments`));

export async function newest(rig: Pick<Rig, 'url'>): Promise<SandboxPayment> {
  const [payment] = await booked(rig);
  if (payment === undefined) throw new Error('nothing is booked');
  return payment;
}

/** The promise's call ends without an answer. */
export async function noAnswer(pending: Promise<unknown>): Promise<void> {
  const ended = await pending.then(
    () => 'answered',
    () => 'broken',
  );
  assert.is(ended, 'broken');
}
