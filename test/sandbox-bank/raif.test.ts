import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, call, each } from '../support.ts';
import { type Body, bodyOf, MINUTE_MS, newest, payer, type Rig, sendJson, withBank } from './support.ts';

const test = suite('sandbox bank, Raiffeisenbank dialect');
const it = each<[Rig]>(test, (run) => () => withBank(run));

const AUTH = { authorization: 'Bearer made-up-key' };
const order = (changes: object = {}) => ({
  ...{ qrType: 'QRDynamic', amount: 1110.11, currency: 'RUB', order: '1-22-333', sbpMerchantId: 'MA0000000552' },
  ...{ additionalInfo: 'Доп информация', paymentDetails: 'Назначение платежа', account: '40700000000000000000' },
  ...changes,
});

const register = ({ url }: Rig, changes: object = {}, auth: Record<string, string> = AUTH): Promise<Answer> =>
  sendJson(`${url}/raif/api/sbp/v2/qrs`, order(changes), auth);
const get = ({ url }: Rig, path: string, auth: Record<string, string> = AUTH): Promise<Answer> =>
  call(`${url}/raif/api/sbp/${path}`, { headers: auth });
const remove = ({ url }: Rig, qrId: string): Promise<Answer> =>
  call(`${url}/raif/api/sbp/v2/qrs/${qrId}`, { method: 'DELETE', headers: AUTH });
const refund = ({ url }: Rig, body: object): Promise<Answer> => sendJson(`${url}/raif/api/sbp/v1/refund`, body, AUTH);

const moscow = (ms: number): string => new Date(ms + 3 * 3_600_000).toISOString().replace('Z', '+03:00');

it("a code is registered, paid, and reported with the fields of the bank's example", async (rig) => {
  const made = bodyOf(await register(rig));
  assert.equal(Object.keys(made).sort(), ['payload', 'qrExpirationDate', 'qrId', 'qrStatus', 'qrUrl']);
  assert.is(made.qrStatus, 'NEW');
  assert.equal(bodyOf(await get(rig, `v2/qrs/${made.qrId}`)), made);
  const open = bodyOf(await get(rig, `v1/qr/${made.qrId}/payment-info`));
  assert.equal([open.paymentStatus, open.transactionId], ['NO_INFO', undefined]);
  await payer(rig.url, made.payload);
  const paid = bodyOf(await get(rig, `v1/qr/${made.qrId}/payment-info`));
  const names = ['additionalInfo', 'amount', 'code', 'createDate', 'currency', 'merchantId', 'order', 'paymentStatus'];
  const more = ['qrExpirationDate', 'qrId', 'sbpMerchantId', 'transactionDate', 'transactionId'];
  assert.equal(Object.keys(paid).sort(), [...names, ...more]);
  assert.equal(
    [paid.code, paid.amount, paid.order, paid.paymentStatus, paid.sbpMerchantId, typeof paid.transactionId],
    ['SUCCESS', 1110.11, '1-22-333', 'SUCCESS', 'MA0000000552', 'number'],
  );
  assert.match(paid.transactionDate, /\+03:00$/);
  assert.is(bodyOf(await get(rig, `v2/qrs/${made.qrId}`)).qrStatus, 'PAID');
  assert.is((await newest(rig.url)).amount, 111_011);
  bodyOf(await register(rig, { amount: 1110.5, order: 'halves' }));
  assert.is((await newest(rig.url)).amount, 111_050);
});

it('an order may be registered again until it has been paid', async (rig) => {
  const first = bodyOf(await register(rig));
  const second = bodyOf(await register(rig));
  assert.is.not(first.qrId, second.qrId);
  await payer(rig.url, second.payload);
  const { code, message } = bodyOf(await register(rig), 400);
  assert.is(code, 'ERROR.ORDER_NUMBER_ALREADY_REGISTERED');
  assert.match(message, /1-22-333.*MA0000000552/);
});

