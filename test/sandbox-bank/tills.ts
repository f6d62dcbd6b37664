/** A till for each dialect, of a few lines: what every test of all dialects asks for, in the words of each bank. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import * as assert from 'uvu/assert';
import { TBANK_PASSWORD, tbankToken } from '../banks/tbank.ts';
import { type Answer, call } from '../support.ts';
import { type Body, bodyOf, sendJson } from './support.ts';

export interface Till {
  readonly name: string;
  /** Whether a status call carries the payment's amount. */
  readonly tellsAmount: boolean;
  /** Whether an unpaid code can be taken back. */
  readonly cancels: boolean;
  /** The calls of a registration. */
  readonly steps: 1 | 2;
  /** @param order the till's id of it; the bank's ids and the link of the code */
  register(amount: number, order?: string): Promise<{ id: string; link: string }>;
  /** What the bank calls the state. */
  state(id: string): Promise<string>;
  /** The whole answer of a status call. */
  answer(id: string): Promise<Answer>;
  /** @returns what the bank makes of it: withdrawn, refused, or refunded */
  cancel(id: string): Promise<'withdrawn' | 'refused' | 'refunded'>;
  /** Gives all of it back. @returns what the bank calls the refund at once, and later */
  refund(id: string, amount: number): Promise<{ first: string; later: () => Promise<string> }>;
}

/** The banks' words for one state. */
export interface Words {
  readonly open: readonly string[];
  readonly processing: readonly string[];
  readonly paid: readonly string[];
  readonly declined: readonly string[];
  readonly expired: readonly string[];
}

export const WORDS: Words = {
  open: ['NTST', 'STARTED', 'FORM_SHOWED', 'NO_INFO', 'pending', 'NOT_STARTED'],
  processing: ['ACTC', 'CONFIRMED/CREATED', 'AUTHORIZING', 'IN_PROGRESS', 'pending'],
  paid: ['ACWP', 'ACCEPTED', 'CONFIRMED', 'SUCCESS', 'succeeded'],
  declined: ['RJCT', 'REJECTED', 'DECLINED', 'canceled/general_decline'],
  // CFT, Raiffeisenbank's payment-info and Gazprombank say nothing of a code that ran out
  expired: ['NTST', 'REJECTED', 'DEADLINE_EXPIRED', 'NO_INFO', 'canceled/expired_on_confirmation', 'NOT_STARTED'],
};

const failed = (what: string): never => {
  throw new Error(what);
};

function cft(base: string): Till {
  const answer = (id: string): Promise<Answer> => call(`${base}/qr/state/${id}`);
  return {
    ...{ name: 'CFT', tellsAmount: false, cancels: false, steps: 1 },
    register: async (amount, order = randomUUID()) => {
      const ids = { extEntityId: 'E1', merchantId: 'M1', accAlias: 'A1' };
      const body = { ...ids, amount, qrcType: '02', expDt: 5, localExpDt: 300 };
      const made = bodyOf(await sendJson(`${base}/qr`, body, { 'idempotency-key': order }));
      return { id: made.qrcId, link: made.payload };
    },
    state: async (id) => bodyOf(await answer(id)).payStatus.status,
    answer,
    cancel: async () => failed('CFT cannot'),
    refund: async (id, amount) => {
      const body = { longWait: true, amount, refId: id, refType: 'qrcId', refData: id };
      const { status, body: answered } = await sendJson(`${base}/refund`, body);
      const word = status === 200 && answered.trxId !== undefined ? 'done' : 'refused';
      return { first: word, later: async () => word };
    },
  };
}

