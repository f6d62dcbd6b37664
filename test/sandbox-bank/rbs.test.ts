import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, each } from '../support.ts';
import { ask, booked, newest, order, payer, type Rig, registered, withBank } from './support.ts';

const test = suite('sandbox bank, RBS dialect');
const it = each<[Rig]>(test, (run) => () => withBank(run));

it('a payment that has no code yet can be taken back, and neither be paid nor declined', async (rig) => {
  const { orderId } = await ask(rig, 'register.do', order());
  const { qrcId } = await newest(rig);
  for (const action of ['pay', 'decline'])
    assert.is((await call(`${rig.url}/sandbox/payments/${qrcId}/${action}`, { method: 'POST' })).status, 409);
  assert.is((await newest(rig)).charges, 0);
  assert.is((await ask(rig, 'decline.do', { orderId })).errorCode, '0');
  assert.is((await newest(rig)).state, 'cancelled');
});

it("a payer names a payment by code, bank's id or till's order, of which the newest counts", async (rig) => {
  const action = async (id: string, name: string) => {
    const { status, body } = await call(`${rig.url}/sandbox/payments/${id}/${name}`, { method: 'POST' });
    return [status, body.state ?? JSON.stringify(body)];
  };
  await registered(rig);
  assert.equal(await action('order-1', 'pay'), [200, 'paid']);
  const { qrcId, bankId } = await newest(rig);
  assert.not.equal(bankId, qrcId);
  for (const id of [qrcId, bankId]) assert.equal(await action(id, 'pay'), [200, 'paid']);
  assert.equal((await call(`${rig.url}/sandbox/payments/order-1/refunds`)).body, []);
  await registered(rig, { orderNumber: 'order-2' });
  assert.equal(await action('order-2', 'decline'), [200, 'declined']);
  const [status, says] = await action('order-3', 'pay');
  assert.is(status, 404);
  assert.match(says, /no payment whose code \(qrcId\), id at the bank \(bankId\) or order/);
});

it('what the gateway refuses, in its own numbers and with HTTP 200', async (rig) => {
  for (const [changes, code] of [
    [{ orderNumber: '' }, '4'],
    [{ amount: '' }, '4'],
    [{ returnUrl: '' }, '4'],
    [{ amount: '0' }, '5'],
    [{ amount: '12.5' }, '5'],
    [{ amount: '1234567890123' }, '5'],
    [{ currency: '840' }, '3'],
    [{ orderNumber: 'x'.repeat(37) }, '1'],
    [{ description: 'x'.repeat(513) }, '5'],
    [{ sessionTimeoutSecs: '0' }, '5'],
  ] as const) {
    assert.is((await ask(rig, 'register.do', order(changes))).errorCode, code, JSON.stringify(changes));
  }
  for (const login of [{ password: 'x' }, { userName: 'shop-api' }, { userName: 'shop-api', password: 'wrong' }]) {
    assert.is((await ask(rig, 'register.do', order(), login)).errorCode, '5');
  }
  assert.is((await ask(rig, 'getOrderStatusExtended.do', { orderId: 'nothing' })).errorCode, '6');
  assert.equal(await booked(rig), [], 'nothing is booked');
});

it("one merchant does not see another's order", async (rig) => {
  const { mdOrder } = await registered(rig);
  const other = { userName: 'other-api', password: 'made-up' };
  assert.is((await ask(rig, 'getOrderStatusExtended.do', { orderId: mdOrder }, other)).errorCode, '6');
  assert.is((await ask(rig, 'getOrderStatusExtended.do', { orderNumber: 'order-1' }, other)).errorCode, '6');
  assert.is((await ask(rig, 'decline.do', { orderId: mdOrder }, other)).errorCode, '6');
  const renewed = { userName: 'shop-api', password: 'renewed' };
  assert.is((await ask(rig, 'getOrderStatusExtended.do', { orderId: mdOrder }, renewed)).orderStatus, 0);
});

it('a refund of one externalRefundId is made once; another expected deposit is refused', async (rig) => {
  const { mdOrder: orderId, payload } = await registered(rig);
  const part = { orderId, amount: '345', externalRefundId: 'r1', expectedDepositedAmount: '12345' };
  assert.is((await ask(rig, 'refund.do', part)).errorCode, '7', 'not paid yet');
  await payer(rig, { payload });
  assert.is((await ask(rig, 'refund.do', part)).errorCode, '0');
  assert.is((await ask(rig, 'refund.do', part)).errorCode, '0');
  assert.is((await newest(rig)).refunded, 345);
  assert.is((await ask(rig, 'refund.do', { ...part, amount: '346' })).errorCode, '5');
  assert.is((await ask(rig, 'refund.do', { ...part, externalRefundId: 'r2' })).errorCode, '7');
  assert.is((await ask(rig, 'refund.do', { orderId, amount: '12001' })).errorCode, '5');
  const long = (await ask(rig, 'refund.do', { orderId, amount: '12000', externalRefundId: 'x'.repeat(31) })).errorCode;
  assert.is(long, '5');
  assert.is((await ask(rig, 'refund.do', { orderId, amount: '12000' })).errorCode, '0');
  const { orderStatus, paymentAmountInfo, refunds } = await ask(rig, 'getOrderStatusExtended.do', { orderId });
  assert.equal(
    {
      orderStatus,
      depositedAmount: paymentAmountInfo.depositedAmount,
      refundedAmount: paymentAmountInfo.refundedAmount,
    },
    { orderStatus: 4, depositedAmount: 0, refundedAmount: 12_345 },
  );
  const amounts = refunds.map(({ amount }: { amount: number }) => amount);
  assert.equal(amounts, [345, 12_000]);
  const ids = refunds.map(({ externalRefundId }) => externalRefundId);
  assert.equal(ids, ['r1', undefined], 'one that was made in the account at the bank has no id of the shop');
});

test.run();