it("what the bank refuses, in the bank's codes", async (rig) => {
  for (const [changes, code] of [
    [{ amount: undefined }, 'ERROR.DYNAMIC_QR_WITHOUT_AMOUNT'],
    [{ amount: 0 }, 'ERROR.INVALID_REQUEST'],
    [{ amount: 1.001 }, 'ERROR.INVALID_REQUEST'],
    [{ amount: '1.00' }, 'ERROR.INVALID_REQUEST'],
    [{ amount: 1_000_000.01 }, 'ERROR.INVALID_REQUEST'],
    [{ order: 'заказ' }, 'ERROR.INVALID_ORDER'],
    [{ order: 'x'.repeat(41) }, 'ERROR.INVALID_ORDER'],
    [{ order: '' }, 'ERROR.INVALID_ORDER'],
    [{ sbpMerchantId: undefined }, 'ERROR.SBP_MERCHANT_ID_IS_MISSING'],
    [{ sbpMerchantId: 'MA00000005521' }, 'ERROR.INVALID_REQUEST'],
    [{ additionalInfo: 'x'.repeat(141) }, 'ERROR.INVALID_REQUEST'],
    [{ paymentDetails: 'x'.repeat(186) }, 'ERROR.INVALID_REQUEST'],
    [{ qrExpirationDate: '2026-11-20T03:00:00+03:00' }, 'ERROR.QR_EXPIRATION_DATE_NOT_VALID'],
    [{ qrExpirationDate: '2026-11-21' }, 'ERROR.QR_EXPIRATION_DATE_NOT_VALID'],
  ] as const) {
    assert.is(bodyOf(await register(rig, changes), 400).code, code, JSON.stringify(changes));
  }
  for (const auth of [{}, { authorization: 'Bearer wrong' }, { authorization: 'Basic eDp5' }] as const) {
    bodyOf(await register(rig, {}, { ...auth }), 401);
  }
  bodyOf(await get(rig, 'v2/qrs/AD1'), 404);
  assert.is(bodyOf(await get(rig, 'v1/qr/AD1/payment-info')).code, 'ERROR.NOT_FOUND', 'version 1 answers 200');
  assert.is(await newest(rig.url), undefined, 'nothing is booked');
});

it("one merchant does not see another's code", async (rig) => {
  const { qrId } = bodyOf(await register(rig));
  const other = { authorization: 'Bearer another-key' };
  bodyOf(await get(rig, `v2/qrs/${qrId}`, other), 404);
  assert.is(bodyOf(await get(rig, `v1/qr/${qrId}/payment-info`, other)).code, 'ERROR.NOT_FOUND');
});

it('an unpaid code is withdrawn once; a paid or expired one is not', async (rig) => {
  const open = bodyOf(await register(rig));
  bodyOf(await remove(rig, open.qrId));
  assert.is(bodyOf(await get(rig, `v2/qrs/${open.qrId}`)).qrStatus, 'CANCELLED');
  assert.is(bodyOf(await remove(rig, open.qrId), 400).code, 'ERROR.ERROR_WRONG_QR_STATUS');

  const paid = bodyOf(await register(rig));
  await payer(rig.url, paid.payload);
  assert.is(bodyOf(await remove(rig, paid.qrId), 400).code, 'ERROR.ERROR_WRONG_QR_STATUS');

  const qrExpirationDate = moscow(rig.clock.wall() + MINUTE_MS);
  const late = bodyOf(await register(rig, { order: '2', qrExpirationDate }));
  assert.is(late.qrExpirationDate, qrExpirationDate);
  rig.clock.go(MINUTE_MS);
  assert.is(bodyOf(await get(rig, `v2/qrs/${late.qrId}`)).qrStatus, 'EXPIRED');
  assert.is(bodyOf(await remove(rig, late.qrId), 400).code, 'ERROR.ERROR_WRONG_QR_STATUS');
});

it('a refund is done once for its refundId, and its state reported', async (rig) => {
  const { payload } = bodyOf(await register(rig));
  const part = { amount: 10.11, order: '1-22-333', refundId: 'r-1' };
  assert.is(bodyOf(await refund(rig, part)).code, 'ERROR.NOT_FOUND', 'not paid yet');
  await payer(rig.url, payload);
  assert.equal(bodyOf(await refund(rig, part)), { code: 'SUCCESS', amount: 10.11, refundStatus: 'IN_PROGRESS' });
  assert.is(bodyOf(await refund(rig, part)).code, 'SUCCESS');
  assert.is((await newest(rig.url)).refunded, 1011);
  assert.equal(bodyOf(await get(rig, 'v1/refund/r-1')), {
    code: 'SUCCESS',
    amount: 10.11,
    refundStatus: 'COMPLETED',
  });
  const tooMuch: Body = bodyOf(await refund(rig, { ...part, refundId: 'r-2', amount: 1100.01 }));
  assert.is(tooMuch.code, 'ERROR.REFUND_INSUFFICIENT_FUNDS');
  assert.is(bodyOf(await refund(rig, { ...part, refundId: 'r-2', amount: 0 })).code, 'ERROR.INVALID_REQUEST');
  assert.is(bodyOf(await get(rig, 'v1/refund/r-2')).code, 'ERROR.REFUND_NOT_FOUND');
});

test.run();