function rbs(base: string): Till {
  const send = async (name: string, form: object): Promise<Answer> =>
    call(`${base}/rbs/payment/rest/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ userName: 'shop-api', password: 'made-up', ...form }).toString(),
    });
  const answer = (id: string): Promise<Answer> => send('getOrderStatusExtended.do', { orderId: id });
  return {
    ...{ name: 'RBS', tellsAmount: true, cancels: true, steps: 2 },
    register: async (amount, order = randomUUID()) => {
      const returnUrl = 'https://shop.example/';
      const form = { orderNumber: order, amount: String(amount), returnUrl, sessionTimeoutSecs: '300' };
      const { orderId } = bodyOf(await send('register.do', form));
      const { payload } = bodyOf(await send('sbp/c2b/qr/dynamic/get.do', { mdOrder: orderId }));
      return { id: orderId, link: payload };
    },
    state: async (id) => {
      const { qrStatus, transactionState } = bodyOf(await send('sbp/c2b/qr/status.do', { mdOrder: id }));
      return qrStatus === 'CONFIRMED' ? `${qrStatus}/${transactionState}` : qrStatus;
    },
    answer,
    cancel: async (id) =>
      bodyOf(await send('decline.do', { orderId: id })).errorCode === '0' ? 'withdrawn' : 'refused',
    refund: async (id, amount) => {
      const { errorCode } = bodyOf(await send('refund.do', { orderId: id, amount: String(amount) }));
      const isTaken = errorCode === '0' || errorCode === undefined; // a pending one is reported as neither
      const later = async (): Promise<string> =>
        bodyOf(await answer(id)).paymentAmountInfo.refundedAmount === amount ? 'done' : 'pending';
      return { first: isTaken ? await later() : 'refused', later };
    },
  };
}

function tbank(base: string): Till {
  const send = (name: string, fields: object): Promise<Answer> => {
    const body = { TerminalKey: '1700000000001DEMO', ...fields };
    return sendJson(`${base}/tbank/v2/${name}`, { ...body, Token: tbankToken(body, TBANK_PASSWORD) });
  };
  const answer = (id: string): Promise<Answer> => send('GetState', { PaymentId: id });
  const state = async (id: string): Promise<string> => bodyOf(await answer(id)).Status;
  const due = new Date(Date.UTC(2026, 10, 20) + 1_000_000 + 300_000).toISOString().slice(0, 19);
  return {
    ...{ name: 'T-Bank', tellsAmount: true, cancels: true, steps: 2 },
    register: async (amount, order = randomUUID()) => {
      const init = { Amount: amount, OrderId: order, RedirectDueDate: `${due}+00:00` };
      const { PaymentId } = bodyOf(await send('Init', init));
      return { id: PaymentId, link: bodyOf(await send('GetQr', { PaymentId })).Data };
    },
    state,
    answer,
    cancel: async (id) => {
      const { Success, Status } = bodyOf(await send('Cancel', { PaymentId: id }));
      if (!Success) return 'refused';
      return Status === 'CANCELED' ? 'withdrawn' : 'refunded';
    },
    refund: async (id, amount) => {
      const words: Record<string, string> = { REFUNDED: 'done', ASYNC_REFUNDING: 'pending', CONFIRMED: 'refused' };
      const worded = (status: string): string => words[status] ?? status;
      const { Status } = bodyOf(await send('Cancel', { PaymentId: id, Amount: amount }));
      const { QrCancelCode } = bodyOf(await send('GetQrState', { PaymentId: id }));
      const first = QrCancelCode === undefined ? worded(Status) : 'refused';
      return { first, later: async () => worded(await state(id)) };
    },
  };
}

function raif(base: string): Till {
  const auth = { authorization: 'Bearer made-up-key' };
  const get = (path: string): Promise<Answer> => call(`${base}/raif/api/sbp/${path}`, { headers: auth });
  const answer = (id: string): Promise<Answer> => get(`v1/qr/${id}/payment-info`);
  return {
    ...{ name: 'Raiffeisenbank', tellsAmount: true, cancels: true, steps: 1 },
    register: async (amount, order = randomUUID()) => {
      const qrExpirationDate = new Date(Date.UTC(2026, 10, 20) + 1_000_000 + 300_000).toISOString();
      const code = { qrType: 'QRDynamic', currency: 'RUB', sbpMerchantId: 'MA0000000552', qrExpirationDate };
      const made = bodyOf(
        await sendJson(`${base}/raif/api/sbp/v2/qrs`, { ...code, amount: amount / 100, order }, auth),
      );
      return { id: made.qrId, link: made.payload };
    },
    state: async (id) => bodyOf(await answer(id)).paymentStatus,
    answer,
    cancel: async (id) => {
      const { status } = await call(`${base}/raif/api/sbp/v2/qrs/${id}`, { method: 'DELETE', headers: auth });
      return status === 200 ? 'withdrawn' : 'refused';
    },
    refund: async (id, amount) => {
      const { order } = bodyOf(await answer(id));
      const words: Record<string, string> = { IN_PROGRESS: 'pending', COMPLETED: 'done', DECLINED: 'refused' };
      const body = { amount: amount / 100, order, refundId: id };
      bodyOf(await sendJson(`${base}/raif/api/sbp/v1/refund`, body, auth));
      const later = async (): Promise<string> => words[bodyOf(await get(`v1/refund/${id}`)).refundStatus] ?? '';
      return { first: await later(), later };
    },
  };
}

function yookassa(base: string): Till {
  const auth = { authorization: `Basic ${Buffer.from('100500:made-up').toString('base64')}` };
  const post = (path: string, body: object, key: string): Promise<Answer> =>
    sendJson(`${base}/yookassa/v3/${path}`, body, { ...auth, 'idempotence-key': key });
  const get = (path: string): Promise<Answer> => call(`${base}/yookassa/v3/${path}`, { headers: auth });
  const answer = (id: string): Promise<Answer> => get(`payments/${id}`);
  const rub = (kopecks: number) => ({ value: (kopecks / 100).toFixed(2), currency: 'RUB' });
  return {
    ...{ name: 'YooKassa', tellsAmount: true, cancels: false, steps: 1 },
    register: async (amount, order = randomUUID()) => {
      const wish = { capture: true, payment_method_data: { type: 'sbp' }, confirmation: { type: 'qr' } };
      const made = bodyOf(await post('payments', { ...wish, amount: rub(amount), metadata: { order } }, order));
      return { id: made.id, link: made.confirmation.confirmation_data };
    },
    state: async (id) => {
      const { status, cancellation_details: details } = bodyOf(await answer(id));
      return details === undefined ? status : `${status}/${details.reason}`;
    },
    answer,
    cancel: async (id) => {
      assert.is((await post(`payments/${id}/cancel`, {}, randomUUID())).status, 400);
      return 'refused';
    },
    refund: async (id, amount) => {
      const words: Record<string, string> = { pending: 'pending', succeeded: 'done', canceled: 'refused' };
      const made: Body = bodyOf(
        await post('refunds', { payment_id: id, amount: rub(amount) }, `refund-${id}`.slice(0, 64)),
      );
      return {
        first: words[made.status] ?? '',
        later: async () => words[bodyOf(await get(`refunds/${made.id}`)).status] ?? '',
      };
    },
  };
}

function gpb(base: string): Till {
  const auth = { login: 'LA0000000001', password: 'made-up' };
  const send = (path: string, body: object): Promise<Answer> => sendJson(`${base}/gpb/${path}`, body, auth);
  const answer = (id: string): Promise<Answer> => send('merchant/qrc-status', { qrcIds: [id] });
  return {
    ...{ name: 'Gazprombank', tellsAmount: false, cancels: true, steps: 1 },
    register: async (amount) => {
      const who = { account: '40702810000000000001', merchantId: 'MA0000000001', templateVersion: '01', qrcType: '02' };
      const made = bodyOf(
        await send('merchant/qrc-data', { ...who, amount: String(amount), currency: 'RUB', qrTtl: '5' }),
      );
      return { id: made.data.qrcId, link: made.data.payload };
    },
    state: async (id) => bodyOf(await answer(id)).data[0].status,
    answer,
    cancel: async (id) =>
      bodyOf(await send('merchant/qrc-block', { qrcId: id })).code === '000' ? 'withdrawn' : 'refused',
    refund: async (id, amount) => {
      const { trxId } = bodyOf(await answer(id)).data[0];
      const words: Record<string, string> = { IN_PROGRESS: 'pending', PERFORMED: 'done', CANCELLED: 'refused' };
      const wish = { transactionId: trxId, amount: String(amount), currency: 'RUB' };
      const { transactionId } = bodyOf(await send('merchant/transfer/return/prepare', wish));
      bodyOf(await send('merchant/transfer/return/confirm', { transactionId }));
      const later = async (): Promise<string> =>
        words[bodyOf(await send('operation/info', { transactionId })).status] ?? '';
      return { first: await later(), later };
    },
  };
}

const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const SIGNER = 'shop-key';

/** A command of AnyWay, signed by this test's key. */
export async function anyWayCommand(base: string, command: string, fields: object, name = SIGNER): Promise<Answer> {
  const body = JSON.stringify({ command, TermNo: '10000001', ...fields });
  const signature = sign('sha256', Buffer.from(body), KEYS.privateKey).toString('base64');
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'key-name': name, authorization: signature };
  return call(`${base}/anyway`, { method: 'POST', headers, body });
}

/** Makes the test's key known to the bank. */
export async function introduce(base: string, keyName = SIGNER): Promise<void> {
  const publicKey = KEYS.publicKey.export({ type: 'spki', format: 'pem' });
  bodyOf(await sendJson(`${base}/anyway/keys`, { keyName, publicKey }));
}

function anyway(base: string): Till {
  const send = async (command: string, fields: object): Promise<Answer> => {
    await introduce(base);
    return anyWayCommand(base, command, fields);
  };
  const answer = (id: string): Promise<Answer> => send('GetQRCstatus', { qrcId: id });
  return {
    ...{ name: 'AnyWay', tellsAmount: true, cancels: false, steps: 1 },
    register: async (amount) => {
      const wish = { amount, currency: 'RUB', qrcType: '02', paymentPurpose: 'Кофе', qrTtl: 5 };
      const made = bodyOf(await send('GetQRCd', wish));
      return { id: made.qrcId, link: made.payload };
    },
    state: async (id) => bodyOf(await answer(id)).status,
    answer,
    cancel: async () => failed('a code of one payment cannot be taken back'),
    refund: async (id, amount) => {
      const { trxId } = bodyOf(await answer(id));
      const wish = { qrcId: id, trxId, amount, currency: 'RUB', messageID: randomUUID() };
      bodyOf(await send('GetQRCreversalData', wish));
      const first = bodyOf(await send('QRCreversal', wish)).ErrorCode === 0 ? 'done' : 'refused';
      return { first, later: async () => first };
    },
  };
}

export const TILLS: readonly ((base: string) => Till)[] = [cft, rbs, tbank, raif, yookassa, gpb, anyway];
