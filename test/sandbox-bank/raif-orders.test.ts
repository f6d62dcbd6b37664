import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, call, each } from '../support.ts';
import { type Body, bodyOf, MINUTE_MS, newest, type Rig, sendJson, withBank } from './support.ts';

const test = suite("sandbox bank, Raiffeisenbank's printed codes");
const it = each<[Rig]>(test, (run) => () => withBank(run));

const AUTH = { authorization: 'Bearer made-up-key' };
const post = ({ url }: Rig, path: string, body: object, auth: Record<string, string> = AUTH): Promise<Answer> =>
  sendJson(`${url}/raif/api/${path}`, body, auth);
const ask = ({ url }: Rig, path: string, method = 'GET'): Promise<Answer> =>
  call(`${url}/raif/api/${path}`, { method, headers: AUTH });

const printed = async (rig: Rig): Promise<Body> =>
  bodyOf(await post(rig, 'sbp/v2/qrs', { qrType: 'QRVariable', sbpMerchantId: 'MA0000000552' }));
const order = (rig: Rig, qrId: string, changes: object = {}): Promise<Answer> =>
  post(rig, 'payment/v1/orders', { amount: 1000.1, comment: 'Шоколадный торт', qr: { id: qrId }, ...changes });
const page = (link: string): Promise<Answer> => call(link, { headers: { 'accept-language': 'en' } });
/** The payer presses Pay on the page of the printed code. */
async function pay({ url }: Rig, link: string): Promise<void> {
  const action = /action="([^"?]+\/pay)[?"]/.exec((await page(link)).text)?.[1] ?? '';
  bodyOf(await call(`${url}${action}`, { method: 'POST' }));
}

it('a printed code does nothing until an order stands on it, and is used again for the next', async (rig) => {
  const { qrId, qrStatus, payload } = await printed(rig);
  assert.match(qrId, /^AS/);
  assert.is(qrStatus, 'INACTIVE');
  assert.is((await page(payload)).status, 404);
  for (const id of ['order-1', 'order-2']) {
    const made = bodyOf(await order(rig, qrId, { id }));
    assert.equal([made.id, made.amount, made.comment], [id, 1000.1, 'Шоколадный торт']);
    assert.equal([made.status.value, made.qr.id], ['NEW', qrId]);
    assert.is(bodyOf(await ask(rig, `sbp/v2/qrs/${qrId}`)).qrStatus, 'ACTIVE');
    await pay(rig, payload);
    assert.is(bodyOf(await ask(rig, `payment/v1/orders/${id}`)).status.value, 'PAID');
    assert.is(bodyOf(await ask(rig, `sbp/v2/qrs/${qrId}`)).qrStatus, 'INACTIVE');
  }
  const { amount, charges, link } = await newest(rig.url);
  assert.equal([amount, charges, link], [100_010, 1, payload]);
});

it('an order is withdrawn, expires, or gives way to the next on its code', async (rig) => {
  const { qrId, payload } = await printed(rig);
  const state = async (id: string): Promise<string> => bodyOf(await ask(rig, `payment/v1/orders/${id}`)).status.value;
  bodyOf(await order(rig, qrId, { id: '1' }));
  bodyOf(await ask(rig, 'payment/v1/orders/1', 'DELETE'));
  assert.is(await state('1'), 'CANCELLED');
  const again = bodyOf(await ask(rig, 'payment/v1/orders/1', 'DELETE'), 400);
  assert.equal(
    [again.code, again.message],
    ['ORDER_HAS_FINAL_STATUS', 'Заказ с идентификатором 1 имеет статус CANCELLED'],
  );

  bodyOf(await order(rig, qrId, { id: '2' }));
  const expirationDate = new Date(rig.clock.wall() + 5 * MINUTE_MS).toISOString();
  assert.is(bodyOf(await order(rig, qrId, { id: '3', expirationDate })).expirationDate, expirationDate);
  assert.equal([await state('2'), await state('3')], ['CANCELLED', 'NEW']);
  rig.clock.go(5 * MINUTE_MS);
  assert.is(await state('3'), 'EXPIRED');
  assert.match((await page(payload)).text, 'Too late');
  bodyOf(await order(rig, qrId, { id: '4' }));
  await pay(rig, payload);
  assert.is(bodyOf(await ask(rig, 'payment/v1/orders/4', 'DELETE'), 400).code, 'ORDER_HAS_FINAL_STATUS');
});

it("what is refused: an order's id twice, an unknown code or order, a code of another merchant", async (rig) => {
  const { qrId } = await printed(rig);
  bodyOf(await order(rig, qrId, { id: '1' }));
  assert.is(bodyOf(await order(rig, qrId, { id: '1' }), 400).code, 'ORDER_ALREADY_EXISTS');
  bodyOf(await order(rig, 'AS1'), 404);
  assert.is(bodyOf(await ask(rig, 'payment/v1/orders/nothing'), 404).code, 'ORDER_NOT_FOUND');
  const other = { authorization: 'Bearer another-key' };
  bodyOf(await post(rig, 'payment/v1/orders', { amount: 1, qr: { id: qrId } }, other), 404);
  assert.is(bodyOf(await post(rig, 'payment/v1/orders', { id: '1', amount: 1 }, other)).id, '1', 'an id of its own');
});

it('a refund of an order is done once for its id', async (rig) => {
  const { qrId, payload } = await printed(rig);
  bodyOf(await order(rig, qrId, { id: '1' }));
  const path = 'payments/v1/orders/1/refunds/r-1';
  bodyOf(await post(rig, path, { amount: 0.1 }), 404);
  await pay(rig, payload);
  for (let turn = 0; turn < 2; turn++) {
    const { amount, refundStatus } = bodyOf(await post(rig, path, { amount: 0.1 }));
    assert.equal([amount, refundStatus], [0.1, 'IN_PROGRESS']);
  }
  assert.is(bodyOf(await ask(rig, path)).refundStatus, 'COMPLETED');
  assert.is((await newest(rig.url)).refunded, 10);
  bodyOf(await post(rig, 'payments/v1/orders/1/refunds/r-2', { amount: 1000.01 }), 400);
  bodyOf(await ask(rig, 'payments/v1/orders/1/refunds/r-2'), 404);
});

test.run();
